package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/internal/clustering"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/records"
	"github.com/spf13/cobra"
)

// clusterFlags holds the flag values as given.
type clusterFlags struct {
	output, format, progressShown string
	fields                        records.Fields
	options                       clustering.Options
	maxLine                       int
	singles                       bool
	duplicates                    string
}

// duplicatesModes are what becomes of near-duplicates in a cluster.
var duplicatesModes = []string{"keep", "drop"}

func (a *app) clusterCommand() *cobra.Command {
	var f clusterFlags
	cmd := &cobra.Command{
		Use:   "cluster FILE... --output CLUSTERS",
		Short: "Group the documents of a corpus by event",
		Long: `Group the documents of a corpus by event, and write the groups as clusters that
"cerasum batch" reads. Corpora are JSON Lines, CSV, TSV or Parquet, also compressed, as
for "cerasum batch"; each record is a document with a text and optionally a title, date,
source and language. A record with a list of documents is split into these.

Near-duplicates are found by MinHash, events by the rare words that documents share,
in any language; documents in different languages share few words and are seldom found
together. Events with many more documents than --event-size, at most 64, are split.
--within sets the longest time between two documents of a cluster; documents without a
date fit any time.

Clusters are in the order of their first documents, and documents in the order of the
corpus. Other fields of a document are kept, and its id becomes its source if it has
none. Times without a zone are read as UTC. Optional fields that "cerasum batch" would
refuse, such as a language "English", are left out with a warning. The result does not depend
on the number of processors. Documents and terms are kept in temporary files (TMPDIR),
which take about three times the size of the corpus.

With --gold-field, the clusters are compared with known ones, and B³ precision, recall
and F1 are printed; documents without that field are not counted.`,
		Example: `  cerasum cluster articles.jsonl --output clusters.jsonl && cerasum batch clusters.jsonl --output summaries.jsonl
  cerasum cluster news.parquet --documents-field body --date-field published --within 72h --output clusters.jsonl.gz
  cerasum cluster articles.csv --singles --duplicates drop > clusters.jsonl
  cerasum cluster labelled.jsonl --gold-field event --output clusters.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(hinted{errors.New("no corpus given"), "name files or folders, or - for standard input"})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.cluster(cmd.Context(), args, f) },
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.output, "output", "o", "", "output file, JSON Lines; a name that ends in .gz or .zst compresses it (default: standard output)")
	fs.StringVar(&f.format, "input-format", "auto", "format of all inputs: auto (by their names; otherwise jsonl), "+strings.Join(stringsOf(records.Formats), ", "))
	fs.StringVar(&f.fields.Documents, "documents-field", "", "field with the text, or with a list of documents: a path such as articles.text, through lists (default: text, otherwise documents)")
	fs.StringVar(&f.fields.ID, "id-field", "", "field with the id (default: id)")
	f.fields.Flags(fs)
	f.options.Flags(fs)
	fs.StringVar(&f.fields.Gold, "gold-field", "", "field with the known cluster of a document, to score the result")
	fs.BoolVar(&f.singles, "singles", false, "also write documents that are in no cluster, as clusters of one")
	fs.StringVar(&f.duplicates, "duplicates", "keep", "near-duplicates in a cluster: keep, or drop all but the first")
	fs.IntVar(&f.options.Workers, "workers", 0, "number of documents processed in parallel (0: one per processor)")
	fs.IntVar(&f.maxLine, "max-line", batch.DefaultMaxLine>>20, "maximum size of a line in MiB")
	fs.StringVar(&f.progressShown, "progress", "auto", "show progress: auto (on a terminal), always or never")
	complete(cmd, "input-format", append([]string{"auto"}, stringsOf(records.Formats)...)...)
	complete(cmd, "duplicates", duplicatesModes...)
	complete(cmd, "progress", shows...)
	return cmd
}

// check validates the flags.
func (f *clusterFlags) check() error {
	if f.format != "auto" {
		if _, err := oneOf("input-format", f.format, records.Formats); err != nil {
			return err
		}
	}
	if _, err := oneOf("duplicates", f.duplicates, duplicatesModes); err != nil {
		return err
	}
	if err := f.fields.Check(); err != nil {
		return usage(err)
	}
	if err := f.options.Check(); err != nil {
		return usage(err)
	}
	switch {
	case f.options.Workers < 0 || f.options.Workers > maxWorkers:
		return usage(fmt.Errorf("--workers %d: want 0 to %d", f.options.Workers, maxWorkers))
	case f.maxLine < 1 || f.maxLine > jsonl.MaxLine>>20:
		return usage(fmt.Errorf("--max-line %d: want 1 to %d", f.maxLine, jsonl.MaxLine>>20))
	case records.FormatOf(f.output) != records.JSONL:
		return usage(hinted{fmt.Errorf("--output %s: clusters are written as JSON Lines only", f.output), "name it .jsonl, .jsonl.gz or .jsonl.zst"})
	}
	return nil
}

func (a *app) cluster(ctx context.Context, args []string, f clusterFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	show, err := oneOf("progress", f.progressShown, shows)
	if err != nil {
		return err
	}
	a.progress.on = !a.quiet && (show == "always" || show == "auto" && a.err.Interactive)
	if args, err = corpora(args); err != nil {
		return err
	}
	for _, name := range args {
		if f.output != "" && name != "-" && sameFile(name, f.output) {
			return usage(hinted{fmt.Errorf("--output %s is one of the corpora", f.output), "choose another file"})
		}
	}
	if f.options.Workers == 0 {
		f.options.Workers = runtime.GOMAXPROCS(0)
	}
	loader := &ingest.Loader{Format: ingest.JSONL, Corpora: true, Stdin: a.stdin, Warn: a.warn, Bad: a.reportBad}
	inputs, err := loader.Load(ctx, args)
	if err != nil {
		return err
	}
	if a.bad > 0 {
		return errors.New("nothing clustered: a corpus could not be read")
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	f.options.Progress = func(done, total int) { a.progress.show("comparing documents", done, total) }
	finder, err := clustering.New(f.options)
	if err != nil {
		return err
	}
	defer finder.Close()
	spool, err := os.CreateTemp("", "cerasum-documents-")
	if err != nil {
		return err
	}
	defer func() { _, _ = spool.Close(), os.Remove(spool.Name()) }()
	// Most of the memory is a few large tables: the collector's usual headroom would
	// double them.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	begun := time.Now()
	c := &clustered{app: a, flags: &f, finder: finder, spool: spool, write: bufio.NewWriterSize(spool, 1<<20)}
	for _, stream := range inputs.Streams {
		if err := c.read(ctx, stream); err != nil {
			return err
		}
	}
	if err := c.write.Flush(); err != nil {
		return err
	}
	if more := c.refused - maxBadReported; more > 0 {
		a.warn(plural(more, "more line") + " could not be read")
	}
	if more := c.dropped - maxBadReported; more > 0 {
		a.warn(plural(more, "more field") + " left out")
	}
	labels, err := finder.Clusters(ctx)
	if err != nil {
		return err
	}
	written, err := c.output(ctx, out, labels)
	if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	a.progress.clear()
	if f.fields.Gold != "" {
		c.score(labels)
	}
	if !a.quiet && (f.output != "" || a.progress.on) {
		fmt.Fprintf(a.stderr, "cerasum: %s with %s of %s, found in %s\n", clusters(written.clusters), plural(written.documents, "document"), plural(len(labels), "document"), span(time.Since(begun)))
	}
	return nil
}

// clustered are the documents of a corpus.
type clustered struct {
	*app
	flags   *clusterFlags
	finder  *clustering.Finder
	spool   *os.File // the documents as JSON, one after another
	write   *bufio.Writer
	ends    []int64 // of each document in the spool
	gold    []int   // number of each document's label; −1 without one
	labels  map[string]int
	refused int
	dropped int // fields of documents
}

// A part of the corpus is read, and then analysed in parallel.
const (
	partLines = 2048
	partBytes = 16 << 20
)

// clusterLine is a line with its documents.
type clusterLine struct {
	number    int
	raw       []byte
	err       error // about this line
	documents []records.Document
	features  []*clustering.Features
}

// read adds the documents of a stream.
func (c *clustered) read(ctx context.Context, s ingest.Stream) error {
	corpus := corpusFlags{format: c.flags.format}
	lines, err := openCorpus(ctx, s, &corpus, c.flags.maxLine<<20)
	if err != nil {
		return err
	}
	defer lines.Close()
	analyzers := make([]*clustering.Analyzer, c.flags.options.Workers)
	for i := range analyzers {
		analyzers[i] = clustering.NewAnalyzer()
	}
	for end := false; !end; {
		var part []clusterLine
		for size := 0; len(part) < partLines && size < partBytes; {
			raw, err := lines.Next()
			if errors.Is(err, io.EOF) {
				end = true
				break
			}
			if err != nil && !errors.Is(err, jsonl.ErrLine) {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			part = append(part, clusterLine{number: lines.Line(), raw: slices.Clone(raw), err: err})
			size += len(raw)
		}
		var next atomic.Int64
		var group sync.WaitGroup
		for _, analyzer := range analyzers {
			group.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(part) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					part[i].analyze(analyzer, c.flags)
				}
			})
		}
		group.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range part {
			if err := c.add(s.Name, &part[i]); err != nil {
				return err
			}
		}
		c.progress.show("reading documents", len(c.ends), 0)
	}
	return nil
}

// analyze reads the documents of a line.
func (l *clusterLine) analyze(a *clustering.Analyzer, f *clusterFlags) {
	if l.err != nil {
		return
	}
	if l.documents, l.err = f.fields.Split(l.raw); l.err != nil {
		return
	}
	l.raw = nil
	for _, d := range l.documents {
		l.features = append(l.features, a.Features(d.Title, d.Text, d.Language))
	}
}

// add adds the documents of a line, or reports it.
func (c *clustered) add(name string, l *clusterLine) error {
	if l.err != nil {
		if c.refused++; c.refused <= maxBadReported {
			c.reportBad(fmt.Errorf("%s:%d: %s", name, l.number, batch.Reason(l.err)))
		} else {
			c.bad++
		}
		return nil
	}
	for i, d := range l.documents {
		for _, dropped := range d.Dropped {
			if c.dropped++; c.dropped <= maxBadReported {
				c.warn(fmt.Sprintf("%s:%d: left out %s", name, l.number, batch.Reason(dropped.Err)))
			}
		}
		if err := c.finder.Add(l.features[i], d.Date); err != nil {
			return err
		}
		n, err := c.write.Write(d.Raw)
		if err != nil {
			return err
		}
		c.ends = append(c.ends, c.begin(len(c.ends))+int64(n))
		if c.flags.fields.Gold != "" {
			c.gold = append(c.gold, c.label(d.Gold))
		}
	}
	return nil
}

// begin returns where a document begins in the spool.
func (c *clustered) begin(i int) int64 {
	if i == 0 {
		return 0
	}
	return c.ends[i-1]
}

// label numbers the labels; −1 is none.
func (c *clustered) label(gold string) int {
	if gold == "" {
		return -1
	}
	if c.labels == nil {
		c.labels = map[string]int{}
	}
	n, ok := c.labels[gold]
	if !ok {
		n = len(c.labels)
		c.labels[gold] = n
	}
	return n
}

// written counts what the output has.
type writtenClusters struct{ clusters, documents int }

// output writes the clusters.
func (c *clustered) output(ctx context.Context, out *output, labels []int) (n writtenClusters, err error) {
	if !records.Converts(c.flags.output) {
		return c.lines(ctx, out, labels)
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := records.Convert(out, c.flags.output, r)
		r.CloseWithError(err)
		done <- err
	}()
	n, err = c.lines(ctx, w, labels)
	w.CloseWithError(err)
	return n, errors.Join(err, <-done)
}

func (c *clustered) lines(ctx context.Context, out io.Writer, labels []int) (n writtenClusters, err error) {
	// Documents by their cluster, which is numbered by its first document.
	order := make([]int, 0, len(labels))
	sizes := make([]int32, len(labels))
	for i, l := range labels {
		sizes[l]++
		if c.flags.duplicates == "drop" && c.finder.Duplicate(i) && l != i {
			sizes[l]--
			continue
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return labels[i] - labels[j] })
	w := bufio.NewWriterSize(out, 1<<18)
	var raw []byte
	for len(order) > 0 {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		size := int(sizes[labels[order[0]]])
		members := order[:size]
		order = order[size:]
		if size < c.flags.options.Min && !(c.flags.singles && size == 1) {
			continue
		}
		n.clusters++
		n.documents += size
		c.progress.show("writing clusters", n.clusters, 0)
		fmt.Fprintf(w, `{"id":"cluster-%d","documents":[`, n.clusters)
		for k, i := range members {
			raw = slices.Grow(raw[:0], int(c.ends[i]-c.begin(i)))[:c.ends[i]-c.begin(i)]
			if _, err := c.spool.ReadAt(raw, c.begin(i)); err != nil {
				return n, err
			}
			if k > 0 {
				w.WriteByte(',')
			}
			w.Write(raw)
		}
		if _, err := w.WriteString("]}\n"); err != nil {
			return n, writeError{err}
		}
	}
	if err := w.Flush(); err != nil {
		return n, writeError{err}
	}
	return n, nil
}

// score prints how well the clusters agree with those known.
func (c *clustered) score(labels []int) {
	var found, gold []int
	for i, g := range c.gold {
		if g >= 0 {
			found, gold = append(found, labels[i]), append(gold, g)
		}
	}
	p, r, f := clustering.BCubed(found, gold)
	fmt.Fprintf(c.stderr, "B³ precision %.4f, recall %.4f, F1 %.4f: %s of %d known clusters\n", p, r, f, plural(len(gold), "document"), len(c.labels))
}
