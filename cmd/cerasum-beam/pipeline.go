package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/batch"
)

func init() {
	register.DoFn4x1[context.Context, string, func(string), func(string), error](&summarize{})
	register.Emitter1[string]()
}

// Settings are what all summaries are made with: as typed, so that they travel
// to the workers.
type Settings struct {
	Budget, Method, Order, Language, Licence string
	Ignore                                   []string
}

// options turns what was typed into what is done.
func (s Settings) options() (*batch.Options, error) {
	budget, err := core.ParseBudget(s.Budget)
	if err != nil {
		return nil, fmt.Errorf("--budget: %w", err)
	}
	language, err := batch.Language(s.Language)
	if err != nil {
		return nil, fmt.Errorf("--lang: %w", err)
	}
	o := &batch.Options{
		Options:  core.Options{Budget: budget, Method: s.Method, Order: core.Order(s.Order), Licence: s.Licence},
		Language: language, Ignore: s.Ignore,
	}
	// A method, an order or a licence that there is not shows in any summary, and
	// would make every line bad.
	_, err = o.Line(context.Background(), []byte(`{"documents": ["One ferry was late."]}`))
	if errors.Is(err, core.ErrOption) {
		return nil, err
	}
	return o, nil
}

// Pipeline reads the lines of the input files, and writes summaries and bad lines.
func Pipeline(scope beam.Scope, input, output, bad string, s Settings) {
	scope = scope.Scope("cerasum")
	// Small bundles: one line may take a second.
	lines := beam.Reshuffle(scope, textio.Read(scope, input))
	summaries, refused := beam.ParDo2(scope, &summarize{Settings: s}, lines)
	textio.Write(scope, output, summaries)
	textio.Write(scope, bad, refused)
}

// summarize makes a summary of each line, as "cerasum batch" does.
type summarize struct {
	Settings Settings
	options  *batch.Options
}

func (s *summarize) Setup() (err error) {
	s.options, err = s.Settings.options()
	return err
}

// ProcessElement puts a line out: of the summary, or of what is wrong.
func (s *summarize) ProcessElement(ctx context.Context, line string, summary, bad func(string)) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	made, err := s.options.Line(ctx, []byte(line))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		summary(strings.TrimSuffix(string(made), "\n"))
		return nil
	}
	made, err = batch.Marshal(refused{strings.Join(strings.Fields(err.Error()), " "), line})
	if err != nil {
		return err
	}
	bad(strings.TrimSuffix(string(made), "\n"))
	return nil
}

// refused is a line of the side file: "cerasum batch" knows the place too.
type refused struct {
	Error string `json:"error"`
	Raw   string `json:"raw"`
}
