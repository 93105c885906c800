package encoder

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Embedder computes rows of Dimensions numbers for texts.
type Embedder interface {
	Dimensions() int
	Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error)
}

// Parallel holds the same sentences in several languages: Texts[language][i].
type Parallel struct{ Texts map[string][]string }

// ReadParallel reads a corpus of JSON objects that all have the same languages.
func ReadParallel(c Corpus) (*Parallel, error) {
	p := &Parallel{Texts: map[string][]string{}}
	n := 0
	err := c.Groups(func(group []Sentence) error {
		if n > 0 && len(group) != len(p.Texts) {
			return fmt.Errorf("%s: group %d: want %d languages as in the first, got %d", c.Name, n+1, len(p.Texts), len(group))
		}
		for _, s := range group {
			if len(p.Texts[s.Language]) != n {
				return fmt.Errorf("%s: group %d: language %s is not in the first group", c.Name, n+1, s.Language)
			}
			p.Texts[s.Language] = append(p.Texts[s.Language], s.Text)
		}
		n++
		return nil
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: no sentences", c.Name)
	}
	return p, err
}

// Languages in alphabetical order.
func (p *Parallel) Languages() []string {
	var list []string
	for l := range p.Texts {
		list = append(list, l)
	}
	slices.Sort(list)
	return list
}

// Retrieval returns, for each pair of languages (from, to), the share of the
// sentences of the first whose nearest sentence of the second is their translation.
// Ties count as misses.
func (p *Parallel) Retrieval(ctx context.Context, e Embedder, pairs [][2]string) (map[[2]string]float64, error) {
	rows := map[string][]float32{}
	for _, pair := range pairs {
		for _, l := range pair {
			if rows[l] != nil {
				continue
			}
			if p.Texts[l] == nil {
				return nil, fmt.Errorf("no sentences in %q", l)
			}
			var err error
			if rows[l], err = e.Embed(ctx, p.Texts[l], nil); err != nil {
				return nil, err
			}
		}
	}
	share := map[[2]string]float64{}
	d := e.Dimensions()
	for _, pair := range pairs {
		from, to := rows[pair[0]], rows[pair[1]]
		n := len(from) / d
		hits := make([]bool, n)
		parallel(n, func(first, last int) {
			for i := first; i < last; i++ {
				own := dot(from[i*d:(i+1)*d], to[i*d:(i+1)*d])
				hits[i] = true
				for j := range n {
					if j != i && dot(from[i*d:(i+1)*d], to[j*d:(j+1)*d]) >= own {
						hits[i] = false
						break
					}
				}
			}
		})
		sum := 0
		for _, hit := range hits {
			if hit {
				sum++
			}
		}
		share[pair] = float64(sum) / float64(n)
	}
	return share, nil
}

// Similarity is a set of sentence pairs with human judgements, as in STS.
type Similarity struct {
	Gold         []float64
	First, Other []string
}

// ReadSimilarity reads lines of score, sentence, sentence, separated by tabs. Errors
// are *[Error].
func ReadSimilarity(name string, r io.Reader) (*Similarity, error) {
	s := &Similarity{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(strings.TrimSuffix(lines.Text(), "\r"), "\t")
		if len(f) != 3 {
			return nil, &Error{name, n, "", fmt.Errorf("want score, sentence, sentence, got %d columns", len(f))}
		}
		gold, err := strconv.ParseFloat(f[0], 64)
		if err != nil || math.IsNaN(gold) {
			return nil, &Error{name, n, "score", fmt.Errorf("want a number, got %q", f[0])}
		}
		s.Gold = append(s.Gold, gold)
		s.First, s.Other = append(s.First, f[1]), append(s.Other, f[2])
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(s.Gold) < 2 {
		return nil, fmt.Errorf("%s: %w", name, errors.New("fewer than two pairs"))
	}
	return s, nil
}

// Spearman returns the rank correlation of the cosines with the judgements.
func (s *Similarity) Spearman(ctx context.Context, e Embedder) (float64, error) {
	a, err := e.Embed(ctx, s.First, nil)
	if err != nil {
		return 0, err
	}
	b, err := e.Embed(ctx, s.Other, nil)
	if err != nil {
		return 0, err
	}
	d := e.Dimensions()
	cosine := make([]float64, len(s.Gold))
	for i := range cosine {
		x, y := a[i*d:(i+1)*d], b[i*d:(i+1)*d]
		norm := math.Sqrt(float64(dot(x, x)) * float64(dot(y, y)))
		if norm > 0 {
			cosine[i] = float64(dot(x, y)) / norm
		}
	}
	return stat.Correlation(ranks(s.Gold), ranks(cosine), nil), nil
}

// ranks returns ranks from 0; ties share their mean rank.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			r[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return r
}
