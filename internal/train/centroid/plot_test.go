package centroid

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestPlot(t *testing.T) {
	for _, history := range [][]Point{
		nil,
		{{1, 0.5, 0.6, 0.15}},
		{{1, 0.5, 0.6, 0.15}, {2, 0.4, 0.65, 0.16}, {3, 0.35, 0.66, 0.155}},
	} {
		var b strings.Builder
		if err := WriteSVG(&b, history, "R2-R <of validation>"); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		circles := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, b.String())
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "circle" {
				circles++
			}
		}
		if want := min(3, 3*len(history)); circles != want {
			t.Errorf("%d points: %d marks, want %d", len(history), circles, want)
		}
		if strings.Contains(b.String(), "NaN") {
			t.Error(b.String())
		}
	}
}
