package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/render"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/spf13/cobra"
)

// summarizeFlags holds the flag values as given.
type summarizeFlags struct {
	encoder encoderFlags
	weights weightsFlags
	experts expertFlags
	optionFlags
	lang                                 string
	format, output                       string
	inputFormat, encoding, progressShown string
	timeout                              time.Duration
	explain                              bool // for the command explain
	fields                               fieldFlags
}

// formats returns the values of --format.
func (f *summarizeFlags) formats() []render.Format {
	if f.explain {
		return explainFormats
	}
	return render.Formats
}

func (a *app) summarizeCommand() *cobra.Command {
	var f summarizeFlags
	cmd := &cobra.Command{
		Use:   "summarize [FILE|FOLDER|URL|-]...",
		Short: "Summarize documents by quoting their most representative sentences",
		Long: `Summarize documents by quoting the sentences that represent them best within the
budget. Each file is one document; a folder means all files in it. Inputs are plain
text, Markdown, HTML, PDF, Word (.docx), OpenDocument (.odt), Rich Text (.rtf), e-books
(.epub), mail (.eml), subtitles (.vtt, .srt), files of these compressed with gzip or
zstd, and web addresses. Each mail of a mailbox (.mbox), row of a table (.csv, .tsv) and
file of an archive (.zip) is one document. Character encodings are detected. "-", or no
argument when input is piped in, is standard input.

JSON Lines (.jsonl, .ndjson) hold one cluster per line, each with its own summary:
  {"id": "storm", "documents": ["a text", {"text": "another", "title": "T", "source": "b.txt", "language": "en"}]}
If the lines are documents, {"text": "one", "title": "T"}, they make one summary
together, like the rows of a table. In a JSON file (.json), one object may span
several lines, and the elements of an array are read like lines.

A document may also have a "date" (2026-04-21) and "blocks", which label parts of its
text, such as [[0, 12, "heading"]], in UTF-16 units; headings, table rows, captions,
code, references, metadata and navigation are not quoted. Other fields are ignored
and counted on standard error; --keep-fields adds those of clusters to JSON output,
and --strict refuses the records that have them.

With --format json, start and end are UTF-16 offsets into the text of the
sentence's document, and indices count from 0.`,
		Example: `  cerasum summarize report.txt article.html notes.md
  cerasum summarize --budget 5s --format markdown --output summary.md news/
  cerasum summarize minutes.docx board.eml interview.vtt reports.zip
  cerasum summarize https://example.org/one https://example.org/two
  cerasum summarize --query "why did the dam break?" news/
  cerasum summarize --format json clusters.jsonl.gz > summaries.jsonl
  curl -s https://example.org/page | cerasum summarize --input-format html -`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.summarize(cmd, args, f) },
	}
	f.add(cmd)
	return cmd
}

func (f *summarizeFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	formats := stringsOf(f.formats())
	f.addChoice(cmd)
	fs.StringVarP(&f.format, "format", "f", formats[0], "output format: "+strings.Join(formats[:len(formats)-1], ", ")+" or "+formats[len(formats)-1])
	fs.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	fs.StringVar(&f.inputFormat, "input-format", "auto", "input format: auto, text, markdown, html, pdf, json or jsonl")
	fs.StringVar(&f.encoding, "encoding", "", "character encoding of all inputs, for example windows-1251 (default: detected per document)")
	f.fields.add(cmd)
	fs.DurationVar(&f.timeout, "timeout", 30*time.Second, "time limit for fetching a web address")

	complete(cmd, "format", formats...)
	complete(cmd, "input-format", append([]string{"auto"}, stringsOf(ingest.Formats)...)...)
}

// addChoice adds the flags that control the selection of sentences, independent of
// input and output formats.
func (f *summarizeFlags) addChoice(cmd *cobra.Command) {
	f.optionFlags.add(cmd)
	fs := cmd.Flags()
	fs.StringVarP(&f.encoder.name, "encoder", "e", "", "encoder for embeddings: lexical (none: words only), "+encoderForms+" (default: the shipped one)")
	fs.StringVarP(&f.lang, "lang", "l", "", "language code of all documents, for example en or pt (default: detected per document)")
	fs.StringVar(&f.progressShown, "progress", "auto", "show progress: auto (on a terminal), always or never")
	f.encoder.add(cmd, noEncoder)
	f.weights.add(cmd)
	f.experts.add(cmd)

	complete(cmd, "lang", text.Languages()...)
	complete(cmd, "progress", shows...)
}

var shows = []string{"auto", "always", "never"}

// check validates the flags and converts them, before any input is read.
func (f *summarizeFlags) check(a *app) (o core.Options, l *ingest.Loader, format render.Format, err error) {
	fail := func(err error) (core.Options, *ingest.Loader, render.Format, error) {
		return core.Options{}, nil, "", err
	}
	if err := f.optionFlags.check(f.method()); err != nil {
		return fail(err)
	}
	o = f.options
	o.DenseWeight = nil // the embedder sets it where there are embeddings
	if o.Experts, err = f.experts.load([]string{f.method()}, o.Licence); err != nil {
		return fail(err)
	}
	if format, err = oneOf("format", f.format, f.formats()); err != nil {
		return fail(err)
	}
	if f.fields.keep && format != render.JSON {
		return fail(usage(hinted{errors.New("--keep-fields requires JSON output"), "add --format json"}))
	}
	if f.fields.keep && f.fields.strict {
		return fail(usage(errors.New("--keep-fields cannot be combined with --strict")))
	}
	l = &ingest.Loader{
		Strict: f.fields.strict,
		Stdin:  a.stdin, Encoding: f.encoding, Timeout: f.timeout,
		UserAgent: "cerasum/" + core.Version, Warn: a.warn, Bad: a.reportBad,
	}
	if f.inputFormat != "auto" {
		if l.Format, err = oneOf("input-format", f.inputFormat, ingest.Formats); err != nil {
			return fail(err)
		}
	}
	if f.encoding != "" {
		if err := ingest.CheckEncoding(f.encoding); err != nil {
			return fail(usage(err))
		}
	}
	if f.timeout <= 0 {
		return fail(usage(hinted{fmt.Errorf("--timeout %v: want more than 0", f.timeout), "write it like 30s or 2m"}))
	}
	if l.Language, err = core.ParseLanguage(f.lang); err != nil {
		return fail(usage(fmt.Errorf("--lang: %w", err)))
	}
	show, err := oneOf("progress", f.progressShown, shows)
	if err != nil {
		return fail(err)
	}
	a.progress.on = !a.quiet && (show == "always" || show == "auto" && a.err.Interactive)
	return o, l, format, nil
}

func (a *app) summarize(cmd *cobra.Command, args []string, f summarizeFlags) error {
	ctx := cmd.Context()
	options, loader, format, err := f.check(a)
	if err != nil {
		return err
	}
	embedder, err := f.embedder(a)
	if err != nil {
		return err
	}
	defer embedder.Close()
	if len(args) == 0 {
		if terminal.Of(a.stdin).Interactive {
			return usage(errors.Join(cmd.Usage(), hinted{errors.New("no input"), "name files, folders or web addresses, or pipe text in"}))
		}
		args = []string{"-"}
	}
	options.Progress = a.progress.show
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	if embedder.explicit() {
		// Report a bad encoder once, before anything is read.
		if err := embedder.open(); err != nil {
			return err
		}
	}
	w := &writer{app: a, embedder: embedder, out: out, terminal: a.out, format: format, explains: f.explain, keeps: f.fields.keep}
	if f.output != "" {
		w.terminal = terminal.Of(nil)
	}
	defer w.ignored.report(a)
	loader.Ignored = w.ignored.add
	inputs, err := loader.Load(ctx, args)
	if err != nil {
		return err
	}
	if len(inputs.Streams) == 0 && len(inputs.Cluster.Documents) == 0 {
		if a.bad > 0 {
			return nil // each bad input has been reported
		}
		return core.ErrNoText
	}
	if len(inputs.Streams) == 0 {
		if err := w.one(ctx, &inputs.Cluster, options, nil, ""); err != nil {
			return err
		}
		return out.commit()
	}
	if f.fields.keep {
		loader.Ignored = nil
	}
	for _, stream := range inputs.Streams {
		if err := a.summarizeLines(ctx, loader, stream, w, options); err != nil {
			return err
		}
	}
	return out.commit()
}

// summarizeLines summarizes the clusters of a stream one by one; bad lines are
// reported and skipped.
func (a *app) summarizeLines(ctx context.Context, loader *ingest.Loader, stream ingest.Stream, w *writer, o core.Options) error {
	err := loader.Lines(ctx, stream, func(line *ingest.Line) error {
		err := w.one(ctx, &cluster.Cluster{Documents: line.Documents}, o, line.Record, line.Label())
		var cannot writeError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil || errors.As(err, &cannot):
			return err
		}
		a.reportBad(line.Err(err))
		return nil
	})
	var cannot writeError
	if err == nil || ctx.Err() != nil || errors.As(err, &cannot) {
		return err
	}
	// The stream itself failed; other streams may be fine.
	a.reportBad(err)
	return nil
}

// writeError is a failure to write the result, which ends the command.
type writeError struct{ error }

func (w writeError) Unwrap() error { return w.error }

// writer summarizes clusters and writes the summaries in one format.
type writer struct {
	*app
	embedder *embedder
	out      io.Writer
	terminal terminal.Terminal
	format   render.Format
	explains bool
	keeps    bool // unknown fields of records
	ignored  ignoredFields
	written  int
}

// one summarizes a cluster, of a record if it is not nil. A non-empty heading marks
// one of several.
func (w *writer) one(ctx context.Context, c *cluster.Cluster, o core.Options, record *batch.Record, heading string) error {
	session, err := core.Open(ctx, c.Documents, core.OpenOptions{Progress: o.Progress})
	if err != nil {
		return err
	}
	defer session.Close()
	if err := w.embedder.embed(ctx, session, &o); err != nil {
		return err
	}
	s, err := session.Summarize(ctx, o)
	if err != nil {
		return byFlag(err)
	}
	c = &cluster.Cluster{Documents: session.Documents()}
	w.progress.clear()
	if s.OverBudget {
		of := ""
		if heading != "" {
			of = heading + ": "
		}
		w.warn(fmt.Sprintf("%sno sentence fits the budget of %d %s: quoting the one nearest the centroid (%d %s)", of, s.Budget.Amount, s.Budget.Unit, s.Used, s.Budget.Unit))
	}
	if w.explains && !render.Weighed(s) {
		return errUnweighed(s.Method)
	}
	if w.written > 0 && w.format != render.JSON {
		if _, err := io.WriteString(w.out, "\n"); err != nil {
			return writeError{err}
		}
	}
	w.written++
	var id json.RawMessage
	out := w.out
	if record != nil {
		id = record.ID
		if w.keeps {
			out = &keeper{w.out, record, &w.ignored}
		}
	}
	switch {
	case w.explains:
		err = w.explain(out, s, c, id, heading)
	case w.format == render.JSON:
		err = render.WriteJSON(out, id, s, c)
	case w.format == render.Markdown:
		err = render.WriteMarkdown(out, heading, s)
	default:
		err = render.WriteText(out, w.terminal, heading, s)
	}
	if err != nil {
		return writeError{err}
	}
	return nil
}

// method returns the method in effect.
func (f *summarizeFlags) method() string {
	return methodInfo(f.options.Method).Name
}

// embedder creates the embedder for the method.
func (f *summarizeFlags) embedder(a *app) (*embedder, error) {
	method := f.method()
	info := methodInfo(method)
	e := &embedder{app: a, flags: f.encoder, method: info, weight: f.options.DenseWeight}
	switch {
	case f.encoder.name != noEncoder:
	case info.Embeddings == core.EmbeddingsRequired:
		return nil, usage(hinted{fmt.Errorf("--encoder %s: method %s requires an encoder", noEncoder, method), "\"cerasum methods\" shows which methods do not"})
	case e.weight != nil || f.encoder.library != "":
		return nil, usage(fmt.Errorf("--encoder %s: cannot be combined with --dense-weight or --ort-library", noEncoder))
	default:
		e.off, e.flags.name = true, ""
	}
	if !mayEmbed(info) && e.flags.name != "" {
		return nil, usage(hinted{fmt.Errorf("method %s does not support --encoder", method), "\"cerasum methods\" shows which methods use embeddings"})
	}
	loaded, err := f.weights.load([]string{method}, f.options.Licence, false)
	if err != nil {
		return nil, err
	}
	if w, ok := loaded[method]; ok {
		e.weights = &w
	}
	return e, nil
}
