package batch

import (
	"bytes"
	"encoding/json"

	"github.com/cerasum/cerasum/core"
)

// The JSON form of a summary is declared field by field, since it is documented:
// changes of the core's types must not change it.

// Summary is one line of output. Indices count from 0.
type Summary struct {
	ID         json.RawMessage `json:"id,omitempty"`
	Text       string          `json:"text"`
	Method     string          `json:"method"`
	OverBudget bool            `json:"overBudget"`
	Sentences  []Sentence      `json:"sentences"`
	Documents  []Document      `json:"documents"`
	// Disagreements lists the things for which documents give different values.
	Disagreements []Disagreement `json:"disagreements"`
}

// Sentence is a quoted sentence; Start and End are UTF-16 offsets into the text of
// its document.
type Sentence struct {
	Text     string    `json:"text"`
	Document int       `json:"document"`
	Sentence int       `json:"sentence"`
	Start    int       `json:"start"`
	End      int       `json:"end"`
	Score    float64   `json:"score"`
	Gain     float64   `json:"gain"`
	Similar  []Similar `json:"similar"`
	// Context lists the sentences before it in its document that it leans on, if they
	// are not quoted.
	Context []ContextSentence `json:"context"`
}

// ContextSentence is a sentence that a quoted one depends on; Start and End are as in [Sentence].
type ContextSentence struct {
	Document int `json:"document"`
	Sentence int `json:"sentence"`
	Start    int `json:"start"`
	End      int `json:"end"`
}

// Similar is a similar sentence of another document.
type Similar struct {
	Document int     `json:"document"`
	Sentence int     `json:"sentence"`
	Cosine   float64 `json:"cosine"`
}

// Disagreement is one thing for which documents give different values.
type Disagreement struct {
	What string `json:"what"`
	// Update says that newer documents update older ones; Values are then in the order
	// of time.
	Update bool                `json:"update"`
	Values []DisagreementValue `json:"values"`
}

// DisagreementValue is what one document says; Start and End are UTF-16 offsets into
// its text.
type DisagreementValue struct {
	Value    string `json:"value"`
	Document int    `json:"document"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

// Document describes a document and what was quoted from it.
type Document struct {
	Source   string `json:"source"`
	Title    string `json:"title"`
	Language string `json:"language"`
	// Text is omitted in batch output.
	Text      *string `json:"text,omitempty"`
	Sentences int     `json:"sentences"`
	Chosen    int     `json:"chosen"`
	Coverage  float64 `json:"coverage"`
	// Attention has a number per sentence; null if the method has no sentence
	// weights, and omitted in batch output.
	Attention *[]float64 `json:"attention,omitempty"`
}

// NewSummary converts a summary to its JSON form. The id, a JSON value, may be
// nil. With full, the documents have their texts and attention.
func NewSummary(id json.RawMessage, s *core.Summary, documents []core.Document, full bool) *Summary {
	out := &Summary{
		ID: id, Text: s.Text, Method: s.Method, OverBudget: s.OverBudget,
		Sentences: make([]Sentence, len(s.Sentences)),
		Documents: make([]Document, len(s.Documents)),

		Disagreements: make([]Disagreement, len(s.Disagreements)),
	}
	for i, q := range s.Sentences {
		similar := make([]Similar, len(q.Similar))
		for k, r := range q.Similar {
			similar[k] = Similar{r.Document, r.Ref.Sentence, r.Cosine}
		}
		context := make([]ContextSentence, len(q.Context))
		for k, r := range q.Context {
			at := &documents[r.Document].Sentences[r.Sentence]
			context[k] = ContextSentence{r.Document, r.Sentence, at.StartUTF16, at.EndUTF16}
		}
		out.Sentences[i] = Sentence{
			Text: q.Text, Document: q.Document, Sentence: q.Ref.Sentence,
			Start: q.StartUTF16, End: q.EndUTF16, Score: q.Score, Gain: q.Gain, Similar: similar, Context: context,
		}
	}
	for i, d := range s.Disagreements {
		values := make([]DisagreementValue, len(d.Values))
		for k, v := range d.Values {
			values[k] = DisagreementValue{v.Value, v.Document, v.StartUTF16, v.EndUTF16}
		}
		out.Disagreements[i] = Disagreement{d.What, d.Update, values}
	}
	for i, d := range s.Documents {
		out.Documents[i] = Document{
			Source: d.Source, Title: d.Title, Language: d.Language,
			Sentences: d.Sentences, Chosen: d.Chosen, Coverage: d.Coverage,
		}
		if full {
			out.Documents[i].Text, out.Documents[i].Attention = &documents[i].Text, &d.Attention
		}
	}
	return out
}

// Marshal returns a value as one line of JSON with a newline.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	// The output is not meant to be embedded in HTML.
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
