package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/core/jsonl"
	"github.com/cerasum/cerasum/core/selection/wire"
)

// choose runs the selection alone: the body is what the command line program's
// select reads, with the method beside it.
func (s *server) choose(ctx context.Context, body []byte) ([]byte, error) {
	method, rest, err := takeMethod(body)
	if err != nil {
		return nil, err
	}
	problem, params, err := wire.Parse(rest, method)
	if err != nil {
		return nil, err
	}
	if err := s.Limits.sentences(len(problem.Refs)); err != nil {
		return nil, err
	}
	if n := len(problem.Refs); n > 0 {
		if err := s.Limits.documents(problem.Refs[n-1].Document + 1); err != nil {
			return nil, err
		}
	}
	answer, err := method.Answer(ctx, problem, params)
	if err != nil && ctx.Err() == nil {
		return nil, unusable("", strings.TrimPrefix(err.Error(), "selection: "))
	}
	return answer, err
}

// takeMethod takes the method out of a body; without one it is the first.
func takeMethod(body []byte) (*wire.Method, []byte, error) {
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
