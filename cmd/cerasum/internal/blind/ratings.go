package blind

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// Columns of ratings, 1 to 5, and of counts.
var (
	RatingColumns = []string{"M", "S", "R", "J", "O"}
	CountColumns  = []string{"leaning", "filler", "repeats", "edges"}
)

const (
	overall   = 4 // index of O
	numRating = 5
	numCount  = 4
)

func columns() []string { return slices.Concat(RatingColumns, CountColumns) }

// Rating is what one reader says about one candidate.
type Rating struct {
	Reader string
	Values [numRating]float64 // 1 to 5, by RatingColumns
	Counts [numCount]int      // by CountColumns; -1: not counted
}

// Readings are all ratings of a key's clusters.
type Readings struct {
	Keys []*Key
	// ratings by candidate.
	ratings map[*KeyCandidate][]Rating
}

// NewReadings returns readings without ratings. The keys must have different sheets.
func NewReadings(keys ...*Key) (*Readings, error) {
	seen := map[string]bool{}
	for _, k := range keys {
		for _, s := range k.Sheets {
			if seen[s.Sheet] {
				return nil, fmt.Errorf("sheet %s is in two keys", s.Sheet)
			}
			seen[s.Sheet] = true
		}
	}
	return &Readings{Keys: keys, ratings: map[*KeyCandidate][]Rating{}}, nil
}

// line is a line of a file of ratings, as text.
type line struct {
	number int
	fields map[string]string
}

// sniffed is the number of bytes in which the format shows.
const sniffed = 1024

// Read adds the ratings of a file: CSV with a header, or JSON Lines. Lines without
// ratings are skipped. reader names who made ratings that do not say so; file names
// the file in errors.
func (a *Readings) Read(r io.Reader, file, reader string) error {
	in := bufio.NewReader(r)
	if bom, _ := in.Peek(3); string(bom) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	start, err := in.Peek(sniffed)
	start = bytes.TrimSpace(start)
	if len(start) == 0 {
		if err == nil || errors.Is(err, io.EOF) {
			err = errors.New("the file is blank")
		}
		return fmt.Errorf("%s: want CSV or JSON Lines: %w", file, err)
	}
	lines := readCSV
	if start[0] == '{' {
		lines = readLines
	}
	return lines(in, file, func(l line) error {
		if err := a.add(l, reader); err != nil {
			return fmt.Errorf("%s:%d: %w", file, l.number, err)
		}
		return nil
	})
}

func known(column string) bool {
	return slices.Contains(columns(), column) || slices.Contains([]string{"sheet", "cluster", "candidate", "reader", "note"}, column)
}

func required() []string {
	return slices.Concat([]string{"sheet", "cluster", "candidate"}, RatingColumns)
}

func readCSV(in io.Reader, file string, add func(line) error) error {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for i, column := range head {
		head[i] = strings.TrimSpace(column)
		if !known(head[i]) {
			return fmt.Errorf("%s:1: unknown column %q: want %s", file, column, strings.Join(append(required(), CountColumns...), ", "))
		}
		if slices.Contains(head[:i], head[i]) {
			return fmt.Errorf("%s:1: duplicate column %s", file, head[i])
		}
	}
	for _, column := range required() {
		if !slices.Contains(head, column) {
			return fmt.Errorf("%s:1: no column %s", file, column)
		}
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		l := line{fields: map[string]string{}}
		l.number, _ = r.FieldPos(0)
		if len(row) != len(head) {
			return fmt.Errorf("%s:%d: want %d fields, got %d", file, l.number, len(head), len(row))
		}
		for i, v := range row {
			l.fields[head[i]] = strings.TrimSpace(v)
		}
		if err := add(l); err != nil {
			return err
		}
	}
}

func readLines(in io.Reader, file string, add func(line) error) error {
	r := jsonl.NewReader(in)
	for {
		raw, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		l := line{r.Line(), map[string]string{}}
		if err == nil {
			members := jsonl.Members{}
			for _, column := range slices.Concat(required(), CountColumns, []string{"reader", "note"}) {
				members[column] = func(v json.RawMessage) (err error) {
					l.fields[column], err = textOf(v, column)
					return err
				}
			}
			err = jsonl.Object(raw, members, "sheet", "cluster", "candidate")
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, r.Line(), err)
		}
		if err := add(l); err != nil {
			return err
		}
	}
}

// textOf returns a JSON value of a column as the text that CSV would have.
func textOf(v json.RawMessage, column string) (string, error) {
	if slices.Contains([]string{"sheet", "candidate", "reader", "note"}, column) {
		s, err := jsonl.String(v)
		return strings.TrimSpace(s), err
	}
	if bytes.Equal(v, []byte("null")) {
		return "", nil
	}
	if _, err := jsonl.Float(v); err != nil {
		return "", err
	}
	return string(v), nil
}

// add checks a line and adds its rating.
func (a *Readings) add(l line, reader string) error {
	blank := true
	for _, column := range columns() {
		blank = blank && l.fields[column] == ""
	}
	candidate, err := a.find(l.fields)
	if err != nil || blank {
		return err
	}
	rating := Rating{Reader: reader}
	if l.fields["reader"] != "" {
		rating.Reader = l.fields["reader"]
	}
	for i, column := range RatingColumns {
		s := l.fields[column]
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || v < 1 || v > 5 || math.Trunc(2*v) != 2*v {
			return fmt.Errorf("%s: want 1 to 5 in steps of a half, got %q", column, s)
		}
		rating.Values[i] = v
	}
	for i, column := range CountColumns {
		s := l.fields[column]
		rating.Counts[i] = -1
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > candidate.Quotes {
			return fmt.Errorf("%s: want a number of its %d sentences, got %q", column, candidate.Quotes, s)
		}
		rating.Counts[i] = n
	}
	for _, other := range a.ratings[candidate] {
		if other.Reader == rating.Reader {
			return fmt.Errorf("candidate %s of cluster %s is rated twice by reader %s: name the readers in a column \"reader\", or use a file for each reader", l.fields["candidate"], l.fields["cluster"], rating.Reader)
		}
	}
	a.ratings[candidate] = append(a.ratings[candidate], rating)
	return nil
}

// find returns the candidate of a line.
func (a *Readings) find(fields map[string]string) (*KeyCandidate, error) {
	for _, k := range a.Keys {
		s := k.sheet(fields["sheet"])
		if s == nil {
			continue
		}
		number, err := strconv.Atoi(fields["cluster"])
		c := s.cluster(number)
		if err != nil || c == nil {
			return nil, fmt.Errorf("cluster: sheet %s has no cluster %q", s.Sheet, fields["cluster"])
		}
		candidate := c.candidate(fields["candidate"])
		if candidate == nil {
			return nil, fmt.Errorf("candidate: cluster %d has no candidate %q", number, fields["candidate"])
		}
		return candidate, nil
	}
	return nil, fmt.Errorf("sheet: no key has a sheet %q", fields["sheet"])
}
