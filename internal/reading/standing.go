package reading

import "math"

// Lean says how much of a sentence hangs on the sentences before it in its document.
type Lean struct {
	// Alone is the probability, in 0..1, that the sentence can be read without what
	// precedes it.
	Alone float64
	// Introduced is the same where its bare surnames and known definites ("the plant")
	// were introduced to the reader before. At least Alone.
	Introduced float64
	// On is the number of preceding sentences that it leans on: 0, 1 or 2. It is 0 for
	// the first sentence, where Alone is [StandsAlone] or more, unless the sentence begins
	// with a person described only by age, and where Alone is less for another
	// reason, as for a fragment.
	On int
	// Introduction is the index of the sentence that introduces the person whom this
	// one only names by surname, or -1.
	Introduction int
	// Opener says that the sentence certainly depends on what is around it: it begins with
	// a word that points back (a pronoun, a demonstrative, a connective), or it names a
	// place that only the dateline of its document tells ("this capital city", "here").
	Opener bool
}

// StandsAlone is the least probability with which a sentence counts as standing alone.
const StandsAlone = 0.5

// Standing returns for each sentence of one document, in their order, what it leans on.
// language is an ISO 639-1 code; for one without a table only the form of the sentence
// counts. It takes linear time.
func Standing(document []string, language string) []Lean {
	return standing(document, language, false)
}

// StandingOfSingle is [Standing] for a document that is summarized alone. Its first sentence
// stands alone although it begins with "This guide explains …": it refers to the document. In a
// summary of several documents, it would not be clear to which.
func StandingOfSingle(document []string, language string) []Lean {
	return standing(document, language, true)
}

func standing(document []string, language string, only bool) []Lean {
	leans := make([]Lean, len(document))
	s := newScanner(language)
	begun := !only // a sentence with a terminal mark came before
	for i, sentence := range document {
		s.scan(sentence)
		x, introduction := s.signals(i, false)
		if !begun && closedMark(sentence) {
			begun = true             // nothing before it to lean on
			if !s.opensWith(place) { // "Here is …"
				x[signalNear] = 0
			}
		}
		s.remember(i)
		leans[i] = lean(&x, introduction)
		aged := i > 0 && s.aged()
		leans[i].Opener = leans[i].Opener || aged || s.dispatch
		switch {
		case aged:
			leans[i].On = 1
		case i == 0 || leans[i].Alone >= StandsAlone:
		case leansBack(&x):
			leans[i].On = min(i, 2, 1+min(1, leans[i-1].On))
		case introduction >= i-2 && introduction >= 0:
			leans[i].On = i - introduction
		}
	}
	return leans
}

// leansBack reports whether a signal points to the sentence before: a low probability
// may also come from a fragment or a question.
func leansBack(x *[numSignals]float64) bool {
	for k := signalPronoun; k <= signalDropped; k++ {
		if x[k] > 0 {
			return true
		}
	}
	return x[signalEarly] > 0 || x[signalDefinite] > 0 || x[signalSpeech] > 0 || x[signalInside] > 0
}

// Context returns the indices of the sentences that sentence i of a document leans on,
// at most two, in their order. leans is the answer of [Standing].
func Context(leans []Lean, i int) []int {
	var context []int
	for k := i - leans[i].On; k < i; k++ {
		context = append(context, k)
	}
	return context
}

func lean(x *[numSignals]float64, introduction int) Lean {
	w := weights()
	all, introduced := w.bias, w.bias
	for k, v := range x {
		all += w.of[k] * v
		if k != signalDefinite && k != signalKnown && k != signalSurname && k != signalTitled && k != signalRepeats {
			introduced += w.of[k] * v
		}
	}
	alone := 1 / (1 + math.Exp(-all))
	opener := false
	for k := signalPronoun; k <= signalOther; k++ {
		opener = opener || x[k] >= 0.5
	}
	return Lean{
		Alone:        alone,
		Opener:       opener,
		Introduced:   max(alone, 1/(1+math.Exp(-introduced))),
		Introduction: introduction,
	}
}

// Signals returns the inputs of the model for sentence i of a document, in the order
// of [SignalNames], with all other sentences as known, before and after it: so first
// sentences can be compared with others when the weights are trained.
func Signals(document []string, language string, each func(i int, x []float64)) {
	s := newScanner(language)
	for i, sentence := range document {
		s.scan(sentence)
		s.remember(i)
	}
	s.inside = 0
	for i, sentence := range document {
		s.scan(sentence)
		x, _ := s.signals(i, true)
		each(i, x[:])
	}
}
