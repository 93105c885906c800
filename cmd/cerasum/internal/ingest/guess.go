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

// guess determines the encoding from the bytes by decoding them and scoring the
// result. The detector identifies multibyte encodings, and scripts for which it
// has statistics. Single-byte text is decoded in each encoding, and the letters of
// the detected language are counted. The fallback, windows-1252, decodes any
// bytes.
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
			return best, mustDecode(best, data) // identified by its escape sequences
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

// mustDecode decodes with an encoding known to be in the index.
func mustDecode(name string, data []byte) string {
	e, err := lookup(name)
	if err != nil {
		panic("ingest: " + name + " is not in the index of encodings")
	}
	text, _ := decodeAs(e, data)
	return text
}

// readMultibyte decodes with a multibyte encoding, if name is one and few bytes are
// bad.
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
