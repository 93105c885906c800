package rouge

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// naiveScore is Score written out: strings, maps and the full table of every
// longest common subsequence. Tokens are separated by blanks, and neither
// stemmed nor limited.
func naiveScore(summary []string, references [][]string) [Metrics]Score {
	var totals [Metrics]total
	peer := strings.Fields(strings.Join(summary, " "))
	for _, lines := range references {
		ref := strings.Fields(strings.Join(lines, " "))
		grams := [Metrics]func([]string) map[string]int{}
		for m := ROUGE1; m <= ROUGE4; m++ {
			grams[m] = func(text []string) map[string]int { return naiveGrams(text, m-ROUGE1+1) }
		}
		grams[ROUGESU4] = naiveSkip
		for m, count := range grams {
			if count == nil {
				continue
			}
			a, b := count(ref), count(peer)
			for gram, n := range a {
				totals[m].hits += min(n, b[gram])
				totals[m].reference += n
			}
			for _, n := range b {
				totals[m].summary += n
			}
		}
		l := &totals[ROUGEL]
		left := naiveGrams(peer, 1)
		for _, line := range lines {
			tokens := strings.Fields(line)
			union := make([]bool, len(tokens))
			for _, other := range summary {
				naiveLCS(tokens, strings.Fields(other), union)
			}
			for i, token := range tokens {
				if union[i] && left[token] > 0 {
					left[token]--
					l.hits++
				}
			}
		}
		l.reference += len(ref)
		l.summary += len(peer)
	}
	var scores [Metrics]Score
	for m, t := range totals {
		round := func(x float64) float64 {
			y, err := strconv.ParseFloat(fmt.Sprintf("%.5f", x), 64)
			if err != nil {
				panic(err)
			}
			return y
		}
		if t.reference > 0 {
			scores[m].Recall = round(float64(t.hits) / float64(t.reference))
		}
		if t.summary > 0 {
			scores[m].Precision = round(float64(t.hits) / float64(t.summary))
		}
		if r, p := scores[m].Recall, scores[m].Precision; r+p > 0 {
			scores[m].F1 = round(p * r / (0.5*p + 0.5*r))
		}
	}
	return scores
}

func naiveGrams(text []string, n int) map[string]int {
	counts := map[string]int{}
	for i := 0; i+n <= len(text); i++ {
		counts[strings.Join(text[i:i+n], " ")]++
	}
	return counts
}

func naiveSkip(text []string) map[string]int {
	counts := map[string]int{}
	for i := 0; i+1 < len(text); i++ {
		counts[text[i]]++
		for j := i + 1; j <= i+5 && j < len(text); j++ {
			counts[text[i]+" "+text[j]]++
		}
	}
	return counts
}

// naiveLCS marks the tokens of a on the path back through the table that
// prefers, where the tokens differ, to leave out one of a.
func naiveLCS(a, b []string, union []bool) {
	c := make([][]int, len(a)+1)
	for i := range c {
		c[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				c[i+1][j+1] = c[i][j] + 1
			} else {
				c[i+1][j+1] = max(c[i][j+1], c[i+1][j])
			}
		}
	}
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch {
		case a[i-1] == b[j-1]:
			i, j = i-1, j-1
			union[i] = true
		case c[i-1][j] >= c[i][j-1]:
			i--
		default:
			j--
		}
	}
}

// randomLines makes sentences of up to most tokens out of the first words.
func randomLines(r *rand.Rand, sentences, most, words int) []string {
	lines := make([]string, r.IntN(sentences+1))
	for i := range lines {
		tokens := make([]string, r.IntN(most+1))
		for j := range tokens {
			tokens[j] = "w" + strconv.Itoa(r.IntN(words))
		}
		lines[i] = strings.Join(tokens, " ")
	}
	return lines
}

func TestNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := NewScorer(Options{})
	hits := 0
	for n := range 1500 {
		// From nothing to lines that take several words of 64 bits.
		sentences, most, words := 1+r.IntN(6), 1+r.IntN(30), 1+r.IntN(60)
		if n%10 == 0 {
			most = 60 + r.IntN(200)
		}
		summary := randomLines(r, sentences, most, words)
		references := make([][]string, 1+r.IntN(4))
		for i := range references {
			references[i] = randomLines(r, sentences, most, words)
		}
		got, err := s.Score(summary, references)
		if err != nil {
			t.Fatal(err)
		}
		want := naiveScore(summary, references)
		for m := range got {
			if got[m] != want[m] {
				t.Fatalf("case %d %s: %v, naive %v\nsummary %q\nreferences %q", n, Names[m], got[m], want[m], summary, references)
			}
		}
		if got[ROUGE4].F1 > 0 {
			hits++
		}
	}
	if hits < 50 {
		t.Errorf("only %d cases share four tokens in a row", hits)
	}
}
