package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// quoting returns a summary of sentences, each the first that begins with the text.
func quoting(t *testing.T, documents []cluster.Document, begins ...string) *core.Summary {
	t.Helper()
	s := &core.Summary{Budget: words(25), Used: 20}
next:
	for _, b := range begins {
		for d := range documents {
			for i, sentence := range documents[d].Sentences {
				if strings.HasPrefix(sentence.Text, b) {
					s.Sentences = append(s.Sentences, core.Quote{Ref: cluster.Ref{Document: d, Sentence: i}, Sentence: sentence})
					continue next
				}
			}
		}
		t.Fatalf("no sentence begins with %q", b)
	}
	return s
}

func split(texts ...string) []cluster.Document {
	var list []cluster.Document
	for _, s := range texts {
		list = append(list, cluster.Document{Text: s, Language: "en", Sentences: text.Split(s, "en")})
	}
	return list
}

func TestReading(t *testing.T) {
	documents := split(
		"BRACKWELL (NNW) — Brackwell council voted on Tuesday to close Quay Road to traffic. It will stay closed for 18 months. Will the shops survive?\n\n“We tried to keep it open for years. Nobody came to help,” said Mayor Sunita Bell.",
		"Brackwell council voted on Tuesday evening to close Quay Road to all traffic. He said no. Buses are exempt from the closure in the morning.",
	)
	references := [][]string{{"Brackwell council voted to close Quay Road.", "Buses are exempt."}, {"The harbour street closes."}}
	for _, c := range []struct {
		name   string
		quotes []string
		want   Reading
	}{
		{"what follows its sentence does not lean", []string{"BRACKWELL", "It will"}, Reading{Quotes: 2, Edges: 1, Any: 1}},
		{"what does not follow it leans", []string{"Buses", "It will"}, Reading{Quotes: 2, Leaning: 1, Any: 1}},
		{"a quotation that is whole", []string{"“We tried", "Nobody came"}, Reading{Quotes: 2, Any: 0}},
		{"a part of it", []string{"“We tried"}, Reading{Quotes: 1, Speech: 1, Any: 1}},
		{"repeats", []string{"BRACKWELL", "Brackwell council"}, Reading{Quotes: 2, Edges: 1, Repeats: 1, Any: 2}},
		{"short and leaning, and a question", []string{"He said", "Will the"}, Reading{Quotes: 2, Leaning: 1, Fragments: 1, Questions: 1, Any: 2}},
	} {
		got := newFaultCounter().summary(quoting(t, documents, c.quotes...), documents, references)
		if math.Abs(got.Unused-0.2) > 1e-9 {
			t.Errorf("%s: unused %v", c.name, got.Unused)
		}
		// Of brack, counc, voted, close, quay, road, and none of harbo, stree, close.
		if first := got.First; c.quotes[0] == "BRACKWELL" && math.Abs(first-(1+1./3)/2) > 1e-9 {
			t.Errorf("%s: first %v", c.name, first)
		}
		got.Unused, got.First = 0, 0
		if *got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, *got, c.want)
		}
	}
	zh := []passage{{text: "市议会星期二投票决定关闭码头路。"}, {text: "市议会星期二晚上投票决定关闭码头路。"}, {text: "公共汽车早上可以通行。"}}
	for i := range zh {
		zh[i].place.Language = "zh"
	}
	if got := newFaultCounter().count(zh); *got != (Reading{Quotes: 3, Repeats: 1, Any: 1}) {
		t.Errorf("Chinese: %+v", got)
	}
}

func TestReadingUncased(t *testing.T) {
	documents := split("the council voted to close the road. the buses are exempt from the closure. nobody was hurt there.")
	documents[0].Sentences = nil
	for _, s := range strings.SplitAfter(documents[0].Text, ". ") {
		start := strings.Index(documents[0].Text, s)
		s = strings.TrimSpace(s)
		documents[0].Sentences = append(documents[0].Sentences, cluster.Sentence{Text: s, Start: start, End: start + len(s)})
	}
	got := newFaultCounter().summary(quoting(t, documents, "the buses"), documents, nil)
	if *got != (Reading{Quotes: 1, Unused: 0.2}) {
		t.Errorf("%+v", got)
	}
}

func TestReadingReport(t *testing.T) {
	o := options(Options{Methods: methods("lead"), Reading: true})
	tally := NewTally(o.Methods)
	var saved []byte
	o.Limit = 1
	o.Outcome = func(out *Outcome) error {
		if r := out.Results[0].Reading; r == nil || r.Quotes != len(out.Summaries[0]) || r.First == 0 || out.ReferenceReading.Quotes != 1 {
			t.Fatalf("%+v %+v", r, out.ReferenceReading)
		}
		out.Results[0].Reading = &Reading{Quotes: 8, Leaning: 1, Fragments: 2, Edges: 4, Any: 6, Unused: 0.5, First: 1}
		var err error
		saved, err = json.Marshal(out)
		return err
	}
	if err := Run(context.Background(), reader(corpus(1)), o); err != nil {
		t.Fatal(err)
	}
	// The counts are in what a run saves.
	var out Outcome
	if err := json.Unmarshal(saved, &out); err != nil {
		t.Fatal(err)
	}
	if err := tally.Add(&out); err != nil {
		t.Fatal(err)
	}
	report := tally.Report(Setting{Reading: true, Resamples: 1, Budget: words(30)})
	var table, markdown, js bytes.Buffer
	for _, err := range []error{
		report.WriteTable(&table, func(s string) []string { return []string{s} }), report.WriteMarkdown(&markdown), report.WriteJSON(&js),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"| lead | 8 | 12.5 | 25.0 | 0.0 | 0.0 | 50.0 | 0.0 | 75.0 | 50.0 | 100.0 |",
		"| (reference) | 1 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | – | – |",
	} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("no %s in\n%s", want, &markdown)
		}
	}
	if !strings.Contains(table.String(), "method       quotes  leaning") {
		t.Errorf("%s", &table)
	}
	var rows []struct {
		Reading   Reading
		Reference Reading `json:"reference_reading"`
	}
	if err := json.Unmarshal(js.Bytes(), &rows); err != nil || rows[0].Reading != (Reading{Quotes: 8, Leaning: 1, Fragments: 2, Edges: 4, Any: 6, Unused: 0.5, First: 1}) || rows[0].Reference.Quotes != 1 {
		t.Errorf("%v %s", err, &js)
	}
}
