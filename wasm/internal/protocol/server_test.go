package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

func hello(t *testing.T, s *Session) {
	t.Helper()
	same(t, s.Handle(context.Background(), map[string]any{"kind": "hello", "protocol": 4.0}, nil),
		map[string]any{"kind": "hello", "protocol": 4.0, "version": core.Version})
}

func ask(kind string, text string) map[string]any {
	return map[string]any{"kind": kind, "id": 8.0, "documents": []any{map[string]any{"text": text}}}
}

func TestHelloMustComeFirst(t *testing.T) {
	var s Session
	request := map[string]any{"kind": "methods", "id": 8.0}
	same(t, s.Handle(context.Background(), request, nil), map[string]any{
		"kind": "error", "id": 8.0, "code": "protocol", "field": "kind", "message": "kind: the first message must be hello"})
	refused := s.Handle(context.Background(), map[string]any{"kind": "hello", "protocol": 2.0}, nil).(map[string]any)
	if refused["kind"] != "error" || s.greeted {
		t.Errorf("another protocol was let in: %v", refused)
	}
	hello(t, &s)
	reply := s.Handle(context.Background(), request, nil).(map[string]any)
	if reply["kind"] != "methods" || reply["id"] != 8.0 {
		t.Errorf("after hello: %v", reply)
	}
	methods := reply["methods"].([]any)
	if first := methods[0].(map[string]any); first["name"] != "auto" || len(methods) != len(core.Methods()) {
		t.Errorf("methods: %v", methods)
	}
}

func TestErrorsOfTheCore(t *testing.T) {
	for _, test := range []struct {
		err  error
		code Code
	}{
		{fmt.Errorf("%w: budget of 3 bananas", core.ErrOption), CodeOption},
		{fmt.Errorf("cluster 4: %w", core.ErrNoText), CodeEmpty},
		{errors.New("a leg fell off"), CodeInternal},
		{context.Canceled, CodeInternal},
	} {
		s := Session{engine: &engine{
			prepare:   func(context.Context, *cluster.Cluster) error { return test.err },
			summarize: func(context.Context, *cluster.Cluster, core.Options) (*core.Summary, error) { return nil, test.err },
		}}
		hello(t, &s)
		want := map[string]any{"kind": "error", "id": 8.0, "code": string(test.code), "message": test.err.Error()}
		same(t, s.Handle(context.Background(), ask("split", "One."), nil), want)
		same(t, s.Handle(context.Background(), ask("summarize", "One."), nil), want)
	}
}

func TestPanicBecomesReply(t *testing.T) {
	s := Session{engine: &engine{
		prepare: func(context.Context, *cluster.Cluster) error { panic("ouch") },
	}}
	hello(t, &s)
	same(t, s.Handle(context.Background(), ask("split", "One."), nil),
		map[string]any{"kind": "error", "id": 8.0, "code": "internal", "message": "panic: ouch"})
	// The session goes on.
	reply := s.Handle(context.Background(), map[string]any{"kind": "methods", "id": 9.0}, nil).(map[string]any)
	if reply["kind"] != "methods" {
		t.Errorf("after a panic: %v", reply)
	}
}

func TestProgressIsThinnedAndTimed(t *testing.T) {
	at := time.Unix(0, 0)
	wait := func(ms int) { at = at.Add(time.Duration(ms) * time.Millisecond) }
	s := Session{
		now: func() time.Time { return at },
		engine: &engine{summarize: func(_ context.Context, c *cluster.Cluster, o core.Options) (*core.Summary, error) {
			o.Progress("split", 0, 1)
			wait(30)
			o.Progress("split", 1, 1) // too soon: dropped
			wait(20)
			o.Progress("encode", 0, 2) // those 20 ms are still the splitting's
			wait(60)
			o.Progress("encode", 1, 2)
			wait(10)
			o.Progress("encode", 2, 2) // dropped
			wait(100)
			o.Progress("select", 1, 1) // already done: the 100 ms are its own
			wait(5)
			return &core.Summary{}, nil
		}},
	}
	hello(t, &s)
	var posted []string
	reply := s.Handle(context.Background(), ask("summarize", "One."), func(m any) {
		p := m.(map[string]any)
		posted = append(posted, fmt.Sprint(p["kind"], p["id"], p["stage"], p["done"], p["total"]))
	}).(map[string]any)
	want := "progress8split01 progress8encode02 progress8encode12 progress8select11"
	if got := strings.ReplaceAll(strings.Join(posted, ","), " ", ""); got != strings.ReplaceAll(want, " ", ",") {
		t.Errorf("got %s\nwant %s", got, want)
	}
	same(t, reply["summary"].(map[string]any)["timings"], map[string]any{"split": 50.0, "encode": 70.0, "select": 105.0})
}

func TestLanguageTags(t *testing.T) {
	for tag, want := range map[string]string{
		"": "", "pt": "pt", "PT": "pt", "pt-BR": "pt", "zh-Hant-TW": "zh", "fil": "fil",
		"p": "!", "portuguese": "!", "p1": "!", "-BR": "!", "pt-": "!", "pt_BR": "!", " pt": "!", "português": "!",
	} {
		d := decoder{}
		got := d.language(tag, "language")
		if d.err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", tag, got, want)
		}
	}
}
