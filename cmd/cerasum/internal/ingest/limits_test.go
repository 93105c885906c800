package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
)

// TestLimit reads sources that web/demo/tests/blocks.test.mjs reads too.
func TestLimit(t *testing.T) {
	data, err := os.ReadFile("testdata/limits.json")
	if err != nil {
		t.Fatal(err)
	}
	// Line i has i steps before it.
	var cases []struct {
		Name, Start, Step, Line, End, Limit string
		Times                               int
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var b strings.Builder
		b.WriteString(c.Start)
		for i := range c.Times {
			b.WriteString(strings.Repeat(c.Step, i) + c.Line)
		}
		b.WriteString(c.End)
		if why := limit(b.String()); c.Limit == "" != (why == "") || !strings.Contains(why, c.Limit[:min(4, len(c.Limit))]) {
			t.Errorf("%s: %q, want %q", c.Name, why, c.Limit)
		}
		if x := inTime(t, func() extracted { return proseOf(b.String()) }); c.Limit != "" && (x.warning == "" || x.text != b.String()) {
			t.Errorf("%s: %q: %.60q", c.Name, x.warning, x.text)
		}
	}
}

// TestDeepStyles: elements within each other share what they inherit.
func TestDeepStyles(t *testing.T) {
	stops := make([]string, 200)
	for i := range stops {
		stops[i] = fmt.Sprintf("#%06x", i)
	}
	for name, page := range map[string]func(depth int) string{
		"variables": func(depth int) string {
			var b strings.Builder
			for i := range depth {
				fmt.Fprintf(&b, "<i style=--v%d:1>", i)
			}
			return b.String()
		},
		"gradients": func(depth int) string {
			return "<style>i{background:linear-gradient(" + strings.Join(stops, ",") + ")}</style>" + strings.Repeat("<i>", depth)
		},
	} {
		used := func(depth int) int64 {
			source := page(depth) + "The river rose."
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			root := nested(source)
			seen := legible.New(root)
			in := []*legible.Sight{nil}
			for n := root.FirstChild; n != nil; n = n.LastChild {
				if n.Type == html.ElementNode {
					in = append(in, seen.Enter(n, in[len(in)-1]))
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(in)
			return int64(after.HeapAlloc) - int64(before.HeapAlloc)
		}
		const depth = 1000
		if bytes := used(depth); bytes > depth*4096 {
			t.Errorf("%s: %d bytes for %d elements within each other", name, bytes, depth)
		}
	}
}

// TestPatience: a document that takes too long is left out by name, and the next one
// is read.
func TestPatience(t *testing.T) {
	dir := t.TempDir()
	slow, next := filepath.Join(dir, "slow.html"), filepath.Join(dir, "text.txt")
	for name, content := range map[string]string{slow: strings.Repeat("<p>The river rose.", 100_000), next: "The river rose."} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var bad []error
	l := &Loader{Patience: 1, Warn: func(string) {}, Bad: func(err error) { bad = append(bad, err) }}
	if _, err := l.Load(t.Context(), []string{slow}); err != nil || len(bad) != 1 || !errors.Is(bad[0], ErrSlow) || !strings.HasPrefix(bad[0].Error(), slow+": ") {
		t.Errorf("%v, %v", err, bad)
	}
	l.Patience = time.Minute
	if in, err := l.Load(t.Context(), []string{next}); err != nil || len(in.Cluster.Documents) != 1 {
		t.Errorf("%v, %v", in, err)
	}
}
