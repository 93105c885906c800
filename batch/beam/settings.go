package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/records"
	"github.com/cerasum/cerasum/internal/salience"
)

// Settings of all summaries, as given by flags: they are serialized to the
// workers.
type Settings struct {
	// Options of the summaries, the texts of flags by the names of options.
	Options  map[string]string
	Language string
	// Strict and KeepFields are as in batch.Options.
	Strict, KeepFields bool
	MaxLine            int // MiB
	// Documents, ID and GroupBy are as in records.Options.
	Documents, ID, GroupBy string
	// Clustering, if it is on, finds the clusters first: lines are documents.
	Clustering Clustering
	// Expert and LongBudget are the contents of files of salience experts;
	// nil: the shipped ones.
	Expert, LongBudget []byte
}

// options converts and validates the settings.
func (s Settings) options() (*batch.Options, error) {
	summary, err := options.ParseAll(s.Options)
	if err == nil {
		err = summary.Check()
	}
	if err != nil {
		return nil, err
	}
	if err := (&records.Options{Documents: s.Documents, ID: s.ID, GroupBy: s.GroupBy}).Check(); err != nil {
		return nil, err
	}
	if s.Clustering.On && s.GroupBy != "" {
		return nil, errors.New("--group-by cannot be combined with --cluster, which finds the groups")
	}
	if err := s.Clustering.check(); err != nil {
		return nil, err
	}
	language, err := core.ParseLanguage(s.Language)
	if err != nil {
		return nil, fmt.Errorf("--lang: %w", err)
	}
	if s.MaxLine < 1 || s.MaxLine > jsonl.MaxLine>>20 {
		return nil, fmt.Errorf("--max-line %d: want 1 to %d", s.MaxLine, jsonl.MaxLine>>20)
	}
	o := &batch.Options{Options: summary, Language: language, Strict: s.Strict, KeepFields: s.KeepFields, MaxLine: s.MaxLine << 20}
	if o.Experts, err = salience.DecodeExperts(s.Expert, s.LongBudget, []string{cmp.Or(summary.Method, "auto")}, summary.Licence); err != nil {
		return nil, err
	}
	// A method that needs embeddings would make every line bad; a trial summary
	// reports it now.
	_, err = o.Line(context.Background(), []byte(`{"documents": ["One ferry was late."]}`))
	if errors.Is(err, core.ErrOption) {
		return nil, err
	}
	return o, nil
}

// expertFile reads a local file; nil if the name is empty.
func expertFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	return os.ReadFile(name)
}

// Files are the inputs and outputs of a pipeline.
type Files struct {
	// Input is a folder, or a pattern.
	Input, Output, Bad string
	// Shards is the number of output files written in parallel.
	Shards int
}

// maxShards exceeds what a runner would write in parallel.
const maxShards = 100_000

// check validates the names before the pipeline starts.
func (f *Files) check() error {
	if f.Input == "" || f.Output == "" {
		return errors.New("--input and --output are required")
	}
	if f.Shards < 1 || f.Shards > maxShards {
		return fmt.Errorf("--shards %d: want 1 to %d", f.Shards, maxShards)
	}
	if f.Bad == "" {
		f.Bad = f.Output + ".bad.jsonl"
	}
	// Writing over the input would lose it, and a later run would read the output
	// of this one.
	if _, err := path.Match(f.Input, ""); err != nil {
		return fmt.Errorf("--input %s: %w", f.Input, err)
	}
	for i := range f.Shards {
		name := shardName(f.Output, i, f.Shards)
		if name == f.Bad {
			return fmt.Errorf("--bad %s: already used by --output", f.Bad)
		}
		for _, written := range []string{name, f.Bad} {
			file, _ := path.Match(f.Input, written)
			inFolder, _ := path.Match(path.Clean(f.Input+"/*"), path.Clean(written))
			if file || inFolder && records.IsCorpus(path.Base(written)) {
				return fmt.Errorf("%s: the output matches --input %s: choose another folder or name", written, f.Input)
			}
		}
	}
	return nil
}

// shardName returns the name of an output file: summaries.jsonl if there is only
// one, else summaries-00002-of-00010.jsonl. The extension of a compression stays
// behind that of the format.
func shardName(output string, shard, of int) string {
	if of == 1 {
		return output
	}
	name := output
	if ext := path.Ext(name); strings.EqualFold(ext, ".gz") || strings.EqualFold(ext, ".zst") {
		name = strings.TrimSuffix(name, ext)
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	return fmt.Sprintf("%s-%05d-of-%05d%s", name, shard, of, output[len(name):])
}
