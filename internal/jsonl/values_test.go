package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// recordsOf returns what is read as "line[index]: record" or "line[index]! error".
func recordsOf(t *testing.T, v *Values) (all []string) {
	t.Helper()
	for {
		raw, err := v.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		at := fmt.Sprint(v.Line())
		if v.Index() >= 0 {
			at += Index(v.Index())
		}
		switch {
		case err == nil:
			all = append(all, at+": "+string(raw))
		case errors.Is(err, ErrLine):
			all = append(all, at+"! "+err.Error())
		default:
			t.Fatal(err)
		}
	}
}

func TestValues(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want []string
	}{
		"empty":                 {"", nil},
		"blank":                 {" \n\n", nil},
		"lines":                 {"{\"a\":1}\n\n{\"b\":2}", []string{`1: {"a":1}`, `3: {"b":2}`}},
		"broken lines":          {"x\n{\"b\":\n3}\n", []string{"1: x", `2: {"b":`, "3: 3}"}},
		"a first line cut":      {"{\"a\":[\"b\",\n{\"b\":2}\n{\"c\":3}\n", []string{`1: {"a":["b",`, `2: {"b":2}`, `3: {"c":3}`}},
		"a first line cut, end": {"{\"a\":[\"b\",\n{\"b\":2}", []string{`1: {"a":["b",`, `2: {"b":2}`}},
		"a first string cut":    {"{\"a\":\"b\n{\"b\":2}", []string{`1: {"a":"b`, `2: {"b":2}`}},
		"one line cut":          {`{"a":`, []string{`1: {"a":`}},
		"two values on a line":  {"{} {}\n{}", []string{"1: {} {}", "2: {}"}},
		"scalars":               {"1\n[2]", []string{"1: 1", "2: [2]"}},
		"object":                {"\n{\n\"a\": \"}\\\"\",\n\"b\": [[]]\n}\n", []string{"2: {\n\"a\": \"}\\\"\",\n\"b\": [[]]\n}"}},
		"object, no line end":   {"{\n\"a\":1}", []string{"1: {\n\"a\":1}"}},
		"object in an object":   {"{\"a\":[\n{\"b\":1}\n]}", []string{"1: {\"a\":[\n{\"b\":1}\n]}"}},
		"objects":               {"{\n}\n{\n}{}", []string{"1: {\n}", "3: {\n}", "4: {}"}},
		"mark":                  {"\xef\xbb\xbf{\n}", []string{"1: {\n}"}},
		"mark, lines":           {"\xef\xbb\xbf{}\n{}", []string{"1: {}", "2: {}"}},
		"mark, array":           {"\xef\xbb\xbf[1]", []string{"1[0]: 1"}},
		"array":                 {"[ {\"a\":\n1},\n\"b\", 3,null\n ,[4]]", []string{"1[0]: {\"a\":\n1}", `3[1]: "b"`, "3[2]: 3", "3[3]: null", "4[4]: [4]"}},
		"no elements":           {"[\n]\n", nil},
		"arrays":                {"[1]\n[2,3]", []string{"1[0]: 1", "2[0]: 2", "2[1]: 3"}},
		"a bad element":         {"[{\"a\":1},\n{\"b\":\n2 3},\n{\"c\":x},{}]", []string{`1[0]: {"a":1}`, "3[1]! invalid JSON: invalid character '3' after object key:value pair", "4[2]! invalid JSON: invalid character 'x' looking for beginning of value", "4[3]: {}"}},
		"a comma lacks":         {"[1\n2]", []string{"1[0]: 1", `2[0]! invalid JSON: want a comma after element 0, got '2'`}},
		"a value lacks":         {"[1,]", []string{"1[0]: 1", `1[0]! invalid JSON: want a value after element 0, got ']'`}},
		"a comma first":         {"[,1]", []string{`1! invalid JSON: want a value, got ','`}},
		"a comma lacks inside":  {"{\n\"a\":1,\n\"b\":\"2\"\n\"c\":3\n}\n{\n}", []string{`4! invalid JSON: want a comma before '"'`}},
		"a line break inside":   {"{\n\"a\":\"1\n\"}", []string{"2! invalid JSON: line break in a string"}},
		"no end":                {"[1,", []string{"1[0]: 1", "1[0]! invalid JSON: the array does not end"}},
		"no end of an element":  {"[\n{\"a\":\n1", []string{"2[0]! invalid JSON: the value that begins on this line does not end"}},
		"no end of an object":   {"{\n\"a\":\n", []string{"1! invalid JSON: the value that begins on this line does not end"}},
		"after the array":       {"[1] x", []string{"1[0]: 1", `1! invalid JSON: want an object or an array, got 'x'`}},
		"not UTF-8":             {"[\"a\",\n\"\xff\",\"b\"]", []string{`1[0]: "a"`, "2[1]! invalid JSON: invalid UTF-8 (0xff)", `2[2]: "b"`}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.data), iotest.OneByteReader(strings.NewReader(c.data))} {
			if got := recordsOf(t, NewValues(r)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

// TestValuesMax: the limit is that of a record, not of the file.
func TestValuesMax(t *testing.T) {
	long := `"` + strings.Repeat("x", 40) + `"`
	for data, want := range map[string][]string{
		`["a",` + long + `,"b",` + strings.Repeat(`"c",`, 3) + `"d"]`: {`1[0]: "a"`, "1[1]! unreadable line: want at most 32 bytes", `1[2]: "b"`, `1[3]: "c"`, `1[4]: "c"`, `1[5]: "c"`, `1[6]: "d"`},
		"{\n\"a\":" + long + "}": {"1! unreadable line: want at most 32 bytes"},
		long + "\n1":             {"1! unreadable line: want at most 32 bytes", "2: 1"},
	} {
		v := NewValues(strings.NewReader(data))
		v.Max = 32
		if got := recordsOf(t, v); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", data, got, want)
		}
	}
}

// TestValuesStream: of lines, and of elements, only what is asked for is read.
func TestValuesStream(t *testing.T) {
	for _, c := range []struct{ start, again string }{{"", "{\"a\":1}\n"}, {"[0", ",{\"a\":1}"}} {
		endless := &repeated{text: []byte(c.again)}
		v := NewValues(io.MultiReader(strings.NewReader(c.start), endless))
		for range 3 {
			if _, err := v.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if endless.read > 1<<20 {
			t.Errorf("%q: %d bytes were read", c.start, endless.read)
		}
	}
	failure := errors.New("broken")
	for _, start := range []string{"", " ", "[1,", "{", "{\n", "{}"} {
		v := NewValues(io.MultiReader(strings.NewReader(start), iotest.ErrReader(failure)))
		var err error
		for err == nil {
			_, err = v.Next()
		}
		if !errors.Is(err, failure) {
			t.Errorf("%q: %v", start, err)
		}
	}
}

// repeated is a text without an end.
type repeated struct {
	text []byte
	read int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[(r.read+i)%len(r.text)]
	}
	r.read += len(p)
	return len(p), nil
}

// FuzzValues holds the reader to encoding/json where the whole is valid.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"{\n}", "[1,\"a\",{\"b\":[]}]", "[[],[]]\n{\n\"a\":\"\\\\\"}", "[-1e5 ,null\n]", "{\"a\":\n1}{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v := NewValues(bytes.NewReader(data))
		got := recordsOf(t, v)
		if v.IsLines() || bytes.Contains(data, []byte("\xff")) {
			return
		}
		var want []string
		for dec := json.NewDecoder(bytes.NewReader(data)); ; {
			var value json.RawMessage
			err := dec.Decode(&value)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return // only the errors differ
			}
			if !IsObject(value) && Kind(value) != "an array" {
				return
			}
			if IsObject(value) {
				want = append(want, string(value))
				continue
			}
			elements, err := Array(value)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range elements {
				want = append(want, string(e))
			}
		}
		for i, g := range got {
			if strings.Contains(g, "invalid UTF-8") {
				return // encoding/json lets it through
			}
			if _, raw, _ := strings.Cut(g, ": "); i >= len(want) || raw != want[i] {
				t.Fatalf("%q, want %q", got, want)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
