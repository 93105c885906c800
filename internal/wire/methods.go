package wire

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// Method is a method of package selection.
type Method struct {
	Name string
	// centroid says that the input must have a centroid. The other methods use
	// the mean of all embeddings.
	centroid bool
	// embeddings says that the input must have embeddings.
	embeddings bool
	// ranked says that the output is in the order of selection instead of
	// reading order.
	ranked bool
	run    func(context.Context, *selection.Problem, selection.Params) (selection.Result, error)
}

// Methods lists all methods, the default first.
var Methods = []Method{
	{Name: "bs+gs", centroid: true, embeddings: true, run: selection.Select},
	{Name: "bs", centroid: true, embeddings: true, run: func(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
		params.Patience = 0
		return selection.Select(ctx, p, params)
	}},
	{Name: "gholipour", embeddings: true, ranked: true, run: selection.Gholipour},
	{Name: "lamsiyah", embeddings: true, ranked: true, run: byBudget(selection.Lamsiyah)},
	{Name: "rossiello", embeddings: true, ranked: true, run: byBudget(selection.Rossiello)},
	{Name: "radev", embeddings: true, ranked: true, run: byBudget(selection.Radev)},
	{Name: "lexrank", embeddings: true, ranked: true, run: byBudget(selection.LexRank)},
	{Name: "textrank", ranked: true, run: selectTextRank},
	{Name: "mmr", embeddings: true, ranked: true, run: byBudget(selection.MMR)},
	{Name: "lead", ranked: true, run: byBudget(selection.Lead)},
}

// MethodNames are the names of Methods, in their order.
func MethodNames() []string {
	names := make([]string, len(Methods))
	for i, m := range Methods {
		names[i] = m.Name
	}
	return names
}

// LookUp finds a method by name, or nil.
func LookUp(name string) *Method {
	for i := range Methods {
		if Methods[i].Name == name {
			return &Methods[i]
		}
	}
	return nil
}

// defaults are the parameters for an input that sets none.
func (m *Method) defaults() selection.Params {
	p := selection.PaperParams()
	if m.Name == "gholipour" {
		p.Preselect = selection.All
	}
	return p
}

// choose runs the method on a problem, with the mean centroid unless the method
// requires one in the input.
func (m *Method) choose(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
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

// selectTextRank counts words as core does: stems without stop words, in the
// language detected for each document.
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
