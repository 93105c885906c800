package protocol

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/core"
)

// open is a request to open English documents.
func open(texts ...string) map[string]any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = map[string]any{"text": text, "language": "en"}
	}
	return map[string]any{"kind": "open", "id": 8.0, "documents": list}
}

// ask sends a request and checks the kind of the reply, and that it repeats the id.
func ask(t *testing.T, s *Server, kind string, request map[string]any) map[string]any {
	t.Helper()
	reply := s.Handle(context.Background(), request, nil).(map[string]any)
	if reply["kind"] != kind || reply["id"] != request["id"] {
		t.Fatalf("%v: got %v, want %s", request, reply, kind)
	}
	return reply
}

func summarizing(session float64, options map[string]any) map[string]any {
	return map[string]any{"kind": "summarize", "id": 11.0, "session": session, "options": options}
}

func hello(t *testing.T, s *Server) {
	t.Helper()
	same(t, s.Handle(context.Background(), map[string]any{"kind": "hello", "protocol": 9.0}, nil),
		map[string]any{"kind": "hello", "protocol": 9.0, "version": core.Version})
}

func TestHelloMustComeFirst(t *testing.T) {
	var s Server
	request := map[string]any{"kind": "info", "id": 8.0}
	same(t, s.Handle(context.Background(), request, nil), map[string]any{
		"kind": "error", "id": 8.0, "code": "protocol", "field": "kind", "message": "kind: the first message must be hello"})
	refused := s.Handle(context.Background(), map[string]any{"kind": "hello", "protocol": 2.0}, nil).(map[string]any)
	if refused["kind"] != "error" || s.greeted {
		t.Errorf("another protocol was let in: %v", refused)
	}
	hello(t, &s)
	reply := ask(t, &s, "info", request)
	methods := reply["methods"].([]any)
	if first := methods[0].(map[string]any); first["name"] != "auto" || len(methods) != len(core.Methods()) {
		t.Errorf("methods: %v", methods)
	}
	if languages := reply["languages"].([]any); len(languages) != len(core.Languages()) || !slices.Contains(languages, any("pt")) {
		t.Errorf("languages: %v", languages)
	}
}

// TestSession runs all requests of a session while another one is open.
func TestSession(t *testing.T) {
	s := Server{greeted: true}
	documents := []string{"The ferry left the quay late. Nobody was hurt. A chain had caught in its screw.", "A chain held the ferry. Divers cut it loose."}
	reply := ask(t, &s, "opened", open(documents...))
	other := ask(t, &s, "opened", open("Something else. It is short."))
	if reply["session"] != 1.0 || other["session"] != 2.0 {
		t.Fatalf("sessions %v and %v", reply["session"], other["session"])
	}
	same(t, reply["documents"], []any{
		map[string]any{"language": "en", "sentences": 3.0},
		map[string]any{"language": "en", "sentences": 2.0},
	})
	same(t, reply["offsets"], []uint32{0, 29, 30, 46, 47, 79, 0, 23, 24, 44})
	if methods := reply["embeddable"].([]any); slices.Contains(methods, any("auto")) || !slices.Contains(methods, any("mean")) || slices.Contains(methods, any("lead")) {
		t.Errorf("embeddable in one language: %v", methods)
	}

	// The documents of core.Summarize.
	plain := make([]core.Document, len(documents))
	for i, text := range documents {
		plain[i] = core.Document{Text: text, Language: "en"}
	}
	for _, budget := range []int{3, 1, 2} {
		want, err := core.Summarize(t.Context(), plain, core.Options{Budget: core.Budget{Amount: budget, Unit: core.Sentences}})
		if err != nil {
			t.Fatal(err)
		}
		got := ask(t, &s, "summary", summarizing(1, map[string]any{"budget": map[string]any{"sentences": float64(budget)}}))["summary"].(map[string]any)
		expected := summaryReply(0, want, stageTimes{})["summary"].(map[string]any)
		expected["timings"] = got["timings"]
		same(t, got, expected)
	}

	// Rows of zeros for all but "Nobody was hurt."
	hybrid := summarizing(1, map[string]any{"method": "mean", "budget": map[string]any{"sentences": 1.0}})
	lexical := ask(t, &s, "summary", hybrid)
	embed := map[string]any{"kind": "embed", "id": 10.0, "session": 1.0, "embeddings": []float32{0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "dimensions": 2.0}
	same(t, ask(t, &s, "embedded", embed), map[string]any{"kind": "embedded", "id": 10.0})
	first := ask(t, &s, "summary", hybrid)["summary"].(map[string]any)["sentences"].([]any)
	if quoted := first[0].(map[string]any); quoted["document"] != 0.0 || quoted["sentence"] != 1.0 {
		t.Errorf("embedded: %v", first)
	}
	// Embeddings restricted to other languages leave no row.
	embed["languages"] = []any{"pt"}
	ask(t, &s, "embedded", embed)
	again := ask(t, &s, "summary", hybrid)
	lexical["summary"].(map[string]any)["timings"] = again["summary"].(map[string]any)["timings"]
	same(t, again, lexical)

	closing := map[string]any{"kind": "close", "id": 12.0, "session": 1.0}
	same(t, ask(t, &s, "closed", closing), map[string]any{"kind": "closed", "id": 12.0})
	for _, request := range []map[string]any{closing, embed, hybrid} {
		reply := ask(t, &s, "error", request)
		if reply["code"] != "session" || reply["field"] != "session" || reply["message"] != "session: no session 1" {
			t.Errorf("%v of a closed session: %v", request["kind"], reply)
		}
	}
	ask(t, &s, "summary", summarizing(2, nil))
	if reply := ask(t, &s, "opened", open("Again.")); reply["session"] != 3.0 || len(s.sessions) != 2 {
		t.Errorf("session %v, %d open: numbers are not used twice", reply["session"], len(s.sessions))
	}
}

// TestManySessions: a closed session no longer exists.
func TestManySessions(t *testing.T) {
	s := Server{greeted: true}
	for i := range 500 {
		number := float64(i + 1)
		if reply := ask(t, &s, "opened", open("One ferry was late. Nobody knew.")); reply["session"] != number {
			t.Fatalf("session %v, want %v", reply["session"], number)
		}
		ask(t, &s, "summary", summarizing(number, map[string]any{"method": "lead"}))
		ask(t, &s, "closed", map[string]any{"kind": "close", "id": 2.0, "session": number})
	}
	if len(s.sessions) != 0 {
		t.Errorf("%d sessions", len(s.sessions))
	}
}

// TestOptionsAreRefusedAtOpen: before the documents are read.
func TestOptionsAreRefusedAtOpen(t *testing.T) {
	s := Server{greeted: true, open: func(context.Context, []core.Document, core.OpenOptions) (*core.Session, error) {
		t.Error("the documents were opened")
		return nil, core.ErrNoText
	}}
	for field, options := range map[string]map[string]any{
		"options.queryWeight":    {"query": "boats", "queryWeight": 1.5},
		"options.queryEmbedding": {"queryEmbedding": []float32{1}},
		"options.method":         {"method": "magic"},
		"options.budget.words":   {"budget": map[string]any{"words": 0.0}},
		"options.order":          {"order": ""},
		"options.licence":        {"licence": "mine"},
		"options.patience":       {"patience": 0.0},
		"options.colour":         {"colour": "red"},
	} {
		request := open()
		request["options"] = options
		reply := ask(t, &s, "error", request)
		if reply["code"] != "option" || reply["field"] != field || !strings.HasPrefix(reply["message"].(string), field+": ") {
			t.Errorf("%v: %v", options, reply)
		}
	}
	// Options that depend on the embeddings are checked once those are known.
	s.open = nil
	request := open("One ferry was late.")
	request["options"] = map[string]any{"method": "hybrid", "denseWeight": 0.5}
	ask(t, &s, "opened", request)
}

func TestTitlesAndLanguages(t *testing.T) {
	s := Server{greeted: true}
	request := map[string]any{
		"kind": "open", "id": 3.0, "titles": true, "languages": []any{"eng"},
		"documents": []any{
			map[string]any{"text": "The ferry left. Nobody was late.", "title": "Ferry on time", "language": "en-GB"},
			map[string]any{"text": "O barco partiu. Ninguém se atrasou.", "title": "O barco", "language": "pt"},
			map[string]any{"text": "…", "language": "und"},
		},
	}
	reply := ask(t, &s, "opened", request)
	same(t, reply["documents"], []any{
		map[string]any{"language": "en", "sentences": 2.0},
		map[string]any{"language": "pt", "sentences": 0.0},
		map[string]any{"language": "", "sentences": 0.0},
		map[string]any{"language": "en", "sentences": 1.0},
		map[string]any{"language": "pt", "sentences": 0.0},
	})
	same(t, reply["offsets"], []uint32{0, 15, 16, 32, 0, 13})
}

func TestErrorsOfTheCore(t *testing.T) {
	for _, test := range []struct {
		err   error
		code  Code
		field any
	}{
		{&core.OptionError{Name: "documents[2].language", Message: "want a language tag"}, CodeOption, "documents[2].language"},
		{fmt.Errorf("cluster 4: %w", core.ErrNoText), CodeEmpty, nil},
		{errors.New("a leg fell off"), CodeInternal, nil},
		{context.Canceled, CodeInternal, nil},
	} {
		s := Server{open: func(context.Context, []core.Document, core.OpenOptions) (*core.Session, error) { return nil, test.err }}
		hello(t, &s)
		want := map[string]any{"kind": "error", "id": 8.0, "code": string(test.code), "message": test.err.Error()}
		if test.field != nil {
			want["field"] = test.field
		}
		same(t, s.Handle(context.Background(), open("One."), nil), want)
		if len(s.sessions) != 0 {
			t.Errorf("%v: a session was opened", test.err)
		}
	}
	// A context that has ended.
	s := Server{greeted: true}
	ask(t, &s, "opened", open("One ferry was late."))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reply := s.Handle(ctx, summarizing(1, nil), nil).(map[string]any)
	if reply["kind"] != "error" || reply["code"] != "internal" || reply["id"] != 11.0 {
		t.Errorf("cancelled: %v", reply)
	}
	if reply := ask(t, &s, "opened", open("")); len(reply["documents"].([]any)) != 1 {
		t.Errorf("no text: %v", reply)
	}
	if reply := ask(t, &s, "error", summarizing(2, nil)); reply["code"] != "empty" {
		t.Errorf("no text: %v", reply)
	}
}

func TestPanicBecomesReply(t *testing.T) {
	s := Server{open: func(context.Context, []core.Document, core.OpenOptions) (*core.Session, error) { panic("ouch") }}
	hello(t, &s)
	same(t, s.Handle(context.Background(), open("One."), nil),
		map[string]any{"kind": "error", "id": 8.0, "code": "internal", "message": "panic: ouch"})
	// The server goes on, and so do its sessions.
	s.open = nil
	ask(t, &s, "info", map[string]any{"kind": "info", "id": 9.0})
	ask(t, &s, "opened", open("One ferry was late."))
	s.open = func(context.Context, []core.Document, core.OpenOptions) (*core.Session, error) {
		panic(errors.New("again"))
	}
	if reply := ask(t, &s, "error", open("Two.")); reply["message"] != "panic: again" {
		t.Errorf("%v", reply)
	}
	ask(t, &s, "summary", summarizing(1, nil))
}

func TestProgressIsThinnedAndTimed(t *testing.T) {
	at := time.Unix(0, 0)
	wait := func(ms int) { at = at.Add(time.Duration(ms) * time.Millisecond) }
	s := Server{
		now: func() time.Time { return at },
		open: func(ctx context.Context, documents []core.Document, o core.OpenOptions) (*core.Session, error) {
			o.Progress("split", 0, 1)
			wait(30)
			o.Progress("split", 1, 1) // too soon: dropped
			wait(20)
			o.Progress("encode", 0, 2) // these 20 ms still count for split
			wait(60)
			o.Progress("encode", 1, 2)
			wait(10)
			o.Progress("encode", 2, 2) // dropped
			wait(100)                  // the time after the last report counts for its stage
			return core.Open(ctx, documents, core.OpenOptions{})
		},
	}
	hello(t, &s)
	var posted []string
	handle := func(request map[string]any) map[string]any {
		posted = nil
		return s.Handle(context.Background(), request, func(m any) {
			p := m.(map[string]any)
			posted = append(posted, fmt.Sprint(p["kind"], " ", p["id"], " ", p["stage"], " ", p["done"], " ", p["total"]))
		}).(map[string]any)
	}
	reply := handle(open("One ferry was late."))
	if want := []string{"progress 8 split 0 1", "progress 8 encode 0 2", "progress 8 encode 1 2"}; !slices.Equal(posted, want) {
		t.Errorf("got %q\nwant %q", posted, want)
	}
	same(t, reply["timings"], map[string]any{"split": 50.0, "encode": 170.0})

	// A summary is selection alone. The clock stands still, so that its second
	// report is dropped.
	reply = handle(summarizing(1, nil))
	if want := []string{"progress 11 select 0 1"}; !slices.Equal(posted, want) {
		t.Errorf("got %q\nwant %q", posted, want)
	}
	same(t, reply["summary"].(map[string]any)["timings"], map[string]any{"select": 0.0})
	// The real clock, and no listener.
	s.now = nil
	ask(t, &s, "summary", summarizing(1, nil))
}

// TestStages: the time since the last report counts for the stage of that report, or for
// the new stage if a part of it is already done.
func TestStages(t *testing.T) {
	at := time.Unix(0, 0)
	s := newStages(func() time.Time { return at }, 1, "split", nil)
	for _, step := range []struct {
		ms          int
		stage       string
		done, total int
	}{{0, "split", 0, 1}, {50, "encode", 0, 2}, {60, "encode", 1, 2}, {110, "select", 1, 1}} {
		at = at.Add(time.Duration(step.ms) * time.Millisecond)
		s.report(step.stage, step.done, step.total)
	}
	at = at.Add(5 * time.Millisecond)
	if got, want := s.finish(), (stageTimes{split: 50, encode: 60, selection: 115}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestLanguageTags: tags of documents and in the list of languages are read like in the
// core.
func TestLanguageTags(t *testing.T) {
	for _, tag := range []string{
		"", "pt", "PT", "pt-BR", "pt_BR", "por", "eng", "und", "zh-Hant-TW", "fil", "no", "nn", "iw",
		"p", "portuguese", "p1", "-BR", "pt-", " pt", "português", strings.Repeat("en-", 33) + "xx",
	} {
		code, err := core.ParseLanguage(tag)
		s := Server{greeted: true}
		request := open("One ferry was late. Nobody knew why.")
		request["documents"].([]any)[0].(map[string]any)["language"] = tag
		reply := s.Handle(context.Background(), request, nil).(map[string]any)
		if err != nil {
			if reply["kind"] != "error" || reply["field"] != "documents[0].language" || !strings.HasSuffix(reply["message"].(string), ": "+err.Error()) {
				t.Errorf("%q: %v, want %v", tag, reply, err)
			}
			continue
		}
		if code == "" {
			code = "en" // detected
		}
		if reply["kind"] != "opened" || reply["documents"].([]any)[0].(map[string]any)["language"] != code {
			t.Errorf("%q: %v, want %q", tag, reply, code)
		}
	}
}
