package core

import (
	"context"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/reading"
)

// judge returns what the models of editors' choices say of the sentences. It does not depend on
// the budget and is computed once per session, unless embeddings or translations take part.
func (j *job) judge(ctx context.Context) (*reading.Judgement, error) {
	own := j.weight > 0 || j.translated()
	if j.cache.judgement != nil && !own {
		return j.cache.judgement, nil
	}
	f, err := j.readingFeatures(ctx)
	if err != nil {
		return nil, err
	}
	judged := reading.Judge(f)
	if !own {
		j.cache.judgement = judged
	}
	return judged, nil
}

// readingFeatures returns the inputs of the model of editors' choices,
// N×reading.Inputs.
func (j *job) readingFeatures(ctx context.Context) ([]float32, error) {
	rows := j.blend(j.dense, j.tfidf(instantParams.weighting))
	mean := centroid.Cosines(rows, centroid.Mean(rows))
	central := centroid.Cosines(rows, centroid.Weighted(rows, j.usualWeights(rows)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return reading.ReadFeatures(&reading.Source{
		Cluster: j.cluster, Analysis: j.analysis, Texts: j.texts, Words: j.words,
		Mean: mean, Central: central, Salience: j.features(j.tfidf(instantParams.weighting)), Leans: j.leans(),
	}), nil
}

// standing returns, for each document, what its sentences lean on; computed once.
func (s *Session) standing() [][]reading.Lean {
	if s.cache.standing == nil {
		s.cache.standing = make([][]reading.Lean, len(s.cluster.Documents))
		standing := reading.Standing
		if s.documentsWithSentences() == 1 {
			standing = reading.StandingOfSingle
		}
		k := 0
		for i, d := range s.cluster.Documents {
			s.cache.standing[i] = standing(s.texts[k:k+len(d.Sentences)], d.Language)
			k += len(d.Sentences)
		}
	}
	return s.cache.standing
}

// leans returns for each sentence the probability that it leans on what precedes it.
func (s *Session) leans() []float64 {
	leans := make([]float64, 0, len(s.texts))
	for _, document := range s.standing() {
		for _, l := range document {
			leans = append(leans, 1-l.Alone)
		}
	}
	return leans
}

// ReadingFeatures returns the inputs of the model of method editor for training, N×D
// with the D names of reading.InputNames. Without a sentence it returns [ErrNoText].
func (s *Session) ReadingFeatures(ctx context.Context) ([]float32, error) {
	if s.closed() {
		return nil, ErrClosed
	}
	if len(s.refs) == 0 {
		return nil, ErrNoText
	}
	j := &job{Session: s, options: &Options{}, texts: s.texts}
	j.measure = j.measureOf(DefaultBudget)
	return j.readingFeatures(ctx)
}
