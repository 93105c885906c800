package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/train/editor"
)

// label is a line of editor.Labels.
type label struct {
	ID            string
	Extract, Good [][2]int
}

// labels returns those of the papers, by their ids.
func labels() (map[string]*label, error) {
	papers := map[string]*label{}
	for line := range strings.Lines(editor.Labels) {
		l := &label{}
		if err := json.Unmarshal([]byte(line), l); err != nil {
			return nil, err
		}
		papers[l.ID] = l
	}
	return papers, nil
}

// paperExamples appends the labelled papers of ScisummNet: as they are, without an
// abstract, and once more with their summary as the abstract.
func paperExamples(ctx context.Context, path string, to []editor.Example) ([]editor.Example, error) {
	papers, err := labels()
	if err != nil {
		return nil, err
	}
	files := &corpusFiles{}
	reader, closer, err := dataset.Open(files, files.root(path), dataset.OpenOptions{})
	if err != nil {
		return nil, datasetError(err)
	}
	defer closer.Close()
	for len(papers) > 0 {
		c, err := reader.Next()
		if err == io.EOF {
			for id := range papers {
				return nil, fmt.Errorf("%s: paper %s is missing", path, id)
			}
		}
		if err != nil {
			return nil, err
		}
		l := papers[c.ID]
		if l == nil {
			continue
		}
		delete(papers, c.ID)
		if len(c.Documents) != 1 || len(c.References) == 0 {
			return nil, fmt.Errorf("%s: paper %s: want one document and a summary", path, c.ID)
		}
		const heading = "Abstract\n"
		body, abstract := c.Documents[0].Text, c.References[0]
		start := utf16Length(heading + abstract + "\n\n")
		with := dataset.Choice{
			Extract: []dataset.Span{{Start: len(heading), End: len(heading) + utf16Length(abstract)}},
			Good:    spans(append(l.Extract[:len(l.Extract):len(l.Extract)], l.Good...), start),
		}
		for _, paper := range []struct {
			text   string
			choice dataset.Choice
		}{
			{body, dataset.Choice{Extract: spans(l.Extract, 0), Good: spans(l.Good, 0)}},
			{heading + abstract + "\n\n" + body, with},
		} {
			e, err := editorExample(ctx, []cluster.Document{{Text: paper.text}}, &paper.choice)
			if err != nil {
				return nil, fmt.Errorf("%s: paper %s: %w", path, c.ID, err)
			}
			to = append(to, e)
		}
	}
	return to, nil
}

// spans returns spans of the first document, moved by start.
func spans(of [][2]int, start int) []dataset.Span {
	list := make([]dataset.Span, len(of))
	for i, s := range of {
		list[i] = dataset.Span{Start: s[0] + start, End: s[1] + start}
	}
	return list
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
