// Package core chooses sentences: many documents in, a quoted summary out.
//
// Start with [Summarize]. It splits the documents (internal/text), forms sparse
// vectors of their sentences (internal/lexical), a centroid (core/centroid) and a
// choice of sentences under the budget (core/selection).
package core

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// Summarize quotes the sentences of the cluster that together say most of it
// within the budget. It prepares the cluster where that was not done (see
// [Prepare]; it changes c). It returns ErrOption for a bad option, ErrNoText
// where no document has a sentence with a word, and ctx.Err() when the context
// ends first. The same cluster and options give the same sentences everywhere;
// ties break by (document, sentence).
func Summarize(ctx context.Context, c *cluster.Cluster, o Options) (*Summary, error) {
	if o.Budget == (Budget{}) {
		o.Budget = DefaultBudget
	}
	if err := o.Budget.check(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	switch o.Order {
	case "":
		o.Order = OrderDocument
	case OrderDocument, OrderRank:
	default:
		return nil, errorf.Errorf("%w: order %q: want %s or %s", ErrOption, string(o.Order), string(OrderDocument), string(OrderRank))
	}
	m, err := lookUpMethod(o.Method)
	if err != nil {
		return nil, err
	}
	if m == &oracle && len(o.References) == 0 {
		return nil, errorf.Errorf("%w: method oracle wants references", ErrOption)
	}
	if m.Embeddings == EmbeddingsRequired && o.Embeddings == nil {
		return nil, errorf.Errorf("%w: method %s wants embeddings", ErrOption, m.Name)
	}
	if err := o.checkWeights(m); err != nil {
		return nil, err
	}
	progress := o.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}

	progress("split", 0, len(c.Documents))
	if err := prepare(ctx, c, func(done, total int) { progress("split", done, total) }); err != nil {
		return nil, err
	}
	j := &job{cluster: c, options: &o, refs: c.Refs()}
	if len(j.refs) == 0 {
		return nil, ErrNoText
	}
	progress("encode", 0, 1)
	if j.analysis, err = lexical.Analyze(ctx, c); err != nil {
		return nil, err
	}
	if err := o.checkEmbeddings(len(j.refs)); err != nil {
		return nil, err
	}
	if err := o.checkQuery(); err != nil {
		return nil, err
	}
	j.embed()
	j.texts = make([]string, len(j.refs))
	j.words = make([]int, len(j.refs))
	for k, r := range j.refs {
		j.texts[k] = c.At(r).Text
		j.words[k] = text.CountSegments(j.texts[k])
	}
	if o.Translations != nil {
		if len(o.Translations) != len(j.refs) {
			return nil, errorf.Errorf("%w: %d translations of %d sentences", ErrOption, len(o.Translations), len(j.refs))
		}
		j.texts = o.Translations
	}
	j.measure = o.Budget.measure(j.texts)
	if m == &automatic {
		m = j.best()
	}
	if m.Embeddings == EmbeddingsNone {
		j.dense = nil
	}
	if j.dense != nil {
		j.weight = m.denseWeight
		if o.DenseWeight != nil {
			j.weight = *o.DenseWeight
		}
	}
	progress("encode", 1, 1)

	progress("select", 0, 1)
	result, err := m.run(ctx, j)
	if err != nil {
		return nil, err
	}
	s, err := j.report(ctx, result, o.Order)
	if err != nil {
		return nil, err
	}
	s.Method, s.Budget = m.Name, o.Budget
	progress("select", 1, 1)
	return s, nil
}

// oneLine puts a sentence that the document wraps over several lines on one.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
