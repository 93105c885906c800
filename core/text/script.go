package text

import "unicode"

// detectScript tells the language from the most frequent script alone.
func detectScript(doc string) string {
	var best string
	most := 0
	for _, s := range []struct {
		tag   string
		table *unicode.RangeTable
	}{{"en", unicode.Latin}, {"ru", unicode.Cyrillic}, {"zh", unicode.Han}, {"ko", unicode.Hangul}, {"ja", unicode.Hiragana},
		{"ar", unicode.Arabic}, {"hi", unicode.Devanagari}, {"el", unicode.Greek}, {"he", unicode.Hebrew}, {"th", unicode.Thai}} {
		n := 0
		for _, r := range doc[:min(len(doc), 4096)] {
			if unicode.Is(s.table, r) {
				n++
			}
		}
		if n > most {
			best, most = s.tag, n
		}
	}
	return best
}
