package core

import (
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
)

const (
	// tokensOfRune is how many tokens of internal/unigram a character takes, wideTokensOfRune
	// the same from the Chinese, Japanese and Korean scripts on: means of NTREX in 30
	// languages, in each of which it is 0.20 to 0.34, and 0.54 to 0.72.
	tokensOfRune, wideTokensOfRune = 0.27, 0.65
	firstWide                      = 0x2e80
	// tokensBeside and mostTokens are those around a sentence and the most read of one.
	tokensBeside, mostTokens = 2, 258
	// leadShare is the share of the tokens that the beginnings of the documents have.
	leadShare = 0.5
)

// ToEmbed returns which of [Session.Texts] to embed, ascending, if an encoder is to read
// about so many tokens: all if they fit; otherwise the beginnings of the documents, and
// then the sentences nearest to the centroid of all. Rows of zeros stand for the others.
func (s *Session) ToEmbed(tokens int) []int {
	cost := make([]float64, len(s.texts))
	all := 0.0
	for k, text := range s.texts {
		cost[k] = tokensOf(text)
		all += cost[k]
	}
	budget := float64(tokens)
	chosen := make([]bool, len(s.texts))
	take := func(k int, limit float64) {
		if !chosen[k] && cost[k] <= limit {
			chosen[k] = true
			budget -= cost[k]
		}
	}
	if all <= budget {
		for k := range chosen {
			chosen[k] = true
		}
	} else {
		rest := budget * (1 - leadShare)
		for at, more := 0, true; more && budget > rest; at++ {
			more = false
			row := 0
			for _, d := range s.cluster.Documents {
				if at < len(d.Sentences) {
					more = true
					take(row+at, budget-rest)
				}
				row += len(d.Sentences)
			}
		}
		rows := s.tfidf(plainWeighting)
		near := centroid.Cosines(rows, centroid.Mean(rows))
		order := make([]int, len(near))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if near[a] > near[b] {
				return -1
			}
			if near[a] < near[b] {
				return 1
			}
			return 0
		})
		for _, k := range order {
			take(k, budget)
		}
	}
	numbers := []int{}
	for k, c := range chosen {
		if c {
			numbers = append(numbers, k)
		}
	}
	return numbers
}

// tokensOf estimates how many tokens an encoder reads of a sentence.
func tokensOf(text string) float64 {
	n := float64(tokensBeside)
	for _, r := range text {
		if r < firstWide {
			n += tokensOfRune
		} else {
			n += wideTokensOfRune
		}
	}
	return min(n, mostTokens)
}
