package encoder

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/tokenizer"
	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// rareCharacter is the minimum weight, per million words of a language, of a
// character that gets a piece.
const rareCharacter = 3

// lexicon counts the words in the corpora.
type lexicon struct {
	words  *tokenizer.Tokenizer
	counts map[string]map[string]float64 // language, word
	hash   uint64                        // of all input
	groups int
}

func readLexicon(ctx context.Context, corpora []Corpus, progress func(groups int)) (*lexicon, error) {
	words, err := wordReader()
	if err != nil {
		return nil, err
	}
	l := &lexicon{words: words, counts: map[string]map[string]float64{}}
	hash := fnv.New64a()
	for _, c := range corpora {
		err := c.Groups(func(group []Sentence) error {
			if l.groups++; l.groups%4096 == 0 {
				progress(l.groups)
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			for _, s := range group {
				hash.Write([]byte(s.Language + "\t" + s.Text + "\n"))
				count := l.counts[s.Language]
				if count == nil {
					count = map[string]float64{}
					l.counts[s.Language] = count
				}
				for _, w := range words.Words(s.Text) {
					count[w]++
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if l.groups == 0 {
		return nil, errors.New("the corpora have no sentences")
	}
	l.hash = hash.Sum64()
	return l, nil
}

// weights returns the word counts with the languages balanced: a language counts as
// the square root of its size.
func (l *lexicon) weights(p Params) map[string]float64 {
	weight := map[string]float64{}
	for _, language := range l.languages() {
		total := 0.0
		for _, n := range l.counts[language] {
			total += n
		}
		if total == 0 {
			continue
		}
		scale := 1e3 / math.Sqrt(total)
		if slices.Contains(p.Focus, language) {
			scale *= p.FocusWeight
		}
		for w, n := range l.counts[language] {
			weight[w] += scale * n
		}
	}
	return withoutRare(weight)
}

func (l *lexicon) languages() []string {
	var list []string
	for language := range l.counts {
		list = append(list, language)
	}
	slices.Sort(list)
	return list
}

// withoutRare splits the words at rare characters.
func withoutRare(weight map[string]float64) map[string]float64 {
	words := make([]string, 0, len(weight))
	for w := range weight {
		words = append(words, w)
	}
	slices.Sort(words) // fixed order of summation
	characters := map[rune]float64{}
	for _, w := range words {
		for _, r := range w {
			characters[r] += weight[w]
		}
	}
	kept := map[string]float64{}
	for _, w := range words {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return characters[r] < rareCharacter }) {
			kept[part] += weight[w]
		}
	}
	return kept
}

// data is the tokenized corpora.
type data struct {
	tokens   []int32 // pieces of all sentences, concatenated
	start    []int32 // sentence i is tokens[start[i]:start[i+1]]
	text     []int32 // equal for sentences of equal text
	groups   []group
	pieces   []float64 // how often each piece occurs
	language map[string]int
}

// group is sentences with the same meaning, of which an epoch takes draws pairs.
type group struct {
	members []int32
	draws   int
}

func (d *data) sentence(i int32) []int32 { return d.tokens[d.start[i]:d.start[i+1]] }

// readData reads the corpora again and tokenizes them.
func readData(ctx context.Context, corpora []Corpus, t *tokenizer.Tokenizer, progress func(groups int)) (*data, error) {
	d := &data{start: []int32{0}, pieces: make([]float64, t.Size()), language: map[string]int{}}
	texts := map[uint64]int32{}
	cut := map[string][]int32{}
	for _, c := range corpora {
		err := c.Groups(func(g []Sentence) error {
			var members []int32
			for _, s := range g {
				d.language[s.Language]++
				at := len(d.tokens)
				for _, w := range t.Words(s.Text) {
					ids, ok := cut[w]
					if !ok {
						ids = t.AppendWord(nil, w)
						cut[strings.Clone(w)] = ids
					}
					d.tokens = append(d.tokens, ids...)
				}
				if len(d.tokens) > at+MaxTokens {
					d.tokens = d.tokens[:at+MaxTokens]
				}
				for _, p := range d.tokens[at:] {
					d.pieces[p]++
				}
				if len(d.tokens) > math.MaxInt32 {
					return fmt.Errorf("%s: more than 2^31 tokens in all", c.Name)
				}
				if len(d.tokens) > at {
					members = append(members, int32(len(d.text)))
				}
				d.start = append(d.start, int32(len(d.tokens)))
				d.text = append(d.text, textID(texts, d.tokens[at:]))
			}
			draws := c.Draws
			if draws == 0 {
				draws = 1
				if len(g) > 2 {
					draws = GroupDraws
				}
			}
			if len(members) > 1 {
				d.groups = append(d.groups, group{members, draws})
			}
			if len(d.groups)%4096 == 0 {
				progress(len(d.groups))
				return ctx.Err()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	d.pivot()
	return d, nil
}

// maxPivot is the maximum number of sentences grouped by a pivot.
const maxPivot = 16

// pivot adds groups of paraphrases: the other sides of pairs that share a sentence
// have the same meaning (Bannard and Callison-Burch 2005).
func (d *data) pivot() {
	others := map[int32][]int32{} // text: sentences that it is paired with
	for _, g := range d.groups {
		if len(g.members) == 2 {
			a, b := g.members[0], g.members[1]
			others[d.text[a]] = append(others[d.text[a]], b)
			others[d.text[b]] = append(others[d.text[b]], a)
		}
	}
	texts := make([]int32, 0, len(others))
	for t := range others {
		texts = append(texts, t)
	}
	slices.Sort(texts)
	for _, t := range texts {
		var distinct []int32
		seen := map[int32]bool{t: true}
		for _, s := range others[t] {
			if !seen[d.text[s]] && len(distinct) < maxPivot {
				seen[d.text[s]] = true
				distinct = append(distinct, s)
			}
		}
		if len(distinct) > 1 {
			d.groups = append(d.groups, group{distinct, 1})
		}
	}
}

// textID returns the number of a text, equal for equal tokens.
func textID(texts map[uint64]int32, tokens []int32) int32 {
	hash := fnv.New64a()
	var b [4]byte
	for _, t := range tokens {
		binary.LittleEndian.PutUint32(b[:], uint32(t))
		hash.Write(b[:])
	}
	id, ok := texts[hash.Sum64()]
	if !ok {
		id = int32(len(texts))
		texts[hash.Sum64()] = id
	}
	return id
}

// epoch draws the pairs of an epoch, in random order.
func (d *data) epoch(random *rand.Rand) [][2]int32 {
	var pairs [][2]int32
	for _, g := range d.groups {
		n := len(g.members)
		for range g.draws {
			a := random.IntN(n)
			b := random.IntN(n - 1)
			if b >= a {
				b++
			}
			pairs = append(pairs, [2]int32{g.members[a], g.members[b]})
		}
	}
	random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return pairs
}

// idf returns the initial weight of each piece.
func (d *data) idf(smoothing float64) []float64 {
	total := 0.0
	for _, n := range d.pieces {
		total += n
	}
	idf := make([]float64, len(d.pieces))
	for i, n := range d.pieces {
		idf[i] = smoothing / (smoothing + n/total)
	}
	return idf
}

func vocabularyParams(p Params) vocabulary.Params {
	v := vocabulary.DefaultParams()
	v.Size = p.Pieces
	return v
}
