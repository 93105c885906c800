package records

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// Converts reports whether a file of this name holds something else than plain JSON
// Lines.
func Converts(name string) bool {
	return FormatOf(name) != JSONL || extension(name) != strings.ToLower(filepath.Ext(name))
}

// columns of a summary as a table; each has the JSON of its value but for the first
// ones. What else a line has is an object in the last one.
var columns = []string{"id", "text", "method", "overBudget", "sentences", "documents", "disagreements", "more"}

// Convert writes lines of summaries in the format and the compression that the name
// asks for.
func Convert(w io.Writer, name string, summaries io.Reader) error {
	lower := strings.ToLower(name)
	format := FormatOf(name)
	if format != Parquet { // which has a compression of its own
		switch {
		case strings.HasSuffix(lower, ".gz"):
			z := gzip.NewWriter(w)
			return errors.Join(convert(z, format, summaries), z.Close())
		case strings.HasSuffix(lower, ".zst"):
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			return errors.Join(convert(z, format, summaries), z.Close())
		}
	}
	return convert(w, format, summaries)
}

func convert(w io.Writer, format Format, summaries io.Reader) error {
	lines := jsonl.NewReader(summaries)
	switch format {
	case CSV, TSV:
		return writeCSV(w, format, lines)
	case Parquet:
		return writeParquet(w, lines)
	}
	_, err := io.Copy(w, summaries)
	return err
}

// cells returns the values of a line by their column; nil where it has none.
func cells(line []byte) ([]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return nil, err
	}
	row := make([]json.RawMessage, len(columns))
	for i, name := range columns[:len(columns)-1] {
		row[i] = members[name]
		delete(members, name)
	}
	if len(members) > 0 {
		row[len(columns)-1] = join(members)
	}
	return row, nil
}

// plainText is a string without its quotation marks, and other JSON as it is.
func plainText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func writeCSV(w io.Writer, format Format, lines *jsonl.Reader) error {
	out := csv.NewWriter(w)
	if format == TSV {
		out.Comma = '\t'
	}
	if err := out.Write(columns); err != nil {
		return err
	}
	record := make([]string, len(columns))
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			out.Flush()
			return out.Error()
		}
		if err != nil {
			return err
		}
		row, err := cells(line)
		if err != nil {
			return err
		}
		for i, cell := range row {
			record[i] = plainText(cell)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
}

// parquetRow is a summary as a row: the fields of batch.Summary. What else a line has
// is in More.
type parquetRow struct {
	ID            *string           `parquet:"id,optional"`
	Text          string            `parquet:"text"`
	Method        string            `parquet:"method"`
	OverBudget    bool              `parquet:"overBudget"`
	Sentences     []parquetSentence `parquet:"sentences,list"`
	Documents     []parquetDocument `parquet:"documents,list"`
	Disagreements []struct {
		What   string `parquet:"what"`
		Update bool   `parquet:"update"`
		Values []struct {
			Value    string `parquet:"value"`
			Document int32  `parquet:"document"`
			Start    int32  `parquet:"start"`
			End      int32  `parquet:"end"`
		} `parquet:"values,list"`
	} `parquet:"disagreements,list"`
	More *string `parquet:"more,optional"`
}

// parquetDocument has what else a document has in More.
type parquetDocument struct {
	Source    string  `parquet:"source"`
	Title     string  `parquet:"title"`
	Language  string  `parquet:"language"`
	Sentences int32   `parquet:"sentences"`
	Chosen    int32   `parquet:"chosen"`
	Coverage  float64 `parquet:"coverage"`
	More      *string `parquet:"more,optional"`
}

func (d *parquetDocument) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	for name, to := range map[string]any{"source": &d.Source, "title": &d.Title, "language": &d.Language, "sentences": &d.Sentences, "chosen": &d.Chosen, "coverage": &d.Coverage} {
		if value, ok := members[name]; ok {
			if err := json.Unmarshal(value, to); err != nil {
				return err
			}
			delete(members, name)
		}
	}
	if len(members) > 0 {
		more := string(join(members))
		d.More = &more
	}
	return nil
}

type parquetSentence struct {
	Text     string  `parquet:"text"`
	Document int32   `parquet:"document"`
	Sentence int32   `parquet:"sentence"`
	Start    int32   `parquet:"start"`
	End      int32   `parquet:"end"`
	Score    float64 `parquet:"score"`
	Gain     float64 `parquet:"gain"`
	Similar  []struct {
		Document int32   `parquet:"document"`
		Sentence int32   `parquet:"sentence"`
		Cosine   float64 `parquet:"cosine"`
	} `parquet:"similar,list"`
	Context []struct {
		Document int32 `parquet:"document"`
		Sentence int32 `parquet:"sentence"`
		Start    int32 `parquet:"start"`
		End      int32 `parquet:"end"`
	} `parquet:"context,list"`
}

// groupRows are the rows of a row group, and of what is in memory at once.
const groupRows = 4096

func writeParquet(w io.Writer, lines *jsonl.Reader) (err error) {
	out := parquet.NewGenericWriter[parquetRow](w, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(groupRows))
	defer func() { err = errors.Join(err, out.Close()) }()
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := tableRow(line)
		if err == nil {
			_, err = out.Write([]parquetRow{*row})
		}
		if err != nil {
			return err
		}
	}
}

// tableRow decodes a line; its id and what is left over are text.
func tableRow(line []byte) (*parquetRow, error) {
	values, err := cells(line)
	if err != nil {
		return nil, err
	}
	row := &parquetRow{}
	for i, to := range []any{nil, &row.Text, &row.Method, &row.OverBudget, &row.Sentences, &row.Documents, &row.Disagreements, nil} {
		if to == nil || values[i] == nil {
			continue
		}
		if err := json.Unmarshal(values[i], to); err != nil {
			return nil, err
		}
	}
	for i, to := range map[int]**string{0: &row.ID, len(columns) - 1: &row.More} {
		if values[i] != nil {
			s := plainText(values[i])
			*to = &s
		}
	}
	return row, nil
}
