package files

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const wordNames = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

// wordOf packs the body of a Word document and its styles.
func wordOf(t *testing.T, body, styles string) string {
	t.Helper()
	return zipOf(t, "[Content_Types].xml", "<Types/>",
		"word/document.xml", "<w:document "+wordNames+"><w:body>"+body+"</w:body></w:document>",
		"word/styles.xml", "<w:styles "+wordNames+">"+styles+"</w:styles>")
}

func TestWordShadeOfStyle(t *testing.T) {
	got := textIn(t, "a.docx", wordOf(t,
		`<w:p><w:pPr><w:pStyle w:val="b"/></w:pPr><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Light.</w:t></w:r></w:p>`+
			`<w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>White.</w:t></w:r></w:p>`,
		`<w:style w:type="paragraph" w:styleId="a"><w:name w:val="a"/><w:pPr><w:shd w:fill="000080"/></w:pPr></w:style>`+
			`<w:style w:type="paragraph" w:styleId="b"><w:name w:val="b"/><w:basedOn w:val="a"/></w:style>`))
	expect(t, got, `color:#FFFFFF;background:#000080">Light.`, `color:#FFFFFF">White.`)
}

func TestWordDeletedMark(t *testing.T) {
	const kept = `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Kept.</w:t></w:r></w:p>`
	paragraph := func(s string) string { return "<w:p><w:r><w:t>" + s + "</w:t></w:r></w:p>" }
	for body, want := range map[string]string{
		kept:                      "<p>Kept.</p>",
		kept + paragraph("Next."): "<p>Kept.Next.</p>",
		kept + "<w:tbl><w:tr><w:tc>" + paragraph("Cell.") + "</w:tc></w:tr></w:tbl>": "<p>Kept.</p>\n<table>",
		"<w:tbl><w:tr><w:tc>" + kept + "</w:tc></w:tr></w:tbl>" + paragraph("Next."): "<p>Kept.</p>\n</td>",
	} {
		expect(t, textIn(t, "a.docx", wordOf(t, body, "")), want)
	}
	got := textIn(t, "a.docx", zipOf(t, "[Content_Types].xml", "<Types/>",
		"word/document.xml", "<w:document "+wordNames+"><w:body>"+kept+`<w:p><w:r><w:footnoteReference w:id="1"/><w:footnoteReference w:id="2"/></w:r></w:p></w:body></w:document>`,
		"word/footnotes.xml", "<w:footnotes "+wordNames+`><w:footnote w:id="1">`+paragraph("Note.")+`</w:footnote><w:footnote w:id="2">`+kept+`</w:footnote><w:footnote w:id="3">`+paragraph("Orphan.")+"</w:footnote></w:footnotes>"))
	expect(t, got, "<p>Kept.</p>", ">Note.<", `"reference">Kept.<`, "-", "Orphan.")
}

func TestOpenDocumentShapes(t *testing.T) {
	for _, shape := range []string{"custom-shape", "rect", "ellipse", "text-box"} {
		got := textIn(t, "a.odt", zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			`<document-content><automatic-styles><style name="w" family="text"><text-properties color="#ffffff"/></style></automatic-styles><body><text>`+
				`<p>Outside.<`+shape+`><p><span style-name="w">Light.</span></p></`+shape+`></p></text></body></document-content>`))
		// A box without a style shows the page, how programs fill shapes is unknown.
		want := "<p>Light.</p>"
		if shape == "text-box" {
			want = `<p><span style="color:#ffffff">Light.</span></p>`
		}
		expect(t, got, "Outside.", want)
	}
}

// bookOf packs a book of two chapters.
func bookOf(t *testing.T, first, guide string) string {
	t.Helper()
	return zipOf(t, "mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
		"a.opf", `<package><manifest><item id="a" href="book.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>`+
			`<spine><itemref idref="a"/><itemref idref="b"/></spine><guide>`+guide+`</guide></package>`,
		"book.xhtml", "<html><body>"+first+"</body></html>", "b.xhtml", "<html><body><p>Second.</p></body></html>")
}

func TestBookParts(t *testing.T) {
	for _, part := range []struct {
		first, guide string
		read         bool
	}{
		{"<p>First.</p>", `<reference type="toc" href="book.xhtml#toc"/>`, true},
		{"<p>First.</p>", `<reference type="toc" href="book.xhtml"/>`, false},
		{`<section epub:type="titlepage"><h1>Title</h1></section><section><p>First.</p></section>`, "", true},
		{"\n" + `<section epub:type="titlepage"><div><h1>First.</h1></div></section>` + "\n", "", false},
		{`<section epub:type="titlepage"><section><h1>First.</h1></section></section>`, "", false},
	} {
		got := textIn(t, "a.epub", bookOf(t, part.first, part.guide))
		expect(t, got, "Second.")
		if strings.Contains(got, "First.") != part.read {
			t.Errorf("%s, %s: %s", part.first, part.guide, got)
		}
	}
}

func TestArchiveWithFolderOfWord(t *testing.T) {
	data := zipOf(t, "word/list.txt", "A list of words.")
	content, err := Read([]byte(data), "a.zip", asUTF8)
	if err != nil || len(content.Members) != 1 {
		t.Errorf("%+v, %v, want a member", content, err)
	}
	var e *Error
	if _, err := Read([]byte(data), "a.docx", asUTF8); !errors.As(err, &e) || e.Problem != Damaged {
		t.Errorf("%v, want damaged", err)
	}
}

func TestNames(t *testing.T) {
	expect(t, textIn(t, "a.eml.zst", "From: a\n\nA mail.\n"), "A mail.")
	if !Handles("a.mbox.zst", []byte("From a")) {
		t.Error("does not handle a mailbox that was compressed")
	}
	var e *Error
	if _, err := Read([]byte("A text."), "a.txt", asUTF8); !errors.As(err, &e) || e.Problem != Damaged {
		t.Errorf("%v, want damaged", err)
	}
}

// TestBookSheets reads a book whose chapters share a style sheet. Each gets all of it, or
// nothing once all have got enough.
func TestBookSheets(t *testing.T) {
	const chapters = 80
	var items, refs strings.Builder
	packed := []string{"mimetype", "application/epub+zip", "META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
		"a.css", "@import 'b.css';" + strings.Repeat(".one{color:#000}\n", 300<<10/17), "b.css", ".two{color:#000}"}
	for i := range chapters {
		name := fmt.Sprintf("c%d.xhtml", i)
		fmt.Fprintf(&items, `<item id="%s" href="%s" media-type="application/xhtml+xml"/>`, name, name)
		fmt.Fprintf(&refs, `<itemref idref="%s"/>`, name)
		packed = append(packed, name, fmt.Sprintf(`<html><head><link rel="stylesheet" href="a.css"/></head><body><p>Chapter %d.</p></body></html>`, i))
	}
	packed = append(packed, "a.opf", "<package><manifest>"+items.String()+"</manifest><spine>"+refs.String()+"</spine></package>")
	content, err := Read([]byte(zipOf(t, packed...)), "a.epub", asUTF8)
	if err != nil {
		t.Fatal(err)
	}
	pages := content.Documents[0].Pages
	if len(pages) != chapters {
		t.Fatalf("%d chapters, want %d", len(pages), chapters)
	}
	styled := 0
	for i, page := range pages {
		if !strings.Contains(page, fmt.Sprintf("<p>Chapter %d.</p>", i)) {
			t.Errorf("chapter %d is not in %.200s", i, page)
		}
		one, two := strings.Count(page, ".one{"), strings.Count(page, ".two{")
		if one+two == 0 {
			continue
		}
		if styled++; one != 300<<10/17 || two != 1 {
			t.Errorf("chapter %d has %d and %d rules", i, one, two)
		}
	}
	if styled < 50 || styled == chapters {
		t.Errorf("%d chapters have styles", styled)
	}
}
