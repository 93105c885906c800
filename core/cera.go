package core

import (
	"context"
	"errors"

	"github.com/cerasum/cerasum/core/centroid"
)

// checkWeights refuses weights that do not suit the method.
func (o *Options) checkWeights(m MethodInfo) error {
	if m.Weights != WeightsRequired {
		return nil
	}
	w := o.Weights
	if w == nil {
		return optionError("method", "%s requires weights", m.Name)
	}
	if err := w.Check(); err != nil {
		return optionError("weights", "%s", err.Error())
	}
	switch want := m.Name == "cerai"; {
	case want && !w.Interpolation:
		return optionError("weights", "method cerai requires weights with interpolation; these are for method cera")
	case !want && w.Interpolation:
		return optionError("weights", "method cera requires weights without interpolation; these are for method cerai")
	}
	return nil
}

// runEstimated is runMean with the centroid estimated by CeRA or CeRAI. In a blend with
// TF-IDF vectors, for which there are no trained weights, the centroid is the mean of
// the blended vectors weighted by β (the dual form). Without embeddings it is the mean
// of the TF-IDF vectors, as with hybrid.
func runEstimated(ctx context.Context, j *job) (choice, error) {
	if j.dense == nil {
		return runMean(ctx, j)
	}
	p := j.plain()
	estimate, beta, err := centroid.Estimate(ctx, j.options.Weights, j.dense, j.refs)
	if errors.Is(err, centroid.ErrEstimate) {
		err = optionError("weights", "%s", err.Error())
	}
	if err != nil {
		return choice{}, err
	}
	p.Centroid = estimate
	if j.weight < 1 {
		p.Centroid = centroid.Weighted(p.Rows, beta)
	}
	r, err := j.distinctSearch(ctx, p)
	return choice{r, p.Rows, p.Centroid, beta, nil, nil}, err
}
