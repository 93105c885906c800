package evaluate

import (
	"context"
	"fmt"

	"github.com/cerasum/cerasum/core"
)

// Encoder turns texts into embeddings.
type Encoder interface {
	// Name is for messages and reports.
	Name() string
	// Dimensions is D, the length of an embedding.
	Dimensions() int
	// Embed returns len(texts) × D numbers, row-major, one row for each text.
	// It returns ctx.Err() when the context ends first. progress may be nil.
	Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error)
	// EmbedQuestion returns the D numbers of a question, or of another query.
	EmbedQuestion(ctx context.Context, text string) ([]float32, error)
}

// embeddings of one session, made when the first method needs them.
type embeddings struct {
	encoder   Encoder
	languages []string
	done      bool
	gold      []float32 // of the reference summaries' sentences
	query     []float32
}

// add adds the embeddings that the method uses to the session, and those of the
// references to the options. Without an encoder it does nothing. The error is
// the encoder's.
func (e *embeddings) add(ctx context.Context, s *core.Session, o *core.Options) error {
	if e.encoder == nil {
		return nil
	}
	if !s.WantsEmbeddings(o.Method, o.Query != "") {
		return nil
	}
	if !e.done {
		data, err := e.embed(ctx, s.Texts())
		if err != nil {
			return err
		}
		if err := s.Embed(core.Embeddings{Data: data, Dimensions: e.encoder.Dimensions(), Languages: e.languages}); err != nil {
			return err
		}
		e.done = true
	}
	if o.Query != "" {
		if e.query == nil {
			var err error
			if e.query, err = e.encoder.EmbedQuestion(ctx, o.Query); err != nil {
				return err
			}
		}
		o.QueryEmbedding = e.query
	}
	if o.Method != "oracle" {
		return nil
	}
	if e.gold == nil {
		texts, err := s.ReferenceSentences(ctx, o.References)
		if err != nil {
			return err
		}
		if e.gold, err = e.embed(ctx, texts); err != nil {
			return err
		}
	}
	o.ReferenceEmbeddings = e.gold
	return nil
}

func (e *embeddings) embed(ctx context.Context, texts []string) ([]float32, error) {
	values, err := e.encoder.Embed(ctx, texts, nil)
	if err != nil {
		return nil, err
	}
	if want := len(texts) * e.encoder.Dimensions(); len(values) != want {
		return nil, fmt.Errorf("encoder %s: got %d numbers for %d texts of %d dimensions", e.encoder.Name(), len(values), len(texts), e.encoder.Dimensions())
	}
	if values == nil {
		values = []float32{}
	}
	return values, nil
}
