package reading

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// The signals of a sentence: the inputs of the model, each in 0..1.
const (
	signalPronoun    = iota // begins with a third person pronoun or possessive
	signalNear              // begins with a near demonstrative that does not name the present
	signalFar               // begins with a far one
	signalLink              // begins with a connective
	signalOther             // begins with "another", "the latter", "both"
	signalTime              // a time counted from another, near its beginning
	signalVerb              // begins with a verb that no subject follows
	signalVerbFirst         // begins with a verb that something else follows
	signalDropped           // no particle marks a subject
	signalSelf              // first or second person, not in quotation marks
	signalEarly             // a pronoun or demonstrative near its beginning
	signalUnnamed           // a pronoun further on, and no name
	signalNamed             // a pronoun further on, and a name
	signalDefinite          // begins with an article and a common noun that is known
	signalKnown             // begins with a common noun that is known
	signalSurname           // a bare surname of somebody known, near its beginning
	signalTitled            // the same with a form of address
	signalSpeech            // speech, and nothing outside of it
	signalInside            // within a quotation that began before
	signalUnbalanced        // a quotation that does not begin or end here
	signalQuestion          // ends with a question or exclamation mark
	signalFragment          // ends without a mark
	signalLower             // begins with a lower-case letter
	signalShort             // few words: 1 for none, 0 for nine
	signalRepeats           // share of words that are known
	signalFullName          // a name of several words
	signalDigits            // a number
	signalLength            // 1 for forty words
	numSignals
)

// SignalNames are the names of the signals, in their order.
var SignalNames = []string{
	"pronoun", "near", "far", "link", "other", "time", "verb", "verbfirst", "dropped", "self",
	"early", "unnamed", "named", "definite", "known", "surname", "titled", "speech", "inside",
	"unbalanced", "question", "fragment", "lower", "short", "repeats", "fullname", "digits", "length",
}

// standingWeights holds "name weight" a line; DATA.md is its card.
//
//go:embed standing.weights
var standingWeights string

// linear is a logistic regression: a weight for each signal, in log-odds.
type linear struct {
	of   [numSignals]float64
	bias float64
}

var weights = sync.OnceValue(func() *linear {
	w := &linear{}
	for line := range strings.Lines(standingWeights) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			continue // a comment
		}
		if name == "bias" {
			w.bias = value
		}
		for k, n := range SignalNames {
			if n == name {
				w.of[k] = value
			}
		}
	}
	return w
})
