package rouge

import (
	"strings"
	"testing"
)

// fuzzBytes limits the texts: ROUGE-SU4 and the naive version take quadratic time,
// and what long texts find short ones find sooner.
const fuzzBytes = 256

// FuzzRouge compares scores with those of the naive version, for all options, and
// looks for what no text may change: scores stay between 0 and 1, a text matches
// itself, ROUGE-L is never more than ROUGE-1, and a scorer that has been used
// gives what a new one gives.
func FuzzRouge(f *testing.F) {
	f.Add("the river burst its banks\nchildren were rescued", "rivers bursting banks\n\nU.S.-led rescue", uint8(0))
	f.Add("Река вышла из берегов", "河水漫过了堤岸\nน้ำท่วม", uint8(4))
	f.Add(strings.Repeat("a b c ", 20), strings.Repeat("c b a ", 15)+"\n"+strings.Repeat("b ", 30), uint8(1))
	f.Add(" \t\xff yyyy agreement movements sses", "-- a\x00b \u0301 ings", uint8(7))
	f.Add("one two three", " one two three", uint8(2|3<<3))
	f.Fuzz(func(t *testing.T, a, b string, flags uint8) {
		if len(a)+len(b) > fuzzBytes {
			t.Skip("too long to be quick")
		}
		o := Options{Stem: flags&1 != 0, Unicode: flags&4 != 0}
		if flags&2 != 0 {
			o.LimitWords = int(flags >> 3)
		}
		summary, reference := strings.Split(a, "\n"), strings.Split(b, "\n")
		s := NewScorer(o)
		itself, err := s.Score(summary, [][]string{summary})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Score(summary, [][]string{reference})
		if err != nil {
			t.Fatal(err)
		}
		peer, ref := naiveWords(t, o, summary), naiveWords(t, o, reference)
		if want := naiveScore(peer, [][]string{ref}); want != got {
			t.Fatalf("%v, naive %v", got, want)
		}
		for m, v := range got {
			for _, x := range []float64{v.Recall, v.Precision, v.F1} {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%s: %v", Names[m], v)
				}
			}
		}
		if got[ROUGEL].Recall > got[ROUGE1].Recall || got[ROUGEL].Precision > got[ROUGE1].Precision {
			t.Fatalf("ROUGE-L %v above ROUGE-1 %v", got[ROUGEL], got[ROUGE1])
		}
		want := Score{}
		if strings.TrimSpace(strings.Join(peer, "")) != "" {
			want = Score{1, 1, 1}
		}
		if itself[ROUGE1] != want {
			t.Fatalf("against itself: %v", itself[ROUGE1])
		}
	})
}

// naiveWords returns the tokens of each sentence, separated by spaces, as naiveScore
// reads them.
func naiveWords(t *testing.T, o Options, lines []string) []string {
	return strings.Split(strings.Join(words(t, o, lines...), " "), "|")
}
