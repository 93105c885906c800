package protocol

import (
	"context"
	"embed"
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/options"
)

// The tests in js/tests read the same fixtures. They are embedded, since the folder
// cannot always be read under js/wasm.
//
//go:embed testdata/*.json
var fixtures embed.FS

type fixture struct {
	Name    string
	Message any
	// Error is the reply to an invalid request, Reply the kind of the reply to a valid one.
	Error any
	Reply string
}

func readFixtures(t *testing.T, name string) []fixture {
	t.Helper()
	data, err := fixtures.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []fixture
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i := range list {
		list[i].Message = revive(list[i].Message)
	}
	if len(list) == 0 {
		t.Fatalf("%s holds no fixture", name)
	}
	return list
}

// revive turns {"$float32": [1, 2]} into a []float32, {"$uint32": [1, 2]} into a []uint32
// and {"$uint8": [1, 2]} into a []byte, here and below.
func revive(tree any) any {
	switch t := tree.(type) {
	case []any:
		for i := range t {
			t[i] = revive(t[i])
		}
	case map[string]any:
		if list, ok := t["$float32"].([]any); ok {
			return converted[float32](list)
		}
		if list, ok := t["$uint32"].([]any); ok {
			return converted[uint32](list)
		}
		if list, ok := t["$uint8"].([]any); ok {
			return converted[byte](list)
		}
		for name := range t {
			t[name] = revive(t[name])
		}
	}
	return tree
}

func converted[T float32 | uint32 | byte](list []any) []T {
	numbers := make([]T, len(list))
	for i, v := range list {
		numbers[i] = T(v.(float64))
	}
	return numbers
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, _ := json.MarshalIndent(got, "", " ")
	w, _ := json.MarshalIndent(want, "", " ")
	t.Errorf("got %s\nwant %s", g, w)
}

// encodeRequest is the inverse of DecodeRequest. Like the page, it leaves out fields
// that are not set.
func encodeRequest(r Request) map[string]any {
	m := map[string]any{"id": float64(r.requestID())}
	switch r := r.(type) {
	case Hello:
		return map[string]any{"kind": "hello", "protocol": float64(r.Protocol)}
	case InfoRequest:
		m["kind"] = "info"
	case OpenRequest:
		m["kind"] = "open"
		list := []any{}
		for _, d := range r.Documents {
			o := map[string]any{"text": d.Text}
			set(o, "title", d.Title)
			set(o, "source", d.Source)
			set(o, "language", d.Language)
			set(o, "date", d.Date)
			if d.Blocks != nil {
				o["blocks"] = triples(d.Text, d.Blocks)
			}
			list = append(list, o)
		}
		m["documents"] = list
		if r.Languages != nil {
			m["languages"] = texts(r.Languages)
		}
		if r.Titles {
			m["titles"] = true
		}
		if o := encodeOptions(r.Options); len(o) > 0 {
			m["options"] = o
		}
	case EmbedRequest:
		m["kind"], m["session"] = "embed", float64(r.Session)
		m["embeddings"], m["dimensions"] = r.Embeddings.Data, float64(r.Embeddings.Dimensions)
		if r.Embeddings.Languages != nil {
			m["languages"] = texts(r.Embeddings.Languages)
		}
	case ToEmbedRequest:
		m["kind"], m["session"], m["tokens"] = "toEmbed", float64(r.Session), float64(r.Tokens)
	case TokenizeRequest:
		m["kind"], m["texts"] = "tokenize", texts(r.Texts)
		if r.Asks {
			m["asks"] = true
		}
		if r.Vocabulary != nil {
			m["vocabulary"] = r.Vocabulary
		}
	case SummarizeRequest:
		m["kind"], m["session"], m["options"] = "summarize", float64(r.Session), encodeOptions(r.Options)
	case CloseRequest:
		m["kind"], m["session"] = "close", float64(r.Session)
	}
	return m
}

// triples is the inverse of core.DecodeBlocks.
func triples(text string, blocks []core.Block) []any {
	units := func(end int) float64 { return float64(len(utf16.Encode([]rune(text[:end])))) }
	list := make([]any, len(blocks))
	for i, b := range blocks {
		list[i] = []any{units(b.Start), units(b.End), b.Kind.String()}
	}
	return list
}

func set(m map[string]any, name, value string) {
	if value != "" {
		m[name] = value
	}
}

func encodeOptions(from core.Options) map[string]any {
	o := map[string]any{}
	list := options.List()
	for k := range list {
		i := &list[k]
		text := i.Text(&from)
		switch {
		case text == "":
		case i.Kind() == options.Budget:
			o[i.Name] = map[string]any{string(from.Budget.Unit): float64(from.Budget.Amount)}
		case i.Kind() == options.Tags:
			o[i.Name] = texts(from.QuoteLanguages)
		case i.Kind() == options.Boolean:
			o[i.Name], _ = strconv.ParseBool(text)
		case i.Kind() == options.Integer || i.Kind() == options.Number:
			o[i.Name], _ = strconv.ParseFloat(text, 64)
		default:
			o[i.Name] = text
		}
	}
	if v := from.QueryEmbedding; v != nil {
		o["queryEmbedding"] = v
	}
	if w := from.Weights; w != nil {
		o["weights"] = map[string]any{
			"dimensions": float64(w.Dimensions), "positions": float64(w.Positions),
			"interpolation": w.Interpolation, "data": w.Data,
		}
	}
	return o
}

// TestRequestFixtures sends the requests to one server, in order: sessions are numbered
// in the order of the open requests.
func TestRequestFixtures(t *testing.T) {
	var server Server
	named := map[string]bool{}
	for _, f := range readFixtures(t, "requests.json") {
		t.Run(f.Name, func(t *testing.T) {
			r, err := DecodeRequest(f.Message)
			if err != nil {
				t.Fatal(err)
			}
			same(t, encodeRequest(r), f.Message)
			if r, ok := r.(SummarizeRequest); ok {
				for name := range encodeOptions(r.Options) {
					named[name] = true
				}
			}
			if reply := server.Handle(context.Background(), f.Message, nil).(map[string]any); reply["kind"] != f.Reply {
				t.Errorf("got %v, want %s", reply, f.Reply)
			}
		})
	}
	for _, option := range options.List() {
		if !named[option.Name] {
			t.Errorf("no fixture has the option %s", option.Name)
		}
	}
}

// TestBadRequestFixtures sends each request to a server whose session 1 has one
// document of two sentences, without embeddings.
func TestBadRequestFixtures(t *testing.T) {
	for _, f := range readFixtures(t, "bad-requests.json") {
		t.Run(f.Name, func(t *testing.T) {
			s := Server{greeted: true}
			s.Handle(context.Background(), open("One. Two."), nil)
			same(t, s.Handle(context.Background(), f.Message, nil), f.Error)
			if len(s.sessions) != 1 {
				t.Errorf("%d sessions", len(s.sessions))
			}
		})
	}
}

func TestReplyFixtures(t *testing.T) {
	summary := &core.Summary{
		Text: "🚢 The ferry sank.", Method: "salience", Budget: core.DefaultBudget, Used: 3, Score: 0.75,
		Sentences: []core.Quote{{
			Ref: core.Ref{Document: 0, Sentence: 1}, Sentence: core.Sentence{Text: "🚢 The ferry sank.", Start: 7, End: 27, StartUTF16: 7, EndUTF16: 25}, Score: 0.5, Gain: 0.75,
			Similar: []core.Similar{{Ref: core.Ref{Document: 1, Sentence: 0}, Cosine: 0.875}},
			Context: []core.Ref{{Document: 0, Sentence: 0}},
		}},
		Disagreements: []core.Disagreement{
			{What: "injured", Update: true, Values: []core.DisagreementValue{
				{Value: "14", Span: cluster.Span{Document: 0, Start: 30, End: 32, StartUTF16: 28, EndUTF16: 30}},
				{Value: "sixteen", Span: cluster.Span{Document: 1, Start: 4, End: 11, StartUTF16: 4, EndUTF16: 11}},
			}},
		},
		Documents: []core.DocumentReport{
			{Source: "a.txt", Title: "A", Language: "en", Sentences: 2, Chosen: 1, Coverage: 0.625, Attention: []float64{0.25, 0.75}},
			{Sentences: 0, Attention: []float64{}},
		},
	}
	unweighed := &core.Summary{
		Text: "Hello.", Method: "lead", Budget: core.Budget{Amount: 1, Unit: core.Sentences}, Used: 1, OverBudget: true,
		Sentences: []core.Quote{{Sentence: core.Sentence{Text: "Hello."}}},
		Documents: []core.DocumentReport{{Sentences: 2, Chosen: 1, Coverage: 0.5}},
	}
	session := opened(t,
		core.Document{Language: "pt", Sentences: []core.Sentence{{Text: "O barco.", EndUTF16: 10}, {Text: "Partiu.", StartUTF16: 11, EndUTF16: 23}}},
		core.Document{},
		core.Document{Language: "en", Sentences: []core.Sentence{{Text: "🚢", EndUTF16: 2}, {Text: "The ferry sank.", StartUTF16: 3, EndUTF16: 18}}},
	)
	built := map[string]any{
		"info": infoReply(1, []core.MethodInfo{
			{Name: "auto", Title: "Automatic", Description: "The best method for what is loaded.", Embeddings: core.EmbeddingsOptional, Query: true, Fill: true, AcrossLanguages: true},
			{Name: "instant", Title: "Instant", Description: "Needs no model.", Embeddings: core.EmbeddingsNone, Query: true},
			{Name: "hybrid", Title: "Hybrid", Description: "Needs a model.", Embeddings: core.EmbeddingsRequired},
			{Name: "cerai", Title: "CeRAI", Description: "Needs a model and weights.", Embeddings: core.EmbeddingsRequired, Weights: core.WeightsRequired},
		}, []string{"en", "pt"}),
		"opened":              openedReply(2, 3, session, stageTimes{split: 1.5, encode: 2, selection: 7}),
		"opened without text": openedReply(3, 4, opened(t), stageTimes{}),
		"embedded":            plainReply("embedded", 4),
		"sentences to embed":  toEmbedReply(8, []int{0, 2, 3}),
		"tokenized":           tokenizedReply(9, []uint32{0, 15, 14, 2}, []uint32{4, 0}, 1),
		"summary":             summaryReply(5, summary, stageTimes{selection: 0.25}),
		"summary of a method that weighs no sentences": summaryReply(6, unweighed, stageTimes{}),
		"closed":             plainReply("closed", 7),
		"progress":           progressReply(3, "encode", 5, 10),
		"error of a field":   errorReply(&Error{CodeOption, 4, "options.order", `options.order: want story, document or rank, got "random"`}),
		"error of a session": errorReply(&Error{CodeSession, 5, "session", "session: no session 9"}),
		"error of no field":  errorReply(toError(6, core.ErrNoText)),
	}
	list := readFixtures(t, "replies.json")
	if len(list) != len(built) {
		t.Errorf("%d fixtures for %d replies", len(list), len(built))
	}
	for _, f := range list {
		t.Run(f.Name, func(t *testing.T) { same(t, built[f.Name], f.Message) })
	}
}

func opened(t *testing.T, documents ...core.Document) *core.Session {
	t.Helper()
	s, err := core.Open(context.Background(), documents, core.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
