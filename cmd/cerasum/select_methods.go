package main

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/lexical"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/core/text"
)

// selectMethod is a method of package selection as the select command runs it.
type selectMethod struct {
	name string
	// centroid says that the input must hold a centroid; the others make
	// theirs, the mean of all embeddings.
	centroid bool
	// embeddings says that the input must hold embeddings.
	embeddings bool
	// ranked says that sentences are put out in the order in which they were
	// taken, not in reading order.
	ranked bool
	run    func(context.Context, *selection.Problem, selection.Params) (selection.Result, error)
}

// selectMethods, the default first.
var selectMethods = []selectMethod{
	{name: "bs+gs", centroid: true, embeddings: true, run: selection.Select},
	{name: "bs", centroid: true, embeddings: true, run: func(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
		params.Candidates = 0
		return selection.Select(ctx, p, params)
	}},
	{name: "gholipour", embeddings: true, ranked: true, run: selection.Gholipour},
	{name: "lamsiyah", embeddings: true, ranked: true, run: byBudget(selection.Lamsiyah)},
	{name: "rossiello", embeddings: true, ranked: true, run: byBudget(selection.Rossiello)},
	{name: "radev", embeddings: true, ranked: true, run: byBudget(selection.Radev)},
	{name: "lexrank", embeddings: true, ranked: true, run: byBudget(selection.LexRank)},
	{name: "textrank", ranked: true, run: selectTextRank},
	{name: "mmr", embeddings: true, ranked: true, run: byBudget(selection.MMR)},
	{name: "lead", ranked: true, run: byBudget(selection.Lead)},
}

func selectMethodNames() []string {
	names := make([]string, len(selectMethods))
	for i, m := range selectMethods {
		names[i] = m.name
	}
	return names
}

// lookUpSelectMethod finds a method by name, or nil.
func lookUpSelectMethod(name string) *selectMethod {
	for i := range selectMethods {
		if selectMethods[i].name == name {
			return &selectMethods[i]
		}
	}
	return nil
}

// defaults are the parameters where a line names none.
func (m *selectMethod) defaults() selection.Params {
	p := selection.PaperParams()
	if m.name == "gholipour" {
		p.Preselect = selection.All
	}
	return p
}

// choose runs the method on a problem, with the mean centroid where the input
// need not hold one.
func (m *selectMethod) choose(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
	if !m.centroid {
		p.Centroid = centroid.Mean(p.Rows)
	}
	return m.run(ctx, p, params)
}

func byBudget(f func(context.Context, *selection.Problem, int) (selection.Result, error)) func(context.Context, *selection.Problem, selection.Params) (selection.Result, error) {
	return func(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
		return f(ctx, p, params.Budget)
	}
}

// selectTextRank counts words as core does: stems that are no stop words, in
// the language that each document is told to be in.
func selectTextRank(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
	c := &cluster.Cluster{}
	last := -1
	for k, r := range p.Refs {
		if r.Document != last {
			c.Documents = append(c.Documents, cluster.Document{})
			last = r.Document
		}
		d := &c.Documents[len(c.Documents)-1]
		d.Sentences = append(d.Sentences, cluster.Sentence{Text: p.Texts[k]})
	}
	for i := range c.Documents {
		var all strings.Builder
		for _, s := range c.Documents[i].Sentences {
			all.WriteString(s.Text)
			all.WriteByte('\n')
		}
		c.Documents[i].Language = text.Detect(all.String())
	}
	read, err := lexical.Analyze(ctx, c)
	if err != nil {
		return selection.Result{}, err
	}
	return selection.TextRank(ctx, p, read.Words(), params.Budget)
}
