package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// labelledSession is a document or set with what an editor says of each sentence: 3 quoted, 2
// good, 1 ordinary, 0 never.
type labelledSession struct {
	*Session
	grades []int
	quoted int
}

// readChoices opens the items that "choices join" writes.
func readChoices(t *testing.T, path string) (documents, sets []labelledSession) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var item struct {
			Language             string
			Documents            []struct{ Title, Date, Text string }
			Extract, Good, Never [][3]int
		}
		if err := d.Decode(&item); errors.Is(err, io.EOF) {
			return documents, sets
		} else if err != nil {
			t.Fatal(err)
		}
		var texts []Document
		for _, d := range item.Documents {
			opened := Document{Title: d.Title, Text: d.Text, Language: item.Language}
			if len(d.Date) == len("2026-11-28") { // others may not be of ISO 8601
				opened.Date = d.Date
			}
			texts = append(texts, opened)
		}
		s, err := Open(t.Context(), texts, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		of := labelledSession{Session: s}
		for i, d := range s.Documents() {
			for _, sentence := range d.Sentences {
				grade := 1
				for g, list := range [][][3]int{item.Never, nil, item.Good, item.Extract} {
					for _, l := range list {
						if common := min(l[2], sentence.EndUTF16) - max(l[1], sentence.StartUTF16); l[0] == i && 2*common > sentence.EndUTF16-sentence.StartUTF16 {
							grade = g
						}
					}
				}
				if grade == 3 {
					of.quoted++
				}
				of.grades = append(of.grades, grade)
			}
		}
		if len(texts) > 1 {
			sets = append(sets, of)
		} else {
			documents = append(documents, of)
		}
	}
}

// TestEditorWeights prints what an editor says of the quotes in 100 words with other weights of
// the search. CERASUM_CHOICES is a file of "choices join", CERASUM_WEIGHTS lines such as
// "value=4 least=0.25"; an empty line has the weights as they are.
func TestEditorWeights(t *testing.T) {
	path := os.Getenv("CERASUM_CHOICES")
	if path == "" {
		t.Skip("CERASUM_CHOICES names no file of choices")
	}
	documents, sets := readChoices(t, path)
	for line := range strings.SplitSeq(os.Getenv("CERASUM_WEIGHTS"), "\n") {
		params := editorDefaults
		weights := map[string]*float64{
			"value": &params.value, "evenly": &params.evenly, "least": &params.least, "never": &params.never,
			"leaning": &params.leaning, "opener": &params.opener, "outdated": &params.outdated,
			"documentCost": &params.documentCost, "opening": &params.opening,
		}
		for setting := range strings.FieldsSeq(line) {
			name, value, _ := strings.Cut(setting, "=")
			if weights[name] == nil {
				t.Fatalf("%q: want a weight", setting)
			}
			if _, err := fmt.Sscan(value, weights[name]); err != nil {
				t.Fatalf("%q: %v", setting, err)
			}
		}
		for _, group := range []struct {
			name  string
			items []labelledSession
		}{{"documents", documents}, {"sets", sets}} {
			var of [4]float64
			quotes, recall := 0.0, 0.0
			for _, s := range group.items {
				j := &job{Session: s.Session, options: &Options{}, texts: s.texts}
				j.measure = j.measureOf(DefaultBudget)
				r, err := j.runEditorWith(t.Context(), params)
				if err != nil {
					t.Fatal(err)
				}
				found := 0.0
				for _, k := range r.Rows {
					of[s.grades[k]]++
					quotes++
					if s.grades[k] == 3 {
						found++
					}
				}
				recall += found / float64(max(1, s.quoted))
			}
			n := float64(max(1, len(group.items)))
			t.Logf("%-9s %5.0f: quoted %4.1f, or good %4.1f, never %4.1f %%; of the extract %4.1f %%; %.2f quotes  %s", group.name, n, 100*of[3]/quotes, 100*(of[2]+of[3])/quotes, 100*of[0]/quotes, 100*recall/n, quotes/n, line)
		}
	}
}
