package clustering

import "math"

// The measures by which texts and clusters are merged. The weights were chosen by hand on
// Multi-News validation; none is trained. NeuS, VN-MDS and AbMusu agree with them.
const (
	// nearestShare is the share of the nearest neighbour in the background of a text: a
	// text that has a much nearer neighbour is seldom about one event with this one.
	nearestShare = 0.15
	// smallerShare is the share of the smaller background in that of a pair. The larger
	// one is often that of a text with few terms, or of a notice.
	smallerShare = 0.8
	// sizeCost, divided by [Options.EventSize], is what each factor e in the number of pairs
	// of two clusters takes from their similarity: where events are small, a large cluster
	// is often one of several events.
	sizeCost = 0.02
)

// termWeight returns the weight of a term that occurs n times in a text. The square root
// grows faster than the usual 1 + ln n: names repeated in a text tell most about its event.
func termWeight(n uint8, idf float64) float64 { return math.Sqrt(float64(n)) * idf }

// background returns how similar a text is to texts about other events, by the cosines of
// its neighbours, which are descending. Those at the ranks from..to−1 are texts about its
// topic; missing ones count as 0.
func background(cosines func(rank int) float32, n, from, to int) (level float32) {
	if n == 0 {
		return 0
	}
	for k := from; k < min(n, to); k++ {
		level += cosines(k) / float32(to-from)
	}
	return level + float32(nearestShare*(cosines(0)-level))
}

// Above returns how similar two texts are above their backgrounds.
func Above(cosine, background, other float32) float32 {
	return cosine - float32(smallerShare*min(background, other)) - float32((1-smallerShare)*max(background, other))
}

// linkage returns the similarity of two clusters of a and b texts, by the sum over their
// pairs: the mean, less what large clusters cost.
func linkage(sum float32, a, b int32, eventSize int) float32 {
	pairs := float64(a) * float64(b)
	return float32(float64(sum)/pairs - float64(sizeCost/float64(eventSize)*math.Log(pairs)))
}
