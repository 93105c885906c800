package clustering

// BCubed compares a clustering with another one that is right (Bagga and Baldwin,
// 1998): of each document, precision is the share of the documents of its cluster that
// are in its gold cluster, itself included, and recall the share of its gold cluster
// that is in its cluster. The results are the means over the documents, and the
// harmonic mean of the two. Labels are the clusters of N documents; gold has the same
// length.
func BCubed(labels, gold []int) (precision, recall, f1 float64) {
	if len(labels) != len(gold) {
		panic("clustering: labels and gold of different lengths")
	}
	if len(labels) == 0 {
		return 0, 0, 0
	}
	sizes, golds, both := map[int]int{}, map[int]int{}, map[[2]int]int{}
	for i, l := range labels {
		sizes[l]++
		golds[gold[i]]++
		both[[2]int{l, gold[i]}]++
	}
	for i, l := range labels {
		n := float64(both[[2]int{l, gold[i]}])
		precision += n / float64(sizes[l])
		recall += n / float64(golds[gold[i]])
	}
	n := float64(len(labels))
	precision, recall = precision/n, recall/n
	return precision, recall, 2 * precision * recall / (precision + recall)
}
