package rouge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchCluster is a summary and a reference of words tokens each, in sentences
// of 15 to 30, a third of them of the topic and the others by Zipf's law.
func benchCluster(r *rand.Rand, words int) (summary []string, references [][]string) {
	zipf := rand.NewZipf(r, 1.1, 3, 8000)
	topic := make([]string, 60)
	for i := range topic {
		topic[i] = benchWord(zipf.Uint64() + 100)
	}
	text := func() (lines []string) {
		for left := words; left > 0; {
			n := min(left, 15+r.IntN(16))
			left -= n
			tokens := make([]string, n)
			for i := range tokens {
				if r.IntN(3) == 0 {
					tokens[i] = topic[r.IntN(len(topic))]
				} else {
					tokens[i] = benchWord(zipf.Uint64())
				}
			}
			lines = append(lines, strings.Join(tokens, " ")+".")
		}
		return lines
	}
	return text(), [][]string{text()}
}

// benchWord makes words that stemming has to work on.
func benchWord(n uint64) string {
	endings := []string{"", "s", "ed", "ing", "ation", "ness", "al", "ly"}
	word := ""
	for m := n / 8; ; m /= 20 {
		word += string("bcdfgklmnprstvwxzhjq"[m%20]) + string("aeiou"[m%5])
		if m < 20 {
			return word + endings[n%8]
		}
	}
}

// BenchmarkScore goes through a thousand clusters; ns/op is for one.
func BenchmarkScore(b *testing.B) {
	for _, c := range []struct {
		name  string
		words int
		o     Options
	}{
		{"plain", 230, Options{}}, {"stem", 230, Options{Stem: true}}, {"unicode", 230, Options{Unicode: true}},
		{"limit100", 230, Options{Stem: true, LimitWords: 100}}, {"long", 20000, Options{}},
	} {
		b.Run(fmt.Sprintf("%s/%dwords", c.name, c.words), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			clusters := 1000
			if c.words > 1000 {
				clusters = 5
			}
			summaries, references := make([][]string, clusters), make([][][]string, clusters)
			for i := range clusters {
				summaries[i], references[i] = benchCluster(r, c.words)
			}
			s := NewScorer(c.o)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if _, err := s.Score(summaries[i%clusters], references[i%clusters]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clusters/s")
		})
	}
}

func BenchmarkBootstrap(b *testing.B) {
	values := make([]float64, 5622)
	for i := range values {
		values[i] = float64(i%100) / 100
	}
	for b.Loop() {
		Bootstrap(values, Resamples, 1)
	}
}
