package main

import (
	"fmt"
	"time"

	"github.com/cerasum/cerasum/core"
	standing "github.com/cerasum/cerasum/internal/train/reading"
	"github.com/spf13/cobra"
)

type trainStandingFlags struct {
	trainFlags
	lang   string
	params standing.Params
}

func (a *app) trainStandingCommand() *cobra.Command {
	f := trainStandingFlags{params: standing.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "standing --train FILE[,lang=CODE][,limit=N][,skip=N]... --out FILE",
		Short: "Train the weights that judge whether a sentence stands alone",
		Long: `Train the weights that judge whether a sentence can be read without what precedes
it. No labels are needed: first sentences of documents and of their summaries stand
alone, and so does what an editor quoted; many of the others do not. Corpora are JSON
Lines, with documents and references, with an editor's spans (extract, good), or with
one sentence in several languages per line (a key for each language, and document).

Settings for one corpus follow its name: lang=fr is the language of documents that do
not specify one, limit=3000 reads that many records, skip=3 leaves out every third
record, which is kept for testing.

The weights are a text file with a line for each signal. The same command with the
same corpora writes the same weights on the same kind of processor.`,
		Example: `  cerasum train standing --train ntrex.jsonl.gz --train clusters.jsonl.gz,skip=3 --out standing.weights`,
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.trainStanding(&f) },
	}
	flags := cmd.Flags()
	f.add(flags, "training corpus, optionally with settings after commas", "the weights")
	flags.StringVarP(&f.lang, "lang", "l", "", "language of documents that do not specify one")
	p := &f.params
	flags.Float64Var(&p.Decay, "decay", p.Decay, "weight of the squared weights in the loss")
	flags.Float64Var(&p.Sharpness, "sharpness", p.Sharpness, "factor of the log-odds")
	flags.Float64Var(&p.Offset, "offset", p.Offset, "log-odds added to all sentences")
	flags.IntVar(&p.Steps, "steps", p.Steps, "steps of Newton's method")
	return cmd
}

// source reads "FILE,lang=fr,limit=3000,skip=3". A comma that no setting follows
// belongs to the name.
func (f *trainStandingFlags) source(given string) (standing.Source, error) {
	s := standing.Source{Language: f.lang}
	var err error
	s.Path, err = trainFile(given, func(name, value string) (known bool, err error) {
		switch name {
		case "lang":
			s.Language, err = core.ParseLanguage(value)
		case "limit":
			s.Limit, err = atLeast(1, value)
		case "skip":
			s.Skip, err = atLeast(2, value)
		default:
			return false, nil
		}
		return true, err
	})
	return s, err
}

func (a *app) trainStanding(f *trainStandingFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.params.Check(); err != nil {
		return usage(err)
	}
	var err error
	if f.lang, err = core.ParseLanguage(f.lang); err != nil {
		return usage(fmt.Errorf("--lang: %w", err))
	}
	// Report an unwritable file before the work.
	out, err := openOutput(f.out, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	start := time.Now()
	corpus := &standing.Corpus{}
	for _, given := range f.train {
		source, err := f.source(given)
		if err != nil {
			return err
		}
		if err := corpus.Read(source); err != nil {
			return err
		}
	}
	first, others := corpus.Len()
	a.note("training on %d sentences that stand alone and %d others, %s", first, others, since(start))
	w, err := standing.Train(corpus, f.params)
	if err != nil {
		return err
	}
	if err := w.Write(out); err != nil {
		return err
	}
	return out.commit()
}
