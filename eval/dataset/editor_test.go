package dataset

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestReadChoices(t *testing.T) {
	got, err := ReadChoices(strings.NewReader(`{"id": "a", "extract": [[0, 5, 9]], "good": [], "never": [[1, 0, 3], [0, 0, 2]], "facts": ["x"]}

{"id": 7, "extract": [], "good": [[2, 1, 2]], "never": []}`), "choices.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]*Choice{
		"a": {Extract: []Span{{0, 5, 9}}, Never: []Span{{1, 0, 3}, {0, 0, 2}}},
		"7": {Good: []Span{{2, 1, 2}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReadBadChoices(t *testing.T) {
	const good = `{"id": "a", "extract": [], "good": [], "never": []}` + "\n"
	for line, want := range map[string]string{
		`{"id": "b", "extract": []`: "c:2: truncated",
		`[]`:                        "c:2: want a JSON object",
		`{"extract": [], "good": [], "never": []}`:                      "c:2: id: missing",
		`{"id": "a", "extract": [], "good": [], "never": []}`:           `c:2: id: "a" is not unique`,
		`{"id": "b", "extract": [], "never": []}`:                       "c:2: good: want an array, got nothing",
		`{"id": "b", "extract": [[0, 1]], "good": [], "never": []}`:     "c:2: extract[0]: want [document, start, end]",
		`{"id": "b", "extract": [], "good": [[0, 4, 4]], "never": []}`:  "c:2: good[0]: want",
		`{"id": "b", "extract": [], "good": [], "never": [[-1, 4, 5]]}`: "c:2: never[0]: want",
		`{"id": "b", "extract": [], "good": [], "never": ["x"]}`:        "c:2: never[0]: want",
		"\xff": "c:2: not UTF-8",
	} {
		_, err := ReadChoices(strings.NewReader(good+line), "c")
		if e := (*Error)(nil); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", line, err, want)
		}
	}
}

func TestSpanIn(t *testing.T) {
	spans := []Span{{1, 10, 20}, {1, 100, 140}}
	for s, want := range map[Span]bool{
		{1, 10, 20}:   true,
		{0, 10, 20}:   false,
		{1, 15, 40}:   true, // half of the span
		{1, 16, 40}:   false,
		{1, 130, 150}: true, // half of itself
		{1, 131, 151}: false,
		{1, 20, 30}:   false,
	} {
		if s.In(spans) != want {
			t.Errorf("%v: want %v", s, want)
		}
	}
}
