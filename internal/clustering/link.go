package clustering

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

// link is a pair of documents or clusters that may be merged.
type link struct {
	similarity float32
	a, b       int32
}

// links is a heap, most similar first.
type links []link

func (h links) Len() int { return len(h) }
func (h links) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].similarity, h[i].similarity), cmp.Compare(h[i].a, h[j].a), cmp.Compare(h[i].b, h[j].b)) < 0
}
func (h links) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *links) Push(x any)   { *h = append(*h, x.(link)) }
func (h *links) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// merge returns for each document a document of its cluster, the same for all of
// them.
//
// Clusters are merged by average linkage, the most similar ones first: their
// similarity is the mean over the pairs of their documents, less what their sizes cost
// ([linkage]); pairs that are no neighbours count as 0. Documents that no chain of pairs above the threshold
// connects cannot be in one cluster, so that each such component is merged by
// itself.
func (f *Finder) merge(ctx context.Context, near [][]neighbour) ([]int32, error) {
	threshold := float32(f.options.Threshold)
	parents := make([]int32, len(near))
	for i := range parents {
		parents[i] = int32(i)
	}
	for i, list := range near {
		for _, e := range list {
			if e.similarity >= threshold {
				if a, b := root(parents, int32(i)), root(parents, e.doc); a != b {
					parents[max(a, b)] = min(a, b)
				}
			}
		}
	}
	for i := range parents {
		parents[i] = root(parents, int32(i))
	}
	order := make([]int32, len(near))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(parents[a], parents[b]) })
	merged := make([]int32, len(near))
	for from := 0; from < len(order); {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		to := from + 1
		for to < len(order) && parents[order[to]] == parents[order[from]] {
			to++
		}
		if err := f.mergeComponent(ctx, order[from:to], near, parents, merged); err != nil {
			return nil, err
		}
		from = to
	}
	return merged, nil
}

// root returns the root of a document, and shortens the path to it.
func root(parents []int32, i int32) int32 {
	for parents[i] != i {
		parents[i] = parents[parents[i]]
		i = parents[i]
	}
	return i
}

// mergeComponent merges the documents of a component, which are ascending, and sets
// merged for them. Clusters are numbered like their first documents in it.
func (f *Finder) mergeComponent(ctx context.Context, members []int32, near [][]neighbour, component, merged []int32) error {
	if len(members) == 1 {
		merged[members[0]] = members[0]
		return nil
	}
	threshold := float32(f.options.Threshold)
	number := make(map[int32]int32, len(members))
	for k, i := range members {
		number[i] = int32(k)
	}
	parents := make([]int32, len(members))
	docs := make([]document, len(members))
	texts := make([]int32, len(members))
	// The sums of the similarities between two clusters.
	sums := make([]map[int32]float32, len(members))
	for k, i := range members {
		parents[k], docs[k], texts[k], sums[k] = int32(k), f.docs[i], 1, map[int32]float32{}
	}
	for a, i := range members {
		for _, e := range near[i] {
			if component[e.doc] == component[i] {
				b := number[e.doc]
				sums[a][b], sums[b][int32(a)] = e.similarity, e.similarity
			}
		}
	}
	queue := &links{}
	similarity := func(a, b int32) float32 { return linkage(sums[a][b], texts[a], texts[b], f.options.EventSize) }
	add := func(a, b int32) {
		if a, b = min(a, b), max(a, b); similarity(a, b) >= threshold {
			*queue = append(*queue, link{similarity(a, b), a, b})
		}
	}
	for a := range sums {
		for b := range sums[a] {
			if int32(a) < b {
				add(int32(a), b)
			}
		}
	}
	heap.Init(queue)
	for merges := 1; queue.Len() > 0; {
		l := heap.Pop(queue).(link)
		a, b := l.a, l.b
		// A link of clusters that have been merged since is out of date.
		if sums[a] == nil || sums[b] == nil || similarity(a, b) != l.similarity || !f.fit(&docs[a], &docs[b]) {
			continue
		}
		if len(sums[a]) < len(sums[b]) {
			a, b = b, a
		}
		if merges%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		merges++
		parents[b] = a
		docs[a].join(&docs[b])
		texts[a] += texts[b]
		delete(sums[a], b)
		for c, s := range sums[b] {
			if c != a {
				delete(sums[c], b)
				sums[a][c] += s
				sums[c][a] += s
			}
		}
		sums[b] = nil
		for c := range sums[a] {
			if s := similarity(min(a, c), max(a, c)); s >= threshold {
				heap.Push(queue, link{s, min(a, c), max(a, c)})
			}
		}
	}
	for k, i := range members {
		merged[i] = members[root(parents, int32(k))]
	}
	return nil
}
