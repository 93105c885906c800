package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/train/editor"
)

// pageLabel is a line of editor.Pages: an editor's choices in files of a repository, which
// are summarized together.
type pageLabel struct {
	Repository, Commit string
	Files              []string
	Extract, Good      [][3]int
}

// pageExamples appends the labelled documents of public repositories, whose clones are in dir.
func (a *app) pageExamples(ctx context.Context, dir string, to []editor.Example) ([]editor.Example, error) {
	for line := range strings.Lines(editor.Pages) {
		var label pageLabel
		if err := json.Unmarshal([]byte(line), &label); err != nil {
			return nil, err
		}
		clone := filepath.Join(dir, filepath.FromSlash(label.Repository))
		fail := func(err error) error {
			return hinted{err, fmt.Sprintf("clone https://github.com/%s to %s and check out %s", label.Repository, clone, label.Commit)}
		}
		var bad error
		loader := &ingest.Loader{Warn: a.warn, Bad: func(err error) { bad = err }}
		files := make([]string, len(label.Files))
		for i, name := range label.Files {
			files[i] = filepath.Join(clone, filepath.FromSlash(name))
		}
		in, err := loader.Load(ctx, files)
		if err != nil {
			return nil, err
		}
		if bad != nil {
			return nil, fail(bad)
		}
		choice := &dataset.Choice{Extract: spansOf(label.Extract), Good: spansOf(label.Good)}
		e, err := editorExample(ctx, in.Cluster.Documents, choice)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[0], err)
		}
		e.Kinds = []reading.Kind{reading.Single}
		if len(files) > 1 {
			e.Kinds[0] = reading.Sectioned // also those with few headings
		}
		quoted := 0
		for _, w := range e.Weight {
			if w == editor.Quoted {
				quoted++
			}
		}
		if quoted < len(label.Extract) {
			return nil, fail(fmt.Errorf("%s: %d of %d labelled sentences are missing", files[0], len(label.Extract)-quoted, len(label.Extract)))
		}
		to = append(to, e)
	}
	return to, nil
}

func spansOf(of [][3]int) []dataset.Span {
	list := make([]dataset.Span, len(of))
	for i, s := range of {
		list[i] = dataset.Span{Document: s[0], Start: s[1], End: s[2]}
	}
	return list
}
