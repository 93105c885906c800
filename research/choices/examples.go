package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"
	"sync"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/text"
)

// What an editor says of a sentence.
const (
	never = iota
	ordinary
	good
	quoted
)

// example is an item as the models see it: N sentences.
type example struct {
	item     *item
	bare     bool      // without titles and dates
	features []float32 // N×reading.Inputs
	grades   []int     // never, ordinary, good or quoted
	words    []int
	opens    int // the sentence that the editor put first
	texts    []string
}

// The parts of the corpus. Documents on one event, and one text in several languages, are in
// one part.
const (
	training    = "training"
	development = "development"
	test        = "test"
)

// drawn is the part of an item by its event, or else by its document.
func (one *item) drawn() string {
	if one.first || strings.HasPrefix(one.Set, "sub-") {
		return training
	}
	of := one.Set
	if of == "" {
		of = one.Corpus + one.ID
	}
	h := fnv.New32a()
	h.Write([]byte(of))
	switch share := h.Sum32() % 100; {
	case share < 12:
		return test
	case share < 20:
		return development
	}
	return training
}

// labelled reads documents and their labels, and returns those that have labels.
func labelled(documents, labels string) ([]*item, error) {
	items, err := read(documents)
	if err != nil {
		return nil, err
	}
	byID := map[string]*item{}
	for _, one := range items {
		byID[one.ID] = one
	}
	spans, err := read(labels)
	if err != nil {
		return nil, err
	}
	for _, one := range spans {
		drawn := byID[one.ID]
		if drawn == nil {
			return nil, fmt.Errorf("%s: %s is not in %s: draw it again", labels, one.ID, documents)
		}
		one.Documents = drawn.Documents
	}
	return spans, nil
}

// examplesOf computes the inputs of the items.
func examplesOf(ctx context.Context, items []*item, bare bool) ([]*example, error) {
	out, errs := make([]*example, len(items)), make([]error, len(items))
	next := make(chan int, len(items))
	for i := range items {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				out[i], errs[i] = exampleOf(ctx, items[i], bare)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", items[i].ID, err)
		}
	}
	return out, nil
}

// open opens an item's documents.
func (one *item) open(ctx context.Context, bare bool) (*core.Session, error) {
	var documents []core.Document
	for _, d := range one.Documents {
		opened := core.Document{Text: d.Text, Language: one.Language}
		if !bare {
			opened.Title, opened.Date = d.Title, d.Date
		}
		documents = append(documents, opened)
	}
	return core.Open(ctx, documents, core.OpenOptions{})
}

func exampleOf(ctx context.Context, one *item, bare bool) (*example, error) {
	s, err := one.open(ctx, bare)
	if err != nil && strings.Contains(err.Error(), "].date: ") { // dates that are not of ISO 8601
		copied := *one
		copied.Documents = nil
		for _, d := range one.Documents {
			d.Date = ""
			copied.Documents = append(copied.Documents, d)
		}
		s, err = copied.open(ctx, bare)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	e := &example{item: one, bare: bare, texts: s.Texts()}
	if e.features, err = s.ReadingFeatures(ctx); err != nil {
		return nil, err
	}
	e.grades, e.opens = one.grades(s.Documents())
	for _, sentence := range e.texts {
		e.words = append(e.words, text.CountWords(sentence))
	}
	return e, nil
}

// grades returns what the editor says of each sentence, and which one opens the extract. Where
// the sentences are other ones than the editor saw, a label counts for those that it covers by
// half.
func (one *item) grades(documents []core.Document) (grades []int, opens int) {
	type list struct {
		spans []span
		grade int
	}
	lists := []list{{one.Never, never}, {one.Good, good}, {one.Extract, quoted}}
	opens = -1
	for i, d := range documents {
		for _, s := range d.Sentences {
			grade := ordinary
			for _, l := range lists {
				for n, labelled := range l.spans {
					if labelled[0] != i {
						continue
					}
					common := min(labelled[2], s.EndUTF16) - max(labelled[1], s.StartUTF16)
					if 2*common > s.EndUTF16-s.StartUTF16 {
						grade = l.grade
						if grade == quoted && n == 0 && opens < 0 {
							opens = len(grades)
						}
					}
				}
			}
			grades = append(grades, grade)
		}
	}
	return grades, max(0, opens)
}
