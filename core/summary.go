package core

import "github.com/cerasum/cerasum/core/cluster"

// Summary is a selection of the documents' own sentences, each with its position in its
// document.
type Summary struct {
	// Text is the quoted sentences, one per line, in the requested order.
	Text string
	// Method is the method that ran; never "auto".
	Method string
	// Budget is the requested budget, Used the length of the sentences in its unit.
	Budget Budget
	Used   int
	// OverBudget says that no sentence fits the budget, so that the one nearest to the
	// centroid is quoted although it is too long.
	OverBudget bool
	// Score is the objective of the summary, mostly in 0..1; of documents on different
	// topics it is the sum of those of the topics.
	Score     float64
	Sentences []Quote
	Documents []DocumentReport
	// Disagreements lists the things for which documents give different values.
	Disagreements []Disagreement
}

// Disagreement is one thing for which documents give different figures or dates.
type Disagreement struct {
	// What names it in the documents' words: "yachts", "injured".
	What string
	// Update reports whether the newest documents agree on one value and older ones have
	// others. Values are then in chronological order.
	Update bool
	Values []DisagreementValue
}

// DisagreementValue is what one document says.
type DisagreementValue struct {
	// Value is the text of the span: "14", "two yachts".
	Value string
	cluster.Span
}

// Quote is one quoted sentence.
type Quote struct {
	cluster.Ref
	cluster.Sentence
	// Score is the cosine of the sentence to the centroid, in -1..1.
	Score float64
	// Gain is the change of the summary's Score when the quoted sentences are added one
	// by one, best first (OrderRank). The gains of a summary sum to its Score; a gain
	// may be negative.
	Gain float64
	// Similar lists the most similar sentences of other documents, nearest first.
	Similar []Similar
	// Context lists the preceding sentences of its document that the quote depends on,
	// if they are not quoted, in their order.
	Context []cluster.Ref
}

// Similar is a sentence of another document with words in common with a quoted
// one. It may say the same, less, or the opposite.
type Similar struct {
	cluster.Ref
	// Cosine is its similarity to the quoted sentence, in 0..1.
	Cosine float64
}

// DocumentReport describes the summary's use of one document.
type DocumentReport struct {
	Source, Title, Language string
	// Sentences is the number of sentences, Chosen the number quoted.
	Sentences, Chosen int
	// Coverage, in 0..1, is the mean over the document's sentences of the highest cosine
	// to a quoted sentence.
	Coverage float64
	// Attention is the weight of each sentence in the method: in the centroid or in a
	// ranking, or β of cera and cerai. Weights are at least 0 and sum to 1 over all
	// documents, or to 0 if no sentence has weight. Nil: the method has no weights.
	Attention []float64
}
