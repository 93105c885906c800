package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core/cluster"
)

// richTextReader reads Rich Text: Microsoft's specification, version 1.9.1.
type richTextReader struct {
	page
	data   []byte
	at     int
	decode Decoder

	groups []group
	group  // the current one

	fonts  map[int]string // encodings
	ansi   string         // the encoding of fonts that have none
	styles map[int]string // names in lower case
	colors []string       // empty for none
	color  [3]int
	stated bool // the colour
	row    []cellLook
	next   cellLook     // of the cell whose width follows
	low    bool         // the row has no height
	words  bytes.Buffer // of a destination that is no text

	para    *letters
	pending []byte // letters in the encoding of the font
	high    rune   // the first half of a pair of UTF-16
	skip    int    // letters that stand for the last one in older programs
	table   bool
	cell    strings.Builder
	cells   []string
	outside []*letters // paragraphs that footnotes and text boxes interrupt
	noting  int        // the depth of footnotes

	title    string
	dates    map[string][3]int
	dateName string
}

// cellLook is how a cell looks: its shade, and whether another cell covers it.
type cellLook struct {
	shade     int
	patterned bool // the shade is not only the colour
	covered   bool
}

// shapeLook is how a shape looks, and the name of the property whose value follows.
type shapeLook struct {
	fill     behind
	filled   bool
	hidden   bool
	property string
}

// group is what ends with a group of braces.
type group struct {
	to       destination
	font     int
	hidden   bool
	unseen   bool // in a shape that is hidden
	deleted  bool
	unicode  int // letters after \u
	style    int
	outline  int
	listed   bool
	inTable  bool
	half     int
	apart    float64 // points between letters
	narrow   bool    // letters have no width
	squeezed bool    // lines have no height, or are off the page
	ink      int     // numbers of colours are from 1; 0 is none
	ground   int
	shade    int  // of the paragraph
	dotted   bool // the letters are on a pattern
	hatched  bool // the paragraph is
	shape    *shapeLook
	grouped  bool   // in a group of shapes
	back     behind // of the shape
	footnote bool
	box      bool
	// twice is within a destination that states its text twice, the second time in
	// Unicode; outer is the destination around it.
	twice bool
	outer destination
}

type destination int

const (
	toText destination = iota
	toNothing
	toFonts
	toStyles
	toColors
	toTitle
	toDate
	toName
	toValue
)

func readRichText(data []byte, _ string, decode Decoder) (Content, error) {
	r := &richTextReader{
		data: data, decode: decode, ansi: "windows-1252", para: new(letters),
		fonts: map[int]string{}, styles: map[int]string{}, dates: map[string][3]int{},
	}
	r.unicode, r.shape = 1, new(shapeLook)
	if err := r.read(); err != nil {
		return Content{}, err
	}
	r.endParagraph()
	r.endTable()
	date := ""
	for _, name := range []string{"revtim", "creatim"} {
		if d, ok := r.dates[name]; ok && date == "" {
			date = isoDate(fmt.Sprintf("%04d-%02d-%02d", d[0], d[1], d[2]))
		}
	}
	return one(r.document(stated(oneLine(r.title)), date), nil)
}

func (r *richTextReader) read() error {
	for r.at < len(r.data) {
		c := r.data[r.at]
		r.at++
		switch c {
		case '{':
			if len(r.groups) >= maxDepth {
				return problem(TooDeep, "")
			}
			r.flush()
			r.groups = append(r.groups, r.group)
			r.footnote, r.box = false, false
			r.skip = 0
		case '}':
			r.skip = 0
			if r.endGroup(); len(r.groups) == 0 {
				return nil
			}
		case '\\':
			if err := r.control(); err != nil {
				return err
			}
		case '\r', '\n', 0:
		default:
			r.letter(c)
		}
	}
	return problem(Damaged, "it ends within a group")
}

func (r *richTextReader) endGroup() {
	r.flush()
	if len(r.groups) == 0 {
		return
	}
	ended := r.group
	r.group = r.groups[len(r.groups)-1]
	r.groups = r.groups[:len(r.groups)-1]
	words := r.words.String()
	switch {
	case ended.footnote:
		r.noting--
		content := r.para.end()
		r.restore()
		if !r.hidden && !r.unseen && !r.deleted && r.to == toText {
			r.note(strings.TrimSpace(content))
		}
	case ended.box:
		r.endParagraph()
		r.restore()
	case ended.to == toTitle && r.to != toTitle:
		if words != "" {
			r.title = words
		}
		r.words.Reset()
	case ended.to == toName && r.to != toName:
		r.shape.property = strings.TrimSpace(words)
		r.words.Reset()
	case ended.to == toValue && r.to != toValue:
		r.shape.set(strings.TrimSpace(words))
		r.words.Reset()
	case ended.to == toStyles:
		name, _, _ := strings.Cut(words, ";")
		if _, known := r.styles[ended.style]; !known && name != "" {
			r.styles[ended.style] = strings.ToLower(strings.TrimSpace(name))
		}
		r.words.Reset()
	case ended.to == toFonts || ended.to == toColors:
		r.words.Reset()
	}
}

// set takes the value of a property of a shape.
func (s *shapeLook) set(value string) {
	n, err := strconv.Atoi(value)
	if err != nil {
		return
	}
	switch s.property {
	case "fillColor":
		s.fill.color = fmt.Sprintf("%02x%02x%02x", n&255, n>>8&255, n>>16&255)
	case "fillType":
		s.fill.unknown = n != 0 // a gradient or a picture
	case "fFilled":
		s.filled = n != 0
	case "fHidden":
		s.hidden = n != 0
	}
}

// suspend begins a text within a paragraph; restore ends it.
func (r *richTextReader) suspend() {
	r.flush()
	r.outside = append(r.outside, r.para)
	r.para = new(letters)
}

func (r *richTextReader) restore() {
	last := len(r.outside) - 1
	r.para = r.outside[last]
	r.outside = r.outside[:last]
}

// letter adds a byte of text.
func (r *richTextReader) letter(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	switch r.to {
	case toNothing, toDate:
	case toColors:
		if c == ';' {
			color := ""
			if r.stated {
				color = fmt.Sprintf("%02x%02x%02x", r.color[0]&255, r.color[1]&255, r.color[2]&255)
			}
			r.colors = append(r.colors, color)
			r.color, r.stated = [3]int{}, false
		}
	default:
		r.pending = append(r.pending, c)
	}
}

// flush decodes the letters since the last change of the font.
func (r *richTextReader) flush() {
	if len(r.pending) == 0 {
		return
	}
	label := r.fonts[r.font]
	if label == "" {
		label = r.ansi
	}
	s, err := r.decode(r.pending, label)
	if err != nil {
		s = strings.ToValidUTF8(string(r.pending), "\ufffd")
	}
	r.pending = r.pending[:0]
	r.write(s)
}

func (r *richTextReader) write(s string) {
	switch r.to {
	case toTitle, toStyles, toName, toValue:
		r.words.WriteString(s)
	case toText:
		if r.hidden || r.unseen || r.deleted || r.narrow || r.squeezed || r.covered() {
			return
		}
		l := look{color: r.colorAt(r.ink), ground: r.colorAt(r.ground), points: float64(r.half) / 2, apart: r.apart}
		ground := r.colorAt(r.shade)
		known := !r.hatched && (ground != "" || !r.behindUnknown())
		if ground == "" {
			ground = r.behind()
		}
		if r.dotted {
			l.ground = patterned
		}
		r.para.letters(s, l.css(ground, known))
	}
}

// colorAt returns a colour of the table by its number from 1; 0 stands for none. The
// first of the table usually stands for none, too: it is empty then.
func (r *richTextReader) colorAt(i int) string {
	if i <= 0 || i > len(r.colors) {
		return ""
	}
	return r.colors[i-1]
}

// behind returns the colour that is behind the paragraph: of the shape or the cell.
func (r *richTextReader) behind() string {
	if at := len(r.cells); r.inCell() && at < len(r.row) {
		return r.colorAt(r.row[at].shade)
	}
	return r.back.color
}

// behindUnknown reports whether what is behind the paragraph is no single colour.
func (r *richTextReader) behindUnknown() bool {
	if at := len(r.cells); r.inCell() && at < len(r.row) && r.row[at].patterned {
		return true
	}
	return r.back.unknown
}

// covered reports whether the text is in a cell that is not shown.
func (r *richTextReader) covered() bool {
	at := len(r.cells)
	return r.inCell() && (r.low || at < len(r.row) && r.row[at].covered)
}

func (r *richTextReader) inCell() bool { return r.inTable && len(r.outside) == 0 }

// rune adds a character that does not depend on the font.
func (r *richTextReader) rune(c rune) {
	r.flush()
	r.write(string(c))
}

var symbols = map[string]rune{
	"emdash": '—', "endash": '–', "lquote": '‘', "rquote": '’', "ldblquote": '“', "rdblquote": '”', "bullet": '•',
	"emspace": ' ', "enspace": ' ', "qmspace": ' ', "tab": '\t',
}

// skipped are the destinations that are not text of the document.
var skipped = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`header headerl headerr headerf footer footerl footerr footerf pict object nonshppict
		fldinst xe tc bkmkstart bkmkend annotation atnid atnauthor atnref atndate atnicn atrfstart atrfend filetbl listtable
		listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles info xmlnstbl
		ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pnseclvl shprslt nonesttables mmathPr wgrffmtfilter userprops docvar
		comment doccomm operator author company category keywords subject manager hlinkbase
		sp`) {
		skipped[name] = true
	}
}

// shown matches the destinations of those that readers may leave out that are text.
var shown = regexp.MustCompile(`^\\(?:shpinst|footnote|ud)\b`)

// hatching matches the patterns of cells, letters and paragraphs.
var hatching = regexp.MustCompile(`^(cl|ch)?bg(?:dk)?(?:horiz|vert|fdiag|bdiag|cross|dcross|hor)$`)

// control reads a control word or symbol.
func (r *richTextReader) control() error {
	if r.at >= len(r.data) {
		return nil // the end is reported by read
	}
	c := r.data[r.at]
	if c < 'a' || c > 'z' {
		if c >= 'A' && c <= 'Z' {
			r.at++ // no control word of the specification
			return nil
		}
		return r.symbol(c)
	}
	start := r.at
	for r.at < len(r.data) && (r.data[r.at] >= 'a' && r.data[r.at] <= 'z' || r.data[r.at] >= 'A' && r.data[r.at] <= 'Z') && r.at-start < 32 {
		r.at++
	}
	name := string(r.data[start:r.at])
	digits := r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9' && r.at-digits < 11 {
		r.at++
	}
	n, err := strconv.Atoi(string(r.data[digits:r.at]))
	given := err == nil
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	if name == "bin" {
		r.at = min(len(r.data), r.at+max(n, 0))
		return nil
	}
	if r.skip > 0 && name != "u" {
		r.skip--
		return nil
	}
	r.word(name, n, given)
	return nil
}

func (r *richTextReader) symbol(c byte) error {
	r.at++
	switch c {
	case '\'':
		if r.at+2 > len(r.data) {
			r.at = len(r.data)
			return nil
		}
		n, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8)
		r.at += 2
		if err == nil {
			r.letter(byte(n))
		}
	case '*':
		// A destination that readers may leave out: those that are text are named below.
		rest := r.data[r.at:min(len(r.data), r.at+20)]
		if !shown.Match(rest) {
			r.flush()
			r.to = toNothing
		}
	case '~':
		r.rune('\u00a0')
	case '_':
		r.rune('-')
	case '-', ':', '|':
	case '\n', '\r':
		r.flush()
		r.endParagraph()
	default: // an escaped brace or backslash
		r.letter(c)
	}
	return nil
}

// word obeys a control word.
func (r *richTextReader) word(name string, n int, given bool) {
	isOn := !given || n != 0
	if r.to == toNothing && name != "shptxt" && name != "ud" && name != "sn" && name != "sv" {
		return
	}
	if skipped[name] {
		r.flush()
		if name == "info" {
			return // of which some parts are read
		}
		r.to = toNothing
		return
	}
	if c, ok := symbols[name]; ok {
		r.rune(c)
		return
	}
	if m := hatching.FindStringSubmatch(name); m != nil {
		r.flush()
		switch m[1] {
		case "cl":
			r.next.patterned = true
		case "ch":
			r.dotted = true
		default:
			r.hatched = true
		}
		return
	}
	switch name {
	case "u":
		r.flush()
		r.unit(rune(uint16(n)))
		r.skip = r.unicode
	case "uc":
		r.unicode = max(n, 0)
	case "ansicpg":
		r.ansi = codePage(n)
	case "mac":
		r.ansi = "macintosh"
	case "f":
		r.flush()
		r.font = n
	case "fcharset":
		if r.to == toFonts {
			r.fonts[r.font] = charset(n)
		}
	case "plain":
		r.flush()
		r.hidden, r.half, r.ink, r.ground, r.font = false, 0, 0, 0, 0
		r.apart, r.narrow, r.dotted = 0, false, false
	case "v":
		r.flush()
		r.hidden = isOn
	case "deleted":
		r.flush()
		r.deleted = isOn
	case "fs":
		r.flush()
		r.half = n
	case "cf":
		r.flush()
		r.ink = n + 1
	case "cb", "chcbpat", "highlight":
		r.flush()
		r.ground = shadeOf(n)
	case "expnd":
		r.flush()
		r.apart = float64(n) / 4
	case "expndtw":
		r.flush()
		r.apart = float64(n) / 20
	case "charscalex":
		r.flush()
		r.narrow = given && n < 10
	case "red", "green", "blue":
		r.color[strings.Index("rgb", name[:1])] = n
		r.stated = true
	case "pard":
		r.flush()
		r.style, r.outline, r.listed, r.inTable, r.shade, r.squeezed, r.hatched = 0, 0, false, false, 0, false, false
	case "sl":
		r.flush()
		// Negative is the exact height of lines in twips.
		r.squeezed = n < 0 && n > -30
	case "li", "ri", "lin", "rin":
		if n > 31_680 { // the width of the largest page
			r.flush()
			r.squeezed = true
		}
	case "cbpat":
		r.flush()
		r.shade = shadeOf(n)
	case "trowd":
		r.flush()
		r.row, r.next, r.low = nil, cellLook{}, false
	case "trrh":
		r.flush()
		r.low = n < 0 && n > -30
	case "clcbpat":
		r.next.shade = shadeOf(n)
	case "clshdng":
		r.next.patterned = r.next.patterned || n != 0
	case "shading":
		r.flush()
		r.hatched = n != 0
	case "chshdng":
		r.flush()
		r.dotted = n != 0
	case "clvmrg", "clmrg":
		r.next.covered = true
	case "cellx":
		r.flush()
		if len(r.row) < 1000 {
			r.row = append(r.row, r.next)
		}
		r.next = cellLook{}
	case "shpgrp":
		r.flush()
		r.grouped = true
	case "shpinst":
		r.flush()
		r.unseen = r.unseen || r.shape.hidden // the group that it is in
		r.shape = &shapeLook{filled: true, fill: behind{color: "ffffff"}}
	case "sn", "sv":
		r.flush()
		r.to = toName
		if name == "sv" {
			r.to = toValue
		}
	case "s":
		r.style = n
	case "outlinelevel":
		r.outline = n + 1
	case "ls":
		r.listed = n > 0
	case "intbl":
		r.inTable = true
	case "par", "sect", "page":
		r.flush()
		r.endParagraph()
	case "line", "lbr":
		r.flush()
		if !r.hidden && !r.unseen && !r.deleted && r.to == toText {
			r.para.WriteString("<br>")
		}
	case "cell":
		r.flush()
		r.endParagraph()
		r.cells = append(r.cells, r.cell.String())
		r.cell.Reset()
	case "nestcell", "nestrow":
		r.flush()
		r.endParagraph()
	case "row":
		r.flush()
		r.endRow()
	case "listtext", "pntext":
		r.flush()
		r.to = toNothing
		// It is the mark of the paragraph, which the group does not end.
		r.groups[len(r.groups)-1].listed = true
	case "footnote":
		r.suspend()
		r.footnote = true
		r.noting++
		r.style, r.outline, r.listed = 0, 0, false
	case "shptxt":
		r.suspend()
		r.to, r.box = toText, true
		switch {
		case r.shape.filled:
			r.back = r.shape.fill
		case r.grouped:
			r.back.unknown = true
		}
		r.unseen = r.unseen || r.shape.hidden
		r.shade, r.squeezed, r.hatched = 0, false, false
		r.style, r.outline, r.listed, r.inTable = 0, 0, false, false
	case "upr":
		r.flush()
		r.twice, r.outer, r.to = true, r.to, toNothing
	case "ud":
		r.flush()
		if r.twice {
			r.twice, r.to = false, r.outer
		}
	case "fonttbl":
		r.to = toFonts
	case "stylesheet":
		r.to = toStyles
	case "colortbl":
		r.to = toColors
	case "title":
		r.flush()
		r.to = toTitle
	case "creatim", "revtim":
		r.to, r.dateName = toDate, name
	case "printim", "buptim":
		r.to = toNothing
	case "yr", "mo", "dy":
		if r.to == toDate {
			d := r.dates[r.dateName]
			d[strings.Index("ymd", name[:1])] = n
			r.dates[r.dateName] = d
		}
	}
}

// shadeOf returns the number of a colour behind letters, of which the first is none.
func shadeOf(n int) int {
	if n <= 0 {
		return 0
	}
	return n + 1
}

// unit adds a unit of UTF-16.
func (r *richTextReader) unit(c rune) {
	if utf16.IsSurrogate(c) {
		if r.high != 0 {
			r.write(string(utf16.DecodeRune(r.high, c)))
			r.high = 0
		} else {
			r.high = c
		}
		return
	}
	r.high = 0
	if c >= 0xf000 && c <= 0xf0ff {
		return // of a font of symbols
	}
	r.write(string(c))
}

// endParagraph adds the paragraph to the document or the cell.
func (r *richTextReader) endParagraph() {
	if r.to != toText {
		return
	}
	if r.noting > 0 {
		r.para.WriteByte(' ')
		return
	}
	content := r.para.end()
	if r.inTable && len(r.outside) == 0 {
		if strings.TrimSpace(content) != "" {
			r.cell.WriteString("<p>" + content + "</p>")
		}
		return
	}
	if len(r.outside) == 0 {
		r.endTable()
	}
	s, named := styleNamed(r.styles[r.style])
	switch {
	case named:
	case r.outline > 0 && r.outline < 10:
		s = style{kind: cluster.Heading, level: r.outline}
	case r.listed:
		s = style{kind: cluster.ListItem}
	}
	r.page.paragraph(s, content)
}

func (r *richTextReader) endRow() {
	if len(r.cells) == 0 {
		return
	}
	r.endList()
	if !r.table {
		r.open("table")
		r.table = true
	}
	r.raw("<tr>")
	for _, cell := range r.cells {
		r.raw("<td>" + cell + "</td>")
	}
	r.raw("</tr>")
	r.cells = nil
}

func (r *richTextReader) endTable() {
	r.endRow()
	if r.table {
		r.close("table")
	}
	r.table = false
}

// codePage returns the label of a code page of Windows.
func codePage(n int) string {
	switch n {
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 866, 874:
		return map[int]string{866: "ibm866", 874: "windows-874"}[n]
	case 10000:
		return "macintosh"
	case 65001:
		return "utf-8"
	}
	if n >= 1250 && n <= 1258 {
		return "windows-" + strconv.Itoa(n)
	}
	return "windows-1252"
}

// charset returns the label of the encoding of a font; empty for the file's.
func charset(n int) string {
	switch n {
	case 77:
		return "macintosh"
	case 128:
		return "shift_jis"
	case 129:
		return "euc-kr"
	case 134:
		return "gbk"
	case 136:
		return "big5"
	case 161:
		return "windows-1253"
	case 162:
		return "windows-1254"
	case 163:
		return "windows-1258"
	case 177:
		return "windows-1255"
	case 178:
		return "windows-1256"
	case 186:
		return "windows-1257"
	case 204:
		return "windows-1251"
	case 222:
		return "windows-874"
	case 238:
		return "windows-1250"
	}
	return ""
}
