// Package charset guesses the encoding of a text that does not state it. The command
// line program and the page (wasm/files) guess alike; each decodes by its own means.
package charset

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wlynxg/chardet"

	"github.com/cerasum/cerasum/internal/text"
)

// UTF8 is the encoding of texts of which at least two thirds of the characters beyond
// ASCII are valid UTF-8.
const UTF8 = "utf-8"

// Decoder decodes text in an encoding of the WHATWG's index, with U+FFFD for what is
// invalid in it.
type Decoder func(data []byte, name string) string

// family is a single-byte encoding with the languages written in it. group is set
// where the same bytes could be letters in another group's script; the detector
// has statistics to distinguish them.
type family struct{ encoding, languages, group string }

// families, in order of preference for equal scores.
var families = []family{
	{"windows-1252", western, ""},
	{"windows-1250", central, ""},
	{"windows-1254", "tr", ""},
	{"windows-1257", "et lt lv", ""},
	{"iso-8859-2", central, ""},
	{"iso-8859-15", western, ""},
	{"macintosh", western, ""},
	{"windows-1251", "bg ru uk", "cyrillic"},
	{"koi8-r", "ru", "cyrillic"},
	{"koi8-u", "uk", "cyrillic"},
	{"iso-8859-5", "bg ru uk", "cyrillic"},
	{"ibm866", "ru", "cyrillic"},
	{"x-mac-cyrillic", "bg ru uk", "cyrillic"},
	{"windows-1256", "ar fa", ""},
	{"iso-8859-6", "ar", ""},
	{"windows-1253", "el", "greek"},
	{"iso-8859-7", "el", "greek"},
	{"windows-1255", "he", "hebrew"},
	{"iso-8859-8", "he", "hebrew"},
	{"windows-874", "th", "thai"},
}

const (
	western = "ca da de en es fi fr is it nb nl pt sv"
	central = "cs hr hu pl ro sk sl"
)

// aliases map the detector's names that are missing from the index of encodings.
// An empty name is most often Japanese.
var aliases = map[string]string{"cp932": "shift_jis", "cp949": "euc-kr", "tis-620": "windows-874", "us-ascii": "windows-1252", "": "shift_jis"}

// letters lists a language's small letters beyond ASCII, including those common in
// loan words; other languages use the letters of their script.
var letters = map[string]string{
	"ca": "àçèéíïòóúü·", "da": "æøåéàüäö", "de": "äöüßé", "en": "éèïöüñçâêà", "es": "áéíñóúüçª",
	"fi": "äöåšžé", "fr": "àâæçèéêëîïôœùûüÿñ", "is": "áðéíóúýþæö", "it": "àèéìíîòóù", "nb": "æøåéèêòóôäö",
	"nl": "éèëïóöüêàáäçñ", "pt": "áâãàçéêíóôõúüª", "sv": "åäöéüà",
	"cs": "áčďéěíňóřšťúůýžöü", "hr": "čćđšžé", "hu": "áéíóöőúüűä", "pl": "ąćęłńóśźżéöü", "ro": "ăâîșțşţéö",
	"sk": "áäčďéíĺľňóôŕšťúýžöü", "sl": "čšžćđé",
	"tr": "çğıöşüâîûi̇", "et": "äõöüšž", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž",
	"bg": "абвгдежзийклмнопрстуфхцчшщъьюя", "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}

// scripts of the languages that do not use Latin letters.
var scripts = map[string]*unicode.RangeTable{
	"bg": unicode.Cyrillic, "ru": unicode.Cyrillic, "uk": unicode.Cyrillic, "el": unicode.Greek,
	"he": unicode.Hebrew, "ar": unicode.Arabic, "fa": unicode.Arabic, "th": unicode.Thai,
}

// usual are non-ASCII signs found in texts of any language next to words. The
// apostrophe occurs within them.
const (
	usual      = "\u00a0\u00ad«»“”„‘‚–—…•·°§€£©®™¿¡²³½ªº×،؛؟־"
	apostrophe = '’'
)

// multibyte are the encodings with more than a byte for some characters.
var multibyte = []string{"gb18030", "gbk", "gb2312", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-2022-jp"}

// HasEscapes reports whether a text that looks like ASCII may be in an encoding that
// switches by escape sequences: ISO-2022-JP. In other text, they are a terminal's.
func HasEscapes(data []byte) bool {
	return (bytes.Contains(data, []byte("\x1b$")) || bytes.Contains(data, []byte("\x1b("))) && !hasHigh(data)
}

// Guess returns the name of the encoding of text without a byte order mark: UTF8, or
// one of a multibyte or single-byte encoding. It decodes a sample and scores the
// result. The detector identifies multibyte encodings, and scripts for which it has
// statistics. Single-byte text is decoded in each encoding, and the letters of the
// detected language are counted. The fallback, windows-1252, decodes any bytes.
func Guess(data []byte, decode Decoder) string {
	if good, bad := sequences(data); !HasEscapes(data) && good >= 2*bad {
		return UTF8
	}
	s := sample(data)
	found := strings.ToLower(chardet.Detect(s).Charset)
	if other, ok := aliases[found]; ok {
		found = other
	}
	best, most, group := "windows-1252", 0, "cyrillic"
	if i := slices.IndexFunc(families, func(f family) bool { return f.encoding == found }); i >= 0 {
		if families[i].group != "" {
			group = families[i].group
		}
	} else if slices.Contains(multibyte, found) {
		if t := decode(s, found); strings.Count(t, "\ufffd")*100 <= utf8.RuneCountInString(t) {
			best, most = found, fitMultibyte(t)
			if bytes.IndexByte(s, 0x1b) >= 0 || !hasHigh(s) {
				return best // identified by its escape sequences
			}
		}
	}
	for _, f := range families {
		if f.group != "" && f.group != group {
			continue
		}
		if n := fit(decode(s, f.encoding), strings.Fields(f.languages)); n > most {
			best, most = f.encoding, n
		}
	}
	return best
}

// sequences counts the valid UTF-8 sequences of two or more bytes, and the bytes that
// belong to none.
func sequences(data []byte) (good, bad int) {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return good, bad
}

func hasHigh(b []byte) bool {
	return slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

// fitMultibyte is fit for multibyte text: 2 for each byte of its ideographs and
// syllables.
func fitMultibyte(s string) int {
	n, before := 0, ' '
	for _, r := range s {
		switch {
		case r == utf8.RuneError || unicode.Is(unicode.Co, r):
			n -= 8
		case r >= utf8.RuneSelf && isASCIILetter(before):
			n -= 4 // for example an accented letter within a word and the next character
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 4
		}
		before = r
	}
	return n
}

// fit scores how well a decoded text reads as one in the best of some languages:
// 2 for each letter beyond ASCII that its language uses, 1 if the text is not
// detected as that language, less for unlikely characters.
func fit(s string, languages []string) int {
	counts := map[rune]int{} // of small letters beyond ASCII
	n := 0
	before, r := ' ', ' '
	judge := func(after rune) {
		switch {
		case r < utf8.RuneSelf:
			if r >= 'A' && r <= 'Z' && before >= utf8.RuneSelf && unicode.IsLower(before) {
				n--
			}
		case r == utf8.RuneError || unicode.IsControl(r):
			n -= 4
		case r == apostrophe && (unicode.IsLetter(before) || !unicode.IsLetter(after)), strings.ContainsRune(usual, r) && !(unicode.IsLetter(before) && unicode.IsLetter(after)):
			n += 2
		case unicode.IsLetter(r) || unicode.IsMark(r):
			counts[unicode.ToLower(r)]++
			isLatin := unicode.Is(unicode.Latin, r)
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				n -= 2
			} else if unicode.IsUpper(r) {
				n-- // rare, and often the result of a wrong encoding
			}
			if !isLatin && isASCIILetter(before) {
				n -= 3
			}
		case r != apostrophe:
			n -= 2
		}
	}
	for _, after := range s {
		judge(after)
		before, r = r, after
	}
	judge(' ')
	detected := text.Detect(s)
	best := 0
	for i, l := range languages {
		sum := n
		for r, count := range counts {
			sum += count * value(r, l, l == detected)
		}
		if i == 0 || sum > best {
			best = sum
		}
	}
	return best
}

// value returns the score of a letter in a language.
func value(r rune, language string, detected bool) int {
	script := scripts[language]
	if script == nil {
		script = unicode.Latin
	}
	own, listed := letters[language]
	switch {
	case listed && strings.ContainsRune(own, r) || !listed && unicode.Is(script, r):
		if detected {
			return 2
		}
		return 1
	case unicode.Is(script, r), unicode.IsMark(r):
		return -1
	}
	return -3
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// sampleSize is in bytes.
const sampleSize = 16 << 10

// sample returns the first lines with a byte beyond ASCII, up to sampleSize.
func sample(data []byte) []byte {
	if len(data) <= sampleSize {
		return data
	}
	var s []byte
	for line := range bytes.Lines(data) {
		if !hasHigh(line) && bytes.IndexByte(line, 0x1b) < 0 {
			continue
		}
		s = append(s, line[:min(len(line), sampleSize-len(s))]...)
		if len(s) >= sampleSize {
			break
		}
	}
	return s
}
