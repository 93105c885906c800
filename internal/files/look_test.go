package files

import "testing"

// wordLook returns the HTML of a run in a paragraph of a style.
func wordLook(t *testing.T, style, paragraph, run string) string {
	t.Helper()
	return textIn(t, "a.docx", wordOf(t,
		`<w:p><w:pPr><w:pStyle w:val="s"/>`+paragraph+`</w:pPr><w:r><w:rPr>`+run+`</w:rPr><w:t>Text.</w:t></w:r></w:p>`,
		`<w:style w:type="paragraph" w:styleId="s"><w:name w:val="s"/>`+style+`</w:style>`))
}

func TestWordAutomaticColors(t *testing.T) {
	const white = `<w:rPr><w:color w:val="FFFFFF"/></w:rPr>`
	for _, c := range []struct{ style, paragraph, run, want string }{
		{white, "", "", `color:#FFFFFF">Text.`},
		{white, "", `<w:color w:val="auto"/>`, `<p>Text.`},
		{`<w:rPr><w:color w:val="FF0000"/><w:shd w:fill="FF0000"/></w:rPr>`, "", `<w:shd w:val="clear" w:fill="auto"/>`, `color:#FF0000">Text.`},
		{`<w:rPr><w:color w:val="FFFF00"/><w:highlight w:val="yellow"/></w:rPr>`, "", `<w:highlight w:val="none"/>`, `color:#FFFF00">Text.`},
		{`<w:pPr><w:shd w:fill="FF0000"/></w:pPr><w:rPr><w:color w:val="FF0000"/></w:rPr>`, `<w:shd w:val="clear" w:fill="auto"/>`, "", `color:#FF0000">Text.`},
		{white, "", `<w:highlight w:val="black"/>`, `color:#FFFFFF;background:#000000">Text.`},
		{"", "", `<w:highlight w:val="black"/>`, `color:#000000;background:#000000">Text.`},
	} {
		expect(t, wordLook(t, c.style, c.paragraph, c.run), c.want)
	}
}

func TestOpenDocumentAutomaticColors(t *testing.T) {
	read := func(parent, own string) string {
		return textIn(t, "a.odt", zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			`<document-content><automatic-styles><style name="a" family="paragraph"><text-properties `+parent+`/></style>`+
				`<style name="b" family="paragraph" parent-style-name="a"><text-properties `+own+`/></style></automatic-styles>`+
				`<body><text><p style-name="b">Text.</p></text></body></document-content>`))
	}
	expect(t, read(`color="#ffffff"`, ""), `color:#ffffff">Text.`)
	expect(t, read(`color="#ffffff"`, `use-window-font-color="true"`), `<p>Text.`)
	expect(t, read(`color="#ff0000" background-color="#ff0000"`, `background-color="transparent"`), `color:#ff0000">Text.`)
}

func TestWordPatterns(t *testing.T) {
	const white = `<w:color w:val="FFFFFF"/>`
	for shade, want := range map[string]string{
		`<w:shd w:val="solid" w:color="1F3864" w:fill="auto"/>`:         `color:#FFFFFF;background:#1F3864">Text.`,
		`<w:shd w:val="pct50" w:color="000000" w:fill="FFFFFF"/>`:       `<p>Text.`,
		`<w:shd w:val="clear" w:fill="auto" w:themeFill="unknown"/>`:    `<p>Text.`,
		`<w:shd w:val="nil" w:fill="FF0000"/>`:                          `color:#FFFFFF">Text.`,
		`<w:shd w:val="clear" w:color="1F3864" w:fill="auto"/>`:         `color:#FFFFFF">Text.`,
		`<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>`:         `color:#FFFFFF;background:#1F3864">Text.`,
		`<w:shd w:val="diagStripe" w:color="FFFFFF" w:fill="1F3864" />`: `<p>Text.`,
	} {
		expect(t, wordLook(t, "", "", white+shade), want)
		expect(t, wordLook(t, "", shade, white), want)
		expect(t, wordLook(t, "<w:pPr>"+shade+"</w:pPr>", "", white), want)
		got := textIn(t, "a.docx", wordOf(t, "<w:tbl><w:tr><w:tc><w:tcPr>"+shade+"</w:tcPr><w:p><w:r><w:rPr>"+white+"</w:rPr><w:t>Text.</w:t></w:r></w:p></w:tc></w:tr></w:tbl>", ""))
		expect(t, got, want)
	}
}

func TestRichTextPatterns(t *testing.T) {
	for body, want := range map[string]string{
		`{\cf1\chshdng10000\chcfpat2 Text.}\par`:                      `<p>Text.`,
		`{\cf1\chshdng0\chcbpat2 Text.}\par`:                          `background:#000080">Text.`,
		`{\cf1\chbghoriz Text.}\par`:                                  `<p>Text.`,
		`\pard\shading5000\cfpat2\cf1 Text.\par`:                      `<p>Text.`,
		`\pard\shading5000\cfpat2\pard\plain\cf1 Text.\par`:           `color:#ffffff">Text.`,
		`\trowd\clshdng5000\cellx5000\pard\intbl\cf1 Text.\cell\row`:  `<p>Text.`,
		`\trowd\clshdng0\clcbpat2\cellx5000\intbl\cf1 Text.\cell\row`: `background:#000080">Text.`,
		`\trowd\clbgdkcross\cellx5000\pard\intbl\cf1 Text.\cell\row`:  `<p>Text.`,
	} {
		got := textIn(t, "a.rtf", `{\rtf1{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}`+body+`}`)
		expect(t, got, want)
	}
}

func TestWordFilledLetters(t *testing.T) {
	const (
		outlined = `<w14:textOutline><w14:solidFill><w14:srgbClr w14:val="FF0000"/></w14:solidFill></w14:textOutline>`
		gradient = `<w14:textFill><w14:gradFill><w14:gsLst><w14:gs><w14:schemeClr w14:val="bg1"/></w14:gs><w14:gs><w14:srgbClr w14:val="0000FF"><w14:alpha w14:val="100000"/></w14:srgbClr></w14:gs></w14:gsLst></w14:gradFill></w14:textFill>`
		empty    = `<w14:textFill><w14:noFill/></w14:textFill>`
		white    = `<w:color w:val="FFFFFF"/>`
	)
	for run, want := range map[string]string{
		white + gradient: `<p>Text.`,
		white + outlined: `<p>Text.`,
		outlined + empty: `<p>Text.`,
		white + `<w14:textOutline><w14:noFill/></w14:textOutline>`:                                    `color:#FFFFFF">Text.`,
		`<w14:textFill><w14:solidFill><w14:srgbClr w14:val="FFFFFF"/></w14:solidFill></w14:textFill>`: `color:#FFFFFF">Text.`,
	} {
		expect(t, wordLook(t, "", "", run), want)
	}
	// What a style fills, a run may fill otherwise.
	expect(t, wordLook(t, "<w:rPr>"+outlined+"</w:rPr>", "", empty), `<p>Text.`)
	expect(t, wordLook(t, "<w:rPr>"+empty+"</w:rPr>", "", `<w:color w:val="FF0000"/>`), `color:#FF0000">Text.`)
}

func TestWordGroups(t *testing.T) {
	box := func(properties string) string {
		return `<wps:wsp><wps:spPr>` + properties + `</wps:spPr><wps:txbx><w:txbxContent><w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Text.</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp>`
	}
	group := func(shapes string) string {
		return textIn(t, "a.docx", wordOf(t, `<w:p><w:r><w:drawing><wp:anchor><wpg:wgp>`+shapes+`</wpg:wgp></wp:anchor></w:drawing></w:r></w:p>`, ""))
	}
	expect(t, group(`<wps:wsp><wps:spPr><a:solidFill><a:srgbClr val="000080"/></a:solidFill></wps:spPr></wps:wsp>`+box(`<a:noFill/>`)), `<p>Text.`)
	expect(t, group(box(`<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>`)), `color:#FFFFFF;background:#FFFFFF">Text.`)
}

func TestHiddenTitles(t *testing.T) {
	title := func(run, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:rPr>` + run + `</w:rPr><w:t>` + text + `</w:t></w:r><w:r><w:t> </w:t></w:r></w:p>`
	}
	for run, want := range map[string]string{
		`<w:color w:val="FFFFFF"/>`:                         "Shown",
		`<w:color w:val="FEFEFE"/>`:                         "Shown",
		`<w:sz w:val="2"/>`:                                 "Shown",
		`<w:color w:val="000080"/><w:shd w:fill="000080"/>`: "Shown",
		`<w:color w:val="FFFFFF"/><w:shd w:fill="000080"/>`: "First",
		`<w:color w:val="FFFF00"/>`:                         "First",
		`<w:color w:val="1F3864"/>`:                         "First",
	} {
		data := wordOf(t, title(run, "First")+title("", "Shown"), `<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>`)
		content, err := Read([]byte(data), "a.docx", asUTF8)
		if err != nil || content.Documents[0].Title != want {
			t.Errorf("%s: %+v, %v, want the title %s", run, content.Documents, err, want)
		}
	}
}

func TestOpenDocumentFills(t *testing.T) {
	read := func(style, box string) string {
		return textIn(t, "a.odt", zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			`<document-content><automatic-styles><default-style family="graphic"><graphic-properties fill-color="#729fcf"/></default-style>`+
				`<style name="f" family="graphic"><graphic-properties `+style+`/></style><style name="w" family="paragraph"><text-properties color="#ffffff"/></style>`+
				`<style name="d" family="paragraph"><paragraph-properties background-color="#000080"/></style></automatic-styles>`+
				`<body><text>`+box+`</text></body></document-content>`))
	}
	const box = `<p><frame style-name="f"><text-box><p style-name="w">Text.</p></text-box></frame></p>`
	expect(t, read(`fill="none"`, box), `color:#ffffff">Text.`)
	expect(t, read(``, box), `color:#ffffff">Text.`)
	expect(t, read(`fill="solid" fill-color="#000080"`, box), `background:#000080">Text.`)
	expect(t, read(`fill="solid"`, box), `background:#729fcf">Text.`)
	expect(t, read(`fill="none" background-color="#000080"`, box), `background:#000080">Text.`)
	expect(t, read(`fill="bitmap"`, box), `<p>Text.`)
	// Footnotes are not on the ground of their marks.
	expect(t, read(``, `<p style-name="d">A mark<note><note-body><p style-name="w">Text.</p></note-body></note></p>`), `color:#ffffff">Text.`)
}

func TestAdjacentLetters(t *testing.T) {
	got := textIn(t, "a.rtf", `{\rtf1{\colortbl;\red255\green0\blue0;}\cf1 One \u228 ?\u246 ? two\'2e\line Three.\cf0  Four.\par Five.\par}`)
	expect(t, got, `<p><span style="color:#ff0000">One äö two.<br>Three.</span> Four.</p>`, `<p>Five.</p>`)
	got = textIn(t, "a.rtf", `{\rtf1{\colortbl;\red255\green0\blue0;}{\footnote\cf1 A note.}\cf1 Red.{\footnote\cf1 Another.}\cf1 More.\par}`)
	expect(t, got, `<p><span style="color:#ff0000">Red.More.</span></p>`, `<span style="color:#ff0000">A note.</span></p>`, `<span style="color:#ff0000">Another.</span></p>`)
	run := func(s string) string {
		return `<w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>` + s + `</w:t></w:r>`
	}
	got = textIn(t, "a.docx", wordOf(t, `<w:p>`+run("One ")+run("two.")+`</w:p>`, ""))
	expect(t, got, `<p><span style="color:#FF0000">One two.</span></p>`)
	// Bullets in a colour are marks of items, too.
	got = textIn(t, "a.docx", wordOf(t, `<w:p>`+run("• One.")+`</w:p><w:p>`+run("•")+`<w:r><w:t> Two.</w:t></w:r></w:p>`, ""))
	expect(t, got, `<li><span style="color:#FF0000">One.</span></li>`, `<li>Two.</li>`)
}

func TestWordFormulas(t *testing.T) {
	const white = `<w:rPr><w:color w:val="FFFFFF"/></w:rPr>`
	for _, formula := range []string{`<m:r>` + white + `</m:r>`, `<m:f><m:fPr><m:ctrlPr>` + white + `</m:ctrlPr></m:fPr></m:f>`} {
		got := textIn(t, "a.docx", wordOf(t, `<w:p><m:oMath>`+formula+`</m:oMath><w:r><w:t>Text.</w:t></w:r></w:p>`, ""))
		expect(t, got, `<p>Text.`)
	}
}
