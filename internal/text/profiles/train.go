package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/cerasum/cerasum/internal/text/ngram"
)

// profile is a linear classifier: L languages, G n-grams, weights G×L.
type profile struct {
	script    string
	languages []string
	grams     []string    // sorted
	weights   [][]float64 // [gram][language]
	step      float64     // weights are whole multiples of step
}

// Weights are written as letters, 'A' for the lowest.
const levels = 16

// sample is one sentence: the n-grams in it, with how often, and its language.
type sample struct {
	grams    []int
	counts   []float64
	language int
}

// learn trains the classifier of a group: on the most frequent n-grams, then
// again on those with the most weight.
func learn(g group, train corpus) profile {
	p := profile{script: g.script, languages: g.languages}
	texts := pieces(g.languages, train)
	p.grams = frequent(texts, 12*g.grams)
	p.fit(texts, 3)
	p.keep(texts, g.grams)
	p.fit(texts, 8)
	p.round()
	return p
}

// text is a training text and its language.
type text struct {
	s        string
	language int
}

// pieces gives every training sentence, and each language as often as the
// largest: sentences are taken again where there are few.
func pieces(languages []string, train corpus) []text {
	most := 0
	for _, tag := range languages {
		most = max(most, len(train[tag]))
	}
	most = min(most, 12000)
	var texts []text
	for l, tag := range languages {
		if len(train[tag]) == 0 {
			panic(fmt.Sprintf("no text in language %q", tag))
		}
		for i := range most {
			texts = append(texts, text{train[tag][i%len(train[tag])], l})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	return texts
}

// frequent returns the n n-grams that are in the most sentences of one language.
func frequent(texts []text, n int) []string {
	type use struct {
		last  int
		count map[int]int
	}
	uses := map[string]*use{}
	var w ngram.Walker
	for i, t := range texts {
		w.Walk(t.s, func(gram []byte) {
			u := uses[string(gram)]
			if u == nil {
				u = &use{-1, map[int]int{}}
				uses[string(gram)] = u
			}
			if u.last != i {
				u.last = i
				u.count[t.language]++
			}
		})
	}
	most := map[string]int{}
	grams := make([]string, 0, len(uses))
	for gram, u := range uses {
		for _, c := range u.count {
			most[gram] = max(most[gram], c)
		}
		if most[gram] > 20 {
			grams = append(grams, gram)
		}
	}
	sort.Slice(grams, func(i, j int) bool {
		if most[grams[i]] != most[grams[j]] {
			return most[grams[i]] > most[grams[j]]
		}
		return grams[i] < grams[j]
	})
	grams = grams[:min(n, len(grams))]
	sort.Strings(grams)
	return grams
}

func (p *profile) index() map[string]int {
	at := make(map[string]int, len(p.grams))
	for i, g := range p.grams {
		at[g] = i
	}
	return at
}

func read(w *ngram.Walker, at map[string]int, t text) sample {
	counts := map[int]float64{}
	w.Walk(t.s, func(gram []byte) {
		if i, ok := at[string(gram)]; ok {
			counts[i]++
		}
	})
	s := sample{language: t.language}
	for i := range counts {
		s.grams = append(s.grams, i)
	}
	sort.Ints(s.grams)
	for _, i := range s.grams {
		s.counts = append(s.counts, counts[i])
	}
	return s
}

// fit trains the weights by Adagrad on the cross-entropy, with a little decay.
func (p *profile) fit(texts []text, epochs int) {
	at := p.index()
	p.weights = make([][]float64, len(p.grams))
	squares := make([][]float64, len(p.grams))
	for i := range p.weights {
		p.weights[i] = make([]float64, len(p.languages))
		squares[i] = make([]float64, len(p.languages))
	}
	samples := make([]sample, len(texts))
	var w ngram.Walker
	for i, t := range texts {
		samples[i] = read(&w, at, t)
	}
	const rate, decay = 0.1, 1e-4
	scores := make([]float64, len(p.languages))
	for range epochs {
		for _, s := range samples {
			p.score(s, scores)
			softmax(scores)
			scores[s.language]--
			for k, i := range s.grams {
				row, square := p.weights[i], squares[i]
				for l, d := range scores {
					g := d*s.counts[k] + decay*row[l]
					square[l] += g * g
					row[l] -= rate * g / math.Sqrt(square[l]+1e-8)
				}
			}
		}
	}
}

func (p *profile) score(s sample, to []float64) {
	clear(to)
	for k, i := range s.grams {
		for l, w := range p.weights[i] {
			to[l] += w * s.counts[k]
		}
	}
}

func softmax(x []float64) {
	high := x[0]
	for _, v := range x {
		high = max(high, v)
	}
	sum := 0.0
	for i, v := range x {
		x[i] = math.Exp(v - high)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// keep leaves the n n-grams that moved the scores of the texts most.
func (p *profile) keep(texts []text, n int) {
	at := p.index()
	used := make([]float64, len(p.grams))
	var w ngram.Walker
	for _, t := range texts {
		w.Walk(t.s, func(gram []byte) {
			if i, ok := at[string(gram)]; ok {
				used[i]++
			}
		})
	}
	value := make(map[string]float64, len(p.grams))
	for i, g := range p.grams {
		mean, square := 0.0, 0.0
		for _, w := range p.weights[i] {
			mean += w / float64(len(p.languages))
		}
		for _, w := range p.weights[i] {
			square += (w - mean) * (w - mean)
		}
		value[g] = math.Sqrt(square) * math.Sqrt(used[i])
	}
	sort.Slice(p.grams, func(i, j int) bool {
		a, b := p.grams[i], p.grams[j]
		if value[a] != value[b] {
			return value[a] > value[b]
		}
		return a < b
	})
	p.grams = p.grams[:min(n, len(p.grams))]
	sort.Strings(p.grams)
}

// round centres the weights of each n-gram and rounds them to levels.
func (p *profile) round() {
	var all []float64
	for _, row := range p.weights {
		mean := 0.0
		for _, w := range row {
			mean += w / float64(len(row))
		}
		for l := range row {
			row[l] -= mean
			all = append(all, math.Abs(row[l]))
		}
	}
	sort.Float64s(all)
	// The few heaviest weights are cut, so that the steps are finer.
	p.step = all[len(all)*995/1000] / (levels/2 - 1)
	for _, row := range p.weights {
		for l, w := range row {
			row[l] = p.step * max(-levels/2, min(levels/2-1, math.Round(w/p.step)))
		}
	}
}

func (p *profile) letters() string {
	var b strings.Builder
	for _, row := range p.weights {
		for _, w := range row {
			b.WriteByte(byte('A' + levels/2 + int(math.Round(w/p.step))))
		}
	}
	return b.String()
}

// accuracy tells for each language how much of the held-out text is known.
func (p *profile) accuracy(held corpus) string {
	at := p.index()
	var w ngram.Walker
	var b strings.Builder
	scores := make([]float64, len(p.languages))
	allRight, all := 0, 0
	for l, tag := range p.languages {
		right := 0
		for _, s := range held[tag] {
			p.score(read(&w, at, text{s, l}), scores)
			best := 0
			for k := range scores {
				if scores[k] > scores[best] {
					best = k
				}
			}
			if best == l {
				right++
			}
		}
		allRight, all = allRight+right, all+len(held[tag])
		fmt.Fprintf(&b, "%s %.4f, ", tag, float64(right)/float64(len(held[tag])))
	}
	fmt.Fprintf(&b, "all %.4f", float64(allRight)/float64(all))
	return b.String()
}
