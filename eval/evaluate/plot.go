package evaluate

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/cerasum/cerasum/eval/rouge"
)

// Sizes of the plot in pixels.
const (
	plotRow    = 24  // height of a method
	plotPanel  = 190 // width of a metric
	plotGap    = 28  // between two panels
	plotTop    = 64
	plotBottom = 54
	plotGlyph  = 7.2 // width of a character of a label
)

// WriteSVG draws the table: a panel per metric and a line per method, with a filled
// dot for recall and a ring for F1, each with its interval.
func (r *Report) WriteSVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	longest := 0
	for _, row := range r.Rows {
		longest = max(longest, len([]rune(row.Method)))
	}
	left := 24 + int(math.Ceil(plotGlyph*float64(longest)))
	width := left + len(tabled)*(plotPanel+plotGap) + 4
	bottom := plotTop + plotRow*len(r.Rows)
	height := bottom + plotBottom
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13" fill="#1b1b1b">`+"\n", width, height, width, height)
	title := "ROUGE of " + plural(len(r.Rows), "method")
	if r.Dataset != "" {
		title += " on " + r.Dataset
	}
	title += fmt.Sprintf(": %s, budget %s, tokenizer %s", plural(r.Clusters, "cluster"), r.budget(), r.ROUGE.Tokenizer())
	fmt.Fprintf(b, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintf(b, `<text x="12" y="22" font-weight="600">%s</text>`+"\n", escape(title))
	for i, row := range r.Rows {
		y := plotTop + plotRow*i
		if i%2 == 0 {
			fmt.Fprintf(b, `<rect x="0" y="%d" width="%d" height="%d" fill="#f4f4f1"/>`+"\n", y, width, plotRow)
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" dominant-baseline="middle">%s</text>`+"\n", left-8, y+plotRow/2, escape(row.Method))
	}
	for i, m := range tabled {
		r.panel(b, m.metric, left+i*(plotPanel+plotGap), bottom)
	}
	legend := height - 12
	fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="4.5" fill="#0b5d8c"/><text x="%d" y="%d">recall</text>`+"\n", left+6, legend-4, left+16, legend)
	fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="4" fill="#fff" stroke="#b3541e" stroke-width="2"/><text x="%d" y="%d">F1, in percent, with 95 %% bootstrap intervals</text>`+"\n", left+76, legend-4, left+86, legend)
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// panel draws one metric.
func (r *Report) panel(b *bufio.Writer, metric, x, bottom int) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range r.Rows {
		a := row.ROUGE[metric]
		low, high = min(low, 100*a.Recall.Low, 100*a.F1.Low), max(high, 100*a.Recall.High, 100*a.F1.High)
	}
	step := tickStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if high-low < step {
		high = low + step
	}
	at := func(score float64) float64 { return float64(x) + (100*score-low)/(high-low)*plotPanel }
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="600">%s</text>`+"\n", x, plotTop-12, rouge.Names[metric])
	for k := 0; low+float64(k)*step <= high+step/2; k++ {
		v := low + float64(k)*step
		tx := at(v / 100)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#cfcfc8"/>`+"\n", tx, tx, plotTop, bottom)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" font-size="11">%s</text>`+"\n", tx, bottom+16, strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0"))
	}
	for i, row := range r.Rows {
		y := plotTop + plotRow*i + plotRow/2
		a := row.ROUGE[metric]
		for _, d := range []struct {
			interval     rouge.Interval
			color, shape string
			y            int
		}{{a.Recall, "#0b5d8c", `r="4.5" fill="#0b5d8c"`, y - 4}, {a.F1, "#b3541e", `r="4" fill="#fff" stroke="#b3541e" stroke-width="2"`, y + 4}} {
			fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="%s" stroke-width="2"/>`+"\n", at(d.interval.Low), at(d.interval.High), d.y, d.y, d.color)
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%d" %s/>`+"\n", at(d.interval.Mean), d.y, d.shape)
		}
	}
}

// tickStep returns a round number that fits two to six times into a panel's span.
func tickStep(span float64) float64 {
	for step := 0.1; ; step *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if span <= 5*m*step {
				return m * step
			}
		}
	}
}

func escape(s string) string {
	var b strings.Builder
	// A Builder never fails.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
