package pdfium

import (
	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
)

// Which letters no reader sees: those drawn with an invisible rendering mode, without
// opacity, or in the colour of what is behind them. web/common/read/pdf-hidden.ts does
// the same.

// ink is a colour: red, green and blue, 0 to 255, and opacity, 0 to 1. It is unknown
// for patterns and pictures.
type ink struct {
	color legible.Color
	known bool
}

var white = ink{legible.Color{255, 255, 255, 1}, true}

// area is a painted part of the page, in the units of the page.
type area struct {
	left, bottom, right, top float64
	ink                      ink
}

// scene is what is drawn on a page.
type scene struct {
	e                        *engine
	left, bottom, right, top float64
	areas                    []area
	pictured                 float64 // area of the pictures
	texts                    map[uint32]*text
	order                    []*text
}

const (
	// scan is the share of the page above which pictures may be a scan, whose
	// recognized text is invisible.
	scan = 0.5
	// maxAreas are kept: a page of more is a drawing.
	maxAreas = 2000
	// maxDepth is the number of forms within each other.
	maxDepth = 20
)

// The types of page objects.
const (
	objectText = iota + 1
	objectPath
	objectImage
	objectShading
	objectForm
)

// draw adds an object, whose units m maps to those of the page.
func (s *scene) draw(object uint32, m matrix, depth int) {
	e, handle := s.e, uint64(object)
	if object == 0 || e.err != nil {
		return
	}
	switch e.number("FPDFPageObj_GetType", handle) {
	case objectText:
		t := &text{areas: len(s.areas), mode: e.number("FPDFTextObj_GetTextRenderMode", handle)}
		size, _ := e.floats(1, "FPDFTextObj_GetFontSize", handle)
		t.size = size[0]
		t.fill, t.stroke = s.ink("FPDFPageObj_GetFillColor", handle), s.ink("FPDFPageObj_GetStrokeColor", handle)
		s.texts[object] = t
		s.order = append(s.order, t)
	case objectPath:
		mode, ok := e.words(2, "FPDFPath_GetDrawMode", handle)
		if !ok || mode[0] == 0 {
			return // not filled
		}
		fill := s.ink("FPDFPageObj_GetFillColor", handle)
		if fill.color[3] <= 0.5 {
			fill.known = false
		}
		fill.color[3] = 1
		s.paint(handle, m, fill)
	case objectImage:
		s.paint(handle, m, ink{})
	case objectShading:
		if len(s.areas) < maxAreas {
			s.areas = append(s.areas, area{s.left, s.bottom, s.right, s.top, ink{}})
		}
	case objectForm:
		if depth == maxDepth {
			return
		}
		own, ok := e.floats(6, "FPDFPageObj_GetMatrix", handle)
		if !ok {
			return
		}
		inner := m.times(own)
		for i := range e.number("FPDFFormObj_CountObjects", handle) {
			s.draw(e.handle("FPDFFormObj_GetObject", handle, uint64(i)), inner, depth+1)
		}
	}
}

func (s *scene) ink(name string, object uint64) ink {
	c, ok := s.e.words(4, name, object)
	return ink{legible.Color{float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3]) / 255}, ok}
}

// paint adds the bounds of an object.
func (s *scene) paint(object uint64, m matrix, with ink) {
	box, ok := s.e.words(4, "FPDFPageObj_GetBounds", object)
	if !ok {
		return
	}
	a := area{s.right, s.top, s.left, s.bottom, with}
	for _, corner := range [][2]uint32{{box[0], box[1]}, {box[2], box[1]}, {box[0], box[3]}, {box[2], box[3]}} {
		x, y := m.apply(float(corner[0]), float(corner[1]))
		a.left, a.right = min(a.left, x), max(a.right, x)
		a.bottom, a.top = min(a.bottom, y), max(a.top, y)
	}
	a.left, a.right = max(a.left, s.left), min(a.right, s.right)
	a.bottom, a.top = max(a.bottom, s.bottom), min(a.top, s.top)
	if !with.known {
		s.pictured += max(0, a.right-a.left) * max(0, a.top-a.bottom)
	}
	if len(s.areas) < maxAreas {
		s.areas = append(s.areas, a)
	}
}

// look marks the texts that cannot be seen.
func (s *scene) look() {
	invisible, all := 0, 0
	for _, t := range s.order {
		if len(t.letters) == 0 {
			continue
		}
		all++
		none := t.mode == 3 || t.mode == 7
		if none {
			invisible++
		}
		ground := s.behind(t)
		inks := []ink{t.fill}
		switch t.mode % 4 {
		case 1:
			inks = []ink{t.stroke}
		case 2:
			inks = append(inks, t.stroke)
		}
		lost := ground.known
		for _, i := range inks {
			lost = lost && i.known && !legible.Distinct(i.color, ground.color)
		}
		t.hidden = none || inks[0].color[3] < legible.MinOpacity || lost
	}
	// Text that was recognized in a scan is drawn behind its picture.
	if invisible == all && s.pictured > scan*(s.right-s.left)*(s.top-s.bottom) {
		for _, t := range s.order {
			t.hidden = false
		}
	}
}

// behind returns the colour on which a text begins.
func (s *scene) behind(t *text) ink {
	x, y := t.letters[0].x, t.letters[0].y
	for i := t.areas - 1; i >= 0; i-- {
		if a := s.areas[i]; x >= a.left-1 && x <= a.right+1 && y >= a.bottom-1 && y <= a.top+1 {
			return a.ink
		}
	}
	return white
}
