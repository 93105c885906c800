// Package clustering finds the documents of a corpus that are about one event.
//
// Start with [New]: documents are added in their order, with [Analyzer.Features] of
// their texts, and [Finder.Clusters] returns the cluster of each. [BCubed] compares
// the result with a known clustering.
//
// Near-duplicates (copies.go) become one text. Texts become vectors of their rarest
// terms (index.go), and each is compared with those that share the rarest of them
// (neighbours.go). What it has in common with texts of its topic that are about other
// events is subtracted, and average linkage merges the rest (link.go). The features
// are in a temporary file; memory holds at most [maxTerms] terms of a text, twice.
//
// A program that divides the work among machines runs the same steps on parts of a corpus
// (parts.go).
package clustering
