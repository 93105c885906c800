package wire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/text"
)

// input is the JSON form of a selection problem.
type input struct {
	documents  [][]string
	embeddings [][][]float64
	centroid   []float64
	params     selection.Params
}

// read reads the input of a method.
func read(raw []byte, method *Method) (*input, error) {
	l := &input{params: method.defaults()}
	inParams, beside := false, 0
	required := []string{"documents"}
	if method.embeddings {
		required = append(required, "embeddings")
	}
	if method.centroid {
		required = append(required, "centroid")
	}
	err := jsonl.Object(raw, jsonl.Members{
		"documents":  func(v json.RawMessage) (err error) { l.documents, err = parseDocuments(v); return err },
		"embeddings": func(v json.RawMessage) (err error) { l.embeddings, err = jsonl.Tensor(v); return err },
		"centroid": func(v json.RawMessage) (err error) {
			if method.centroid {
				l.centroid, err = jsonl.Vector(v)
			}
			return err
		},
		"params": func(v json.RawMessage) (err error) { inParams, err = parseParams(v, &l.params); return err },
		"budget_words": func(v json.RawMessage) (err error) {
			if beside, err = jsonl.Int(v); err != nil {
				return err
			}
			return selection.Params{Preselect: selection.All, BeamWidth: 1, Budget: beside}.Check()
		},
		"selected": func(json.RawMessage) error { return nil },
	}, required...)
	if err != nil {
		return nil, err
	}
	if beside != 0 {
		if inParams {
			return nil, jsonl.At("budget_words", errors.New("given both here and in params"))
		}
		l.params.Budget = beside
	}
	return l, nil
}

// Parse reads a selection problem and checks that its parts agree. Sentences
// without words are dropped; the others keep their indices.
func Parse(raw []byte, method *Method) (*selection.Problem, selection.Params, error) {
	l, err := read(raw, method)
	if err != nil {
		return nil, selection.Params{}, err
	}
	fail := func(path string, err error) (*selection.Problem, selection.Params, error) {
		return nil, selection.Params{}, jsonl.At(path, err)
	}
	dims, like := len(l.centroid), "the centroid"
	if !method.centroid {
		dims, like = firstDims(l.embeddings), "the first sentence"
	}
	if dims == 0 && method.centroid {
		return fail("centroid", errors.New("no dimensions"))
	}
	if l.embeddings != nil && len(l.embeddings) != len(l.documents) {
		return fail("embeddings", fmt.Errorf("want embeddings of %d documents, got %d", len(l.documents), len(l.embeddings)))
	}
	matrix := &linalg.Dense[float64]{Cols: dims}
	p := &selection.Problem{Rows: matrix, Centroid: l.centroid}
	for i, sentences := range l.documents {
		at := "embeddings" + jsonl.Index(i)
		if l.embeddings != nil && len(l.embeddings[i]) != len(sentences) {
			return fail(at, fmt.Errorf("want %d rows, one for each sentence, got %d", len(sentences), len(l.embeddings[i])))
		}
		for j, s := range sentences {
			if l.embeddings != nil {
				switch row := l.embeddings[i][j]; {
				case len(row) == 0:
					return fail(at+jsonl.Index(j), errors.New("no dimensions"))
				case len(row) != dims:
					return fail(at+jsonl.Index(j), fmt.Errorf("want %d dimensions, as %s has, got %d", dims, like, len(row)))
				}
			}
			words := text.CountWords(s)
			if words == 0 {
				continue
			}
			if l.embeddings != nil {
				matrix.Data = append(matrix.Data, l.embeddings[i][j]...)
			}
			p.Refs = append(p.Refs, cluster.Ref{Document: i, Sentence: j})
			p.Texts = append(p.Texts, s)
			p.Length = append(p.Length, words)
		}
	}
	if l.embeddings == nil {
		// Without embeddings the rows are empty.
		p.Rows = &linalg.Sparse{RowPtr: make([]int, len(p.Refs)+1), Cols: 1}
	}
	return p, l.params, nil
}

// firstDims is the number of dimensions of the first sentence, 0 if there is
// none.
func firstDims(embeddings [][][]float64) int {
	for _, doc := range embeddings {
		for _, row := range doc {
			return len(row)
		}
	}
	return 0
}

func parseDocuments(raw json.RawMessage) ([][]string, error) {
	docs, err := jsonl.Array(raw)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(docs))
	for i, doc := range docs {
		sentences, err := jsonl.Array(doc)
		if err != nil {
			return nil, jsonl.At(jsonl.Index(i), err)
		}
		out[i] = make([]string, len(sentences))
		for j, s := range sentences {
			if out[i][j], err = jsonl.String(s); err != nil {
				return nil, jsonl.At(jsonl.Index(i)+jsonl.Index(j), err)
			}
		}
	}
	return out, nil
}

// parseParams reads the member params and reports whether it sets the budget.
func parseParams(raw json.RawMessage, p *selection.Params) (budget bool, err error) {
	// A member is also checked by itself, so that the error has its path.
	member := func(read func(*selection.Params, json.RawMessage) error) func(json.RawMessage) error {
		return func(v json.RawMessage) error {
			if err := read(p, v); err != nil {
				return err
			}
			alone := selection.Params{Preselect: selection.All, N: 1, BeamWidth: 1, Budget: 1}
			if err := read(&alone, v); err != nil {
				return err
			}
			return alone.Check()
		}
	}
	err = jsonl.Object(raw, jsonl.Members{
		"preselect": member(func(p *selection.Params, v json.RawMessage) error {
			s, err := jsonl.String(v)
			p.Preselect = selection.Preselect(s)
			return err
		}),
		"n":          member(func(p *selection.Params, v json.RawMessage) (err error) { p.N, err = jsonl.Int(v); return err }),
		"beam_width": member(func(p *selection.Params, v json.RawMessage) (err error) { p.BeamWidth, err = jsonl.Int(v); return err }),
		"patience":   member(func(p *selection.Params, v json.RawMessage) (err error) { p.Patience, err = jsonl.Int(v); return err }),
		"budget_words": member(func(p *selection.Params, v json.RawMessage) (err error) {
			budget = true
			p.Budget, err = jsonl.Int(v)
			return err
		}),
		"length_exponent": member(func(p *selection.Params, v json.RawMessage) (err error) {
			p.LengthExponent, err = jsonl.Float(v)
			return err
		}),
		"distinct": member(func(p *selection.Params, v json.RawMessage) (err error) { p.Distinct, err = jsonl.Bool(v); return err }),
	})
	if err != nil {
		return false, err
	}
	// Only n depends on another member: on preselect.
	return budget, jsonl.At("n", p.Check())
}
