package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cerasum/cerasum/internal/train/encoder"
	"github.com/spf13/cobra"
)

type trainEncoderFlags struct {
	corpora, mix      []string
	out, checkpoint   string
	resume, overwrite bool
	every             time.Duration
	retrieval, sts    []string
	name, licence     string
	sources           []string
	params            encoder.Params
}

func (a *app) trainEncoderCommand() *cobra.Command {
	f := trainEncoderFlags{params: encoder.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "encoder --corpus FILE... --out FOLDER",
		Short: "Train a static sentence encoder from parallel sentences",
		Long: `Train a static multilingual sentence encoder: a table of word-piece vectors of
which a text's embedding is the weighted sum. It learns from groups of sentences
that mean the same, in files of two forms (each may be gzip):

  lines   language TAB language TAB text TAB text
  JSON    {"en": "...", "fr": "...", ...} a line, for any number of languages

Pairs of the same text make groups of paraphrases besides. An epoch takes one
pair of a group of two and 60 of a larger one; --mix NAME=PAIRS changes that for
the file NAME. After each epoch the encoder is scored, on --retrieval files (the
JSON form: which sentence of the other language is the translation?) and on
--sts files (score TAB sentence TAB sentence: rank correlation).

The folder holds a sentence-transformers export: model.onnx, tokenizer.json,
their configuration and a model card (README.md). A checkpoint is kept beside it
until the end; Ctrl-C keeps it too, and the same command with --resume goes on.`,
		Example: `  cerasum train encoder --corpus tatoeba.tsv.gz --corpus ntrex.jsonl.gz --out encoder/
  cerasum train encoder --corpus pairs.tsv --mix pairs=2 --retrieval flores.jsonl --out encoder/ --resume`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.trainEncoder(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.corpora, "corpus", nil, "file of parallel sentences (repeatable)")
	flags.StringArrayVar(&f.mix, "mix", nil, "NAME=PAIRS of each group of the corpus NAME in an epoch (repeatable)")
	flags.StringVarP(&f.out, "out", "o", "", "folder to write the encoder to")
	flags.BoolVar(&f.overwrite, "overwrite", false, "write into a folder that has an encoder already")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "checkpoint file (default FOLDER.checkpoint)")
	flags.DurationVar(&f.every, "checkpoint-every", 5*time.Minute, "least time between two checkpoints")
	flags.BoolVar(&f.resume, "resume", false, "go on from the checkpoint")
	flags.StringArrayVar(&f.retrieval, "retrieval", nil, "parallel sentences to score with (repeatable)")
	flags.StringArrayVar(&f.sts, "sts", nil, "judged sentence pairs to score with (repeatable)")
	flags.StringVar(&f.name, "name", "encoder", "name of the encoder in its card")
	flags.StringVar(&f.licence, "licence", "not stated", "licence of the weights in the card")
	flags.StringArrayVar(&f.sources, "source", nil, "a corpus with its licence, for the card (repeatable)")
	p := &f.params
	flags.IntVar(&p.Dimensions, "dimensions", p.Dimensions, "dimensions of an embedding")
	flags.IntVar(&p.Pieces, "pieces", p.Pieces, "word pieces in the vocabulary")
	flags.IntVar(&p.Epochs, "epochs", p.Epochs, "times through the corpora")
	flags.IntVar(&p.Batch, "batch", p.Batch, "pairs in a step")
	flags.Float64Var(&p.Temperature, "temperature", p.Temperature, "what cosines are divided by in the loss")
	flags.Float64Var(&p.Rate, "rate", p.Rate, "learning rate of the vectors (Adagrad)")
	flags.Float64Var(&p.WeightRate, "weight-rate", p.WeightRate, "learning rate of the pieces' weights")
	flags.Float64Var(&p.Smoothing, "smoothing", p.Smoothing, "a in the first weight a/(a + p) of a piece of frequency p")
	flags.Float64Var(&p.Dropout, "dropout", p.Dropout, "share of a sentence's pieces left out in a step")
	flags.StringSliceVar(&p.Focus, "focus", p.Focus, "languages that get more of the vocabulary")
	flags.Float64Var(&p.FocusWeight, "focus-weight", p.FocusWeight, "how much more")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "seed of all that is random")
	return cmd
}

func (a *app) trainEncoder(ctx context.Context, f *trainEncoderFlags) error {
	if len(f.corpora) == 0 || f.out == "" {
		return usage(errors.New("want at least one --corpus, and --out"))
	}
	corpora, err := f.open()
	if err != nil {
		return err
	}
	if f.checkpoint == "" {
		f.checkpoint = filepath.Clean(f.out) + ".checkpoint"
	}
	if _, err := os.Stat(filepath.Join(f.out, "model.onnx")); err == nil && !f.overwrite {
		return usage(hinted{fmt.Errorf("%s has an encoder already", f.out), "use --overwrite to replace it"})
	}
	scores, err := readScoring(f.retrieval, f.sts)
	if err != nil {
		return err
	}
	a.progress.on = a.err.Interactive && !a.quiet
	watch := &trainWatch{app: a, noted: time.Now()}
	t, err := f.begin(ctx, corpora, watch.show)
	if err != nil {
		return err
	}
	saved := time.Now()
	t.AfterStep = func() error {
		if time.Since(saved) < f.every {
			return nil
		}
		defer func() { saved = time.Now() }()
		return f.save(t)
	}
	for !t.Done() {
		watch.begin()
		loss, err := t.Epoch(ctx)
		if err != nil {
			if ctx.Err() != nil {
				if e := f.save(t); e != nil {
					return errors.Join(err, e)
				}
				return hinted{err, "the same command with --resume goes on from " + f.checkpoint}
			}
			return err
		}
		if err := f.save(t); err != nil {
			return err
		}
		saved = time.Now()
		a.note("epoch %d of %d: loss %.3f, %s", t.Epochs(), f.params.Epochs, loss, watch.taken())
		if err := a.noteScores(ctx, scores, t.Encoder()); err != nil {
			return err
		}
	}
	if err := a.exportEncoder(ctx, f, t, scores); err != nil {
		return err
	}
	if err := os.Remove(f.checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// begin anew or, with --resume, from the checkpoint where there is one.
func (f *trainEncoderFlags) begin(ctx context.Context, corpora []encoder.Corpus, show func(encoder.Progress)) (*encoder.Training, error) {
	if f.resume {
		r, err := os.Open(f.checkpoint)
		if err == nil {
			defer r.Close()
			t, err := encoder.Resume(ctx, r, corpora, f.params, show)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.checkpoint, err)
			}
			return t, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return encoder.New(ctx, corpora, f.params, show)
}

// open makes the corpora of the flags; the files are opened when they are read.
func (f *trainEncoderFlags) open() ([]encoder.Corpus, error) {
	var corpora []encoder.Corpus
	for _, path := range f.corpora {
		c, err := corpusOf(path)
		if err != nil {
			return nil, err
		}
		corpora = append(corpora, c)
	}
next:
	for _, m := range f.mix {
		name, amount, _ := strings.Cut(m, "=")
		n, err := strconv.Atoi(amount)
		if err != nil || n < 1 {
			return nil, usage(fmt.Errorf("--mix %q: want NAME=PAIRS with at least 1 pair", m))
		}
		var names []string
		for i := range corpora {
			short, _, _ := strings.Cut(filepath.Base(corpora[i].Name), ".")
			if short == name {
				corpora[i].Draws = n
				continue next
			}
			names = append(names, short)
		}
		return nil, usage(unknown("corpus in --mix", name, names))
	}
	return corpora, nil
}

// corpusOf is a file, gzip or not; that it is there is checked at once.
func corpusOf(path string) (encoder.Corpus, error) {
	if _, err := os.Stat(path); err != nil {
		return encoder.Corpus{}, err
	}
	return encoder.Corpus{Name: path, Open: func() (io.ReadCloser, error) {
		var files corpusFiles
		return files.Open(files.root(path))
	}}, nil
}

// save writes the checkpoint in the place of the last one.
func (f *trainEncoderFlags) save(t *encoder.Training) error {
	part := f.checkpoint + ".part"
	w, err := os.Create(part)
	if err != nil {
		return err
	}
	err = t.Save(w)
	if err == nil {
		err = w.Sync()
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", part, err), os.Remove(part))
	}
	return os.Rename(part, f.checkpoint)
}

// exportEncoder writes the folder: first beside its place, then into it.
func (a *app) exportEncoder(ctx context.Context, f *trainEncoderFlags, t *encoder.Training, s *scoring) error {
	e := t.Encoder()
	card := encoder.Card{
		Name: f.name, Licence: f.licence, Command: f.command(), Params: t.Params(),
		Sources: f.sources, Languages: t.Languages(),
	}
	if len(f.sources) == 0 {
		for _, c := range f.corpora {
			card.Sources = append(card.Sources, filepath.Base(c)+", licence not stated")
		}
	}
	var err error
	if card.Scores, err = s.markdown(ctx, e); err != nil {
		return err
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return err
	}
	var done []string
	err = e.Export(card, func(name string) (io.WriteCloser, error) {
		path := filepath.Join(f.out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		done = append(done, path)
		return os.Create(path + ".part")
	})
	for _, path := range done {
		if err != nil {
			os.Remove(path + ".part")
			continue
		}
		err = os.Rename(path+".part", path)
	}
	return err
}

// command is the command line for the card, without the folders of this machine.
func (f *trainEncoderFlags) command() string {
	var b strings.Builder
	b.WriteString("cerasum train encoder")
	for _, c := range f.corpora {
		b.WriteString(" --corpus " + filepath.Base(c))
	}
	for _, m := range f.mix {
		b.WriteString(" --mix " + m)
	}
	for _, c := range f.retrieval {
		b.WriteString(" --retrieval " + filepath.Base(c))
	}
	for _, c := range f.sts {
		b.WriteString(" --sts " + filepath.Base(c))
	}
	fmt.Fprintf(&b, " --name %q --licence %q --out %s", f.name, f.licence, filepath.Base(f.out))
	return b.String()
}

// trainWatch shows how a training goes on.
type trainWatch struct {
	app   *app
	start time.Time
	first int // step at which this run began
	noted time.Time
}

// noteEvery is how often a training says how it goes where no line of progress
// is shown: in a log.
const noteEvery = time.Minute

func (w *trainWatch) begin()        { w.start, w.first = time.Now(), -1 }
func (w *trainWatch) taken() string { return time.Since(w.start).Round(time.Second).String() }
func (w *trainWatch) show(p encoder.Progress) {
	stage := p.Stage
	if stage == "train" {
		if w.first < 0 {
			w.first = p.Done - 1
		}
		each := time.Since(w.start) / time.Duration(p.Done-w.first)
		left := each * time.Duration(p.Total-p.Done+(p.Epochs-p.Epoch)*p.Total)
		stage = fmt.Sprintf("epoch %d of %d, loss %.3f, %s left, step", p.Epoch, p.Epochs, p.Loss, left.Round(time.Second))
	}
	w.app.progress.show(stage, p.Done, p.Total)
	if !w.app.progress.on && time.Since(w.noted) > noteEvery {
		w.noted = time.Now()
		w.app.note("%s %s", stage, of(p.Done, p.Total))
	}
}

// note says how work goes on, on standard error.
func (a *app) note(format string, args ...any) {
	if a.quiet {
		return
	}
	a.progress.clear()
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// of is "3 of 7", or "3" where the whole is not known.
func of(done, total int) string {
	if total == 0 {
		return strconv.Itoa(done)
	}
	return fmt.Sprintf("%d of %d", done, total)
}
