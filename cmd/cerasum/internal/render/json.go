package render

import (
	"encoding/json"
	"io"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// WriteJSON writes a summary and its documents as one line of JSON. The id, a JSON
// value, is omitted if nil.
func WriteJSON(w io.Writer, id json.RawMessage, s *core.Summary, c *cluster.Cluster) error {
	return writeLine(w, batch.NewSummary(id, s, c.Documents, true))
}

// writeLine writes a value as one line of JSON, in one write.
func writeLine(w io.Writer, v any) error {
	line, err := batch.Marshal(v)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}
