package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/salience"
)

// Settings are what all summaries are made with: as typed, so that they travel
// to the workers.
type Settings struct {
	Budget, Method, Order, Language, Licence string
	Query                                    string
	QueryWeight                              float64
	Ignore                                   []string
	MaxLine                                  int // MiB
	// Roomy and Narrow are experts of method salience, as their files have them;
	// nil: the shipped ones.
	Roomy, Narrow []byte
}

// options turns what was typed into what is done.
func (s Settings) options() (*batch.Options, error) {
	budget, err := core.ParseBudget(s.Budget)
	if err != nil {
		return nil, fmt.Errorf("--budget: %w", err)
	}
	language, err := core.ParseLanguage(s.Language)
	if err != nil {
		return nil, fmt.Errorf("--lang: %w", err)
	}
	if s.MaxLine < 1 || s.MaxLine > jsonl.MaxLine>>20 {
		return nil, fmt.Errorf("--max-line %d: want 1 to %d", s.MaxLine, jsonl.MaxLine>>20)
	}
	o := &batch.Options{
		Options:  core.Options{Budget: budget, Method: s.Method, Order: core.Order(s.Order), Licence: s.Licence, Query: s.Query},
		Language: language, Ignore: s.Ignore, MaxLine: s.MaxLine << 20,
	}
	if s.Query != "" {
		if s.Method != "" && !slices.Contains(nil, s.Method) {
			return nil, fmt.Errorf("--query: method %s looks at no query", s.Method)
		}
		if !(s.QueryWeight >= 0 && s.QueryWeight <= 1) {
			return nil, fmt.Errorf("--query-weight %v: want 0 to 1", s.QueryWeight)
		}
		o.QueryWeight = &s.QueryWeight
	}
	if o.Salience, err = s.experts(); err != nil {
		return nil, err
	}
	// A method, an order or a licence that there is not shows in any summary, and
	// would make every line bad.
	_, err = o.Line(context.Background(), []byte(`{"documents": ["One ferry was late."]}`))
	if errors.Is(err, core.ErrOption) {
		return nil, err
	}
	return o, nil
}

func (s Settings) experts() (*salience.Experts, error) {
	if s.Roomy == nil && s.Narrow == nil {
		return nil, nil
	}
	e := &salience.Experts{}
	for _, part := range []struct {
		flag   string
		data   []byte
		expert **salience.Expert
	}{{"expert-roomy", s.Roomy, &e.Roomy}, {"expert-narrow", s.Narrow, &e.Narrow}} {
		if part.data == nil {
			continue
		}
		if s.Licence != "" {
			return nil, fmt.Errorf("--%s with --licence %s: it does not say what it learned from", part.flag, s.Licence)
		}
		var err error
		if *part.expert, err = salience.Decode(string(part.data)); err != nil {
			return nil, fmt.Errorf("--%s: %w", part.flag, err)
		}
	}
	return e, nil
}

// expertFile reads a file of the machine that starts the pipeline; an empty name
// is none.
func expertFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	return os.ReadFile(name)
}

// Files are what a pipeline reads and writes.
type Files struct {
	// Input is a pattern.
	Input, Output, Bad string
	// Shards is how many files the summaries are written to side by side.
	Shards int
}

// maxShards is more files than a runner would write side by side.
const maxShards = 100_000

// check refuses what cannot be, before a pipeline is begun.
func (f *Files) check() error {
	if f.Input == "" || f.Output == "" {
		return errors.New("--input and --output are both needed")
	}
	if f.Shards < 1 || f.Shards > maxShards {
		return fmt.Errorf("--shards %d: want 1 to %d", f.Shards, maxShards)
	}
	if f.Bad == "" {
		f.Bad = f.Output + ".bad.jsonl"
	}
	// A corpus that is written over is lost; and what a run wrote, the next one
	// would read.
	if _, err := path.Match(f.Input, ""); err != nil {
		return fmt.Errorf("--input %s: %w", f.Input, err)
	}
	for i := range f.Shards {
		name := shardName(f.Output, i, f.Shards)
		if name == f.Bad {
			return fmt.Errorf("--bad %s: the summaries are written there", f.Bad)
		}
		for _, written := range []string{name, f.Bad} {
			if match, _ := path.Match(f.Input, written); match {
				return fmt.Errorf("%s would be written, and --input %s has it among what is read: write to another folder or name", written, f.Input)
			}
		}
	}
	return nil
}

// shardName is the name of one of the files of summaries: summaries.jsonl where
// there is one alone, else summaries-00002-of-00010.jsonl.
func shardName(output string, shard, of int) string {
	if of == 1 {
		return output
	}
	ext := path.Ext(output)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(output, ext), shard, of, ext)
}
