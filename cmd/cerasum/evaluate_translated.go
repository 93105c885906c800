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
	"github.com/cerasum/cerasum/internal/translated"
	"github.com/spf13/cobra"
)

// translatedFlags are the values as typed.
type translatedFlags struct {
	data, budget, output            string
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
		Short: "Count what summaries say twice, in two languages",
		Long: `Count how often a summary says the same sentence twice, in two languages.

The data are JSON Lines, each an object of one paragraph in several languages:
{"en": "...", "de": "..."}, with "document" where there are several texts. Each
cluster is a piece of some paragraphs, in languages drawn at random, a document
for each; the program has to tell the languages itself. Each is summarized with
every method, and the quoted sentences are counted that translate another quoted
one, wholly or mostly: in the same paragraph of another language, the one of the
same index where both have it in equally many sentences, else one that covers at
least half of the shorter of the two by its place in the paragraph. Both
sentences of such a pair count.

The result is Markdown: by method, the sentences quoted, how many are such
translations, the summaries that have any, and the languages of a summary.`,
		Example: "  cerasum evaluate translations --data xquad.jsonl.gz",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.evaluateTranslations(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "paragraphs in several languages")
	flags.IntVar(&f.clusters, "clusters", 100, "clusters to make")
	flags.IntVar(&f.paragraphs, "paragraphs", 5, "consecutive paragraphs of a document")
	flags.IntVar(&f.languages, "languages", 3, "languages of a cluster")
	flags.StringVarP(&f.budget, "budget", "b", core.DefaultBudget.String(), "length of a summary, like 100 (words), 5s (sentences) or 600c (characters)")
	flags.Uint64Var(&f.seed, "seed", 1, "the same one makes the same clusters")
	flags.StringVarP(&f.encoder.name, "encoder", "e", "default", "what makes the embeddings: lexical (nothing: words alone), "+encoderForms)
	flags.BoolVar(&f.show, "show", false, "put out the translations that auto quoted, after the table")
	flags.StringVarP(&f.output, "output", "o", "", "write to this file, whole or not at all (default: standard output)")
	f.encoder.add(cmd, noEncoder)
	f.weights.add(cmd)
	return cmd
}

// rows are one for each method that can run: those that go by weights only
// where there are some for the encoder, which may be nil.
func (f *translatedFlags) rows(model *encoder.Model) ([]*translatedRow, error) {
	var names []string
	for _, m := range core.Methods() {
		if model != nil || m.Embeddings != core.EmbeddingsRequired {
			names = append(names, m.Name)
		}
	}
	loaded, err := f.weights.load(names, true)
	if err != nil {
		return nil, err
	}
	var rows []*translatedRow
	for _, name := range names {
		row := &translatedRow{method: name}
		if weightUse(name) == core.WeightsRequired {
			w, ok := loaded[name]
			if !ok {
				continue
			}
			if err := w.check(model); err != nil {
				if w.optional {
					continue // the shipped ones are not for it
				}
				return nil, err
			}
			row.weights = w.Weights
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// translatedRow is what is counted of a method.
type translatedRow struct {
	method                                  string
	weights                                 *centroid.Weights[float32] // nil for one that goes by none
	sentences, repeated, summaries, tongues int
}

func (a *app) evaluateTranslations(ctx context.Context, f *translatedFlags) error {
	if f.data == "" {
		return usage(hinted{errors.New("no data"), "give some with --data FILE"})
	}
	if f.clusters < 1 || f.clusters > 1_000_000 {
		return usage(fmt.Errorf("--clusters %d: want 1 to 1000000", f.clusters))
	}
	budget, err := core.ParseBudget(f.budget)
	if err != nil {
		return usage(err)
	}
	corpus, err := corpusOf(f.data)
	if err != nil {
		return err
	}
	in, err := corpus.Open()
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
		if model, err = a.openEncoder(ctx, f.encoder); err != nil {
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
		o := core.Options{Budget: budget, Licence: f.weights.licence}
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
	fmt.Fprintf(out, "%s: %d clusters of %d paragraphs in %d of %d languages, seed %d, budget %s, %s. Of %d documents %d were taken to be in another language.\n\n",
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
	o.Method, o.Weights = r.method, r.weights
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
			fmt.Fprintf(w, "\n- cluster %d, %s taken for %s, sentence %d: %s\n", number, c.Languages[r.Document],
				cmp.Or(c.Documents[r.Document].Language, "none"), r.Sentence+1, c.At(r).Text)
		}
	}
}
