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
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/spf13/cobra"
)

// evaluateFlags are the values as typed.
type evaluateFlags struct {
	dataset, layout, split, lang      string
	methods                           string
	encoder                           encoderFlags
	weights                           weightsFlags
	experts                           expertFlags
	denseWeight                       float64
	weighted                          bool // a dense weight was given
	noCache                           bool
	budget, limit, workers, resamples int
	limitWords                        int
	seed                              uint64
	noStem, unicode, wholeText        bool
	grid                              []string
	translate, cache                  string
	state, saveSummaries, plot        string
	resume, time, statistics          bool
	format, output, progressShown     string
}

const (
	formatTable    = "table"
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

// noEncoder as the name of an encoder is none: the vectors are those of the words.
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
against the references with ROUGE, and table the means: recall and F1 with 95 %
bootstrap intervals, the paired bootstrap p of ROUGE-2 recall against the first
method, words, redundancy and coverage of the sources.

Datasets, told apart by themselves unless --layout names one:
  jsonl            JSON Lines {"documents": [...], "references": [...]}
  multi-news       a .src file, documents separated by |||||, beside its .tgt
  multi-news-json  JSON Lines {"document": "a ||||| b", "summary": "..."}
  wcep-10          JSON Lines {"articles": [{"text": ...}], "summary": "..."}
  duc-2004         the official folders: docs d30001t, models D30001.M.100.T.A
  tac-2008         the official folders: docs D0801A-A, models D0801-A.M.100.A.A
  plain            docs/<cluster>/<file>, reference/Task<cluster>_reference<i>.txt
  crosssum         pairs like english-spanish_test.jsonl, made into clusters;
                   --lang en,es,fr and --split choose among them
Each may be gzip (.gz). Bad records are reported and left out, and counted.

Budgets count runs of letters, digits and _ as words. ROUGE is that of the
official script with -m and -l budget, unless told otherwise. With --grid, each
combination of n (sentences of a document), B (beam width) and T (candidates of
the greedy search) is a row of its own.

Methods that need embeddings want --encoder; with it, all that can take embeddings
go by them. W=0 in a grid is the words alone, W=1 the embeddings alone. Embeddings
are kept in the user's cache folder, at most 2 GiB of them. cera and cerai go by
the shipped weights, or by those of --weights, a folder for each of the two.`,
		Example: `  cerasum evaluate --dataset validation.jsonl.gz --budget 230 --methods lead,bs+gs,instant
  cerasum evaluate --dataset DUC2004/ --budget 100 --methods all --format markdown
  cerasum evaluate --dataset validation.jsonl.gz --methods bs+gs --grid n=1,3,5,7,9 B=1,5,9 T=1,5,9
  cerasum evaluate --dataset validation.jsonl.gz --encoder default --methods mean,hybrid --grid W=0,0.2,0.4
  cerasum evaluate --dataset crosssum/ --lang pt,ru,tr --translate-command ./to-english.sh
  cerasum evaluate --dataset crosssum/ --lang en,es,fr --statistics`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.grid) == 0 {
				return noArgs(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.grid = append(f.grid, args...)
			f.weighted = cmd.Flags().Changed("dense-weight")
			return a.evaluate(cmd, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.dataset, "dataset", "d", "", "file or folder of clusters with reference summaries")
	fs.StringVar(&f.layout, "layout", "auto", "form of the dataset (default: told by what is there)")
	fs.StringVar(&f.split, "split", "", "split of CrossSum: train, val or test (default: test)")
	fs.StringVarP(&f.lang, "lang", "l", "", "language of documents that name none (default: told for each); of CrossSum the languages, like en,es,fr")
	fs.IntVarP(&f.budget, "budget", "b", 100, "words of a summary")
	fs.StringVarP(&f.methods, "methods", "m", "lead,bs+gs,instant", "methods, the first is what p compares with; \"all\" is every one; oracle is the bound of those with a centroid")
	fs.StringVarP(&f.encoder.name, "encoder", "e", noEncoder, "what makes the vectors of methods that take embeddings: lexical (words alone), "+encoderForms)
	fs.Float64Var(&f.denseWeight, "dense-weight", core.DefaultDenseWeight, "share of the embeddings in the vectors, 0 to 1; the rest are the words (default: the method's own)")
	fs.Lookup("dense-weight").DefValue = "0" // so that the help names no other
	fs.BoolVar(&f.noCache, "no-cache", false, "do not keep embeddings in the user's cache folder, nor use those kept")
	fs.IntVar(&f.limit, "limit", 0, "only the first so many clusters (0: all)")
	fs.IntVar(&f.workers, "workers", 0, "clusters side by side (0: one for each processor)")
	fs.BoolVar(&f.noStem, "no-stem", false, "ROUGE without stemming (without -m)")
	fs.IntVar(&f.limitWords, "limit-words", -1, "ROUGE reads so many words of each text (-l; 0: all; default: the budget)")
	fs.BoolVar(&f.unicode, "rouge-unicode", false, "ROUGE with a tokenizer for all scripts; not comparable with published figures")
	fs.BoolVar(&f.wholeText, "whole-text", false, "ROUGE-L of each text as one line, as in the paper, not sentence by sentence")
	fs.IntVar(&f.resamples, "resamples", 1000, "resamples of the bootstrap")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the bootstrap: the same one gives the same table")
	fs.StringArrayVar(&f.grid, "grid", nil, "search parameters to try: n=1,3,5 B=1,5 T=9, and dense weights: W=0,0.3")
	fs.StringVar(&f.translate, "translate-command", "", "command that translates lines to lines; references and sentences are scored in translation")
	fs.StringVar(&f.cache, "translation-cache", "", "file that keeps translations (default: one for each command in the user's cache folder)")
	fs.StringVar(&f.state, "state", autoState, "file that keeps the outcome of each cluster as it is done; auto is one in the user's cache folder that goes when all is done; empty is none")
	fs.BoolVar(&f.resume, "resume", false, "go on where a run with the same options was cut off")
	fs.StringVar(&f.saveSummaries, "save-summaries", "", "folder for the summaries, a file for each method, as \"cerasum rouge\" reads them")
	fs.StringVar(&f.plot, "plot", "", "file for the table drawn as dots with intervals (SVG)")
	fs.BoolVar(&f.time, "time", false, "put out the time per cluster, which differs from run to run")
	fs.BoolVar(&f.statistics, "statistics", false, "do not evaluate: table clusters, documents, sentences and words of the dataset")
	fs.StringVarP(&f.format, "format", "f", formatTable, "table, markdown or json")
	fs.StringVarP(&f.output, "output", "o", "", "write to this file, whole or not at all (default: standard output)")
	fs.StringVar(&f.progressShown, "progress", "auto", "show progress: auto (on a terminal), always or never")

	complete(cmd, "layout", append([]string{"auto"}, stringsOf(dataset.Layouts)...)...)
	complete(cmd, "split", dataset.CrossSumSplits...)
	complete(cmd, "lang", text.Languages()...)
	complete(cmd, "methods", append(evaluated(), "all")...)
	f.encoder.add(cmd, noEncoder)
	f.weights.add(cmd)
	f.experts.add(cmd)
	complete(cmd, "format", tableFormats...)
	complete(cmd, "progress", shows...)
	cmd.AddCommand(a.evaluateTranslationsCommand())
	return cmd
}

// evaluated lists the methods that can be evaluated: the oracle, which needs
// the references, too.
func evaluated() []string {
	var names []string
	for _, m := range core.Methods() {
		names = append(names, m.Name)
	}
	return append(names, "oracle")
}

// evaluation is what the flags ask for.
type evaluation struct {
	options evaluate.Options
	setting evaluate.Setting
	open    dataset.OpenOptions
	tags    []string // languages of CrossSum
	// weights of the methods that go by some, by their names.
	weights map[string]namedWeights
	// experts of method salience, nil for the shipped ones.
	experts *salience.Experts
}

// check turns what was typed into what is done, before anything is read.
func (f *evaluateFlags) check(a *app) (*evaluation, error) {
	e := &evaluation{}
	if f.dataset == "" {
		return nil, usage(hinted{errors.New("no dataset"), "give one with --dataset FILE"})
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
				return nil, usage(fmt.Errorf("--lang %q: want a code like en, or for CrossSum several like en,es,fr", f.lang))
			}
			e.tags = append(e.tags, code)
		}
	}
	if _, err := oneOf("format", f.format, tableFormats); err != nil {
		return nil, err
	}
	if f.encoder.name == "" {
		f.encoder.name = noEncoder
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
		{"budget", f.budget, 1, 1_000_000}, {"limit", f.limit, 0, 1 << 31}, {"workers", f.workers, 0, 1024},
		{"resamples", f.resamples, 1, 1_000_000}, {"limit-words", f.limitWords, -1, 1 << 31},
	} {
		if n.value < n.from || n.value > n.max {
			return nil, usage(fmt.Errorf("--%s %d: want %d to %d", n.flag, n.value, n.from, n.max))
		}
	}
	if f.resume && f.state == "" {
		return nil, usage(hinted{errors.New("--resume without --state"), "leave --state out, or give the file that keeps the outcomes"})
	}
	if err := e.chooseMethods(f); err != nil {
		return nil, err
	}
	limitWords := f.limitWords
	if limitWords < 0 {
		limitWords = f.budget
	}
	e.options.Budget, e.options.Limit, e.options.Workers = f.budget, f.limit, f.workers
	e.options.ROUGE = rouge.Options{Stem: !f.noStem, LimitWords: limitWords, Unicode: f.unicode}
	e.options.WholeText = f.wholeText
	e.setting = evaluate.Setting{
		Dataset: datasetName(f.dataset), Encoder: f.encoder.name, Weights: describeExperts(e.experts), Budget: f.budget, ROUGE: e.options.ROUGE, WholeText: f.wholeText,
		Translated: f.translate != "", Resamples: f.resamples, Seed: f.seed, Time: f.time,
	}
	return e, nil
}

// chooseMethods turns the flags into methods, with what they go by.
func (e *evaluation) chooseMethods(f *evaluateFlags) error {
	all := f.methods == "all"
	names := f.methodNames()
	methods, err := f.methodList(names)
	if err != nil {
		return err
	}
	if e.weights, err = f.weights.load(names, all); err != nil {
		return err
	}
	if e.experts, err = f.experts.load(names, f.weights.licence); err != nil {
		return err
	}
	for _, m := range methods {
		w, loaded := e.weights[m.Options.Method]
		switch {
		case loaded:
			m.Options.Weights = w.Weights
		case weightUse(m.Options.Method) == core.WeightsRequired:
			continue // one of "all" for which nothing is shipped
		}
		m.Options.Licence = f.weights.licence
		m.Options.Experts = e.experts
		e.options.Methods = append(e.options.Methods, m)
	}
	return nil
}

// checkWeights refuses an encoder that the weights were not trained for. Of
// "all" methods it leaves those out that have no others.
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

// methodNames are those that were typed, as typed; of "all" every one that
// could take part.
func (f *evaluateFlags) methodNames() []string {
	names := strings.Split(f.methods, ",")
	if f.methods != "all" {
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		return names
	}
	// What auto stands for is there by its own name.
	return slices.DeleteFunc(evaluated(), func(n string) bool {
		return n == "auto" || f.encoder.name == noEncoder && embeddingUse(n) == core.EmbeddingsRequired
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
			return nil, usage(fmt.Errorf("--methods: %s is there twice", name))
		}
		m := evaluate.Method{Name: name, Options: core.Options{Method: name}}
		switch use := embeddingUse(name); {
		case use == core.EmbeddingsRequired && f.encoder.name == noEncoder:
			return nil, usage(hinted{fmt.Errorf("--methods: %s wants embeddings", name), "add --encoder default"})
		case use != core.EmbeddingsNone && f.weighted:
			m.Options.DenseWeight = &f.denseWeight
		}
		methods = append(methods, m)
	}
	if f.weighted {
		if err := checkDenseWeight(f.denseWeight); err != nil {
			return nil, err
		}
		if f.encoder.name == noEncoder {
			return nil, usage(hinted{errors.New("--dense-weight without embeddings"), "add --encoder default"})
		}
	}
	var axes []evaluate.Axis
	for _, list := range f.grid {
		for _, s := range strings.Fields(list) {
			axis, err := evaluate.ParseAxis(s)
			if err != nil {
				return nil, usage(err)
			}
			if axis.Name == "W" && (f.encoder.name == noEncoder || f.weighted) {
				return nil, usage(hinted{errors.New("--grid W is the dense weight"), "it wants --encoder, and no --dense-weight"})
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
	if err != nil {
		return err
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	files := &corpusFiles{}
	if f.statistics {
		if err := a.statistics(ctx, files, out, e, &f); err != nil {
			return err
		}
		return out.commit()
	}
	reader, closer, err := a.openDataset(files, e, &f)
	if err != nil {
		return err
	}
	defer closer.Close()
	encoder, err := e.openEncoder(ctx, a, &f)
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
		err = hinted{err, "the same command with --resume goes on"}
	}
	report := tally.Report(e.setting)
	if report.Clusters == 0 {
		if err == nil {
			err = fmt.Errorf("%s: no cluster that could be evaluated, %d left out", f.dataset, report.LeftOut)
		}
		return err
	}
	// What was done before the work was interrupted is put out all the same.
	return errors.Join(err, a.putOut(report, out, &f), out.commit())
}

// openDataset opens the dataset of the flags.
func (a *app) openDataset(files *corpusFiles, e *evaluation, f *evaluateFlags) (dataset.Reader, io.Closer, error) {
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
		return nil, nil, usage(fmt.Errorf("--lang %s: several languages are for CrossSum alone", f.lang))
	case len(e.tags) == 1:
		e.options.Language = e.tags[0]
	}
	if f.split != "" && e.open.Layout != dataset.CrossSumPairs {
		return nil, nil, usage(errors.New("--split is for CrossSum alone"))
	}
	files.rewind()
	r, c, err := dataset.Open(files, name, e.open)
	if err != nil {
		return nil, nil, datasetError(err)
	}
	return r, c, nil
}

// datasetError adds what to do.
func datasetError(err error) error {
	if errors.Is(err, dataset.ErrLayout) {
		return hinted{err, "name the form with --layout: " + strings.Join(stringsOf(dataset.Layouts), ", ")}
	}
	return err
}

// runEvaluation evaluates what is not done yet. The tally is good, as far as
// it goes, where there is one, whatever the error.
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

// maxTold is the number of left out records that are told one by one.
const maxTold = 20

// leftOut reports a record that takes no part.
func (a *app) leftOut(why string) {
	if a.bad >= maxTold {
		if a.bad == maxTold {
			a.say(errors.New("more records are left out, and not told one by one"))
		}
		a.bad++
		return
	}
	a.reportBad(fmt.Errorf("left out: %s", why))
}

// putOut writes the report as the flags ask.
func (a *app) putOut(r *evaluate.Report, out io.Writer, f *evaluateFlags) error {
	var err error
	switch f.format {
	case formatJSON:
		err = r.WriteJSON(out)
	case formatMarkdown:
		err = r.WriteMarkdown(out)
	default:
		width := a.out.Width
		if f.output != "" {
			width = terminal.DefaultWidth
		}
		err = r.WriteTable(out, func(s string) []string { return terminal.Wrap(s, width) })
	}
	if err == nil && len(f.grid) > 0 && f.format != formatJSON {
		best := r.Rows[r.Best()]
		_, err = fmt.Fprintf(out, "\nHighest R2-R: %s (%.2f)\n", best.Method, 100*best.ROUGE[rouge.ROUGE2].Recall.Mean)
	}
	if err != nil || f.plot == "" {
		return err
	}
	plot, err := openOutput(f.plot, nil)
	if err != nil {
		return err
	}
	defer plot.discard()
	if err := r.WriteSVG(plot); err != nil {
		return err
	}
	return plot.commit()
}
