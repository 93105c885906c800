package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// embeddingUse returns how a method uses embeddings.
func embeddingUse(method string) core.EmbeddingUse {
	methods := core.Methods()
	if method == "" {
		method = methods[0].Name
	}
	if i := slices.IndexFunc(methods, func(m core.MethodInfo) bool { return m.Name == method }); i >= 0 {
		return methods[i].Embeddings
	}
	return core.EmbeddingsOptional // oracle, which core does not list
}

// embeddings of one cluster, computed when the first method needs them.
type embeddings struct {
	encoder   core.Encoder
	languages []string
	sentences []float32
	gold      []float32 // of the reference summaries' sentences
}

// add adds the embeddings that the method needs to its options, unless there is no
// encoder. Errors are those of the encoder.
func (e *embeddings) add(ctx context.Context, c *cluster.Cluster, o *core.Options) error {
	if e.encoder == nil || embeddingUse(o.Method) == core.EmbeddingsNone {
		return nil
	}
	var err error
	if e.sentences == nil {
		if e.sentences, err = e.embed(ctx, core.SentenceTexts(c)); err != nil {
			return err
		}
	}
	if len(e.sentences) == 0 {
		o.DenseWeight = nil // refused by core without embeddings
		return nil
	}
	o.Embeddings, o.Dimensions, o.EncoderLanguages = e.sentences, e.encoder.Dimensions(), e.languages
	if o.Method != "oracle" {
		return nil
	}
	if e.gold == nil {
		texts, err := core.ReferenceSentences(ctx, c, o.References)
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
