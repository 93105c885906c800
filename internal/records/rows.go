package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Fields are the paths of the fields of a corpus of documents.
type Fields struct {
	// Documents is the path of the texts, or of objects with a text; if it is empty,
	// "text", or "documents" in records without that field.
	Documents string
	// ID is the path of the id ("id" if empty), Title that of the title ("title") and
	// Date that of the date ("date").
	ID, Title, Date string
	// Gold is the path of a label; empty for none.
	Gold string
}

// Flags declares the flags of the title and the date in a set of package flag, or of pflag.
func (f *Fields) Flags(set interface {
	StringVar(p *string, name, value, usage string)
}) {
	set.StringVar(&f.Title, "title-field", "", "field with the title (default: title)")
	set.StringVar(&f.Date, "date-field", "", "field with the date in ISO 8601, read as UTC if it has no zone (default: date)")
}

// Document is a document of a corpus of documents.
type Document struct {
	// Raw is an object of JSON with a text, as batch.Parse expects, and with the other
	// fields of the document.
	Raw                   []byte
	Text, Title, Language string
	// Date is zero if there is none.
	Date time.Time
	// Gold is the label as JSON; empty if there is none.
	Gold string
	// Dropped are the fields that are left out since batch.Parse would refuse them.
	Dropped []Dropped
}

// Dropped is a field of a document, such as "date", and the reason, with its path in the line.
type Dropped struct {
	Field string
	Err   error
}

// Split returns the documents of a line. A line with one text is a document itself,
// whose other fields are kept; of a line with several, or with objects, each is one.
// Fields that are null are left out.
func (f *Fields) Split(line []byte) ([]Document, error) {
	row, err := object(line)
	if err != nil {
		return nil, err
	}
	path := f.Documents
	if path == "" {
		path = "text"
		if row[path] == nil && row["documents"] != nil {
			path = "documents"
		}
	}
	values, err := find(line, path)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, bad("%s: missing", path)
	}
	gold, err := f.scalar(line, f.Gold, "")
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(path, ".")
	single := len(values) == 1 && values[0][0] == '"' && row[first][0] != '['
	documents := make([]Document, 0, len(values))
	for i, value := range values {
		d := Document{Gold: string(gold)}
		prefix, id := "", json.RawMessage(nil)
		members := map[string]json.RawMessage{"text": value}
		switch {
		case single:
			// The document keeps the fields of its row, those of other names by the usual ones.
			delete(row, first)
			for name, from := range map[string]string{"title": f.Title, "date": f.Date} {
				if from == "" || from == name {
					continue
				}
				v, err := f.scalar(line, from, "")
				if err != nil {
					d.Dropped = append(d.Dropped, Dropped{name, err})
				} else if v != nil {
					delete(row, from)
					row[name] = v
				}
			}
			if id, err = f.scalar(line, f.ID, "id"); err != nil {
				return nil, err
			}
			row["text"] = value
			members = row
		case value[0] == '{':
			prefix = path + jsonl.Index(i)
			if members, err = object(value); err != nil {
				return nil, err
			}
		case value[0] != '"':
			return nil, bad("%s: want a text or an object with a text, got %.40s", path, value)
		}
		text := members["text"]
		if text == nil {
			return nil, bad("%s: want a text or an object with a text", path)
		}
		if d.Text, err = jsonl.String(text); err != nil {
			return nil, bad("%s: %w", strings.TrimPrefix(prefix+".text", "."), err)
		}
		d.tidy(members, prefix)
		if members["source"] == nil && id != nil {
			members["source"] = appendString(nil, plainText(id))
		}
		d.Raw = join(members)
		documents = append(documents, d)
	}
	return documents, nil
}

// tidy reads the optional fields of a document. Those that batch.Parse would refuse are
// rewritten if it is clear what they mean, and otherwise left out. The text is known.
func (d *Document) tidy(members map[string]json.RawMessage, prefix string) {
	for _, field := range []struct {
		name string
		read func(json.RawMessage) (json.RawMessage, error)
	}{
		{"blocks", d.readBlocks}, {"date", d.readDate}, {"language", d.readLanguage}, {"source", readSource}, {"title", d.readTitle},
	} {
		v := members[field.name]
		if v == nil || bytes.Equal(v, []byte("null")) {
			delete(members, field.name)
			continue
		}
		v, err := field.read(v)
		if err != nil {
			delete(members, field.name)
			if err = jsonl.At(field.name, err); prefix != "" {
				err = jsonl.At(prefix, err)
			}
			d.Dropped = append(d.Dropped, Dropped{field.name, err})
			continue
		}
		members[field.name] = v
	}
}

func (d *Document) readBlocks(v json.RawMessage) (json.RawMessage, error) {
	var tree any
	if err := json.Unmarshal(v, &tree); err != nil {
		return nil, err
	}
	_, err := core.DecodeBlocks(d.Text, tree)
	var option *core.OptionError
	if errors.As(err, &option) {
		if err = errors.New(option.Message); option.Name != "" {
			err = jsonl.At(option.Name, err)
		}
	}
	return v, err
}

func (d *Document) readLanguage(v json.RawMessage) (json.RawMessage, error) {
	tag, err := jsonl.String(v)
	if err != nil {
		return nil, err
	}
	d.Language, err = core.ParseLanguage(tag)
	return v, err
}

func (d *Document) readTitle(v json.RawMessage) (json.RawMessage, error) {
	v = asString(v)
	title, err := jsonl.String(v)
	d.Title = title
	return v, err
}

// readSource also reads objects with a name or an id, as several news services have.
func readSource(v json.RawMessage) (json.RawMessage, error) {
	if v[0] == '{' {
		members, err := object(v)
		if err != nil {
			return nil, err
		}
		for _, name := range []string{"name", "id"} {
			own := asString(members[name])
			if s, err := jsonl.String(own); err == nil && s != "" {
				return own, nil
			}
		}
		return nil, errors.New("want a string, or an object with a name")
	}
	v = asString(v)
	_, err := jsonl.String(v)
	return v, err
}

// asString returns a number as a string, and other values as they are.
func asString(v json.RawMessage) json.RawMessage {
	if len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') {
		return appendString(nil, string(v))
	}
	return v
}

// readDate also reads dates with a space for the T, and without a zone, which are UTC.
func (d *Document) readDate(v json.RawMessage) (json.RawMessage, error) {
	s, err := jsonl.String(v)
	if err != nil || s == "" {
		return v, err
	}
	date, err := parseDate(s)
	if err != nil {
		return nil, err
	}
	d.Date = date
	if cluster.IsDate(s) {
		return v, nil
	}
	return appendString(nil, date.Format(time.RFC3339Nano)), nil
}

// parseDate parses the date of a document. Times without a zone are UTC.
func parseDate(s string) (time.Time, error) {
	joined := s
	if len(s) > 10 && s[10] == ' ' {
		joined = s[:10] + "T" + s[11:]
	}
	for _, day := range []string{time.DateOnly, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		for _, zone := range []string{"", "Z07:00", "Z0700", " Z07:00", " Z0700", " UTC"} {
			t, err := time.Parse(day+zone, joined)
			// Go's zones go further.
			if err == nil && cluster.IsDate(t.Format(time.RFC3339Nano)) {
				return t, nil
			}
		}
	}
	return time.Time{}, fmt.Errorf("want a date such as 2026-04-21 or 2026-04-21T17:30:00Z, got %.40q", s)
}

// scalar returns the string or number at a path, or nil; of is the path if it is empty.
func (f *Fields) scalar(line []byte, path, of string) (json.RawMessage, error) {
	path = cmp.Or(path, of)
	if path == "" {
		return nil, nil
	}
	values, err := find(line, path)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	if v := values[0]; len(values) > 1 || v[0] != '"' && v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return nil, bad("%s: want one string or number", path)
	}
	return values[0], nil
}

// Check refuses paths that are none.
func (f *Fields) Check() error {
	for _, path := range []string{f.Documents, f.ID, f.Title, f.Date, f.Gold} {
		if path != "" && slices.Contains(strings.Split(path, "."), "") {
			return badPath(path)
		}
	}
	return nil
}
