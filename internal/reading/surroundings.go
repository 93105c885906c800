package reading

import (
	"slices"

	"github.com/cerasum/cerasum/internal/salience"
)

// The inputs of a sentence in its surroundings: what the sentences beside it are like, how it
// compares with those of its document, and where else its words are.

// besideNames are inputs that count of the sentences beside it, too.
var besideNames = [...]string{"central", "density", "leans", "relative-length", "starts-line", "closed", "heading", "colon", "question", "quotation", "numbers", "title", "capitals", "support"}

// rankedNames are inputs whose rank in the document counts, too.
var rankedNames = [...]string{"density", "support", "title", "relative-length", "rarity", "stop-words", "mean"}

// termNames tell where the words of a sentence are: how often in the document, in how many
// other documents, in the first sentences of the document and of others, in earlier sentences,
// in no other sentence, in the next one.
var termNames = [...]string{"terms-repeated", "terms-shared", "terms-of-lead", "terms-of-leads", "terms-given", "terms-unique", "terms-next"}

// otherNames are the remaining ones.
var otherNames = [...]string{"place", "line-place", "line-length", "ends-line", "only-document", "document-central-best", "title-before", "central-before", "central-around", "title-around", "central-of-rest", "defines"}

// baseInputs is the number of inputs of a sentence by itself.
const baseInputs = len(inputNames)

// allNames names all inputs in their order.
var allNames = func() []string {
	names := slices.Clone(inputNames[:])
	for _, n := range besideNames {
		names = append(names, "before-"+n, "after-"+n)
	}
	for _, n := range rankedNames {
		names = append(names, "rank-"+n)
	}
	names = append(names, termNames[:]...)
	return append(names, otherNames[:]...)
}()

// Inputs is the number of inputs of the [Forests].
const Inputs = len(inputNames) + 2*len(besideNames) + len(rankedNames) + len(termNames) + len(otherNames)

// InputNames returns the names of the inputs in their order.
func InputNames() []string { return allNames }

// index is the place of an input.
func index(name string) int { return slices.Index(inputNames[:], name) }

// leadOf is the number of sentences that are the lead of a document.
const leadOf = 3

// beside is how many sentences on either side are around a sentence.
const beside = 3

// surroundings fills in the inputs from baseInputs on of all rows of out, N×Inputs.
func (f *featureReader) surroundings(out []float32) {
	at := func(k, input int) float64 { return float64(out[k*Inputs+input]) }
	next := baseInputs
	set := func(k, offset int, v float64) { out[k*Inputs+next+offset] = float32(v) }
	for _, name := range besideNames {
		input := index(name)
		for _, d := range f.documents {
			for i, k := range d.rows {
				if i > 0 {
					set(k, 0, at(k-1, input))
				}
				if i+1 < len(d.rows) {
					set(k, 1, at(k+1, input))
				}
			}
		}
		next += 2
	}
	for _, name := range rankedNames {
		value, rank, input := make([]float64, len(f.Texts)), make([]float64, len(f.Texts)), index(name)
		for k := range value {
			value[k] = at(k, input)
		}
		for _, d := range f.documents {
			rankTo(rank, d.rows, value)
		}
		for k, v := range rank {
			set(k, 0, v)
		}
		next++
	}
	f.terms(set)
	next += len(termNames)
	f.places(at, set)
}

// terms sets the inputs of termNames.
func (f *featureReader) terms(set func(k, offset int, v float64)) {
	n := len(f.Analysis.Terms)
	sentences, documents := make([]int32, n), make([]int32, n)
	inDocument, inLead, leads, seen := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	distinct := make([][]int32, len(f.Texts))
	for k, terms := range f.Analysis.Sentences {
		own := slices.Clone(terms)
		slices.Sort(own)
		distinct[k] = slices.DeleteFunc(slices.Compact(own), func(t int32) bool { return f.Analysis.Terms[t].Stop })
		for _, t := range distinct[k] {
			sentences[t]++
		}
	}
	// count fills counts of a document, once for each sentence or once in all.
	count := func(rows []int, counts []int32, by int32) {
		for _, k := range rows {
			for _, t := range distinct[k] {
				counts[t] += by
			}
		}
	}
	once := func(rows []int, counts []int32) {
		for _, k := range rows {
			for _, t := range distinct[k] {
				if seen[t] == 0 {
					seen[t] = 1
					counts[t]++
				}
			}
		}
		for _, k := range rows {
			for _, t := range distinct[k] {
				seen[t] = 0
			}
		}
	}
	for _, d := range f.documents {
		once(d.rows, documents)
		once(d.rows[:min(leadOf, len(d.rows))], leads)
	}
	others := max(1, f.present-1)
	given := make([]int32, n)
	for _, d := range f.documents {
		lead := d.rows[:min(leadOf, len(d.rows))]
		count(d.rows, inDocument, 1)
		count(lead, inLead, 1)
		for i, k := range d.rows {
			if len(distinct[k]) == 0 {
				continue
			}
			var repeated, shared, ofLead, ofLeads, known, unique, after float64
			early := int32(one(i < leadOf))
			for _, t := range distinct[k] {
				repeated += 1 - 1/float64(inDocument[t])
				shared += float64(documents[t]-1) / others
				ofLead += one(inLead[t] > early)
				ofLeads += float64(leads[t]-int32(one(inLead[t] > 0))) / others
				known += one(given[t] > 0)
				unique += one(sentences[t] == 1)
				given[t]++
			}
			if i+1 < len(d.rows) {
				for _, t := range distinct[d.rows[i+1]] {
					_, found := slices.BinarySearch(distinct[k], t)
					after += one(found)
				}
			}
			size := float64(len(distinct[k]))
			for offset, v := range [...]float64{repeated, shared, ofLead, ofLeads, known, unique, after} {
				set(k, offset, v/size)
			}
		}
		count(d.rows, inDocument, -1)
		count(lead, inLead, -1)
		count(d.rows, given, -1)
	}
}

// places sets the inputs of otherNames.
func (f *featureReader) places(at func(k, input int) float64, set func(k, offset int, v float64)) {
	central, title, starts := index("central"), index("title"), index("starts-line")
	var present []int // documents with sentences
	var best []float64
	for n, d := range f.documents {
		if len(d.rows) == 0 {
			continue
		}
		highest := at(d.rows[0], central)
		for _, k := range d.rows {
			highest = max(highest, at(k, central))
		}
		present, best = append(present, n), append(best, highest)
	}
	for i, v := range salience.Standardize(best) {
		n, best := present[i], v
		d := &f.documents[n]
		length := len(d.rows)
		line, ends := 0, 0
		titleBefore, centralBefore, whole := 0.0, 0.0, 0.0
		for _, k := range d.rows {
			whole += at(k, central)
		}
		for i, k := range d.rows {
			if i == 0 || at(k, starts) > 0 {
				for ends = i + 1; ends < length && at(d.rows[ends], starts) == 0; ends++ {
				}
				line = i
			}
			centralAround, titleAround, count := 0.0, 0.0, 0.0
			for other := max(0, i-beside); other < min(length, i+beside+1); other++ {
				if other != i {
					centralAround += at(d.rows[other], central)
					titleAround += at(d.rows[other], title)
					count++
				}
			}
			for offset, v := range [...]float64{
				float64(i) / float64(max(1, length-1)), float64(min(5, i-line)), float64(min(8, ends-line)), one(i+1 == ends), one(f.present == 1), best,
				at(k, title) - titleBefore, at(k, central) - centralBefore, centralAround / max(1, count), titleAround / max(1, count), at(k, central) - whole/float64(length), one(Defines(f.Cluster.Documents[n].Title, f.Texts[k])),
			} {
				set(k, offset, v)
			}
			titleBefore = max(titleBefore, at(k, title))
			if i == 0 || at(k, central) > centralBefore {
				centralBefore = at(k, central)
			}
		}
	}
}
