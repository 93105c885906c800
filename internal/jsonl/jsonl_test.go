package jsonl

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReader(t *testing.T) {
	r := NewReader(strings.NewReader("\xef\xbb\xbfone\r\n\n  \n two \n" + strings.Repeat("x", 40) + "\nb\xffd\nlast"))
	r.Max = 32
	for _, want := range []struct {
		line   string
		number int
		err    string
	}{
		{"one", 1, ""}, {"two", 4, ""}, {"", 5, "want at most 32 bytes"}, {"", 6, "invalid UTF-8 at byte 2 (0xff)"}, {"last", 7, ""}, {"", 7, "EOF"},
	} {
		line, err := r.Next()
		if string(line) != want.line || r.Line() != want.number || (err == nil) != (want.err == "") || err != nil && !strings.Contains(err.Error(), want.err) {
			t.Errorf("%q, line %d, %v; want %+v", line, r.Line(), err, want)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
	if r.Offset() != 67 {
		t.Errorf("%d bytes were read, want 67", r.Offset())
	}
	// A line beyond the buffer comes whole.
	long := strings.Repeat("y", 1<<20)
	if line, err := NewReader(strings.NewReader(long + "\nz")).Next(); err != nil || string(line) != long {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	broken := errors.New("broken")
	if _, err := NewReader(io.MultiReader(strings.NewReader("half a li"), failing{broken})).Next(); !errors.Is(err, broken) {
		t.Errorf("a cut line gives %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestPaths(t *testing.T) {
	err := At("documents", At(Index(2), At("text", errors.New("missing"))))
	if want := "documents[2].text: missing"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if err := At("x", nil); err != nil {
		t.Errorf("%v", err)
	}
}

func TestInt(t *testing.T) {
	for raw, want := range map[string]int{"0": 0, "-3": -3, "1e3": 1000, "7.0": 7, "1.5": -1, "1e99": -1, `"1"`: -1, "null": -1, "99999999999": -1} {
		n, err := Int(json.RawMessage(raw))
		if want == -1 {
			if err == nil {
				t.Errorf("%s: %d, want an error", raw, n)
			}
		} else if err != nil || n != want {
			t.Errorf("%s: %d, %v", raw, n, err)
		}
	}
}
