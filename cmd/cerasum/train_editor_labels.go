package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/train/editor"
)

// label is a line of editor.Papers or editor.Meetings.
type label struct {
	ID            string
	Extract, Good [][2]int
}

// readLabels returns those of lines, by their ids.
func readLabels(lines string) (map[string]*label, error) {
	labels := map[string]*label{}
	for line := range strings.Lines(lines) {
		l := &label{}
		if err := json.Unmarshal([]byte(line), l); err != nil {
			return nil, err
		}
		labels[l.ID] = l
	}
	return labels, nil
}

// labelled calls add with each document of a file that has a label in lines, and its
// summary.
func labelled(path, lines string, add func(l *label, document, summary string) error) error {
	labels, err := readLabels(lines)
	if err != nil {
		return err
	}
	files := &corpusFiles{}
	reader, closer, err := dataset.Open(files, files.root(path), dataset.OpenOptions{})
	if err != nil {
		return datasetError(err)
	}
	defer closer.Close()
	for len(labels) > 0 {
		c, err := reader.Next()
		if err == io.EOF {
			return fmt.Errorf("%s: %s is missing", path, slices.Min(slices.Collect(maps.Keys(labels))))
		}
		if err != nil {
			return err
		}
		l := labels[c.ID]
		if l == nil {
			continue
		}
		delete(labels, c.ID)
		if len(c.Documents) != 1 || len(c.References) == 0 {
			return fmt.Errorf("%s: %s: want one document and a summary", path, c.ID)
		}
		if err := add(l, c.Documents[0].Text, c.References[0]); err != nil {
			return fmt.Errorf("%s: %s: %w", path, c.ID, err)
		}
	}
	return nil
}

// paperExamples appends the labelled papers of ScisummNet: as they are, without an
// abstract, and once more with their summary as the abstract.
func paperExamples(ctx context.Context, path string, to []editor.Example) ([]editor.Example, error) {
	err := labelled(path, editor.Papers, func(l *label, body, abstract string) error {
		const heading = "Abstract\n"
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
				return err
			}
			if e.Kinds[0] == reading.Scholarly { // some hardly cite
				to = append(to, e)
			}
		}
		return nil
	})
	return to, err
}

// meetingExamples appends the labelled meetings of QMSum.
func meetingExamples(ctx context.Context, path string, to []editor.Example) ([]editor.Example, error) {
	err := labelled(path, editor.Meetings, func(l *label, transcript, _ string) error {
		e, err := editorExample(ctx, []cluster.Document{{Text: transcript}}, &dataset.Choice{Extract: spans(l.Extract, 0), Good: spans(l.Good, 0)})
		to = append(to, e)
		return err
	})
	return to, err
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
