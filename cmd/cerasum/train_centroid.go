package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cerasum/cerasum/internal/train/centroid"
	"github.com/cerasum/cerasum/internal/weights"
	"github.com/spf13/cobra"
)

type trainCentroidFlags struct {
	train, validation []string
	layout, lang      string
	encoder           encoderFlags
	trainOutput
	checkpoint, cache      string
	plot                   string
	resume                 bool
	every                  time.Duration
	limit, validationLimit int
	budget, search         int
	name, licence          string
	sources                []string
	free                   bool
	params                 centroid.Params
}

// notStated is the text for an unknown licence.
const notStated = "not stated"

func (a *app) trainCentroidCommand() *cobra.Command {
	f := trainCentroidFlags{params: centroid.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "centroid --train FILE... --validation FILE... --out FOLDER",
		Short: "Train CeRA or CeRAI to estimate centroids",
		Long: `Train CeRAI, or CeRA with --interpolation=false, to estimate the mean embedding of
the reference summaries' sentences from the embeddings of a cluster's sentences.
Datasets have the layouts of "cerasum evaluate".

The training embeddings are computed once and cached, about 20 kB per cluster of
Multi-News with the shipped encoder, until you remove them. After each epoch the
validation clusters are summarized with the estimated centroids (n = 10, B = 3,
T = 3) and scored by ROUGE-2 recall (R2-R). The weights of the best epoch are
written; training stops after --patience epochs without a better one.

--search N trains N times with random learning rate, milestones, decay, dropout,
batch size and positions (the first time with the values of the flags), and keeps
the weights with the best R2-R.

The output folder holds config.json, model.safetensors and a model card
(README.md). A checkpoint beside it is kept until the end and after Ctrl-C; the
same command with --resume continues from it.`,
		Example: `  cerasum train centroid --train train.jsonl.gz --validation validation.jsonl.gz --out cerai/
  cerasum train centroid --train train.jsonl.gz --validation validation.jsonl.gz --interpolation=false --search 10 --plot curve.svg --out cera/`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.trainCentroid(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.train, "train", nil, "training dataset (repeatable)")
	flags.StringArrayVar(&f.validation, "validation", nil, "validation dataset, which selects the best epoch (repeatable)")
	flags.StringVar(&f.layout, "layout", "", "layout of the datasets (default: detected)")
	flags.StringVarP(&f.lang, "lang", "l", "", "language of documents that do not specify one (default: detected per document)")
	flags.StringVarP(&f.encoder.name, "encoder", "e", "default", "encoder: "+encoderForms)
	f.encoder.add(cmd)
	f.trainOutput.add(flags, "output folder for the weights", "replace existing weights in the output folder")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "checkpoint file (default: FOLDER.checkpoint)")
	flags.DurationVar(&f.every, "checkpoint-every", 5*time.Minute, "minimum time between two checkpoints")
	flags.BoolVar(&f.resume, "resume", false, "continue from the checkpoint")
	flags.StringVar(&f.cache, "cache", "", "folder for the embeddings (default: in the user's cache folder)")
	flags.StringVar(&f.plot, "plot", "", "SVG file for a plot of loss, cosine and R2-R by epoch")
	flags.IntVar(&f.limit, "limit", 0, "maximum number of clusters of each training dataset (0: all)")
	flags.IntVar(&f.validationLimit, "validation-limit", 1000, "maximum number of clusters of each validation dataset (0: all)")
	addPaperBudget(flags, &f.budget, 230, "length of a validation summary")
	flags.IntVar(&f.search, "search", 1, "number of training runs with random hyperparameters; the best is kept")
	flags.StringVar(&f.name, "name", "", "name of the weights in the model card (default: that of the folder)")
	flags.StringVar(&f.licence, "licence", notStated, "licence of the weights, for config.json and the model card")
	flags.StringArrayVar(&f.sources, "source", nil, "a corpus with its licence, for config.json and the model card (repeatable)")
	flags.BoolVar(&f.free, "free", false, "state in config.json that all corpora are freely licensed")
	p := &f.params
	flags.BoolVar(&p.Interpolation, "interpolation", p.Interpolation, "train CeRAI instead of CeRA")
	flags.IntVar(&p.Positions, "positions", p.Positions, "number of sentence positions with their own embedding")
	flags.IntVar(&p.Epochs, "epochs", p.Epochs, "maximum number of epochs")
	flags.IntVar(&p.Batch, "batch", p.Batch, "clusters per step")
	flags.Float64Var(&p.Rate, "rate", p.Rate, "learning rate (Adam)")
	flags.Float64Var(&p.Decay, "decay", p.Decay, "factor applied to the learning rate at each milestone")
	flags.IntSliceVar(&p.Milestones, "milestones", p.Milestones, "epochs after which the learning rate decays")
	flags.Float64Var(&p.Dropout, "dropout", p.Dropout, "dropout rate of sentences and of the attention output")
	flags.IntVar(&p.Patience, "patience", p.Patience, "number of epochs without a better R2-R after which training stops (0: never)")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "random seed")
	return cmd
}

func (f *trainCentroidFlags) check() error {
	if len(f.train) == 0 || len(f.validation) == 0 || f.out == "" {
		return usage(errors.New("want at least one --train and one --validation, and --out"))
	}
	if f.free && (len(f.sources) == 0 || f.licence == notStated) {
		return usage(errors.New("--free requires --source and --licence"))
	}
	for _, c := range []struct {
		flag  string
		value int
		least int
	}{{"limit", f.limit, 0}, {"validation-limit", f.validationLimit, 0}, {"search", f.search, 1}, {"epochs", f.params.Epochs, 1}} {
		if c.value < c.least {
			return usage(fmt.Errorf("--%s %d: want at least %d", c.flag, c.value, c.least))
		}
	}
	f.out = filepath.Clean(f.out)
	if f.checkpoint == "" {
		f.checkpoint = f.out + ".checkpoint"
	}
	if f.name == "" {
		f.name = filepath.Base(f.out)
	}
	if err := f.refuse(filepath.Join(f.out, weights.TensorsFile)); err != nil {
		return err
	}
	for _, path := range append(append([]string{}, f.train...), f.validation...) {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	if f.cache != "" {
		return nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return hinted{err, "name a folder for the embeddings with --cache"}
	}
	f.cache = filepath.Join(base, "cerasum", "training")
	return nil
}

// centroidTraining is one run of the command.
type centroidTraining struct {
	*app
	flags           *trainCentroidFlags
	encoder, sha256 string
	dims            int
	source          centroid.Joined
	validation      *validation
	mean, oracle    float64 // R2-R of the mean and the oracle centroid
	noted           time.Time
}

func (a *app) trainCentroid(ctx context.Context, f *trainCentroidFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	a.progress.on = a.err.Interactive && !a.quiet
	c := &centroidTraining{app: a, flags: f}
	closeFiles, err := c.read(ctx)
	defer closeFiles()
	if err != nil {
		return err
	}
	a.note("%d training clusters, %d validation clusters; R2-R %.2f with the mean centroid, %.2f with the oracle centroid",
		c.source.Len(), c.validation.Len(), 100*c.mean, 100*c.oracle)
	var best *centroid.Training
	for trial := range f.search {
		t, err := c.trial(ctx, trial)
		if err != nil {
			return err
		}
		if best == nil || scoreOf(t) > scoreOf(best) {
			best = t
		}
	}
	if err := c.export(ctx, best); err != nil {
		return err
	}
	for trial := range f.search {
		if err := os.Remove(c.checkpointOf(trial)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func scoreOf(t *centroid.Training) float64 {
	p, _ := t.Best()
	return p.Score
}

// read embeds the corpora. Call closeFiles even after an error.
func (c *centroidTraining) read(ctx context.Context) (closeFiles func(), err error) {
	var files []*os.File
	closeFiles = func() {
		for _, file := range files {
			file.Close() // opened for reading only
		}
	}
	m, err := openEncoder(c.flags.encoder)
	if err != nil {
		return closeFiles, err
	}
	defer m.Close()
	c.encoder, c.sha256, c.dims = m.Name(), m.Fingerprint(), m.Dimensions()
	for _, path := range c.flags.train {
		s, file, err := c.storedExamples(ctx, path, c.flags, m, c.flags.cache)
		if err != nil {
			return closeFiles, err
		}
		files = append(files, file)
		// The name identifies everything that the embeddings depend on.
		c.flags.params.Source += filepath.Base(file.Name()) + "\n"
		if s.Len() == 0 {
			return closeFiles, fmt.Errorf("%s: no training cluster", path)
		}
		c.source = append(c.source, s)
	}
	c.validation = newValidation(c.flags.budget)
	for _, path := range c.flags.validation {
		before := c.validation.Len()
		if err := c.eachExample(ctx, path, c.flags, m, c.flags.validationLimit, c.validation.add); err != nil {
			return closeFiles, err
		}
		if c.validation.Len() == before {
			return closeFiles, fmt.Errorf("%s: no validation cluster", path)
		}
	}
	c.mean, c.oracle, err = c.validation.bounds(ctx)
	return closeFiles, err
}

// checkpointOf returns the checkpoint file of a trial.
func (c *centroidTraining) checkpointOf(trial int) string {
	if trial == 0 {
		return c.flags.checkpoint
	}
	return fmt.Sprintf("%s.%d", c.flags.checkpoint, trial+1)
}

// drawn returns the hyperparameters of a trial: first those of the flags, then
// random ones from ranges around those of the paper.
func (c *centroidTraining) drawn(trial int) centroid.Params {
	p := c.flags.params
	if trial == 0 {
		return p
	}
	random := rand.New(rand.NewPCG(p.Seed, uint64(trial)))
	p.Rate = math.Round(1e6*1e-4*math.Pow(20, random.Float64())) / 1e6 // 1e-4 to 2e-3
	p.Decay = math.Round(100*(0.1+0.4*random.Float64())) / 100
	p.Dropout = math.Round(1000*0.2*random.Float64()) / 1000
	p.Batch = 2 << random.IntN(3)
	p.Positions = 10 + 5*random.IntN(9)
	step := 2 + random.IntN(3)
	p.Milestones = []int{step, 2 * step}
	return p
}

// trial runs one training to its end.
func (c *centroidTraining) trial(ctx context.Context, trial int) (*centroid.Training, error) {
	path := c.checkpointOf(trial)
	t, err := c.begin(c.drawn(trial), path)
	if err != nil {
		return nil, err
	}
	if c.flags.search > 1 {
		c.note("training %d of %d: %s", trial+1, c.flags.search, t.Params().Describe())
	}
	saved := time.Now()
	c.noted = saved
	t.AfterStep = func(done, total int, loss float64) error {
		c.show(t, done, total, loss)
		if time.Since(saved) < c.flags.every {
			return nil
		}
		defer func() { saved = time.Now() }()
		return saveCentroid(t, path)
	}
	for !t.Done() {
		start := time.Now()
		loss, err := t.Epoch(ctx)
		var p centroid.Point
		if err == nil {
			p, err = c.validate(ctx, t, loss)
		}
		if err != nil {
			return nil, c.interrupted(ctx, t, path, err)
		}
		t.Record(p)
		if err := saveCentroid(t, path); err != nil {
			return nil, err
		}
		saved = time.Now()
		c.note("epoch %d of %d: loss %.4f, validation cosine %.4f, R2-R %.2f, %s",
			p.Epoch, t.Params().Epochs, p.Loss, p.Cosine, 100*p.Score, time.Since(start).Round(time.Second))
		if err := c.draw(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// interrupted saves a checkpoint if the user interrupted the command. An
// interruption during validation repeats the epoch.
func (c *centroidTraining) interrupted(ctx context.Context, t *centroid.Training, path string, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if len(t.History()) == t.Epochs() {
		if e := saveCentroid(t, path); e != nil {
			return errors.Join(err, e)
		}
	}
	return hinted{err, "run the same command with --resume to continue from " + path}
}

// begin starts a training or, with --resume, continues from the checkpoint if there is one.
func (c *centroidTraining) begin(p centroid.Params, path string) (*centroid.Training, error) {
	if c.flags.resume {
		r, err := os.Open(path)
		if err == nil {
			defer r.Close()
			t, err := centroid.Resume(r, c.dims, p, c.source)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return t, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	t, err := centroid.New(c.dims, p, c.source)
	if errors.Is(err, centroid.ErrParams) {
		return nil, usage(err)
	}
	return t, err
}

// validate scores the current weights.
func (c *centroidTraining) validate(ctx context.Context, t *centroid.Training, loss float64) (centroid.Point, error) {
	w := t.Weights()
	p := centroid.Point{Epoch: t.Epochs(), Loss: loss}
	var err error
	if p.Cosine, _, err = centroid.Cosine(ctx, w, c.validation); err != nil {
		return p, err
	}
	p.Score, err = c.validation.weighed(ctx, w)
	return p, err
}

// show reports the progress of an epoch.
func (c *centroidTraining) show(t *centroid.Training, done, total int, loss float64) {
	line := fmt.Sprintf("epoch %d of %d, loss %.4f, step", t.Epochs()+1, t.Params().Epochs, loss)
	c.progress.show(line, done, total)
	if !c.progress.on && time.Since(c.noted) > noteEvery {
		c.noted = time.Now()
		c.note("%s %s", line, of(done, total))
	}
}

// draw writes the plot if one was requested.
func (c *centroidTraining) draw(t *centroid.Training) error {
	if c.flags.plot == "" {
		return nil
	}
	return writeOutput(c.flags.plot, nil, func(out io.Writer) error {
		return centroid.WriteSVG(out, t.History(), "R2-R of the validation")
	})
}

// saveCentroid replaces the checkpoint.
func saveCentroid(t *centroid.Training, path string) error {
	return writeOutput(path, nil, t.Save)
}

// export writes the folder, each file atomically.
func (c *centroidTraining) export(ctx context.Context, t *centroid.Training) error {
	if err := os.MkdirAll(c.flags.out, 0o777); err != nil {
		return err
	}
	point, w := t.Best()
	_, mean, err := centroid.Cosine(ctx, w, c.validation)
	if err != nil {
		return err
	}
	err = weights.Write(w, c.origin(), func(name string) (io.WriteCloser, error) {
		out, err := openOutput(filepath.Join(c.flags.out, name), nil)
		return committed{out}, err
	})
	if err != nil {
		return err
	}
	if err := writeOutput(filepath.Join(c.flags.out, "README.md"), nil, func(out io.Writer) error {
		_, err := io.WriteString(out, c.card(t, point, mean))
		return err
	}); err != nil {
		return err
	}
	if err := c.draw(t); err != nil {
		return err
	}
	c.note("%s: epoch %d, R2-R %.2f (mean centroid %.2f)", c.flags.out, point.Epoch, 100*point.Score, 100*c.mean)
	return nil
}

// origin returns the provenance for config.json.
func (c *centroidTraining) origin() weights.Origin {
	o := weights.Origin{Encoder: c.encoder, EncoderSHA256: c.sha256, Free: c.flags.free, Corpora: c.flags.sources}
	if c.flags.licence != notStated {
		o.Licence = c.flags.licence
	}
	return o
}

// committed commits the file when it is closed.
type committed struct{ *output }

func (c committed) Close() error { return c.commit() }

// card returns the text of the model card; meanCosine is that of the mean
// centroid.
func (c *centroidTraining) card(t *centroid.Training, best centroid.Point, meanCosine float64) string {
	kind := "CeRA"
	if c.flags.params.Interpolation {
		kind = "CeRAI"
	}
	sources := c.flags.sources
	if len(sources) == 0 {
		for _, path := range c.flags.train {
			sources = append(sources, filepath.Base(path)+", licence "+notStated)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nWeights of %s for the encoder %s (%d dimensions): from the\nembeddings of a cluster's sentences, they estimate the mean embedding of the sentences of\na human summary.\n\n", c.flags.name, kind, c.encoder, c.dims)
	fmt.Fprintf(&b, "Licence: %s\n\nTrained on %d clusters of:\n\n", c.flags.licence, c.source.Len())
	for _, s := range sources {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	fmt.Fprintf(&b, "\n## Validation\n\n%d clusters, %d words, n = 10, B = 3, T = 3. Mean cosine to the references' centroid,\nand ROUGE-2 recall of the summaries.\n\n", c.validation.Len(), c.flags.budget)
	fmt.Fprintf(&b, "| centroid | cosine | R2-R |\n| --- | --- | --- |\n| mean | %.4f | %.2f |\n| %s, epoch %d | %.4f | %.2f |\n| oracle | 1 | %.2f |\n",
		meanCosine, 100*c.mean, kind, best.Epoch, best.Cosine, 100*best.Score, 100*c.oracle)
	fmt.Fprintf(&b, "\n## Training\n\n    %s\n", strings.ReplaceAll(t.Params().Describe(), " --", " \\\n    --"))
	return b.String()
}
