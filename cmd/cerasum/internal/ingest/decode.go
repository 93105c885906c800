package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/cerasum/cerasum/internal/charset"
)

// charsets is prior knowledge about a document's encoding.
type charsets struct {
	user     string // set by the user, takes precedence
	declared string // by the server
	html     bool   // may declare an encoding in a meta element
}

// ErrEncoding reports an unknown encoding name.
var ErrEncoding = errors.New("unknown encoding")

// CheckEncoding reports an error unless Loader.Encoding can take the name.
func CheckEncoding(name string) error {
	_, err := lookup(name)
	return err
}

func lookup(name string) (encoding.Encoding, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "gb2312", "gbk", "gb18030":
		// Each contains the one before, and files labelled with a smaller one often
		// use characters of a larger one.
		return simplifiedchinese.GB18030, nil
	case "latin-1":
		name = "latin1"
	case "utf-16":
		// Little endian unless a byte order mark says otherwise.
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, fmt.Errorf("%w %q", ErrEncoding, name)
	}
	return e, nil
}

// marks are the byte order marks; a prefix comes after the longer mark.
var marks = []struct {
	bytes, name string
	encoding    encoding.Encoding
}{
	{"\xff\xfe\x00\x00", "UTF-32LE", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\xfe\xff", "UTF-32BE", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe", "UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\xfe\xff", "UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\xef\xbb\xbf", "UTF-8", unicode.UTF8},
}

// decode converts bytes to valid UTF-8. In order of precedence: the user's
// encoding, a byte order mark, valid UTF-8, a declaration, UTF-8 with a few bad
// bytes, a guess. Guesses, replaced bytes and wrong declarations give a warning;
// data that is not text gives an error that wraps ErrBinary.
func decode(data []byte, known charsets) (text, warning string, err error) {
	if known.user != "" {
		e, err := lookup(known.user)
		if err != nil {
			return "", "", err
		}
		text, bad := decodeAs(e, data)
		if err := checkText(text); err != nil {
			return "", "", err
		}
		return text, replaced(bad, "as "+known.user), nil
	}
	for _, m := range marks {
		if rest, ok := bytes.CutPrefix(data, []byte(m.bytes)); ok {
			text, bad := decodeAs(m.encoding, rest)
			if err := checkText(text); err != nil {
				return "", "", err
			}
			return text, replaced(bad, "as "+m.name), nil
		}
	}
	if bytes.IndexByte(data, 0) >= 0 {
		if text, name, ok := unmarkedUTF16(data); ok {
			return text, "read as " + name + " (a guess: no byte order mark; --encoding overrides it)", nil
		}
	}
	if err := checkText(data); err != nil {
		return "", "", err
	}

	declared := known.declared
	if declared == "" && known.html {
		declared = metaCharset(data)
	}
	if utf8.Valid(data) && !charset.HasEscapes(data) {
		if declared != "" && hasHigh(data) && !isUTF8Name(declared) {
			warning = "declared as " + declared + " but valid UTF-8: read as UTF-8"
		}
		return string(data), warning, nil
	}
	if declared != "" && !isUTF8Name(declared) {
		e, err := lookup(declared)
		if err == nil {
			if text, bad := decodeAs(e, data); bad*100 <= utf8.RuneCountInString(text) {
				return text, replaced(bad, "as "+declared), nil
			}
			warning = "not valid in its declared encoding " + declared + "; "
		} else {
			warning = "unknown declared encoding " + declared + "; "
		}
	}
	name := charset.Guess(data, mustDecode)
	if name == charset.UTF8 {
		return strings.ToValidUTF8(string(data), "\ufffd"), warning + replaced(countInvalid(data), "as UTF-8"), nil
	}
	return mustDecode(data, name), warning + "read as " + name + " (a guess; --encoding overrides it)", nil
}

// mustDecode decodes with an encoding known to be in the index.
func mustDecode(data []byte, name string) string {
	e, err := lookup(name)
	if err != nil {
		panic("ingest: " + name + " is not in the index of encodings")
	}
	text, _ := decodeAs(e, data)
	return text
}

// countInvalid counts the bytes that are not part of valid UTF-8.
func countInvalid(data []byte) (n int) {
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		data = data[size:]
	}
	return n
}

// decodeAs decodes data; bad counts the replacements by U+FFFD.
func decodeAs(e encoding.Encoding, data []byte) (text string, bad int) {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		// x/text decoders replace bad input and return no error; keep the result
		// and count one.
		bad++
	}
	text = strings.ToValidUTF8(string(out), "\ufffd")
	text = strings.TrimPrefix(text, "\ufeff")
	return text, bad + strings.Count(text, "\ufffd")
}

func replaced(n int, how string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d bad bytes replaced by U+FFFD when read %s", n, how)
}

func isUTF8Name(name string) bool {
	e, err := htmlindex.Get(name)
	return err == nil && e == unicode.UTF8
}

func hasHigh(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return true
		}
	}
	return false
}

// metaCharset returns the charset that a meta element declares within the first
// 1024 bytes, the limit that browsers use.
func metaCharset(data []byte) string {
	z := html.NewTokenizer(bytes.NewReader(data[:min(len(data), 1024)]))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.Data != "meta" {
				continue
			}
			for _, a := range t.Attr {
				if a.Key == "charset" {
					return a.Val
				}
				if _, params, err := mime.ParseMediaType(a.Val); a.Key == "content" && err == nil && params["charset"] != "" {
					return params["charset"]
				}
			}
		}
	}
}
