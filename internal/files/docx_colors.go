package files

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// behind is the colour of the page, a text box or a cell; empty is white. Unknown is a
// picture, say, which may have any colour.
type behind struct {
	color   string
	unknown bool
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

// colorOf returns a colour of six digits, empty for others.
func colorOf(s string) string {
	if len(s) != 6 || strings.Trim(strings.ToLower(s), "0123456789abcdef") != "" {
		return ""
	}
	return s
}
