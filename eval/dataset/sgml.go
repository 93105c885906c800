package dataset

import (
	"fmt"
	"html"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// parseDocuments reads a newswire file: SGML or XML with a <DOC> per document, as
// in the AQUAINT and Gigaword corpora used by DUC and TAC, or else one plain text.
// source names documents without a number.
func parseDocuments(file, source string) ([]cluster.Document, error) {
	docs := elements(file, "DOC")
	if len(docs) == 0 {
		if _, _, _, found := nextTag(file, 0, "DOC"); found {
			return nil, fmt.Errorf("%w: <DOC> without </DOC>", ErrCutOff)
		}
		return []cluster.Document{{Source: source, Text: strings.TrimSpace(file)}}, nil
	}
	var list []cluster.Document
	for i, doc := range docs {
		d := cluster.Document{Source: source}
		if number := elements(doc.body, "DOCNO"); len(number) > 0 {
			d.Source = plain(number[0].body)
		} else if id := attribute(doc.tag, "id"); id != "" {
			d.Source = id
		}
		for _, name := range []string{"HEADLINE", "HEAD", "HL"} {
			if e := elements(doc.body, name); len(e) > 0 {
				d.Title = plain(e[0].body)
				break
			}
		}
		texts := elements(doc.body, "TEXT")
		if len(texts) == 0 {
			err := fmt.Errorf("%w: no <TEXT> with </TEXT>", ErrNoDocuments)
			if len(docs) > 1 {
				return nil, at("DOC"+index(i), err)
			}
			return nil, at("DOC", err)
		}
		var paragraphs []string
		for _, t := range texts {
			paragraphs = append(paragraphs, paragraphsOf(t.body)...)
		}
		d.Text = strings.Join(paragraphs, "\n")
		list = append(list, d)
	}
	// The text after the last complete document may be a truncated one.
	if _, _, _, found := nextTag(file, docs[len(docs)-1].end, "DOC"); found {
		return nil, at("DOC"+index(len(docs)), fmt.Errorf("%w: <DOC> without </DOC>", ErrCutOff))
	}
	return list, nil
}

// element is <NAME …>body</NAME>; end is its end in the text.
type element struct {
	tag, body string
	end       int
}

// elements finds the elements of a name, which do not nest.
func elements(s, name string) []element {
	var list []element
	for i := 0; ; {
		tag, _, open, ok := nextTag(s, i, name)
		if !ok {
			return list
		}
		_, start, end, ok := nextTag(s, open, "/"+name)
		if !ok {
			return list
		}
		list = append(list, element{tag, s[open:start], end})
		i = end
	}
}

// nextTag finds <name> or <name …> from i on, ignoring case: the text of the tag,
// its start and its end.
func nextTag(s string, i int, name string) (tag string, start, end int, ok bool) {
	for {
		at := strings.IndexByte(s[i:], '<')
		if at < 0 {
			return "", 0, 0, false
		}
		start = i + at
		i = start + 1
		after := i + len(name)
		if after >= len(s) || !strings.EqualFold(s[i:after], name) {
			continue
		}
		if c := s[after]; c != '>' && c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			continue
		}
		closing := strings.IndexByte(s[after:], '>')
		if closing < 0 {
			return "", 0, 0, false
		}
		end = after + closing + 1
		return s[start:end], start, end, true
	}
}

// attribute returns an attribute of a tag such as <DOC id="X" type="story">.
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, name+"=")
	if !ok || rest == "" {
		return ""
	}
	if q := rest[0]; q == '"' || q == '\'' {
		value, _, _ := strings.Cut(rest[1:], string(q))
		return value
	}
	return strings.TrimRight(strings.Fields(rest)[0], ">")
}

// paragraphsOf splits a text into its <P> elements, or else at blank and indented
// lines. A paragraph is one line; editors' annotations are left out.
func paragraphsOf(s string) []string {
	s = withoutElements(s, "ANNOTATION")
	var list []string
	add := func(p string) {
		if p = plain(p); p != "" {
			list = append(list, p)
		}
	}
	if _, _, _, ok := nextTag(s, 0, "P"); ok {
		for i := 0; i < len(s); {
			_, start, end, ok := nextTag(s, i, "P")
			if !ok {
				start, end = len(s), len(s)
			}
			add(s[i:start]) // Gigaword does not close <P>, AP has text between
			i = end
		}
		return list
	}
	var paragraph strings.Builder
	for line := range strings.Lines(s) {
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") || strings.TrimSpace(line) == "" {
			add(paragraph.String())
			paragraph.Reset()
		}
		paragraph.WriteString(line)
	}
	add(paragraph.String())
	return list
}

// withoutElements drops the elements of a name with their content.
func withoutElements(s, name string) string {
	var b strings.Builder
	for i := 0; ; {
		_, start, open, ok := nextTag(s, i, name)
		if ok {
			_, _, end, closed := nextTag(s, open, "/"+name)
			if closed {
				b.WriteString(s[i:start])
				i = end
				continue
			}
		}
		b.WriteString(s[i:])
		return b.String()
	}
}

// typesetting are entities of the wire services that do not represent characters.
var typesetting = strings.NewReplacer("&UR;", " ", "&LR;", " ", "&QL;", " ", "&QR;", " ", "&QC;", " ", "&HT;", " ")

// plain removes tags, decodes entities and joins the text on one line.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		open := strings.IndexByte(s[i:], '<')
		if open < 0 {
			b.WriteString(s[i:])
			break
		}
		open += i
		b.WriteString(s[i:open])
		closing := -1
		if open+1 < len(s) && (s[open+1] == '/' || s[open+1] == '!' || s[open+1]|0x20 >= 'a' && s[open+1]|0x20 <= 'z') {
			closing = strings.IndexByte(s[open:], '>')
		}
		if closing < 0 {
			b.WriteByte('<')
			i = open + 1
			continue
		}
		b.WriteByte(' ')
		i = open + closing + 1
	}
	return strings.Join(strings.Fields(html.UnescapeString(typesetting.Replace(b.String()))), " ")
}

// parseSummary reads a reference summary: plain text, one sentence or wrapped line
// per line, or the HTML of the SEE program, in which <a href …> contains a
// sentence.
func parseSummary(file string) string {
	if _, _, _, ok := nextTag(file, 0, "html"); !ok {
		return strings.TrimSpace(file)
	}
	var lines []string
	for _, a := range elements(file, "a") {
		if attribute(a.tag, "href") != "" {
			lines = append(lines, plain(a.body))
		}
	}
	return strings.Join(lines, "\n")
}
