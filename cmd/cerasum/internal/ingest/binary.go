package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	xunicode "golang.org/x/text/encoding/unicode"
)

// ErrBinary is wrapped by errors about inputs that are not text.
var ErrBinary = errors.New("not text")

// checkText refuses data that is not text: NUL bytes, many control characters,
// and mostly-ASCII formats such as PDF.
func checkText[T string | []byte](data T) error {
	b := []byte(data[:min(len(data), 1<<20)])
	for _, f := range []struct{ magic, name string }{
		{"%PDF-", "a PDF file"}, {"%!PS", "a PostScript file"}, {`{\rtf`, "a Rich Text file"},
	} {
		if bytes.HasPrefix(b, []byte(f.magic)) {
			return fmt.Errorf("%w: %s", ErrBinary, f.name)
		}
	}
	if i := strings.IndexByte(string(data), 0); i >= 0 {
		return fmt.Errorf("%w: NUL at byte %d%s", ErrBinary, i, likely(b))
	}
	controls := 0
	for _, c := range b {
		if isControl(rune(c)) {
			controls++
		}
	}
	if controls > 2 && controls*100 > len(b) {
		return fmt.Errorf("%w: %d control characters in %d bytes%s", ErrBinary, controls, len(b), likely(b))
	}
	return nil
}

// isControl reports control characters that text does not use. Escape is not one
// of them: it changes the character set in ISO-2022-JP.
func isControl(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\b', 0x1b, 0x1a:
		return false
	}
	return r < ' ' || r == 0x7f
}

// likely names the format of a binary file if its first bytes identify one.
func likely(b []byte) string {
	t, _, _ := strings.Cut(http.DetectContentType(b), ";")
	if t == "application/octet-stream" || strings.HasPrefix(t, "text/") {
		return ""
	}
	return " (it looks like " + t + ")"
}

// unmarkedUTF16 decodes UTF-16 without a byte order mark if exactly one byte
// order yields text.
func unmarkedUTF16(data []byte) (text, name string, ok bool) {
	if len(data)%2 != 0 {
		return "", "", false
	}
	le, _ := decodeAs(xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM), data)
	be, _ := decodeAs(xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM), data)
	switch isLE, isBE := reads(le), reads(be); {
	case isLE && !isBE:
		return le, "UTF-16LE", true
	case isBE && !isLE:
		return be, "UTF-16BE", true
	}
	return "", "", false
}

// reads reports whether decoded text is plausible: no unassigned characters, and
// some spaces and punctuation. Binary data read as UTF-16 has a tenth in the
// private use area and few of these.
func reads(text string) bool {
	n, odd, common := 0, 0, 0
	for _, r := range text {
		n++
		switch {
		case r == ' ' || r == '\n' || r == '.' || r == ',' || r == '、' || r == '。' || r == '\u3000' || r == '，':
			common++
		case r == utf8.RuneError || isControl(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r):
			odd++
		}
	}
	return n > 0 && odd*100 <= n && common*100 >= n
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
