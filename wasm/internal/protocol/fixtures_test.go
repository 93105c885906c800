package protocol

import (
	"context"
	"embed"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// The fixtures are read by js/tests too. They are embedded, so that the tests
// run under js/wasm where the folder cannot always be read.
//
//go:embed testdata/*.json
var fixtures embed.FS

type fixture struct {
	Name    string
	Message any
	Error   any
}

func readFixtures(t *testing.T, name string) []fixture {
	t.Helper()
	data, err := fixtures.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []fixture
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i := range list {
		list[i].Message = revive(list[i].Message)
	}
	if len(list) == 0 {
		t.Fatalf("%s holds no fixture", name)
	}
	return list
}

// revive turns {"$float32": [1, 2]} into a []float32, here and below.
func revive(tree any) any {
	switch t := tree.(type) {
	case []any:
		for i := range t {
			t[i] = revive(t[i])
		}
	case map[string]any:
		if list, ok := t["$float32"].([]any); ok {
			floats := make([]float32, len(list))
			for i, v := range list {
				floats[i] = float32(v.(float64))
			}
			return floats
		}
		for name := range t {
			t[name] = revive(t[name])
		}
	}
	return tree
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, _ := json.MarshalIndent(got, "", " ")
	w, _ := json.MarshalIndent(want, "", " ")
	t.Errorf("got %s\nwant %s", g, w)
}

// encodeRequest is the inverse of DecodeRequest, as the page does it: what is
// not set is left out.
func encodeRequest(r Request) map[string]any {
	m := map[string]any{"id": float64(r.requestID())}
	set := func(m map[string]any, name, value string) {
		if value != "" {
			m[name] = value
		}
	}
	documents := func(docs []cluster.Document) {
		list := []any{}
		for _, d := range docs {
			o := map[string]any{"text": d.Text}
			set(o, "title", d.Title)
			set(o, "source", d.Source)
			set(o, "language", d.Language)
			list = append(list, o)
		}
		m["documents"] = list
	}
	switch r := r.(type) {
	case Hello:
		return map[string]any{"kind": "hello", "protocol": float64(r.Protocol)}
	case MethodsRequest:
		m["kind"] = "methods"
	case SplitRequest:
		m["kind"] = "split"
		documents(r.Documents)
	case SummarizeRequest:
		m["kind"] = "summarize"
		documents(r.Documents)
		o := map[string]any{}
		set(o, "method", r.Options.Method)
		set(o, "order", string(r.Options.Order))
		if b := r.Options.Budget; b != (core.Budget{}) {
			o["budget"] = map[string]any{"amount": float64(b.Amount), "unit": string(b.Unit)}
		}
		if r.Options.Embeddings != nil {
			o["embeddings"], o["dimensions"] = r.Options.Embeddings, float64(r.Options.Dimensions)
		}
		if w := r.Options.DenseWeight; w != nil {
			o["denseWeight"] = *w
		}
		if tags := r.Options.EncoderLanguages; tags != nil {
			list := make([]any, len(tags))
			for i, tag := range tags {
				list[i] = tag
			}
			o["encoderLanguages"] = list
		}
		set(o, "query", r.Options.Query)
		if w := r.Options.QueryWeight; w != nil {
			o["queryWeight"] = *w
		}
		if v := r.Options.QueryEmbedding; v != nil {
			o["queryEmbedding"] = v
		}
		if w := r.Options.Weights; w != nil {
			o["weights"] = map[string]any{
				"dimensions": float64(w.Dimensions), "positions": float64(w.Positions),
				"interpolation": w.Interpolation, "data": w.Data,
			}
		}
		set(o, "licence", r.Options.Licence)
		if len(o) > 0 {
			m["options"] = o
		}
	}
	return m
}

func TestRequestFixtures(t *testing.T) {
	for _, f := range readFixtures(t, "requests.json") {
		t.Run(f.Name, func(t *testing.T) {
			r, err := DecodeRequest(f.Message)
			if err != nil {
				t.Fatal(err)
			}
			same(t, encodeRequest(r), f.Message)
		})
	}
}

func TestBadRequestFixtures(t *testing.T) {
	for _, f := range readFixtures(t, "bad-requests.json") {
		t.Run(f.Name, func(t *testing.T) {
			s := Session{greeted: true}
			same(t, s.Handle(context.Background(), f.Message, nil), f.Error)
		})
	}
}

func TestReplyFixtures(t *testing.T) {
	first := cluster.Sentence{Text: "Hello.", End: 6, EndUTF16: 6}
	ferry := cluster.Sentence{Text: "🚢 The ferry sank.", Start: 7, End: 27, StartUTF16: 7, EndUTF16: 25}
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Sentences: []cluster.Sentence{first, ferry}},
		{Sentences: []cluster.Sentence{{Text: "A ferry sank.", End: 13, EndUTF16: 13}}},
	}}
	summary := &core.Summary{
		Text: ferry.Text, Method: "auto", Budget: core.DefaultBudget, Used: 3, Score: 0.75,
		Sentences: []core.Quote{{
			Ref: cluster.Ref{Document: 0, Sentence: 1}, Sentence: ferry, Score: 0.5, Gain: 0.75,
			Similar: []core.Similar{{Ref: cluster.Ref{Document: 1, Sentence: 0}, Cosine: 0.875}},
		}},
		Documents: []core.DocumentReport{
			{Source: "a.txt", Title: "A", Language: "en", Sentences: 2, Chosen: 1, Coverage: 0.625, Attention: []float64{0.25, 0.75}},
			{Sentences: 0, Attention: []float64{}},
		},
	}
	unweighed := &core.Summary{
		Text: first.Text, Method: "lead", Budget: core.Budget{Amount: 1, Unit: core.Sentences}, Used: 1,
		Sentences: []core.Quote{{Sentence: first}},
		Documents: []core.DocumentReport{{Sentences: 2, Chosen: 1, Coverage: 0.5}},
	}
	split := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "pt", Sentences: []cluster.Sentence{{EndUTF16: 10}, {StartUTF16: 11, EndUTF16: 23}}},
		{},
	}}
	built := map[string]any{
		"methods": methodsReply(1, []core.MethodInfo{
			{Name: "auto", Title: "Automatic", Description: "The best method for what is loaded.", Embeddings: core.EmbeddingsOptional},
			{Name: "instant", Title: "Instant", Description: "Needs no model.", Embeddings: core.EmbeddingsNone},
			{Name: "hybrid", Title: "Hybrid", Description: "Needs a model.", Embeddings: core.EmbeddingsRequired},
			{Name: "cerai", Title: "CeRAI", Description: "Needs a model and weights.", Embeddings: core.EmbeddingsRequired, Weights: core.WeightsRequired},
		}),
		"split":   splitReply(2, split),
		"summary": summaryReply(3, c, summary, timings{1.5, 2, 0.25}),
		"summary of a method that weighs no sentences": summaryReply(4, c, unweighed, timings{}),
		"progress":         progressReply(3, "encode", 5, 10),
		"error of a field": errorReply(&Error{CodeOption, 4, "options.order", `options.order: unknown value "random": want document or rank`}),
		"error of no field": errorReply(
			toError(5, core.ErrNoText)),
	}
	list := readFixtures(t, "replies.json")
	if len(list) != len(built) {
		t.Errorf("%d fixtures for %d replies", len(list), len(built))
	}
	for _, f := range list {
		t.Run(f.Name, func(t *testing.T) { same(t, built[f.Name], f.Message) })
	}
}
