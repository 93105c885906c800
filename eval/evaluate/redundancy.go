package evaluate

import (
	"math"
	"strings"
	"unicode"
)

// Redundancy, in 0..1, measures how much the sentences of a summary repeat each
// other: the mean over its sentences of the highest cosine to another one. The
// vectors are word counts (runs of letters, digits and underscores, in lower
// case), so that the measure is independent of the method. It is 0 for fewer than
// two sentences.
func Redundancy(sentences []string) float64 {
	if len(sentences) < 2 {
		return 0
	}
	counts := make([]map[string]float64, len(sentences))
	norms := make([]float64, len(sentences))
	for i, s := range sentences {
		counts[i] = map[string]float64{}
		for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
		}) {
			counts[i][w]++
		}
		squares := 0.0
		for _, n := range counts[i] {
			squares += n * n // integers: the order of summation does not matter
		}
		norms[i] = math.Sqrt(squares)
	}
	highest := make([]float64, len(sentences))
	for i := range sentences {
		for j := range i {
			dot := 0.0
			for w, n := range counts[i] {
				dot += n * counts[j][w]
			}
			if dot == 0 {
				continue
			}
			cosine := min(dot/(norms[i]*norms[j]), 1)
			highest[i], highest[j] = max(highest[i], cosine), max(highest[j], cosine)
		}
	}
	sum := 0.0
	for _, h := range highest {
		sum += h
	}
	return sum / float64(len(sentences))
}
