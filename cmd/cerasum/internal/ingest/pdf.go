package ingest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
)

var (
	// ErrScanned is wrapped by errors about PDFs without text.
	ErrScanned = errors.New("scanned PDF: no text; the pages are images")
	// ErrGarbled is wrapped by errors about PDFs whose text cannot be extracted.
	ErrGarbled = errors.New("PDF text cannot be extracted: its fonts lack a character map")
)

// fewLetters per page are not text: scanned pages may have a stamp or a number.
const fewLetters = 25

// pdfText returns the running text of a PDF. Pages that would be begun after patience
// are left out.
func pdfText(ctx context.Context, data []byte, patience time.Duration) (extracted, error) {
	start := time.Now()
	d, err := pdfium.Open(ctx, data)
	if err != nil {
		return extracted{}, err
	}
	defer d.Close()
	var pages []pdfium.Page
	for i := range d.Pages {
		if i > 0 && time.Since(start) > patience {
			break
		}
		page, err := d.Page(i)
		if err != nil {
			return extracted{}, err
		}
		pages = append(pages, page)
	}
	title, parts := layOut(pages)
	letters, strange := 0, 0
	for i := range parts {
		for _, r := range parts[i].text {
			switch {
			case unicode.IsLetter(r) || unicode.IsNumber(r):
				letters++
			case unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar || unicode.IsControl(r):
				strange++
			}
		}
		// A sign of which the font does not tell what it is.
		parts[i].text = strings.ReplaceAll(parts[i].text, string(unicode.ReplacementChar), "")
	}
	if 3*strange > letters {
		return extracted{}, ErrGarbled
	}
	if letters == 0 || letters < fewLetters*(len(pages)-1) {
		return extracted{}, ErrScanned
	}
	x := extracted{title: title}
	if x.text, x.blocks = join(parts); x.title == "" {
		x.title = namedPDF(d.Title)
	}
	if len(pages) < d.Pages {
		x.warning = fmt.Sprintf("a long PDF: read %d of %d pages", len(pages), d.Pages)
	}
	return x, nil
}

// generated matches titles in metadata that a program made.
var generated = regexp.MustCompile(`(?i)^(untitled|microsoft word|powerpoint|document\d*$|about:blank)|\.(docx?|indd|tex|dvi|qxd|pdf|rtf|odt|html?|pptx?)$`)

// namedPDF returns the title in a file's metadata, unless a program generated it.
func namedPDF(title string) string {
	plain := strings.Join(strings.Fields(title), " ")
	if generated.MatchString(plain) || strings.IndexFunc(plain, unicode.IsLetter) < 0 {
		return ""
	}
	return plain
}
