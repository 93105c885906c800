// Package core summarizes many documents at once by quoting their sentences.
//
// Start with [Summarize], or with [Open] for several summaries of the same
// documents. [Methods] and [OptionList] list the methods and the options.
//
// Documents are split into sentences (internal/text), sentences become sparse
// vectors (internal/lexical) or are given embeddings ([Session.Embed]), and a
// search selects those that together are nearest to the centroid within the
// budget (core/centroid, core/selection).
package core

import "context"

// Summarize quotes the sentences that represent the documents best within the
// budget: it opens a session, summarizes once, and closes it. See
// [Session.Summarize]; options are checked before any text is read.
func Summarize(ctx context.Context, documents []Document, o Options) (*Summary, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := o.CheckNeeds(false); err != nil {
		return nil, err
	}
	s, err := Open(ctx, documents, OpenOptions{Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Summarize(ctx, o)
}

// Summarize quotes the sentences that represent the session's documents best
// within the budget. It returns an [ErrOption] for an invalid option,
// [ErrNoText] if no document has a sentence with a word, and ctx.Err() when the
// context ends first. The same documents, embeddings and options give the same
// sentences everywhere; ties break by (document, sentence).
func (s *Session) Summarize(ctx context.Context, o Options) (*Summary, error) {
	if s.closed() {
		return nil, ErrClosed
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := o.CheckNeeds(s.embedded); err != nil {
		return nil, err
	}
	if len(s.refs) == 0 {
		return nil, ErrNoText
	}
	if o.Budget == (Budget{}) {
		o.Budget = DefaultBudget
	}
	if o.Order == "" {
		o.Order = OrderStory
	}
	progress := o.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}
	progress("select", 0, 1)
	m, _ := lookUpMethod(o.Method)
	j := &job{Session: s, options: &o, texts: s.texts, dense: s.embeddings}
	if err := j.checkSession(m); err != nil {
		return nil, err
	}
	if o.Translations != nil {
		j.texts = o.Translations
	}
	j.measure = j.measureOf(o.Budget)
	if m == &automatic {
		m = j.automatic()
	}
	if m.Embeddings == EmbeddingsNone || m.AcrossLanguages && !j.multilingual() {
		j.dense = nil
	}
	if j.dense != nil {
		j.weight = m.denseWeight
		if o.DenseWeight != nil {
			j.weight = *o.DenseWeight
		}
	}
	var err error
	if j.support, err = j.supporting(); err != nil {
		return nil, err
	}
	if j.weight > 0 {
		j.leaveOutUnread()
	}
	if o.Query != "" && m.Query && (j.weight > 0 || o.QueryEmbedding != nil) {
		if err := checkRows("queryEmbedding", o.QueryEmbedding, 1, j.dimensions); err != nil {
			return nil, err
		}
		j.asked = s.embeddings
	}
	result, err := m.run(ctx, j)
	if err != nil {
		return nil, err
	}
	summary, err := j.report(ctx, result, o.Order)
	if err != nil {
		return nil, err
	}
	summary.Method, summary.Budget = m.Name, o.Budget
	progress("select", 1, 1)
	return summary, nil
}

// CheckNeeds refuses a method without the weights or embeddings that it
// requires, and options that require embeddings; embedded says that there are
// some. [Session.Summarize] calls it, too; callers can call it before they open
// documents.
func (o *Options) CheckNeeds(embedded bool) error {
	m, err := Method(o.Method)
	if err != nil {
		return err
	}
	if err := o.checkWeights(m); err != nil {
		return err
	}
	switch {
	case embedded:
	case m.Embeddings == EmbeddingsRequired:
		return optionError("method", "%s requires embeddings", m.Name)
	case o.DenseWeight != nil:
		return optionError("denseWeight", "requires embeddings")
	case o.QueryEmbedding != nil:
		return optionError("queryEmbedding", "requires embeddings")
	case o.ReferenceEmbeddings != nil:
		return optionError("referenceEmbeddings", "requires embeddings")
	}
	return nil
}

// checkSession refuses options that do not match the session.
func (j *job) checkSession(m *method) error {
	o := j.options
	if o.Translations != nil && len(o.Translations) != len(j.refs) {
		return optionError("translations", "want %d, one for each sentence, got %d", len(j.refs), len(o.Translations))
	}
	if !j.embedded {
		return nil
	}
	if m.Weights == WeightsRequired && j.dimensions != o.Weights.Dimensions {
		return optionError("weights", "want weights for embeddings of %d dimensions, got %d: they are for another encoder", j.dimensions, o.Weights.Dimensions)
	}
	return nil
}
