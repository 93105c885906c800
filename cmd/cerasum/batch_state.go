package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/batch"
)

// batchPlace is how far a run has come: what comes before it is on disk.
type batchPlace struct {
	// File and Line of the corpus that come next: File counts from 0, Line is
	// the last one that is done.
	File int `json:"file"`
	Line int `json:"line"`
	// Done counts summaries, Bad what went to the side file.
	Done int `json:"done"`
	Bad  int `json:"bad"`
	// Bytes of the two files that are whole.
	SummaryBytes int64 `json:"summary_bytes"`
	BadBytes     int64 `json:"bad_bytes"`
}

// batchHead is what the summaries depend on: a run goes on only with the same.
type batchHead struct {
	Version  string        `json:"cerasum"`
	Corpora  []batchCorpus `json:"corpora"`
	Budget   string        `json:"budget"`
	Method   string        `json:"method"`
	Order    string        `json:"order"`
	Language string        `json:"lang,omitempty"`
	Ignore   []string      `json:"ignore,omitempty"`
	Licence  string        `json:"licence,omitempty"`
	Encoder  string        `json:"encoder,omitempty"`
	Dense    *float64      `json:"dense_weight,omitempty"`
	Weights  string        `json:"weights,omitempty"`
	Experts  []string      `json:"experts,omitempty"`
	Query    string        `json:"query,omitempty"`
	// QueryWeight counts where there is a query.
	QueryWeight float64 `json:"query_weight,omitempty"`
}

// batchCorpus tells a file from another one, and from what it was.
type batchCorpus struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Ends  string `json:"ends"` // SHA-256 of the first and the last 64 KiB
}

// batchJob writes summaries and remembers how far they go.
type batchJob struct {
	app          *app
	at           batchPlace
	head         []byte
	name         string // of the summaries; empty for standard output
	badName      string
	summaries    *os.File
	bad          *os.File // nil until there is one
	out, badOut  *bufio.Writer
	saved        time.Time
	told, untold int // bad lines
}

// saveEvery is how long a run works between two notes of how far it is.
var saveEvery = 2 * time.Second

func (j *batchJob) partName() string  { return j.name + ".part" }
func (j *batchJob) placeName() string { return j.name + ".progress" }

// openBatch begins a run, or goes on with one that was cut off.
func openBatch(a *app, args []string, f *batchFlags, e *embedder) (*batchJob, error) {
	j := &batchJob{app: a, name: f.output, badName: f.bad, saved: time.Now()}
	if j.name == "" || j.name == "-" {
		j.name = ""
		j.out = bufio.NewWriterSize(a.stdout, 64<<10)
		if f.restart {
			return nil, usage(hinted{errors.New("--restart without --output: standard output cannot go on"), "leave it out"})
		}
		if j.badName == "" {
			return j, nil // bad lines are told, and that is all
		}
		file, err := os.Create(j.badName)
		if err != nil {
			return nil, err
		}
		j.bad, j.badOut = file, bufio.NewWriter(file)
		return j, nil
	}
	if j.badName == "" {
		j.badName = j.name + ".bad.jsonl"
	}
	if info, err := os.Stat(j.name); err == nil && !info.Mode().IsRegular() {
		return nil, hinted{fmt.Errorf("%s is no ordinary file", j.name), "name a file, or leave --output out"}
	}
	var err error
	if j.head, err = headOfBatch(args, f, e); err != nil {
		return nil, err
	}
	place, err := j.readPlace(f.restart)
	if err != nil {
		return nil, err
	}
	if place != nil {
		j.at = *place
	}
	if j.summaries, err = openAt(j.partName(), j.at.SummaryBytes); err != nil {
		return nil, hinted{fmt.Errorf("cannot write %s: %w", j.partName(), err), "name a file in a folder that exists and that you may write to; --restart begins again"}
	}
	j.out = bufio.NewWriterSize(j.summaries, 256<<10)
	if place == nil {
		// What an earlier run left here is not this one's.
		if err := os.Remove(j.badName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, j.close())
		}
	} else if j.at.BadBytes > 0 {
		if err := j.openBad(); err != nil {
			return nil, errors.Join(err, j.close())
		}
	}
	if place != nil && j.at.Done+j.at.Bad > 0 {
		a.warn(fmt.Sprintf("going on where a run stopped, after %s", clusters(j.at.Done+j.at.Bad)))
		if j.at.Bad > 0 {
			a.bad += j.at.Bad
		}
	}
	// The note is there before the first summary: a name that cannot be written
	// is told now.
	return j, j.save()
}

// openAt opens a file of which the first bytes are whole, and cuts off the rest.
func openAt(name string, bytes int64) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() < bytes {
		err = fmt.Errorf("it has %d bytes, and %d were written", info.Size(), bytes)
	}
	if err == nil {
		err = file.Truncate(bytes)
	}
	if err == nil {
		_, err = file.Seek(bytes, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (j *batchJob) openBad() (err error) {
	if j.bad, err = openAt(j.badName, j.at.BadBytes); err != nil {
		return fmt.Errorf("cannot write %s: %w", j.badName, err)
	}
	j.badOut = bufio.NewWriter(j.bad)
	return nil
}

// notedPlace is what the note holds.
type notedPlace struct {
	Head  json.RawMessage `json:"run"`
	Place batchPlace      `json:"place"`
}

// readPlace gives how far an earlier run of the same has come; nil where there
// was none.
func (j *batchJob) readPlace(restart bool) (*batchPlace, error) {
	if restart {
		return nil, nil
	}
	raw, err := os.ReadFile(j.placeName())
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(j.partName()); err == nil {
			return nil, usage(hinted{fmt.Errorf("%s is there, but not the note of how far it goes (%s)", j.partName(), j.placeName()), "begin again with --restart, or choose another --output"})
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var noted notedPlace
	if err := json.Unmarshal(raw, &noted); err != nil {
		return nil, hinted{fmt.Errorf("%s: %w", j.placeName(), err), "begin again with --restart"}
	}
	if !bytes.Equal(noted.Head, j.head) {
		return nil, usage(hinted{
			fmt.Errorf("%s belongs to a run with other files or options, or of another version: it was %s, and this is %s", j.partName(), noted.Head, j.head),
			"run with the same again, begin anew with --restart, or choose another --output",
		})
	}
	return &noted.Place, nil
}

// add writes what became of a line.
func (j *batchJob) add(file int, name string, r batch.Result) error {
	switch {
	case r.Err == nil:
		if _, err := j.out.Write(r.Summary); err != nil {
			return err
		}
		j.at.Done++
		j.at.SummaryBytes += int64(len(r.Summary))
	default:
		j.at.Bad++
		if err := j.addBad(name, r); err != nil {
			return err
		}
	}
	j.at.File, j.at.Line = file, r.Line
	if j.name == "" {
		// Who reads from a pipe waits for it.
		return j.out.Flush()
	}
	if time.Since(j.saved) < saveEvery {
		return nil
	}
	return j.save()
}

func (j *batchJob) addBad(name string, r batch.Result) error {
	if j.badName == "" {
		return nil
	}
	if j.bad == nil {
		if err := j.openBad(); err != nil {
			return err
		}
	}
	line := badLine{File: name, Line: r.Line, Error: oneLine(r.Err)}
	if r.Raw != nil {
		raw := string(r.Raw)
		line.Raw = &raw
	}
	counted := &countingWriter{w: j.badOut}
	err := line.write(counted)
	j.at.BadBytes += counted.n
	return err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// save puts all that was added on disk, and then the note of it.
func (j *batchJob) save() error {
	if err := j.flush(); err != nil || j.name == "" {
		return err
	}
	raw, err := json.Marshal(notedPlace{j.head, j.at})
	if err != nil {
		return err
	}
	out, err := openOutput(j.placeName(), nil)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := out.Write(append(raw, '\n')); err != nil {
		return err
	}
	j.saved = time.Now()
	return out.commit()
}

func (j *batchJob) flush() error {
	if err := j.out.Flush(); err != nil {
		return err
	}
	if j.summaries != nil {
		if err := j.summaries.Sync(); err != nil {
			return err
		}
	}
	if j.bad == nil {
		return nil
	}
	return errors.Join(j.badOut.Flush(), j.bad.Sync())
}

// finish gives the summaries their name.
func (j *batchJob) finish() error {
	if err := j.flush(); err != nil {
		return err
	}
	if err := j.close(); err != nil || j.name == "" {
		return err
	}
	if err := os.Rename(j.partName(), j.name); err != nil {
		return err
	}
	return os.Remove(j.placeName())
}

// close closes the files. After it, and after finish, it does nothing.
func (j *batchJob) close() error {
	var errs []error
	for _, file := range []*os.File{j.summaries, j.bad} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	j.summaries, j.bad = nil, nil
	return errors.Join(errs...)
}

// headOfBatch is what the summaries depend on, as JSON.
func headOfBatch(args []string, f *batchFlags, e *embedder) ([]byte, error) {
	h := batchHead{
		Version: core.Version, Budget: f.budget, Method: f.method, Order: f.order, Language: f.lang, Ignore: f.ignore,
		Licence: f.weights.licence, Encoder: f.encoder.name, Dense: e.weight,
	}
	if e.weights != nil {
		h.Weights = fingerprint(e.weights.Weights)
	}
	experts, err := f.experts.load([]string{f.method}, f.weights.licence)
	if err != nil {
		return nil, err
	}
	h.Experts = describeExperts(experts)
	if h.Query = f.query.text; h.Query != "" {
		h.QueryWeight = f.query.weight
	}
	for _, name := range args {
		corpus, err := batchCorpusOf(name)
		if err != nil {
			return nil, err
		}
		h.Corpora = append(h.Corpora, corpus)
	}
	return json.Marshal(h)
}

// batchCorpusOf looks at a file's size and both its ends.
func batchCorpusOf(name string) (batchCorpus, error) {
	c := batchCorpus{Name: name}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return batchCorpus{}, usage(hinted{fmt.Errorf("%s is no ordinary file: a run that was cut off could not go on", name), "save it to a file, or leave --output out and write to standard output"})
	}
	c.Bytes = info.Size()
	file, err := os.Open(name)
	if err != nil {
		return batchCorpus{}, err
	}
	defer file.Close()
	sum := sha256.New()
	for _, at := range []int64{0, max(0, c.Bytes-64<<10)} {
		if _, err := io.Copy(sum, io.NewSectionReader(file, at, 64<<10)); err != nil {
			return batchCorpus{}, err
		}
	}
	c.Ends = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	return c, nil
}
