package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/eval/dataset"
)

// splitStatistics is one row of the table.
type splitStatistics struct {
	split string
	*dataset.Statistics
}

// statistics prints the statistics of the dataset; for CrossSum, of each existing
// split unless one is named.
func (a *app) statistics(ctx context.Context, files *corpusFiles, out io.Writer, e *evaluation, f *evaluateFlags) error {
	splits := []string{""}
	var rows []splitStatistics
	for i := 0; i < len(splits); i++ {
		e.open.Split = splits[i]
		if splits[i] == "" {
			e.open.Split = f.split
		}
		reader, closer, err := a.openDataset(ctx, files, e, f)
		all := e.open.Layout == dataset.CrossSumPairs && f.split == "" && i == 0 && len(splits) == 1
		if all && (err == nil || errors.Is(err, dataset.ErrLayout)) {
			splits = append(splits, dataset.CrossSumSplits...)
			if err == nil {
				err = closer.Close()
			}
			if err != nil && !errors.Is(err, dataset.ErrLayout) {
				return err
			}
			continue
		}
		if errors.Is(err, dataset.ErrLayout) && len(splits) > 1 {
			continue // no such split
		}
		if err != nil {
			return err
		}
		s, err := dataset.Measure(ctx, reader, e.options.Language, func(bad *dataset.Error) { a.leftOut(bad.Error()) })
		if err := errors.Join(err, closer.Close()); err != nil {
			return err
		}
		name := splits[i]
		if name == "" {
			name = datasetName(f.dataset)
		}
		rows = append(rows, splitStatistics{name, s})
	}
	if len(rows) == 0 {
		return datasetError(fmt.Errorf("%w: %s: no CrossSum file with pairs of these languages", dataset.ErrLayout, f.dataset))
	}
	if f.format == formatJSON {
		return writeStatisticsJSON(out, rows)
	}
	table := [][]string{{"split", "languages", "clusters", "left out", "documents per cluster", "sentences per document", "words per summary"}}
	for _, r := range rows {
		documents := fmt.Sprint(r.MinDocuments)
		if r.MaxDocuments != r.MinDocuments {
			documents += fmt.Sprintf("–%d", r.MaxDocuments)
		}
		table = append(table, []string{
			r.split, strings.Join(r.Languages, ", "), fmt.Sprint(r.Clusters), fmt.Sprint(r.LeftOut), documents,
			fmt.Sprintf("%.1f ± %.1f", r.Sentences.Mean, r.Sentences.SD), fmt.Sprintf("%.1f ± %.1f", r.Words.Mean, r.Words.SD),
		})
	}
	return writeCells(out, table, 2, f.format == formatMarkdown)
}

// writeCells writes a table whose first row is the header; left is the number of
// columns of text, which are aligned left.
func writeCells(out io.Writer, table [][]string, left int, markdown bool) error {
	var b strings.Builder
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for n, row := range table {
		if markdown {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if n == 0 {
				fmt.Fprintf(&b, "|%s%s\n", strings.Repeat(" --- |", left), strings.Repeat(" ---: |", len(row)-left))
			}
			continue
		}
		var line strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i < left {
				line.WriteString(c + pad + "  ")
			} else {
				line.WriteString(pad + c + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeStatisticsJSON(out io.Writer, rows []splitStatistics) error {
	type moments struct {
		Mean float64 `json:"mean"`
		SD   float64 `json:"sd"`
	}
	type row struct {
		Split     string   `json:"split"`
		Languages []string `json:"languages"`
		Clusters  int      `json:"clusters"`
		LeftOut   int      `json:"left_out"`
		Documents [2]int   `json:"documents_per_cluster"`
		Sentences moments  `json:"sentences_per_document"`
		Words     moments  `json:"words_per_summary"`
	}
	list := make([]row, len(rows))
	for i, r := range rows {
		list[i] = row{
			r.split, r.Languages, r.Clusters, r.LeftOut, [2]int{r.MinDocuments, r.MaxDocuments},
			moments{r.Sentences.Mean, r.Sentences.SD}, moments{r.Words.Mean, r.Words.SD},
		}
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
