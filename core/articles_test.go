package core

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/reference"
)

// TestArticlesInEveryLanguage: in each of 30 languages, the default quotes what an editor
// would, in three tenths of the length of 90 news articles of NTREX-128. The editor, a
// language model, read the English articles; the others are their translations, so the
// languages compare. testdata/articles.json has the numbers of the lines. The test prints the
// counts, in percent: quotes, extract, extract or good, never.
func TestArticlesInEveryLanguage(t *testing.T) {
	type choice struct{ Extract, Good, Never []int }
	choices := map[string]choice{}
	readJSON(t, "testdata/articles.json", &choices)
	articles := map[string][]map[string]string{}
	for _, line := range reference.Cases[map[string]string](t, reference.Open(t, "data/parallel/ntrex.jsonl.gz")) {
		articles[line["document"]] = append(articles[line["document"]], line)
	}
	type count struct{ quotes, extract, good, never int }
	counts, all := map[string]*count{}, &count{}
	for id, c := range choices {
		lines := articles[id]
		if len(lines) == 0 {
			t.Fatalf("no article %s", id)
		}
		for language := range lines[0] {
			texts := make([]string, len(lines))
			for k, line := range lines {
				texts[k] = strings.TrimSpace(line[language])
			}
			if language == "document" || slices.Contains(texts, "") {
				continue
			}
			if counts[language] == nil {
				counts[language] = &count{}
			}
			d := Document{Text: texts[0], Language: language}
			if headline := strings.TrimSpace(lines[0]["en"]); !strings.ContainsAny(headline[len(headline)-1:], `.!?"'`) {
				d = Document{Title: texts[0], Language: language}
			}
			// Two sentences a paragraph.
			for k, text := range texts[1:] {
				if d.Text != "" {
					d.Text += []string{"\n\n", " "}[k%2]
				}
				d.Text += text
			}
			s, err := Summarize(t.Context(), []Document{d}, Options{Budget: Budget{utf8.RuneCountInString(d.Text) * 3 / 10, Characters}})
			if err != nil {
				t.Fatalf("%s in %s: %v", id, language, err)
			}
			for _, q := range s.Sentences {
				at := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, q.Text) || strings.Contains(q.Text, text) })
				for _, to := range []*count{counts[language], all} {
					to.quotes++
					switch {
					case slices.Contains(c.Extract, at):
						to.extract++
						to.good++
					case slices.Contains(c.Good, at):
						to.good++
					case slices.Contains(c.Never, at):
						to.never++
					}
				}
			}
		}
	}
	if len(counts) != 30 {
		t.Fatalf("%d languages", len(counts))
	}
	percent := func(n int, c *count) float64 { return 100 * float64(n) / float64(c.quotes) }
	languages := make([]string, 0, len(counts))
	for language := range counts {
		languages = append(languages, language)
	}
	slices.Sort(languages)
	row := func(name string, c *count) {
		t.Logf("| %s | %d | %.1f | %.1f | %.1f |", name, c.quotes, percent(c.extract, c), percent(c.good, c), percent(c.never, c))
	}
	for _, language := range languages {
		row(language, counts[language])
		if c := counts[language]; c.quotes == 0 || percent(c.good, c) < 68 {
			t.Errorf("%s: %.1f %% of the quotes are in the extract or good, want 68", language, percent(c.good, c))
		}
	}
	row("all", all)
	if percent(all.good, all) < 76 || percent(all.never, all) > 17 {
		t.Errorf("all: %.1f %% good, %.1f %% never", percent(all.good, all), percent(all.never, all))
	}
}
