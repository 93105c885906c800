package rouge

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Resamples is the usual number of resamples, as with -r 1000.
const Resamples = 1000

// Interval is a mean over clusters and its 95 % confidence interval.
type Interval struct {
	Mean, Low, High float64
}

// Bootstrap returns the mean of the values and the percentile interval of the means
// of resamples drawn with replacement. It is deterministic in the values, the
// number and the seed. Without values or resamples the interval is just the mean,
// 0 without values.
func Bootstrap(values []float64, resamples int, seed uint64) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	center := mean(values)
	if resamples <= 0 {
		return Interval{center, center, center}
	}
	means := resampled(values, resamples, seed)
	slices.Sort(means)
	tail := int(float64(resamples) * 0.025)
	return Interval{center, means[tail], means[resamples-1-tail]}
}

// PairedP returns the p-value of the hypothesis that the means of a and b, two
// systems' values for the same clusters in the same order, are equal: the share of
// resamples of the differences, shifted to a mean of 0, whose mean is at least as
// far from 0 as the observed one (two-sided; Efron and Tibshirani 1993, algorithm
// 16.2), counting the observation itself as one. It is deterministic in the seed,
// and 1 without values. It panics if the lengths differ.
func PairedP(a, b []float64, resamples int, seed uint64) float64 {
	if len(a) != len(b) {
		panic("rouge: paired values differ in number")
	}
	if len(a) == 0 {
		return 1
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	observed := mean(differences)
	for i := range differences {
		differences[i] -= observed
	}
	// Equal sums in a different order may differ in the last bits.
	observed = math.Abs(observed) * (1 - 1e-9)
	extreme := 1
	for _, m := range resampled(differences, resamples, seed) {
		if math.Abs(m) >= observed {
			extreme++
		}
	}
	return float64(extreme) / float64(1+max(0, resamples))
}

// resampled returns the means of the resamples.
func resampled(values []float64, resamples int, seed uint64) []float64 {
	draw := rand.New(rand.NewPCG(seed, 0x726f756765)) // the second half is an arbitrary constant
	means := make([]float64, max(0, resamples))
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[draw.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	return means
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
