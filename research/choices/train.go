package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/cerasum/cerasum/internal/forest"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/train/trees"
)

// table is examples as rows.
type table struct {
	examples []*example
	first    []int // row of the first sentence of each example, and N
	x        []float32
	weight   []float64 // of each example
}

// tableOf makes a table in which a set counts setWeight, and a paper or meeting longWeight.
func tableOf(examples []*example, setWeight float64) *table {
	t := &table{examples: examples, first: []int{0}}
	for _, e := range examples {
		t.x = append(t.x, e.features...)
		t.first = append(t.first, t.first[len(t.first)-1]+len(e.grades))
		switch {
		case len(e.item.Documents) > 1:
			t.weight = append(t.weight, setWeight)
		case e.item.noNever:
			t.weight = append(t.weight, longWeight)
		case e.item.Corpus == "own":
			t.weight = append(t.weight, writtenWeight)
		default:
			t.weight = append(t.weight, 1)
		}
	}
	return t
}

// What a paper or meeting counts beside a document, and a set for each model: there are fewer
// of them.
const (
	longWeight       = 3
	writtenWeight    = 0.15 // of a document written for this purpose: few begin as real ones do
	setWeight        = 7
	setWeightOpening = 20
)

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// pointwise is the cross-entropy of a logistic regression with these targets by grade.
func (t *table) pointwise(targets [4]float64) trees.Loss {
	return func(values, first, second []float64) {
		for i, e := range t.examples {
			for n, grade := range e.grades {
				k := t.first[i] + n
				if targets == notQuote && e.item.noNever {
					first[k], second[k] = 0, 0
					continue
				}
				p := sigmoid(values[k])
				first[k] = t.weight[i] * (p - targets[grade])
				second[k] = t.weight[i] * max(1e-4, p*(1-p))
			}
		}
	}
}

// opening is the cross-entropy of a softmax over the sentences of each example, with the one
// that the editor put first. The logits are the values and what quotes, the log-odds of being
// quoted, say of an opening.
func (t *table) opening(quotes []float64) trees.Loss {
	return func(values, first, second []float64) {
		for i, e := range t.examples {
			z := make([]float64, len(e.grades))
			for n := range z {
				k := t.first[i] + n
				z[n] = values[k] + float64(reading.OpeningOdds*quotes[k])
			}
			highest, sum := slices.Max(z), 0.0
			for n := range z {
				sum += math.Exp(z[n] - highest)
			}
			for n := range z {
				k := t.first[i] + n
				p := math.Exp(z[n]-highest) / sum
				target := 0.0
				if n == e.opens {
					target = 1
				}
				first[k], second[k] = t.weight[i]*(p-target), t.weight[i]*max(1e-5, p*(1-p))
			}
		}
	}
}

// score is how well values tell the grades: the AUC of extract or good against the rest, and of
// the likeliest sentences up to 100 words the shares in extract, in extract or good, and never.
type score struct{ auc, extract, good, never, opens float64 }

func scoreOf(examples []*example, values func(*example) []float64) score {
	var s score
	type pair struct {
		v    float64
		good bool
	}
	var pairs []pair
	quotes := 0.0
	for _, e := range examples {
		z := values(e)
		order := make([]int, len(z))
		for n := range z {
			order[n] = n
			pairs = append(pairs, pair{z[n], e.grades[n] >= good})
		}
		sort.SliceStable(order, func(a, b int) bool { return z[order[a]] > z[order[b]] })
		used := 0
		for _, n := range order {
			if used+e.words[n] > 100 {
				continue
			}
			used += e.words[n]
			quotes++
			switch e.grades[n] {
			case quoted:
				s.extract++
				s.good++
			case good:
				s.good++
			case never:
				s.never++
			}
		}
		if order[0] == e.opens {
			s.opens += 100 / float64(len(examples))
		}
	}
	sort.Slice(pairs, func(a, b int) bool { return pairs[a].v < pairs[b].v })
	positives, rank := 0.0, 0.0
	for i, p := range pairs {
		if p.good {
			positives++
			rank += float64(i)
		}
	}
	s.auc = (rank - positives*(positives-1)/2) / (positives * (float64(len(pairs)) - positives))
	s.extract, s.good, s.never = 100*s.extract/quotes, 100*s.good/quotes, 100*s.never/quotes
	return s
}

func (s score) String() string {
	return fmt.Sprintf("AUC %.4f  extract %4.1f  good %4.1f  never %4.1f  opens %4.1f", s.auc, s.extract, s.good, s.never, s.opens)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// Targets of the models by grade: what a quote is worth, and whether it is never to be quoted.
var (
	worth    = [4]float64{never: 0, ordinary: 0.1, good: 0.5, quoted: 1}
	notQuote = [4]float64{never: 1}
)

// Hyperparameters, chosen on the development part.
var (
	quoteParams   = trees.Params{Trees: 360, Depth: 6, Rate: 0.1, Penalty: 20, Rows: 0.5, Inputs: 0.4, Seed: 1}
	neverParams   = trees.Params{Trees: 120, Depth: 5, Rate: 0.15, Penalty: 20, Rows: 0.5, Inputs: 0.4, Seed: 2}
	openingParams = trees.Params{Trees: 100, Depth: 5, Rate: 0.1, Penalty: 20, Rows: 0.5, Inputs: 0.4, Seed: 3}
)

// sources are the files that the models learn from.
type sources struct {
	labels                    string // folder with the editors' choices
	documents, sets, subjects string // as draw writes them
	papers, meetings          string // training parts of ScisummNet and QMSum; may be empty
}

// items reads the choices and says which part each is in.
func (from sources) items() ([]*item, error) {
	var items []*item
	known := map[string]bool{}
	add := func(more []*item, err error) error {
		for _, one := range more {
			if !known[one.ID] {
				known[one.ID] = true
				items = append(items, one)
			}
		}
		return err
	}
	in := func(name string) string { return filepath.Join(from.labels, name) }
	whole := func(name string) ([]*item, error) {
		more, err := read(in(name))
		for _, one := range more {
			one.first = true
		}
		return more, err
	}
	if err := errors.Join(
		add(labelled(from.documents, in("spans.jsonl.gz"))),
		add(labelled(from.sets, in("set-spans.jsonl.gz"))),
		add(labelled(from.subjects, in("subject-spans.jsonl.gz"))),
		add(whole("first-documents.jsonl.gz")),
		add(whole("first-sets.jsonl.gz")),
		add(whole("own.jsonl.gz")),
		add(long(from.papers, in("papers.jsonl"), "paper")),
		add(long(from.meetings, in("meetings.jsonl"), "meeting")),
	); err != nil {
		return nil, err
	}
	learned := map[string]bool{} // texts
	for _, one := range items {
		if one.part = one.drawn(); one.part == training {
			for _, d := range one.Documents {
				learned[strings.TrimSpace(d.Text)] = true
			}
		}
	}
	for _, one := range items {
		if one.part != training && slices.ContainsFunc(one.Documents, func(d document) bool { return learned[strings.TrimSpace(d.Text)] }) {
			one.part = "" // a text of it is in a set on its subject, or was labelled first
		}
	}
	return items, nil
}

// corpus computes the inputs of the items, each with its titles and dates and without.
func corpus(ctx context.Context, from sources) ([]*example, error) {
	items, err := from.items()
	if err != nil {
		return nil, err
	}
	var all []*example
	for _, bare := range []bool{false, true} {
		examples, err := examplesOf(ctx, items, bare)
		if err != nil {
			return nil, err
		}
		all = append(all, examples...)
	}
	return all, nil
}

// join writes the choices of a part, with their documents.
func join(out io.Writer, from sources, part string) error {
	items, err := from.items()
	if err != nil {
		return err
	}
	w := json.NewEncoder(out)
	w.SetEscapeHTML(false)
	for _, one := range items {
		if one.part != part {
			continue
		}
		if err := w.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

// long reads papers or meetings, of which editors marked the extract and good sentences in the
// whole text. Without a path there are none.
func long(path, labels, genre string) ([]*item, error) {
	if path == "" {
		return nil, nil
	}
	texts := map[string]string{}
	if err := eachLine(path, func(d *json.Decoder) error {
		var of struct {
			ID        string
			Documents []string
		}
		err := d.Decode(&of)
		if err == nil && len(of.Documents) == 1 {
			texts[of.ID] = of.Documents[0]
		}
		return err
	}); err != nil {
		return nil, err
	}
	var items []*item
	err := eachLine(labels, func(d *json.Decoder) error {
		var of struct {
			ID            string
			Extract, Good [][2]int
		}
		if err := d.Decode(&of); err != nil {
			return err
		}
		if texts[of.ID] == "" {
			return fmt.Errorf("%s: %s is missing", path, of.ID)
		}
		one := &item{ID: of.ID, Language: "en", Genre: genre, Documents: []document{{Text: texts[of.ID]}}, first: true, noNever: true}
		for _, s := range of.Extract {
			one.Extract = append(one.Extract, span{0, s[0], s[1]})
		}
		for _, s := range of.Good {
			one.Good = append(one.Good, span{0, s[0], s[1]})
		}
		items = append(items, one)
		return nil
	})
	return items, err
}

// train trains the models of method editor on the training part.
func train(ctx context.Context, from sources, out string) error {
	examples, err := corpus(ctx, from)
	if err != nil {
		return err
	}
	learned := slices.DeleteFunc(slices.Clone(examples), func(e *example) bool { return e.item.part != training })
	t, opening := tableOf(learned, setWeight), tableOf(learned, setWeightOpening)
	fmt.Fprintf(os.Stderr, "%d examples, %d sentences\n", len(t.examples), t.first[len(t.examples)])
	d, err := trees.NewData(t.x, reading.Inputs)
	if err != nil {
		return err
	}
	quote, err := d.Train(ctx, logit(0.3), t.pointwise(worth), quoteParams)
	if err != nil {
		return err
	}
	never, err := d.Train(ctx, logit(0.4), t.pointwise(notQuote), neverParams)
	if err != nil {
		return err
	}
	opens, err := d.Train(ctx, 0, opening.opening(quote.Values(t.x)), openingParams)
	if err != nil {
		return err
	}
	f := reading.Forests{Quote: *quote, Never: *never, Opening: *opens}
	data, err := trees.Encode([]forest.Forest{f.Quote, f.Never, f.Opening})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d bytes\n", len(data))
	report(examples, &f)
	return os.WriteFile(out, data, 0o644)
}

// report prints the scores on the development part.
func report(examples []*example, f *reading.Forests) {
	for _, bare := range []bool{false, true} {
		for _, several := range []bool{false, true} {
			var of []*example
			for _, e := range examples {
				if e.item.part == development && e.bare == bare && (len(e.item.Documents) > 1) == several {
					of = append(of, e)
				}
			}
			fmt.Fprintf(os.Stderr, "several %-5v bare %-5v: %v; by opening %.1f\n", several, bare, scoreOf(of, func(e *example) []float64 { return f.Judge(e.features).Quote }), scoreOf(of, func(e *example) []float64 { return f.Judge(e.features).Opening }).opens)
		}
	}
}
