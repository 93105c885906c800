package text

import (
	"unicode"
	"unicode/utf8"
)

// scriptInfo is a script and its language or profile.
type scriptInfo struct {
	table   *unicode.RangeTable
	profile string // distinguishes the languages of the script, if there are several
	tag     string // the language, if there is only one
	// weight compensates for scripts that express more per letter.
	weight int
	// enough is the minimum number of letters for detection.
	enough int
}

const (
	latin = iota
	han
	kana
	hangul
)

// scripts in the order of the constants above. Kana counts towards Han: the two
// together are Japanese.
var scripts = []scriptInfo{
	latin:  {unicode.Latin, "latin", "", 1, 4},
	han:    {unicode.Han, "", "zh", 3, 2},
	kana:   {unicode.Hiragana, "", "ja", 3, 2},
	hangul: {unicode.Hangul, "", "ko", 2, 2},
	{unicode.Cyrillic, "cyrillic", "", 1, 4},
	{unicode.Arabic, "arabic", "", 1, 4},
	{unicode.Devanagari, "", "hi", 1, 4},
	{unicode.Greek, "", "el", 1, 4},
	{unicode.Hebrew, "", "he", 1, 4},
	{unicode.Thai, "", "th", 1, 4},
	{unicode.Bengali, "", "bn", 1, 4},
	{unicode.Tamil, "", "ta", 1, 4},
	{unicode.Telugu, "", "te", 1, 4},
	{unicode.Georgian, "", "ka", 1, 4},
	{unicode.Armenian, "", "hy", 1, 4},
}

// scriptCount counts the letters of each script.
type scriptCount struct {
	letters [16]int
}

func (c *scriptCount) add(s string) {
	last := latin
	for _, r := range s {
		if r < utf8.RuneSelf {
			if class[r]&letter != 0 {
				c.letters[latin]++
			}
			continue
		}
		if unicode.Is(scripts[last].table, r) {
			c.letters[last]++
			continue
		}
		if unicode.Is(unicode.Katakana, r) {
			c.letters[kana]++
			continue
		}
		for i := range scripts {
			if unicode.Is(scripts[i].table, r) {
				c.letters[i]++
				last = i
				break
			}
		}
	}
}

// dominant returns the script of most of the text, nil if there is too little text.
func (c *scriptCount) dominant() *scriptInfo {
	best, most := -1, 0
	for i := range scripts {
		n := c.letters[i] * scripts[i].weight
		switch i {
		case han:
			n += c.letters[kana] * scripts[kana].weight
		case kana:
			continue
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 || most < scripts[best].enough*scripts[best].weight {
		return nil
	}
	return &scripts[best]
}

// language returns the language of a script that has only one.
func (s *scriptInfo) language(c *scriptCount) string {
	if s.tag == "zh" && 20*c.letters[kana] >= c.letters[kana]+c.letters[han] {
		return "ja"
	}
	return s.tag
}
