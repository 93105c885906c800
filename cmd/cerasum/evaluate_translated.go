package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/translated"
	"github.com/spf13/cobra"
)

// translatedFlags holds the flag values as given.
type translatedFlags struct {
	optionFlags
	data, output                    string
	clusters, paragraphs, languages int
	seed                            uint64
	encoder                         encoderFlags
	weights                         weightsFlags
	show                            bool
}

func (a *app) evaluateTranslationsCommand() *cobra.Command {
	var f translatedFlags
	cmd := &cobra.Command{
		Use:   "translations --data FILE",
		Short: "Count sentences quoted twice, in two languages",
		Long: `Count how often a summary quotes the same sentence in two languages.

The data are JSON Lines, one object per paragraph with its text by language:
{"en": "...", "de": "..."}, plus "document" if there are several texts. Each
cluster consists of consecutive paragraphs in randomly drawn languages, one
document per language; languages are detected. Each cluster is summarized with
every method. A quoted sentence counts if another quoted sentence translates all or
most of it: the sentence with the same index in the same paragraph of another
language if both versions have the same number of sentences, else one that covers at
least half of the shorter sentence by its position in the paragraph. Both sentences
of a pair count.

The output is a Markdown table with, for each method, the number of quoted
sentences, how many of them are such translations, how many summaries have any, and
the languages per summary.`,
		Example: "  cerasum evaluate translations --data xquad.jsonl.gz",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.evaluateTranslations(cmd.Context(), &f) },
	}
	f.optionFlags.add(cmd, "method", "order", "query", "queryWeight")
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "JSON Lines file with paragraphs in several languages")
	flags.IntVar(&f.clusters, "clusters", 100, "number of clusters to generate")
	flags.IntVar(&f.paragraphs, "paragraphs", 5, "number of consecutive paragraphs per document")
	flags.IntVar(&f.languages, "languages", 3, "number of languages per cluster")
	flags.Uint64Var(&f.seed, "seed", 1, "seed for the choice of clusters")
	flags.StringVarP(&f.encoder.name, "encoder", "e", "default", "encoder: lexical (none: words only), "+encoderForms)
	flags.BoolVar(&f.show, "show", false, "print the translations quoted by auto after the table")
	flags.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	f.encoder.add(cmd, noEncoder)
	f.weights.add(cmd)
	return cmd
}

// rows returns a row for each method that can run. Methods that use weights need
// some for the encoder, which may be nil.
func (f *translatedFlags) rows(model *encoder.Model) ([]*translatedRow, error) {
	var names []string
	for _, m := range core.Methods() {
		if model != nil || m.Embeddings != core.EmbeddingsRequired {
			names = append(names, m.Name)
		}
	}
	loaded, err := f.weights.load(names, f.options.Licence, true)
	if err != nil {
		return nil, err
	}
	var rows []*translatedRow
	for _, name := range names {
		row := &translatedRow{method: name}
		if methodInfo(name).Weights == core.WeightsRequired {
			w, ok := loaded[name]
			if !ok {
				continue
			}
			if err := w.check(model); err != nil {
				if w.optional {
					continue // no shipped weights for this encoder
				}
				return nil, err
			}
			row.weights = w.Weights
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// translatedRow holds the counts of one method.
type translatedRow struct {
	method                                  string
	weights                                 *centroid.Weights[float32] // nil if the method uses none
	sentences, repeated, summaries, tongues int
}

func (a *app) evaluateTranslations(ctx context.Context, f *translatedFlags) error {
	if f.data == "" {
		return usage(hinted{errors.New("no data given"), "name a file with --data FILE"})
	}
	if f.clusters < 1 || f.clusters > 1_000_000 {
		return usage(fmt.Errorf("--clusters %d: want 1 to 1000000", f.clusters))
	}
	var all []string
	for _, m := range core.Methods() {
		all = append(all, m.Name)
	}
	if err := f.optionFlags.check(all...); err != nil {
		return err
	}
	if f.has("denseWeight") && f.encoder.name == noEncoder {
		return usage(fmt.Errorf("--dense-weight requires an encoder, and --encoder is %s", noEncoder))
	}
	budget := cmp.Or(f.options.Budget, core.DefaultBudget)
	var files corpusFiles
	in, err := files.Open(files.root(f.data))
	if err != nil {
		return err
	}
	source, err := translated.Read(f.data, in)
	in.Close()
	if err != nil {
		return err
	}
	clusters, err := source.Draw(f.clusters, f.paragraphs, f.languages, f.seed)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", f.data, err))
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	var model *encoder.Model
	name := "no encoder"
	if f.encoder.name != noEncoder {
		if model, err = openEncoder(f.encoder); err != nil {
			return err
		}
		defer model.Close()
		name = fmt.Sprintf("encoder %s (%d dimensions, sha256 %.12s, %s)", model.Name(), model.Dimensions(), model.Fingerprint(), model.Runtime())
	}
	rows, err := f.rows(model)
	if err != nil {
		return err
	}
	mistaken := 0
	var examples strings.Builder
	for i, c := range clusters {
		a.progress.show("clusters", i, len(clusters))
		if err := core.Prepare(ctx, c.Documents); err != nil {
			return err
		}
		for d, l := range c.Languages {
			if c.Documents[d].Language != l {
				mistaken++
			}
		}
		o := f.options
		session, err := core.Open(ctx, c.Documents, core.OpenOptions{})
		if err != nil {
			return err
		}
		if model != nil {
			data, err := model.Embed(ctx, session.Texts(), nil)
			if err != nil {
				return err
			}
			if err := session.Embed(core.Embeddings{Data: data, Dimensions: model.Dimensions(), Languages: model.Languages()}); err != nil {
				return err
			}
		}
		for _, r := range rows {
			refs, repeated, err := r.add(ctx, session, c, o)
			if err != nil {
				return fmt.Errorf("cluster %d: %w", i+1, err)
			}
			if f.show && r.method == "auto" {
				showRepeated(&examples, i+1, c, refs, repeated)
			}
		}
	}
	a.progress.clear()
	fmt.Fprintf(out, "%s: %d clusters of %d paragraphs in %d of %d languages, seed %d, budget %s, %s. Of %d documents, %d were detected as another language.\n\n",
		datasetName(f.data), f.clusters, f.paragraphs, f.languages, len(source.Languages), f.seed, budget, name, f.clusters*f.languages, mistaken)
	fmt.Fprintf(out, "| method | sentences | translated | %% of sentences | %% of summaries with any | languages |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	n := float64(len(clusters))
	for _, r := range rows {
		fmt.Fprintf(out, "| %s | %d | %d | %.2f | %.0f | %.2f |\n", r.method, r.sentences, r.repeated,
			100*float64(r.repeated)/float64(max(1, r.sentences)), 100*float64(r.summaries)/n, float64(r.tongues)/n)
	}
	if _, err := fmt.Fprint(out, examples.String()); err != nil {
		return err
	}
	return out.commit()
}

// add summarizes a cluster with the row's method.
func (r *translatedRow) add(ctx context.Context, session *core.Session, c *translated.Cluster, o core.Options) ([]cluster.Ref, []bool, error) {
	o = options.For(o, r.method)
	o.Weights = r.weights
	s, err := session.Summarize(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	var refs []cluster.Ref
	tongues := map[string]bool{}
	for _, q := range s.Sentences {
		refs = append(refs, q.Ref)
		tongues[c.Languages[q.Document]] = true
	}
	repeated := c.Repeated(refs)
	any := 0
	for _, is := range repeated {
		if is {
			r.repeated++
			any = 1
		}
	}
	r.sentences += len(refs)
	r.summaries += any
	r.tongues += len(tongues)
	return refs, repeated, nil
}

// showRepeated writes the sentences of a summary that translate each other.
func showRepeated(w *strings.Builder, number int, c *translated.Cluster, refs []cluster.Ref, repeated []bool) {
	for i, r := range refs {
		if repeated[i] {
			fmt.Fprintf(w, "\n- cluster %d, %s detected as %s, sentence %d: %s\n", number, c.Languages[r.Document],
				cmp.Or(c.Documents[r.Document].Language, "none"), r.Sentence+1, c.At(r).Text)
		}
	}
}
