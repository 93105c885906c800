package files

import (
	"encoding/xml"
	"errors"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// readBook reads an e-book: EPUB 3.3 and 2.0.1. It is one document, whose pages are
// the chapters in the order of reading.
func readBook(a *archive, decode Decoder) (Document, error) {
	var opf string
	container, err := a.read("META-INF/container.xml")
	if err != nil {
		return Document{}, err
	}
	err = walk(container, "META-INF/container.xml", decode).each(func(e xml.StartElement) {
		if e.Name.Local == "rootfile" && opf == "" {
			opf = path.Clean(attribute(e, "full-path"))
		}
	})
	if err != nil {
		return Document{}, err
	}
	if opf == "" {
		return Document{}, problem(Damaged, "META-INF/container.xml names no package")
	}
	locked, err := lockedIn(a, decode)
	if err != nil {
		return Document{}, err
	}
	data, err := a.read(opf)
	if err != nil {
		return Document{}, err
	}
	type item struct{ file, media, properties string }
	items := map[string]item{}
	var spine []string
	besides := map[string]bool{} // files that are not chapters
	resolve := func(href string) string {
		href, _, _ = strings.Cut(href, "#")
		if plain, err := url.PathUnescape(href); err == nil {
			href = plain
		}
		return strings.TrimPrefix(path.Clean("/"+path.Join(path.Dir(opf), href)), "/")
	}
	err = walk(data, opf, decode).each(func(e xml.StartElement) {
		switch e.Name.Local {
		case "item":
			items[attribute(e, "id")] = item{resolve(attribute(e, "href")), attribute(e, "media-type"), attribute(e, "properties")}
		case "itemref":
			if attribute(e, "linear") != "no" {
				spine = append(spine, attribute(e, "idref"))
			}
		case "reference":
			// With a fragment, it is only a place in the file.
			if href := attribute(e, "href"); isBeside(attribute(e, "type")) && !strings.Contains(href, "#") {
				besides[resolve(href)] = true
			}
		}
	})
	if err != nil {
		return Document{}, err
	}
	about := described(data, opf, decode, "title", "date")
	d := Document{Title: about["title"], Date: isoDate(about["date"])}
	sheets := &sheets{a: a, decode: decode, known: map[string]string{}, room: maxSheets}
	for _, id := range spine {
		it, ok := items[id]
		if !ok || it.media != "application/xhtml+xml" && it.media != "text/html" && it.media != "application/x-dtbook+xml" {
			continue
		}
		if locked[it.file] {
			return Document{}, problem(Protected, "")
		}
		if besides[it.file] || strings.Contains(" "+it.properties+" ", " nav ") {
			continue
		}
		chapter, err := a.read(it.file)
		if err != nil {
			return Document{}, err
		}
		s, err := textOf(chapter, declared(chapter), decode)
		if err != nil {
			return Document{}, err
		}
		// The book's own styles may hide text.
		s = asHTML(sheets.inlined(s, path.Dir(it.file)))
		if sheets.err != nil {
			return Document{}, sheets.err
		}
		kinds := kindsOf(s)
		if isBeside(kinds) || kinds == "" && isBesideFile(it.file) {
			continue
		}
		d.Pages = append(d.Pages, s)
	}
	if len(spine) == 0 {
		return Document{}, problem(Damaged, "%s lists no chapters", opf)
	}
	return d, nil
}

// isBeside reports whether a part of a book, by its types, is not of the book's text.
func isBeside(kinds string) bool {
	for kind := range strings.FieldsSeq(strings.ToLower(kinds)) {
		switch lettersOnly(kind) {
		case "cover", "coverpage", "toc", "nav", "titlepage", "halftitle", "halftitlepage", "copyright", "copyrightpage", "colophon", "imprint", "imprimatur",
			"index", "loi", "lot", "landmarks", "pagelist", "contents":
			return true
		}
	}
	return false
}

// isBesideFile is isBeside for a file of a book that states no types. "index" is what
// programs call the only file.
func isBesideFile(file string) bool {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	return lettersOnly(name) != "index" && isBeside(lettersOnly(name))
}

func lettersOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

var (
	bodyTypes  = regexp.MustCompile(`<body\b[^>]*?epub:type="([^"]*)"`)
	childTypes = regexp.MustCompile(`<body\b[^>]*>\s*(<(?:section|div|article|nav)\b[^>]*?epub:type="([^"]*)")`)
)

// kindsOf returns the types of a chapter: of its body, and of the only element in that.
func kindsOf(chapter string) string {
	kinds := ""
	if m := bodyTypes.FindStringSubmatch(chapter); m != nil {
		kinds = m[1]
	}
	if at := childTypes.FindStringSubmatchIndex(chapter); at != nil && isAlone(chapter[at[2]:]) {
		kinds += " " + chapter[at[4]:at[5]]
	}
	return kinds
}

// isAlone reports whether HTML begins with an element after which its parent ends.
func isAlone(s string) bool {
	z := html.NewTokenizer(strings.NewReader(s))
	for depth, ended := 0, false; ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return true
		case html.TextToken:
			if ended && strings.TrimSpace(string(z.Text())) != "" {
				return false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if ended {
				return false
			}
			if name, _ := z.TagName(); kind == html.StartTagToken && !empty[string(name)] {
				depth++
			}
		case html.EndTagToken:
			if ended {
				return true
			}
			depth--
			ended = depth == 0
		}
	}
}

// lockedIn returns the files that are encrypted, besides fonts.
func lockedIn(a *archive, decode Decoder) (map[string]bool, error) {
	locked := map[string]bool{}
	if !a.has("META-INF/encryption.xml") {
		return locked, nil
	}
	data, err := a.read("META-INF/encryption.xml")
	if err != nil {
		return nil, err
	}
	method := ""
	err = walk(data, "META-INF/encryption.xml", decode).each(func(e xml.StartElement) {
		switch e.Name.Local {
		case "EncryptedData":
			method = ""
		case "EncryptionMethod":
			if method == "" {
				method = attribute(e, "Algorithm")
			}
		case "CipherReference":
			file := attribute(e, "URI")
			if plain, err := url.PathUnescape(file); err == nil {
				file = plain
			}
			if method != "http://www.idpf.org/2008/embedding" && method != "http://ns.adobe.com/pdf/enc#RC" {
				locked[file] = true
			}
		}
	})
	return locked, err
}

var declaration = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']`)

// declared returns the encoding that an XML file declares.
func declared(data []byte) string {
	if m := declaration.FindSubmatch(data[:min(len(data), 200)]); m != nil {
		return string(m[1])
	}
	return "utf-8"
}

var (
	prolog = regexp.MustCompile(`^\s*(?:<\?xml[^>]*\?>\s*)?`)
	// alone is an element that XML ends where it begins, which HTML has only for some.
	alone = regexp.MustCompile(`<([A-Za-z][\w:-]*)((?:\s+[^\s<>"'/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/>`)
	// mark is a mark of a footnote in the same file, elsewhere one in another.
	mark      = regexp.MustCompile(`<a\s[^<>]*(?:epub:type="noteref"|role="doc-noteref"|class="footnote-ref")[^<>]*>[^<>]{1,12}</a>`)
	elsewhere = regexp.MustCompile(`<sup[^<>]*>\s*<a\s[^<>]*href="[^"#<>]+#[^"<>]*"[^<>]*>[^<>]{1,6}</a>\s*</sup>`)
	here      = regexp.MustCompile(`\shref="#`)
	note      = regexp.MustCompile(`\sepub:type="(?:footnotes?|endnotes?|rearnotes?|bibliography|biblioentry)"`)
	empty     = map[string]bool{}
)

func init() {
	for _, name := range strings.Fields("area base br col embed hr img input link meta param source track wbr") {
		empty[name] = true
	}
}

// asHTML returns the XHTML of a chapter as HTML.
func asHTML(s string) string {
	s = prolog.ReplaceAllString(s, "")
	s = mark.ReplaceAllStringFunc(s, func(link string) string {
		if here.MatchString(link) {
			return "<sup>" + link + "</sup>"
		}
		return ""
	})
	s = elsewhere.ReplaceAllString(s, "")
	s = note.ReplaceAllString(s, ` role="doc-endnotes"`)
	s = strings.ReplaceAll(s, ` class="footnote-back"`, ` role="doc-backlink"`)
	return alone.ReplaceAllStringFunc(s, func(tag string) string {
		m := alone.FindStringSubmatch(tag)
		if empty[m[1]] {
			return tag
		}
		return "<" + m[1] + m[2] + "></" + m[1] + ">"
	})
}

// sheets puts the style sheets of a book into its chapters.
type sheets struct {
	a      *archive
	decode Decoder
	known  map[string]string // as they are unpacked, by name
	room   int               // for what the chapters may still get, in bytes
	full   bool              // a chapter did not get its sheets, nor do those that follow
	err    error             // the book unpacks to too much
}

const (
	// maxImports is the depth of style sheets that import others.
	maxImports = 5
	// maxSheets is the number of bytes of style sheets that all chapters get: a quarter
	// of what a book may unpack to. Sheets of which parts are missing could hide text that
	// is shown, so chapters beyond it get none.
	maxSheets = MaxUnpacked / 4
)

var (
	linked    = regexp.MustCompile(`(?i)<link\b[^<>]*>|<\?xml-stylesheet\b[^<>]*\?>`)
	pair      = regexp.MustCompile(`(?i)\b(href|rel|media)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	headStart = regexp.MustCompile(`(?i)<head\b[^<>]*>`)
	styleText = regexp.MustCompile(`(?is)(<style\b[^<>]*>)(.*?)(</style\b)`)
	styleEnd  = regexp.MustCompile(`(?i)</(style)`)
	imported  = regexp.MustCompile(`(?i)@import\s*(?:url\(\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|([^"'\s();]+))\s*\)?([^;{}]*);`)
)

// inlined returns the XHTML of a chapter in a folder with the style sheets that it
// links to and imports.
func (s *sheets) inlined(chapter, folder string) string {
	if s.full {
		return chapter
	}
	bare := chapter
	chapter = styleText.ReplaceAllStringFunc(chapter, func(element string) string {
		m := styleText.FindStringSubmatch(element)
		return m[1] + s.expanded(m[2], folder, 0) + m[3]
	})
	var before strings.Builder
	chapter = linked.ReplaceAllStringFunc(chapter, func(link string) string {
		values := map[string]string{}
		for _, m := range pair.FindAllStringSubmatch(link, -1) {
			values[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3])
		}
		instruction := strings.HasPrefix(link, "<?")
		rel := strings.Fields(strings.ToLower(values["rel"]))
		if !instruction && (!slices.Contains(rel, "stylesheet") || slices.Contains(rel, "alternate")) {
			return link
		}
		css := s.read(values["href"], folder, 0)
		if css == "" {
			return ""
		}
		element := `<style media="` + escape(values["media"]) + `">` + css + "</style>"
		if instruction {
			before.WriteString(element)
			return ""
		}
		return element
	})
	if s.full {
		return bare
	}
	if before.Len() > 0 {
		at := 0
		if head := headStart.FindStringIndex(chapter); head != nil {
			at = head[1]
		}
		chapter = chapter[:at] + before.String() + chapter[at:]
	}
	return chapter
}

// read returns a style sheet, by its address in a file of a folder; empty if there is none.
func (s *sheets) read(href, folder string, depth int) string {
	href, _, _ = strings.Cut(href, "#")
	if plain, err := url.PathUnescape(href); err == nil {
		href = plain
	}
	name := strings.TrimPrefix(path.Clean("/"+path.Join(folder, href)), "/")
	if s.err != nil || s.full || depth > maxImports || !s.a.has(name) {
		return ""
	}
	css, ok := s.known[name]
	if !ok {
		css = s.unpacked(name)
		s.known[name] = css
	}
	// One byte more, so that imports of empty sheets come to an end.
	if s.room -= len(css) + 1; s.room < 0 {
		s.full = true
		return ""
	}
	return s.expanded(css, path.Dir(name), depth+1)
}

// unpacked returns a style sheet of the book; empty if it cannot be read.
func (s *sheets) unpacked(name string) string {
	data, err := s.a.read(name)
	var e *Error
	if errors.As(err, &e) && e.Problem == TooLarge {
		s.err = err
	}
	if err != nil {
		return ""
	}
	css, err := textOf(data, "", s.decode)
	if err != nil {
		return ""
	}
	return styleEnd.ReplaceAllString(css, `<\/$1`)
}

// expanded returns a style sheet with those that it imports.
func (s *sheets) expanded(css, folder string, depth int) string {
	return imported.ReplaceAllStringFunc(css, func(rule string) string {
		m := imported.FindStringSubmatch(rule)
		css := s.read(m[1]+m[2]+m[3], folder, depth)
		// Layers and conditions of support are taken to apply.
		if media := strings.TrimSpace(m[4]); media != "" && css != "" && !strings.HasPrefix(media, "layer") && !strings.HasPrefix(media, "supports") {
			return "@media " + media + " {" + css + "}"
		}
		return css
	})
}
