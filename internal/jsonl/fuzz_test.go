package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// FuzzReader holds the reader to the naive way: cut at the ends of lines.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"", "\n", "a\nb", "\xef\xbb\xbfa\r\n\r\n b ", "\xff\n\x00", "0123456789abcdef0\nx"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 16
		type line struct {
			number int
			text   string
			bad    bool
		}
		var want []line
		for i, raw := range bytes.SplitAfter(data, []byte("\n")) {
			text := raw
			if i == 0 {
				text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
			}
			text = bytes.TrimSpace(text)
			switch {
			case len(raw) > limit:
				want = append(want, line{number: i + 1, bad: true})
			case len(text) == 0:
			case !utf8.Valid(text):
				want = append(want, line{number: i + 1, bad: true})
			default:
				want = append(want, line{number: i + 1, text: string(text)})
			}
		}
		r := NewReader(iotest.OneByteReader(bytes.NewReader(data)))
		r.Max = limit
		for {
			text, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil && !errors.Is(err, ErrLine) {
				t.Fatal(err)
			}
			got := line{r.Line(), string(text), err != nil}
			if len(want) == 0 || got != want[0] {
				t.Fatalf("%+v, want %+v", got, want)
			}
			want = want[1:]
		}
		if len(want) > 0 || r.Offset() != int64(len(data)) {
			t.Fatalf("%+v are missing; %d of %d bytes", want, r.Offset(), len(data))
		}
	})
}

// FuzzObject lets through nothing that encoding/json does not take.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{`{"s":"a","f":1.5,"i":-3,"b":true,"a":[1,"x"],"t":[[[1]]],"v":[0.5],"o":{"s":"b"}}`, `{}`, `{"s":null}`, `{"s":"a","s":"b"}`, `{"i":1e99}`, `[{`, `{"s":"a"} {}`, `{"t":[[[null]]]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var depth int
		var members Members
		members = Members{
			"s": func(v json.RawMessage) error { _, err := String(v); return err },
			"f": func(v json.RawMessage) error { _, err := Float(v); return err },
			"i": func(v json.RawMessage) error { _, err := Int(v); return err },
			"b": func(v json.RawMessage) error { _, err := Bool(v); return err },
			"a": func(v json.RawMessage) error { _, err := Array(v); return err },
			"t": func(v json.RawMessage) error { _, err := Tensor(v); return err },
			"v": func(v json.RawMessage) error { _, err := Vector(v); return err },
			"o": func(v json.RawMessage) error {
				if depth++; depth > 50 {
					return errors.New("too deep")
				}
				return Object(v, members)
			},
		}
		if err := Object(data, members); err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("%q was taken: %v", data, err)
		}
		for name, value := range m {
			if _, known := members[name]; !known || value == nil {
				t.Fatalf("%q: %q is %v", data, name, value)
			}
		}
	})
}
