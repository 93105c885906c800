package evaluate

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/eval/rouge"
)

// Tally gathers outcomes.
type Tally struct {
	methods  []string
	clusters int
	leftOut  int
	// scores[method][measure] has a value for each cluster, measures counted
	// recall, precision, F1 of each of the ROUGE metrics.
	scores [][][]float64
	sums   []Result // of all but the scores
}

const perMetric = 3 // recall, precision, F1

// NewTally gathers the outcomes of these methods.
func NewTally(methods []Method) *Tally {
	t := &Tally{scores: make([][][]float64, len(methods)), sums: make([]Result, len(methods))}
	for i, m := range methods {
		t.methods = append(t.methods, m.Name)
		t.scores[i] = make([][]float64, perMetric*rouge.Metrics)
	}
	return t
}

// Add takes an outcome in. It refuses one of another number of methods.
func (t *Tally) Add(o *Outcome) error {
	if o.LeftOut != "" {
		t.leftOut++
		return nil
	}
	if len(o.Results) != len(t.methods) {
		return fmt.Errorf("%w: results of %d methods, want %d", ErrOptions, len(o.Results), len(t.methods))
	}
	t.clusters++
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
	}
	return nil
}

// Records counts the outcomes so far.
func (t *Tally) Records() int { return t.clusters + t.leftOut }

// LeftOut counts the outcomes that take no part.
func (t *Tally) LeftOut() int { return t.leftOut }

// Setting says how a report came about; all of it is part of what is put out.
type Setting struct {
	Dataset string // its name
	Encoder string
	Weights []string // of the methods that go by some
	Budget  int      // in words
	ROUGE   rouge.Options
	// WholeText: ROUGE-L took each text for one line.
	WholeText bool
	// Translated: summaries and references were translated before.
	Translated bool
	Resamples  int
	Seed       uint64
	// Partial: the run ended before the corpus did.
	Partial bool
	// Time: put out the time per cluster, which differs from run to run.
	Time bool
}

// Report is a table of methods.
type Report struct {
	Setting
	// Clusters were evaluated, LeftOut records were not.
	Clusters, LeftOut int
	Rows              []Row
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
}

// Aggregate are means over the clusters with their 95 % bootstrap intervals,
// all in 0..1.
type Aggregate struct{ Recall, Precision, F1 rouge.Interval }

// Report computes the table. The same outcomes, resamples and seed give the
// same figures. Where no cluster was evaluated, they are all 0.
func (t *Tally) Report(s Setting) *Report {
	report := &Report{Setting: s, Clusters: t.clusters, LeftOut: t.leftOut, Rows: make([]Row, len(t.methods))}
	var jobs []func()
	for i := range report.Rows {
		row := &report.Rows[i]
		row.Method, row.P = t.methods[i], 1
		if t.clusters == 0 {
			continue
		}
		n := float64(t.clusters)
		row.Words, row.Redundancy = float64(t.sums[i].Words)/n, t.sums[i].Redundancy/n
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

// Best is the index of the row with the highest ROUGE-2 recall, the first of
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
