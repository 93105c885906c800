package dataset

import (
	"encoding/json"
	"io"

	"github.com/cerasum/cerasum/core/cluster"
)

// WCEPDocuments is the number of documents that WCEP-10 uses per cluster.
const WCEPDocuments = 10

// NewWCEP reads WCEP (Gholipour Ghalandari et al. 2020) in its released form,
//
//	{"id"?, "summary": "…", "articles": [{"text", "title"?, "url"?, …}, …], …}
//
// one cluster per line, and keeps the first ten documents with text (WCEP-10).
func NewWCEP(r io.Reader, file string) *JSONReader {
	return &JSONReader{file: file, lines: newLineReader(r), parse: parseWCEP}
}

func parseWCEP(raw []byte, c *Cluster) error {
	var members struct {
		ID       json.RawMessage `json:"id"`
		Summary  json.RawMessage `json:"summary"`
		Articles json.RawMessage `json:"articles"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	if err := readID(members.ID, c); err != nil {
		return at("id", err)
	}
	if err := readDocuments(c, members.Articles, "article", readArticle); err != nil {
		return err
	}
	summary, err := str(members.Summary)
	if err != nil {
		return at("summary", err)
	}
	c.References = []string{summary}
	if err := c.complete("articles", "summary"); err != nil {
		return err
	}
	c.Documents = c.Documents[:min(len(c.Documents), WCEPDocuments)]
	return nil
}

func readArticle(raw json.RawMessage, d *cluster.Document) (err error) {
	var members struct {
		Text  json.RawMessage `json:"text"`
		Title json.RawMessage `json:"title"`
		URL   json.RawMessage `json:"url"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	if d.Text, err = str(members.Text); err != nil {
		return at("text", err)
	}
	if err := optional(members.Title, &d.Title); err != nil {
		return at("title", err)
	}
	return at("url", optional(members.URL, &d.Source))
}
