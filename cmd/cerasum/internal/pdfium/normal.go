package pdfium

import (
	"math"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Characters that stand for others: ligatures, presentation forms, blanks; those of
// pdf.js.
var forms = regexp.MustCompile(`[\x{a0}\x{b5}\x{37e}\x{eb3}\x{2000}-\x{200a}\x{202f}\x{2126}\x{fb00}-\x{fb04}\x{fb06}\x{fb20}-\x{fb36}\x{fb38}-\x{fb3c}\x{fb3e}\x{fb40}\x{fb41}\x{fb43}\x{fb44}\x{fb46}-\x{fba1}\x{fba4}-\x{fba9}\x{fbae}-\x{fbb1}\x{fbd3}-\x{fbdc}\x{fbde}-\x{fbe7}\x{fbea}-\x{fbf8}\x{fbfc}\x{fbfd}\x{fc00}-\x{fc5d}\x{fc64}-\x{fcf1}\x{fcf5}-\x{fd3d}\x{fd88}\x{fdf4}\x{fdfa}\x{fdfb}\x{fe71}\x{fe77}\x{fe79}\x{fe7b}\x{fe7d}]+`)

// normal replaces characters that stand for others.
func normal(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	if ascii {
		return s
	}
	return strings.ReplaceAll(forms.ReplaceAllStringFunc(s, norm.NFKC.String), "\ufb05", "ſt")
}

func float(bits uint32) float64 { return float64(math.Float32frombits(bits)) }
