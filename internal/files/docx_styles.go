package files

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

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
