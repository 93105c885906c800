package ingest

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/text"
	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding/charmap"
)

// family is an encoding of one byte a character, with the languages that are
// written in it. A group has a name where the same bytes could be letters of
// another group's script, which the detector has statistics to tell apart.
type family struct{ encoding, languages, group string }

// families are in the order in which the first is taken where two read the same.
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

// aliases are names of the detector's that the index of encodings lacks. A
// Japanese sentence is what it most often has no name for.
var aliases = map[string]string{"cp932": "shift_jis", "cp949": "euc-kr", "tis-620": "windows-874", "us-ascii": "windows-1252", "": "shift_jis"}

// letters are the small letters beyond ASCII that a language writes, those of
// words that it borrowed often among them; a language that is not here has the
// letters of its script.
var letters = map[string]string{
	"ca": "àçèéíïòóúü·", "da": "æøåéàüäö", "de": "äöüßé", "en": "éèïöüñçâêà", "es": "áéíñóúüçª",
	"fi": "äöåšžé", "fr": "àâæçèéêëîïôœùûüÿñ", "is": "áðéíóúýþæö", "it": "àèéìíîòóù", "nb": "æøåéèêòóôäö",
	"nl": "éèëïóöüêàáäçñ", "pt": "áâãàçéêíóôõúüª", "sv": "åäöéüà",
	"cs": "áčďéěíňóřšťúůýžöü", "hr": "čćđšžé", "hu": "áéíóöőúüűä", "pl": "ąćęłńóśźżéöü", "ro": "ăâîșțşţéö",
	"sk": "áäčďéíĺľňóôŕšťúýžöü", "sl": "čšžćđé",
	"tr": "çğıöşüâîûi̇", "et": "äõöüšž", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž",
	"bg": "абвгдежзийклмнопрстуфхцчшщъьюя", "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}

// scripts are those of the languages that are not in Latin letters.
var scripts = map[string]*unicode.RangeTable{
	"bg": unicode.Cyrillic, "ru": unicode.Cyrillic, "uk": unicode.Cyrillic, "el": unicode.Greek,
	"he": unicode.Hebrew, "ar": unicode.Arabic, "fa": unicode.Arabic, "th": unicode.Thai,
}

// usual are the signs beyond ASCII that stand in texts of any language, beside
// words. The apostrophe stands within them.
const (
	usual      = "\u00a0\u00ad«»“”„‘‚–—…•·°§€£©®™¿¡²³½ªº×،؛؟־"
	apostrophe = '’'
)

// guess tells the encoding from the bytes: that in which they read as writing.
// The detector names one of several bytes a character, or of a script that it
// has statistics of. What has one byte a character is then read in each
// encoding, and the letters of the language that it is in are counted. The last
// resort, windows-1252, can decode anything.
func guess(data []byte) (name, decoded string) {
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
	} else if t, ok := readMultibyte(s, found); ok {
		best, most = found, fitMultibyte(t)
		if bytes.IndexByte(s, 0x1b) >= 0 || !hasHigh(s) {
			return best, mustDecode(best, data) // told by its escapes
		}
	}
	for _, f := range families {
		if f.group != "" && f.group != group {
			continue
		}
		if n := fit(mustDecode(f.encoding, s), strings.Fields(f.languages)); n > most {
			best, most = f.encoding, n
		}
	}
	return best, mustDecode(best, data)
}

// mustDecode decodes by a name that is known to be in the index of encodings.
func mustDecode(name string, data []byte) string {
	e, err := lookup(name)
	if err != nil {
		panic("ingest: " + name + " is not in the index of encodings")
	}
	text, _ := decodeAs(e, data)
	return text
}

// readMultibyte decodes in an encoding of several bytes a character, if name is
// one and few bytes are bad in it.
func readMultibyte(data []byte, name string) (string, bool) {
	e, err := lookup(name)
	if err != nil || isUTF8Name(name) {
		return "", false
	}
	if _, single := e.(*charmap.Charmap); single {
		return "", false
	}
	text, bad := decodeAs(e, data)
	return text, bad*100 <= utf8.RuneCountInString(text)
}

// fitMultibyte is for text of several bytes a character what fit is for others:
// 2 for each byte that its ideographs and syllables took.
func fitMultibyte(s string) int {
	n, before := 0, ' '
	for _, r := range s {
		switch {
		case r == utf8.RuneError || unicode.Is(unicode.Co, r):
			n -= 8
		case r >= utf8.RuneSelf && isASCIILetter(before):
			n -= 4 // an accented letter within a word, say, and what follows it
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 4
		}
		before = r
	}
	return n
}

// fit tells how well a decoded text reads as one in the best of some languages:
// 2 for each letter beyond ASCII that its language has, 1 where the text is not
// told to be in that language, less for what does not stand in writing.
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
				n-- // rare, and a wrong encoding may give the other case
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
	told := text.Detect(s)
	best := 0
	for i, l := range languages {
		sum := n
		for r, count := range counts {
			sum += count * value(r, l, l == told)
		}
		if i == 0 || sum > best {
			best = sum
		}
	}
	return best
}

// value is what a letter adds to a text in a language.
func value(r rune, language string, told bool) int {
	script := scripts[language]
	if script == nil {
		script = unicode.Latin
	}
	own, listed := letters[language]
	switch {
	case listed && strings.ContainsRune(own, r) || !listed && unicode.Is(script, r):
		if told {
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

// sample is what is looked at: the first so many of the lines that have a
// byte beyond ASCII.
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
