package ingest

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// packedCases are texts that a reader of a file sees or does not see. § is the text.
type packedCases struct{ hidden, shown []string }

// paragraphs returns the cases as one text, in which hidden ones say "secret N" and
// the others "shown N".
func (c packedCases) paragraphs() string {
	var b strings.Builder
	for i, s := range c.hidden {
		b.WriteString(strings.ReplaceAll(s, "§", fmt.Sprintf("The ferry of the harbour carries secret %d to the island.", i)))
	}
	for i, s := range c.shown {
		b.WriteString(strings.ReplaceAll(s, "§", fmt.Sprintf("The ferry of the harbour carries shown %d to the island.", i)))
	}
	return b.String()
}

func wordRun(properties string) string {
	return `<w:p><w:r><w:rPr>` + properties + `</w:rPr><w:t>§</w:t></w:r></w:p>`
}

func wordParagraph(properties, run string) string {
	return `<w:p><w:pPr>` + properties + `</w:pPr><w:r><w:rPr>` + run + `</w:rPr><w:t>§</w:t></w:r></w:p>`
}

func wordTable(table, row, cell, run string) string {
	return `<w:tbl><w:tblPr>` + table + `</w:tblPr><w:tr><w:tc><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr>` + row + `</w:trPr><w:tc><w:tcPr>` + cell + `</w:tcPr>` + wordRun(run) + `</w:tc></w:tr></w:tbl>`
}

func wordBox(properties, run string) string {
	return `<w:p><w:r><w:drawing><wp:anchor><wp:extent cx="2000000" cy="2000000"/><a:graphic><a:graphicData><wps:wsp>` + properties + `<wps:txbx><w:txbxContent>` + wordRun(run) + `</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`
}

const (
	white     = `<w:color w:val="FFFFFF"/>`
	wordSpace = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:v="urn:schemas-microsoft-com:vml"`
)

var hiddenInWord = packedCases{
	hidden: []string{
		wordRun(`<w:vanish/>`),
		wordRun(`<w:specVanish/>`),
		wordRun(`<w:rStyle w:val="Gone"/>`),
		wordRun(`<w:vanish/><w:specVanish w:val="0"/><w:color w:val="FFFFFF"/>`),
		wordRun(white),
		wordRun(`<w:color w:val="000000" w:themeColor="background1"/>`),
		wordRun(`<w:color w:val="auto" w:themeColor="background1"/>`),
		wordRun(`<w:color w:val="FFFFFF"/><w:rStyle w:val="Dark"/>`),
		wordRun(`<w:sz w:val="1"/>`),
		wordRun(`<w:sz w:val="4"/>`),
		wordRun(`<w:w w:val="1"/>`),
		wordRun(`<w:spacing w:val="-240"/>`),
		wordRun(`<w:color w:val="ffff00"/><w:highlight w:val="yellow"/>`),
		wordRun(`<w:highlight w:val="black"/>`),
		wordRun(`<w:color w:val="000000"/><w:shd w:fill="000000"/>`),
		wordRun(`<w14:textFill><w14:noFill/></w14:textFill>`),
		wordRun(`<w14:textFill><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr></w14:solidFill></w14:textFill>`),
		wordRun(`<w14:textFill><w14:solidFill><w14:schemeClr w14:val="bg1"/></w14:solidFill></w14:textFill>`),
		wordParagraph(`<w:spacing w:line="1" w:lineRule="exact"/>`, ""),
		wordParagraph(`<w:ind w:left="40000"/>`, ""),
		wordParagraph(`<w:pStyle w:val="Tiny"/>`, ""),
		wordParagraph(`<w:shd w:fill="0000FF"/>`, `<w:color w:val="0000FF"/>`),
		wordTable("", "", "", white),
		wordTable(`<w:tblStyle w:val="Headed"/>`, "", "", white),
		wordTable("", "", `<w:shd w:fill="008000"/>`, `<w:color w:val="008000"/>`),
		wordTable("", "", `<w:vMerge/>`, ""),
		wordTable("", `<w:hidden/>`, "", ""),
		wordTable("", `<w:trHeight w:val="1" w:hRule="exact"/>`, "", ""),
		wordBox("", white),
		wordBox(`<wps:spPr><a:noFill/></wps:spPr>`, white),
		wordBox(`<wps:spPr><a:solidFill><a:schemeClr val="dk1"/></a:solidFill></wps:spPr>`, `<w:color w:val="000000"/>`),
		strings.Replace(wordBox("", ""), `<a:graphic>`, `<wp:docPr hidden="1"/><a:graphic>`, 1),
		strings.Replace(wordBox("", ""), `<a:graphic>`, `<wp:positionH><wp:posOffset>-90000000</wp:posOffset></wp:positionH><a:graphic>`, 1),
		strings.Replace(wordBox("", ""), `cy="2000000"`, `cy="0"`, 1),
		`<w:p><w:r><w:pict><v:shape style="visibility:hidden"><v:textbox><w:txbxContent>` + wordRun("") + `</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
		`<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>` + wordRun(white) + `</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
		`<w:p><w:del><w:r><w:delText>§</w:delText></w:r></w:del></w:p>`,
	},
	shown: []string{
		wordRun(""),
		wordRun(`<w:vanish w:val="0"/>`),
		wordRun(`<w:color w:val="7F7F7F" w:themeColor="background1" w:themeShade="7F"/>`),
		wordRun(`<w:sz w:val="8"/>`),
		wordRun(`<w:spacing w:val="-20"/>`),
		wordRun(`<w:w w:val="80"/>`),
		wordRun(`<w:highlight w:val="yellow"/>`),
		wordRun(white + `<w:shd w:fill="000080"/>`),
		wordRun(`<w14:textFill><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="30000"/></w14:srgbClr></w14:solidFill></w14:textFill>`),
		wordParagraph(`<w:spacing w:line="240" w:lineRule="exact"/>`, ""),
		wordParagraph(`<w:shd w:fill="0000FF"/>`, white),
		wordTable("", "", `<w:shd w:fill="008000"/>`, white),
		wordTable(`<w:tblStyle w:val="Banded"/>`, "", "", white),
		wordTable("", "", `<w:vMerge w:val="restart"/>`, ""),
		wordBox(`<wps:spPr><a:solidFill><a:srgbClr val="000080"/></a:solidFill></wps:spPr>`, white),
		wordBox(`<wps:spPr><a:blipFill/></wps:spPr>`, white),
		wordBox(`<wps:style><a:fillRef idx="1"/></wps:style>`, white),
		`<w:p><w:r><w:pict><v:shape fillcolor="#000080"><v:textbox><w:txbxContent>` + wordRun(white) + `</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
	},
}

const wordStyles = `<w:style w:type="character" w:styleId="Gone"><w:name w:val="gone"/><w:rPr><w:vanish/></w:rPr></w:style>` +
	`<w:style w:type="character" w:styleId="Dark"><w:name w:val="dark"/><w:rPr><w:color w:val="000000"/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Tiny"><w:name w:val="tiny"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>` +
	`<w:style w:type="table" w:styleId="Headed"><w:name w:val="headed"/><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:fill="000080"/></w:tcPr></w:tblStylePr></w:style>` +
	`<w:style w:type="table" w:styleId="Banded"><w:name w:val="banded"/><w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:fill="000080"/></w:tcPr></w:tblStylePr></w:style>`

func odtSpan(properties string) string {
	return `<style:style style:name="N" style:family="text"><style:text-properties ` + properties + `/></style:style>|<text:p><text:span text:style-name="N">§</text:span></text:p>`
}

func odtParagraph(properties, letters string) string {
	return `<style:style style:name="N" style:family="paragraph"><style:paragraph-properties ` + properties + `/><style:text-properties ` + letters + `/></style:style>|<text:p text:style-name="N">§</text:p>`
}

func odtCell(family, properties, letters string) string {
	return `<style:style style:name="N" style:family="` + family + `"><style:` + family + `-properties ` + properties + `/></style:style><style:style style:name="Np" style:family="paragraph"><style:text-properties ` + letters + `/></style:style>|` +
		strings.Replace(`<table:table><table:table-row><table:table-cell><text:p text:style-name="Np">§</text:p></table:table-cell></table:table-row></table:table>`, "<table:"+strings.TrimPrefix(family, "table:")+">", "<table:"+family+` table:style-name="N">`, 1)
}

func odtFrame(properties, at, letters string) string {
	return `<style:style style:name="N" style:family="graphic"><style:graphic-properties ` + properties + `/></style:style><style:style style:name="Np" style:family="paragraph"><style:text-properties ` + letters + `/></style:style>|<text:p><draw:frame draw:style-name="N" ` + at + `><draw:text-box><text:p text:style-name="Np">§</text:p></draw:text-box></draw:frame></text:p>`
}

const odtWhite = `fo:color="#ffffff"`

var hiddenInOpenDocument = packedCases{
	hidden: []string{
		odtSpan(`text:display="none"`),
		odtSpan(odtWhite),
		odtSpan(`fo:font-size="1pt"`),
		odtSpan(`fo:font-size="0.3mm"`),
		odtSpan(`fo:font-size="5%"`),
		odtSpan(`style:text-position="0% 1%"`),
		odtSpan(`style:text-scale="1%"`),
		odtSpan(`fo:letter-spacing="-5mm"`),
		odtSpan(`loext:opacity="0%"`),
		odtSpan(`fo:color="#112233" fo:background-color="#112233"`),
		odtParagraph(`fo:background-color="#000080"`, `fo:color="#000080"`),
		odtParagraph(`fo:line-height="0.1mm"`, ""),
		odtParagraph(`fo:margin-left="90cm"`, ""),
		odtCell("table", "", odtWhite),
		odtCell("table-cell", `fo:background-color="#008000"`, `fo:color="#008000"`),
		odtCell("table-row", `style:row-height="0.1mm"`, ""),
		odtCell("table", `table:display="false"`, ""),
		odtFrame(`draw:fill="none"`, "", odtWhite),
		odtFrame("", "", odtWhite),
		odtFrame(`draw:fill="solid" draw:fill-color="#000000"`, "", `fo:color="#000000"`),
		odtFrame("", `svg:x="-90cm"`, ""),
		odtFrame("", `svg:width="0.1mm"`, ""),
		`|<text:p><text:variable-set text:display="none">§</text:variable-set></text:p>`,
		`|<text:section text:display="none"><text:p>§</text:p></text:section>`,
		`|<text:section text:is-hidden="true"><text:p>§</text:p></text:section>`,
		`|<text:p><text:hidden-paragraph text:is-hidden="true"/>Before.<text:note><text:note-body><text:p>§</text:p></text:note-body></text:note></text:p>`,
		`|<text:p>A <text:script>§</text:script></text:p>`,
	},
	shown: []string{
		`|<text:p>§</text:p>`,
		odtSpan(`fo:font-size="4pt"`),
		odtSpan(`fo:font-size="80%"`),
		odtSpan(`style:use-window-font-color="true" loext:opacity="0%"`),
		odtSpan(`style:text-position="super 58%"`),
		odtSpan(`fo:color="#ffffff" fo:background-color="#112233"`),
		odtParagraph(`fo:background-color="#000080"`, odtWhite),
		odtParagraph(`fo:line-height="100%"`, ""),
		odtCell("table-cell", `fo:background-color="#008000"`, odtWhite),
		odtCell("table-row", `fo:background-color="#008000"`, odtWhite),
		odtFrame(`draw:fill="solid" draw:fill-color="#000080"`, "", odtWhite),
		odtFrame(`draw:fill="bitmap"`, "", odtWhite),
		`|<text:p><text:hidden-paragraph text:is-hidden="false"/>§</text:p>`,
	},
}

// Colours of the Rich Text: 0 none, 1 white, 2 blue.
var hiddenInRichText = packedCases{
	hidden: []string{
		`{\v §}\par `,
		`{\cf1 §}\par `,
		`{\fs1 §}\par `,
		`{\fs4 §}\par `,
		`{\charscalex1 §}\par `,
		`{\expndtw-240 §}\par `,
		`{\cf2\highlight2 §}\par `,
		`{\pard\cbpat2\cf2 §\par}`,
		`{\pard\sl-1\slmult0 §\par}`,
		`{\pard\li40000 §\par}`,
		`{\trowd\cellx5000\pard\intbl\cf1 §\cell\row}`,
		`{\trowd\clcbpat2\cellx5000\pard\intbl\cf2 §\cell\row}`,
		`{\trowd\clvmrg\cellx5000\pard\intbl §\cell\row}`,
		`{\trowd\trrh-1\cellx5000\pard\intbl §\cell\row}`,
		`{\shp{\*\shpinst{\shptxt \pard\cf1 §\par}}}`,
		`{\shp{\*\shpinst{\sp{\sn fFilled}{\sv 0}}{\shptxt \pard\cf1 §\par}}}`,
		`{\shp{\*\shpinst{\sp{\sn fillColor}{\sv 8388608}}{\shptxt \pard\cf2 §\par}}}`,
		`{\shp{\*\shpinst{\sp{\sn fHidden}{\sv 1}}{\shptxt \pard §\par}}}`,
		`{\deleted §}\par `,
	},
	shown: []string{
		`§\par `,
		`{\v0 §}\par `,
		`{\cf2 §}\par `,
		`{\cf1\highlight2 §}\par `,
		`{\pard\cbpat2\cf1 §\par}`,
		`{\pard\sl-240\slmult0 §\par}`,
		`{\trowd\clcbpat2\cellx5000\pard\intbl\cf1 §\cell\row}`,
		`{\trowd\clvmgf\cellx5000\pard\intbl §\cell\row}`,
		`{\shp{\*\shpinst{\sp{\sn fillColor}{\sv 8388608}}{\shptxt \pard\cf1 §\par}}}`,
		`{\shp{\*\shpinst{\sp{\sn fillType}{\sv 3}}{\shptxt \pard\cf1 §\par}}}`,
		`{\pard §\par}`,
	},
}

var hiddenInBook = packedCases{
	hidden: []string{
		`<p class="linked">§</p>`,
		`<p class="imported">§</p>`,
		`<p class="imported-there">§</p>`,
		`<p class="instructed">§</p>`,
		`<p class="own">§</p>`,
		`<p style="opacity:0">§</p>`,
		`<p hidden="hidden">§</p>`,
	},
	shown: []string{
		`<p>§</p>`,
		`<p class="alternate">§</p>`,
		`<p class="printed">§</p>`,
	},
}

func openDocumentOf(t *testing.T, cases packedCases) []byte {
	t.Helper()
	var styles, text strings.Builder
	n := 0
	split := func(all []string) []string {
		var bodies []string
		for _, s := range all {
			n++
			style, body, _ := strings.Cut(s, "|")
			name := fmt.Sprintf(`"N%d`, n)
			styles.WriteString(strings.ReplaceAll(style, `"N`, name))
			bodies = append(bodies, strings.ReplaceAll(body, `"N`, name))
		}
		return bodies
	}
	text.WriteString(packedCases{split(cases.hidden), split(cases.shown)}.paragraphs())
	return archivetest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
		`<office:document-content xmlns:office="o" xmlns:style="s" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:fo="f" xmlns:svg="v" xmlns:loext="l"><office:automatic-styles>`+styles.String()+`</office:automatic-styles><office:body><office:text>`+text.String()+`</office:text></office:body></office:document-content>`)
}

// TestHiddenInFiles reads files with texts that no reader sees, and others that only
// seem to be hidden. The page reads the same files: with -update, they are written to testdata/files.
func TestHiddenInFiles(t *testing.T) {
	for _, file := range []struct {
		name  string
		cases packedCases
		data  []byte
	}{
		{"hidden.docx", hiddenInWord, archivetest.Zip(t, "[Content_Types].xml", "<Types/>",
			"word/document.xml", "<w:document"+wordSpace+"><w:body>"+hiddenInWord.paragraphs()+"</w:body></w:document>",
			"word/styles.xml", "<w:styles"+wordSpace+">"+wordStyles+"</w:styles>")},
		{"hidden.odt", hiddenInOpenDocument, openDocumentOf(t, hiddenInOpenDocument)},
		{"hidden.rtf", hiddenInRichText, []byte(`{\rtf1\ansi{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}` + hiddenInRichText.paragraphs() + `}`)},
		{"hidden.epub", hiddenInBook, archivetest.Zip(t, "mimetype", "application/epub+zip",
			"META-INF/container.xml", `<container><rootfile full-path="OEBPS/a.opf"/></container>`,
			"OEBPS/a.opf", `<package><manifest><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
			"OEBPS/text/a.xhtml", `<?xml version="1.0"?><?xml-stylesheet href="../styles/instructed.css" type="text/css"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>A book</title>`+
				`<link rel="stylesheet" href="../styles/a%20b.css"/><link rel="alternate stylesheet" href="../styles/alternate.css"/><link media="print" rel="stylesheet" href="../styles/printed.css"/>`+
				`<style>@import "../styles/there.css"; .own{display:none}</style></head><body>`+hiddenInBook.paragraphs()+`</body></html>`,
			"OEBPS/styles/a b.css", `@import url(more/imported.css) screen; .linked{visibility:hidden} /* </style> */`,
			"OEBPS/styles/more/imported.css", `@import "imported.css"; .imported{font-size:0}`,
			"OEBPS/styles/there.css", `.imported-there{display:none}`, "OEBPS/styles/instructed.css", `.instructed{color:#fff}`,
			"OEBPS/styles/alternate.css", `.alternate{display:none}`, "OEBPS/styles/printed.css", `.printed{display:none}`)},
	} {
		t.Run(file.name, func(t *testing.T) {
			path := "testdata/files/" + file.name
			if *update {
				if err := os.WriteFile(path, file.data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if written, err := os.ReadFile(path); err != nil || !bytes.Equal(written, file.data) {
				t.Errorf("%s is not what this test makes (%v): run it with -update", path, err)
			}
			all, err := (&Loader{}).unpack(t.Context(), file.data, file.name, time.Minute)
			if err != nil || len(all) != 1 {
				t.Fatalf("%d documents, %v", len(all), err)
			}
			for i, s := range file.cases.hidden {
				if strings.Contains(all[0].text, fmt.Sprintf("secret %d ", i)) {
					t.Errorf("reads hidden text %d: %s", i, s)
				}
			}
			for i, s := range file.cases.shown {
				if !strings.Contains(all[0].text, fmt.Sprintf("shown %d ", i)) {
					t.Errorf("does not read text %d: %s", i, s)
				}
			}
			if left := regexp.MustCompile(`secret \d+`).FindString(all[0].title); left != "" {
				t.Errorf("the title is hidden: %s", all[0].title)
			}
		})
	}
}
