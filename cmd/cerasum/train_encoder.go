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
	corpora, mix []string
	trainOutput
	checkpoint     string
	resume         bool
	every          time.Duration
	retrieval, sts []string
	name, licence  string
	sources        []string
	params         encoder.Params
}

func (a *app) trainEncoderCommand() *cobra.Command {
	f := trainEncoderFlags{params: encoder.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "encoder --corpus FILE... --out FOLDER",
		Short: "Train a static sentence encoder from parallel sentences",
		Long: `Train a static multilingual sentence encoder: a table of word-piece vectors whose
weighted sum is the embedding of a text. It is trained on groups of sentences with
the same meaning, in files of two formats (each may be gzipped):

  lines   language TAB language TAB text TAB text
  JSON    {"en": "...", "fr": "...", ...} per line, for any number of languages

Pairs that share a text also form groups of paraphrases. An epoch takes one pair
from a group of two and 60 from a larger one; --mix NAME=PAIRS changes that number
for the file NAME. After each epoch the encoder is scored on --retrieval files
(the JSON format: translation retrieval) and on --sts files (score TAB sentence
TAB sentence: rank correlation with human judgements).

The output folder holds a sentence-transformers export: model.onnx,
tokenizer.json, their configuration and a model card (README.md). A checkpoint
beside it is kept until the end and after Ctrl-C; the same command with --resume
continues from it.`,
		Example: `  cerasum train encoder --corpus tatoeba.tsv.gz --corpus ntrex.jsonl.gz --out encoder/
  cerasum train encoder --corpus pairs.tsv --mix pairs=2 --retrieval flores.jsonl --out encoder/ --resume`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.trainEncoder(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.corpora, "corpus", nil, "file of parallel sentences (repeatable)")
	flags.StringArrayVar(&f.mix, "mix", nil, "NAME=PAIRS: pairs per epoch from each group of the corpus NAME (repeatable)")
	f.trainOutput.add(flags, "output folder for the encoder", "replace an existing encoder in the output folder")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "checkpoint file (default: FOLDER.checkpoint)")
	flags.DurationVar(&f.every, "checkpoint-every", 5*time.Minute, "minimum time between two checkpoints")
	flags.BoolVar(&f.resume, "resume", false, "continue from the checkpoint")
	flags.StringArrayVar(&f.retrieval, "retrieval", nil, "file of parallel sentences for scoring (repeatable)")
	flags.StringArrayVar(&f.sts, "sts", nil, "file of judged sentence pairs for scoring (repeatable)")
	flags.StringVar(&f.name, "name", "encoder", "name of the encoder in the model card")
	flags.StringVar(&f.licence, "licence", "not stated", "licence of the weights in the model card")
	flags.StringArrayVar(&f.sources, "source", nil, "a corpus with its licence, for the model card (repeatable)")
	p := &f.params
	flags.IntVar(&p.Dimensions, "dimensions", p.Dimensions, "dimensions of an embedding")
	flags.IntVar(&p.Pieces, "pieces", p.Pieces, "number of word pieces in the vocabulary")
	flags.IntVar(&p.Epochs, "epochs", p.Epochs, "number of epochs")
	flags.IntVar(&p.Batch, "batch", p.Batch, "pairs per step")
	flags.Float64Var(&p.Temperature, "temperature", p.Temperature, "temperature of the loss, which divides the cosines")
	flags.Float64Var(&p.Rate, "rate", p.Rate, "learning rate of the vectors (Adagrad)")
	flags.Float64Var(&p.WeightRate, "weight-rate", p.WeightRate, "learning rate of the weights of the word pieces")
	flags.Float64Var(&p.Smoothing, "smoothing", p.Smoothing, "a in the initial weight a/(a + p) of a word piece of frequency p")
	flags.Float64Var(&p.Dropout, "dropout", p.Dropout, "share of a sentence's word pieces dropped in a step")
	flags.StringSliceVar(&p.Focus, "focus", p.Focus, "languages that get a larger share of the vocabulary")
	flags.Float64Var(&p.FocusWeight, "focus-weight", p.FocusWeight, "weight of the focus languages in the vocabulary")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "random seed")
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
	if err := f.refuse(filepath.Join(f.out, "model.onnx")); err != nil {
		return err
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
				return hinted{err, "run the same command with --resume to continue from " + f.checkpoint}
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

// begin starts a training or, with --resume, continues from the checkpoint if there is one.
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

// open returns the corpora of the flags; the files are opened when they are read.
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

// corpusOf returns the corpus of a file, which may be gzipped and must exist.
func corpusOf(path string) (encoder.Corpus, error) {
	if _, err := os.Stat(path); err != nil {
		return encoder.Corpus{}, err
	}
	return encoder.Corpus{Name: path, Open: func() (io.ReadCloser, error) {
		var files corpusFiles
		return files.Open(files.root(path))
	}}, nil
}

// save replaces the checkpoint.
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

// exportEncoder writes the folder under a temporary name first.
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

// command returns the command line for the model card, without local folders.
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

// trainWatch reports the progress of a training.
type trainWatch struct {
	app   *app
	start time.Time
	first int // first step of this run
	noted time.Time
}

// noteEvery is the interval between reports where no progress line is shown, as
// in a log.
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

// note prints a message to standard error.
func (a *app) note(format string, args ...any) {
	if a.quiet {
		return
	}
	a.progress.clear()
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// of returns "3 of 7", or "3" if the total is unknown.
func of(done, total int) string {
	if total == 0 {
		return strconv.Itoa(done)
	}
	return fmt.Sprintf("%d of %d", done, total)
}
