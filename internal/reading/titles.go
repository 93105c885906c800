package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

// Words of titles are compared by their first letters, as stems differ between
// languages.
const (
	leastTitleWord = 4 // letters; shorter words are mostly stop words
	titleStem      = 6 // letters
	leastSubject   = 2 // characters of the subject of an encyclopedia entry
)

// commonTitles holds the words that two or more titles share, and how many titles have
// each: what the documents have in common, by their editors.
type commonTitles struct {
	titles map[string]int
	total  int
}

func readTitles(documents []cluster.Document) commonTitles {
	c := commonTitles{titles: map[string]int{}}
	for i := range documents {
		if fileName(&documents[i]) {
			continue
		}
		seen := map[string]bool{}
		titleWords(documents[i].Title, func(w string) {
			if !seen[w] {
				seen[w] = true
				c.titles[w]++
			}
		})
	}
	for w, n := range c.titles {
		if n < 2 {
			delete(c.titles, w)
		} else {
			c.total += n
		}
	}
	return c
}

// fileName reports whether the title of a document is the name of its file, with or without
// its ending: what the names of files have in common, as in report-1.txt and report-2.txt,
// does not tell the event.
func fileName(d *cluster.Document) bool {
	name := d.Source[strings.LastIndexAny(d.Source, `/\`)+1:]
	return d.Title != "" && strings.Contains(name, ".") && (name == d.Title || strings.HasPrefix(name, d.Title+"."))
}

// share is the part, in 0..1, of the common words of the titles that a sentence has;
// each counts as often as there are titles that have it.
func (c *commonTitles) share(sentence string) float64 {
	if c.total == 0 {
		return 0
	}
	found := 0
	seen := map[string]bool{}
	titleWords(sentence, func(w string) {
		if n := c.titles[w]; n > 0 && !seen[w] {
			seen[w] = true
			found += n
		}
	})
	return float64(found) / float64(c.total)
}

// titleWords calls each with the words of s as they are compared: the beginnings of
// words, and pairs of characters where words have no spaces between them.
func titleWords(s string, each func(string)) {
	s = strings.ToLower(s)
	start, letters, stem := -1, 0, 0
	previous := -1
	end := func(at int) {
		if start >= 0 && letters >= leastTitleWord {
			each(s[start:min(at, stem)])
		}
		start, letters = -1, 0
	}
	for at, r := range s {
		size := utf8.RuneLen(r)
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end(at)
			if previous >= 0 {
				each(s[previous : at+size])
			}
			previous = at
			continue
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r) || unicode.IsDigit(r):
			if start < 0 {
				start = at
			}
			if letters++; letters <= titleStem {
				stem = at + size
			}
		default:
			end(at)
		}
		previous = -1
	}
	end(len(s))
}

// Defines reports whether a sentence has all of its document's title, less the name of a
// site and a bracketed note: "New Zealand – Wikipedia", "Mercury (planet)". The first such
// sentence of an encyclopedia entry says what the subject is. A very long title is no name.
func Defines(title, sentence string) bool {
	if len(title) > longTitle {
		return false
	}
	title = fold(title)
	for _, mark := range []string{" - ", " – ", " — ", " | ", " · "} {
		if i := strings.LastIndex(title, mark); i > 0 {
			title = title[:i]
		}
	}
	if i := strings.IndexAny(title, "(（"); i > 0 {
		title = title[:i]
	}
	title = strings.TrimSpace(title)
	if utf8.RuneCountInString(title) < leastSubject {
		return false
	}
	sentence = fold(sentence)
	for from := 0; ; {
		at := strings.Index(sentence[from:], title)
		if at < 0 {
			return false
		}
		from += at
		before, _ := utf8.DecodeLastRuneInString(sentence[:from])
		first, size := utf8.DecodeRuneInString(title)
		after, _ := utf8.DecodeRuneInString(sentence[from+len(title):])
		whole := utf8.RuneCountInString(title) > titleStem || from+len(title) == len(sentence) || notLetter(after)
		if unspaced(first) || whole && (from == 0 || notLetter(before)) {
			return true
		}
		from += size
	}
}
