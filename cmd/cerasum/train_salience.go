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
	trainFlags
	layout, split string
	lang          string
	budget        int
	limit         int
	params        salience.Params
	corpora       []trainingCorpus // of train
}

// trainingCorpus is a dataset with its settings.
type trainingCorpus struct {
	path, lang    string
	budget, times int
}

// parseTrainingCorpus reads "FILE,lang=fr,budget=40,times=2"; what is not set is
// that of the flags. A comma that no setting follows belongs to the name.
func (f *trainSalienceFlags) parseTrainingCorpus(s string) (trainingCorpus, error) {
	c := trainingCorpus{path: s, lang: f.lang, budget: f.budget, times: 1}
	var err error
	c.path, err = trainFile(s, func(name, value string) (known bool, err error) {
		switch name {
		case "lang":
			c.lang, err = core.ParseLanguage(value)
		case "budget":
			c.budget, err = atLeast(1, value)
		case "times":
			c.times, err = atLeast(1, value)
		default:
			return false, nil
		}
		return true, err
	})
	return c, err
}

func (a *app) trainSalienceCommand() *cobra.Command {
	f := trainSalienceFlags{params: salience.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "salience --train FILE[,lang=CODE][,budget=WORDS][,times=N]... --out FILE",
		Short: "Train an expert for method salience",
		Long: `Train an expert for method salience: two small networks that predict how likely word
pairs and sentences are to appear in a human summary. The default method uses these
predictions, too. Datasets have the layouts of "cerasum evaluate". Their clusters
alternate between the two networks, as the input of the pair network includes the
output of the sentence network.

--budget is the length of a summary in words, about that of the references: it is
an input of the networks. Settings for one dataset follow its name: lang=fr,
budget=40, and times=4 to train on its clusters four times per epoch. Use the file
with --expert, or with --expert-long if the budget is more than a third of the
documents.

The same command with the same datasets writes the same bytes. Memory is about
40 kB per cluster of Multi-News.`,
		Example: `  cerasum train salience --train articles.jsonl.gz,lang=fr,budget=40 \
    --train papers.jsonl.gz,lang=en,budget=150,times=2 --out expert.bin
  cerasum evaluate --dataset validation.jsonl.gz --budget 100 --methods salience --expert expert.bin`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.trainSalience(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	f.add(flags, "training dataset, optionally with settings after commas", "the expert")
	flags.StringVar(&f.layout, "layout", "auto", "layout of the datasets")
	flags.StringVar(&f.split, "split", "train", "CrossSum split: train, val or test")
	flags.StringVarP(&f.lang, "lang", "l", "", "language of documents that do not specify one (default: detected per document)")
	addPaperBudget(flags, &f.budget, 0, "length of a summary")
	flags.IntVar(&f.limit, "limit", 0, "maximum number of clusters of each dataset (0: all)")
	p := &f.params
	flags.IntVar(&p.Members, "members", p.Members, "number of networks that are trained with different seeds and averaged")
	flags.IntVar(&p.Hidden, "hidden", p.Hidden, "number of hidden units of a network")
	flags.IntVar(&p.SentenceEpochs, "sentence-epochs", p.SentenceEpochs, "number of epochs for a sentence network")
	flags.IntVar(&p.PairEpochs, "pair-epochs", p.PairEpochs, "number of epochs for a pair network")
	flags.Float64Var(&p.SentenceRate, "sentence-rate", p.SentenceRate, "learning rate (Adam) of the sentence networks")
	flags.Float64Var(&p.PairRate, "pair-rate", p.PairRate, "learning rate (Adam) of the pair networks")
	flags.IntVar(&p.Batch, "batch", p.Batch, "clusters per step")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "random seed")
	complete(cmd, "layout", append([]string{"auto"}, stringsOf(dataset.Layouts)...)...)
	complete(cmd, "split", dataset.CrossSumSplits...)
	return cmd
}

func (f *trainSalienceFlags) check() error {
	if err := f.trainFlags.check(); err != nil {
		return err
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
	for _, given := range f.train {
		c, err := f.parseTrainingCorpus(given)
		if err != nil {
			return err
		}
		if _, err := os.Stat(c.path); err != nil {
			return err
		}
		if c.budget < 1 {
			return usage(hinted{fmt.Errorf("no budget given for %s", c.path), "set --budget, or budget= after the name, to the length of a summary in words, about that of the references"})
		}
		f.corpora = append(f.corpora, c)
	}
	return nil
}

func (a *app) trainSalience(ctx context.Context, f *trainSalienceFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	a.progress.on = a.err.Interactive && !a.quiet
	// Report an unwritable file before the work.
	out, err := openOutput(f.out, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	start := time.Now()
	corpus := &salience.Corpus{}
	for _, c := range f.corpora {
		examples, err := a.readExamples(ctx, c, f)
		if err != nil {
			return err
		}
		if len(examples) == 0 {
			return fmt.Errorf("%s: no training cluster", c.path)
		}
		for range c.times {
			for _, e := range examples {
				corpus.Add(e)
			}
		}
	}
	a.note("training on %s, %d left out, %s", clusters(corpus.Len()), a.bad, since(start))
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

// since returns the elapsed time, rounded for people.
func since(start time.Time) time.Duration { return time.Since(start).Round(100 * time.Millisecond) }

// pending is a record of a corpus whose example is being computed.
type pending struct {
	name    string // of the cluster, for messages
	example salience.Example
	err     error
	done    chan struct{}
}

// readExamples reads the clusters of a corpus, in order but in parallel. Bad ones
// are reported and left out.
func (a *app) readExamples(ctx context.Context, c trainingCorpus, f *trainSalienceFlags) (examples []salience.Example, err error) {
	var files corpusFiles
	name := files.root(c.path)
	reader, closer, err := dataset.Open(&files, name, dataset.OpenOptions{Layout: dataset.Layout(f.layout), Split: f.split})
	if err != nil {
		return nil, datasetError(err)
	}
	defer closer.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bar := a.bar(&files, reader, f.limit)
	// The buffer limits the number read in parallel.
	order := make(chan *pending, 4*runtime.GOMAXPROCS(0))
	var broken error // of the corpus; read after order is closed
	go func() {
		defer close(order)
		broken = f.begin(ctx, c, reader, order)
	}()
	// The reading goroutine must have stopped before the files are closed.
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
			return nil, ctx.Err()
		case errors.As(r.err, &bad):
			a.leftOut(r.err.Error())
		case r.err != nil:
			a.leftOut(fmt.Sprintf("%s: cluster %s: %v", c.path, r.name, r.err))
		default:
			examples = append(examples, r.example)
		}
		read++
		bar(read)
	}
	return examples, broken
}

// begin sends the records of a corpus in order and starts reading each.
func (f *trainSalienceFlags) begin(ctx context.Context, corpus trainingCorpus, reader dataset.Reader, order chan<- *pending) error {
	for n := 0; f.limit == 0 || n < f.limit; {
		c, err := reader.Next()
		var bad *dataset.Error
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &bad):
			return err
		}
		r := &pending{err: err, done: make(chan struct{})}
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
			r.example, r.err = salience.NewExample(ctx, corpus.prepare(c), c.References, corpus.budget)
		}()
	}
	return nil
}

// prepare converts a record to a prepared cluster.
func (t *trainingCorpus) prepare(c *dataset.Cluster) *cluster.Cluster {
	for i := range c.Documents {
		if d := &c.Documents[i]; d.Language == "" {
			d.Language = t.lang
		}
	}
	return &cluster.Cluster{Documents: c.Documents}
}
