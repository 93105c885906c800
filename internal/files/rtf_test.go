package files

import "testing"

func TestRichTextShapes(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1 Before. {\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\shptxt Box.\par}}}After.\par}`)
	expect(t, got, "Before.", "Box.", "After.", "-", "shapeType", "202")
}

func TestRichTextUnicodeDestinations(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1{\info{\title{\upr{old}{\*\ud{Title}}}}} A {\upr{ansi}{\*\ud{unicode}}} {\*\unknown{\upr{b}{\*\ud{c}}}}text.\par}`)
	expect(t, got, "A unicode text.", "-", "ansi")
	content, err := Read([]byte(`{\rtf1{\info{\title{\upr{old}{\*\ud{New}}}}}A text.}`), "a.rtf", asUTF8)
	if err != nil || content.Documents[0].Title != "New" {
		t.Errorf("%+v, %v, want the title New", content, err)
	}
}

func TestRichTextShading(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}\cbpat2\cf1 Light.\par\pard White.\par}`)
	expect(t, got, `color:#ffffff;background:#000080">Light.`, `color:#ffffff">White.`)
}

func TestRichTextNotes(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1 One{\footnote A note\par of two.} and{\footnote Second.} two.\par}`)
	expect(t, got, "<p>One and two.</p>", "A note of two.", "Second.")
}

func TestRichTextHiddenShape(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1 Before. {\shp{\*\shpinst{\sp{\sn fHidden}{\sv 1}}{\shptxt \pard\plain Hidden.\par}}}After.\par{\shp{\*\shpinst{\shptxt \pard\plain Box.\par}}}}`)
	expect(t, got, "Before.", "After.", "Box.", "-", "Hidden")
}

// TestRichTextGroups: a group that is hidden hides its shapes, and what is behind a shape
// without a fill is not known.
func TestRichTextGroups(t *testing.T) {
	const hide = `{\sp{\sn fHidden}{\sv 1}}`
	shape := func(properties, text string) string {
		return `{\shp{\*\shpinst` + properties + `{\shptxt \pard\plain ` + text + `\par}}}`
	}
	group := func(properties, shapes string) string {
		return `{\shpgrp{\*\shpinst` + properties + shapes + `}{\shprslt Result.\par}}`
	}
	got := textIn(t, "a.rtf", `{\rtf1 Before. `+group(hide, shape(`{\sp{\sn fHidden}{\sv 0}}`, "One.")+group("", shape("", "Two.")))+shape("", "Alone.")+group("", shape(hide, "Three.")+shape("", "Four.")+group("", shape("", "Five.")))+`}`)
	expect(t, got, "Before.", "Alone.", "Four.", "Five.", "-", "One", "Two", "Three", "Result")

	const colors = `{\rtf1{\colortbl;\red255\green255\blue255;}`
	filled, empty := `{\sp{\sn fillColor}{\sv 8388608}}`, `{\sp{\sn fFilled}{\sv 0}}`
	expect(t, textIn(t, "a.rtf", colors+group("", shape(filled, "")+shape(empty, `\cf1 Text.`))+`}`), `<p>Text.`)
	expect(t, textIn(t, "a.rtf", colors+group("", shape("", `\cf1 Text.`))+`}`), `color:#ffffff;background:#ffffff">Text.`)
	expect(t, textIn(t, "a.rtf", colors+group("", "")+shape(empty, `\cf1 Text.`)+`}`), `color:#ffffff">Text.`)
}
