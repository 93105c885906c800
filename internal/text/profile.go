package text

import (
	"strings"
	"sync"

	"github.com/cerasum/cerasum/internal/text/ngram"
)

// CERASUM_DATA is the folder of the corpora: see ./profiles.
//
//go:generate go run ./profiles -tatoeba ${CERASUM_DATA}/parallel/tatoeba.tsv.gz -tico ${CERASUM_DATA}/parallel/tico19.tsv.gz -parallel ${CERASUM_DATA}/parallel/ntrex.jsonl.gz,${CERASUM_DATA}/parallel/ud-pud.jsonl.gz -out profiles.go

// profile distinguishes the L languages of one script by G n-grams: the language with
// the highest sum of weights wins.
type profile struct {
	languages string  // tags, separated by spaces
	step      float64 // of the weights
	grams     string  // separated by |
	weights   string  // G×L letters, 'I' for 0, each letter one step

	once sync.Once
	tags []string
	row  map[string]int // of an n-gram in weights
}

// zero is the letter of the weight 0.
const zero = 'I'

// unpack prepares the profile on first use.
func (p *profile) unpack() {
	p.once.Do(func() {
		p.tags = strings.Fields(p.languages)
		grams := strings.Split(p.grams, "|")
		p.row = make(map[string]int, len(grams))
		for i, g := range grams {
			p.row[g] = i * len(p.tags)
		}
	})
}

// sums returns the log-odds of the L languages for s, in steps.
func (p *profile) sums(w *ngram.Walker, s string) []int {
	p.unpack()
	sums := make([]int, len(p.tags))
	w.Walk(s, func(gram []byte) {
		if at, ok := p.row[string(gram)]; ok {
			for l := range sums {
				sums[l] += int(p.weights[at+l]) - zero
			}
		}
	})
	return sums
}

// best returns the language of s and its lead over the next one in log-odds.
func (p *profile) best(w *ngram.Walker, s string) (tag string, lead float64) {
	sums := p.sums(w, s)
	first, second := 0, 1
	if sums[1] > sums[0] {
		first, second = 1, 0
	}
	for l := 2; l < len(sums); l++ {
		switch {
		case sums[l] > sums[first]:
			first, second = l, first
		case sums[l] > sums[second]:
			second = l
		}
	}
	return p.tags[first], float64(sums[first]-sums[second]) * p.step
}
