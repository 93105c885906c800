package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/wire"
)

// choose runs a selection. The body is an input line of the command "cerasum
// select" with an additional member, method.
func (s *server) choose(ctx context.Context, body []byte) ([]byte, error) {
	method, rest, err := s.takeMethod(body)
	if err != nil {
		return nil, err
	}
	problem, params, err := wire.Parse(rest, method)
	if err != nil {
		return nil, err
	}
	for _, number := range []struct {
		field string
		n     int
	}{{"n", params.N}, {"beam_width", params.BeamWidth}, {"patience", params.Patience}} {
		if err := s.Limits.search("params."+number.field, number.n); err != nil {
			return nil, err
		}
	}
	answer, err := method.Answer(ctx, problem, params)
	if err != nil && ctx.Err() == nil {
		field := "embeddings" // too large, for example
		if errors.Is(err, selection.ErrParams) {
			field = "params"
		}
		return nil, unusable(field, strings.TrimPrefix(err.Error(), "selection: "))
	}
	return answer, err
}

// takeMethod removes the method from a body; the default is the first one.
func (s *server) takeMethod(body []byte) (*wire.Method, []byte, error) {
	method := &wire.Methods[0]
	rest := []byte{'{'}
	m := jsonl.Members{"method": func(v json.RawMessage) error {
		name, err := jsonl.String(v)
		if err != nil {
			return err
		}
		if method = wire.LookUp(name); method == nil {
			return unusable("method", fmt.Sprintf("unknown method: want one of %q", wire.MethodNames()))
		}
		return nil
	}}
	for _, name := range []string{"documents", "embeddings", "centroid", "params", "budget_words"} {
		m[name] = func(v json.RawMessage) error {
			if err := s.few(name, v); err != nil {
				return err
			}
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			rest = fmt.Appendf(rest, "%q:", name)
			rest = append(rest, v...)
			return nil
		}
	}
	if err := jsonl.Object(body, m, "documents"); err != nil {
		return nil, nil, err
	}
	return method, append(rest, '}'), nil
}

// few checks the limits before the body is decoded.
func (s *server) few(name string, v json.RawMessage) error {
	switch name {
	case "documents":
		if err := s.Limits.documents(count(v, 1)); err != nil {
			return err
		}
		return s.Limits.sentences(name, count(v, 2))
	case "embeddings":
		return s.Limits.sentences(name, count(v, 2))
	case "centroid":
		return bounded(v)
	}
	return nil
}
