package disagreements

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/text"
)

// BenchmarkFind compares ten documents of 40 sentences, every second with a number.
func BenchmarkFind(b *testing.B) {
	var sentences []string
	for _, c := range readLabelled(b, reference.Case(b, "testdata/clusters.jsonl")) {
		for _, d := range c.open() {
			for _, s := range d.Sentences {
				if d.Language == "en" {
					sentences = append(sentences, s.Text)
				}
			}
		}
	}
	documents := make([]cluster.Document, 10)
	for i := range documents {
		var all []string
		for k := range 40 {
			all = append(all, sentences[(13*i+k)%len(sentences)])
		}
		documents[i] = cluster.Document{Text: strings.Join(all, "\n\n"), Language: "en"}
		documents[i].Sentences = text.Split(documents[i].Text, "en")
	}
	for b.Loop() {
		Find(documents)
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"", "14", "14 to 11", "14–", "5:20 7 hours and", "第14", "三", "三十人死亡", "$", "$ 1.3m 3 4 5", "twenty and", "one of",
		"1 2 3 000 000", "14'ü", "\xff7\xff people\xe7\x99", "7人遇难、2人", "12.6公里", "3时40分", "١٢ قتيلا", "14", "5/6", "12 de mayo de 2026",
	} {
		f.Add(s, "en")
		f.Add(s, "zh")
		f.Add(s, "ru")
	}
	f.Fuzz(func(t *testing.T, s, language string) {
		if len(s) > 2000 {
			return
		}
		var documents []cluster.Document
		for _, d := range []string{s, s + " 15 people died", strings.ReplaceAll(s, "1", "2")} {
			documents = append(documents, cluster.Document{Text: d, Language: language, Sentences: text.Split(d, language)})
		}
		found, _ := Find(documents)
		for _, d := range found {
			if len(d.Values) < 2 {
				t.Errorf("%q: %+v", s, d)
			}
			for _, v := range d.Values {
				if documents[v.Document].Text[v.Start:v.End] != v.Text {
					t.Errorf("%q: span is not the text of %+v", s, v)
				}
			}
		}
	})
}
