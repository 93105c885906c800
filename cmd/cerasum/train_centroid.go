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
	train, validation      []string
	layout, lang           string
	encoder                encoderFlags
	out, checkpoint, cache string
	plot                   string
	resume, overwrite      bool
	every                  time.Duration
	limit, validationLimit int
	budget, search         int
	name, licence          string
	sources                []string
	free                   bool
	params                 centroid.Params
}

// notStated is a licence that nobody has named.
const notStated = "not stated"

func (a *app) trainCentroidCommand() *cobra.Command {
	f := trainCentroidFlags{params: centroid.DefaultParams()}
	cmd := &cobra.Command{
		Use:   "centroid --train FILE... --validation FILE... --out FOLDER",
		Short: "Train CeRA or CeRAI, which estimate a centroid",
		Long: `Train CeRA, or CeRAI with --interpolation, the default: from the embeddings of a
cluster's sentences it learns to estimate the mean embedding of the references'
sentences. Datasets are as "cerasum evaluate" reads them.

Embeddings to learn from are made once and kept in the cache folder, some 20 kB a
cluster of Multi-News with the shipped encoder, until you remove them. After each
epoch the validation clusters are summarized by the centroids (n = 10, B = 3,
T = 3) and scored by ROUGE-2 recall (R2-R): the weights of the best epoch are
written, and --patience epochs without a better one end the training.

--search N trains N times, with rate, milestones, decay, dropout, batch and
positions drawn at random (the first time those of the flags), and keeps the
weights of the best R2-R.

The folder holds config.json, model.safetensors and a card (README.md). A
checkpoint is kept beside it until the end; Ctrl-C keeps it too, and the same
command with --resume goes on.`,
		Example: `  cerasum train centroid --train train.jsonl.gz --validation validation.jsonl.gz --out cerai/
  cerasum train centroid --train train.jsonl.gz --validation validation.jsonl.gz --interpolation=false --search 10 --plot curve.svg --out cera/`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.trainCentroid(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.train, "train", nil, "dataset to learn from (repeatable)")
	flags.StringArrayVar(&f.validation, "validation", nil, "dataset to choose the best epoch by (repeatable)")
	flags.StringVar(&f.layout, "layout", "", "form of the datasets (default: told by what is there)")
	flags.StringVarP(&f.lang, "lang", "l", "", "language of documents that name none (default: told for each)")
	flags.StringVarP(&f.encoder.name, "encoder", "e", "default", "what makes the embeddings: "+encoderForms)
	f.encoder.add(cmd)
	flags.StringVarP(&f.out, "out", "o", "", "folder to write the weights to")
	flags.BoolVar(&f.overwrite, "overwrite", false, "write into a folder that has weights already")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "checkpoint file (default FOLDER.checkpoint)")
	flags.DurationVar(&f.every, "checkpoint-every", 5*time.Minute, "least time between two checkpoints")
	flags.BoolVar(&f.resume, "resume", false, "go on from the checkpoint")
	flags.StringVar(&f.cache, "cache", "", "folder for the embeddings (default: in the user's cache folder)")
	flags.StringVar(&f.plot, "plot", "", "file for loss, cosine and R2-R drawn over the epochs (SVG)")
	flags.IntVar(&f.limit, "limit", 0, "only the first so many clusters of each --train (0: all)")
	flags.IntVar(&f.validationLimit, "validation-limit", 1000, "only the first so many clusters of each --validation (0: all)")
	flags.IntVarP(&f.budget, "budget", "b", 230, "words of a validation summary")
	flags.IntVar(&f.search, "search", 1, "trainings with parameters drawn at random, of which the best is kept")
	flags.StringVar(&f.name, "name", "", "name of the weights in their card (default: that of the folder)")
	flags.StringVar(&f.licence, "licence", notStated, "licence of the weights, for config.json and the card")
	flags.StringArrayVar(&f.sources, "source", nil, "a corpus with its licence, for config.json and the card (repeatable)")
	flags.BoolVar(&f.free, "free", false, "all corpora are under free licences: say so in config.json; wants --source and --licence")
	p := &f.params
	flags.BoolVar(&p.Interpolation, "interpolation", p.Interpolation, "CeRAI, not CeRA")
	flags.IntVar(&p.Positions, "positions", p.Positions, "sentences of a document with a position of their own")
	flags.IntVar(&p.Epochs, "epochs", p.Epochs, "times through the corpora at most")
	flags.IntVar(&p.Batch, "batch", p.Batch, "clusters in a step")
	flags.Float64Var(&p.Rate, "rate", p.Rate, "learning rate (Adam)")
	flags.Float64Var(&p.Decay, "decay", p.Decay, "what the rate is multiplied with after each milestone")
	flags.IntSliceVar(&p.Milestones, "milestones", p.Milestones, "epochs after which the rate changes")
	flags.Float64Var(&p.Dropout, "dropout", p.Dropout, "share left out of sentences and of what attention gives")
	flags.IntVar(&p.Patience, "patience", p.Patience, "epochs without a better R2-R that end the training (0: none do)")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "seed of all that is random")
	return cmd
}

func (f *trainCentroidFlags) check() error {
	if len(f.train) == 0 || len(f.validation) == 0 || f.out == "" {
		return usage(errors.New("want at least one --train and one --validation, and --out"))
	}
	if f.free && (len(f.sources) == 0 || f.licence == notStated) {
		return usage(errors.New("--free: name the corpora with --source, and the licence of the weights with --licence"))
	}
	for _, c := range []struct {
		flag  string
		value int
		least int
	}{{"limit", f.limit, 0}, {"validation-limit", f.validationLimit, 0}, {"budget", f.budget, 1}, {"search", f.search, 1}, {"epochs", f.params.Epochs, 1}} {
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
	if _, err := os.Stat(filepath.Join(f.out, weights.TensorsFile)); err == nil && !f.overwrite {
		return usage(hinted{fmt.Errorf("%s has weights already", f.out), "use --overwrite to replace them"})
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

// centroidTraining is a run of the command.
type centroidTraining struct {
	*app
	flags           *trainCentroidFlags
	encoder, sha256 string
	dims            int
	source          centroid.Joined
	validation      *validation
	mean, oracle    float64 // R2-R of the mean centroid and of the references' own
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
	a.note("%d clusters to learn from, %d to validate; R2-R %.2f with the mean centroid, %.2f with the references' own",
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

// read embeds the corpora. closeFiles is to be called whatever the error.
func (c *centroidTraining) read(ctx context.Context) (closeFiles func(), err error) {
	var files []*os.File
	closeFiles = func() {
		for _, file := range files {
			file.Close() // was read alone
		}
	}
	m, err := c.openEncoder(ctx, c.flags.encoder)
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
		// The name has all in it that the embeddings depend on.
		c.flags.params.Source += filepath.Base(file.Name()) + "\n"
		if s.Len() == 0 {
			return closeFiles, fmt.Errorf("%s: no cluster to learn from", path)
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
			return closeFiles, fmt.Errorf("%s: no cluster to validate by", path)
		}
	}
	c.mean, c.oracle, err = c.validation.bounds(ctx)
	return closeFiles, err
}

// checkpointOf names the checkpoint of a trial.
func (c *centroidTraining) checkpointOf(trial int) string {
	if trial == 0 {
		return c.flags.checkpoint
	}
	return fmt.Sprintf("%s.%d", c.flags.checkpoint, trial+1)
}

// drawn are the parameters of a trial: those of the flags, then random ones.
// The numbers of the paper lie amid their ranges.
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

// trial is one training to its end.
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

// interrupted keeps a checkpoint where the user ended the command. One that
// ends while an epoch is validated repeats that epoch.
func (c *centroidTraining) interrupted(ctx context.Context, t *centroid.Training, path string, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if len(t.History()) == t.Epochs() {
		if e := saveCentroid(t, path); e != nil {
			return errors.Join(err, e)
		}
	}
	return hinted{err, "the same command with --resume goes on from " + path}
}

// begin anew or, with --resume, from the checkpoint where there is one.
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

// validate tells how good the weights are now.
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

// show tells how an epoch goes on.
func (c *centroidTraining) show(t *centroid.Training, done, total int, loss float64) {
	line := fmt.Sprintf("epoch %d of %d, loss %.4f, step", t.Epochs()+1, t.Params().Epochs, loss)
	c.progress.show(line, done, total)
	if !c.progress.on && time.Since(c.noted) > noteEvery {
		c.noted = time.Now()
		c.note("%s %s", line, of(done, total))
	}
}

// draw writes the curves, if they are wanted.
func (c *centroidTraining) draw(t *centroid.Training) error {
	if c.flags.plot == "" {
		return nil
	}
	out, err := openOutput(c.flags.plot, nil)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := centroid.WriteSVG(out, t.History(), "R2-R of the validation"); err != nil {
		return err
	}
	return out.commit()
}

// saveCentroid writes a checkpoint in the place of the last one.
func saveCentroid(t *centroid.Training, path string) error {
	out, err := openOutput(path, nil)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := t.Save(out); err != nil {
		return err
	}
	return out.commit()
}

// export writes the folder, each file whole or not at all.
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
	out, err := openOutput(filepath.Join(c.flags.out, "README.md"), nil)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := io.WriteString(out, c.card(t, point, mean)); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if err := c.draw(t); err != nil {
		return err
	}
	c.note("%s: epoch %d, R2-R %.2f (mean centroid %.2f)", c.flags.out, point.Epoch, 100*point.Score, 100*c.mean)
	return nil
}

// origin is what config.json says of the weights.
func (c *centroidTraining) origin() weights.Origin {
	o := weights.Origin{Encoder: c.encoder, EncoderSHA256: c.sha256, Free: c.flags.free, Corpora: c.flags.sources}
	if c.flags.licence != notStated {
		o.Licence = c.flags.licence
	}
	return o
}

// committed makes a file's content visible when it is closed.
type committed struct{ *output }

func (c committed) Close() error { return c.commit() }

// card is what there is to say of the weights; meanCosine is that of the mean
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
	fmt.Fprintf(&b, "# %s\n\nWeights of %s for the encoder %s (%d dimensions): they estimate, from the\nembeddings of a cluster's sentences, the mean embedding of the sentences of a\nhuman summary.\n\n", c.flags.name, kind, c.encoder, c.dims)
	fmt.Fprintf(&b, "Licence: %s\n\nTrained on %d clusters of:\n\n", c.flags.licence, c.source.Len())
	for _, s := range sources {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	fmt.Fprintf(&b, "\n## Validation\n\n%d clusters, %d words, n = 10, B = 3, T = 3. Mean cosine to the references' centroid,\nand ROUGE-2 recall of the summaries.\n\n", c.validation.Len(), c.flags.budget)
	fmt.Fprintf(&b, "| centroid | cosine | R2-R |\n| --- | --- | --- |\n| mean | %.4f | %.2f |\n| %s, epoch %d | %.4f | %.2f |\n| the references' own | 1 | %.2f |\n",
		meanCosine, 100*c.mean, kind, best.Epoch, best.Cosine, 100*best.Score, 100*c.oracle)
	fmt.Fprintf(&b, "\n## Training\n\n    %s\n", strings.ReplaceAll(t.Params().Describe(), " --", " \\\n    --"))
	return b.String()
}
