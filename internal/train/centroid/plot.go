package centroid

import (
	"fmt"
	"io"
	"strings"
)

// Sizes in pixels.
const (
	plotWidth  = 300 // of a panel with its margin
	plotHeight = 240
	plotLeft   = 56
	plotTop    = 36
	plotBottom = 44
	plotRight  = 16
)

// WriteSVG plots a training by epoch: loss, validation cosine and score, with the
// best epoch marked. score is the name of the last one, which is shown in percent.
func WriteSVG(w io.Writer, history []Point, score string) error {
	panels := []struct {
		name string
		of   func(Point) float64
	}{
		{"loss", func(p Point) float64 { return p.Loss }},
		{"validation cosine", func(p Point) float64 { return p.Cosine }},
		{score, func(p Point) float64 { return 100 * p.Score }},
	}
	best := 0
	for i, p := range history {
		if p.Score > history[best].Score {
			best = i
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#1c1c1a">`+"\n", plotWidth*len(panels), plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotWidth*len(panels), plotHeight)
	for i, panel := range panels {
		values := make([]float64, len(history))
		for k, p := range history {
			values[k] = panel.of(p)
		}
		drawPanel(&b, i*plotWidth, panel.name, values, best)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// drawPanel plots values for the epochs 1, 2, ….
func drawPanel(b *strings.Builder, left int, name string, values []float64, best int) {
	x0, x1 := float64(left+plotLeft), float64(left+plotWidth-plotRight)
	y0, y1 := float64(plotHeight-plotBottom), float64(plotTop)
	fmt.Fprintf(b, `<text x="%.0f" y="20" font-weight="600">%s</text>`+"\n", x0, escaper.Replace(name))
	fmt.Fprintf(b, `<text x="%.0f" y="%d" text-anchor="middle" font-size="11">epoch</text>`+"\n", (x0+x1)/2, plotHeight-8)
	if len(values) == 0 {
		return
	}
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if high == low {
		low, high = low-0.5, high+0.5
	}
	x := func(i int) float64 {
		if len(values) == 1 {
			return (x0 + x1) / 2
		}
		return x0 + (x1-x0)*float64(i)/float64(len(values)-1)
	}
	y := func(v float64) float64 { return y0 + (y1-y0)*(v-low)/(high-low) }
	for k := range 5 {
		v := low + (high-low)*float64(k)/4
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#cfcfc8"/>`+"\n", x0, x1, y(v), y(v))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end" font-size="11">%.4g</text>`+"\n", x0-6, y(v)+4, v)
	}
	points := make([]string, len(values))
	for i, v := range values {
		points[i] = fmt.Sprintf("%.1f,%.1f", x(i), y(v))
		// At most ten epoch labels.
		if i%(len(values)/10+1) == 0 {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="11">%d</text>`+"\n", x(i), y0+16, i+1)
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#0b5d8c" stroke-width="2"/>`+"\n", strings.Join(points, " "))
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="#b3541e"><title>best epoch</title></circle>`+"\n", x(best), y(values[best]))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
