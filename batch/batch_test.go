package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

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

// run gives what Run yields as lines: number, and summary or error. The places
// are those after each of them.
func run(t *testing.T, text string, after Place, workers int) (got []string, places []Place) {
	t.Helper()
	err := Run(context.Background(), strings.NewReader(text), options(), after, workers, func(r Result) error {
		if (r.Err == nil) != (r.Summary != nil) || (r.Err != nil) != (r.Raw != nil) {
			t.Errorf("line %d: %+v", r.Line, r)
		}
		if !strings.HasSuffix(text[:r.Offset], "\n") || strings.Count(text[:r.Offset], "\n") != r.Line {
			t.Errorf("line %d ends at byte %d", r.Line, r.Offset)
		}
		got = append(got, fmt.Sprintf("%d %s%v", r.Line, r.Summary, r.Err))
		places = append(places, r.Place)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, places
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
	var places []Place
	for _, workers := range []int{0, 1, 2, 9} {
		var got []string
		if got, places = run(t, text, Place{}, workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: %q, want %q", workers, got, want)
		}
	}
	for i, place := range places {
		got, rest := run(t, text, place, 2)
		if !slices.Equal(got, want[i+1:]) || !slices.Equal(rest, places[i+1:]) {
			t.Errorf("after line %d: %q, want %q", place.Line, got, want[i+1:])
		}
	}
}

func TestRunRefusesAnotherCorpus(t *testing.T) {
	text := corpus(60)
	_, places := run(t, text, Place{}, 2)
	after := places[30]
	for name, other := range map[string]string{
		"a word":      strings.Replace(text, "Ferry 3 left", "Ferry 3 lost", 1),
		"a line":      text[strings.Index(text, "\n")+1:],
		"shorter":     text[:strings.Index(text, `"id": 20`)],
		"empty":       "",
		"blank":       strings.Repeat("\n", 80),
		"blank there": strings.Join(append(append(strings.Split(text, "\n")[:after.Line-1], ""), strings.Split(text, "\n")[after.Line:]...), "\n"),
	} {
		err := Run(context.Background(), strings.NewReader(other), options(), after, 2, func(r Result) error {
			t.Errorf("%s: line %d is summarized", name, r.Line)
			return nil
		})
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What comes later may be anything.
	if got, _ := run(t, text+"{}\n", after, 2); len(got) != len(places)-31+1 {
		t.Errorf("%q", got)
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
	err := Run(context.Background(), endless, options(), Place{}, workers, func(Result) error {
		taken++
		// What was read and not yet taken: in order, with the workers, and in the
		// reader's hand.
		if in := given.Load() - taken; in > ahead+2*workers+2 {
			t.Errorf("%d lines are kept", in)
		}
		if taken == 2*ahead {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
	// By bytes too: lines of half the room leave space for two.
	r := newRoom(100)
	r.take(context.Background(), 50)
	r.take(context.Background(), 50)
	third := make(chan struct{})
	go func() {
		r.take(context.Background(), 50)
		close(third)
	}()
	select {
	case <-third:
		t.Error("a third one came in")
	default:
	}
	r.swap(50, 70) // a summary that is longer than its line keeps it out
	select {
	case <-third:
		t.Error("a third one came in")
	default:
	}
	r.swap(70, 0)
	<-third
	// One that is longer than all the room comes in alone, and a wait can be cut off.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.take(ctx, 200)
}

// TestRunGoesOnBesideASlowLine lets the first line wait for a thousand others.
func TestRunGoesOnBesideASlowLine(t *testing.T) {
	const n = 1000
	o := options()
	var others sync.WaitGroup
	others.Add(n)
	o.Embed = func(_ context.Context, s *core.Session, _ *core.Options) error {
		if s.Documents()[0].Text == "The first ferry was late." {
			others.Wait()
		} else {
			others.Done()
		}
		return nil
	}
	text := `{"id": 1, "documents": ["The first ferry was late."]}` + "\n" + strings.Repeat(`{"documents": ["One ferry was late."]}`+"\n", n)
	lines := 0
	err := Run(context.Background(), strings.NewReader(text), o, Place{}, 2, func(r Result) error {
		if lines++; r.Line != lines {
			t.Errorf("line %d, want %d", r.Line, lines)
		}
		return r.Err
	})
	if err != nil || lines != n+1 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

func TestAFaultIsItsLinesAlone(t *testing.T) {
	o := options()
	o.Embed = func(_ context.Context, s *core.Session, _ *core.Options) error {
		if strings.Contains(s.Texts()[0], "Ferry 2") {
			var none []int
			_ = none[len(s.Texts())]
		}
		return nil
	}
	var got []string
	err := Run(context.Background(), strings.NewReader(corpus(3)), o, Place{}, 2, func(r Result) error {
		got = append(got, fmt.Sprint(r.Line, errors.Is(r.Err, ErrPanic), r.Summary != nil))
		return nil
	})
	if want := []string{"1 false true", "2 true false", "3 false true"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestRefused(t *testing.T) {
	long := errors.New(strings.Repeat("é\n", 500))
	r := NewRefused("corpus.jsonl", 7, long, []byte("x"))
	if len(r.Error) > longest+len("…") || !utf8.ValidString(r.Error) || strings.Contains(r.Error, "\n") || !strings.HasSuffix(r.Error, "…") {
		t.Errorf("%q", r.Error)
	}
	line, err := Marshal(NewRefused("corpus.jsonl", 7, errors.New("no text"), nil))
	if want := `{"file":"corpus.jsonl","line":7,"error":"no text","raw":null}` + "\n"; err != nil || string(line) != want {
		t.Errorf("%s, %v, want %s", line, err, want)
	}
}

// TestLanguageTags: the answer of the core, for a document and for all.
func TestLanguageTags(t *testing.T) {
	for _, tag := range []string{
		"", "pt", "PT", "pt-BR", "pt_BR", "por", "eng", "und", "zh-Hant-TW", "fil", "no", "nn", "iw",
		"p", "english", "p1", "-BR", "pt-", " pt", "português", strings.Repeat("en-", 33) + "xx",
	} {
		code, want := core.ParseLanguage(tag)
		raw, err := json.Marshal(map[string]any{"documents": []any{map[string]any{"text": "One ferry was late.", "language": tag}}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Parse(raw, "", true)
		switch {
		case want != nil:
			if !errors.Is(err, core.ErrOption) || err.Error() != "documents[0].language: "+want.Error() {
				t.Errorf("%q: %v, want %v", tag, err, want)
			}
		case err != nil || r.Documents[0].Language != code:
			t.Errorf("%q: %+v, %v, want %q", tag, r, err, code)
		}
		// The language of the whole corpus goes before, but a malformed tag is refused.
		if r, err := Parse(raw, "de", true); (err == nil) != (want == nil) || err == nil && r.Documents[0].Language != "de" {
			t.Errorf("%q under de: %+v, %v", tag, r, err)
		}
	}
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestRunEnds(t *testing.T) {
	broken := errors.New("the disk is gone")
	lines := 0
	err := Run(context.Background(), io.MultiReader(strings.NewReader(corpus(5)), reader(func([]byte) (int, error) { return 0, broken })), options(), Place{}, 2, func(Result) error {
		lines++
		return nil
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "after line 5") || lines != 5 {
		t.Errorf("%v after %d lines", err, lines)
	}
	ctx, cancel := context.WithCancel(context.Background())
	lines = 0
	err = Run(ctx, strings.NewReader(corpus(500)), options(), Place{}, 2, func(r Result) error {
		if lines++; lines == 3 {
			cancel()
		}
		if errors.Is(r.Err, context.Canceled) {
			t.Errorf("line %d is reported as bad: %v", r.Line, r.Err)
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || lines != 3 {
		t.Errorf("%v after %d lines", err, lines)
	}
	if got, _ := run(t, "", Place{}, 2); got != nil {
		t.Errorf("%q", got)
	}
}

func TestUnreadableLines(t *testing.T) {
	var got []string
	o := options()
	o.MaxLine = 50
	err := Run(context.Background(), strings.NewReader("\xff\n{\"documents\": [\"One ferry was late.\"]}\n\""+strings.Repeat("x", 50)), o, Place{}, 2, func(r Result) error {
		got = append(got, fmt.Sprintf("%d %v %q", r.Line, r.Err, r.Raw))
		return nil
	})
	want := []string{`1 unreadable line: invalid UTF-8 at byte 1 (0xff) ""`, `2 <nil> ""`, `3 unreadable line: want at most 50 bytes ""`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestLine(t *testing.T) {
	o := options()
	o.Language = "en"
	seen := false
	o.Embed = func(_ context.Context, s *core.Session, own *core.Options) error {
		seen = len(s.Documents()[1].Sentences) == 2 && s.Documents()[0].Language == "en"
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
		`{"id": [], "documents": []}`:                          "id",
		`{}`:                                                   "documents",
		`[]`:                                                   "object",
	} {
		if _, err := o.Line(context.Background(), []byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
	failing := errors.New("no encoder")
	o.Embed = func(context.Context, *core.Session, *core.Options) error { return failing }
	if _, err := o.Line(context.Background(), []byte(`{"documents": ["One ferry."]}`)); !errors.Is(err, failing) {
		t.Error(err)
	}
}
