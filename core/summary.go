package core

import "github.com/cerasum/cerasum/core/cluster"

// Summary is the answer of [Summarize]: a choice of the documents' own
// sentences, each with its place in its document.
type Summary struct {
	// Text is the quoted sentences in the asked order, one a line.
	Text string
	// Method is the name of the method that ran: never "auto" by another name.
	Method string
	// Budget is the budget that was asked for, Used what the sentences take
	// of it, in the same unit.
	Budget Budget
	Used   int
	// OverBudget says that not one sentence fits the budget, so that the one
	// nearest the centroid was quoted although it is too long.
	OverBudget bool
	// Score is the objective of the whole summary, in 0..1.
	Score     float64
	Sentences []Quote
	Documents []DocumentReport
}

// Quote is one quoted sentence.
type Quote struct {
	cluster.Ref
	cluster.Sentence
	// Score is the sentence's own cosine to the centroid, in -1..1.
	Score float64
	// Gain is what this sentence adds to the summary's Score when the quoted
	// sentences are put together again, best first (OrderRank): the gains of a
	// summary add up to its Score. One may take away.
	Gain float64
	// Similar lists the sentences of other documents that share most with this
	// one, nearest first: what to compare it with.
	Similar []Similar
}

// Similar is a sentence of another document that shares much with a quoted one.
// Whether it says the same, less or the opposite is for the reader to see.
type Similar struct {
	cluster.Ref
	// Cosine is its similarity to the quoted sentence, in 0..1.
	Cosine float64
}

// DocumentReport says what the summary took from one document.
type DocumentReport struct {
	Source, Title, Language string
	// Sentences counts the document's sentences, Chosen those quoted.
	Sentences, Chosen int
	// Coverage, in 0..1, is how much of the document the summary covers: the
	// mean over its sentences of the highest cosine to a quoted sentence.
	Coverage float64
	// Attention says of each of the document's sentences how much the method
	// goes by it: its weight in the centroid or in a ranking, or β of cera and
	// cerai. All are at least 0, and those of all documents add up to 1, or to 0
	// where no sentence counts. Nil: the method weighs no sentences.
	Attention []float64
}
