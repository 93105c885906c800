package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/blind"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/spf13/cobra"
)

// scoresFlags holds the flag values as given.
type scoresFlags struct {
	keys                    []string
	against, format, output string
	resamples               int
	seed                    uint64
}

func (a *app) evaluateScoresCommand() *cobra.Command {
	f := &scoresFlags{}
	cmd := &cobra.Command{
		Use:   "scores --key FILE [READER=]RATINGS...",
		Short: "Tabulate the ratings of summaries",
		Long: `Read the key and the ratings of sheets made by "cerasum evaluate sheets", and print
the mean ratings of each candidate with 95 % bootstrap intervals over the clusters.
With --against NAME, a second table shows the differences from that candidate, within
each reader's sheet and cluster, and the p value of the hypothesis that the overall
ratings do not differ. If readers counted sentences, another table shows their counts
per 100 sentences. With the keys of several sets, the tables for all sets are
followed by those for each set.

Ratings are CSV with a header, like the form of the sheets, or JSON Lines with the
same names: sheet, cluster, candidate, the ratings M, S, R, J and O from 1 to 5 in
steps of a half, the counts leaning, filler, repeats and edges, which may be blank,
and reader and note, which may be absent. If a file names no readers, all its ratings
belong to one reader, named READER, or after the file. Candidates without ratings are
reported as missing.`,
		Example: `  cerasum evaluate scores --key sheets-key.json anna.csv ben.csv --against bs+gs
  cerasum evaluate scores --key news-key.json --key papers-key.json anna=news-anna.csv anna=papers-anna.csv --format markdown`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(hinted{errors.New("no ratings given"), "name the files with the ratings"})
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.evaluateScores(f, args) },
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&f.keys, "key", nil, "key written by \"cerasum evaluate sheets\"; repeat it for several sets")
	fs.StringVar(&f.against, "against", "", "candidate to compare the others with")
	fs.IntVar(&f.resamples, "resamples", 1000, "number of bootstrap resamples")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the bootstrap")
	fs.StringVarP(&f.format, "format", "f", formatTable, "output format: table, markdown or json")
	fs.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	complete(cmd, "format", tableFormats...)
	return cmd
}

func (a *app) evaluateScores(f *scoresFlags, ratings []string) error {
	if _, err := oneOf("format", f.format, tableFormats); err != nil {
		return err
	}
	if f.resamples < 1 || f.resamples > 1_000_000 {
		return usage(fmt.Errorf("--resamples %d: want 1 to 1000000", f.resamples))
	}
	if len(f.keys) == 0 {
		return usage(hinted{errors.New("no key given"), "name the file with --key FILE"})
	}
	readings, err := readReadings(f.keys, ratings)
	if err != nil {
		return err
	}
	if f.against != "" {
		if _, err := oneOf("against", f.against, readings.Names()); err != nil {
			return err
		}
	}
	tables := readings.Tabulate(blind.Options{Against: f.against, Resamples: f.resamples, Seed: f.seed})
	if tables[0].Ratings == 0 {
		return fmt.Errorf("%s: no candidate is rated", strings.Join(ratings, ", "))
	}
	if missing := tables[0].Missing; missing > 0 {
		a.warn(plural(missing, "rating") + " missing")
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	if f.format == formatJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err = e.Encode(tables)
	} else {
		to := a.out
		if f.output != "" {
			to = terminal.Terminal{}
		}
		err = f.write(out, tables, to)
	}
	if err != nil {
		return err
	}
	return out.commit()
}

// readReadings reads the keys and the ratings.
func readReadings(keyFiles, ratings []string) (*blind.Readings, error) {
	read := func(path string, with func(io.Reader) error) error {
		files := &corpusFiles{}
		in, err := files.Open(files.root(path))
		if err != nil {
			return err
		}
		defer in.Close()
		return with(in)
	}
	var keys []*blind.Key
	for _, path := range keyFiles {
		err := read(path, func(in io.Reader) error {
			k, err := blind.ReadKey(in)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			keys = append(keys, k)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	readings, err := blind.NewReadings(keys...)
	if err != nil {
		return nil, usage(err)
	}
	for _, path := range ratings {
		reader, file, named := strings.Cut(path, "=")
		if named = named && reader != "" && !strings.ContainsAny(reader, `/\`); named {
			path = file
		} else {
			reader = filepath.Base(strings.TrimSuffix(path, ".gz"))
			reader = strings.TrimSuffix(reader, filepath.Ext(reader))
		}
		err := read(path, func(in io.Reader) error { return readings.Read(in, path, reader) })
		if err != nil {
			return nil, err
		}
	}
	return readings, nil
}

// write writes the tables as text.
func (f *scoresFlags) write(out io.Writer, tables []*blind.Table, to terminal.Terminal) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		for n, part := range []func(*blind.Table) (string, [][]string){f.means, f.differences, f.counts} {
			caption, cells := part(t)
			if len(cells) < 2 {
				continue
			}
			if f.format == formatTable {
				caption = strings.Join(to.Lines(caption, 0), "\n")
			}
			if n > 0 {
				caption = "\n" + caption
			}
			if _, err := fmt.Fprintf(out, "%s\n\n", caption); err != nil {
				return err
			}
			if err := writeCells(out, cells, 1, f.format == formatMarkdown); err != nil {
				return err
			}
		}
	}
	return nil
}

// means returns the table of ratings with its caption.
func (f *scoresFlags) means(t *blind.Table) (string, [][]string) {
	var b strings.Builder
	if t.Set != "" {
		fmt.Fprintf(&b, "%s: ", t.Set)
	}
	fmt.Fprintf(&b, "%s, %s by %s (%s), %d missing", clusters(t.Clusters), plural(t.Ratings, "rating"), plural(len(t.Readers), "reader"), strings.Join(t.Readers, ", "), t.Missing)
	if t.Set == "" {
		fmt.Fprintf(&b, ". Means of 1 to 5 over the clusters, ± half of the 95 %% interval over %d resamples, seed %d: M main event and facts, S stands alone and is ordered, R says nothing twice, J no junk, O overall", f.resamples, f.seed)
	}
	if t.Agreement != nil {
		fmt.Fprintf(&b, ". Two readers of the same summary differ by %.2f in O on average", *t.Agreement)
	}
	b.WriteString(".")
	cells := [][]string{append([]string{"candidate", "clusters", "ratings"}, blind.RatingColumns...)}
	for _, r := range t.Rows {
		row := []string{r.Name, fmt.Sprint(r.Clusters), fmt.Sprint(r.Ratings)}
		for _, c := range blind.RatingColumns {
			row = append(row, fmt.Sprintf("%.2f ±%.2f", r.Means[c].Mean, (r.Means[c].High-r.Means[c].Low)/2))
		}
		cells = append(cells, row)
	}
	return b.String(), cells
}

// differences returns the table of differences with its caption.
func (f *scoresFlags) differences(t *blind.Table) (string, [][]string) {
	cells := [][]string{append(append([]string{"candidate", "clusters"}, blind.RatingColumns...), "p")}
	for _, r := range t.Rows {
		if r.Differences == nil {
			continue
		}
		row := []string{r.Name, fmt.Sprint(r.Paired)}
		for _, c := range blind.RatingColumns {
			d := r.Differences[c]
			row = append(row, fmt.Sprintf("%+.2f ±%.2f", d.Mean, (d.High-d.Low)/2))
		}
		p := fmt.Sprintf("%.3f", *r.P)
		if *r.P < 0.001 {
			p = "<0.001"
		}
		cells = append(cells, append(row, p))
	}
	return fmt.Sprintf("Differences from %s; p: paired bootstrap of O.", t.Against), cells
}

// counts returns the table of counts with its caption.
func (f *scoresFlags) counts(t *blind.Table) (string, [][]string) {
	cells := [][]string{append([]string{"candidate", "sentences"}, blind.CountColumns...)}
	for _, r := range t.Rows {
		if len(r.Per100) == 0 {
			continue
		}
		row, read := []string{r.Name, ""}, 0
		for _, c := range blind.CountColumns {
			cell := "–"
			if n, ok := r.Per100[c]; ok {
				cell, read = fmt.Sprintf("%.1f", n), max(read, r.Quotes[c])
			}
			row = append(row, cell)
		}
		row[1] = fmt.Sprint(read)
		cells = append(cells, row)
	}
	return "Counted by the readers, per 100 sentences.", cells
}
