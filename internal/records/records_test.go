package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// read returns all lines, and errors in their places.
func read(t *testing.T, r io.Reader, o Options) []string {
	t.Helper()
	lines, closer, err := Open(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	}()
	var all []string
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return all
		case errors.Is(err, jsonl.ErrLine):
			all = append(all, fmt.Sprintf("%d: %v", lines.Line(), err))
		case err != nil:
			t.Fatal(err)
		default:
			if !json.Valid(line) {
				t.Errorf("not JSON: %s", line)
			}
			all = append(all, string(line))
		}
	}
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if strings.HasSuffix(w, "…") && strings.HasPrefix(g, strings.TrimSuffix(w, "…")) {
			continue
		}
		if g != w {
			t.Errorf("line %d: %.300s, want %.300s", i+1, g, w)
		}
	}
}

func TestCSV(t *testing.T) {
	table := "\ufeffid,documents,url\n" +
		`1,"[""One text."", {""text"": ""Another,"", ""title"": ""T""}]",http://a` + "\n" +
		"2,\"A text\nof two \"\"lines\"\".\t\x01\",\n" +
		"3,a\n" +
		"4,\xff,b\n" +
		"5,a\"b,c\n" +
		"6,[not a list,\n"
	want := []string{
		`{"id":"1","documents":["One text.",{"text":"Another,","title":"T"}],"url":"http://a"}`,
		`{"id":"2","documents":["A text\nof two \"lines\".\t\u0001"]}`,
		"3: unreadable line: want 3 cells as in the header, got 2",
		"4: unreadable line: column documents: invalid UTF-8",
		"5: unreadable line: parse error on line 7, column 4: bare \" in non-quoted-field",
		`{"id":"6","documents":["[not a list"]}`,
	}
	same(t, read(t, strings.NewReader(table), Options{Format: CSV}), want)
	tabs := "id\ttexts\n7\ta, b\n"
	same(t, read(t, strings.NewReader(tabs), Options{Format: TSV, Documents: "texts"}), []string{`{"documents":["a, b"],"id":"7"}`})
	same(t, read(t, strings.NewReader(""), Options{Format: CSV}), nil)
	for _, header := range []string{"a,a\n", "a,\n", "a,\"b\n"} {
		if _, _, err := Open(context.Background(), strings.NewReader(header), Options{Format: CSV}); err == nil || !strings.Contains(err.Error(), "header") {
			t.Errorf("%q: %v", header, err)
		}
	}
	// A quotation mark that is missing does not take all memory.
	lines, _, err := Open(context.Background(), io.MultiReader(strings.NewReader("a\n\""), endless{}), Options{Format: CSV, MaxLine: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lines.Next(); !errors.Is(err, errLong) {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// article and parquetTestRow are rows as other programs write them.
type article struct {
	Body  *string `parquet:"body,optional"`
	Title *string `parquet:"title,optional"`
}

type parquetTestRow struct {
	UUID     int64      `parquet:"uuid"`
	Articles []article  `parquet:"articles,optional,list"`
	Tags     []string   `parquet:"tags"` // repeated, without a list around it
	Raw      []byte     `parquet:"raw,optional"`
	Score    *float64   `parquet:"score,optional"`
	Deep     [][]string `parquet:"deep,optional,list"`
	Day      int32      `parquet:"day,optional,date"`
	At       *time.Time `parquet:"at,optional,timestamp(microsecond)"`
}

// parquetFile writes rows in groups of 50.
func parquetFile(t *testing.T, rows []parquetTestRow) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "c.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w := parquet.NewGenericWriter[parquetTestRow](f, parquet.MaxRowsPerRowGroup(50))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParquet(t *testing.T) {
	text := func(s string) *string { return &s }
	half := 0.5
	noon := time.Date(2026, 4, 21, 12, 0, 0, 250_000_000, time.UTC)
	rows := []parquetTestRow{
		{UUID: 9007199254740993, Articles: []article{{text("One \"text\"."), text("T")}, {text("Two."), nil}, {}}, Tags: []string{"a", "b"}, Score: &half, Deep: [][]string{{"x", "y"}, {}, {"z"}}, Day: 20564, At: &noon},
		{UUID: 2, Raw: []byte("ab")},
		{UUID: 3, Raw: []byte{0xff}},
	}
	for i := range 100 {
		rows = append(rows, parquetTestRow{UUID: int64(100 + i), Articles: []article{{Body: text(fmt.Sprintf("Text %d.", i))}}})
	}
	f := parquetFile(t, rows)
	got := read(t, f, Options{Format: Parquet})
	if len(got) != 103 {
		t.Fatalf("%d rows", len(got))
	}
	same(t, got[:4], []string{
		`{"uuid":9007199254740993,"articles":[{"body":"One \"text\".","title":"T"},{"body":"Two."},{}],"tags":["a","b"],"score":0.5,"deep":[["x","y"],[],["z"]],"day":"2026-04-21","at":"2026-04-21T12:00:00.25Z"}`,
		`{"uuid":2,"tags":[],"raw":"ab"}`,
		"3: unreadable line: column raw: invalid UTF-8",
		`{"uuid":100,"articles":[{"body":"Text 0."}],"tags":[]}`,
	})
	got = read(t, f, Options{Format: Parquet, Documents: "articles.body", ID: "uuid"})
	same(t, got[:2], []string{`{"at":"2026-04-21T12:00:00.25Z","day":"2026-04-21","deep":[["x","y"],[],["z"]],"documents":["One \"text\".","Two."],"id":9007199254740993,"score":0.5,"tags":["a","b"]}`, `{"id":2,"raw":"ab","tags":[]}`})
	if got := read(t, f, Options{Format: Parquet, MaxLine: 60}); !strings.Contains(got[0], "want at most 60 bytes") {
		t.Error(got[0])
	}
	if _, _, err := Open(context.Background(), strings.NewReader("PAR1 and no more"), Options{Format: Parquet}); err == nil {
		t.Error("no error for a file without an end")
	}
	if _, _, err := Open(context.Background(), io.MultiReader(), Options{Format: Parquet}); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
}

func TestFields(t *testing.T) {
	lines := strings.Join([]string{
		`{"meta": {"uuid": "a"}, "id": 5, "news": {"items": [{"text": "One."}, {"text": "Two.", "title": "T"}]}, "n": 1}`,
		`{"meta": {"uuid": ["a", "b"]}, "news": {"items": []}}`,
		`{"news": "none"}`,
		`[1]`,
		`{"n": null}`,
	}, "\n")
	o := Options{Documents: "news.items", ID: "meta.uuid"}
	same(t, read(t, strings.NewReader(lines), o), []string{
		`{"documents":[{"text": "One."},{"text": "Two.", "title": "T"}],"id":"a","meta":{"uuid": "a"},"n":1}`,
		"2: unreadable line: meta.uuid: want one value, got 2",
		"3: unreadable line: news.items: want an object with a field items",
		"4: unreadable line: want a JSON object",
		`{"n":null}`,
	})
	o = Options{Documents: "news.items.text", References: "gold"}
	same(t, read(t, strings.NewReader(`{"gold": "A summary.", "news": {"items": [{"text": "One."}, {"text": "Two."}]}}`), o), []string{`{"documents":["One.","Two."],"references":["A summary."]}`})
	for _, wrong := range []Options{{Documents: "a..b"}, {ID: "."}, {GroupBy: "a", ID: "b"}, {Format: "xml"}} {
		if _, _, err := Open(context.Background(), strings.NewReader(""), wrong); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// TestGroup: the same groups whatever the memory, each with its rows in their order.
func TestGroup(t *testing.T) {
	var b strings.Builder
	b.WriteString("event,body,title\n")
	want := map[string][]string{}
	for i := range 3000 {
		key := fmt.Sprint(i * i % 37)
		fmt.Fprintf(&b, "%s,Text %d.,T%d\n", key, i, i)
		want[key] = append(want[key], fmt.Sprintf("Text %d.", i))
	}
	b.WriteString(",No event.,T\n7,,T\n7,too,many,cells\n")
	var all [][]string
	for _, memory := range []int{0, 200 << 10, 1} {
		if memory == 1 {
			memory = 1 << 10 // hundreds of files: merged more than once
		}
		got := read(t, strings.NewReader(b.String()), Options{Format: CSV, GroupBy: "event", Documents: "body", Memory: memory})
		all = append(all, got)
	}
	if !slices.Equal(all[0], all[1]) || !slices.Equal(all[0], all[2]) {
		t.Fatal("groups depend on the memory")
	}
	same(t, all[0][:3], []string{
		"1: unreadable line: row 3001: event: want one string or number",
		"2: unreadable line: row 3002: body: want a text",
		"3: unreadable line: row 3003: want 3 cells…",
	})
	groups := map[string][]string{}
	for _, line := range all[0][3:] {
		var c struct {
			ID        string
			Documents []struct{ Text, Title string }
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		for _, d := range c.Documents {
			groups[c.ID] = append(groups[c.ID], d.Text)
		}
	}
	if !reflect.DeepEqual(groups, want) {
		t.Errorf("%d groups, want %d", len(groups), len(want))
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "cerasum-group-*")); err != nil || len(left) > 0 {
		t.Logf("other runs, or left behind: %q, %v", left, err)
	}
}

// TestGroupSkewed: a group above the limit is reported with its size; the others are
// not affected.
func TestGroupSkewed(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, `{"event": "skewed", "text": "Text %d of very many."}`+"\n", i)
	}
	b.WriteString(`{"event": "zzz", "text": "One."}` + "\n" + `{"event": 3, "text": "Two.", "source": "s"}` + "\n")
	got := read(t, strings.NewReader(b.String()), Options{GroupBy: "event", MaxLine: 1 << 14, Memory: 1 << 16})
	same(t, got, []string{
		`1: unreadable line: group "skewed": 20000 documents with…`, `{"id":"zzz","documents":[{"text":"One."}]}`, `{"id":3,"documents":[{"source":"s","text":"Two."}]}`,
	})
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestInflate(t *testing.T) {
	line := `{"documents":["One text."]}`
	var zipped, packed bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range [][]byte{[]byte(line), zipped.Bytes(), packed.Bytes()} {
		same(t, read(t, bytes.NewReader(in), Options{}), []string{line})
	}
	lines, _, err := Open(context.Background(), bytes.NewReader(packed.Bytes()[:packed.Len()-5]), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lines.Next(); err == nil {
		t.Error("no error for half a file")
	}
}

// TestConvert: what is written as a table is read again.
func TestConvert(t *testing.T) {
	summaries := `{"id":"a","text":"One \"text\".\nTwo.","method":"editor","overBudget":false,"sentences":[{"text":"One \"text\".","document":0,"sentence":0,"start":0,"end":11,"score":0.5,"gain":0.25,"similar":[{"document":1,"sentence":0,"cosine":0.75}],"context":[]}],"documents":[{"source":"s","title":"","language":"en","sentences":3,"chosen":1,"coverage":1}],"disagreements":[{"what":"deaths","update":true,"values":[{"value":"3","document":0,"start":1,"end":2}]}]}
{"id":12,"text":"","method":"lead","overBudget":true,"sentences":[],"documents":[],"disagreements":[],"url":"http://a","n":1.5}
`
	want := []map[string]any{}
	for line := range strings.Lines(summaries) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if id, ok := m["id"].(float64); ok {
			m["id"] = fmt.Sprint(id)
			m["more"] = `{"n":1.5,"url":"http://a"}`
			delete(m, "url")
			delete(m, "n")
		}
		want = append(want, m)
	}
	for _, name := range []string{"o.parquet", "o.csv", "o.tsv.gz", "o.csv.zst", "o.jsonl.zst", "o.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Convert(f, name, strings.NewReader(summaries)); err != nil {
			t.Fatal(name, err)
		}
		if !Converts(name) {
			t.Error(name)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		got := read(t, f, Options{Format: FormatOf(name)})
		f.Close()
		if FormatOf(name) == JSONL {
			if strings.Join(got, "\n")+"\n" != summaries {
				t.Errorf("%s: %q", name, got)
			}
			continue
		}
		for i, line := range got {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			if FormatOf(name) != Parquet { // cells are text; those without text are left out
				for field, value := range want[i] {
					s, isText := value.(string)
					if !isText {
						raw, _ := json.Marshal(value)
						var cell, wanted any
						text, _ := m[field].(string)
						if field == "documents" {
							cell = m[field]
						} else if err := json.Unmarshal([]byte(text), &cell); err != nil {
							t.Fatal(name, field, err)
						}
						_ = json.Unmarshal(raw, &wanted)
						if !reflect.DeepEqual(cell, wanted) {
							t.Errorf("%s: %s: %v, want %v", name, field, cell, wanted)
						}
					} else if got, _ := m[field].(string); got != s {
						t.Errorf("%s: %s: %q, want %q", name, field, got, s)
					}
				}
				continue
			}
			if !reflect.DeepEqual(m, want[i]) {
				t.Errorf("%s: %v, want %v", name, m, want[i])
			}
		}
		if len(got) != 2 {
			t.Errorf("%s: %d rows", name, len(got))
		}
	}
	if Converts("a.jsonl") || Converts("a") || Converts("a.json") {
		t.Error("JSON Lines are converted")
	}
}

// TestParquetDamaged: bytes that were changed give an error or other rows, and no
// panic.
func TestParquetDamaged(t *testing.T) {
	var rows []parquetTestRow
	for i := range 60 {
		body := fmt.Sprintf("Text %d.", i)
		rows = append(rows, parquetTestRow{UUID: int64(i), Articles: []article{{Body: &body}}, Tags: []string{"a"}})
	}
	data, err := os.ReadFile(parquetFile(t, rows).Name())
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(data); at += 7 {
		damaged := slices.Clone(data)
		damaged[at] ^= 0x55
		lines, closer, err := Open(context.Background(), bytes.NewReader(damaged), Options{Format: Parquet})
		if err != nil {
			continue
		}
		for range 1000 {
			if _, err = lines.Next(); err != nil && !errors.Is(err, jsonl.ErrLine) {
				break
			}
		}
		if err == nil {
			t.Errorf("byte %d: no end", at)
		}
		closer.Close()
	}
}

// TestGroupFails: an error of reading ends the grouping and leaves no files behind.
func TestGroupFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(`{"event": "a", "text": "One."}`+"\n"), iotest.ErrReader(broken))
	if _, _, err := Open(context.Background(), in, Options{GroupBy: "event"}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestConvertKeepsFieldsOfDocuments: fields that only documents of the input have
// reach a table, too.
func TestConvertKeepsFieldsOfDocuments(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "o.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line := `{"id":"a","text":"","method":"lead","overBudget":false,"sentences":[],"documents":[{"source":"s","title":"","language":"en","sentences":3,"chosen":1,"coverage":1,"Title":"T","url":"http://a"},{"source":"r","title":"","language":"en","sentences":1,"chosen":0,"coverage":0}],"disagreements":[]}`
	if err := Convert(f, "o.parquet", strings.NewReader(line)); err != nil {
		t.Fatal(err)
	}
	want := `"documents":[{"source":"s","title":"","language":"en","sentences":3,"chosen":1,"coverage":1,"more":"{\"Title\":\"T\",\"url\":\"http://a\"}"},{"source":"r","title":"","language":"en","sentences":1,"chosen":0,"coverage":0}]`
	if got := read(t, f, Options{Format: Parquet}); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestGroupValues: values are compared and sorted as what they mean, however they are
// written.
func TestGroupValues(t *testing.T) {
	var b strings.Builder
	for _, value := range []string{`"\u00e9"`, `10`, `"a/b"`, `2`, `"é"`, `1e1`, `"a\/b"`, `10.0`, `-1.5`, `true`, `"10"`, `12345678901234567890`, `12345678901234567891`, `1e999`, `0`, `-0`} {
		fmt.Fprintf(&b, `{"event": %s, "text": "T"}`+"\n", value)
	}
	one, two := `[{"text":"T"}]}`, `[{"text":"T"},{"text":"T"}]}`
	same(t, read(t, strings.NewReader(b.String()), Options{GroupBy: "event"}), []string{
		"1: unreadable line: row 10: event: want one string or number",
		"2: unreadable line: row 14: event: want a number in the range of float64, got 1e999",
		`{"id":"10","documents":` + one, `{"id":"a/b","documents":` + two, `{"id":"é","documents":` + two,
		`{"id":-1.5,"documents":` + one, `{"id":0,"documents":` + two, `{"id":2,"documents":` + one, `{"id":10,"documents":[{"text":"T"},{"text":"T"},{"text":"T"}]}`,
		`{"id":12345678901234567890,"documents":` + one, `{"id":12345678901234567891,"documents":` + one,
	})
}

// TestGroupStops: an interruption ends the reading of rows and leaves nothing behind.
func TestGroupStops(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	rows := 0
	in := readerFunc(func(p []byte) (int, error) {
		if rows++; rows == 100 {
			cancel()
		}
		if rows > 1000 {
			return 0, io.EOF
		}
		return copy(p, `{"event": "a", "text": "One."}`+"\n"), nil
	})
	if _, _, err := Open(ctx, in, Options{GroupBy: "event", Memory: 1 << 10}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

type readerFunc func([]byte) (int, error)

func (r readerFunc) Read(p []byte) (int, error) { return r(p) }

// TestGroupLargeRows: fewer files are read at once where rows are large, as the next
// row of each is in memory.
func TestGroupLargeRows(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `{"event": %d, "text": "%s"}`+"\n", i%7, strings.Repeat("a", 1000))
	}
	lines, closer, err := Open(context.Background(), strings.NewReader(b.String()), Options{GroupBy: "event", Memory: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	if n := len(lines.(*grouped).in.files); n > 4 {
		t.Errorf("%d files at once", n)
	}
}

func TestParquetUnsigned(t *testing.T) {
	type row struct {
		Small uint32 `parquet:"small"`
		Large uint64 `parquet:"large"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []row{{1<<32 - 1, 1<<64 - 1}}); err != nil {
		t.Fatal(err)
	}
	same(t, read(t, bytes.NewReader(b.Bytes()), Options{Format: Parquet}), []string{`{"small":4294967295,"large":18446744073709551615}`})
}
