package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/records"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/spf13/cobra"
)

// evaluateFlags holds the flag values as given.
type evaluateFlags struct {
	dataset, layout, split, lang string
	methods                      string
	encoder                      encoderFlags
	weights                      weightsFlags
	experts                      expertFlags
	optionFlags
	corpus                        corpusFlags
	fields                        fieldFlags
	noCache                       bool
	budget                        core.Budget
	limit, workers, resamples     int
	limitWords                    int
	seed                          uint64
	noStem, unicode, wholeText    bool
	grid                          []string
	translate, cache              string
	state, saveSummaries, plot    string
	resume, time, statistics      bool
	useQuery, reading             bool
	editor                        string
	variants                      []evaluate.Method // of "evaluate sheets"
	noMethods                     bool              // --methods may be empty
	format, output, progressShown string
}

const (
	formatTable    = "table"
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

// noEncoder, as the name of an encoder, means none: vectors of words only.
const noEncoder = "lexical"

var (
	tableFormats = []string{formatTable, formatMarkdown, formatJSON}
)

func (a *app) evaluateCommand() *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate --dataset FILE|FOLDER",
		Short: "Score methods against reference summaries",
		Long: `Summarize every cluster of a dataset with each method, score the summaries
against the references with ROUGE, and print a table of means: recall and F1 with
95 % bootstrap intervals, the paired bootstrap p of ROUGE-2 recall against the
first method, words, redundancy and coverage of the sources.

Dataset layouts, detected unless --layout names one:
  jsonl            JSON Lines {"documents": [...], "references": [...]}, with
                   "query" where the references answer a question
  multi-news       a .src file, documents separated by |||||, beside its .tgt
  multi-news-json  JSON Lines {"document": "a ||||| b", "summary": "..."}
  wcep-10          JSON Lines {"articles": [{"text": ...}], "summary": "..."}
  duc-2004         the official folders: docs d30001t, models D30001.M.100.T.A
  tac-2008         the official folders: docs D0801A-A, models D0801-A.M.100.A.A
  plain            docs/<cluster>/<file>, reference/Task<cluster>_reference<i>.txt
  crosssum         pairs like english-spanish_test.jsonl, combined into clusters;
                   --lang en,es,fr and --split select languages and split
Files may be compressed with gzip or zstd. CSV, TSV and Parquet are read like JSON
Lines with a field per column; --documents-field, --id-field and --references-field
name the fields. Bad records are reported, counted and left out.

A budget without a unit counts the paper's words: runs of letters, digits and _.
ROUGE is computed as by the official script with -m and, for a budget in words, with
-l BUDGET, unless other flags say otherwise. With --grid, each combination of n
(sentences of a document), B (beam width) and T (patience of the greedy search) is a
row of its own.

With --use-query, each method that supports queries gets a second row, evaluated
with the "query" of each cluster. Clusters without one are left out.

With --editor FILE, quotes are also compared with an editor's. Each line of the file
is {"id": ..., "extract": [...], "good": [...], "never": [...]}: lists of spans
[document, start, end], in UTF-16 units, that the editor quoted, would also quote or
would never quote. Clusters that are not in the file are left out.

With --reading, a second table counts readability faults per 100 quotes: openers that
depend on what precedes them, fragments, speech without a speaker, questions, datelines
and the like, and repeats. docs/reading.md has the rules. For ratings by readers, use
"cerasum evaluate sheets".

Methods that can use embeddings do, unless the encoder is lexical. In a grid, W=0 is
words only and W=1 embeddings only. Embeddings are cached in the user's cache folder, up
to 2 GiB. Methods cera and cerai use the
shipped weights, or those of --weights, one folder for each.`,
		Example: `  cerasum evaluate --dataset validation.jsonl.gz --budget 230 --methods lead,bs+gs,instant
  cerasum evaluate --dataset DUC2004/ --budget 100 --methods all --format markdown
  cerasum evaluate --dataset validation.jsonl.gz --methods bs+gs --grid n=1,3,5,7,9 B=1,5,9 T=1,5,9
  cerasum evaluate --dataset validation.jsonl.gz --methods mean,hybrid --grid W=0,0.2,0.4
  cerasum evaluate --dataset crosssum/ --lang pt,ru,tr --translate-command ./to-english.sh
  cerasum evaluate --dataset questions.jsonl.gz --methods auto,instant --use-query
  cerasum evaluate --dataset clusters.jsonl.gz --methods auto,lead --editor choices.jsonl.gz
  cerasum evaluate --dataset clusters.jsonl.gz --methods auto,bs+gs --reading
  cerasum evaluate --dataset crosssum/ --lang en,es,fr --statistics`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.grid) == 0 {
				return noArgs(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.grid = append(f.grid, args...)
			return a.evaluate(cmd, f)
		},
	}
	f.options.Fill = true // ROUGE counts recall, which a short summary lacks
	f.optionFlags.add(cmd, "method", "budget")
	f.addInput(cmd, "lead,bs+gs,instant", "comma-separated methods, or all; p values are relative to the first. oracle is the upper bound for centroid methods")
	f.corpus.add(cmd, true)
	fs := cmd.Flags()
	fs.IntVar(&f.limit, "limit", 0, "maximum number of clusters (0: all)")
	fs.BoolVar(&f.noStem, "no-stem", false, "compute ROUGE without stemming (without -m)")
	fs.IntVar(&f.limitWords, "limit-words", -1, "number of words of each text that ROUGE reads (-l; 0: all; default: the budget if it is in words, otherwise all)")
	fs.BoolVar(&f.unicode, "rouge-unicode", false, "compute ROUGE with a tokenizer for all scripts; not comparable with published figures")
	fs.BoolVar(&f.wholeText, "whole-text", false, "compute ROUGE-L on each text as one line, as in the paper, instead of by sentence")
	fs.IntVar(&f.resamples, "resamples", 1000, "number of bootstrap resamples")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the bootstrap")
	fs.StringArrayVar(&f.grid, "grid", nil, "search parameters and dense weights to try, for example n=1,3,5 B=1,5 T=9 W=0,0.3")
	fs.BoolVar(&f.useQuery, "use-query", false, "also evaluate methods that support queries with the query of each cluster")
	fs.StringVar(&f.editor, "editor", "", "JSON Lines file of an editor's quotes for comparison")
	fs.BoolVar(&f.reading, "reading", false, "also count readability faults per 100 quotes")
	fs.StringVar(&f.translate, "translate-command", "", "command that translates its input line by line; references and summaries are scored in translation")
	fs.StringVar(&f.cache, "translation-cache", "", "file for cached translations (default: one per command in the user's cache folder)")
	fs.StringVar(&f.state, "state", autoState, "file for the results of finished clusters; auto: a file in the user's cache folder, removed at the end; empty: none")
	fs.BoolVar(&f.resume, "resume", false, "resume an interrupted run with the same options")
	fs.StringVar(&f.saveSummaries, "save-summaries", "", "folder for the summaries, one file per method, in the input format of \"cerasum rouge\"")
	fs.StringVar(&f.plot, "plot", "", "SVG file for a dot plot of the table with intervals")
	fs.BoolVar(&f.time, "time", false, "report the time per cluster, which varies between runs")
	fs.BoolVar(&f.statistics, "statistics", false, "print the numbers of clusters, documents, sentences and words of the dataset instead of evaluating")
	fs.StringVarP(&f.format, "format", "f", formatTable, "output format: table, markdown or json")
	fs.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	complete(cmd, "format", tableFormats...)
	cmd.AddCommand(a.evaluateTranslationsCommand(), a.evaluateSheetsCommand(), a.evaluateScoresCommand())
	return cmd
}

// addInput registers the flags about the dataset, the methods and what they need.
func (f *evaluateFlags) addInput(cmd *cobra.Command, methods, help string) {
	fs := cmd.Flags()
	fs.StringVarP(&f.dataset, "dataset", "d", "", "file or folder of clusters with reference summaries")
	fs.StringVar(&f.layout, "layout", "auto", "layout of the dataset")
	fs.StringVar(&f.split, "split", "", "CrossSum split: train, val or test (default: test)")
	fs.StringVarP(&f.lang, "lang", "l", "", "language of documents that do not specify one (default: detected per document); for CrossSum a list of languages, for example en,es,fr")
	f.budget = core.Budget{Amount: 100, Unit: core.PaperWords}
	fs.VarP((*evaluatedBudget)(&f.budget), "budget", "b", "length of a summary in the paper's words (100: runs of letters, digits and _), words (100w), sentences (5s) or characters (600c)")
	fs.StringVarP(&f.methods, "methods", "m", methods, help)
	fs.StringVarP(&f.encoder.name, "encoder", "e", defaultEncoder, "encoder for methods that can use embeddings: lexical (none: words only), "+encoderForms)
	f.fields.addStrict(cmd)
	fs.BoolVar(&f.noCache, "no-cache", false, "do not read or write cached embeddings")
	fs.IntVar(&f.workers, "workers", 0, "number of clusters processed in parallel (0: one per processor)")
	fs.StringVar(&f.progressShown, "progress", "auto", "show progress: auto (on a terminal), always or never")

	complete(cmd, "layout", append([]string{"auto"}, stringsOf(dataset.Layouts)...)...)
	complete(cmd, "split", dataset.CrossSumSplits...)
	complete(cmd, "lang", text.Languages()...)
	complete(cmd, "methods", append(evaluated(), "all")...)
	complete(cmd, "progress", shows...)
	f.encoder.add(cmd, noEncoder)
	f.weights.add(cmd)
	f.experts.add(cmd)
}

// evaluated returns the methods that can be evaluated, including the oracle,
// which needs the references.
func evaluated() []string {
	var names []string
	for _, m := range core.Methods() {
		names = append(names, m.Name)
	}
	return append(names, "oracle")
}

// evaluation is the configuration of a run.
type evaluation struct {
	options evaluate.Options
	setting evaluate.Setting
	open    dataset.OpenOptions
	tags    []string // CrossSum languages
	// weights by the names of the methods that use them.
	weights map[string]namedWeights
	// experts of method salience, nil for the shipped ones.
	experts *salience.Experts
	// ignored counts unknown fields of the dataset.
	ignored ignoredFields
}

// check validates the flags and converts them, before anything is read.
func (f *evaluateFlags) check(a *app) (*evaluation, error) {
	e := &evaluation{open: dataset.OpenOptions{Strict: f.fields.strict}}
	if f.dataset == "" {
		return nil, usage(hinted{errors.New("no dataset given"), "name one with --dataset FILE"})
	}
	var err error
	if f.layout != "auto" {
		if e.open.Layout, err = oneOf("layout", f.layout, dataset.Layouts); err != nil {
			return nil, err
		}
	}
	if f.split != "" {
		if e.open.Split, err = oneOf("split", f.split, dataset.CrossSumSplits); err != nil {
			return nil, err
		}
	}
	if f.lang != "" {
		for tag := range strings.SplitSeq(f.lang, ",") {
			code, err := core.ParseLanguage(strings.TrimSpace(tag))
			if err != nil || code == "" {
				return nil, usage(fmt.Errorf("--lang %q: want a code like en, or for CrossSum a list like en,es,fr", f.lang))
			}
			e.tags = append(e.tags, code)
		}
	}
	if _, err := oneOf("format", f.format, tableFormats); err != nil {
		return nil, err
	}
	if f.encoder.name == "" {
		f.encoder.name = defaultEncoder
	}
	show, err := oneOf("progress", f.progressShown, shows)
	if err != nil {
		return nil, err
	}
	a.progress.on = !a.quiet && (show == "always" || show == "auto" && a.err.Interactive)
	for _, n := range []struct {
		flag             string
		value, from, max int
	}{
		{"limit", f.limit, 0, 1 << 31}, {"workers", f.workers, 0, 1024},
		{"resamples", f.resamples, 1, 1_000_000}, {"limit-words", f.limitWords, -1, 1 << 31},
	} {
		if n.value < n.from || n.value > n.max {
			return nil, usage(fmt.Errorf("--%s %d: want %d to %d", n.flag, n.value, n.from, n.max))
		}
	}
	if f.resume && f.state == "" {
		return nil, usage(hinted{errors.New("--resume requires --state"), "omit --state, or name the file of outcomes"})
	}
	if err := e.chooseMethods(f); err != nil {
		return nil, err
	}
	limitWords := f.limitWords
	switch {
	case limitWords >= 0:
	case f.budget.Unit == core.Words || f.budget.Unit == core.PaperWords:
		limitWords = f.budget.Amount
	default:
		limitWords = 0
	}
	e.options.Budget, e.options.Limit, e.options.Workers = f.budget, f.limit, f.workers
	e.options.ROUGE = rouge.Options{Stem: !f.noStem, LimitWords: limitWords, Unicode: f.unicode}
	e.options.WholeText, e.options.Reading = f.wholeText, f.reading
	e.setting = evaluate.Setting{
		Dataset: datasetName(f.dataset), Encoder: f.encoder.name, Weights: describeExperts(e.experts), Budget: f.budget, ROUGE: e.options.ROUGE, WholeText: f.wholeText,
		Translated: f.translate != "", Resamples: f.resamples, Seed: f.seed, Time: f.time, Reading: f.reading,
	}
	return e, nil
}

// chooseMethods creates the methods of the flags.
func (e *evaluation) chooseMethods(f *evaluateFlags) error {
	all := f.methods == "all"
	names := f.methodNames()
	if f.useQuery {
		if f.has("query") {
			return usage(hinted{errors.New("--query and --use-query exclude each other"), "--use-query takes the queries of the dataset"})
		}
		if !slices.ContainsFunc(names, func(n string) bool { return methodInfo(n).Query }) {
			return usage(fmt.Errorf("method %s does not support --use-query", strings.Join(names, ", ")))
		}
		f.queries = true
	}
	if err := f.optionFlags.check(names...); err != nil {
		return err
	}
	methods, err := f.methodList(names)
	if err != nil {
		return err
	}
	for _, m := range f.variants {
		methods = append(methods, m)
		if !slices.Contains(names, m.Options.Method) {
			names = append(names, m.Options.Method)
		}
	}
	if e.weights, err = f.weights.load(names, f.options.Licence, all); err != nil {
		return err
	}
	if e.experts, err = f.experts.load(names, f.options.Licence); err != nil {
		return err
	}
	for _, m := range methods {
		w, loaded := e.weights[m.Options.Method]
		switch {
		case loaded:
			m.Options.Weights = w.Weights
		case methodInfo(m.Options.Method).Weights == core.WeightsRequired:
			continue // included by "all", but no weights are shipped
		}
		m.Options.Experts = e.experts
		e.options.Methods = append(e.options.Methods, m)
	}
	return nil
}

// checkWeights refuses an encoder that the weights were not trained for. Methods
// included by "all" are dropped instead.
func (e *evaluation) checkWeights(m *encoder.Model) error {
	for _, name := range slices.Sorted(maps.Keys(e.weights)) {
		w := e.weights[name]
		if err := w.check(m); err != nil {
			if !w.optional {
				return err
			}
			e.options.Methods = slices.DeleteFunc(e.options.Methods, func(m evaluate.Method) bool { return m.Options.Method == name })
			continue
		}
		e.setting.Weights = append(e.setting.Weights, fmt.Sprintf("%s %s (sha256 %.12s)", name, w.name, fingerprint(w.Weights)))
	}
	return nil
}

// methodNames returns the methods as given, or for "all" every one that can be
// evaluated.
func (f *evaluateFlags) methodNames() []string {
	if f.noMethods && f.methods == "" {
		return nil
	}
	names := strings.Split(f.methods, ",")
	if f.methods != "all" {
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		return names
	}
	// auto is omitted: the methods that it selects are listed themselves.
	return slices.DeleteFunc(evaluated(), func(n string) bool {
		return n == "auto" || f.encoder.name == noEncoder && methodInfo(n).Embeddings == core.EmbeddingsRequired
	})
}

func (f *evaluateFlags) methodList(names []string) ([]evaluate.Method, error) {
	known := evaluated()
	var methods []evaluate.Method
	for i, name := range names {
		name, err := oneOf("methods", name, known)
		if err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, usage(fmt.Errorf("--methods: duplicate method %s", name))
		}
		m := evaluate.Method{Name: name, Options: options.For(f.options, name)}
		if methodInfo(name).Embeddings == core.EmbeddingsRequired && f.encoder.name == noEncoder {
			return nil, usage(fmt.Errorf("--methods: %s requires an encoder, and --encoder is %s", name, noEncoder))
		}
		if f.useQuery && methodInfo(name).Query {
			asked := m
			asked.Name, asked.UseQuery = name+" + query", true
			m.Options.QueryWeight = nil
			methods = append(methods, m, asked)
			continue
		}
		methods = append(methods, m)
	}
	if f.has("denseWeight") && f.encoder.name == noEncoder {
		return nil, usage(fmt.Errorf("--dense-weight requires an encoder, and --encoder is %s", noEncoder))
	}
	var axes []evaluate.Axis
	for _, list := range f.grid {
		for _, s := range strings.Fields(list) {
			axis, err := evaluate.ParseAxis(s)
			if err != nil {
				return nil, usage(err)
			}
			if axis.Name == "W" && (f.encoder.name == noEncoder || f.has("denseWeight")) {
				return nil, usage(hinted{fmt.Errorf("--grid W requires an encoder (--encoder is not %s) and excludes --dense-weight", noEncoder), "W is the dense weight"})
			}
			axes = append(axes, axis)
		}
	}
	methods, err := evaluate.Grid(methods, axes)
	if err != nil {
		return nil, usage(err)
	}
	return methods, nil
}

func (a *app) evaluate(cmd *cobra.Command, f evaluateFlags) error {
	ctx := cmd.Context()
	e, err := f.check(a)
	if err == nil {
		err = f.corpus.check()
	}
	if err == nil {
		err = inStore(f.dataset)
	}
	if err == nil && records.Converts(f.output) {
		err = usage(hinted{fmt.Errorf("--output %s: evaluate writes no file of this kind", f.output), "it writes text or JSON, as --format says; name a file such as scores.txt or scores.json"})
	}
	if err != nil {
		return err
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	defer e.ignored.report(a)
	files := &corpusFiles{}
	if f.statistics {
		if err := a.statistics(ctx, files, out, e, &f); err != nil {
			return err
		}
		return out.commit()
	}
	reader, closer, err := a.openDataset(ctx, files, e, &f)
	if err != nil {
		return err
	}
	defer closer.Close()
	if err := e.readChoices(f.editor); err != nil {
		return err
	}
	encoder, err := e.openEncoder(a, &f)
	if err != nil {
		return err
	}
	defer encoder.Close()
	tally, err := a.runEvaluation(ctx, files, reader, e, &f)
	a.progress.clear()
	if tally == nil {
		return err
	}
	e.setting.Partial = err != nil
	if ctx.Err() != nil && f.state != "" {
		err = hinted{err, "run the same command with --resume to continue"}
	}
	report := tally.Report(e.setting)
	if report.Clusters == 0 {
		if err == nil {
			err = fmt.Errorf("%s: no cluster could be evaluated, %d left out", f.dataset, report.LeftOut)
		}
		return err
	}
	// Results before an interruption are written anyway.
	return errors.Join(err, a.putOut(report, out, &f), out.commit())
}

// openDataset opens the dataset of the flags.
func (a *app) openDataset(ctx context.Context, files *corpusFiles, e *evaluation, f *evaluateFlags) (dataset.Reader, io.Closer, error) {
	files.ctx, files.corpus = ctx, &f.corpus
	name := files.root(f.dataset)
	if e.open.Layout == "" {
		layout, err := dataset.Detect(files, name)
		if err != nil {
			return nil, nil, datasetError(err)
		}
		e.open.Layout = layout
	}
	switch {
	case e.open.Layout == dataset.CrossSumPairs:
		e.open.Languages = e.tags
	case len(e.tags) > 1:
		return nil, nil, usage(fmt.Errorf("--lang %s: only CrossSum takes several languages", f.lang))
	case len(e.tags) == 1:
		e.options.Language = e.tags[0]
	}
	if f.split != "" && e.open.Layout != dataset.CrossSumPairs {
		return nil, nil, usage(errors.New("--split: only CrossSum has splits"))
	}
	files.rewind()
	r, c, err := dataset.Open(files, name, e.open)
	if err != nil {
		return nil, nil, datasetError(err)
	}
	if lines, ok := r.(*dataset.JSONReader); ok {
		lines.OnIgnored(e.ignored.add)
	}
	return r, c, nil
}

// readChoices reads the file of --editor, if there is one.
func (e *evaluation) readChoices(path string) error {
	if path == "" {
		return nil
	}
	files := &corpusFiles{}
	in, err := files.Open(files.root(path))
	if err != nil {
		return err
	}
	defer in.Close()
	e.setting.Editor = datasetName(path)
	e.options.Choices, err = dataset.ReadChoices(in, path)
	return err
}

// datasetError adds a hint.
func datasetError(err error) error {
	if errors.Is(err, dataset.ErrLayout) {
		return hinted{err, "name the layout with --layout: " + strings.Join(stringsOf(dataset.Layouts), ", ")}
	}
	return err
}

// runEvaluation evaluates the remaining clusters. A tally that is not nil is
// valid even if there is an error.
func (a *app) runEvaluation(ctx context.Context, files *corpusFiles, reader dataset.Reader, e *evaluation, f *evaluateFlags) (*evaluate.Tally, error) {
	tally := evaluate.NewTally(e.options.Methods)
	state, err := openState(f, e, tally)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	e.options.Skip = tally.Records()
	a.bad += tally.LeftOut()
	summaries, err := openSummaries(f.saveSummaries, e.options.Methods, tally.Records()-tally.LeftOut())
	if err != nil {
		return nil, err
	}
	if f.translate != "" {
		translator, err := a.openTranslator(f.translate, f.cache)
		if err != nil {
			return nil, errors.Join(err, summaries.Close())
		}
		defer translator.Close()
		e.options.Translate = translator.translate
	}
	bar := a.bar(files, reader, f.limit)
	e.options.Outcome = func(o *evaluate.Outcome) error {
		switch {
		case o.LeftOut == "":
		case o.ID == "":
			a.leftOut(o.LeftOut)
		default:
			a.leftOut(fmt.Sprintf("cluster %s: %s", o.ID, o.LeftOut))
		}
		if err := summaries.add(o); err != nil {
			return err
		}
		if err := state.add(o); err != nil {
			return err
		}
		if err := tally.Add(o); err != nil {
			return err
		}
		bar(tally.Records())
		return nil
	}
	err = errors.Join(evaluate.Run(ctx, reader, e.options), summaries.Close(), state.Close())
	if err == nil {
		err = state.done()
	}
	return tally, err
}

// maxReported is the number of left-out records that are reported individually.
const maxReported = 20

// leftOut reports a record that is left out.
func (a *app) leftOut(why string) {
	if a.bad >= maxReported {
		if a.bad == maxReported {
			a.say(errors.New("more records were left out; they are not reported individually"))
		}
		a.bad++
		return
	}
	a.reportBad(fmt.Errorf("left out: %s", why))
}

// putOut writes the report in the formats of the flags.
func (a *app) putOut(r *evaluate.Report, out io.Writer, f *evaluateFlags) error {
	var err error
	switch f.format {
	case formatJSON:
		err = r.WriteJSON(out)
	case formatMarkdown:
		err = r.WriteMarkdown(out)
	default:
		to := a.out
		if f.output != "" {
			to = terminal.Terminal{}
		}
		err = r.WriteTable(out, func(s string) []string { return to.Lines(s, 0) })
	}
	if err == nil && len(f.grid) > 0 && f.format != formatJSON {
		best := r.Rows[r.Best()]
		_, err = fmt.Fprintf(out, "\nHighest R2-R: %s (%.2f)\n", best.Method, 100*best.ROUGE[rouge.ROUGE2].Recall.Mean)
	}
	if err != nil || f.plot == "" {
		return err
	}
	return writeOutput(f.plot, nil, r.WriteSVG)
}
