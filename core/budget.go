package core

import (
	"strconv"
	"strings"
)

// Unit is what a budget counts.
type Unit string

const (
	// Words are UAX #29 word segments with a letter or a digit, so that a
	// budget means something in scripts without spaces.
	Words Unit = "words"
	// Sentences are the quoted sentences.
	Sentences Unit = "sentences"
	// Characters are user-perceived characters (grapheme clusters), including
	// the one character between two sentences.
	Characters Unit = "characters"
	// PaperWords are maximal runs of Unicode letters, digits and underscores,
	// as counted in the published experiments: "don't" is two.
	PaperWords Unit = "paperWords"
)

// Units lists the units in the order of help texts.
var Units = []Unit{Words, Sentences, Characters, PaperWords}

// Budget bounds the length of a summary. In JSON and JavaScript it is an
// object with one field, the unit: {"words": 100}.
type Budget struct {
	Amount int
	Unit   Unit
}

// DefaultBudget is used where Options.Budget is zero.
var DefaultBudget = Budget{Amount: 100, Unit: Words}

// maxBudget is more than any text has, and far from overflow.
const maxBudget = 1_000_000_000

// unitSuffix maps units to the suffixes that [ParseBudget] reads.
var unitSuffix = map[Unit]string{Words: "w", Sentences: "s", Characters: "c", PaperWords: "p"}

// String is the form that [ParseBudget] reads: "100", "5s", "600c", "230p".
func (b Budget) String() string {
	if b.Unit == Words {
		return strconv.Itoa(b.Amount)
	}
	return strconv.Itoa(b.Amount) + unitSuffix[b.Unit]
}

// ParseBudget reads "100" or "100w" (words), "5s" (sentences), "600c"
// (characters) or "230p" (words as the published experiments count them).
func ParseBudget(s string) (Budget, error) {
	t := strings.TrimSpace(s)
	b := Budget{Unit: Words}
	for _, unit := range Units {
		if digits, found := strings.CutSuffix(t, unitSuffix[unit]); found {
			b.Unit, t = unit, digits
			break
		}
	}
	n, err := strconv.Atoi(t)
	if err != nil {
		return Budget{}, optionError("budget", "want a number of words like 100, sentences like 5s or characters like 600c, got %q", s)
	}
	b.Amount = n
	return b, b.check()
}

func (b Budget) check() error {
	if _, ok := unitSuffix[b.Unit]; !ok {
		return optionError("budget", "want the unit words, sentences, characters or paperWords, got %q", string(b.Unit))
	}
	if b.Amount < 1 || b.Amount > maxBudget {
		return optionError("budget", "want 1 to %d %s, got %d", maxBudget, string(b.Unit), b.Amount)
	}
	return nil
}

// decodeBudget reads {"words": 100}, or another unit.
func decodeBudget(v any) (Budget, error) {
	o, ok := v.(map[string]any)
	if !ok {
		return Budget{}, typeError("budget", `an object like {"words": 100}`, v)
	}
	if len(o) != 1 {
		return Budget{}, shapeError("budget", "want exactly one of words, sentences, characters and paperWords, got %d fields", len(o))
	}
	var b Budget
	for name, amount := range o {
		if _, ok := unitSuffix[Unit(name)]; !ok {
			return Budget{}, shapeError("budget."+name, "unknown field: want words, sentences, characters or paperWords")
		}
		n, err := wholeNumber("budget."+name, amount, 1, maxBudget)
		if err != nil {
			return Budget{}, err
		}
		b = Budget{n, Unit(name)}
	}
	return b, nil
}
