package rouge

import (
	"strings"
	"testing"
)

// FuzzRouge looks for what no text may change: scores stay between 0 and 1, a
// text matches itself, longer n-grams never hit more often, ROUGE-L never more
// than ROUGE-1, and a scorer that has been used gives what a new one gives.
func FuzzRouge(f *testing.F) {
	f.Add("the river burst its banks\nchildren were rescued", "rivers bursting banks\n\nU.S.-led rescue", uint8(0))
	f.Add("Река вышла из берегов", "河水漫过了堤岸\nน้ำท่วม", uint8(4))
	f.Add(strings.Repeat("a b c ", 40), strings.Repeat("c b a ", 50)+"\n"+strings.Repeat("b ", 70), uint8(1))
	f.Add(" \t\xff yyyy agreement movements sses", "-- a\x00b \u0301 ings", uint8(7))
	f.Add("one two three", " one two three", uint8(2))
	f.Fuzz(func(t *testing.T, a, b string, flags uint8) {
		if len(a)+len(b) > 1<<14 {
			t.Skip("too long to be quick")
		}
		o := Options{Stem: flags&1 != 0, Unicode: flags&4 != 0}
		if flags&2 != 0 {
			o.LimitWords = int(flags >> 3)
		}
		summary, reference := strings.Split(a, "\n"), strings.Split(b, "\n")
		s := NewScorer(o)
		first, err := s.Score(summary, [][]string{reference, summary})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Score(summary, [][]string{reference})
		if err != nil {
			t.Fatal(err)
		}
		if fresh, err := NewScorer(o).Score(summary, [][]string{reference}); err != nil || fresh != got {
			t.Fatalf("a used scorer gives %v, a new one %v, %v", got, fresh, err)
		}
		for m, v := range got {
			for _, x := range []float64{v.Recall, v.Precision, v.F1} {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%s: %v", Names[m], v)
				}
			}
			if first[m].Recall < got[m].Recall-1e-5 && first[m].F1 == 0 {
				t.Fatalf("%s: %v alone, %v with the summary itself as a reference", Names[m], v, first[m])
			}
		}
		if got[ROUGEL].Recall > got[ROUGE1].Recall || got[ROUGEL].Precision > got[ROUGE1].Precision {
			t.Fatalf("ROUGE-L %v above ROUGE-1 %v", got[ROUGEL], got[ROUGE1])
		}
		itself, err := s.Score(summary, [][]string{summary})
		if err != nil {
			t.Fatal(err)
		}
		want := Score{}
		if len(words(t, o, strings.Join(summary, " "))) > 0 && o.LimitWords == 0 {
			want = Score{1, 1, 1}
		}
		if o.LimitWords == 0 && itself[ROUGE1] != want {
			t.Fatalf("against itself: %v", itself[ROUGE1])
		}
		if !o.Stem && !o.Unicode && o.LimitWords == 0 && len(a)+len(b) < 2000 {
			plain := func(lines []string) (out []string) {
				for _, line := range lines {
					out = append(out, strings.Join(words(t, o, line), " "))
				}
				return out
			}
			if twin := naiveScore(plain(summary), [][]string{plain(reference)}); twin != got {
				t.Fatalf("%v, naive %v", got, twin)
			}
		}
	})
}
