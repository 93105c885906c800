package files

import (
	"encoding/xml"
	"path"
	"strconv"
	"strings"
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

// emu is a point in English metric units.
const emu = 12_700

// highlights are the colours of markers.
var highlights = map[string]string{
	"black": "000000", "blue": "0000ff", "cyan": "00ffff", "darkBlue": "000080", "darkCyan": "008080", "darkGray": "808080",
	"darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "green": "00ff00",
	"lightGray": "c0c0c0", "magenta": "ff00ff", "red": "ff0000", "yellow": "ffff00", "white": "ffffff",
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
