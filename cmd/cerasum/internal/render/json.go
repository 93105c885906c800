package render

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// The JSON form, field by field: docs name it, so that a change of the core's
// types does not change it unseen.

type summaryJSON struct {
	ID         json.RawMessage `json:"id,omitempty"`
	Text       string          `json:"text"`
	Method     string          `json:"method"`
	OverBudget bool            `json:"overBudget"`
	Sentences  []sentenceJSON  `json:"sentences"`
	Documents  []documentJSON  `json:"documents"`
}

type sentenceJSON struct {
	Text     string        `json:"text"`
	Document int           `json:"document"`
	Sentence int           `json:"sentence"`
	Start    int           `json:"start"` // UTF-16 units
	End      int           `json:"end"`
	Score    float64       `json:"score"`
	Gain     float64       `json:"gain"`
	Similar  []similarJSON `json:"similar"`
}

type similarJSON struct {
	Document int     `json:"document"`
	Sentence int     `json:"sentence"`
	Cosine   float64 `json:"cosine"`
}

type documentJSON struct {
	Source    string  `json:"source"`
	Title     string  `json:"title"`
	Language  string  `json:"language"`
	Text      string  `json:"text"`
	Sentences int     `json:"sentences"`
	Chosen    int     `json:"chosen"`
	Coverage  float64 `json:"coverage"`
	// Attention has a number for each sentence; null where the method weighs none.
	Attention []float64 `json:"attention"`
}

// WriteJSON writes a summary and its documents as one line of JSON. The id, a
// JSON value, is left out where it is nil.
func WriteJSON(w io.Writer, id json.RawMessage, s *core.Summary, c *cluster.Cluster) error {
	return writeLine(w, summaryOf(id, s, c))
}

// summaryOf gives a summary its JSON form.
func summaryOf(id json.RawMessage, s *core.Summary, c *cluster.Cluster) summaryJSON {
	out := summaryJSON{
		ID: id, Text: s.Text, Method: s.Method, OverBudget: s.OverBudget,
		Sentences: make([]sentenceJSON, len(s.Sentences)),
		Documents: make([]documentJSON, len(s.Documents)),
	}
	for i, q := range s.Sentences {
		similar := make([]similarJSON, len(q.Similar))
		for k, r := range q.Similar {
			similar[k] = similarJSON{r.Document, r.Ref.Sentence, r.Cosine}
		}
		out.Sentences[i] = sentenceJSON{
			Text: q.Text, Document: q.Document, Sentence: q.Ref.Sentence,
			Start: q.StartUTF16, End: q.EndUTF16, Score: q.Score, Gain: q.Gain, Similar: similar,
		}
	}
	for i, d := range s.Documents {
		out.Documents[i] = documentJSON{
			Source: d.Source, Title: d.Title, Language: d.Language, Text: c.Documents[i].Text,
			Sentences: d.Sentences, Chosen: d.Chosen, Coverage: d.Coverage, Attention: d.Attention,
		}
	}
	return out
}

// writeLine writes a value as one line of JSON, at once.
func writeLine(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
