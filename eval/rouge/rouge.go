// Package rouge scores a summary against reference summaries as the official
// ROUGE-1.5.5 does with the options -n 4 -2 4 -u -a -c 95 -r 1000 -f A -p 0.5
// -t 0: [Lin 2004]. Its peculiarities (in reading text, stemming, clipping and
// rounding) are reproduced, so that scores are comparable with published ones.
//
// Start with [NewScorer] and [Scorer.Score]; [Bootstrap] and [PairedP] compute
// confidence intervals and significance.
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

// The metrics, as indices into the result of [Scorer.Score].
const (
	ROUGE1   = iota // n-grams of 1 token
	ROUGE2          // of 2
	ROUGE3          // of 3
	ROUGE4          // of 4
	ROUGEL          // longest common subsequences of sentences, united for each reference sentence
	ROUGESU4        // skip-bigrams with at most 4 tokens between, and unigrams
	Metrics
)

// Names are the metrics' names.
var Names = [Metrics]string{"ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-SU4"}

// Options of ROUGE; the zero value is the official script without -m and -l.
type Options struct {
	// Stem is -m: tokens of more than three letters are replaced by their base
	// form in WordNet's exception lists, or else by their Porter stem.
	Stem bool
	// LimitWords is -l: only the first words of the summary and of each reference
	// count, separated by white space before any other processing. As in the
	// script, leading white space of a line counts as a word. 0: no limit.
	LimitWords int
	// Unicode selects a tokenizer for languages in which ROUGE-1.5.5 finds no
	// tokens: letters, marks and digits of any script, lower-cased, and single
	// characters of scripts without spaces. Scores are not comparable with
	// ROUGE-1.5.5. LimitWords counts these tokens, and Stem changes only those of
	// a to z and 0 to 9.
	Unicode bool
}

// Tokenizer returns the name of the tokenizer: "rouge-1.5.5" or "unicode".
func (o Options) Tokenizer() string {
	if o.Unicode {
		return "unicode"
	}
	return "rouge-1.5.5"
}

// Score is the share of the references found in the summary (recall), the share of
// the summary found in the references (precision), and their harmonic mean, in
// 0..1 and rounded to five decimals as the script does before averaging.
type Score struct {
	Recall, Precision, F1 float64
}

var (
	// ErrNoReference is returned for a summary without references.
	ErrNoReference = errors.New("no references")
	// ErrLongSentence is wrapped by the error about a line of more than
	// [MaxSentence] tokens.
	ErrLongSentence = errors.New("line too long: want one sentence per line")
)

// MaxSentence is the maximum number of tokens in a line: the memory for ROUGE-L is
// proportional to the product of two lines' lengths.
const MaxSentence = 1 << 15

// Scorer scores summaries one after the other and reuses its memory. It is not safe
// for concurrent use.
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

// NewScorer returns a scorer. A negative LimitWords means no limit.
func NewScorer(o Options) *Scorer {
	return &Scorer{options: o, vocabulary: newVocabulary(o)}
}

// Score compares a summary with its references, all given as lines of one sentence
// each (ROUGE-L compares sentences). With several references, hits and counts are
// summed before dividing, as with -f A. A summary or reference without tokens has
// no hits: every score is 0. Errors: [ErrNoReference], [ErrLongSentence].
func (s *Scorer) Score(summary []string, references [][]string) ([Metrics]Score, error) {
	return s.ScoreContext(context.Background(), summary, references)
}

// ScoreContext is [Scorer.Score] with a context: texts of millions of tokens take
// minutes. It returns the context's error if ctx ends.
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

// HasToken reports whether the lines contain any token; without one the scores are
// 0 and meaningless.
func (s *Scorer) HasToken(lines []string) bool {
	return s.vocabulary.hasToken(lines)
}

// read tokenizes all lines.
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

// addUnigrams adds the hits of single tokens: ROUGE-1, ROUGE-L and the unigrams of
// ROUGE-SU4, which omit the last token of a text as in the script.
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

	// A token of the summary is counted once, even if it is common to several
	// sentences.
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

// clipped counts the tokens that two texts share, each with the smaller of its two
// counts.
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

// rounded rounds a number in 0..1 to five decimals as printf does.
func rounded(x float64) float64 {
	scaled := x * 1e5
	whole := math.Floor(scaled)
	switch part := scaled - whole; {
	case math.Abs(part-0.5) < 1e-6:
		// The product is not precise enough to decide: use the exact decimals.
		var buf [16]byte
		y, err := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], x, 'f', 5, 64)), 64)
		if err != nil {
			panic("rouge: invalid formatted number: " + err.Error())
		}
		return y
	case part > 0.5:
		whole++
	}
	return whole / 1e5
}

// resized returns the slice with length n. Existing elements are kept for reuse;
// new ones are zero.
func resized[T any](s []T, n int) []T {
	if n > cap(s) {
		s = s[:cap(s)]
		return append(s, make([]T, n-len(s))...)
	}
	return s[:n]
}
