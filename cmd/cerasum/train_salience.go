package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/dataset"
	experts "github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/train/salience"
	"github.com/spf13/cobra"
)

type trainSalienceFlags struct {
	train         []string
	layout, split string
	lang          string
	budget        int
	limit         int
	out           string
	overwrite     bool
	params        salience.Params
}

func (a *app) trainSalienceCommand() *cobra.Command {
	f := trainSalienceFlags{params: salience.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "salience --train FILE... --budget WORDS --out FILE",
		Short: "Train an expert of method salience, which tells what a human summary would say",
		Long: `Train the two small networks by which method salience, the default, tells how
likely word pairs and sentences are to be in a human summary. Datasets are as
"cerasum evaluate" reads them; their clusters go in turn to the network of the
sentences and to that of the pairs, which sees what the first says.

--budget is the length of a summary in words, about that of the references: it
tells the networks how roomy it is. "cerasum summarize" and "cerasum evaluate" take
the file with --expert-roomy, for budgets of half of the text and more, or
--expert-narrow, for those of less than two sevenths; in between both count.

The same command with the same datasets writes the same bytes. Memory is some 40 kB
a cluster of Multi-News.`,
		Example: `  cerasum train salience --train train.jsonl.gz --lang en --budget 230 --out roomy.bin
  cerasum evaluate --dataset validation.jsonl.gz --budget 230 --methods salience --expert-roomy roomy.bin`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.trainSalience(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.train, "train", nil, "dataset to learn from (repeatable)")
	flags.StringVar(&f.layout, "layout", "auto", "form of the datasets (default: told by what is there)")
	flags.StringVar(&f.split, "split", "train", "split of CrossSum: train, val or test")
	flags.StringVarP(&f.lang, "lang", "l", "", "language of documents that name none (default: told for each)")
	flags.IntVarP(&f.budget, "budget", "b", 0, "words of a summary")
	flags.IntVar(&f.limit, "limit", 0, "only the first so many clusters of each --train (0: all)")
	flags.StringVarP(&f.out, "out", "o", "", "file to write the expert to")
	flags.BoolVar(&f.overwrite, "overwrite", false, "replace the file if it is there")
	p := &f.params
	flags.IntVar(&p.Hidden, "hidden", p.Hidden, "hidden units of each network")
	flags.IntVar(&p.SentenceEpochs, "sentence-epochs", p.SentenceEpochs, "times through the corpus, for the network of the sentences")
	flags.IntVar(&p.PairEpochs, "pair-epochs", p.PairEpochs, "times through the corpus, for the network of the pairs")
	flags.Float64Var(&p.SentenceRate, "sentence-rate", p.SentenceRate, "learning rate (Adam) of the network of the sentences")
	flags.Float64Var(&p.PairRate, "pair-rate", p.PairRate, "learning rate (Adam) of the network of the pairs")
	flags.IntVar(&p.Batch, "batch", p.Batch, "clusters in a step")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "seed of all that is random")
	complete(cmd, "layout", append([]string{"auto"}, stringsOf(dataset.Layouts)...)...)
	complete(cmd, "split", dataset.CrossSumSplits...)
	return cmd
}

func (f *trainSalienceFlags) check() error {
	if len(f.train) == 0 || f.out == "" {
		return usage(errors.New("want at least one --train, and --out"))
	}
	if f.budget < 1 {
		return usage(hinted{fmt.Errorf("--budget %d: want at least 1", f.budget), "give the words of a summary, about as many as the references have"})
	}
	if f.limit < 0 {
		return usage(fmt.Errorf("--limit %d: want at least 0", f.limit))
	}
	if f.layout == "auto" {
		f.layout = ""
	} else if _, err := oneOf("layout", f.layout, dataset.Layouts); err != nil {
		return err
	}
	if _, err := oneOf("split", f.split, dataset.CrossSumSplits); err != nil {
		return err
	}
	var err error
	if f.lang, err = core.ParseLanguage(f.lang); err != nil {
		return usage(fmt.Errorf("--lang: %w", err))
	}
	if err := f.params.Check(); err != nil {
		return usage(err)
	}
	if info, err := os.Stat(f.out); err == nil && info.Mode().IsRegular() && !f.overwrite {
		return usage(hinted{fmt.Errorf("%s is there already", f.out), "use --overwrite to replace it"})
	}
	for _, path := range f.train {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) trainSalience(ctx context.Context, f *trainSalienceFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	a.progress.on = a.err.Interactive && !a.quiet
	// A file that cannot be written is told before the work.
	out, err := openOutput(f.out, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	start := time.Now()
	corpus := &salience.Corpus{}
	for _, path := range f.train {
		before := corpus.Len()
		if err := a.readExamples(ctx, path, f, corpus); err != nil {
			return err
		}
		if corpus.Len() == before {
			return fmt.Errorf("%s: no cluster to learn from", path)
		}
	}
	a.note("%s to learn from, %d left out, %s", clusters(corpus.Len()), a.bad, since(start))
	start = time.Now()
	expert, err := salience.Train(ctx, corpus, f.params, func(network string, epoch, epochs int, loss float64) {
		a.note("%s, epoch %d of %d: loss %.4f, %s", network, epoch, epochs, loss, since(start))
		start = time.Now()
	})
	if err != nil {
		return err
	}
	if _, err := out.Write(experts.Encode(expert)); err != nil {
		return err
	}
	return out.commit()
}

// since is a time for people.
func since(start time.Time) time.Duration { return time.Since(start).Round(100 * time.Millisecond) }

// reading is a record of a corpus, of which an example is being made.
type reading struct {
	name    string // of the cluster, for people
	example salience.Example
	err     error
	done    chan struct{}
}

// readExamples adds the clusters of a corpus in its order; they are read side by
// side. Bad ones are reported and left out.
func (a *app) readExamples(ctx context.Context, path string, f *trainSalienceFlags, corpus *salience.Corpus) error {
	var files corpusFiles
	name := files.root(path)
	reader, closer, err := dataset.Open(&files, name, dataset.OpenOptions{Layout: dataset.Layout(f.layout), Split: f.split})
	if err != nil {
		return datasetError(err)
	}
	defer closer.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bar := a.bar(&files, reader, f.limit)
	// The buffer bounds how many are read side by side.
	order := make(chan *reading, 4*runtime.GOMAXPROCS(0))
	var broken error // of the corpus; read after order is closed
	go func() {
		defer close(order)
		broken = f.begin(ctx, reader, order)
	}()
	// The one above must not read on when the files are closed.
	defer func() {
		cancel()
		for range order {
		}
	}()
	read := 0
	for r := range order {
		<-r.done
		var bad *dataset.Error
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(r.err, &bad):
			a.leftOut(r.err.Error())
		case r.err != nil:
			a.leftOut(fmt.Sprintf("%s: cluster %s: %v", path, r.name, r.err))
		default:
			corpus.Add(r.example)
		}
		read++
		bar(read)
	}
	return broken
}

// begin hands out the records of a corpus in order and begins to read each.
func (f *trainSalienceFlags) begin(ctx context.Context, reader dataset.Reader, order chan<- *reading) error {
	for n := 0; f.limit == 0 || n < f.limit; {
		c, err := reader.Next()
		var bad *dataset.Error
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &bad):
			return err
		}
		r := &reading{err: err, done: make(chan struct{})}
		select {
		case order <- r:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err != nil {
			close(r.done)
			continue
		}
		n++
		r.name = c.ID
		go func() {
			defer close(r.done)
			r.example, r.err = salience.NewExample(ctx, f.prepare(c), c.References, f.budget)
		}()
	}
	return nil
}

// prepare makes a cluster to read of a record.
func (f *trainSalienceFlags) prepare(c *dataset.Cluster) *cluster.Cluster {
	for i := range c.Documents {
		if d := &c.Documents[i]; d.Language == "" {
			d.Language = f.lang
		}
	}
	return &cluster.Cluster{Documents: c.Documents}
}
