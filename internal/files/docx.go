package files

import (
	"encoding/xml"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// word reads the text of a Word document: ECMA-376, part 1, chapter 17.
type word struct {
	page
	*walker
	styles map[string]*wordStyle
	normal string // the style of paragraphs without one

	para *letters // nil outside of paragraphs
	kept string   // of a paragraph whose end is deleted
	// of the run
	look   look
	ground string // of the paragraph
	// behind is what is behind paragraphs, and table what the style of the table shades.
	behind behind
	table  *tableShades
	theme  map[string]string // colours by the names that the text uses
	paged  bool              // the page has a colour
	// noted are the footnotes that the text shows, by file and number.
	noted map[string]bool
}

// behind is the colour of the page, a text box or a cell; empty is white. Unknown is a
// picture, say, which may have any colour.
type behind struct {
	color   string
	unknown bool
}

// tableShades is what the style of a table shades: its first row, and the other rows.
type tableShades struct{ first, others bool }

// automatic is a colour that a program chooses, or that of what is behind. It overrides
// the colour of a style.
const automatic = "auto"

// unfilled is the colour of letters that are only their outline, if they have one.
const unfilled = "none"

const yes, no = "yes", "no"

// patterned is the ground of letters that is no single colour.
const patterned = "pattern"

// look is how letters look, where that can hide them.
type look struct {
	hidden bool
	// color is RRGGBB or automatic, as is what is behind the letters: ground, and over
	// it what a marker leaves. Empty is that of the style.
	color  string
	ground string
	marker string
	// outlined letters have a line around them, which shows what does not fill them. The
	// empty string is what the style says.
	outlined string
	points   float64 // 0 unknown
	apart    float64 // points between letters, negative where they overlap
}

// gone reports whether letters are not shown at all.
func (l look) gone() bool { return l.hidden || l.color == unfilled && l.outlined != yes }

// css returns the declarations that hide letters on a ground, or show them.
func (l look) css(ground string, known bool) string {
	var css []string
	color := l.color
	if color == automatic || color == unfilled || l.outlined == yes {
		color = ""
	}
	if color == "" && l.marker == "000000" && l.outlined != yes {
		color = "000000" // markers do not change automatic colours
	}
	for _, own := range []string{l.ground, l.marker} {
		if own != "" && own != automatic {
			ground, known = own, own != patterned
		}
	}
	if color != "" && known {
		css = append(css, "color:#"+color)
		if ground != "" {
			css = append(css, "background:#"+ground)
		}
	}
	points := l.points
	if points == 0 {
		points = 12
	}
	if overlap := l.apart < -points/5; points < 3 || overlap {
		css = append(css, fmt.Sprintf("font-size:%.4gpt", points))
		if overlap {
			css = append(css, fmt.Sprintf("letter-spacing:%.4gpt", l.apart))
		}
	}
	return strings.Join(css, ";")
}

type wordStyle struct {
	name, base string
	outline    int // the level of headings from 1; 0 unknown
	listed     bool
	look       look
	shade      string // of the paragraph
	squeezed   bool   // its lines have no height
	table      tableShades
}

// mainPart returns the name of the part with the text.
func mainPart(a *archive, decode Decoder) string {
	main := "word/document.xml"
	_ = walk(a.optional("_rels/.rels"), "_rels/.rels", decode).each(func(e xml.StartElement) {
		if e.Name.Local == "Relationship" && strings.HasSuffix(attribute(e, "Type"), "/officeDocument") {
			main = strings.TrimPrefix(path.Clean("/"+attribute(e, "Target")), "/")
		}
	})
	return main
}

func readWord(a *archive, main string, decode Decoder) (Document, error) {
	data, err := a.read(main)
	if err != nil {
		return Document{}, err
	}
	d := &word{styles: map[string]*wordStyle{}, theme: map[string]string{}, noted: map[string]bool{}}
	folder := path.Dir(main) + "/"
	d.readTheme(walk(a.optional(folder+"theme/theme1.xml"), folder+"theme/theme1.xml", decode))
	if strings.Contains(string(a.optional(folder+"settings.xml")), "displayBackgroundShape") {
		d.paged = true
	}
	d.readStyles(walk(a.optional(folder+"styles.xml"), folder+"styles.xml", decode))
	d.walker = walk(data, main, decode)
	if err := d.all(); err != nil {
		return Document{}, err
	}
	if len(d.out) == 0 && !strings.Contains(string(data[:min(len(data), 4096)]), "wordprocessingml") {
		return Document{}, problem(Damaged, "%s is not the text of a Word document", main)
	}
	body := d.page
	for _, name := range []string{"footnotes.xml", "endnotes.xml"} {
		if !a.has(folder + name) {
			continue
		}
		notes, err := a.read(folder + name)
		if err != nil {
			return Document{}, err
		}
		d.page = page{}
		d.walker = walk(notes, folder+name, decode)
		if err := d.children(d.element, nil); err != nil {
			return Document{}, err
		}
		body.notes = append(body.notes, d.notes...)
	}
	about := described(a.optional("docProps/core.xml"), "docProps/core.xml", decode, "title", "modified", "created")
	date := isoDate(about["modified"])
	if date == "" {
		date = isoDate(about["created"])
	}
	return body.document(stated(about["title"]), date), nil
}

// stated returns the title in a file's description, unless a program made it up.
func stated(title string) string {
	lower := strings.ToLower(title)
	for _, start := range []string{"microsoft word - ", "untitled", "document1", "powerpoint presentation", "unknown"} {
		if strings.HasPrefix(lower, start) {
			return ""
		}
	}
	return title
}

// on reports whether a property that is on or off is on.
func on(e xml.StartElement) bool {
	switch attribute(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

// all reads the paragraphs of the document, a cell, a box or a footnote.
func (d *word) all() error {
	err := d.children(d.element, nil)
	d.endKept()
	return err
}

// endKept adds what is kept for a paragraph that does not follow.
func (d *word) endKept() {
	d.page.paragraph(style{}, d.kept)
	d.kept = ""
}

// element reads an element of the text.
func (d *word) element(e xml.StartElement) error {
	switch e.Name.Local {
	case "del", "moveFrom", "instrText", "delInstrText", "delText", "Fallback", "sectPr", "tblPr", "tblGrid", "sdtPr", "sdtEndPr",
		"rubyPr", "rt", "ctrlPr", "pPrChange", "rPrChange", "comment", "docPartObj":
		return d.skip()
	case "background":
		if d.paged {
			d.behind.color = d.colorOf(e, "color")
		}
		return d.skip()
	case "footnoteReference", "endnoteReference":
		if !d.look.gone() {
			d.noted[strings.TrimSuffix(e.Name.Local, "Reference")+attribute(e, "id")] = true
		}
		return d.skip()
	case "p":
		if strings.Contains(e.Name.Space, "wordprocessingml") {
			return d.paragraph()
		}
		return d.skip() // of a diagram, say
	case "r":
		before := d.look // of runs in formulas, too
		defer func() { d.look = before }()
		return d.children(d.element, nil)
	case "rPr":
		return d.runProperties(&d.look)
	case "wsp", "roundrect", "rect", "oval", "shape":
		return d.shape(e)
	case "wgp", "grpSp", "group":
		// What is behind a shape of a group may be another one.
		before := d.behind
		d.behind = behind{unknown: true}
		defer func() { d.behind = before }()
	case "anchor", "inline":
		return d.drawing()
	case "t":
		s, err := d.content()
		d.write(s)
		return err
	case "tab", "ptab":
		d.write("\t")
	case "br", "cr":
		d.lineBreak()
	case "noBreakHyphen":
		d.write("-")
	case "tbl":
		return d.wholeTable()
	case "tr":
		return d.row()
	case "tc":
		return d.cell()
	case "txbxContent":
		before, ground := d.look, d.ground
		d.look, d.ground = look{}, ""
		defer func() { d.look, d.ground = before, ground }()
		return d.all()
	case "footnote", "endnote":
		return d.footnote(e)
	}
	return d.children(d.element, nil)
}

func (d *word) lineBreak() {
	if d.para != nil && !d.look.gone() {
		d.para.WriteString("<br>")
	}
}

// write adds text to the paragraph.
func (d *word) write(s string) {
	if d.para == nil || d.look.gone() || s == "" {
		return
	}
	ground, known := d.ground, true
	if ground == "" || ground == automatic {
		ground, known = d.behind.color, !d.behind.unknown
	}
	known = known && ground != patterned
	d.para.letters(s, d.look.css(ground, known))
}

// paragraph reads a paragraph, within which there may be text boxes.
func (d *word) paragraph() error {
	outer, before, ground := d.para, d.look, d.ground
	var own letters
	own.WriteString(d.kept)
	d.kept = ""
	d.para, d.look, d.ground = &own, d.inherited(d.normal), d.shadeOf(d.normal)
	var s style
	id, merged := d.normal, false
	listed, outline := -1, 0
	squeezed := d.squeezed(d.normal)
	err := d.children(func(e xml.StartElement) error {
		if e.Name.Local != "pPr" {
			return d.element(e)
		}
		return d.children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "pStyle":
				id = attribute(e, "val")
				d.look, d.ground, squeezed = d.inherited(id), d.shadeOf(id), d.squeezed(id)
			case "spacing":
				if attribute(e, "line") != "" {
					squeezed = isSqueezed(e)
				}
			case "ind":
				// The width of the largest pages that Word has.
				for _, side := range []string{"left", "start", "right", "end"} {
					if n, _ := strconv.Atoi(attribute(e, side)); n > 31_680 {
						squeezed = true
					}
				}
			case "outlineLvl":
				if n, err := strconv.Atoi(attribute(e, "val")); err == nil {
					outline = n + 1
				}
			case "shd":
				d.ground = d.shading(e)
			case "numPr":
				return d.children(func(e xml.StartElement) error {
					if e.Name.Local == "numId" {
						listed = 1
						if attribute(e, "val") == "0" {
							listed = 0
						}
					}
					return d.skip()
				}, nil)
			case "rPr":
				return d.children(func(e xml.StartElement) error {
					merged = merged || e.Name.Local == "del"
					return d.skip()
				}, nil)
			}
			return d.skip()
		}, nil)
	}, nil)
	d.para, d.look, d.ground = outer, before, ground
	if err != nil {
		return err
	}
	if squeezed {
		own.end()
	}
	if merged {
		d.kept = own.end()
		return nil
	}
	s = d.kindOf(id, outline, listed)
	d.page.paragraph(s, own.end())
	return nil
}

// kindOf returns what a paragraph is by its style and its own properties.
func (d *word) kindOf(id string, outline, listed int) style {
	for depth := 0; id != "" && depth < 20; depth++ {
		w := d.styles[id]
		if w == nil {
			break
		}
		if s, ok := styleNamed(w.name); ok && w.name != "date" || ok && depth == 0 {
			return s
		}
		if outline == 0 {
			outline = w.outline
		}
		if listed < 0 && w.listed {
			listed = 1
		}
		id = w.base
	}
	switch {
	case outline > 0 && outline < 10:
		return style{kind: cluster.Heading, level: outline}
	case listed == 1:
		return style{kind: cluster.ListItem}
	}
	return style{}
}

// inherited returns how letters of a paragraph of a style look.
func (d *word) inherited(id string) look {
	var l look
	if d.styles[""] != nil {
		l = d.styles[""].look // the defaults
	}
	l.add(d.ofStyle(id))
	return l
}

// ofStyle returns how a style makes letters look.
func (d *word) ofStyle(id string) look {
	var chain []*wordStyle
	for depth := 0; id != "" && depth < 20 && d.styles[id] != nil; depth++ {
		chain = append(chain, d.styles[id])
		id = d.styles[id].base
	}
	var l look
	for i := len(chain) - 1; i >= 0; i-- {
		l.add(chain[i].look)
	}
	return l
}

// squeezed reports whether the lines of a style have no height.
func (d *word) squeezed(id string) bool {
	for depth := 0; depth < 20 && d.styles[id] != nil; depth++ {
		if d.styles[id].squeezed {
			return true
		}
		if id == "" {
			break
		}
		id = d.styles[id].base
	}
	return false
}

// isSqueezed reports whether lines are lower than letters that can be read: 1.5 points.
func isSqueezed(e xml.StartElement) bool {
	n, err := strconv.Atoi(attribute(e, "line"))
	return err == nil && n < 30 && attribute(e, "lineRule") == "exact"
}

// shadeOf returns the shade of the paragraphs of a style.
func (d *word) shadeOf(id string) string {
	for depth := 0; depth < 20 && d.styles[id] != nil; depth++ {
		if shade := d.styles[id].shade; shade != "" {
			return shade
		}
		id = d.styles[id].base
	}
	return ""
}

func (l *look) add(other look) {
	l.hidden = l.hidden || other.hidden
	if other.color != "" {
		l.color = other.color
	}
	if other.ground != "" {
		l.ground = other.ground
	}
	if other.marker != "" {
		l.marker = other.marker
	}
	if other.outlined != "" {
		l.outlined = other.outlined
	}
	if other.points != 0 {
		l.points = other.points
	}
	if other.apart != 0 {
		l.apart = other.apart
	}
}

// runProperties reads how letters look. Their own properties override those of their
// style, wherever that is named.
func (d *word) runProperties(l *look) error {
	var styled, own look
	shown := false
	err := d.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "vanish", "specVanish":
			own.hidden = own.hidden || on(e)
			shown = !on(e)
		case "color":
			if own.color = d.colorOf(e, "val"); own.color == "" {
				own.color = automatic
			}
		case "shd":
			own.ground = d.shading(e)
		case "highlight":
			if own.marker = highlights[attribute(e, "val")]; own.marker == "" {
				own.marker = automatic
			}
		case "sz":
			half, _ := strconv.ParseFloat(attribute(e, "val"), 64)
			own.points = half / 2
		case "spacing":
			twips, _ := strconv.ParseFloat(attribute(e, "val"), 64)
			own.apart = twips / 20
		case "w":
			// Letters of less than a tenth of their width are lines.
			if n, err := strconv.Atoi(strings.TrimSuffix(attribute(e, "val"), "%")); err == nil && n < 10 {
				own.hidden = true
			}
		case "textFill":
			fill, err := d.fill()
			switch {
			case fill.none:
				own.color = unfilled
			case fill.unknown || fill.color == "":
				own.color = automatic
			default:
				own.color = fill.color
			}
			return err
		case "textOutline":
			fill, err := d.fill()
			own.outlined = no
			if !fill.none && (fill.unknown || fill.color != "") {
				own.outlined = yes
			}
			return err
		case "rStyle":
			styled = d.ofStyle(attribute(e, "val"))
		}
		return d.skip()
	}, nil)
	l.add(styled)
	if shown {
		l.hidden = false
	}
	l.add(own)
	return err
}

// fill is what fills letters or a shape.
type fill struct {
	color   string
	none    bool // nothing, or almost
	unknown bool // a gradient, say
}

// fill reads the fill of letters or a shape: DrawingML, and Word's version of it.
func (d *word) fill() (fill, error) {
	var f fill
	mixed := false
	var read func(xml.StartElement) error
	read = func(e xml.StartElement) error {
		switch e.Name.Local {
		case "noFill":
			f.none = true
		case "gradFill", "blipFill", "pattFill", "grpFill":
			mixed = true
		case "ln", "effectLst":
			return d.skip()
		case "srgbClr":
			f.color = colorOf(attribute(e, "val"))
		case "schemeClr":
			f.color = d.theme[attribute(e, "val")]
			f.unknown = f.color == ""
		case "sysClr":
			f.color = colorOf(attribute(e, "lastClr"))
		case "prstClr":
			f.color = map[string]string{"white": "FFFFFF", "black": "000000"}[attribute(e, "val")]
			f.unknown = f.color == ""
		case "lumMod", "lumOff", "shade", "tint", "satMod":
			f.color, f.unknown = "", true
		case "alpha":
			// In DrawingML how opaque it is, in Word's version how transparent.
			n, err := strconv.Atoi(attribute(e, "val"))
			if strings.Contains(e.Name.Space, "word") {
				n = 100_000 - n
			}
			f.none = f.none || err == nil && n < 10_000
		}
		return d.children(read, nil)
	}
	err := d.children(read, nil)
	if mixed {
		f = fill{unknown: true} // whatever its colours are
	}
	return f, err
}

// drawing reads a drawing, unless it is hidden, off the page or too small for letters.
func (d *word) drawing() error {
	gone := false
	return d.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "docPr":
			switch attribute(e, "hidden") {
			case "1", "true", "on":
				gone = true
			}
		case "extent":
			for _, side := range []string{"cx", "cy"} {
				n, err := strconv.Atoi(attribute(e, side))
				gone = gone || err == nil && n < 2*emu
			}
		case "positionH", "positionV":
			return d.children(func(e xml.StartElement) error {
				s, err := d.content()
				n, wrong := strconv.Atoi(s)
				// The largest page is 22 inches wide.
				if e.Name.Local == "posOffset" && wrong == nil && (n > 22*72*emu || n < -22*72*emu) {
					gone = true
				}
				return err
			}, nil)
		}
		if gone {
			return d.skip()
		}
		return d.element(e)
	}, nil)
}

// emu is a point in English metric units.
const emu = 12_700

// shape reads a shape, in which there may be a text box: of DrawingML or VML.
func (d *word) shape(e xml.StartElement) error {
	before := d.behind
	defer func() { d.behind = before }()
	switch fill := attribute(e, "fillcolor"); {
	case e.Name.Local == "wsp":
	case strings.Contains(strings.ReplaceAll(attribute(e, "style"), " ", ""), "visibility:hidden"):
		return d.skip()
	case attribute(e, "filled") == "f" || attribute(e, "filled") == "false":
	case fill == "":
		d.behind = behind{}
	default:
		color := colorOf(strings.TrimPrefix(fill, "#"))
		d.behind = behind{color: color, unknown: color == ""}
	}
	return d.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "spPr":
			f, err := d.fill()
			switch {
			case f.unknown:
				d.behind = behind{unknown: true}
			case f.color != "" && !f.none:
				d.behind = behind{color: f.color}
			}
			return err
		case "style":
			return d.children(func(e xml.StartElement) error {
				// A fill of the theme, unless the shape has its own.
				if e.Name.Local == "fillRef" && attribute(e, "idx") != "0" && d.behind == before {
					d.behind.unknown = true
				}
				return d.skip()
			}, nil)
		case "fill":
			// Of VML: a gradient or a picture.
			if kind := attribute(e, "type"); kind != "" && kind != "solid" {
				d.behind = behind{unknown: true}
			}
			return d.skip()
		}
		return d.element(e)
	}, nil)
}

// colorOf returns the colour that an attribute of an element states, or its theme.
func (d *word) colorOf(e xml.StartElement, name string) string {
	theme, changed := "themeColor", "theme"
	if name == "fill" {
		theme, changed = "themeFill", "themeFill"
	}
	if color := d.theme[attribute(e, theme)]; color != "" && attribute(e, changed+"Shade") == "" && attribute(e, changed+"Tint") == "" {
		return color
	}
	return colorOf(attribute(e, name))
}

// shading returns what an element shades with: a colour, automatic for nothing, or
// patterned.
func (d *word) shading(e xml.StartElement) string {
	switch attribute(e, "val") {
	case "", "clear":
		if color := d.colorOf(e, "fill"); color != "" {
			return color
		}
		if theme := attribute(e, "themeFill"); theme == "" || theme == "none" {
			return automatic
		}
	case "nil":
		return automatic
	case "solid":
		if color := d.colorOf(e, "color"); color != "" {
			return color
		}
	}
	return patterned
}

// shaded returns what is behind a table or a cell with a shading.
func (b behind) shaded(shading string) behind {
	switch shading {
	case automatic:
		// Whether a cell shows the shade of the table depends on the program.
		return behind{color: b.color, unknown: b.unknown || b.color != ""}
	case patterned:
		return behind{unknown: true}
	}
	return behind{color: shading}
}

// readTheme reads the colours of a theme. The text calls some by other names.
func (d *word) readTheme(w *walker) {
	d.walker = w
	for name, color := range map[string]string{"lt1": "FFFFFF", "dk1": "000000"} {
		d.theme[name] = color
	}
	part := ""
	// A damaged theme is one without the colours that follow.
	_ = w.each(func(e xml.StartElement) {
		switch name := e.Name.Local; name {
		case "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink":
			part = name
		case "srgbClr", "sysClr":
			color := colorOf(attribute(e, "val"))
			if name == "sysClr" {
				color = colorOf(attribute(e, "lastClr"))
			}
			if part != "" && color != "" {
				d.theme[part] = color
			}
			part = ""
		}
	})
	for name, other := range map[string]string{
		"light1": "lt1", "background1": "lt1", "bg1": "lt1", "dark1": "dk1", "text1": "dk1", "tx1": "dk1",
		"light2": "lt2", "background2": "lt2", "bg2": "lt2", "dark2": "dk2", "text2": "dk2", "tx2": "dk2",
		"hyperlink": "hlink", "followedHyperlink": "folHlink",
	} {
		d.theme[name] = d.theme[other]
	}
}

// highlights are the colours of markers.
var highlights = map[string]string{
	"black": "000000", "blue": "0000ff", "cyan": "00ffff", "darkBlue": "000080", "darkCyan": "008080", "darkGray": "808080",
	"darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "green": "00ff00",
	"lightGray": "c0c0c0", "magenta": "ff00ff", "red": "ff0000", "yellow": "ffff00", "white": "ffffff",
}

// colorOf returns a colour of six digits, empty for others.
func colorOf(s string) string {
	if len(s) != 6 || strings.Trim(strings.ToLower(s), "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// wholeTable reads a table. Of what its style shades only the first row is known apart.
func (d *word) wholeTable() error {
	table, behind := d.table, d.behind
	d.table = &tableShades{}
	defer func() { d.table, d.behind = table, behind }()
	d.endKept()
	d.open("table")
	err := d.children(func(e xml.StartElement) error {
		if e.Name.Local != "tblPr" {
			return d.element(e)
		}
		return d.children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "tblStyle":
				id := attribute(e, "val")
				for depth := 0; depth < 20 && id != "" && d.styles[id] != nil; depth++ {
					d.table.first = d.table.first || d.styles[id].table.first
					d.table.others = d.table.others || d.styles[id].table.others
					id = d.styles[id].base
				}
			case "shd":
				d.behind = d.behind.shaded(d.shading(e))
			}
			return d.skip()
		}, nil)
	}, nil)
	if err != nil {
		return err
	}
	d.close("table")
	return nil
}

// cell reads a cell, unless another one covers it.
func (d *word) cell() error {
	before := d.behind
	defer func() { d.behind = before }()
	covered := false
	start, kept := len(d.out), d.page
	d.open("td")
	err := d.children(func(e xml.StartElement) error {
		if e.Name.Local != "tcPr" {
			return d.element(e)
		}
		return d.children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "shd":
				d.behind = d.behind.shaded(d.shading(e))
			case "vMerge", "hMerge":
				covered = covered || attribute(e, "val") != "restart"
			}
			return d.skip()
		}, nil)
	}, nil)
	d.endKept()
	d.close("td")
	if covered {
		kept.out = d.out[:start]
		kept.notes = d.notes
		d.page = kept
		d.raw("<td></td>")
	}
	return err
}

// row reads a row of a table, unless it is hidden or deleted.
func (d *word) row() error {
	d.endList()
	start := len(d.out)
	before := d.behind
	defer func() { d.behind = before }()
	if d.table != nil {
		d.behind.unknown = d.behind.unknown || d.table.first || d.table.others
		d.table.first = false
	}
	d.raw("<tr>")
	gone := false
	err := d.children(func(e xml.StartElement) error {
		if e.Name.Local != "trPr" {
			return d.element(e)
		}
		return d.children(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "hidden":
				gone = gone || on(e)
			case "del":
				gone = true
			case "trHeight":
				n, err := strconv.Atoi(attribute(e, "val"))
				gone = gone || err == nil && n < 30 && attribute(e, "hRule") == "exact"
			}
			return d.skip()
		}, nil)
	}, nil)
	d.close("tr")
	if gone {
		d.out = d.out[:start]
	}
	return err
}

// footnote reads a footnote, unless it is the line above them, or the text has no mark of it.
func (d *word) footnote(e xml.StartElement) error {
	if kind := attribute(e, "type"); kind != "" && kind != "normal" || !d.noted[e.Name.Local+attribute(e, "id")] {
		return d.skip()
	}
	before := d.page
	d.page = page{}
	err := d.all()
	content := string(d.out)
	d.page = before
	d.note(strings.TrimSpace(inline.ReplaceAllString(content, " ")))
	return err
}

// readStyles reads the styles that paragraphs and runs refer to.
func (d *word) readStyles(w *walker) {
	d.walker = w
	// A document with damaged styles is read without those that follow.
	_ = d.children(func(e xml.StartElement) error {
		return d.children(func(e xml.StartElement) error {
			s := &wordStyle{}
			switch e.Name.Local {
			case "docDefaults":
				d.styles[""] = s
				return d.defaults(s)
			case "style":
			default:
				return d.skip()
			}
			id := attribute(e, "styleId")
			if id == "" {
				return d.skip()
			}
			d.styles[id] = s
			if attribute(e, "default") == "1" && attribute(e, "type") == "paragraph" {
				d.normal = id
			}
			return d.children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "name":
					s.name = strings.ToLower(attribute(e, "val"))
				case "basedOn":
					s.base = attribute(e, "val")
				case "pPr":
					return d.children(func(e xml.StartElement) error {
						switch e.Name.Local {
						case "outlineLvl":
							if n, err := strconv.Atoi(attribute(e, "val")); err == nil {
								s.outline = n + 1
							}
						case "numPr":
							s.listed = true
						case "shd":
							s.shade = d.shading(e)
						case "spacing":
							s.squeezed = isSqueezed(e)
						}
						return d.skip()
					}, nil)
				case "rPr":
					return d.runProperties(&s.look)
				case "tblPr", "tcPr", "tblStylePr":
					shades, err := d.shades()
					if attribute(e, "type") == "firstRow" {
						s.table.first = s.table.first || shades
					} else {
						s.table.others = s.table.others || shades
					}
					return err
				}
				return d.skip()
			}, nil)
		}, nil)
	}, nil)
}

// defaults reads what all styles begin with.
func (d *word) defaults(s *wordStyle) error {
	return d.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "rPrDefault", "pPrDefault", "pPr":
			return d.defaults(s)
		case "spacing":
			s.squeezed = isSqueezed(e)
		case "rPr":
			return d.runProperties(&s.look)
		}
		return d.skip()
	}, nil)
}

// shades reports whether an element shades anything.
func (d *word) shades() (bool, error) {
	found := false
	var read func(xml.StartElement) error
	read = func(e xml.StartElement) error {
		if e.Name.Local == "shd" && d.shading(e) != automatic {
			found = true
		}
		return d.children(read, nil)
	}
	err := d.children(read, nil)
	return found, err
}
