package reading_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	signals "github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/train/reading"
)

// corpusFile writes a corpus and returns its path.
func corpusFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

var stories = []string{
	`{"documents":["Brackwell council voted on Tuesday to close Quay Road for 18 months. But it was delayed. He said so. This took a year."],"references":["The council of Brackwell closed Quay Road on Tuesday."]}`,
	`{"documents":["A tram hit a lorry in Hafenau on Monday and hurt 14 people. But nobody died. They were lucky. That was all."],"references":["A tram hurt 14 people in Hafenau on Monday morning."]}`,
}

func TestTrain(t *testing.T) {
	train := func() *reading.Weights {
		c := &reading.Corpus{}
		if err := c.Read(reading.Source{Path: corpusFile(t, stories...), Language: "en"}); err != nil {
			t.Fatal(err)
		}
		if first, others := c.Len(); first != 4 || others != 6 {
			t.Errorf("%d first sentences and %d others, want 4 and 6", first, others)
		}
		w, err := reading.Train(c, reading.DefaultParams())
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	a, b := train(), train()
	if !slices.Equal(a.Of, b.Of) || a.Bias != b.Bias {
		t.Error("other weights the second time")
	}
	for k, name := range signals.SignalNames {
		if slices.Contains([]string{"pronoun", "link", "far"}, name) && !(a.Of[k] < -1) {
			t.Errorf("weight of %s: %v, want less than -1", name, a.Of[k])
		}
		if math.IsNaN(a.Of[k]) {
			t.Errorf("weight of %s: NaN", name)
		}
	}
	var out bytes.Buffer
	if err := a.Write(&out); err != nil || strings.Count(out.String(), "\n") != len(signals.SignalNames)+2 {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestReadForms(t *testing.T) {
	for _, c := range []struct {
		name          string
		lines         []string
		source        reading.Source
		first, others int
	}{
		{"an editor's spans", []string{`{"language":"en","documents":[{"text":"“Yes,” he said. The town of Hafenau bought 14 trams on Monday."}],"extract":[[0,16,62]],"good":[]}`}, reading.Source{}, 1, 1},
		{"languages", []string{
			`{"document":"a","en":"Hafenau buys trams","de":"Hafenau kauft Bahnen"}`,
			`{"document":"a","en":"The town of Hafenau bought 14 trams on Monday.","de":"Die Stadt Hafenau hat am Montag 14 Bahnen gekauft."}`,
			`{"document":"a","en":"He said so.","de":"Er sagte es."}`,
		}, reading.Source{}, 2, 4},
		{"limit", stories, reading.Source{Language: "en", Limit: 1}, 2, 3},
		{"skip", stories, reading.Source{Language: "en", Skip: 2}, 2, 3},
	} {
		corpus := &reading.Corpus{}
		c.source.Path = corpusFile(t, c.lines...)
		if err := corpus.Read(c.source); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if first, others := corpus.Len(); first != c.first || others != c.others {
			t.Errorf("%s: %d first sentences and %d others, want %d and %d", c.name, first, others, c.first, c.others)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	c := &reading.Corpus{}
	if err := c.Read(reading.Source{Path: corpusFile(t, "{", "{}")}); err == nil || !strings.Contains(err.Error(), "record 1") {
		t.Errorf("malformed: %v", err)
	}
	if _, err := reading.Train(c, reading.DefaultParams()); err == nil {
		t.Error("no error without sentences")
	}
	for _, change := range []func(p *reading.Params){
		func(p *reading.Params) { p.Decay = 0 },
		func(p *reading.Params) { p.Sharpness = math.NaN() },
		func(p *reading.Params) { p.Offset = math.Inf(1) },
		func(p *reading.Params) { p.Steps = 0 },
	} {
		p := reading.DefaultParams()
		change(&p)
		if _, err := reading.Train(c, p); !errors.Is(err, reading.ErrParams) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
