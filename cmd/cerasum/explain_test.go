package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

const twoPorts = `{"id":"ports","documents":["The tide rose two metres above the quay of Marle on Sunday. Forty boats broke loose. The lock was shut in time.","Forty boats broke loose at Marle when the tide rose. Nobody was hurt."]}` + "\n"

const oneText = "The lock at Marle was shut in time."

// explanation is the JSON form, read strictly.
type explanation struct {
	ID, Text, Method, Weights string
	OverBudget                bool
	Sentences                 []struct {
		Text                           string
		Document, Sentence, Start, End int
		Score, Gain                    float64
		Similar, Context               []any
	}
	Disagreements []any
	Documents     []struct {
		Source, Title, Language, Text string
		Sentences, Chosen             int
		Coverage                      float64
		Attention                     []float64
		Spans                         []struct {
			Text       string
			Start, End int
			Attention  float64
			Quoted     bool
		}
	}
}

func TestExplainJSON(t *testing.T) {
	for _, method := range []string{"auto", "mean", "lexrank"} {
		got := cli(t, strings.NewReader(twoPorts), "explain", "--input-format", "jsonl", "--format", "json", "--budget", "2s", "--method", method).want(t, exitOK)
		var e explanation
		dec := json.NewDecoder(strings.NewReader(got.stdout))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&e); err != nil {
			t.Fatalf("%v in %s", err, got.stdout)
		}
		total, quoted := 0.0, 0
		for _, d := range e.Documents {
			if len(d.Spans) != d.Sentences || len(d.Attention) != d.Sentences {
				t.Fatalf("%s: %d spans, %d numbers for %d sentences", method, len(d.Spans), len(d.Attention), d.Sentences)
			}
			for k, s := range d.Spans {
				if d.Text[s.Start:s.End] != s.Text || s.Attention != d.Attention[k] {
					t.Errorf("%s: %+v", method, s)
				}
				total += s.Attention
				if s.Quoted {
					quoted++
				}
			}
		}
		if math.Abs(total-1) > 1e-9 || quoted == 0 || quoted != len(e.Sentences) || e.ID != "ports" {
			t.Errorf("%s: attention %v in all, %d quoted: %s", method, total, quoted, got.stdout)
		}
		for _, q := range e.Sentences {
			if s := e.Documents[q.Document].Spans[q.Sentence]; !s.Quoted || s.Start != q.Start || s.Text != q.Text {
				t.Errorf("%s: %+v is not %+v", method, s, q)
			}
		}
	}
}

func TestExplainErrors(t *testing.T) {
	for _, method := range []string{"lead", "mmr"} {
		cli(t, strings.NewReader(oneText), "explain", "--method", method).want(t, exitUsage, "method "+method+" has no sentence weights", "--method")
	}
	cli(t, strings.NewReader(oneText), "explain", "--format", "markdown").want(t, exitUsage, `"markdown"`, "text, json")
	cli(t, strings.NewReader(""), "explain", "nosuch.txt").want(t, exitFailed, "nosuch.txt")
}
