package blind

import (
	"math"
	"slices"

	"github.com/cerasum/cerasum/eval/rouge"
)

// Interval is a mean over clusters with its 95 % bootstrap interval.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Table has the ratings of one set, or of all.
type Table struct {
	// Set is empty for all sets.
	Set string `json:"set,omitempty"`
	// Clusters is the number of clusters with ratings, Ratings that of ratings, Missing
	// that of candidates that a reader of other candidates of the cluster left out or
	// that nobody rated.
	Clusters int      `json:"clusters"`
	Ratings  int      `json:"ratings"`
	Missing  int      `json:"missing"`
	Readers  []string `json:"readers"`
	// Agreement is the mean difference of two readers' O of the same candidate; nil if
	// no candidate has two readers.
	Agreement *float64 `json:"agreement,omitempty"`
	Against   string   `json:"against,omitempty"`
	Rows      []*Row   `json:"rows"`
}

// Row has the ratings of one name.
type Row struct {
	Name     string `json:"name"`
	Clusters int    `json:"clusters"`
	Ratings  int    `json:"ratings"`
	// Means by RatingColumns: of the clusters' means over their readers.
	Means map[string]Interval `json:"means"`
	// Differences to Table.Against, by RatingColumns: the means over the clusters of the
	// differences within a reader's sheet, and p that O does not differ. Nil for that
	// row itself and where no reader rated both.
	Differences map[string]Interval `json:"differences,omitempty"`
	Paired      int                 `json:"paired,omitempty"` // clusters
	P           *float64            `json:"p,omitempty"`
	// Per100 is the number of quotes counted, per 100, by CountColumns; columns that
	// nobody counted are absent. Quotes is the number of quotes read, by column.
	Per100 map[string]float64 `json:"per_100_quotes,omitempty"`
	Quotes map[string]int     `json:"quotes,omitempty"`
}

// Options of [Readings.Tabulate].
type Options struct {
	// Against is the name that the others are compared with; empty: none.
	Against   string
	Resamples int
	Seed      uint64
}

// Names returns the names of all keys, in their order.
func (a *Readings) Names() []string {
	var names []string
	for _, k := range a.Keys {
		for _, n := range k.Names {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// Tabulate returns the table of all sets and, if there are several, of each.
func (a *Readings) Tabulate(o Options) []*Table {
	tables := []*Table{a.table("", a.Keys, o)}
	var sets []string
	for _, k := range a.Keys {
		if !slices.Contains(sets, k.Set) {
			sets = append(sets, k.Set)
		}
	}
	if len(sets) > 1 {
		for _, set := range sets {
			var keys []*Key
			for _, k := range a.Keys {
				if k.Set == set {
					keys = append(keys, k)
				}
			}
			tables = append(tables, a.table(set, keys, o))
		}
	}
	return tables
}

func (a *Readings) table(set string, keys []*Key, o Options) *Table {
	t := &Table{Set: set, Against: o.Against}
	var clusters []*KeyCluster
	for _, k := range keys {
		for _, s := range k.Sheets {
			clusters = append(clusters, s.Clusters...)
		}
	}
	gaps, pairs := 0.0, 0
	for _, c := range clusters {
		readers := map[string]bool{}
		rated := 0
		for _, candidate := range c.Candidates {
			list := a.ratings[candidate]
			rated += len(list)
			for i, r := range list {
				readers[r.Reader] = true
				if !slices.Contains(t.Readers, r.Reader) {
					t.Readers = append(t.Readers, r.Reader)
				}
				for _, other := range list[:i] {
					gaps += max(r.Values[overall]-other.Values[overall], other.Values[overall]-r.Values[overall])
					pairs++
				}
			}
		}
		t.Ratings += rated
		t.Missing += max(1, len(readers))*len(c.Candidates) - rated
		if rated > 0 {
			t.Clusters++
		}
	}
	slices.Sort(t.Readers)
	if pairs > 0 {
		gap := rounded(gaps / float64(pairs))
		t.Agreement = &gap
	}
	for _, name := range a.Names() {
		if row := a.row(name, clusters, o); row.Ratings > 0 {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// of returns the candidate of a name, nil if the cluster has none.
func (c *KeyCluster) of(name string) *KeyCandidate {
	for _, candidate := range c.Candidates {
		if slices.Contains(candidate.Names, name) {
			return candidate
		}
	}
	return nil
}

func (a *Readings) row(name string, clusters []*KeyCluster, o Options) *Row {
	row := &Row{Name: name, Means: map[string]Interval{}, Per100: map[string]float64{}, Quotes: map[string]int{}}
	var values, differences [numRating][]float64
	var counted, quotes [numCount]int
	for _, c := range clusters {
		candidate := c.of(name)
		if candidate == nil || len(a.ratings[candidate]) == 0 {
			continue
		}
		list := a.ratings[candidate]
		row.Clusters++
		row.Ratings += len(list)
		for i, v := range meanOf(list) {
			values[i] = append(values[i], v)
		}
		for _, r := range list {
			for i, n := range r.Counts {
				if n >= 0 {
					counted[i] += n
					quotes[i] += candidate.Quotes
				}
			}
		}
		if other := c.of(o.Against); other != nil && name != o.Against {
			if d, ok := difference(list, a.ratings[other]); ok {
				for i, v := range d {
					differences[i] = append(differences[i], v)
				}
			}
		}
	}
	for i, column := range RatingColumns {
		row.Means[column] = interval(values[i], o)
	}
	for i, column := range CountColumns {
		if quotes[i] > 0 {
			row.Per100[column], row.Quotes[column] = rounded(100*float64(counted[i])/float64(quotes[i])), quotes[i]
		}
	}
	if row.Paired = len(differences[overall]); row.Paired > 0 {
		row.Differences = map[string]Interval{}
		for i, column := range RatingColumns {
			row.Differences[column] = interval(differences[i], o)
		}
		p := rounded(rouge.PairedP(differences[overall], make([]float64, row.Paired), o.Resamples, o.Seed))
		row.P = &p
	}
	return row
}

func interval(values []float64, o Options) Interval {
	i := rouge.Bootstrap(values, o.Resamples, o.Seed)
	return Interval{rounded(i.Mean), rounded(i.Low), rounded(i.High)}
}

func rounded(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// meanOf returns the means over the readers.
func meanOf(list []Rating) [numRating]float64 {
	var sum [numRating]float64
	for _, r := range list {
		for i, v := range r.Values {
			sum[i] += v / float64(len(list))
		}
	}
	return sum
}

// difference returns the mean of a minus b over the readers of both: readers differ in
// how strictly they rate, so that only ratings of the same one are compared.
func difference(a, b []Rating) (mean [numRating]float64, ok bool) {
	n := 0.0
	for _, r := range a {
		for _, other := range b {
			if r.Reader == other.Reader {
				n++
				for i := range mean {
					mean[i] += r.Values[i] - other.Values[i]
				}
			}
		}
	}
	if n == 0 {
		return mean, false
	}
	for i := range mean {
		mean[i] /= n
	}
	return mean, true
}
