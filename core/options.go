package core

import (
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/salience"
)

// Unit is what a budget counts.
type Unit string

const (
	// Words are UAX #29 word segments with a letter or a digit, so that a
	// budget means something in scripts without spaces.
	Words Unit = "words"
	// Sentences are the quoted sentences.
	Sentences Unit = "sentences"
	// Characters are user-perceived characters (grapheme clusters), with the
	// one character between two sentences.
	Characters Unit = "characters"
	// PaperWords are maximal runs of Unicode letters, digits and underscores,
	// as the published experiments count them: "don't" is two.
	PaperWords Unit = "paper-words"
)

// Budget bounds the length of a summary.
type Budget struct {
	Amount int
	Unit   Unit
}

// String is the form that [ParseBudget] reads: "100", "5s", "600c", "230p".
func (b Budget) String() string {
	switch b.Unit {
	case Sentences:
		return strconv.Itoa(b.Amount) + "s"
	case Characters:
		return strconv.Itoa(b.Amount) + "c"
	case PaperWords:
		return strconv.Itoa(b.Amount) + "p"
	}
	return strconv.Itoa(b.Amount)
}

// ParseBudget reads "100" or "100w" (words), "5s" (sentences), "600c"
// (characters) or "230p" (words as the published experiments count them).
func ParseBudget(s string) (Budget, error) {
	t := strings.TrimSpace(s)
	b := Budget{Unit: Words}
	if t != "" {
		switch t[len(t)-1] {
		case 'w':
			t = t[:len(t)-1]
		case 's':
			b.Unit, t = Sentences, t[:len(t)-1]
		case 'c':
			b.Unit, t = Characters, t[:len(t)-1]
		case 'p':
			b.Unit, t = PaperWords, t[:len(t)-1]
		}
	}
	n, err := strconv.Atoi(t)
	if err != nil {
		return Budget{}, errorf.Errorf("%w: budget %q: want a number of words like 100, sentences like 5s or characters like 600c", ErrOption, s)
	}
	b.Amount = n
	return b, b.check()
}

func (b Budget) check() error {
	switch b.Unit {
	case Words, Sentences, Characters, PaperWords:
	default:
		return errorf.Errorf("%w: budget unit %q: want words, sentences, characters or paper-words", ErrOption, string(b.Unit))
	}
	if b.Amount < 1 {
		return errorf.Errorf("%w: budget %d %s: want at least 1", ErrOption, b.Amount, string(b.Unit))
	}
	return nil
}

// Order is the order in which the quoted sentences are put out.
type Order string

const (
	// OrderDocument is the reading order: document by document.
	OrderDocument Order = "document"
	// OrderRank puts the sentence that says most first, then the one that
	// adds most to it, and so on; methods that rank sentences put them in
	// their order.
	OrderRank Order = "rank"
)

// DefaultBudget is used where Options.Budget is zero.
var DefaultBudget = Budget{Amount: 100, Unit: Words}

// Options of [Summarize]. The zero value is the default: method "auto", 100
// words, in document order.
type Options struct {
	// Method is one of [Methods]; empty means "auto".
	Method string
	// Budget; the zero value means [DefaultBudget]. To refuse a budget of 0
	// that a user typed, use [ParseBudget] or set the unit.
	Budget Budget
	// Order; empty means [OrderDocument].
	Order Order
	// N, BeamWidth and Candidates are n, B and T of the paper's search; 0 is
	// the paper's 9, 5 and 9. Preselect is "n_first" (the default), "n_best" or
	// "all": the candidates of each document. They are for the methods that
	// search so, mean, position, bs, bs+gs and oracle, T not for bs, which has
	// no greedy search, N and Preselect also for gholipour, where all is the
	// default. The other methods leave them alone, but values out of range are
	// refused whatever the method is.
	N, BeamWidth, Candidates int
	Preselect                string
	// References are the texts of the reference summaries. Method oracle needs
	// them; no other one looks at them.
	References []string
	// Translations, if not nil, are translations of the sentences, in the order of
	// Cluster.Refs: the budget and repetition count them in the place of the
	// sentences, which are quoted all the same. For evaluation in one language.
	Translations []string
	// Embeddings are the vectors of the sentences, from whatever encoder the
	// caller has: N × Dimensions numbers, row-major, one row for each of
	// SentenceTexts. Nil: there is no encoder. [MethodInfo].Embeddings says
	// which methods use them. A row of zeros is a sentence without embedding.
	Embeddings []float32
	Dimensions int
	// DenseWeight w, in 0..1, is how much of a cosine the embeddings make: the
	// rest are the TF-IDF vectors. Nil means what the method does by itself: 1,
	// for hybrid DefaultDenseWeight. 1 takes the embeddings as they are, 0 the
	// TF-IDF vectors; between these both are scaled to unit length first, and
	// all methods but multilingual take the mean of the cluster's embeddings
	// from each before. Without Embeddings it must be nil.
	DenseWeight *float64
	// EncoderLanguages are the languages that the encoder knows, as ISO 639-1
	// tags; nil: all. Embeddings of sentences in others are not looked at.
	EncoderLanguages []string
	// ReferenceEmbeddings are the vectors of [ReferenceSentences], M ×
	// Dimensions. Method oracle needs them where there are Embeddings.
	ReferenceEmbeddings []float32
	// Weights are what methods cera and cerai estimate the centroid with; they are
	// those of the encoder that the embeddings come from. cera wants them without
	// interpolation, cerai with. The other methods do not look at them. Made by
	// [centroid.NewWeights] or [centroid.ViewWeights].
	Weights *centroid.Weights[float32]
	// Query says what the reader wants to know of the documents; the centroid of
	// the methods of [Queried] leans towards its vector, by QueryWeight, in 0..1
	// (nil: DefaultQueryWeight). The other methods leave it alone. With Embeddings it
	// wants QueryEmbedding, its vector by the same encoder, of length Dimensions.
	Query          string
	QueryWeight    *float64
	QueryEmbedding []float32
	// Salience has experts in the place of the shipped ones, to try what
	// internal/train/salience trained; nil, or a nil expert, is the shipped one. Method
	// salience goes by them, of which with Licence "free" the roomy one does not count.
	Salience *salience.Experts
	// Licence is "" (any), or "free": use only parameters that were learnt from
	// corpora under free licences.
	Licence string
	// Progress, if set, is called now and then from the calling goroutine:
	// stage is "split", "encode" or "select", done counts up to total.
	Progress func(stage string, done, total int)
}

// LicenceFree is the value of Options.Licence that keeps to parameters learnt
// from corpora under free licences.
const LicenceFree = "free"

// check refuses values out of range, by name.
func (o *Options) check() error {
	for _, v := range []struct {
		name  string
		value int
	}{{"n", o.N}, {"beam width", o.BeamWidth}, {"candidates", o.Candidates}} {
		if v.value < 0 {
			return errorf.Errorf("%w: %s is %d: want at least 1, or 0 for the default", ErrOption, v.name, v.value)
		}
	}
	switch selection.Preselect(o.Preselect) {
	case "", selection.First, selection.Best, selection.All:
	default:
		return errorf.Errorf("%w: preselect %q: want %s, %s or %s", ErrOption, o.Preselect,
			string(selection.First), string(selection.Best), string(selection.All))
	}
	if err := o.checkExperts(); err != nil {
		return err
	}
	if o.Licence != "" && o.Licence != LicenceFree {
		return errorf.Errorf("%w: licence %q: want %s, or nothing for any", ErrOption, o.Licence, LicenceFree)
	}
	return nil
}

// override puts the search parameters that are set in the place of p's.
func (o *Options) override(p selection.Params) selection.Params {
	if o.N > 0 {
		p.N = o.N
	}
	if o.BeamWidth > 0 {
		p.BeamWidth = o.BeamWidth
	}
	if o.Candidates > 0 {
		p.Candidates = o.Candidates
	}
	if o.Preselect != "" {
		p.Preselect = selection.Preselect(o.Preselect)
	}
	return p
}
