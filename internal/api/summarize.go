package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/options"
)

// documents holds the documents of a request, in the format of package batch.
type documents struct {
	raw      json.RawMessage
	id       json.RawMessage
	language string
}

func (d *documents) members() jsonl.Members {
	return jsonl.Members{
		"documents": func(v json.RawMessage) error { d.raw = v; return nil },
		"language": func(v json.RawMessage) error {
			tag, err := jsonl.String(v)
			if err != nil {
				return err
			}
			d.language, err = core.ParseLanguage(tag)
			return err
		},
	}
}

// open opens the documents as a session.
func (s *server) open(ctx context.Context, d *documents) (*core.Session, error) {
	if err := s.Limits.documents(count(d.raw, 1)); err != nil {
		return nil, err
	}
	r, err := batch.Parse(slices.Concat([]byte(`{"documents":`), d.raw, []byte(`}`)), d.language, true)
	if err != nil {
		return nil, err
	}
	// Split first: analysing too many sentences would take too long.
	if err := core.Prepare(ctx, r.Documents); err != nil {
		return nil, err
	}
	n := 0
	for i := range r.Documents {
		n += len(r.Documents[i].Sentences)
	}
	if err := s.Limits.sentences("documents", n); err != nil {
		return nil, err
	}
	return core.Open(ctx, r.Documents, core.OpenOptions{})
}

func (s *server) summarize(ctx context.Context, body []byte) ([]byte, error) {
	counts := countsOf(ctx)
	at := time.Now()
	var d documents
	var o core.Options
	var e embeddings
	full := false
	m := d.members()
	m["id"] = func(v json.RawMessage) error { d.id = v; return nil }
	for _, option := range options.List() {
		if option.Kind() == options.Vector || option.Kind() == options.Weights {
			continue // see embeddings; weights are the server's own
		}
		m[option.Name] = func(v json.RawMessage) error { return s.option(&option, &o, v) }
	}
	m["embeddings"] = func(v json.RawMessage) error { e.raw = v; return nil }
	m["queryEmbedding"] = func(v json.RawMessage) error { e.query = v; return nil }
	m["dimensions"] = func(v json.RawMessage) (err error) {
		if e.dimensions, err = jsonl.Int(v); err == nil && e.dimensions < 1 {
			err = unusable("dimensions", fmt.Sprintf("want an integer of at least 1, got %d", e.dimensions))
		}
		return err
	}
	m["encoderLanguages"] = func(v json.RawMessage) (err error) { e.languages, err = texts(v); return err }
	m["texts"] = func(v json.RawMessage) (err error) { full, err = jsonl.Bool(v); return err }
	if err := jsonl.Object(body, m, "documents"); err != nil {
		return nil, err
	}
	if err := s.offered(o.Method, e.raw != nil); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	encodes := e.raw == nil && s.Encoder != nil && s.Encoder.Supports(o.Method)
	if e.raw == nil && !encodes {
		if err := o.CheckNeeds(false); err != nil {
			return nil, err
		}
	}
	r := &batch.Record{}
	if d.id != nil {
		var err error
		if r, err = batch.Parse(slices.Concat([]byte(`{"documents":[],"id":`), d.id, []byte(`}`)), "", true); err != nil {
			return nil, err
		}
	}
	if err := s.Limits.sentences("embeddings", count(e.raw, 1)); err != nil {
		return nil, err
	}
	at = counts.Time(batch.Read, at)
	session, err := s.open(ctx, &d)
	at = counts.Time(batch.Analyse, at)
	if err != nil {
		return nil, err
	}
	if err := e.read(session, &o); err != nil {
		return nil, err
	}
	if encodes {
		if e.query != nil {
			return nil, jsonl.At("queryEmbedding", errors.New("requires embeddings"))
		}
		if err := s.Encoder.Prepare(ctx, session, &o); err != nil {
			return nil, encoderError(ctx, err)
		}
	}
	if encodes || e.raw != nil {
		at = counts.Time(batch.Embed, at)
	}
	summary, err := session.Summarize(ctx, o)
	at = counts.Time(batch.Select, at)
	if err != nil {
		return nil, err
	}
	answer, err := reply(batch.NewSummary(r.ID, summary, session.Documents(), full))
	counts.Time(batch.Write, at)
	if err == nil {
		counts.Summarized(summary)
	}
	return answer, err
}

// option reads one option of a summary.
func (s *server) option(i *options.Info, o *core.Options, raw json.RawMessage) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	if o, ok := v.(map[string]any); ok {
		// encoding/json keeps the last of several members of one name: refuse them.
		members := jsonl.Members{}
		for name := range o {
			members[name] = func(json.RawMessage) error { return nil }
		}
		if err := jsonl.Object(raw, members); err != nil {
			return err
		}
	}
	if v == nil {
		return &core.OptionError{Name: i.Name, Message: "want a value, got null", WrongType: true}
	}
	if n, ok := v.(float64); ok && i.Kind() == options.Integer && n > float64(s.Limits.Sentences) {
		return unusable(i.Name, fmt.Sprintf("want at most %d, got %.0f", s.Limits.Sentences, n))
	}
	return i.Decode(o, v)
}

// encoderError is the problem of a request whose embeddings failed: the fault is
// the server's, unless an option was wrong or the time has passed.
func encoderError(ctx context.Context, err error) error {
	var option *core.OptionError
	if ctx.Err() != nil || errors.As(err, &option) {
		return err
	}
	return errInternal
}

// offered refuses methods that require weights that the server does not have or
// that are not for the embeddings of the request, and methods that core.Methods
// does not list.
func (s *server) offered(name string, embedded bool) error {
	if name == "" {
		return nil
	}
	known := core.Methods()
	i := slices.IndexFunc(known, func(m core.MethodInfo) bool { return m.Name == name })
	switch {
	case i < 0:
		var names []string
		for _, m := range known {
			names = append(names, m.Name)
		}
		return unusable("method", "want "+core.OneOf(names)+", got "+strconv.Quote(name))
	case known[i].Weights != core.WeightsNone && s.available(known[i]):
		if embedded {
			return unusable("embeddings", "the weights of method "+name+" are for the server's own embeddings: omit embeddings")
		}
	case known[i].Weights != core.WeightsNone:
		return unusable("method", "method "+name+" requires weights, which this server does not have: GET /v1/methods lists the available methods")
	}
	return nil
}

// maxLanguages exceeds the number of two-letter tags.
const maxLanguages = 1000

func texts(v json.RawMessage) ([]string, error) {
	if n := count(v, 1); n > maxLanguages {
		return nil, unusable("encoderLanguages", itoa(n)+" languages: want at most "+itoa(maxLanguages))
	}
	elements, err := jsonl.Array(v)
	if err != nil {
		return nil, err
	}
	list := make([]string, len(elements))
	for i, e := range elements {
		if list[i], err = jsonl.String(e); err != nil {
			return nil, jsonl.At(jsonl.Index(i), err)
		}
	}
	return list, nil
}

// sentences splits documents into the sentences for which embeddings can be
// given.
func (s *server) sentences(ctx context.Context, body []byte) ([]byte, error) {
	var d documents
	if err := jsonl.Object(body, d.members(), "documents"); err != nil {
		return nil, err
	}
	session, err := s.open(ctx, &d)
	if err != nil {
		return nil, err
	}
	type span struct {
		Text  string `json:"text"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	type document struct {
		Language  string `json:"language"`
		Sentences []span `json:"sentences"`
	}
	answer := struct {
		Documents []document `json:"documents"`
	}{make([]document, len(session.Documents()))}
	for i, c := range session.Documents() {
		answer.Documents[i] = document{c.Language, make([]span, len(c.Sentences))}
		for j, q := range c.Sentences {
			answer.Documents[i].Sentences[j] = span{q.Text, q.StartUTF16, q.EndUTF16}
		}
	}
	return reply(answer)
}
