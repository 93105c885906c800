package core

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestQuoteLanguages: every method quotes only the chosen languages, and all languages
// together are the same as none.
func TestQuoteLanguages(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	embedded := meanings(t, ferry(), 0.3)
	for _, m := range append(Methods(), headline.MethodInfo) {
		for range 6 {
			o := embedded
			if m.Embeddings == EmbeddingsNone || m.Embeddings == EmbeddingsOptional && r.IntN(2) == 0 {
				o = denseOptions{}
			}
			o.Method, o.Budget = m.Name, Budget{1 + r.IntN(80), Words}
			all := mustSummarize(t, ferry(), o)
			o.QuoteLanguages = []string{"en-GB", "deu", "pt"}
			if s := mustSummarize(t, ferry(), o); !reflect.DeepEqual(s, all) {
				t.Errorf("%s, %v: %q in all languages, want %q", m.Name, o.Budget, s.Text, all.Text)
			}
			tags := []string{"en", "de", "pt"}
			r.Shuffle(3, func(i, k int) { tags[i], tags[k] = tags[k], tags[i] })
			o.QuoteLanguages = tags[:1+r.IntN(2)]
			s := mustSummarize(t, ferry(), o)
			if len(s.Sentences) == 0 {
				t.Errorf("%s, %v, %v: nothing is quoted", m.Name, o.Budget, o.QuoteLanguages)
			}
			for _, q := range s.Sentences {
				if code := s.Documents[q.Document].Language; !slices.Contains(o.QuoteLanguages, code) {
					t.Errorf("%s, %v, %v: quotes %s: %q", m.Name, o.Budget, o.QuoteLanguages, code, q.Text)
				}
			}
		}
	}
}

// TestOtherLanguagesSupport: what documents in other languages say decides which
// sentence is quoted, and they are listed as similar to it.
func TestOtherLanguagesSupport(t *testing.T) {
	o := meanings(t, ferry(), 0.3)
	o.Budget, o.QuoteLanguages = Budget{1, Sentences}, []string{"de"}
	for _, method := range []string{"auto", "multilingual", "mean", "lexrank"} {
		o.Method = method
		q := mustSummarize(t, ferry(), o).Sentences[0]
		if method == "auto" && len(q.Similar) != 2 {
			t.Errorf("%s: %q is similar to %v, want one sentence of each other document", method, q.Text, q.Similar)
		}
		// The sentence that only the German document has is never first.
		if q.Ref != (Ref{Document: 2, Sentence: q.Ref.Sentence}) || q.Ref.Sentence == 4 {
			t.Errorf("%s quotes %v, %q", method, q.Ref, q.Text)
		}
	}
	alone := ferry()
	alone.Documents = alone.Documents[2:]
	own := meanings(t, alone, 0.3)
	own.Budget, own.Method = o.Budget, "lexrank"
	o.Method = "lexrank"
	if with, without := mustSummarize(t, ferry(), o), mustSummarize(t, alone, own); reflect.DeepEqual(with.Documents[2].Attention, without.Documents[0].Attention) {
		t.Error("the other documents change no centrality")
	}
}

// TestUntranslated: with QuoteOthers, what only another language says is quoted, too.
func TestUntranslated(t *testing.T) {
	o := meanings(t, ferry(), 0.3)
	o.Budget, o.QuoteLanguages, o.QuoteOthers = Budget{150, Words}, []string{"en"}, OthersUntranslated
	for _, method := range []string{"auto", "multilingual", "mean", "radev"} {
		o.Method = method
		s := mustSummarize(t, ferry(), o)
		for _, q := range s.Sentences {
			if (q.Document == 0) == (q.Ref.Sentence == 4) || q.Document == 1 {
				t.Errorf("%s quotes %v, %q", method, q.Ref, q.Text)
			}
		}
		if len(s.Sentences) != 5 {
			t.Errorf("%s quotes %d sentences, want 4 in English and one in German: %q", method, len(s.Sentences), s.Text)
		}
	}
}

func TestBadQuoteLanguages(t *testing.T) {
	for want, o := range map[string]Options{
		"quoteLanguages: no document is in fr, it; the documents are in de, en, pt": {QuoteLanguages: []string{"fr", "it-CH"}},
		`quoteLanguages[1]: want a language tag like en or pt-BR, got "?"`:          {QuoteLanguages: []string{"en", "?"}},
		"quoteOthers: requires quoteLanguages":                                      {QuoteOthers: OthersUntranslated},
		`quoteOthers: want never or untranslated, got "all"`:                        {QuoteLanguages: []string{"en"}, QuoteOthers: "all"},
	} {
		if _, err := Summarize(t.Context(), ferry().Documents, o); !errors.Is(err, ErrOption) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	// Unknown languages have a tag, too.
	documents := ferry().Documents
	documents[0].Text, documents[0].Language = "2026 1984 2001 1999 63.", ""
	s, err := Summarize(t.Context(), documents, Options{QuoteLanguages: []string{"und"}})
	if err != nil || len(s.Sentences) != 1 || s.Sentences[0].Document != 0 {
		t.Errorf("und: %+v, %v", s, err)
	}
}
