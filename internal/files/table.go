package files

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// minText is the mean number of characters of a column that no name tells to be of
	// texts.
	minText = 60
	// maxName is the number of characters of the name of a column.
	maxName = 40
	// sampled is the number of rows that tell what a table is.
	sampled = 50
)

// Names of columns, in the languages of the page and German and Italian, best first.
var (
	textNames  = strings.Fields("text fulltext body content article articletext articlebody abstract story transcript document paragraph message comment review description summary texto contenido cuerpo artículo articulo resumen comentario mensaje opinión texte contenu article corps résumé resume commentaire avis conteúdo conteudo corpo artigo resumo comentário inhalt artikel volltext zusammenfassung testo contenuto articolo riassunto")
	titleNames = strings.Fields("title headline heading subject name título titulo titular asunto titre objet assunto titel überschrift betreff titolo oggetto")
	dateNames  = strings.Fields("date published publishedat publicationdate publishdate pubdate datepublished createdat created timestamp time updated fecha data datum veröffentlicht")
	urlNames   = strings.Fields("url link href source address web enlace fuente lien quelle fonte")
)

// readTable reads a table of texts: RFC 4180, and what spreadsheets and databases make
// of it. Each row is a document.
func readTable(data []byte, name string, decode Decoder) (Content, error) {
	s, err := textOf(data, "", decode)
	if err != nil {
		return Content{}, err
	}
	comma := rune(0)
	if ext := extension(name); ext == ".tsv" || ext == ".tab" {
		comma = '\t'
	}
	// A line of Excel, which is no row.
	if rest, ok := strings.CutPrefix(s, "sep="); ok && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r') {
		comma = rune(rest[0])
		_, s, _ = strings.Cut(rest, "\n")
	}
	if comma == 0 {
		comma = separator(s)
	}
	r := rows(s, comma)
	var head [][]string
	for len(head) < sampled {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Content{}, problem(Damaged, "%v", err)
		}
		head = append(head, row)
	}
	if len(head) == 0 {
		return Content{}, problem(NoWords, "")
	}
	t := columnsOf(head)
	if t.text < 0 {
		return Content{}, problem(NoTexts, "")
	}
	var c Content
	number := 0
	add := func(row []string) {
		number++
		cell := func(i int) string {
			if i < 0 || i >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[i])
		}
		text := cell(t.text)
		switch {
		case text == "":
		case len(c.Documents) == MaxDocuments:
			c.Left++
		default:
			d := Document{Title: cell(t.title), Date: isoDate(strings.Replace(cell(t.date), " ", "T", 1)), Source: cell(t.url)}
			if !strings.HasPrefix(d.Source, "http") {
				d.Source = strconv.Itoa(number)
			}
			if markup.MatchString(text) {
				d.Pages = []string{text}
			} else {
				d.Text = text
			}
			c.Documents = append(c.Documents, d)
		}
	}
	if t.header {
		head = head[1:]
	}
	for _, row := range head {
		add(row)
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return Content{}, problem(Damaged, "%v", err)
		}
		add(row)
	}
}

// markup matches texts that are HTML.
var markup = regexp.MustCompile(`(?i)<(?:p|div|br|ul|table|h[1-6])(?:\s[^<>]*)?/?>`)

func rows(s string, comma rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	return r
}

// separator returns the character between the cells: that which the most rows have in
// the same number.
func separator(s string) rune {
	best, most := ',', 0
	for _, comma := range ",;\t|" {
		r := rows(s[:min(len(s), 256<<10)], comma)
		counts := map[int]int{}
		for range sampled {
			row, err := r.Read()
			if err != nil {
				break
			}
			counts[len(row)]++
		}
		for cells, n := range counts {
			if cells > 1 && n > most {
				best, most = comma, n
			}
		}
	}
	return best
}

// table is which columns of a table are what; -1 is none.
type table struct {
	text, title, date, url int
	header                 bool
}

func columnsOf(rows [][]string) table {
	t := table{-1, -1, -1, -1, false}
	names := make([]string, len(rows[0]))
	for i, cell := range rows[0] {
		if utf8.RuneCountInString(cell) > maxName {
			names = nil
			break
		}
		names[i] = strings.ToLower(notLetters.ReplaceAllString(cell, ""))
	}
	find := func(known []string) int {
		for _, name := range known {
			for i, own := range names {
				if own == name {
					return i
				}
			}
		}
		return -1
	}
	t.text, t.title, t.date, t.url = find(textNames), find(titleNames), find(dateNames), find(urlNames)
	t.header = max(t.text, t.title, t.date, t.url) >= 0
	if t.text >= 0 {
		return t
	}
	// By length: a column of long cells with words.
	body := rows
	if len(rows) > 1 && names != nil {
		body = rows[1:]
	}
	longest := 0
	for i := range rows[0] {
		characters, cells, words := 0, 0, 0
		for _, row := range body {
			if i < len(row) && row[i] != "" {
				cells++
				characters += utf8.RuneCountInString(row[i])
				words += len(strings.Fields(row[i]))
			}
		}
		if cells == 0 || characters < minText*cells || words < 3*cells && characters > 40*words {
			continue
		}
		if mean := characters / cells; mean > longest {
			longest, t.text = mean, i
		}
	}
	if t.text >= 0 && len(rows) > 1 && names != nil && t.text < len(rows[0]) && utf8.RuneCountInString(rows[0][t.text]) <= maxName && 3*utf8.RuneCountInString(rows[0][t.text]) < longest {
		t.header = true
	}
	if t.title == t.text {
		t.title = -1
	}
	return t
}

var notLetters = regexp.MustCompile(`[^\p{L}\p{N}]`)
