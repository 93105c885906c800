package ingest

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
	"github.com/cerasum/cerasum/core/cluster"
)

// pdfParagraph is lines that belong together.
type pdfParagraph struct {
	text   string
	height float64
	page   int
}

// layOut returns the paragraphs of all pages, words hyphenated at line ends whole
// again and without running heads and page numbers, and the title if the first lines
// look like one.
func layOut(pages []pdfium.Page) (title string, parts []part) {
	perPage := make([][]*pdfLine, len(pages))
	for i := range pages {
		perPage[i] = linesOfPage(&pages[i], i)
	}
	markHeads(pages, perPage)
	all := slices.DeleteFunc(slices.Concat(perPage...), func(l *pdfLine) bool { return l.head })
	body := bodyHeight(all)
	var gaps, lefts []float64
	for i, l := range all {
		lefts = append(lefts, l.x)
		if i > 0 && l.page == all[i-1].page {
			if gap := l.y - all[i-1].y; gap > 0.5*body && gap < 3*body {
				gaps = append(gaps, gap)
			}
		}
	}
	gap, left := median(gaps), median(lefts)
	words := vocabulary(all)
	var paragraphs []*pdfParagraph
	var text strings.Builder // of the last one
	for i, l := range all {
		if i == 0 || beginsParagraph(l, all[i-1], gap, left) {
			paragraphs = append(paragraphs, &pdfParagraph{height: l.height, page: l.page})
			text.Reset()
			text.WriteString(l.text)
		} else {
			joinLine(&text, l.text, words)
		}
		paragraphs[len(paragraphs)-1].text = text.String()
	}

	// A large first line on the first page is the title, which is not quoted.
	if len(paragraphs) > 1 {
		first, largest := paragraphs[0], math.Inf(-1)
		for _, p := range paragraphs {
			if p.page == 0 {
				largest = max(largest, p.height)
			}
		}
		if first.height >= 1.25*body && first.height >= 0.95*largest && units(first.text) <= 200 {
			title, paragraphs = first.text, paragraphs[1:]
		}
	}
	cited := false
	for _, p := range paragraphs {
		own := norm.NFC.String(strings.ReplaceAll(p.text, softHyphen, ""))
		size := 1.0
		if body > 0 {
			size = p.height / body
		}
		kind := kindOfParagraph(own, size)
		if kind == cluster.Heading {
			cited = referenceHead.MatchString(own)
		} else if cited {
			kind = cluster.Reference
		}
		parts = append(parts, part{kind, own})
	}
	return norm.NFC.String(title), parts
}

// bodyHeight returns the size of most characters.
func bodyHeight(all []*pdfLine) float64 {
	sizes := map[float64]int{}
	var order []float64
	for _, l := range all {
		size := math.Floor(l.height*2+0.5) / 2
		if _, ok := sizes[size]; !ok {
			order = append(order, size)
		}
		sizes[size] += units(l.text)
	}
	best := 0.0
	for _, size := range order {
		if sizes[size] > sizes[best] {
			best = size
		}
	}
	return best
}

func median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

var (
	// lineEnd matches the end of a sentence.
	lineEnd = regexp.MustCompile(`[.!?…:。！？؟۔।][\p{Pe}\p{Pf}"'’”»)]*$`)
	// bullet matches the marker of a list item.
	bullet   = regexp.MustCompile(`^(?:[•▪◦‣●○■–—*·-]\s|\(?\d{1,2}[.)]\s|[a-z]\)\s)`)
	dash     = regexp.MustCompile(`^[–—-]`)
	goesOn   = regexp.MustCompile(`^[\p{Ll}\d(«“"'’‘—–-]`)
	wordForm = regexp.MustCompile(`[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*`)
	nextWord = regexp.MustCompile(`^\p{L}[\p{L}\p{M}]*`)
	unspaced = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}、。，！？」』）]$`)
	unspaces = regexp.MustCompile(`^[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}「『（、。]`)
	note     = regexp.MustCompile(`^[\d*†‡§¹²³]`)
	// referenceHead matches headings of lists of references, in the languages of most papers.
	referenceHead = regexp.MustCompile(`(?i)^(?:\d+\.?\s*)?(?:references|bibliography|works cited|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|referências|bibliografia|riferimenti|referenties|literatura|piśmiennictwo|(?:список )?литератур[аы]|література|参考文献|參考文獻|참고\s*문헌|kaynakça|kaynaklar|المراجع|संदर्भ|tài liệu tham khảo)\s*$`)
)

const softHyphen = "\u00ad"

// beginsParagraph reports whether a new paragraph begins with a line. gap is the usual distance
// of lines.
func beginsParagraph(line, before *pdfLine, gap, left float64) bool {
	size := max(line.height, before.height)
	if min(line.height, before.height) < 0.87*size || bullet.MatchString(line.text) {
		return true
	}
	ended := lineEnd.MatchString(before.text)
	if below := line.page == before.page && line.y > before.y; !below {
		// An unfinished sentence continues at the top of the next column or page.
		if line.y >= before.y && line.page <= before.page {
			return true
		}
		capital := unicode.IsUpper(firstRune(line.text))
		return (ended || !goesOn.MatchString(line.text)) && (ended || capital && before.right < left+20*size)
	}
	if line.y-before.y > 1.45*max(gap, 1.05*size) {
		return true
	}
	// An indented line after one that is not.
	indent := line.x - before.x
	if line.toLeft {
		indent = before.right - line.right
	}
	return indent > 0.8*size && indent < 6*size && ended
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// vocabulary returns the words inside a text's lines, including hyphenated ones and
// their beginnings ("well-").
func vocabulary(all []*pdfLine) map[string]bool {
	words := map[string]bool{}
	for _, l := range all {
		for _, word := range wordForm.FindAllString(strings.ReplaceAll(strings.ToLower(l.text), "‐", "-"), -1) {
			words[word] = true
			if first, _, ok := strings.Cut(word, "-"); ok {
				words[first+"-"] = true
			}
		}
	}
	return words
}

// longestWord is the number of characters of words that are looked up.
const longestWord = 100

// divided returns the word before a hyphen at the end of a text, with the hyphens in
// it, and the text without that hyphen.
func divided(text string) (word, stem string, ok bool) {
	last, n := utf8.DecodeLastRuneInString(text)
	if last != '-' && last != '‐' && string(last) != softHyphen {
		return "", "", false
	}
	stem = text[:len(text)-n]
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
	start := len(stem)
	for range longestWord {
		r, n := utf8.DecodeLastRuneInString(stem[:start])
		if !letter(r) {
			hyphen := start < len(stem) && (r == '-' || r == '‐')
			before, _ := utf8.DecodeLastRuneInString(stem[:max(0, start-n)])
			if !hyphen || !letter(before) {
				break
			}
		}
		start -= n
	}
	return stem[start:], stem, start < len(stem)
}

// joinLine appends a line to a text. A hyphen at the end is removed if it only divided
// a word.
func joinLine(text *strings.Builder, line string, words map[string]bool) {
	before := text.String()
	first, stem, isDivided := divided(before)
	next := nextWord.FindString(line)
	cut := func() {
		text.Reset()
		text.WriteString(stem + line)
	}
	if isDivided && next != "" {
		if strings.HasSuffix(before, softHyphen) {
			cut()
			return
		}
		lower, after := strings.ToLower(first), strings.ToLower(next)
		kept := (words[lower+"-"+after] || words[lower+"-"]) && !words[lower+after]
		// A capital after the hyphen: part of a name, keep it.
		if kept || unicode.IsUpper(firstRune(next)) {
			text.WriteString(line)
		} else {
			cut()
		}
		return
	}
	last, n := utf8.DecodeLastRuneInString(before)
	inner, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	switch {
	case (last == '-' || last == '‐') && (unicode.IsLetter(inner) || unicode.IsNumber(inner)) && unicode.IsNumber(firstRune(line)):
		text.WriteString(line) // a range of numbers
	case unspaced.MatchString(string(last)) && unspaces.MatchString(line):
		text.WriteString(line) // scripts without spaces
	default:
		text.WriteString(" " + line)
	}
}

const (
	longestHeading = 150
	longestNote    = 400
)

// kindOfParagraph returns the kind of a paragraph, by its size relative to that of
// most text and by how it begins.
func kindOfParagraph(text string, size float64) cluster.Kind {
	if size >= 1.12 && units(text) <= longestHeading && !endsSentence(text) || referenceHead.MatchString(text) {
		return cluster.Heading
	}
	if size <= 0.85 && units(text) <= longestNote {
		if note.MatchString(text) {
			return cluster.Reference
		}
		return cluster.Caption
	}
	kind := cluster.Paragraph
	if bullet.MatchString(text) && !dash.MatchString(text) {
		kind = cluster.ListItem
	}
	return kindOfText(text, kind)
}
