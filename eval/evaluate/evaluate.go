// Package evaluate runs methods on a corpus and tabulates their scores.
//
// Start with [Run], which returns an [Outcome] for each cluster, in order, and
// [Tally], which collects them into a [Report] with methods for tables, JSON and
// the plot.
package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/text"
)

// Method is a summarization method under evaluation: one row of the table.
type Method struct {
	// Name in the table.
	Name string
	// Options select the method; [Run] sets the budget and the references.
	Options core.Options
	// UseQuery replaces the query of the options by the cluster's. Clusters without
	// one are then left out, for all methods.
	UseQuery bool
}

// Options of [Run].
type Options struct {
	Methods []Method
	// Budget of each summary. Published figures count core.PaperWords.
	Budget core.Budget
	// Language of documents that do not specify one, an ISO 639-1 code; empty
	// detects it per document.
	Language string
	// ROUGE options for scoring summaries.
	ROUGE rouge.Options
	// WholeText scores ROUGE-L on each summary as one line, as for the paper's
	// figures, instead of one line per sentence. Other measures are unaffected.
	WholeText bool
	// Workers is the number of parallel workers; 0 means one per processor.
	Workers int
	// Choices, if set, are an editor's choices by cluster id, to compare the quotes
	// with. Clusters without one are left out.
	Choices map[string]*dataset.Choice
	// Reading also counts the faults of the quotes; see [Reading].
	Reading bool
	// Limit of records, 0 means all; Skip is the number already done.
	Limit, Skip int
	// Translate, if set, returns a translation of each line. References and
	// summaries are then scored in translation, and budget and redundancy use the
	// translated sentences. It is called from one goroutine, with many lines at a
	// time and without repetition.
	Translate func(ctx context.Context, lines []string) ([]string, error)
	// Encoder computes embeddings; nil: methods use words only. It must be safe for
	// concurrent use. EncoderLanguages are its languages, nil for all; see
	// core.Embeddings.
	Encoder          Encoder
	EncoderLanguages []string
	// Outcome is called with the outcome of each record, in order, on the calling
	// goroutine. Its error ends the run.
	Outcome func(*Outcome) error
}

// Outcome is the result for one record of the corpus.
type Outcome struct {
	// Record is the number of the record, from 1.
	Record int `json:"record"`
	// ID of the cluster, if there was one.
	ID string `json:"id,omitempty"`
	// LeftOut is the reason why the record was left out; empty if it was not.
	LeftOut string `json:"left_out,omitempty"`
	// Results by method.
	Results []Result `json:"results,omitempty"`
	// ReferenceReading counts the faults of the first reference, for comparison; it has
	// no shares.
	ReferenceReading *Reading `json:"reference_reading,omitempty"`

	// Summaries, by method, and References, as lines, as they were scored. They
	// are not saved.
	Summaries  [][]string `json:"-"`
	References [][]string `json:"-"`
}

// Result of one method on one cluster.
type Result struct {
	ROUGE [rouge.Metrics]rouge.Score `json:"rouge"`
	// Words of the summary, in core.PaperWords.
	Words int `json:"words"`
	// Redundancy, in 0..1; see [Redundancy].
	Redundancy float64 `json:"redundancy"`
	// Coverage, in 0..1, is the mean over the documents of the share of each that
	// the summary covers; see core.DocumentReport.
	Coverage float64 `json:"coverage"`
	// Quotes compares the summary with the editor's choice, if there is one.
	Quotes *Quotes `json:"quotes,omitempty"`
	// Reading counts the faults of the quotes, if [Options].Reading is set.
	Reading *Reading `json:"reading,omitempty"`
	// Seconds for summarizing, without sentence splitting and embeddings.
	Seconds float64 `json:"seconds"`
}

// Quotes counts the sentences of a summary, and those of them that the editor quoted
// (Extract), quoted or called good (Good), and would never quote. First is 1 if the
// first sentence is among Good.
type Quotes struct {
	All     int `json:"all"`
	Extract int `json:"extract"`
	Good    int `json:"good"`
	Never   int `json:"never"`
	First   int `json:"first"`
}

// compare counts the sentences that are in the choice.
func compare(s *core.Summary, c *dataset.Choice) *Quotes {
	q := &Quotes{All: len(s.Sentences)}
	for i, quoted := range s.Sentences {
		span := dataset.Span{Document: quoted.Document, Start: quoted.StartUTF16, End: quoted.EndUTF16}
		switch extract := span.In(c.Extract); {
		case extract || span.In(c.Good):
			q.Good++
			if extract {
				q.Extract++
			}
			if i == 0 {
				q.First = 1
			}
		case span.In(c.Never):
			q.Never++
		}
	}
	return q
}

// errNoChoice: the editor has no choice for the cluster.
var errNoChoice = errors.New("no editor's choice")

// translateBatch is the number of clusters translated at once: starting a
// translator may be slow.
const translateBatch = 256

// ErrOptions is wrapped by errors about Options.
var ErrOptions = errors.New("bad evaluation option")

func (o *Options) check() error {
	switch {
	case len(o.Methods) == 0:
		return fmt.Errorf("%w: no methods", ErrOptions)
	case o.Budget == core.Budget{}:
		return fmt.Errorf("%w: no budget", ErrOptions)
	case o.Workers < 0 || o.Limit < 0 || o.Skip < 0:
		return fmt.Errorf("%w: workers %d, limit %d, skip %d: want 0 or more", ErrOptions, o.Workers, o.Limit, o.Skip)
	}
	if err := (&core.Options{Budget: o.Budget}).Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	for _, m := range o.Methods {
		if info, _ := core.Method(m.Options.Method); m.UseQuery && !info.Query {
			return fmt.Errorf("%w: method %s does not support queries", ErrOptions, m.Name)
		}
	}
	if o.Encoder == nil {
		for _, m := range o.Methods {
			if info, _ := core.Method(m.Options.Method); info.Embeddings == core.EmbeddingsRequired || m.Options.DenseWeight != nil {
				return fmt.Errorf("%w: method %s requires an encoder", ErrOptions, m.Name)
			}
		}
	}
	return nil
}

// Run summarizes the clusters of a corpus with each method and scores the summaries
// against the references. Bad records, and clusters with nothing to summarize,
// become outcomes that are left out. Run returns nil at the end of the corpus,
// ctx.Err(), Outcome's error, or an error that would affect every cluster; earlier
// outcomes remain valid. Memory holds a few clusters per worker, or a batch when
// translating.
func Run(ctx context.Context, r dataset.Reader, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	tasks := make(chan *task)
	order := make(chan *task, 4*workers)
	var wg sync.WaitGroup
	var final error // of the corpus; read after order is closed
	wg.Go(func() {
		defer close(order)
		defer close(tasks)
		final = o.produce(ctx, r, func(t *task) bool {
			select {
			case order <- t:
			case <-ctx.Done():
				return false
			}
			if t.cluster == nil {
				return true
			}
			select {
			case tasks <- t:
				return true
			case <-ctx.Done():
				t.done <- done{err: ctx.Err()}
				return false
			}
		})
	})
	for range workers {
		wg.Go(func() {
			w := worker{Options: &o, scorer: rouge.NewScorer(o.ROUGE), faults: newFaultCounter()}
			for t := range tasks {
				out, err := w.run(ctx, t)
				t.done <- done{out, err}
			}
		})
	}
	err := o.collect(order)
	cancel()
	for range order {
		// Tasks after the failure are dropped.
	}
	wg.Wait()
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case err != nil:
		return err
	}
	return final
}

// collect returns the outcomes in the order of the records.
func (o *Options) collect(order <-chan *task) error {
	for t := range order {
		d := <-t.done
		if d.err != nil {
			return d.err
		}
		if o.Outcome == nil {
			continue
		}
		if err := o.Outcome(d.outcome); err != nil {
			return err
		}
	}
	return nil
}

// task is a record in progress. done holds one value.
type task struct {
	record     int
	cluster    *dataset.Cluster // nil if the record is bad
	documents  cluster.Cluster
	references [][]string
	// translated maps lines to their translations; nil without translation.
	translated map[string]string
	done       chan done
}

type done struct {
	outcome *Outcome
	err     error
}

func (t *task) leaveOut(why error) {
	out := &Outcome{Record: t.record, LeftOut: why.Error()}
	if t.cluster != nil {
		out.ID = t.cluster.ID
	}
	t.cluster = nil
	t.done <- done{outcome: out}
}

// produce reads records and sends them until send returns false.
func (o *Options) produce(ctx context.Context, r dataset.Reader, send func(*task) bool) error {
	batch := 1
	if o.Translate != nil {
		batch = translateBatch
	}
	for record := 1; ; {
		var list []*task
		var end error
		for len(list) < batch && end == nil {
			if o.Limit > 0 && record > o.Limit {
				end = io.EOF
				break
			}
			c, err := r.Next()
			var bad *dataset.Error
			if err != nil && !errors.As(err, &bad) {
				end = err
				break
			}
			if record > o.Skip {
				t := &task{record: record, cluster: c, done: make(chan done, 1)}
				if err != nil {
					t.leaveOut(err)
				}
				list = append(list, t)
			}
			record++
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if o.Translate != nil {
			if err := o.translate(ctx, list); err != nil {
				return err
			}
		}
		for _, t := range list {
			if !send(t) {
				return ctx.Err()
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// prepare splits the documents and the references of a task, once for all methods.
// An error other than the context's concerns this cluster only.
func (o *Options) prepare(ctx context.Context, t *task) error {
	if t.references != nil {
		return nil
	}
	if strings.TrimSpace(t.cluster.Query) == "" && slices.ContainsFunc(o.Methods, func(m Method) bool { return m.UseQuery }) {
		return dataset.ErrNoQuery
	}
	if o.Choices != nil && o.Choices[t.cluster.ID] == nil {
		return errNoChoice
	}
	t.documents.Documents = t.cluster.Documents
	for i := range t.documents.Documents {
		if d := &t.documents.Documents[i]; d.Language == "" {
			d.Language = o.Language
		}
	}
	if err := core.Prepare(ctx, t.documents.Documents); err != nil {
		return err
	}
	language := o.language(t)
	for _, reference := range t.cluster.References {
		if text.CountWords(reference) == 0 {
			return fmt.Errorf("%w: no words", dataset.ErrEmptyReference)
		}
		t.references = append(t.references, Lines(reference, language))
	}
	return nil
}

// language is that of the references: the one given, or else the first document's.
func (o *Options) language(t *task) string {
	return cmp.Or(o.Language, t.documents.Documents[0].Language)
}

// translate translates the sentences and references of the tasks.
func (o *Options) translate(ctx context.Context, list []*task) error {
	table := map[string]string{}
	var lines []string
	want := func(line string) {
		if _, ok := table[line]; !ok {
			table[line] = ""
			lines = append(lines, line)
		}
	}
	for _, t := range list {
		if t.cluster == nil {
			continue
		}
		if err := o.prepare(ctx, t); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.leaveOut(err)
			continue
		}
		t.translated = table
		for _, r := range t.documents.Refs() {
			want(text.OneLine(t.documents.At(r).Text))
		}
		for _, reference := range t.references {
			for _, line := range reference {
				want(line)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	answers, err := o.Translate(ctx, lines)
	if err != nil {
		return err
	}
	if len(answers) != len(lines) {
		return fmt.Errorf("want %d translations, got %d", len(lines), len(answers))
	}
	for i, line := range lines {
		table[line] = answers[i]
	}
	return nil
}

// worker summarizes and scores.
type worker struct {
	*Options
	scorer *rouge.Scorer
	faults *faultCounter
}

func (w *worker) run(ctx context.Context, t *task) (*Outcome, error) {
	out := &Outcome{Record: t.record, ID: t.cluster.ID}
	if err := w.prepare(ctx, t); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out.LeftOut = err.Error()
		return out, nil
	}
	start := time.Now()
	session, err := core.Open(ctx, t.documents.Documents, core.OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	opening := time.Since(start)
	embedded := embeddings{encoder: w.Encoder, languages: w.EncoderLanguages}
	refs := t.documents.Refs()
	for _, reference := range t.references {
		out.References = append(out.References, w.scored(t, reference))
	}
	if w.Reading {
		out.ReferenceReading = w.faults.lines(t.references[0], w.language(t))
	}
	for _, m := range w.Methods {
		options := m.Options
		options.Budget = w.Budget
		options.References = t.cluster.References
		if m.UseQuery {
			options.Query = t.cluster.Query
		}
		if err := embedded.add(ctx, session, &options); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("cluster %s: %w", t.cluster.ID, err)
		}
		if t.translated != nil {
			options.Translations = make([]string, len(refs))
			for k, r := range refs {
				options.Translations[k] = t.translated[text.OneLine(t.documents.At(r).Text)]
			}
		}
		start := time.Now()
		s, err := session.Summarize(ctx, options)
		seconds := (opening + time.Since(start)).Seconds()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, core.ErrNoText):
			return &Outcome{Record: t.record, ID: t.cluster.ID, LeftOut: err.Error()}, nil
		case err != nil:
			return nil, fmt.Errorf("cluster %s: method %s: %w", t.cluster.ID, m.Name, err)
		}
		var lines []string
		for _, q := range s.Sentences {
			lines = append(lines, text.OneLine(q.Text))
		}
		result := Result{Redundancy: Redundancy(lines), Seconds: seconds}
		if c := w.Choices[t.cluster.ID]; c != nil {
			result.Quotes = compare(s, c)
		}
		lines = w.scored(t, lines)
		for _, line := range lines {
			result.Words += text.CountWords(line)
		}
		if w.Reading {
			result.Reading = w.faults.summary(s, t.documents.Documents, t.references)
		}
		for _, d := range s.Documents {
			result.Coverage += d.Coverage / float64(len(s.Documents))
		}
		if result.ROUGE, err = w.scorer.Score(lines, out.References); err != nil {
			return &Outcome{Record: t.record, ID: t.cluster.ID, LeftOut: err.Error()}, nil
		}
		out.Results = append(out.Results, result)
		out.Summaries = append(out.Summaries, lines)
	}
	return out, nil
}

// scored returns the lines to score: translated if required, and joined into one
// line for WholeText.
func (w *worker) scored(t *task, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line
		if t.translated != nil {
			out[i] = t.translated[line]
		}
	}
	if w.WholeText {
		return []string{strings.Join(out, " ")}
	}
	return out
}

// Lines splits a reference summary into its lines, and each line into its
// sentences. No word is lost: text between two sentences belongs to the second.
func Lines(reference, language string) []string {
	var lines []string
	add := func(s string) {
		if s = text.OneLine(s); s != "" {
			lines = append(lines, s)
		}
	}
	for line := range strings.Lines(reference) {
		start := 0
		sentences := text.Split(line, language)
		for i, s := range sentences {
			end := s.End
			if i == len(sentences)-1 {
				end = len(line)
			}
			add(line[start:end])
			start = end
		}
		add(line[start:])
	}
	return lines
}
