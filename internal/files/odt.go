package files

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// openDocument reads the text of an OpenDocument file: OASIS ODF 1.3, part 3.
type openDocument struct {
	page
	*walker
	styles map[string]*openStyle // by family and name

	para   *letters // nil outside of paragraphs
	listed int      // the depth of lists
	look   look
	ground string // of the paragraph
	behind behind
}

type openStyle struct {
	name, parent string
	outline      int
	look         look
	scale        float64 // of the size of letters; 0 unknown
	hidden       bool    // of what has the style
	ground       string  // its background
	fill, filler string  // how it is filled, and with what colour if that is solid
}

func readOpenDocument(a *archive, decode Decoder) (Document, error) {
	if manifest := a.optional("META-INF/manifest.xml"); strings.Contains(string(manifest), "encryption-data") || a.has("encrypted-package") {
		return Document{}, problem(Encrypted, "")
	}
	data, err := a.read("content.xml")
	if err != nil {
		return Document{}, err
	}
	d := &openDocument{styles: map[string]*openStyle{}}
	d.walker = walk(a.optional("styles.xml"), "styles.xml", decode)
	// A document with damaged styles is read without those that follow.
	_ = d.children(d.style, nil)
	d.walker = walk(data, "content.xml", decode)
	if err := d.children(d.root, nil); err != nil {
		return Document{}, err
	}
	about := described(a.optional("meta.xml"), "meta.xml", decode, "title", "date", "creation-date")
	date := isoDate(about["date"])
	if date == "" {
		date = isoDate(about["creation-date"])
	}
	return d.document(stated(about["title"]), date), nil
}

// root reads what is outside of the text.
func (d *openDocument) root(e xml.StartElement) error {
	switch e.Name.Local {
	case "document-content", "document", "body":
		return d.children(d.root, nil)
	case "automatic-styles", "styles":
		return d.children(d.style, nil)
	case "text":
		return d.children(d.element, nil)
	}
	return d.skip()
}

// style reads the definition of a style.
func (d *openDocument) style(e xml.StartElement) error {
	if e.Name.Local != "style" && e.Name.Local != "default-style" {
		if e.Name.Local == "document-styles" || e.Name.Local == "styles" || e.Name.Local == "automatic-styles" {
			return d.children(d.style, nil)
		}
		return d.skip()
	}
	name := attribute(e, "name")
	s := &openStyle{parent: attribute(e, "parent-style-name"), name: attribute(e, "display-name")}
	if s.name == "" {
		s.name = strings.ReplaceAll(name, "_20_", " ")
	}
	s.name = strings.ToLower(s.name)
	s.outline, _ = strconv.Atoi(attribute(e, "default-outline-level"))
	d.styles[attribute(e, "family")+"/"+name] = s
	return d.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "text-properties":
			s.text(e)
		case "paragraph-properties":
			s.ground = groundOf(e)
			if high, ok := length(attribute(e, "line-height")); ok && high < 1.5 {
				s.hidden = true
			}
			for _, side := range []string{"margin-left", "margin-right"} {
				if wide, ok := length(attribute(e, side)); ok && wide > largestPage {
					s.hidden = true
				}
			}
		case "section-properties", "table-row-properties", "table-properties", "table-cell-properties", "graphic-properties":
			high, ok := length(attribute(e, "row-height"))
			s.hidden = attribute(e, "display") == "none" || attribute(e, "display") == "false" || ok && high < 1.5
			s.ground = colorOf(strings.TrimPrefix(attribute(e, "background-color"), "#"))
			s.fill = attribute(e, "fill")
			s.filler = colorOf(strings.TrimPrefix(attribute(e, "fill-color"), "#"))
		}
		return d.skip()
	}, nil)
}

// text reads how letters of a style look.
func (s *openStyle) text(e xml.StartElement) {
	percent := func(v string) (float64, bool) {
		v, ok := strings.CutSuffix(v, "%")
		n, err := strconv.ParseFloat(v, 64)
		return n / 100, ok && err == nil
	}
	s.look.hidden = attribute(e, "display") == "none"
	if n, ok := percent(attribute(e, "text-scale")); ok && n < 0.1 {
		s.look.hidden = true
	}
	// LibreOffice writes an opacity of 0 with the default colour, which is opaque.
	if n, ok := percent(attribute(e, "opacity")); ok && n < 0.1 && attribute(e, "use-window-font-color") != "true" {
		s.look.hidden = true
	}
	s.look.color = colorOf(strings.TrimPrefix(attribute(e, "color"), "#"))
	if attribute(e, "color") == "transparent" {
		s.look.hidden = true
	}
	if attribute(e, "use-window-font-color") == "true" {
		s.look.color = automatic
	}
	s.look.ground = groundOf(e)
	s.look.points, _ = length(attribute(e, "font-size"))
	s.look.apart, _ = length(attribute(e, "letter-spacing"))
	s.scale, _ = percent(attribute(e, "font-size"))
	if _, size, ok := strings.Cut(attribute(e, "text-position"), " "); ok {
		// Footnote marks have half the size of the text: it only counts if it is tiny.
		if n, ok := percent(size); ok && n < 0.2 {
			s.scale = n
		}
	}
}

// groundOf returns the background that an element states: a colour, automatic if it shows
// what is behind, empty for that of the parent.
func groundOf(e xml.StartElement) string {
	color := attribute(e, "background-color")
	if color == "transparent" {
		return automatic
	}
	return colorOf(strings.TrimPrefix(color, "#"))
}

// largestPage is the width of the largest page that programs offer, in points.
const largestPage = 22 * 72

// length returns a length in points.
func length(s string) (float64, bool) {
	for unit, points := range map[string]float64{"pt": 1, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72, "px": 0.75, "pc": 12} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			return n * points, err == nil
		}
	}
	return 0, false
}

// element reads an element of the text.
func (d *openDocument) element(e xml.StartElement) error {
	if attribute(e, "display") == "none" || attribute(e, "is-hidden") == "true" {
		return d.skip()
	}
	switch e.Name.Local {
	case "tracked-changes", "annotation", "annotation-end", "forms", "sequence-decls", "variable-decls", "user-field-decls", "title", "desc",
		"note-citation", "ruby-text", "toc-mark", "alphabetical-index-mark", "user-index-mark", "bibliography-source", "event-listeners",
		"table-of-content-source", "illustration-index-source", "table-index-source", "object-index-source", "user-index-source",
		"alphabetical-index-source", "math", "object", "object-ole", "binary-data", "hidden-text", "page-number", "script":
		return d.skip()
	case "p", "h":
		return d.paragraph(e)
	case "span":
		before := d.look
		defer func() { d.look = before }()
		d.look.add(d.inherited("text", attribute(e, "style-name")))
		return d.children(d.element, d.write)
	case "s":
		n, _ := strconv.Atoi(attribute(e, "c"))
		d.write(strings.Repeat(" ", min(max(n, 1), 100)))
		return d.skip()
	case "tab":
		d.write("\t")
	case "line-break":
		if d.para != nil && !d.look.hidden {
			d.para.WriteString("<br>")
		}
	case "note":
		return d.footnote()
	case "list":
		d.listed++
		defer func() { d.listed-- }()
	case "table-of-content", "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index":
		return d.within(`<div data-block="navigation">`)
	case "bibliography":
		return d.within(`<div data-block="reference">`)
	case "section":
		return d.onGround(e, "section", func() error { return d.children(d.element, nil) })
	case "table":
		return d.onGround(e, "table", func() error { return d.box("table") })
	case "table-row":
		if v := attribute(e, "visibility"); v == "collapse" || v == "filter" {
			return d.skip()
		}
		return d.onGround(e, "table-row", func() error { return d.box("tr") })
	case "table-cell":
		return d.onGround(e, "table-cell", func() error { return d.box("td") })
	case "covered-table-cell":
		return d.skip()
	case "frame", "text-box", "custom-shape", "rect", "ellipse", "circle", "polygon", "regular-polygon", "path":
		return d.shape(e)
	}
	text := d.write
	if d.para == nil {
		text = nil
	}
	return d.children(d.element, text)
}

// onGround reads an element that may be hidden or have a background, by its style.
func (d *openDocument) onGround(e xml.StartElement, family string, read func() error) error {
	before, ground := d.behind, d.ground
	defer func() { d.behind, d.ground = before, ground }()
	for depth, name := 0, attribute(e, "style-name"); depth < 20; depth++ {
		s := d.styles[family+"/"+name]
		if s == nil {
			break
		}
		if s.hidden {
			return d.skip()
		}
		if s.ground != "" {
			d.behind, d.ground = behind{color: s.ground}, ""
			break
		}
		if name == "" {
			break
		}
		name = s.parent
	}
	return read()
}

// shape reads a frame or a shape, unless it is off the page.
func (d *openDocument) shape(e xml.StartElement) error {
	if e.Name.Local == "text-box" {
		return d.children(d.element, nil) // its frame has the style
	}
	for _, name := range []string{"x", "y"} {
		if at, ok := length(attribute(e, name)); ok && (at > largestPage || at < -largestPage) {
			return d.skip()
		}
	}
	if wide, ok := length(attribute(e, "width")); ok && wide < 2 {
		return d.skip()
	}
	letters, list, before, ground := d.look, d.listed, d.behind, d.ground
	d.look, d.listed, d.ground = look{}, 0, ""
	defer func() { d.look, d.listed, d.behind, d.ground = letters, list, before, ground }()
	// Without a style a frame shows the page; how programs fill other shapes is unknown.
	fill, filler, color := "", "", ""
	for depth, name := 0, attribute(e, "style-name"); depth < 20; depth++ {
		s := d.styles["graphic/"+name]
		if s == nil {
			break
		}
		if s.hidden {
			return d.skip()
		}
		if color == "" {
			color = s.ground
		}
		if filler == "" {
			filler = s.filler
		}
		if fill == "" {
			fill = s.fill
		}
		if name == "" {
			break
		}
		name = s.parent
	}
	if fill == "" && e.Name.Local == "frame" {
		fill = "none"
	}
	switch {
	case fill == "none" && color == "":
	case fill == "solid" && filler != "":
		d.behind = behind{color: filler}
	case (fill == "" || fill == "solid" || fill == "none") && color != "":
		d.behind = behind{color: color}
	default:
		d.behind = behind{unknown: true}
	}
	return d.children(d.element, nil)
}

// box reads the children of an element that is one of HTML.
func (d *openDocument) box(tag string) error {
	para, list := d.para, d.listed
	d.para, d.listed = nil, 0
	d.open(tag)
	err := d.children(d.element, nil)
	d.close(tag)
	d.para, d.listed = para, list
	return err
}

// within reads the children of an element of one kind of blocks.
func (d *openDocument) within(start string) error {
	d.endList()
	d.raw(start)
	err := d.children(d.element, nil)
	d.close("div")
	return err
}

// write adds text to the paragraph. White space collapses in HTML as it does here.
func (d *openDocument) write(s string) {
	if d.para == nil || d.look.hidden || s == "" {
		return
	}
	ground, known := d.ground, true
	if ground == "" || ground == automatic {
		ground, known = d.behind.color, !d.behind.unknown
	}
	d.para.letters(s, d.look.css(ground, known))
}

// paragraph reads a paragraph or a heading, within which there may be frames.
func (d *openDocument) paragraph(e xml.StartElement) error {
	name := attribute(e, "style-name")
	outer, before, ground := d.para, d.look, d.ground
	start, notes := len(d.out), len(d.notes)
	var own letters
	d.para = &own
	d.look = d.inherited("paragraph", name)
	hidden := false
	for depth, id := 0, name; depth < 20 && d.styles["paragraph/"+id] != nil; depth++ {
		s := d.styles["paragraph/"+id]
		hidden = hidden || s.hidden
		if s.ground != "" {
			d.ground = s.ground
			break
		}
		if id == "" {
			break
		}
		id = s.parent
	}
	err := d.children(func(e xml.StartElement) error {
		if e.Name.Local == "hidden-paragraph" {
			hidden = hidden || attribute(e, "is-hidden") == "true"
			return d.skip()
		}
		return d.element(e)
	}, d.write)
	d.para, d.look, d.ground = outer, before, ground
	if hidden {
		d.out, d.notes = d.out[:min(start, len(d.out))], d.notes[:notes]
	}
	if err != nil || hidden {
		return err
	}
	s, named := d.kindOf(name)
	if e.Name.Local == "h" {
		level, _ := strconv.Atoi(attribute(e, "outline-level"))
		s = style{kind: cluster.Heading, level: max(level, 1), title: s.title}
	} else if d.listed > 0 && !named {
		s = style{kind: cluster.ListItem}
	}
	d.page.paragraph(s, own.end())
	return nil
}

// kindOf returns what the paragraphs of a style are.
func (d *openDocument) kindOf(name string) (style, bool) {
	for depth := 0; name != "" && depth < 20; depth++ {
		s := d.styles["paragraph/"+name]
		if s == nil {
			return styleNamed(strings.ToLower(strings.ReplaceAll(name, "_20_", " ")))
		}
		if found, ok := styleNamed(s.name); ok {
			return found, true
		}
		if s.outline > 0 {
			return style{kind: cluster.Heading, level: s.outline}, true
		}
		name = s.parent
	}
	return style{}, false
}

// inherited returns how letters of a style look.
func (d *openDocument) inherited(family, name string) look {
	var chain []*openStyle
	for depth := 0; name != "" && depth < 20 && d.styles[family+"/"+name] != nil; depth++ {
		chain = append(chain, d.styles[family+"/"+name])
		name = chain[depth].parent
	}
	if s := d.styles[family+"/"]; s != nil {
		chain = append(chain, s) // the default
	}
	var l look
	if family == "text" {
		l.points = d.look.points // of which sizes may be a part
	}
	for i := len(chain) - 1; i >= 0; i-- {
		l.add(chain[i].look)
		if scale := chain[i].scale; scale > 0 {
			if l.points == 0 {
				l.points = 12
			}
			l.points *= scale
		}
	}
	return l
}

// footnote reads a footnote to the end of the document.
func (d *openDocument) footnote() error {
	before, para, letters, list, ground, behindIt := d.page, d.para, d.look, d.listed, d.ground, d.behind
	d.page, d.para, d.look, d.listed, d.ground, d.behind = page{}, nil, look{}, 0, "", behind{}
	err := d.children(d.element, nil)
	d.endList()
	content := string(d.out)
	d.page, d.para, d.look, d.listed, d.ground, d.behind = before, para, letters, list, ground, behindIt
	if !d.look.hidden {
		d.note(strings.TrimSpace(inline.ReplaceAllString(content, " ")))
	}
	return err
}
