package core

import (
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/errorf"
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
)

// Budget bounds the length of a summary.
type Budget struct {
	Amount int
	Unit   Unit
}

// String is the form that [ParseBudget] reads: "100", "5s", "600c".
func (b Budget) String() string {
	switch b.Unit {
	case Sentences:
		return strconv.Itoa(b.Amount) + "s"
	case Characters:
		return strconv.Itoa(b.Amount) + "c"
	}
	return strconv.Itoa(b.Amount)
}

// ParseBudget reads "100" or "100w" (words), "5s" (sentences) or "600c"
// (characters).
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
	case Words, Sentences, Characters:
	default:
		return errorf.Errorf("%w: budget unit %q: want words, sentences or characters", ErrOption, string(b.Unit))
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
	// adds most to it, and so on.
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
	// Progress, if set, is called now and then from the calling goroutine:
	// stage is "split", "encode" or "select", done counts up to total.
	Progress func(stage string, done, total int)
}
