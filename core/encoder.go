package core

import (
	"context"

	"github.com/cerasum/cerasum/core/cluster"
)

// Encoder turns texts into embeddings. The core never makes one: a page and
// the command line each have their own, and hand over what it gave as
// [Options].Embeddings.
type Encoder interface {
	// Name is for messages and reports.
	Name() string
	// Dimensions is D, the length of an embedding.
	Dimensions() int
	// Embed returns len(texts) × D numbers, row-major, one row for each text.
	// It returns ctx.Err() when the context ends first. progress may be nil.
	Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error)
}

// SentenceTexts are the texts of the cluster's sentences, as an encoder is
// given them: row k of Options.Embeddings belongs to the k-th. The cluster has
// been prepared (see [Prepare]).
func SentenceTexts(c *cluster.Cluster) []string {
	refs := c.Refs()
	texts := make([]string, len(refs))
	for k, r := range refs {
		texts[k] = c.At(r).Text
	}
	return texts
}

// ReferenceSentences cuts reference summaries into the sentences that method
// oracle reads: row k of Options.ReferenceEmbeddings belongs to the k-th. The
// cluster has been prepared; where all its documents are in one language, so
// are the references taken to be.
func ReferenceSentences(ctx context.Context, c *cluster.Cluster, references []string) ([]string, error) {
	r, err := readReferences(ctx, c, references)
	if err != nil {
		return nil, err
	}
	return SentenceTexts(r), nil
}

// readReferences makes a prepared cluster of reference summaries.
func readReferences(ctx context.Context, c *cluster.Cluster, references []string) (*cluster.Cluster, error) {
	language, r := commonLanguage(c), &cluster.Cluster{}
	for _, text := range references {
		r.Documents = append(r.Documents, cluster.Document{Text: text, Language: language})
	}
	return r, Prepare(ctx, r)
}

// commonLanguage is the one language of the documents that have sentences;
// empty where there are several.
func commonLanguage(c *cluster.Cluster) string {
	language, found := "", false
	for i := range c.Documents {
		d := &c.Documents[i]
		switch {
		case len(d.Sentences) == 0:
		case !found:
			language, found = d.Language, true
		case d.Language != language:
			return ""
		}
	}
	return language
}
