package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
)

// batchPlace is how far a run has come: what comes before it is on disk.
type batchPlace struct {
	// File and Line of the corpus that come next: File counts from 0, Line is
	// the last one that is done.
	File int `json:"file"`
	Line int `json:"line"`
	// Sum is that of the lines up to it; empty where Line is 0.
	Sum string `json:"sum,omitempty"`
	// Done counts summaries, Bad what went to the side file.
	Done int `json:"done"`
	Bad  int `json:"bad"`
	// Bytes of the two files that are whole.
	SummaryBytes int64 `json:"summary_bytes"`
	BadBytes     int64 `json:"bad_bytes"`
}

// batchJob writes summaries and remembers how far they go.
type batchJob struct {
	app          *app
	at           batchPlace
	corpora      int
	head         []byte
	name         string // of the summaries; empty for standard output
	badName      string
	badDevice    bool // it is no file that could be cut off or removed
	locks        []*lock.Lock
	summaries    *os.File
	bad          *os.File // nil until there is one
	out, badOut  *bufio.Writer
	saved        time.Time
	place        batch.Place // the last that was added, of the file at.File
	told, untold int         // bad lines
}

// saveEvery is how long a run works between two notes of how far it is.
var saveEvery = 2 * time.Second

func (j *batchJob) partName() string  { return j.name + ".part" }
func (j *batchJob) placeName() string { return j.name + ".progress" }

// openBatch begins a run, or goes on with one that was cut off. Without an
// error, nil is a run that needs nothing any more.
func openBatch(a *app, args []string, f *batchFlags, e *embedder) (job *batchJob, err error) {
	j := &batchJob{app: a, name: f.output, badName: f.bad, corpora: len(args), saved: time.Now()}
	defer func() {
		if job == nil {
			err = errors.Join(err, j.close())
		}
	}()
	if j.name == "-" {
		j.name = ""
	}
	if err := j.nameFiles(args); err != nil {
		return nil, err
	}
	if j.name == "" {
		j.out = bufio.NewWriterSize(a.stdout, 64<<10)
		if f.restart {
			return nil, usage(hinted{errors.New("--restart without --output: standard output cannot go on"), "leave it out"})
		}
		if j.badName != "" { // else bad lines are told, and that is all
			err = j.openBad()
		}
		return j, err
	}
	if j.head, err = headOfBatch(args, f, j.badName, e); err != nil {
		return nil, err
	}
	place, err := j.readPlace(f.restart)
	if err != nil {
		return nil, err
	}
	if place != nil {
		j.at = *place
		a.bad += j.at.Bad
		if j.ended() {
			a.warn(fmt.Sprintf("all was done when a run stopped: %s", clusters(j.at.Done+j.at.Bad)))
			return nil, os.Remove(j.placeName())
		}
	} else if err := j.note(); err != nil {
		// The note is there before anything that it could tell of, and a name that
		// cannot be written is told now.
		return nil, err
	}
	if j.summaries, err = openAt(j.partName(), j.at.SummaryBytes); err != nil {
		return nil, hinted{fmt.Errorf("cannot write %s: %w", j.partName(), err), "name a file in a folder that exists and that you may write to; --restart begins again"}
	}
	j.out = bufio.NewWriterSize(j.summaries, 256<<10)
	if place == nil && !j.badDevice {
		// What an earlier run left here is not this one's.
		if err := os.Remove(j.badName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	} else if j.at.BadBytes > 0 {
		if err := j.openBad(); err != nil {
			return nil, err
		}
	}
	if place != nil && j.at.Done+j.at.Bad > 0 {
		a.warn(fmt.Sprintf("going on where a run stopped, after %s", clusters(j.at.Done+j.at.Bad)))
	}
	return j, syncFolder(j.name)
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
	if j.badDevice {
		j.bad, err = os.OpenFile(j.badName, os.O_WRONLY, 0)
	} else {
		j.bad, err = openAt(j.badName, j.at.BadBytes)
	}
	if err != nil {
		return hinted{fmt.Errorf("cannot write %s: %w", j.badName, err), "name a file with --bad in a folder that exists and that you may write to; --restart begins again"}
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
		if info, err := os.Stat(j.partName()); err == nil && info.Size() > 0 {
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
	j.at.File, j.at.Line, j.place = file, r.Line, r.Place
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
	line, err := batch.Marshal(batch.NewRefused(name, r.Line, r.Err, r.Raw))
	if err != nil {
		return err
	}
	if !j.badDevice {
		j.at.BadBytes += int64(len(line))
	}
	_, err = j.badOut.Write(line)
	return err
}

// save puts all that was added on disk, and then the note of it.
func (j *batchJob) save() error {
	if err := j.flush(); err != nil || j.name == "" {
		return err
	}
	return j.note()
}

// note writes down how far the files go. A note is whole or not there, for it
// gets its name last; one that was cut off is written over by the next.
func (j *batchJob) note() error {
	if j.at.Line > 0 {
		j.at.Sum = hex.EncodeToString(j.place.Sum[:])
	}
	raw, err := json.Marshal(notedPlace{j.head, j.at})
	if err != nil {
		return err
	}
	temporary := j.placeName() + ".tmp"
	if err := writeSynced(temporary, append(raw, '\n')); err != nil {
		return hinted{fmt.Errorf("cannot write %s: %w", temporary, err), "name a file in a folder that exists and that you may write to"}
	}
	j.saved = time.Now()
	return os.Rename(temporary, j.placeName())
}

func writeSynced(name string, data []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
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
	if err := j.badOut.Flush(); err != nil || j.badDevice {
		return err
	}
	return j.bad.Sync()
}

// finish gives the summaries their name. The note says before that all is done:
// a run that is killed in the middle of this has nothing to do when it is
// started again.
func (j *batchJob) finish() error {
	if err := j.save(); err != nil {
		return err
	}
	if j.name == "" {
		return j.close()
	}
	if err := j.closeFiles(); err != nil {
		return err
	}
	if err := os.Rename(j.partName(), j.name); err != nil {
		return err
	}
	if err := syncFolder(j.name); err != nil {
		return err
	}
	return errors.Join(os.Remove(j.placeName()), j.close())
}

// ended says that the note is that of a run which was killed when nothing but
// the note was left to be put away.
func (j *batchJob) ended() bool {
	if j.at.File < j.corpora {
		return false
	}
	if _, err := os.Stat(j.partName()); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	info, err := os.Stat(j.name)
	return err == nil && info.Size() == j.at.SummaryBytes
}

// after is where the run goes on in a corpus.
func (j *batchJob) after(file int) (p batch.Place, err error) {
	if j.at.File != file || j.at.Line == 0 {
		return p, nil
	}
	p.Line = j.at.Line
	sum, err := hex.DecodeString(j.at.Sum)
	if err != nil || len(sum) != len(p.Sum) {
		return p, hinted{fmt.Errorf("%s: %q is no sum of lines", j.placeName(), j.at.Sum), "begin again with --restart"}
	}
	copy(p.Sum[:], sum)
	j.place = p
	return p, nil
}

// close closes the files and gives the locks back. After it, and after finish,
// it does nothing.
func (j *batchJob) close() error {
	err := j.closeFiles()
	for _, l := range j.locks {
		l.Release()
	}
	j.locks = nil
	return err
}

func (j *batchJob) closeFiles() error {
	var errs []error
	for _, file := range []*os.File{j.summaries, j.bad} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	j.summaries, j.bad = nil, nil
	return errors.Join(errs...)
}
