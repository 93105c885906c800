package main

import (
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
