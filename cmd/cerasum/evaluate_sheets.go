package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/blind"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/spf13/cobra"
)

// sheetsFlags holds the flag values as given.
type sheetsFlags struct {
	evaluateFlags
	variants           []string
	candidates         []string
	set, output, key   string
	clusters, perSheet int
	noHuman            bool
}

// Names of the candidates that are not methods.
const (
	humanCandidate  = "human"
	editorCandidate = "editor"
)

func (a *app) evaluateSheetsCommand() *cobra.Command {
	f := &sheetsFlags{}
	cmd := &cobra.Command{
		Use:   "sheets --dataset FILE|FOLDER --output FOLDER",
		Short: "Make sheets for blind ratings of summaries",
		Long: `Draw clusters of a dataset, summarize each with every method, and write sheets on
which readers rate the summaries without knowing where they come from. A sheet shows,
for each cluster, one human summary to check facts with, and then the candidates in
random order as A, B, C. The folder also contains a form for the ratings, a CSV file
with a line for each candidate. The key, which identifies the candidates, is a file
outside the folder: give readers only the folder.

Candidates are the methods of --methods, those of --variant with their own flags, the
editor's extracts of --editor, the summaries of --candidates, and a human summary: the
second one if there are several, else the one that is shown for the facts. Each line
of a file of candidates is {"id": ..., "name": ..., "text": ...}: the cluster, the name
of the candidate, and the summary, one sentence per line if it has several lines.
Only clusters for which all candidates exist are drawn.`,
		Example: `  cerasum evaluate sheets --dataset clusters.jsonl.gz --methods lead,bs+gs,auto --clusters 12 --output sheets
  cerasum evaluate sheets --dataset clusters.jsonl.gz --methods auto --variant "ranked=--method auto --order rank" --editor choices.jsonl.gz --candidates before.jsonl --seed 7 --output sheets`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.evaluateSheets(cmd.Context(), f) },
	}
	f.optionFlags.add(cmd, "method", "budget")
	f.addInput(cmd, "lead,bs+gs,auto", "comma-separated methods; all selects every method, empty none")
	fs := cmd.Flags()
	fs.StringArrayVar(&f.variants, "variant", nil, "NAME=FLAGS: another candidate, a method with its own flags, for example \"ranked=--method auto --order rank\"")
	fs.StringArrayVar(&f.candidates, "candidates", nil, "JSON Lines file of summaries made elsewhere")
	fs.StringVar(&f.editor, "editor", "", "JSON Lines file of an editor's choices, whose extracts become candidates")
	fs.BoolVar(&f.noHuman, "no-human", false, "leave out the human summary as a candidate")
	fs.IntVar(&f.clusters, "clusters", 10, "number of clusters to draw")
	fs.IntVar(&f.perSheet, "per-sheet", 5, "number of clusters per sheet")
	fs.Uint64Var(&f.seed, "seed", 1, "seed for the choice of clusters and the order of candidates")
	fs.StringVar(&f.set, "set", "", "name of the sheets (default: the name of the dataset)")
	fs.StringVarP(&f.output, "output", "o", "", "folder for the sheets")
	fs.StringVar(&f.key, "key", "", "file for the key (default: the folder's name plus -key.json)")
	return cmd
}

// plan is what the sheets are made of.
type plan struct {
	*evaluation
	names   []string // of the candidates, in the order of tables
	methods map[string]string
	// texts are the candidates made elsewhere, by name and cluster id.
	texts map[string]map[string][]string
	human bool
	seed  uint64
}

func (a *app) evaluateSheets(ctx context.Context, f *sheetsFlags) error {
	p, err := f.plan(a)
	if err != nil {
		return err
	}
	defer p.evaluation.ignored.report(a)
	files := &corpusFiles{}
	reader, closer, err := a.openDataset(ctx, files, p.evaluation, &f.evaluateFlags)
	if err != nil {
		return err
	}
	drawn, eligible, err := a.draw(ctx, p, reader, f.clusters)
	if err := errors.Join(err, closer.Close()); err != nil {
		return err
	}
	if len(drawn) == 0 {
		return fmt.Errorf("%s: no cluster has all candidates: %s", f.dataset, strings.Join(p.names, ", "))
	}
	if len(drawn) < f.clusters {
		a.warn(fmt.Sprintf("%s with all candidates, fewer than the %d of --clusters", clusters(eligible), f.clusters))
	}
	encoder, err := p.openEncoder(a, &f.evaluateFlags)
	if err != nil {
		return err
	}
	defer encoder.Close()
	list, err := a.candidates(ctx, p, drawn)
	if err != nil {
		return err
	}
	key := &blind.Key{
		Set: f.set, Version: core.Version, Dataset: p.setting.Dataset, Encoder: p.setting.Encoder, Budget: f.budget.Amount, Unit: string(f.budget.Unit), Seed: f.seed,
		Methods: p.methods, Names: p.names,
	}
	sheets, err := blind.Make(key, list, f.perSheet)
	if err != nil {
		return err
	}
	if err := f.write(key, sheets); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s of %s in %s; key: %s\n", plural(len(sheets), "sheet"), clusters(len(list)), f.output, f.key)
	return err
}

// plan validates the flags before the dataset is read.
func (f *sheetsFlags) plan(a *app) (*plan, error) {
	for _, n := range []struct {
		flag       string
		value, max int
	}{{"clusters", f.clusters, 10_000}, {"per-sheet", f.perSheet, 1000}} {
		if n.value < 1 || n.value > n.max {
			return nil, usage(fmt.Errorf("--%s %d: want 1 to %d", n.flag, n.value, n.max))
		}
	}
	p := &plan{methods: map[string]string{}, texts: map[string]map[string][]string{}, human: !f.noHuman, seed: f.seed}
	flags := map[string]string{}
	for _, v := range f.variants {
		m, given, err := f.variant(v)
		if err != nil {
			return nil, err
		}
		f.evaluateFlags.variants = append(f.evaluateFlags.variants, m)
		flags[m.Name] = given
	}
	f.format, f.limitWords, f.resamples, f.noMethods = formatTable, -1, 1, true
	var err error
	if p.evaluation, err = f.check(a); err != nil {
		return nil, err
	}
	if err := f.checkOutput(); err != nil {
		return nil, err
	}
	for _, m := range p.options.Methods {
		p.names = append(p.names, m.Name)
		p.methods[m.Name] = f.flagsOf(m.Name)
		if given, ok := flags[m.Name]; ok {
			p.methods[m.Name] = given
		}
	}
	for _, path := range f.candidates {
		if err := p.readCandidates(path); err != nil {
			return nil, err
		}
	}
	if err := p.readChoices(f.editor); err != nil {
		return nil, err
	}
	if p.options.Choices != nil {
		p.names = append(p.names, editorCandidate)
	}
	if p.human {
		p.names = append(p.names, humanCandidate)
	}
	if len(p.names) == 0 {
		return nil, usage(errors.New("no candidates given"))
	}
	for i, n := range p.names {
		if slices.Contains(p.names[:i], n) {
			return nil, usage(fmt.Errorf("duplicate candidate name %s", n))
		}
	}
	return p, nil
}

// flagsOf returns the flags that a method of --methods runs with.
func (f *sheetsFlags) flagsOf(method string) string {
	flags := []string{"--method", method}
	for _, info := range f.given {
		if info.UsedBy(method) {
			flags = append(flags, "--"+info.Flag()+"="+info.Text(&f.options))
		}
	}
	return strings.Join(flags, " ")
}

// variant parses NAME=FLAGS.
func (f *sheetsFlags) variant(s string) (m evaluate.Method, flags string, err error) {
	name, flags, found := strings.Cut(s, "=")
	name, flags = strings.TrimSpace(name), strings.Join(strings.Fields(flags), " ")
	if !found || name == "" || flags == "" {
		return m, "", usage(fmt.Errorf("--variant %q: want NAME=FLAGS, for example \"ranked=--method auto --order rank\"", s))
	}
	var given optionFlags
	cmd := &cobra.Command{}
	given.add(cmd, "budget")
	err = cmd.ParseFlags(strings.Fields(flags))
	if err == nil && len(cmd.Flags().Args()) > 0 {
		err = fmt.Errorf("unexpected argument %q", cmd.Flags().Arg(0))
	}
	method := given.options.Method
	if err == nil && method == "" {
		err = errors.New("no --method")
	}
	if err == nil {
		err = given.check(method)
	}
	if info := methodInfo(method); err == nil && f.encoder.name == noEncoder && (info.Embeddings == core.EmbeddingsRequired || given.has("denseWeight")) {
		err = fmt.Errorf("%s requires an encoder, and --encoder is %s", method, noEncoder)
	}
	if err != nil {
		return m, "", usage(fmt.Errorf("--variant %s: %w", name, err))
	}
	return evaluate.Method{Name: name, Options: options.For(given.options, method)}, flags, nil
}

// checkOutput fills in the names of set and key and refuses to replace files: a reading
// may depend on them.
func (f *sheetsFlags) checkOutput() error {
	if f.output == "" {
		return usage(hinted{errors.New("no folder given"), "name one with --output FOLDER"})
	}
	if f.set == "" {
		f.set = strings.Trim(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return '-'
		}, strings.TrimSuffix(datasetName(f.dataset), ".jsonl")), "-")
	}
	if f.set == "" || strings.ContainsAny(f.set, `/\,"`) || strings.ContainsFunc(f.set, unicode.IsSpace) {
		return usage(fmt.Errorf("--set %q: want a name without spaces, commas and slashes", f.set))
	}
	folder, err := filepath.Abs(f.output)
	if err != nil {
		return err
	}
	if f.key == "" {
		f.key = filepath.Clean(f.output) + "-key.json"
	}
	key, err := filepath.Abs(f.key)
	if err != nil {
		return err
	}
	if strings.HasPrefix(key, folder+string(filepath.Separator)) {
		return usage(hinted{fmt.Errorf("--key %s is in the folder of the sheets", f.key), "readers must not see the key: name a file elsewhere"})
	}
	if _, err := os.Lstat(f.key); err == nil {
		return usage(hinted{fmt.Errorf("%s exists", f.key), "a reading may need it: name another file with --key"})
	}
	switch entries, err := os.ReadDir(f.output); {
	case err == nil && len(entries) > 0:
		return usage(hinted{fmt.Errorf("%s is not empty", f.output), "name a new folder with --output"})
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	return nil
}

// readCandidates reads a file of summaries made elsewhere.
func (p *plan) readCandidates(path string) error {
	files := &corpusFiles{}
	in, err := files.Open(files.root(path))
	if err != nil {
		return err
	}
	defer in.Close()
	return blind.ReadCandidates(in, path, func(id, name, summary string) error {
		if p.texts[name] == nil {
			p.texts[name] = map[string][]string{}
			p.names = append(p.names, name)
		}
		if p.texts[name][id] != nil {
			return fmt.Errorf("duplicate summary %q of cluster %s", name, id)
		}
		p.texts[name][id] = summaryLines(summary)
		return nil
	})
}

// summaryLines returns the lines of a summary, or the sentences of one line.
func summaryLines(s string) []string {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "\n") {
		return evaluate.Lines(s, text.Detect(s))
	}
	var lines []string
	for line := range strings.Lines(s) {
		if line = text.OneLine(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// draw returns n clusters that have all candidates, in the order of the dataset, and
// how many have.
func (a *app) draw(ctx context.Context, p *plan, reader dataset.Reader, n int) (drawn []*dataset.Cluster, eligible int, err error) {
	draw := rand.New(rand.NewPCG(p.seed, 0x647261776e)) // the second half is an arbitrary constant
	type numbered struct {
		record int
		*dataset.Cluster
	}
	var kept []numbered
	bad := 0
	for record := 0; ; record++ {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		c, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if recordError := (*dataset.Error)(nil); errors.As(err, &recordError) {
			bad++
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		if !p.complete(c) {
			continue
		}
		eligible++
		if len(kept) < n {
			kept = append(kept, numbered{record, c})
		} else if at := draw.IntN(eligible); at < n {
			kept[at] = numbered{record, c}
		}
	}
	if bad > 0 {
		a.warn(plural(bad, "record") + " of the dataset cannot be read; \"cerasum evaluate\" reports them")
	}
	slices.SortFunc(kept, func(a, b numbered) int { return a.record - b.record })
	for _, k := range kept {
		drawn = append(drawn, k.Cluster)
	}
	return drawn, eligible, nil
}

// complete reports whether a cluster has all candidates that are not methods.
func (p *plan) complete(c *dataset.Cluster) bool {
	for _, texts := range p.texts {
		if len(texts[c.ID]) == 0 {
			return false
		}
	}
	choice := p.options.Choices[c.ID]
	return p.options.Choices == nil || choice != nil && len(choice.Extract) > 0
}

// candidates summarizes the clusters.
func (a *app) candidates(ctx context.Context, p *plan, drawn []*dataset.Cluster) ([]*blind.Cluster, error) {
	var list []*blind.Cluster
	methods := p.options.Methods
	if len(methods) == 0 {
		// Candidates made elsewhere alone: a method is run for the references' lines.
		p.options.Methods = []evaluate.Method{{Name: "lead", Options: core.Options{Method: "lead"}}}
	}
	p.options.Outcome = func(o *evaluate.Outcome) error {
		c := drawn[o.Record-1]
		if o.LeftOut != "" {
			a.leftOut(fmt.Sprintf("cluster %s: %s", c.ID, o.LeftOut))
			return nil
		}
		of := &blind.Cluster{ID: c.ID, Reference: o.References[0]}
		for i, m := range methods {
			of.Candidates = append(of.Candidates, blind.Candidate{Name: m.Name, Lines: o.Summaries[i]})
		}
		for _, name := range p.names {
			if texts := p.texts[name]; texts != nil {
				of.Candidates = append(of.Candidates, blind.Candidate{Name: name, Lines: texts[c.ID]})
			}
		}
		if p.options.Choices != nil {
			lines, err := extract(c, p.options.Choices[c.ID].Extract)
			if err != nil {
				return err
			}
			of.Candidates = append(of.Candidates, blind.Candidate{Name: editorCandidate, Lines: lines})
		}
		if p.human {
			of.Candidates = append(of.Candidates, blind.Candidate{Name: humanCandidate, Lines: o.References[min(1, len(o.References)-1)]})
		}
		list = append(list, of)
		a.progress.bar(float64(o.Record)/float64(len(drawn)), o.Record)
		return nil
	}
	err := evaluate.Run(ctx, &drawnReader{drawn}, p.options)
	a.progress.clear()
	if err == nil && len(list) == 0 {
		err = errors.New("no cluster could be summarized")
	}
	return list, err
}

// drawnReader reads clusters from a list.
type drawnReader struct{ left []*dataset.Cluster }

func (r *drawnReader) Next() (*dataset.Cluster, error) {
	if len(r.left) == 0 {
		return nil, io.EOF
	}
	c := r.left[0]
	r.left = r.left[1:]
	return c, nil
}

// extract returns the texts of an editor's spans.
func extract(c *dataset.Cluster, spans []dataset.Span) ([]string, error) {
	var lines []string
	for _, s := range spans {
		if s.Document >= len(c.Documents) {
			return nil, fmt.Errorf("cluster %s: the editor quotes document %d of %d", c.ID, s.Document, len(c.Documents))
		}
		units := utf16.Encode([]rune(c.Documents[s.Document].Text))
		if s.End > len(units) {
			return nil, fmt.Errorf("cluster %s: the editor quotes document %d up to %d of %d", c.ID, s.Document, s.End, len(units))
		}
		lines = append(lines, text.OneLine(string(utf16.Decode(units[s.Start:s.End]))))
	}
	return lines, nil
}

// write writes the key first: sheets without one are useless.
func (f *sheetsFlags) write(key *blind.Key, sheets []*blind.Sheet) error {
	if err := os.MkdirAll(f.output, 0o777); err != nil {
		return err
	}
	if err := writeOutput(f.key, nil, key.Write); err != nil {
		return err
	}
	for _, s := range sheets {
		err := writeOutput(filepath.Join(f.output, s.Name+".md"), nil, func(w io.Writer) error {
			_, err := io.WriteString(w, s.Markdown)
			return err
		})
		if err != nil {
			return err
		}
	}
	return writeOutput(filepath.Join(f.output, key.Set+"-ratings.csv"), nil, key.WriteForm)
}
