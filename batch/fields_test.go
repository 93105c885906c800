package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const unusual = `{"url": "u\u2028", "documents": [{"text": "One ferry was late.", "url": [1,
 2], "source": "a", "sentences": "s"}, "Two ferries were late."], "text": "own", "id": 7, "url": "<v>"}`

func TestUnknownFields(t *testing.T) {
	var ignored []string
	o := Options{Ignored: func(fields []string) { ignored = append(ignored, strings.Join(fields, " ")) }}
	plain, err := o.Line(context.Background(), []byte(unusual))
	if err != nil {
		t.Fatal(err)
	}
	// Also of a line that is refused: a misspelt field is why.
	if _, err := o.Line(context.Background(), []byte(`{"documnets": ["a"]}`)); err == nil || err.Error() != "documents: missing" {
		t.Error(err)
	}
	if want := []string{"documents[].sentences documents[].url text url", "documnets"}; !slices.Equal(ignored, want) {
		t.Errorf("ignored %q, want %q", ignored, want)
	}

	ignored, o.KeepFields = nil, true
	kept, err := o.Line(context.Background(), []byte(unusual))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"documents[].sentences text"}; !slices.Equal(ignored, want) {
		t.Errorf("dropped %q, want %q", ignored, want)
	}
	// The kept fields are all that is new.
	text := string(kept)
	for _, part := range []string{`,"url":[1,2]`, `,"url":"<v>"`} {
		if strings.Count(text, part) != 1 {
			t.Errorf("%s: want %s once", text, part)
		}
		text = strings.Replace(text, part, "", 1)
	}
	if text != string(plain) {
		t.Errorf("%s\nwant\n%s", text, plain)
	}
	if !strings.HasSuffix(string(kept), `,"url":"<v>"}`+"\n") || strings.Count(string(kept), "\n") != 1 {
		t.Errorf("%q", kept)
	}

	o.Strict = true
	for raw, want := range map[string]string{
		`{"documents": [], "x": 1}`:                 "x: unknown field",
		`{"documents": [], "": 1}`:                  `"": unknown field`,
		`{"documents": [{"text": "a", "urls": 1}]}`: "documents[0].urls: unknown field",
	} {
		if _, err := o.Line(context.Background(), []byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

// TestFieldLists holds the lists of fields to what Parse takes.
func TestFieldLists(t *testing.T) {
	record := map[string]any{"documents": []any{map[string]any{"text": "a", "title": "b", "source": "c", "language": "en", "date": "2026-04-21", "blocks": []any{}}}, "id": 1, "references": []any{}}
	raw, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(raw, "", true); err != nil {
		t.Error(err)
	}
	if got := slices.Sorted(func(yield func(string) bool) {
		for name := range record {
			if !yield(name) {
				return
			}
		}
	}); !slices.Equal(got, RecordFields) {
		t.Errorf("%q, want %q", got, RecordFields)
	}
	for _, name := range DocumentFields {
		if !strings.Contains(string(raw), `"`+name+`":`) {
			t.Errorf("%q is not in %s", name, raw)
		}
	}
}

// TestManyFields keeps so many unknown fields that comparing each with all the others
// would take minutes; of two of one name it keeps the last.
func TestManyFields(t *testing.T) {
	var line strings.Builder
	line.WriteString(`{"documents": ["One ferry was late."]`)
	const n = 200_000
	for i := range n {
		fmt.Fprintf(&line, `,"field%d":%d`, i, i)
	}
	line.WriteString(`,"field7":"last"}`)
	r, err := Parse([]byte(line.String()), "", false)
	if err != nil {
		t.Fatal(err)
	}
	kept, dropped, err := r.Keep([]byte(`{"field8":"own"}`))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(kept, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != n || fields["field7"] != "last" || fields["field8"] != "own" || !slices.Equal(dropped, []string{"field8"}) || strings.Count(string(kept), `"field7"`) != 1 {
		t.Errorf("%d fields, %v, %v, dropped %q", len(fields), fields["field7"], fields["field8"], dropped)
	}
}
