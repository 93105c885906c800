package lexical

import (
	"math"
	"testing"
	"unicode/utf8"
)

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{
		"", "The US told us.", "L’été d'\xff", "I\u0307\u0327\u0301", "''''", "'s", "l'", "d'd'd'", "...", "1.,2", "१२.३",
		"日本語ー・ラー", "ーー", "กำ่ลัง", "မြန်မာ", "한국어\u1100\u1161", "👨‍👩‍👧\x00", "a\u0300\u0301\u0302", "צה\"ל'", "ΐϊ\u0301",
		"\u200d\u00ad", "ﬁﬂ ǅ ẞ ſ", "\xf0\x9f", "١٬٢٣٤٫٥", "x.y.z.", "U.S", "ＵＳ",
	} {
		for _, tag := range []string{"en", "fr", "it", "ca", "tr", "el", "ar", "ja", "zh", "th", "ko", "xx"} {
			f.Add(tag, s, s)
		}
	}
	f.Fuzz(func(t *testing.T, tag, first, second string) {
		a := analyze(t, document(tag, first, second), document("en", second))
		next := int32(0)
		for k, terms := range a.Sentences {
			for _, id := range terms {
				if id > next || id < 0 {
					t.Fatalf("sentence %d: term %d comes before term %d", k, id, next)
				}
				next = max(next, id+1)
			}
		}
		if int(next) != len(a.Terms) {
			t.Fatalf("%d terms, of which %d occur", len(a.Terms), next)
		}
		for _, term := range a.Terms {
			if term.Text == "" || !utf8.ValidString(term.Text) {
				t.Errorf("bad term %q", term.Text)
			}
			if !(term.Background >= floor && term.Background <= 1) {
				t.Errorf("%q has background %g", term.Text, term.Background)
			}
		}
		m := a.TFIDF(Weighting{Bigrams: true, SingleDocument: 0.25, Background: 100, SublinearTF: true})
		for k := range m.Len() {
			_, vals := m.Row(k)
			square := 0.0
			for _, v := range vals {
				square += float64(v) * float64(v)
			}
			if len(vals) > 0 && !(math.Abs(square-1) < 1e-5) {
				t.Errorf("row %d has squared length %g", k, square)
			}
		}
		a.Concepts()
	})
}
