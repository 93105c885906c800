// Package rouge measures a summary against reference summaries as the official
// ROUGE-1.5.5 does with the options -n 4 -2 4 -u -a -c 95 -r 1000 -f A -p 0.5
// -t 0: [Lin 2004]. Its departures from what one would expect (how it reads
// text, stems, clips and rounds) are kept, so that the figures can be set
// beside published ones.
//
// Start with [NewScorer] and [Scorer.Score]; [Bootstrap] and [PairedP] tell how
// far the mean over clusters can be trusted.
//
// [Lin 2004]: https://aclanthology.org/W04-1013/
package rouge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// The metrics, as indices into what [Scorer.Score] returns.
const (
	ROUGE1   = iota // n-grams of 1 token
	ROUGE2          // of 2
	ROUGE3          // of 3
	ROUGE4          // of 4
	ROUGEL          // longest common subsequences of sentences, their union for each reference sentence
	ROUGESU4        // pairs of tokens with at most 4 between them, and single tokens
	Metrics
)

// Names are the metrics' names.
var Names = [Metrics]string{"ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-SU4"}

// Options are ROUGE's own; the zero value is the official script without -m
// and -l.
type Options struct {
	// Stem is -m: tokens of more than three letters are replaced by what
	// WordNet's exception lists give, or else by their Porter stem.
	Stem bool
	// LimitWords is -l: only so many words of the summary and of each
	// reference count, separated by white space before anything else is done
	// to them. A line's leading white space counts as a word, as in the
	// script. 0: no limit.
	LimitWords int
	// Unicode takes another tokenizer, for languages in which ROUGE-1.5.5 sees
	// no token: letters, marks and digits of any script, lower-cased, and the
	// characters of scripts without spaces one by one. The figures are then
	// not ROUGE-1.5.5's. LimitWords counts these tokens, and Stem changes only
	// those of a to z and 0 to 9.
	Unicode bool
}

// Tokenizer names the tokenizer: "rouge-1.5.5" or "unicode".
func (o Options) Tokenizer() string {
	if o.Unicode {
		return "unicode"
	}
	return "rouge-1.5.5"
}

// Score is how much of the references is in the summary (recall), how much of
// the summary is in the references (precision), and their harmonic mean: from
// 0 to 1, rounded to five decimals as the script does before it averages.
type Score struct {
	Recall, Precision, F1 float64
}

var (
	// ErrNoReference is returned for a summary without references.
	ErrNoReference = errors.New("no reference to compare with")
	// ErrLongSentence is wrapped by the error about a line of more than
	// [MaxSentence] tokens.
	ErrLongSentence = errors.New("line too long: want one sentence a line")
)

// MaxSentence is the most tokens of one line: ROUGE-L takes memory in
// proportion to the product of two lines' lengths.
const MaxSentence = 1 << 15

// Scorer scores one summary after the other and keeps its memory from one to
// the next. It is for one goroutine at a time.
type Scorer struct {
	options    Options
	vocabulary *vocabulary
	summary    tokens
	references []tokens

	left   []int32 // by token: its remaining occurrences, 0 between uses
	ngrams ngrams
	lcs    lcs
	inLCS  [][]bool // by reference and token: whether it is in the union
}

// NewScorer returns a scorer with the options. A LimitWords below 0 is no limit.
func NewScorer(o Options) *Scorer {
	return &Scorer{options: o, vocabulary: newVocabulary(o)}
}

// Score compares a summary with its references, all given as lines of one
// sentence each (ROUGE-L goes by sentences). With several references the hits
// and counts of all are added up before dividing, as by -f A. A summary or
// reference without tokens has no hits: without any at all every score is 0.
// Errors: [ErrNoReference], [ErrLongSentence].
func (s *Scorer) Score(summary []string, references [][]string) ([Metrics]Score, error) {
	return s.ScoreContext(context.Background(), summary, references)
}

// ScoreContext is [Scorer.Score] that ends early, with the context's error, when
// ctx ends: texts of millions of tokens take minutes.
func (s *Scorer) ScoreContext(ctx context.Context, summary []string, references [][]string) ([Metrics]Score, error) {
	var scores [Metrics]Score
	if len(references) == 0 {
		return scores, ErrNoReference
	}
	s.vocabulary.trim()
	if err := s.read(summary, references); err != nil {
		return scores, err
	}
	s.left = resized(s.left, s.vocabulary.size())
	s.lcs.grow(s.vocabulary.size())
	if err := s.markLCS(ctx); err != nil {
		return scores, err
	}
	var totals [Metrics]total
	for i := range s.references {
		s.addUnigrams(&totals, &s.references[i], s.inLCS[i])
		s.ngrams.add(&totals, s.summary.ids, s.references[i].ids)
	}
	for i, t := range totals {
		scores[i] = t.score()
	}
	s.ngrams.trim()
	return scores, nil
}

// HasToken tells whether ROUGE sees any token in the lines; without one the
// scores are 0 and say nothing.
func (s *Scorer) HasToken(lines []string) bool {
	return s.vocabulary.hasToken(lines)
}

// read turns all lines into tokens.
func (s *Scorer) read(summary []string, references [][]string) error {
	if err := s.vocabulary.read(&s.summary, summary); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	s.references = resized(s.references, len(references))
	s.inLCS = resized(s.inLCS, len(references))
	for i, lines := range references {
		if err := s.vocabulary.read(&s.references[i], lines); err != nil {
			return fmt.Errorf("reference %d: %w", i+1, err)
		}
		s.inLCS[i] = resized(s.inLCS[i], len(s.references[i].ids))
		clear(s.inLCS[i])
	}
	return nil
}

// addUnigrams adds the hits of single tokens: ROUGE-1, ROUGE-L and the
// unigrams of ROUGE-SU4, which lack the last token of a text, as in the script.
func (s *Scorer) addUnigrams(totals *[Metrics]total, reference *tokens, inLCS []bool) {
	summary, ref := s.summary.ids, reference.ids
	one := &totals[ROUGE1]
	one.hits += s.clipped(ref, summary)
	one.reference += len(ref)
	one.summary += len(summary)

	su := &totals[ROUGESU4]
	if len(ref) > 0 && len(summary) > 0 {
		su.hits += s.clipped(ref[:len(ref)-1], summary[:len(summary)-1])
	}
	su.reference += max(0, len(ref)-1)
	su.summary += max(0, len(summary)-1)

	// A token of the summary is a hit only once, though it may be common to
	// several sentences.
	l := &totals[ROUGEL]
	for _, id := range summary {
		s.left[id]++
	}
	for i, id := range ref {
		if inLCS[i] && s.left[id] > 0 {
			s.left[id]--
			l.hits++
		}
	}
	for _, id := range summary {
		s.left[id] = 0
	}
	l.reference += len(ref)
	l.summary += len(summary)
}

// clipped counts the tokens that two texts share, each as often as in the one
// that has it less often.
func (s *Scorer) clipped(a, b []int32) int {
	for _, id := range a {
		s.left[id]++
	}
	hits := 0
	for _, id := range b {
		if s.left[id] > 0 {
			s.left[id]--
			hits++
		}
	}
	for _, id := range a {
		s.left[id] = 0
	}
	return hits
}

// total counts over all references of a summary.
type total struct {
	hits, reference, summary int
}

func (t total) score() Score {
	r := rounded(ratio(t.hits, t.reference))
	p := rounded(ratio(t.hits, t.summary))
	if r+p == 0 {
		return Score{}
	}
	return Score{Recall: r, Precision: p, F1: rounded((p * r) / (0.5*p + 0.5*r))}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// rounded rounds a number from 0 to 1 to five decimals as printf does.
func rounded(x float64) float64 {
	scaled := x * 1e5
	whole := math.Floor(scaled)
	switch part := scaled - whole; {
	case math.Abs(part-0.5) < 1e-6:
		// The product is too coarse to tell: go by the exact decimals.
		var buf [16]byte
		y, err := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], x, 'f', 5, 64)), 64)
		if err != nil {
			panic("rouge: a printed number does not read: " + err.Error())
		}
		return y
	case part > 0.5:
		whole++
	}
	return whole / 1e5
}

// resized returns the slice with length n. What its memory held stays there, so
// that elements can be used again; those it never held are zero.
func resized[T any](s []T, n int) []T {
	if n > cap(s) {
		s = s[:cap(s)]
		return append(s, make([]T, n-len(s))...)
	}
	return s[:n]
}
