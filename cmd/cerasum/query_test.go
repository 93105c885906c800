package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
)

const ferries = `The ferry Alma ran aground off Port Selby on Tuesday night with many people aboard.
All passengers of the ferry were taken ashore by lifeboats before dawn on Wednesday.
The ferry company said that the steering of the Alma had failed in the fog.
The harbour of Port Selby stays closed until the ferry has been towed away.
Fishermen complained that lanterns along the breakwater had been dark for weeks.`

const asked = "dark lanterns breakwater"

func TestSummarizeQuoteLanguages(t *testing.T) {
	en, pt := file(t, "en.txt", []byte(ferries)), file(t, "pt.txt", []byte("O barco Alma encalhou na terça-feira à noite. Todos os passageiros foram levados para terra antes do amanhecer."))
	for _, q := range parse(t, cli(t, nil, "summarize", "-f", "json", "--quote-languages", "pt", en, pt).want(t, exitOK).stdout).Sentences {
		if !strings.Contains(q.Text, "barco") && !strings.Contains(q.Text, "passageiros") {
			t.Errorf("quotes %q", q.Text)
		}
	}
	cli(t, nil, "summarize", "--quote-languages", "fr", en, pt).want(t, exitUsage, "--quote-languages: no document is in fr; the documents are in en, pt")
	cli(t, nil, "summarize", "--quote-others", "untranslated", en).want(t, exitUsage, "--quote-others requires --quote-languages")
}

func TestSummarizeQuery(t *testing.T) {
	path := file(t, "a.txt", []byte(ferries))
	quoted := func(args ...string) string {
		t.Helper()
		all := append([]string{"summarize", "-f", "json", "-b", "1s", path}, args...)
		return parse(t, cli(t, nil, all...).want(t, exitOK).stdout).Sentences[0].Text
	}
	for _, m := range core.Methods() {
		if m.Weights == core.WeightsRequired {
			continue // their encoder takes long to load
		}
		if testing.Short() && m.Embeddings == core.EmbeddingsRequired {
			continue // see TestSummarizeQueryEncoder
		}
		if !m.Query {
			cli(t, nil, "summarize", "-m", m.Name, "-Q", asked, path).want(t, exitUsage, "method "+m.Name+" does not support --query", "methods that do: auto")
			continue
		}
		if s := quoted("-m", m.Name, "--query", asked, "--query-weight", "1"); !strings.Contains(s, "lanterns") {
			t.Errorf("%s: %q", m.Name, s)
		}
		if plain, none := quoted("-m", m.Name), quoted("-m", m.Name, "--query", asked, "--query-weight", "0"); plain != none {
			t.Errorf("%s: by a weight of 0 %q, unasked %q", m.Name, none, plain)
		}
	}
	if s := quoted("--query", "what about the lanterns of the breakwater?"); !strings.Contains(s, "lanterns") {
		t.Errorf("by the usual weight: %q", s)
	}
	// A query without a word of the documents changes nothing.
	if s := quoted("--query", "xylophones"); s != quoted() {
		t.Errorf("by a foreign word: %q", s)
	}
	cli(t, nil, "explain", "--query", asked, path).want(t, exitOK)
}

func TestSummarizeQueryLines(t *testing.T) {
	lines := `{"documents": ["The mill burned down. Its owner built another mill at once. Nobody saw lanterns that night."]}` + "\n"
	a := cli(t, strings.NewReader(strings.Repeat(lines, 2)), "summarize", "--input-format", "jsonl", "-b", "1s", "-Q", "lanterns", "--query-weight", "1", "-").want(t, exitOK)
	if strings.Count(a.stdout, "Nobody saw lanterns") != 2 {
		t.Error(a.stdout)
	}
}

func TestSummarizeQueryEncoder(t *testing.T) {
	path := file(t, "en.txt", []byte("The storm tore the roof off. The sun came back. The sun stayed for a week."))
	dir := exportOf(t, stormWords, "en")
	for _, method := range []string{"hybrid", "mean"} {
		a := cli(t, nil, "summarize", "-m", method, "-e", dir, "-b", "1s", "-Q", "storm", "--query-weight", "1", path).want(t, exitOK)
		if !strings.Contains(a.stdout, "storm") {
			t.Errorf("%s: %s", method, a.stdout)
		}
	}
}

func TestSummarizeQueryErrors(t *testing.T) {
	path := file(t, "a.txt", []byte(ferries))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--query-weight", "0.5"}, "--query-weight requires --query"},
		{[]string{"--query", "x", "--query-weight", "1.5"}, "want a number from 0 to 1, got 1.5"},
		{[]string{"--query", "x", "--query-weight", "NaN"}, "want a number from 0 to 1"},
		{[]string{"--query", " "}, "--query: want text"},
	} {
		a := cli(t, nil, append([]string{"summarize", path}, c.args...)...).want(t, exitUsage, c.want)
		if a.stdout != "" {
			t.Errorf("%v: %s", c.args, a.stdout)
		}
	}
}

// TestQueryAcrossLanguages: with the shipped encoder, a question is answered by documents
// in other languages, and a text that only describes the documents changes nothing.
func TestQueryAcrossLanguages(t *testing.T) {
	data, err := os.ReadFile("../../web/demo/samples/mixed.json")
	if err != nil {
		t.Fatal(err)
	}
	var sample struct {
		Documents []struct{ Text string }
	}
	if err := json.Unmarshal(data, &sample); err != nil {
		t.Fatal(err)
	}
	var documents []core.Document
	for _, d := range sample.Documents {
		documents = append(documents, core.Document{Text: d.Text})
	}
	s, err := core.Open(t.Context(), documents, core.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := &embedder{app: &app{}, flags: encoderFlags{name: defaultEncoder}, method: methodInfo("auto"), silent: true}
	defer e.Close()
	if err := e.embed(t.Context(), s, &core.Options{Query: "?"}); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"auto", "multilingual"} {
		summarize := func(query string) string {
			t.Helper()
			o := core.Options{Method: method, Query: query}
			if query != "" {
				if o.QueryEmbedding, err = e.model.EmbedQuestion(t.Context(), query); err != nil {
					t.Fatal(err)
				}
			}
			summary, err := s.Summarize(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			return summary.Text
		}
		for query, want := range map[string]string{
			"Why did the engine stop?":              "воды в топливе",
			"Почему остановился двигатель?":         "воды в топливе",
			"How much money do the exporters lose?": "9 millones",
		} {
			if got := summarize(query); !strings.Contains(got, want) {
				t.Errorf("%s, %q: got %q", method, query, got)
			}
		}
		plain := summarize("")
		for _, context := range []string{
			"This is an article about markets.",
			"Summarize for a developer.",
			"The newsletter goes to engineers of a phone company every week.",
			"Product descriptions of an online shop.",
			"A letter to shareholders of a software firm.",
			"Un boletín semanal para los empleados de una empresa.",
			"Ceci est un article sur les marchés financiers.",
			"Изложи текст для разработчика.",
		} {
			if got := summarize(context); got != plain {
				t.Errorf("%s, %q: got %q, want %q", method, context, got, plain)
			}
		}
	}
}
