package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

const (
	// mostDocuments and mostOfSet are the numbers of documents and sentences of a set; documents
	// that would make it longer are left out.
	mostDocuments, mostOfSet = 8, 140
	// ofCorpus is the number of sets up to which a corpus has all that are there; of more, it
	// has so many and powerOfCorpus of the rest.
	ofCorpus, powerOfCorpus = 120, 0.75
	// setsOnly is the corpus whose lines are sets.
	setsOnly = "senate_clusters"
)

// drawSets chooses sets of documents on one event or subject.
func drawSets(folder, out string, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 1))
	var drawn []*item
	if err := eachCorpus(folder, setsOnly, func(corpus string, rows []row) {
		items := setsOf(corpus, rows)
		random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		want := len(items)
		if want > ofCorpus {
			want = ofCorpus + int(math.Pow(float64(want-ofCorpus), powerOfCorpus))
		}
		drawn = append(drawn, items[:want]...)
	}); err != nil {
		return err
	}
	return write(out, drawn, random, mostOfSet)
}

// setsOf gathers the sets of a corpus, in its order.
func setsOf(corpus string, rows []row) []*item {
	byName := map[string]*item{}
	var items []*item
	for _, r := range rows {
		name := r.Set
		if corpus == setsOnly {
			name = r.ID
		} else if !strings.HasPrefix(name, "evt:") && !strings.HasPrefix(name, "top:") {
			continue
		}
		one := byName[name]
		if one == nil {
			one = &item{ID: name, Corpus: corpus, Set: name, Language: r.Lang + r.Language, Genre: r.Genre, Source: r.Source, Licence: r.Licence, Documents: r.Documents}
			byName[name], items = one, append(items, one)
		}
		if r.Text != "" && len(one.Documents) < mostDocuments {
			one.Documents = append(one.Documents, document{r.Title, r.Date, r.Text})
			one.From = append(one.From, r.ID)
		}
	}
	return slices.DeleteFunc(items, func(one *item) bool { return len(one.Documents) < 2 })
}
