package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// documents reads the documents of a request, which batch reads too.
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
			d.language, err = batch.Language(tag)
			return err
		},
	}
}

// cluster makes the cluster and cuts it into sentences.
func (s *server) cluster(ctx context.Context, d *documents) (*batch.Record, error) {
	if err := s.Limits.documents(count(d.raw, 1)); err != nil {
		return nil, err
	}
	line := slices.Concat([]byte(`{"documents":`), d.raw)
	if d.id != nil {
		line = slices.Concat(line, []byte(`,"id":`), d.id)
	}
	r, err := batch.Parse(append(line, '}'), d.language)
	if err != nil {
		return nil, err
	}
	if err := core.Prepare(ctx, &r.Cluster); err != nil {
		return nil, err
	}
	return r, s.Limits.sentences("documents", len(r.Cluster.Refs()))
}

func (s *server) summarize(ctx context.Context, body []byte) ([]byte, error) {
	var d documents
	var o core.Options
	var e embeddings
	full := false
	m := d.members()
	m["id"] = func(v json.RawMessage) error { d.id = v; return nil }
	m["method"] = text(&o.Method)
	m["budget"] = func(v json.RawMessage) (err error) { o.Budget, err = budget(v); return err }
	m["order"] = text((*string)(&o.Order))
	m["licence"] = text(&o.Licence)
	m["preselect"] = text(&o.Preselect)
	for name, to := range map[string]*int{"n": &o.N, "beamWidth": &o.BeamWidth, "candidates": &o.Candidates} {
		m[name] = func(v json.RawMessage) (err error) {
			if *to, err = jsonl.Int(v); err != nil {
				return err
			}
			return s.Limits.search(name, *to)
		}
	}
	m["query"] = text(&o.Query)
	m["queryWeight"] = number(&o.QueryWeight)
	m["denseWeight"] = number(&o.DenseWeight)
	m["embeddings"] = func(v json.RawMessage) error { e.raw = v; return nil }
	m["queryEmbedding"] = func(v json.RawMessage) error { e.query = v; return nil }
	m["dimensions"] = func(v json.RawMessage) (err error) { e.dimensions, err = jsonl.Int(v); return err }
	m["encoderLanguages"] = func(v json.RawMessage) (err error) { o.EncoderLanguages, err = texts(v); return err }
	m["texts"] = func(v json.RawMessage) (err error) { full, err = jsonl.Bool(v); return err }
	if err := jsonl.Object(body, m, "documents"); err != nil {
		return nil, err
	}
	if err := offered(o.Method); err != nil {
		return nil, err
	}
	if err := s.Limits.sentences("embeddings", count(e.raw, 1)); err != nil {
		return nil, err
	}
	r, err := s.cluster(ctx, &d)
	if err != nil {
		return nil, err
	}
	if err := e.read(&o); err != nil {
		return nil, err
	}
	summary, err := core.Summarize(ctx, &r.Cluster, o)
	if err != nil {
		return nil, err
	}
	return reply(batch.NewSummary(r.ID, summary, &r.Cluster, full))
}

// offered refuses the methods that want weights, and those that are for
// comparisons with what people wrote.
func offered(name string) error {
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
		return unusable("method", fmt.Sprintf("unknown method: want one of %q", names))
	case known[i].Weights != core.WeightsNone:
		return unusable("method", "method "+name+" wants weights, and there are none here: GET /v1/methods tells which methods are available")
	}
	return nil
}

func text(to *string) func(json.RawMessage) error {
	return func(v json.RawMessage) (err error) { *to, err = jsonl.String(v); return err }
}

func number(to **float64) func(json.RawMessage) error {
	return func(v json.RawMessage) error {
		f, err := jsonl.Float(v)
		*to = &f
		return err
	}
}

// maxLanguages is more than there are tags of two letters.
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

// budget reads {"words": 100}, or one of the other units.
func budget(v json.RawMessage) (b core.Budget, err error) {
	given := 0
	unit := func(u core.Unit) func(json.RawMessage) error {
		return func(v json.RawMessage) (err error) {
			given++
			b.Unit = u
			b.Amount, err = jsonl.Int(v)
			return err
		}
	}
	err = jsonl.Object(bytes.TrimSpace(v), jsonl.Members{
		"words": unit(core.Words), "sentences": unit(core.Sentences), "characters": unit(core.Characters), "paperWords": unit(core.PaperWords),
	})
	if err == nil && given != 1 {
		err = errors.New("want one of words, sentences, characters and paperWords")
	}
	return b, err
}

// sentences cuts documents into the sentences that embeddings are to be given
// for.
func (s *server) sentences(ctx context.Context, body []byte) ([]byte, error) {
	var d documents
	if err := jsonl.Object(body, d.members(), "documents"); err != nil {
		return nil, err
	}
	r, err := s.cluster(ctx, &d)
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
	}{make([]document, len(r.Cluster.Documents))}
	for i, c := range r.Cluster.Documents {
		answer.Documents[i] = document{c.Language, make([]span, len(c.Sentences))}
		for j, q := range c.Sentences {
			answer.Documents[i].Sentences[j] = span{q.Text, q.StartUTF16, q.EndUTF16}
		}
	}
	return reply(answer)
}
