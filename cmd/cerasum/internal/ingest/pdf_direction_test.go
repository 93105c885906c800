package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
)

// TestReadingOrder has lines that their programs drew in the order of reading, from the
// right; those of testdata/pdf/leftward.pdf are drawn from the left.
func TestReadingOrder(t *testing.T) {
	at := func(text string, x, width float64) pdfium.Piece {
		return pdfium.Piece{Text: text, X: x, Y: 50, Width: width, Height: 10}
	}
	for _, c := range []struct {
		want   string
		pieces []pdfium.Piece
	}{
		{"הסכר הישן נסדק.", []pdfium.Piece{at("הסכר", 80, 20), at(" ", 77, 3), at("הישן", 57, 20), at(" ", 54, 3), at("נסדק", 34, 20), at(".", 31, 3)}},
		{"סדק של 4.5 מטרים (שנבנה בשנת 1954)", []pdfium.Piece{
			at("סדק של", 80, 30), at(" ", 77, 3), at("4", 68, 3), at(".", 71, 3), at("5", 74, 3), at(" ", 65, 3),
			at("מטרים", 45, 20), at(" ", 42, 3), at(")", 39, 3), at("שנבנה בשנת", 14, 25), at(" ", 11, 3), at("1954", 3, 8), at("(", 0, 3)}},
		{"חברת Rosenfeld 2024 בודקת את הקיר", []pdfium.Piece{at("חברת", 81, 20), at("Rosenfeld", 45, 22), at("2024", 70, 8), at("בודקת את הקיר", 5, 37)}},
		{"عُمان", []pdfium.Piece{at("ع", 30, 5), at("ُ", 32, 0), at("م", 25, 5), at("ا", 20, 5), at("ن", 15, 5)}},
	} {
		lines := linesOfPage(&pdfium.Page{Width: 120, Height: 100, Pieces: c.pieces}, 0)
		if len(lines) != 1 || lines[0].text != c.want || !lines[0].toLeft {
			t.Errorf("want %q", c.want)
			for _, l := range lines {
				t.Errorf("got %q", l.text)
			}
		}
	}
}

// TestLeftToRightBesideHebrew has lines without letters that are written to the left on
// a page with one: they are as on any other page.
func TestLeftToRightBesideHebrew(t *testing.T) {
	at := func(text string, x, y float64) pdfium.Piece {
		return pdfium.Piece{Text: text, X: x, Y: y, Width: 5 * float64(len(text)), Height: 10}
	}
	page := pdfium.Page{Width: 400, Height: 400, Pieces: []pdfium.Piece{at("Total 40", 60, 50), at("3.", 45, 50), at("א", 60, 90)}}
	var got []string
	for _, l := range linesOfPage(&page, 0) {
		got = append(got, l.text)
	}
	if want := []string{"Total 40", "3.", "א"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLongLeftwardLines would take minutes if the time was not proportional to the length.
func TestLongLeftwardLines(t *testing.T) {
	const n = 50_000
	read := func(one string, width float64) string {
		var pieces []pdfium.Piece
		for i := range n {
			pieces = append(pieces, pdfium.Piece{Text: one, X: float64(i) * width, Y: 50, Width: width, Height: 10})
		}
		pieces = append(pieces, pdfium.Piece{Text: "א", X: n * width, Y: 50, Width: 5, Height: 10})
		lines := linesOfPage(&pdfium.Page{Width: 100, Height: 100, Pieces: pieces}, 0)
		if len(lines) != 1 {
			t.Fatalf("%d lines", len(lines))
		}
		return lines[0].text
	}
	if read("1", 5) != "א"+strings.Repeat("1", n) {
		t.Error("digits")
	}
	if read(".", 5) != "א"+strings.Repeat(".", n) {
		t.Error("points")
	}
	if read("\u05b0", 0) != "א"+strings.Repeat("\u05b0", n) {
		t.Error("marks")
	}
}
