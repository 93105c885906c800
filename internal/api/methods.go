package api

import (
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/wire"
)

type methodInfo struct {
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Embeddings  core.EmbeddingUse `json:"embeddings"`
	// Available is false for methods that require weights that the server does
	// not have.
	Available bool `json:"available"`
}

type limitsInfo struct {
	Body         int `json:"bodyBytes"`
	Documents    int `json:"documents"`
	Sentences    int `json:"sentences"`
	Milliseconds int `json:"milliseconds"`
}

func (s *server) methods() ([]byte, error) {
	answer := struct {
		Methods []methodInfo `json:"methods"`
		Select  []string     `json:"select"`
		Limits  limitsInfo   `json:"limits"`
	}{Select: wire.MethodNames(), Limits: limitsInfo{s.Limits.Body, s.Limits.Documents, s.Limits.Sentences, int(s.Limits.Time.Milliseconds())}}
	for _, m := range core.Methods() {
		answer.Methods = append(answer.Methods, methodInfo{m.Name, m.Title, m.Description, m.Embeddings, s.available(m)})
	}
	return reply(answer)
}

// available reports whether the server has the weights of a method.
func (s *server) available(m core.MethodInfo) bool {
	return m.Weights == core.WeightsNone || s.Encoder != nil && s.Encoder.Supports(m.Name)
}

func (s *server) health() ([]byte, error) {
	return reply(struct {
		Status  string `json:"status"`
		Version string `json:"version"`
	}{"ok", core.Version})
}
