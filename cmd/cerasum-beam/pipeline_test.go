package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/cerasum/cerasum/core/batch"
)

// On Beam's local runner, prism, which takes what is sent to workers apart and
// puts it together again as the others do.
func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// corpus makes n lines, every 50th of them bad, and a blank one.
func corpus(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		if i%50 == 49 {
			fmt.Fprintf(&b, "\n{\"id\": %d, \"documents\": \"none\"}\n", i)
			continue
		}
		fmt.Fprintf(&b, `{"id": %d, "url": 1, "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in flood %d.", "El río creció el lunes en la ciudad %d. Boats brought %d people out."]}`+"\n", i, i%9+1, i, i%7, i%40+2)
	}
	return b.Bytes()
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	slices.Sort(all)
	return all
}

func TestPipelineMakesWhatBatchMakes(t *testing.T) {
	settings := Settings{Budget: "2s", Method: "auto", Order: "rank", Language: "en-GB", Ignore: []string{"url"}}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "corpus.jsonl"), filepath.Join(dir, "out.jsonl")
	data := corpus(500)
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), in, out, "", settings); err != nil {
		t.Fatal(err)
	}
	o, err := settings.options()
	if err != nil {
		t.Fatal(err)
	}
	var want, refused []string
	err = batch.Run(context.Background(), bytes.NewReader(data), *o, batch.Place{}, 2, func(r batch.Result) error {
		if r.Err != nil {
			refused = append(refused, string(r.Raw))
		} else {
			want = append(want, strings.TrimSuffix(string(r.Summary), "\n"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got := lines(t, out); len(want) != 490 || !slices.Equal(got, want) {
		t.Errorf("%d summaries, want %d; the first: %.300s, want %.300s", len(got), len(want), got[0], want[0])
	}
	bad := lines(t, out+".bad.jsonl")
	if len(bad) != len(refused) || len(bad) != 10 || !strings.HasPrefix(bad[0], `{"error":"documents: want an array, got a string","raw":"{\"id\": `) {
		t.Errorf("%q", bad)
	}
}

func TestSettings(t *testing.T) {
	good := Settings{Budget: "100", Method: "auto", Order: "document"}
	for name, wrong := range map[string]func(*Settings){
		"budget": func(s *Settings) { s.Budget = "ten" }, "lang": func(s *Settings) { s.Language = "?" },
		"method": func(s *Settings) { s.Method = "magic" }, "order": func(s *Settings) { s.Order = "up" },
		"licence": func(s *Settings) { s.Licence = "any" }, "cera": func(s *Settings) { s.Method = "cera" },
	} {
		s := good
		wrong(&s)
		if err := run(context.Background(), "in", "out", "", s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := good.options(); err != nil {
		t.Error(err)
	}
	if err := run(context.Background(), "", "out", "", good); err == nil || !strings.Contains(err.Error(), "--input") {
		t.Error(err)
	}
}
