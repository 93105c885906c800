package evaluate

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/rouge"
)

// Tally collects outcomes.
type Tally struct {
	methods  []string
	clusters int
	leftOut  int
	// scores[method][measure] has a value per cluster; the measures are recall,
	// precision and F1 of each ROUGE metric.
	scores [][][]float64
	sums   []Result // of everything but the scores, the quotes and the faults
	quotes []Quotes // sums
	// readings are sums, reference that of the first references.
	readings  []Reading
	reference Reading
}

const perMetric = 3 // recall, precision, F1

// NewTally returns a tally for these methods.
func NewTally(methods []Method) *Tally {
	n := len(methods)
	t := &Tally{scores: make([][][]float64, n), sums: make([]Result, n), quotes: make([]Quotes, n), readings: make([]Reading, n)}
	for i, m := range methods {
		t.methods = append(t.methods, m.Name)
		t.scores[i] = make([][]float64, perMetric*rouge.Metrics)
	}
	return t
}

// Add adds an outcome, which must have as many results as there are methods.
func (t *Tally) Add(o *Outcome) error {
	if o.LeftOut != "" {
		t.leftOut++
		return nil
	}
	if len(o.Results) != len(t.methods) {
		return fmt.Errorf("%w: got results of %d methods, want %d", ErrOptions, len(o.Results), len(t.methods))
	}
	t.clusters++
	if o.ReferenceReading != nil {
		t.reference.add(o.ReferenceReading)
	}
	for i, r := range o.Results {
		for m, s := range r.ROUGE {
			for k, v := range [perMetric]float64{s.Recall, s.Precision, s.F1} {
				t.scores[i][perMetric*m+k] = append(t.scores[i][perMetric*m+k], v)
			}
		}
		t.sums[i].Words += r.Words
		t.sums[i].Redundancy += r.Redundancy
		t.sums[i].Coverage += r.Coverage
		t.sums[i].Seconds += r.Seconds
		if r.Reading != nil {
			t.readings[i].add(r.Reading)
		}
		if q := r.Quotes; q != nil {
			t.quotes[i].All += q.All
			t.quotes[i].Extract += q.Extract
			t.quotes[i].Good += q.Good
			t.quotes[i].Never += q.Never
			t.quotes[i].First += q.First
		}
	}
	return nil
}

// Records returns the number of outcomes so far.
func (t *Tally) Records() int { return t.clusters + t.leftOut }

// LeftOut returns the number of outcomes that are left out.
func (t *Tally) LeftOut() int { return t.leftOut }

// Setting describes how a report was computed; all of it is written out.
type Setting struct {
	Dataset string // its name
	Encoder string
	Weights []string // of the methods that use weights
	Budget  core.Budget
	ROUGE   rouge.Options
	// WholeText: ROUGE-L treated each text as one line.
	WholeText bool
	// Translated: summaries and references were translated for scoring.
	Translated bool
	Resamples  int
	Seed       uint64
	// Partial: the run was interrupted.
	Partial bool
	// Editor is the name of the file of an editor's choices; empty if there was none.
	Editor string
	// Reading: report the faults of the quotes.
	Reading bool
	// Time: report the time per cluster, which varies between runs.
	Time bool
}

// Report is a table of methods.
type Report struct {
	Setting
	// Clusters were evaluated, LeftOut records were not.
	Clusters, LeftOut int
	Rows              []Row
	// ReferenceReading counts the faults of the first references.
	ReferenceReading Reading
}

// Row is one method.
type Row struct {
	Method string
	ROUGE  [rouge.Metrics]Aggregate
	// P is the two-sided p of the paired bootstrap test that the mean ROUGE-2
	// recall differs from the first row's; 1 in the first row.
	P float64
	// Means over the clusters; see [Result]. Seconds per cluster.
	Words, Redundancy, Coverage, Seconds float64
	// Quotes are the sums over the clusters; see [Setting].Editor.
	Quotes Quotes
	// Reading has the sums over the clusters of the counts, and the means of the shares.
	Reading Reading
}

// Aggregate holds means over the clusters with 95 % bootstrap intervals, all in
// 0..1.
type Aggregate struct{ Recall, Precision, F1 rouge.Interval }

// Report computes the table. It is deterministic in the outcomes, resamples and
// seed. Without any cluster all figures are 0.
func (t *Tally) Report(s Setting) *Report {
	report := &Report{Setting: s, Clusters: t.clusters, LeftOut: t.leftOut, Rows: make([]Row, len(t.methods)), ReferenceReading: t.reference}
	var jobs []func()
	for i := range report.Rows {
		row := &report.Rows[i]
		row.Method, row.P, row.Quotes = t.methods[i], 1, t.quotes[i]
		if t.clusters == 0 {
			continue
		}
		n := float64(t.clusters)
		row.Words, row.Redundancy = float64(t.sums[i].Words)/n, t.sums[i].Redundancy/n
		row.Reading = t.readings[i]
		row.Reading.Unused /= n
		row.Reading.First /= n
		row.Coverage, row.Seconds = t.sums[i].Coverage/n, t.sums[i].Seconds/n
		for m := range row.ROUGE {
			a := &row.ROUGE[m]
			for k, to := range [perMetric]*rouge.Interval{&a.Recall, &a.Precision, &a.F1} {
				values := t.scores[i][perMetric*m+k]
				jobs = append(jobs, func() { *to = rouge.Bootstrap(values, s.Resamples, s.Seed) })
			}
		}
		if i > 0 {
			const recall2 = perMetric * rouge.ROUGE2
			jobs = append(jobs, func() {
				row.P = rouge.PairedP(t.scores[i][recall2], t.scores[0][recall2], s.Resamples, s.Seed)
			})
		}
	}
	var wg sync.WaitGroup
	queue := make(chan func())
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for job := range queue {
				job()
			}
		})
	}
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	wg.Wait()
	return report
}

// Best returns the index of the row with the highest ROUGE-2 recall, the first of
// equal ones.
func (r *Report) Best() int {
	best := 0
	for i := range r.Rows {
		if r.Rows[i].ROUGE[rouge.ROUGE2].Recall.Mean > r.Rows[best].ROUGE[rouge.ROUGE2].Recall.Mean {
			best = i
		}
	}
	return best
}
