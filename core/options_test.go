package core

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
)

// optionOf returns the declaration of an option.
func optionOf(name string) *OptionInfo {
	for _, i := range OptionList() {
		if i.Name == name {
			return &i
		}
	}
	panic("no option " + name)
}

// TestMethodsAndTheirOptions: an option that the method uses changes its summary;
// any other is refused.
func TestMethodsAndTheirOptions(t *testing.T) {
	weight := 1.0
	half := 0.5
	c := large(6, 30)
	for _, m := range append(Methods(), oracle.MethodInfo) {
		plain := embedded(t, c, Options{Method: m.Name, Budget: Budget{90, Words}, References: []string{c.Documents[1].Text[:300]}})
		if m.Weights == WeightsRequired {
			plain.Weights = someWeights(plain.Dimensions, 5, m.Name == "cerai")
		}
		before := rated(t, c, plain)
		for name, change := range map[string]func(*denseOptions){
			"query": func(o *denseOptions) {
				o.Query, o.QueryWeight = "bridge of the forest", &weight
				o.QueryEmbedding = hashed([]string{o.Query}, o.Dimensions)
			},
			"denseWeight":    func(o *denseOptions) { o.DenseWeight = &half },
			"weights":        func(o *denseOptions) { o.Weights = someWeights(o.Dimensions, 6, m.Name == "cerai") },
			"n":              func(o *denseOptions) { o.N = 2 },
			"beamWidth":      func(o *denseOptions) { o.BeamWidth = 40 },
			"patience":       func(o *denseOptions) { o.Patience = 1 },
			"preselect":      func(o *denseOptions) { o.Preselect = "all" },
			"lengthExponent": func(o *denseOptions) { o.LengthExponent = &half },
			"positionDecay":  func(o *denseOptions) { o.PositionDecay = new(float64) },
		} {
			o := plain
			change(&o)
			err := o.Check()
			if !optionOf(name).UsedBy(m.Name) {
				if want := name + ": not supported by method " + m.Name; err == nil || err.Error() != want {
					t.Errorf("want %q, got %v", want, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", m.Name, name, err)
			}
			// A wider search may find the same summary.
			if rated(t, c, o) == before && m.Name != "auto" && m.Name != "editor" && name != "beamWidth" && name != "patience" && name != "preselect" {
				t.Errorf("%s uses %s, which does not change its summary", m.Name, name)
			}
		}
	}
}

// TestOptionsComeBeforeTheText: invalid options are refused by name before any document
// is read. Here no document has a word, one has a malformed language, and the context
// has ended: these errors would come first otherwise.
func TestOptionsComeBeforeTheText(t *testing.T) {
	half, two := 0.5, 2.0
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	broken := []Document{{Text: "The river rose."}, {Text: "…", Language: "English, please"}}
	for want, o := range map[string]Options{
		"method: want auto, editor, ":                                              {Method: "best"},
		"method: hybrid requires embeddings":                                       {Method: "hybrid"},
		"method: cera requires weights":                                            {Method: "cera"},
		"method: oracle requires references":                                       {Method: "oracle"},
		"weights: bad weights: ":                                                   {Method: "cerai", Weights: &centroid.Weights[float32]{}},
		"weights: method cera requires weights without":                            {Method: "cera", Weights: someWeights(2, 2, true)},
		"budget: want 1 to 1000000000 words, got -1":                               {Budget: Budget{-1, Words}},
		"budget: want 1 to 1000000000 characters, got 1000000001":                  {Budget: Budget{1_000_000_001, Characters}},
		`budget: want the unit words, sentences, characters or paperWords, got ""`: {Budget: Budget{Amount: 3}},
		`order: want story, document or rank, got "Rank"`:                          {Order: "Rank"},
		"queryWeight: want a number from 0 to 1, got 2":                            {Query: "x", QueryWeight: &two},
		"queryWeight: requires query":                                              {QueryWeight: &half},
		"queryEmbedding: requires query":                                           {QueryEmbedding: []float32{1}},
		"queryEmbedding: requires embeddings":                                      {Query: "x", QueryEmbedding: []float32{1}},
		"denseWeight: want a number from 0 to 1, got 2":                            {DenseWeight: &two},
		"denseWeight: requires embeddings":                                         {DenseWeight: &half},
		"referenceEmbeddings: requires embeddings":                                 {ReferenceEmbeddings: []float32{}},
		`licence: want free or any, got "GPL"`:                                     {Licence: "GPL"},
		"n: want a whole number from 1 to 1000000000, got -1":                      {N: -1},
		"n: want a whole number from 1 to 1000000000, got 1000000001":              {N: 1_000_000_001},
		"beamWidth: want a whole number from 1 to 1000000000, got -9":              {BeamWidth: -9},
		"patience: want a whole number from 1 to 1000000000, got -2":               {Patience: -2},
		`preselect: want n_first, n_best or all, got "n first"`:                    {Preselect: "n first"},
	} {
		name, _, _ := strings.Cut(want, ":")
		for what, test := range map[string]struct {
			ctx       context.Context
			documents []Document
		}{
			"no documents": {t.Context(), nil}, "no text": {t.Context(), of("", "…").Documents},
			"a malformed language": {t.Context(), broken}, "a context that has ended": {ended, flood().Documents},
		} {
			o.Progress = func(string, int, int) { t.Errorf("%s, %s: documents are read", want, what) }
			_, err := Summarize(test.ctx, test.documents, o)
			var option *OptionError
			if !errors.As(err, &option) || option.Name != name || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: want %q, got %v", what, want, err)
			}
		}
		// A session without sentences refuses them, too.
		if _, err := mustOpen(t, of("…")).Summarize(t.Context(), o); !errors.Is(err, ErrOption) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("session: want %q, got %v", want, err)
		}
	}
	// Without an invalid option, these errors are returned.
	if _, err := Summarize(t.Context(), broken, Options{}); !errors.Is(err, ErrOption) || !strings.HasPrefix(err.Error(), "documents[1].language: ") {
		t.Error(err)
	}
	if _, err := Summarize(ended, flood().Documents, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBadTrees(t *testing.T) {
	for _, test := range []struct {
		tree      map[string]any
		want      string
		wrongType bool
	}{
		{map[string]any{"zeta": 1.0, "alpha": nil}, "alpha: unknown option", false},
		{map[string]any{"method": 1.0}, "method: want a string, got a number", true},
		{map[string]any{"method": []any{"auto"}}, "method: want a string, got an array", true},
		{map[string]any{"order": ""}, `order: want story, document or rank, got ""`, false},
		{map[string]any{"order": true}, "order: want a string, got a boolean", true},
		{map[string]any{"budget": "100"}, `budget: want an object like {"words": 100}, got a string`, true},
		{map[string]any{"budget": map[string]any{}}, "budget: want exactly one of words, sentences, characters and paperWords, got 0 fields", true},
		{map[string]any{"budget": map[string]any{"words": 1.0, "sentences": 1.0}}, "budget: want exactly one of words, sentences, characters and paperWords, got 2 fields", true},
		{map[string]any{"budget": map[string]any{"lines": 1.0}}, "budget.lines: unknown field: want words, sentences, characters or paperWords", true},
		{map[string]any{"budget": map[string]any{"words": nil}}, "budget.words: want a whole number, got nothing", true},
		{map[string]any{"budget": map[string]any{"words": 2.5}}, "budget.words: want a whole number from 1 to 1000000000, got 2.5", true},
		{map[string]any{"budget": map[string]any{"words": 0.0}}, "budget.words: want a whole number from 1 to 1000000000, got 0", false},
		{map[string]any{"budget": map[string]any{"words": 2e9}}, "budget.words: want a whole number from 1 to 1000000000, got 2000000000", false},
		{map[string]any{"budget": map[string]any{"words": math.NaN()}}, "budget.words: want a whole number from 1 to 1000000000, got NaN", true},
		{map[string]any{"budget": map[string]any{"words": math.Inf(1)}}, "budget.words: want a whole number from 1 to 1000000000, got +Inf", false},
		{map[string]any{"fill": 1.0}, "fill: want a boolean, got a number", true},
		{map[string]any{"fill": "true"}, "fill: want a boolean, got a string", true},
		{map[string]any{"n": 0.0}, "n: want a whole number from 1 to 1000000000, got 0", false},
		{map[string]any{"n": 1e300}, "n: want a whole number from 1 to 1000000000, got 1e+300", false},
		{map[string]any{"beamWidth": "5"}, "beamWidth: want a whole number, got a string", true},
		{map[string]any{"denseWeight": math.NaN()}, "denseWeight: want a number from 0 to 1, got NaN", false},
		{map[string]any{"denseWeight": false}, "denseWeight: want a number, got a boolean", true},
		{map[string]any{"queryWeight": -0.1}, "queryWeight: want a number from 0 to 1, got -0.1", false},
		{map[string]any{"queryEmbedding": 1.0}, "queryEmbedding: want an array of numbers (in JavaScript a Float32Array), got a number", true},
		{map[string]any{"queryEmbedding": []any{1.0, nil}}, "queryEmbedding[1]: want a number, got nothing", true},
		{map[string]any{"weights": []float32{1}}, "weights: want an object, got a Float32Array", true},
		{map[string]any{"weights": map[string]any{"name": "x"}}, "weights.name: unknown field: want dimensions, positions, interpolation or data", false},
		{map[string]any{"weights": map[string]any{"dimensions": 1.0, "positions": 1.0, "interpolation": false, "data": []float32{1}}}, "weights: bad weights: 1 numbers for 1 dimensions and 1 positions without interpolation: want 13", false},
		{map[string]any{"licence": "mine"}, `licence: want free or any, got "mine"`, false},
		{map[string]any{"preselect": map[string]any{}}, "preselect: want a string, got an object", true},
	} {
		_, err := DecodeOptions(test.tree)
		var option *OptionError
		if !errors.As(err, &option) || err.Error() != test.want || option.WrongType != test.wrongType {
			t.Errorf("%v: got %v (wrong type: %v), want %s", test.tree, err, option != nil && option.WrongType, test.want)
		}
	}
}

// TestOptionError: an empty name is omitted.
func TestOptionError(t *testing.T) {
	err := error(&OptionError{Message: "want more"})
	if err.Error() != "want more" || !errors.Is(err, ErrOption) || errors.Is(err, ErrNoText) {
		t.Error(err)
	}
}
