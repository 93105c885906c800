package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
)

// pdfFixture is what both readers read of a file of testdata/pdf, which
// web/demo/tests/pdf-fixtures.test.mjs reads too.
type pdfFixture struct {
	// Problem is why there is no text, in the words of web/common/read/pdf.ts.
	Problem string      `json:"problem,omitempty"`
	Title   string      `json:"title,omitempty"`
	Blocks  [][2]string `json:"blocks,omitempty"` // kind, text
}

var pdfProblems = map[string]error{"locked": pdfium.ErrLocked, "damaged": pdfium.ErrDamaged, "scanned": ErrScanned, "garbled": ErrGarbled}

func TestPDF(t *testing.T) {
	files, err := filepath.Glob("testdata/pdf/*.pdf")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			x, err := pdfText(t.Context(), data, time.Minute)
			got := pdfFixture{Title: x.title}
			for problem, known := range pdfProblems {
				if errors.Is(err, known) {
					got.Problem, err = problem, nil
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range x.blocks {
				got.Blocks = append(got.Blocks, [2]string{b.Kind.String(), x.text[b.Start:b.End]})
			}
			checkGolden(t, strings.TrimSuffix(file, ".pdf")+".json", got)
		})
	}
}

// TestPDFLimits reads a file in part, and ends with the context.
func TestPDFLimits(t *testing.T) {
	data, err := os.ReadFile("testdata/pdf/gazette.pdf")
	if err != nil {
		t.Fatal(err)
	}
	x, err := pdfText(t.Context(), data, -1)
	if err != nil || !strings.Contains(x.text, "Divers are to clear") || strings.Contains(x.text, "The last page") || x.warning != "a long PDF: read 1 of 4 pages" {
		t.Errorf("%q, %q, %v", x.text, x.warning, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pdfText(ended, data, time.Minute); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Every cut of a file is damaged, or has a part of the text.
	for n := 0; n < len(data); n += len(data) / 8 {
		if x, err := pdfText(t.Context(), data[:n], time.Minute); err == nil && !strings.Contains(x.text, "Nessel") {
			t.Errorf("%d bytes: %q", n, x.text)
		}
	}
}
