package text

import (
	"slices"
	"strings"
	"testing"

	xtext "golang.org/x/text/language"
)

func TestTag(t *testing.T) {
	const malformed = "!"
	for tag, want := range map[string]string{
		"en": "en", "PT": "pt", "pt-BR": "pt", "pt_BR": "pt", "zh-Hant-TW": "zh", "sr_Latn_RS": "sr", "de-CH-1996": "de", "es-419": "es",
		"eng": "en", "POR": "pt", "por-BR": "pt", "fre": "fr", "fra": "fr", "ger": "de", "dut": "nl", "chi": "zh", "fil": "fil", "tlh": "tlh", "yue-HK": "yue",
		"no": "no", "nb": "nb", "nn": "nn", "nor": "no", "nob": "nb", "nno": "nn",
		"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "sh": "sr", "heb": "he", "ind": "id", "yid": "yi", "jav": "jv", "mol": "ro", "hbs": "sr",
		"und": "", "und-Latn": "", "UND": "",
		strings.Repeat("en-", 33) + "x":  "en", // 100 bytes
		strings.Repeat("en-", 33) + "xx": malformed,
		"":                               malformed, "-": malformed, "_": malformed, "-BR": malformed, "pt-": malformed, "pt--BR": malformed, "pt_-BR": malformed,
		"p": malformed, "p1": malformed, "1": malformed, "engl": malformed, "english": malformed, "portuguese": malformed, "English, please": malformed,
		" pt": malformed, "pt ": malformed, "pt BR": malformed, "pt-BRÉ": malformed, "português": malformed, "pt\x00": malformed, "pt.UTF-8": malformed, "?": malformed,
		"pt-abcdefghi": malformed, "x-private": malformed, "\u212ao": malformed, // Unicode lowers the Kelvin sign to k
	} {
		code, ok := Tag(tag)
		if !ok && code != "" {
			t.Errorf("%q: malformed, yet %q", tag, code)
		}
		if !ok {
			code = malformed
		}
		if code != want {
			t.Errorf("Tag(%q) = %q, want %q", tag, code, want)
		}
	}
}

// TestTagAgreesWithXText compares with golang.org/x/text for all two-letter codes
// and the three-letter codes that have one. x/text also replaces the codes of some
// rare languages by those of others.
func TestTagAgreesWithXText(t *testing.T) {
	compared := 0
	check := func(tag string) {
		parsed, err := xtext.Parse(tag)
		if err != nil || tag == "und" {
			return
		}
		base, _ := parsed.Base()
		want := base.String()
		if code, ok := Tag(tag); (code != want || !ok) && len(want) == 2 && code != "" && len(code) == 2 {
			t.Errorf("Tag(%q) = %q, %v, x/text says %q", tag, code, ok, want)
		}
		compared++
	}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			check(string([]rune{a, b}))
			for c := 'a'; c <= 'z'; c++ {
				check(string([]rune{a, b, c}))
			}
		}
	}
	if compared < 5000 {
		t.Errorf("%d codes compared", compared)
	}
}

func TestThreeLettersAreSorted(t *testing.T) {
	if len(threeLetters)%5 != 0 {
		t.Fatal(len(threeLetters))
	}
	var codes []string
	for at := 0; at < len(threeLetters); at += 5 {
		codes = append(codes, threeLetters[at:at+3])
	}
	if !slices.IsSorted(codes) || len(slices.Compact(codes)) != len(threeLetters)/5 {
		t.Error("the table is not sorted, or repeats a code")
	}
}

func FuzzTag(f *testing.F) {
	for _, tag := range []string{"pt-BR", "zho_Hans", "und", "\xff", "iw"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		code, ok := Tag(tag)
		if !ok {
			return
		}
		// The code of a code is the code itself.
		if again, ok := Tag(code); code != "" && (!ok || again != code) {
			t.Errorf("%q is %q, which is %q", tag, code, again)
		}
	})
}
