package clustering

import (
	"math"
	"testing"
)

func close32(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }

func TestTermWeight(t *testing.T) {
	for n, want := range map[uint8]float64{1: 3, 4: 6, 255: 3 * math.Sqrt(255)} {
		if got := termWeight(n, 3); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d times: %v, want %v", n, got, want)
		}
	}
}

// TestBackground: the ranks from..to−1, of which missing ones are 0, and a share of the
// nearest neighbour.
func TestBackground(t *testing.T) {
	cosines := []float32{0.8, 0.5, 0.3, 0.2, 0.1}
	for _, c := range []struct {
		n, from, to int
		mean        float32
	}{
		{5, 1, 3, (0.5 + 0.3) / 2},
		{5, 3, 7, (0.2 + 0.1) / 4},
		{5, 5, 9, 0},
		{1, 0, 8, 0.8 / 8},
	} {
		want := c.mean + nearestShare*(cosines[0]-c.mean)
		if got := background(func(k int) float32 { return cosines[k] }, c.n, c.from, c.to); !close32(got, want) {
			t.Errorf("%d neighbours, ranks %d to %d: %v, want %v", c.n, c.from, c.to, got, want)
		}
	}
	if got := background(nil, 0, 1, 9); got != 0 {
		t.Errorf("no neighbours: %v", got)
	}
}

// TestAbove: the order of the two texts does not matter, and the smaller background counts
// more.
func TestAbove(t *testing.T) {
	a, b := Above(0.5, 0.1, 0.3), Above(0.5, 0.3, 0.1)
	if want := float32(0.5 - 0.8*0.1 - 0.2*0.3); a != b || !close32(a, want) {
		t.Errorf("%v and %v, want %v", a, b, want)
	}
	if got := Above(0.5, 0.2, 0.2); !close32(got, 0.3) {
		t.Errorf("equal backgrounds: %v, want 0.3", got)
	}
}

// TestLinkage: two texts are as similar as their pair, and of clusters with the same mean
// the larger ones are less similar.
func TestLinkage(t *testing.T) {
	if got := linkage(0.25, 1, 1, 2); got != 0.25 {
		t.Errorf("one pair: %v, want 0.25", got)
	}
	if got, want := linkage(6*0.25, 2, 3, 2), float32(0.25-0.01*math.Log(6)); !close32(got, want) {
		t.Errorf("six pairs: %v, want %v", got, want)
	}
	if linkage(6*0.25, 2, 3, 2) != linkage(6*0.25, 3, 2, 2) {
		t.Error("the order of the clusters matters")
	}
	if linkage(6*0.25, 2, 3, 32) <= linkage(6*0.25, 2, 3, 2) {
		t.Error("large events cost as much as small ones")
	}
}

// TestSurroundings: a text has one neighbour less in its event than the event has documents,
// and its surroundings fit the candidates.
func TestSurroundings(t *testing.T) {
	for size, want := range map[int][2]int{1: {0, 8}, 2: {1, 9}, 32: {31, 62}, MaxEventSize: {63, 126}} {
		f := &Finder{options: Options{EventSize: size}}
		if from, to := f.surroundings(); [2]int{from, to} != want || to > candidates {
			t.Errorf("events of %d: ranks %d to %d, want %v", size, from, to, want)
		}
	}
}
