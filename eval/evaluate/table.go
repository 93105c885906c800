package evaluate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/rouge"
)

// tabled are the metrics in the table and in the plot; JSON has all.
var tabled = []struct {
	metric int
	short  string
}{{rouge.ROUGE1, "R1"}, {rouge.ROUGE2, "R2"}, {rouge.ROUGEL, "RL"}, {rouge.ROUGESU4, "SU4"}}

// arguments returns the equivalent arguments of the official script.
func (s *Setting) arguments() string {
	a := "-n 4"
	if s.ROUGE.Stem {
		a += " -m"
	}
	a += " -2 4"
	if s.ROUGE.LimitWords > 0 {
		a += fmt.Sprintf(" -l %d", s.ROUGE.LimitWords)
	}
	return fmt.Sprintf("%s -u -c 95 -r %d -f A -p 0.5 -t 0 -a", a, s.Resamples)
}

// caption describes the figures in a paragraph.
func (r *Report) caption() string {
	var b strings.Builder
	if r.Dataset != "" {
		fmt.Fprintf(&b, "%s: ", r.Dataset)
	}
	fmt.Fprintf(&b, "%s, %d left out", plural(r.Clusters, "cluster"), r.LeftOut)
	if r.Partial {
		b.WriteString(" (interrupted: incomplete)")
	}
	fmt.Fprintf(&b, "; budget %s; encoder %s", r.budget(), r.Encoder)
	if len(r.Weights) > 0 {
		fmt.Fprintf(&b, "; weights %s", strings.Join(r.Weights, ", "))
	}
	fmt.Fprintf(&b, ". ROUGE as %s, tokenizer %s", r.arguments(), r.ROUGE.Tokenizer())
	if r.WholeText {
		b.WriteString(", each text one line")
	}
	if r.Translated {
		b.WriteString(", in translation")
	}
	fmt.Fprintf(&b, "; recall and F1 in percent, ± half of the 95 %% interval over %d resamples, seed %d; p: paired bootstrap of R2-R against %s", r.Resamples, r.Seed, r.Rows[0].Method)
	b.WriteString("; redundancy: mean highest cosine of a sentence to another of the summary; coverage: mean over the documents of the similarity of their sentences to the summary's")
	if r.Editor != "" {
		fmt.Fprintf(&b, "; percentage of the quotes in the editor's extract (%s), in it or called good, and never to be quoted; first: of the first quotes in it or good", r.Editor)
	}
	b.WriteString(".")
	return b.String()
}

// budget describes the budget. As in publications, words are [core.PaperWords].
func (s *Setting) budget() string {
	switch s.Budget.Unit {
	case core.PaperWords:
		return fmt.Sprintf("%d words", s.Budget.Amount)
	case core.Words:
		return fmt.Sprintf("%d words (UAX #29)", s.Budget.Amount)
	}
	return fmt.Sprintf("%d %s", s.Budget.Amount, s.Budget.Unit)
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// cells returns the table, header first.
func (r *Report) cells() [][]string {
	head := []string{"method"}
	for _, m := range tabled {
		head = append(head, m.short+"-R", m.short+"-F")
	}
	head = append(head, "p", "words", "redundancy", "coverage")
	if r.Editor != "" {
		head = append(head, "quotes", "extract", "good", "never", "first")
	}
	if r.Time {
		head = append(head, "ms/cluster")
	}
	rows := [][]string{head}
	for i, row := range r.Rows {
		cells := []string{row.Method}
		for _, m := range tabled {
			cells = append(cells, percent(row.ROUGE[m.metric].Recall), percent(row.ROUGE[m.metric].F1))
		}
		p := "–"
		if i > 0 {
			p = fmt.Sprintf("%.3f", row.P)
			if row.P < 0.001 {
				p = "<0.001"
			}
		}
		cells = append(cells, p, fmt.Sprintf("%.1f", row.Words), fmt.Sprintf("%.3f", row.Redundancy), fmt.Sprintf("%.3f", row.Coverage))
		if q := row.Quotes; r.Editor != "" {
			share := func(n, of int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(1, of))) }
			cells = append(cells, fmt.Sprint(q.All), share(q.Extract, q.All), share(q.Good, q.All), share(q.Never, q.All), share(q.First, r.Clusters))
		}
		if r.Time {
			cells = append(cells, fmt.Sprintf("%.2f", 1000*row.Seconds))
		}
		rows = append(rows, cells)
	}
	return rows
}

func percent(i rouge.Interval) string {
	return fmt.Sprintf("%.2f ±%.2f", 100*i.Mean, 50*(i.High-i.Low))
}

// WriteTable writes the table for a terminal; wrap wraps the caption.
func (r *Report) WriteTable(w io.Writer, wrap func(string) []string) error {
	b := bufio.NewWriter(w)
	for _, line := range wrap(r.caption()) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintln(b)
	writeAligned(b, r.cells())
	if r.Reading {
		fmt.Fprintln(b)
		for _, line := range wrap(r.readingCaption()) {
			fmt.Fprintln(b, line)
		}
		fmt.Fprintln(b)
		writeAligned(b, r.readingCells())
	}
	return b.Flush()
}

// writeAligned writes rows of cells, of which all but the first are aligned right.
func writeAligned(b *bufio.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range rows {
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			switch {
			case i == 0:
				b.WriteString(c + pad)
			default:
				b.WriteString("  " + pad + c)
			}
		}
		b.WriteByte('\n')
	}
}

// WriteMarkdown writes the table as Markdown.
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", r.caption())
	writePiped(b, r.cells())
	if r.Reading {
		fmt.Fprintf(b, "\n%s\n\n", r.readingCaption())
		writePiped(b, r.readingCells())
	}
	return b.Flush()
}

// writePiped writes rows of cells as a Markdown table, header first.
func writePiped(b *bufio.Writer, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(b, "| --- |%s\n", strings.Repeat(" ---: |", len(row)-1))
		}
	}
}

// jsonRow is the JSON form of a row; scores are in 0..1.
type jsonRow struct {
	Method     string                   `json:"method"`
	Clusters   int                      `json:"clusters"`
	LeftOut    int                      `json:"left_out"`
	Partial    bool                     `json:"partial,omitempty"`
	Budget     int                      `json:"budget"`
	BudgetUnit core.Unit                `json:"budget_unit"`
	Encoder    string                   `json:"encoder"`
	Weights    []string                 `json:"weights,omitempty"`
	Tokenizer  string                   `json:"tokenizer"`
	Arguments  string                   `json:"arguments"`
	WholeText  bool                     `json:"whole_text,omitempty"`
	Translated bool                     `json:"translated,omitempty"`
	Seed       uint64                   `json:"seed"`
	ROUGE      map[string]jsonAggregate `json:"rouge"`
	P          jsonP                    `json:"p"`
	Words      float64                  `json:"words"`
	Redundancy float64                  `json:"redundancy"`
	Coverage   float64                  `json:"coverage"`
	Editor     string                   `json:"editor,omitempty"`
	Quotes     *Quotes                  `json:"quotes,omitempty"`
	Reading    *Reading                 `json:"reading,omitempty"`
	Reference  *Reading                 `json:"reference_reading,omitempty"`
	Seconds    float64                  `json:"seconds,omitempty"`
}

type jsonAggregate struct {
	Recall    jsonInterval `json:"recall"`
	Precision jsonInterval `json:"precision"`
	F1        jsonInterval `json:"f1"`
}

type jsonInterval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

type jsonP struct {
	Metric  string  `json:"metric"`
	Against string  `json:"against"`
	Value   float64 `json:"value"`
}

// WriteJSON writes an array with an object per method. Scores have five decimals,
// as printed by the official script.
func (r *Report) WriteJSON(w io.Writer) error {
	rows := make([]jsonRow, len(r.Rows))
	for i, row := range r.Rows {
		j := jsonRow{
			Method: row.Method, Clusters: r.Clusters, LeftOut: r.LeftOut, Partial: r.Partial,
			Budget: r.Budget.Amount, BudgetUnit: r.Budget.Unit, Encoder: r.Encoder, Weights: r.Weights, Tokenizer: r.ROUGE.Tokenizer(), Arguments: r.arguments(),
			WholeText: r.WholeText, Translated: r.Translated, Seed: r.Seed,
			ROUGE: map[string]jsonAggregate{}, P: jsonP{"ROUGE-2 recall", r.Rows[0].Method, round(row.P)},
			Words: round(row.Words), Redundancy: round(row.Redundancy), Coverage: round(row.Coverage),
		}
		for m, a := range row.ROUGE {
			j.ROUGE[rouge.Names[m]] = jsonAggregate{rounded(a.Recall), rounded(a.Precision), rounded(a.F1)}
		}
		if r.Editor != "" {
			j.Editor, j.Quotes = r.Editor, &row.Quotes
		}
		if r.Reading {
			j.Reading, j.Reference = &row.Reading, &r.ReferenceReading
			j.Reading.Unused, j.Reading.First = round(j.Reading.Unused), round(j.Reading.First)
		}
		if r.Time {
			j.Seconds = row.Seconds
		}
		rows[i] = j
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}

func round(v float64) float64 { return math.Round(v*1e5) / 1e5 }

func rounded(i rouge.Interval) jsonInterval {
	return jsonInterval{round(i.Mean), round(i.Low), round(i.High)}
}
