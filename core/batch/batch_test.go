package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cerasum/cerasum/core"
)

// corpus makes n lines of which every seventh is bad and every eleventh blank.
func corpus(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		switch {
		case i%7 == 0:
			b.WriteString(`{"documents": 7}`)
		case i%11 == 0:
		default:
			fmt.Fprintf(&b, `{"id": %d, "documents": [%q, "The ferry %d was late on Monday. Nobody knew why."]}`, i, strings.Repeat(fmt.Sprintf("Ferry %d left the quay late on Monday. ", i), i%5+1), i)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func options() Options {
	return Options{Options: core.Options{Budget: core.Budget{Amount: 12, Unit: core.Words}, Method: "instant"}}
}

// run gives what Run yields as lines: number, and summary or error.
func run(t *testing.T, text string, skip, workers int) []string {
	t.Helper()
	var got []string
	err := Run(context.Background(), strings.NewReader(text), options(), skip, workers, func(r Result) error {
		if (r.Err == nil) != (r.Summary != nil) || (r.Err != nil) != (r.Raw != nil) {
			t.Errorf("line %d: %+v", r.Line, r)
		}
		got = append(got, fmt.Sprintf("%d %s%v", r.Line, r.Summary, r.Err))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRunIsLineByLineInOrder(t *testing.T) {
	text := corpus(60)
	var want []string
	o := options()
	for i, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		s, err := o.Line(context.Background(), []byte(line))
		want = append(want, fmt.Sprintf("%d %s%v", i+1, s, err))
	}
	for _, workers := range []int{0, 1, 2, 9} {
		if got := run(t, text, 0, workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: %q, want %q", workers, got, want)
		}
	}
	for _, skip := range []int{1, 7, 33, 59, 60, 99} {
		var rest []string
		for _, w := range want {
			var n int
			fmt.Sscan(w, &n)
			if n > skip {
				rest = append(rest, w)
			}
		}
		if got := run(t, text, skip, 2); !slices.Equal(got, rest) {
			t.Errorf("after %d lines: %q, want %q", skip, got, rest)
		}
	}
}

// TestRunKeepsNoMoreThanItWorksOn reads an endless corpus as fast as it is
// taken from it, and no faster.
func TestRunKeepsNoMoreThanItWorksOn(t *testing.T) {
	const workers = 2
	line := `{"documents": ["One ferry was late."]}` + "\n"
	var given atomic.Int64
	endless := reader(func(p []byte) (int, error) {
		given.Add(1)
		return copy(p, line), nil
	})
	taken := int64(0)
	enough := errors.New("enough")
	err := Run(context.Background(), endless, options(), 0, workers, func(Result) error {
		taken++
		// What was read and not yet taken: in order, with the workers, and in the
		// reader's hand.
		if in := given.Load() - taken; in > ahead*workers+workers+2 {
			t.Errorf("%d lines are kept", in)
		}
		if taken == 500 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
	// By bytes too: lines of half the room leave space for two.
	long := fmt.Sprintf(`{"documents": [%q]}`+"\n", strings.Repeat("x", inFlight/2-100))
	r := newRoom(inFlight)
	r.take(context.Background(), len(long))
	r.take(context.Background(), len(long))
	third := make(chan struct{})
	go func() {
		r.take(context.Background(), len(long))
		close(third)
	}()
	select {
	case <-third:
		t.Error("a third one came in")
	default:
	}
	r.give(len(long))
	<-third
	// One that is longer than all the room comes in alone, and a wait can be cut off.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.take(ctx, 2*inFlight)
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestRunEnds(t *testing.T) {
	broken := errors.New("the disk is gone")
	lines := 0
	err := Run(context.Background(), io.MultiReader(strings.NewReader(corpus(5)), reader(func([]byte) (int, error) { return 0, broken })), options(), 0, 2, func(Result) error {
		lines++
		return nil
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "after line 5") || lines != 5 {
		t.Errorf("%v after %d lines", err, lines)
	}
	ctx, cancel := context.WithCancel(context.Background())
	lines = 0
	err = Run(ctx, strings.NewReader(corpus(500)), options(), 0, 2, func(r Result) error {
		if lines++; lines == 3 {
			cancel()
		}
		if errors.Is(r.Err, context.Canceled) {
			t.Errorf("line %d is said to be bad: %v", r.Line, r.Err)
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || lines != 3 {
		t.Errorf("%v after %d lines", err, lines)
	}
	if got := run(t, "", 0, 2); got != nil {
		t.Errorf("%q", got)
	}
}

func TestUnreadableLines(t *testing.T) {
	var got []string
	err := Run(context.Background(), strings.NewReader("\xff\n{\"documents\": [\"One ferry was late.\"]}"), options(), 0, 2, func(r Result) error {
		got = append(got, fmt.Sprintf("%d %v %q", r.Line, r.Err, r.Raw))
		return nil
	})
	want := []string{`1 unreadable line: byte 1 (0xff) is not UTF-8 ""`, `2 <nil> ""`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestLine(t *testing.T) {
	o := options()
	o.Language = "en"
	seen := false
	o.Embed = func(_ context.Context, r *Record, own *core.Options) error {
		seen = len(r.Cluster.Documents[1].Sentences) == 2 && r.Cluster.Documents[0].Language == "en"
		own.Order = core.OrderRank
		return nil
	}
	line, err := o.Line(context.Background(), []byte(`{"id": "x<y", "references": [], "documents": ["Une phrase.", {"text": "🚢 late. The ferry left.", "title": "T", "source": "s", "language": "fr"}]}`))
	if err != nil || !seen || o.Order != "" {
		t.Fatalf("%s, %v, %v", line, err, seen)
	}
	if line[len(line)-1] != '\n' || strings.Count(string(line), "\n") != 1 || !strings.HasPrefix(string(line), `{"id":"x<y",`) {
		t.Errorf("%q", line)
	}
	var s Summary
	if err := json.Unmarshal(line, &s); err != nil {
		t.Fatal(err)
	}
	if d := s.Documents[1]; d.Title != "T" || d.Source != "s" || d.Sentences != 2 || d.Text != nil || d.Attention != nil {
		t.Errorf("%+v", d)
	}
	for raw, want := range map[string]string{
		`{"documents": [{"text": 1}]}`:                         "documents[0].text",
		`{"documents": ["a", {"text": "b", "language": "?"}]}`: "documents[1].language",
		`{"documents": [], "x": 1}`:                            "x",
		`{"id": [], "documents": []}`:                          "id",
		`{}`:                                                   "documents",
		`[]`:                                                   "object",
	} {
		if _, err := o.Line(context.Background(), []byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
	o.Ignore = []string{"keep", "url"}
	if _, err := o.Line(context.Background(), []byte(`{"keep": [1], "documents": [{"text": "One ferry.", "url": 1}, "Two ferries."]}`)); err != nil {
		t.Error(err)
	}
	if _, err := o.Line(context.Background(), []byte(`{"url": [1], "documents": [{"text": "One ferry.", "urls": 1}]}`)); err == nil || !strings.Contains(err.Error(), "documents[0].urls") {
		t.Error(err)
	}
	failing := errors.New("no encoder")
	o.Embed = func(context.Context, *Record, *core.Options) error { return failing }
	if _, err := o.Line(context.Background(), []byte(`{"documents": ["One ferry."]}`)); !errors.Is(err, failing) {
		t.Error(err)
	}
}
