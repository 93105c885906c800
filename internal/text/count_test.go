package text

import (
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// The naive versions: the whole text, with no fast path.

func countWordsNaive(s string) int {
	return len(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_'
	}))
}

func countSegmentsNaive(s string) int {
	n := 0
	for it := words.FromString(string([]rune(s))); it.Next(); {
		if strings.ContainsFunc(it.Value(), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

func countCharactersNaive(s string) int {
	n := 0
	for it := graphemes.FromString(string([]rune(s))); it.Next(); {
		n++
	}
	return n
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		text                        string
		words, segments, characters int
	}{
		{"", 0, 0, 0},
		{" \t\r\n", 0, 0, 3},
		{"one two", 2, 2, 7},
		{"Don't pay $3.50!", 5, 3, 16},
		{"snake_case __ 1,000", 4, 2, 19},
		{"U.S.A. o'clock e-mail", 7, 4, 21},
		{"naïve café", 2, 2, 10},
		{"nai\u0308ve", 2, 1, 5}, // Python's \w has no combining marks
		{"他们来了", 1, 4, 4},
		{"これはペンです", 1, 6, 7},
		{"हिन्दी भाषा", 5, 2, 5},
		{"👩‍👩‍👧‍👦 🇩🇪 x", 1, 1, 5},
		{"a\x00b \xff c", 3, 3, 7},
		{"½ ² Ⅷ ٣", 4, 4, 7},
	} {
		if n := CountWords(c.text); n != c.words {
			t.Errorf("CountWords(%q) = %d, want %d", c.text, n, c.words)
		}
		if n := CountSegments(c.text); n != c.segments {
			t.Errorf("CountSegments(%q) = %d, want %d", c.text, n, c.segments)
		}
		if n := CountCharacters(c.text); n != c.characters {
			t.Errorf("CountCharacters(%q) = %d, want %d", c.text, n, c.characters)
		}
	}
}

func TestCountsAgainstNaive(t *testing.T) {
	texts := append([]string{"a\u0600" + "1", "\u0301abc \u0301 d", "a \u0301b", "x\r\ny\r\r\n", "a:b a..b 1,,2 1.a a.1 _a 1_ a'b' \"a\"b"}, odd...)
	for _, g := range golden {
		texts = append(texts, g.text)
	}
	for _, p := range prose {
		texts = append(texts, p)
	}
	for _, s := range texts {
		for i := range s {
			for _, part := range []string{s[i:], s[:i]} {
				if got, want := CountWords(part), countWordsNaive(part); got != want {
					t.Fatalf("CountWords(%q) = %d, want %d", part, got, want)
				}
				if got, want := CountSegments(part), countSegmentsNaive(part); got != want {
					t.Fatalf("CountSegments(%q) = %d, want %d", part, got, want)
				}
				if got, want := CountCharacters(part), countCharactersNaive(part); got != want {
					t.Fatalf("CountCharacters(%q) = %d, want %d", part, got, want)
				}
			}
		}
	}
}

func BenchmarkCount(b *testing.B) {
	for _, c := range []struct {
		name  string
		count func(string) int
	}{
		{"words", CountWords}, {"words-naive", countWordsNaive},
		{"segments", CountSegments}, {"segments-naive", countSegmentsNaive},
		{"characters", CountCharacters}, {"characters-naive", countCharactersNaive},
	} {
		for _, tag := range []string{"en", "ru", "zh"} {
			doc := strings.Repeat(prose[tag], (1<<18)/len(prose[tag]))
			b.Run(c.name+"/"+tag, func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					c.count(doc)
				}
			})
		}
	}
}
