package records

import (
	"errors"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/jsonl"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name   string
		fields Fields
		line   string
		want   []Document
	}{
		{"a row", Fields{}, `{"id":7,"text":"One.","title":null,"section":"news"}`,
			[]Document{{Raw: []byte(`{"id":7,"section":"news","source":"7","text":"One."}`), Text: "One."}}},
		{"its source is kept", Fields{}, `{"id":"a","text":"One.","source":"b"}`,
			[]Document{{Raw: []byte(`{"id":"a","source":"b","text":"One."}`), Text: "One."}}},
		{"other names", Fields{Documents: "a.body", ID: "uuid", Title: "head", Date: "a.day", Gold: "event"}, `{"uuid":"u","head":"T","a":{"body":"One.","day":"2026-04-21"},"event":3}`,
			[]Document{{Raw: []byte(`{"date":"2026-04-21","event":3,"source":"u","text":"One.","title":"T","uuid":"u"}`), Text: "One.", Title: "T", Date: time.Date(2026, 4, 21, 0, 0, 0, 0, time.UTC), Gold: "3"}}},
		{"a cluster", Fields{Gold: "id"}, `{"id":"c","documents":["One.",{"text":"Two.","title":"T","language":"en"}]}`,
			[]Document{{Raw: []byte(`{"text":"One."}`), Text: "One.", Gold: `"c"`}, {Raw: []byte(`{"language":"en","text":"Two.","title":"T"}`), Text: "Two.", Title: "T", Language: "en", Gold: `"c"`}}},
		{"a cluster of one", Fields{}, `{"id":"c","documents":["One."]}`, []Document{{Raw: []byte(`{"text":"One."}`), Text: "One."}}},
	} {
		got, err := test.fields.Split([]byte(test.line))
		if err != nil || len(got) != len(test.want) {
			t.Errorf("%s: %d documents, %v", test.name, len(got), err)
			continue
		}
		for i := range got {
			g, w := got[i], test.want[i]
			if string(g.Raw) != string(w.Raw) || g.Text != w.Text || g.Title != w.Title || !g.Date.Equal(w.Date) || g.Language != w.Language || g.Gold != w.Gold {
				t.Errorf("%s: document %d is %s %+v, want %s", test.name, i, g.Raw, g, w.Raw)
			}
		}
	}
	for line, want := range map[string]string{
		`{"documents":[]}`:          "unreadable line: documents: missing",
		`{"text":""`:                "unreadable line: want a JSON object",
		`{"text":"x","id":[1]}`:     "",
		`{"text":"x","id":{}}`:      "unreadable line: id: want one string or number",
		`{"documents":[["a"],"b"]}`: `unreadable line: documents: want a text or an object with a text, got ["a"]`,
	} {
		_, err := (&Fields{}).Split([]byte(line))
		if want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != want || !errors.Is(err, jsonl.ErrLine) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for s, want := range map[string]string{
		"2026-04-21": "2026-04-21T00:00:00Z", "2026-04-21T17:30Z": "2026-04-21T17:30:00Z",
		"2026-04-21T17:30:05.5+05:30": "2026-04-21T12:00:05Z", "2026-04-21T17:30-03:00": "2026-04-21T20:30:00Z",
		"2026-04-21T17:30:00": "2026-04-21T17:30:00Z", "2026-04-21 17:30:00": "2026-04-21T17:30:00Z", "2026-04-21 17:30:00.25": "2026-04-21T17:30:00Z",
		"2026-04-21 17:30:00 UTC": "2026-04-21T17:30:00Z", "2026-04-21 17:30:00+00:00": "2026-04-21T17:30:00Z", "2026-04-21 17:30:00 +0200": "2026-04-21T15:30:00Z",
	} {
		if got, err := parseDate(s); err != nil || got.UTC().Truncate(time.Second).Format(time.RFC3339) != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"2026-02-30", "April", "2026-04-21T17:30:00+24:00", "2026-04-21T", "2026-04-21 ", "21.04.2026"} {
		if _, err := parseDate(s); err == nil {
			t.Errorf("%s is accepted", s)
		}
	}
}
