package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
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
	"github.com/cerasum/cerasum/internal/records"
	"github.com/cerasum/cerasum/internal/telemetry"
)

// batchPlace is the progress of a run: everything before it is on disk.
type batchPlace struct {
	// File is the index of the current corpus, from 0, and Line the number of its
	// last processed line.
	File int `json:"file"`
	Line int `json:"line"`
	// Sum is the checksum of the lines up to Line; empty if Line is 0.
	Sum string `json:"sum,omitempty"`
	// Done counts summaries, Bad the lines written to the --bad file.
	Done int `json:"done"`
	Bad  int `json:"bad"`
	// Counts of the whole run, including the parts before it was interrupted.
	Counts batch.Counts `json:"counts"`
	// Lengths of the complete parts of the two files, in bytes.
	SummaryBytes int64 `json:"summary_bytes"`
	BadBytes     int64 `json:"bad_bytes"`
}

// batchJob writes summaries and records the progress.
type batchJob struct {
	app                  *app
	at                   batchPlace
	corpora              int
	head                 []byte
	name                 string // of the summaries; empty for standard output
	badName              string
	badDevice            bool // not a regular file: cannot be truncated or removed
	locks                []*lock.Lock
	summaries            *os.File
	bad                  *os.File // nil until the first bad line
	out, badOut          *bufio.Writer
	saved                time.Time
	place                batch.Place // the last one added, in the file at.File
	reported, unreported int         // bad lines, reported and not
	telemetry            *telemetry.Telemetry
	counting             context.Context // for telemetry: the run's span
}

// saveEvery is the interval between two saves of the progress.
var saveEvery = 2 * time.Second

func (j *batchJob) partName() string  { return j.name + ".part" }
func (j *batchJob) placeName() string { return j.name + ".progress" }

// convertedName is that of summaries in another format, before they are complete.
func (j *batchJob) convertedName() string { return j.name + ".tmp" }

// openBatch starts or resumes a run. A nil job without an error means that
// nothing is left to do.
func openBatch(ctx context.Context, a *app, args []string, f *batchFlags, e *embedder) (job *batchJob, err error) {
	j := &batchJob{app: a, counting: ctx, name: f.output, badName: f.bad, corpora: len(args), saved: time.Now()}
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
			return nil, usage(hinted{errors.New("--restart requires --output"), "omit --restart: output to standard output always starts over"})
		}
		if j.badName != "" { // otherwise bad lines are only reported
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
			a.warn(fmt.Sprintf("the earlier run had finished: %s", clusters(j.at.Done+j.at.Bad)))
			return nil, os.Remove(j.placeName())
		}
	} else if err := j.note(); err != nil {
		// The progress file precedes the files that it describes, and an unwritable
		// name is reported before any work.
		return nil, err
	}
	if j.summaries, err = openAt(j.partName(), j.at.SummaryBytes, j.at.Done); err != nil {
		return nil, hinted{fmt.Errorf("cannot write %s: %w", j.partName(), err), "name a file in an existing, writable folder, or start over with --restart"}
	}
	j.out = bufio.NewWriterSize(j.summaries, 256<<10)
	if place == nil && !j.badDevice {
		// A file left by an earlier run does not belong to this one.
		if err := os.Remove(j.badName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	} else if j.at.Bad > 0 {
		if err := j.openBad(); err != nil {
			return nil, err
		}
	}
	if place != nil && j.at.Done+j.at.Bad > 0 {
		a.warn(fmt.Sprintf("resuming after %s", clusters(j.at.Done+j.at.Bad)))
	}
	return j, syncFolder(j.name)
}

// openAt opens a file and truncates it to its first bytes, which must be so many
// complete lines. It does not follow a symbolic link that someone else may have
// placed there.
func openAt(name string, bytes int64, lines int) (*os.File, error) {
	if bytes == 0 && lines == 0 {
		return createNew(name)
	}
	before, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("want %d lines in %d bytes, got no file", lines, bytes)
	}
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !os.SameFile(before, info):
		err = errors.New("replaced while it was opened")
	case info.Size() < bytes:
		err = fmt.Errorf("want at least %d bytes, got %d", bytes, info.Size())
	default:
		err = wantLines(io.LimitReader(file, bytes), bytes, lines)
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

// wantLines checks that r has so many lines, all complete.
func wantLines(r io.Reader, size int64, want int) error {
	got, last := 0, byte('\n')
	buffer := make([]byte, 256<<10)
	for {
		n, err := r.Read(buffer)
		got += bytes.Count(buffer[:n], []byte("\n"))
		if n > 0 {
			last = buffer[n-1]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if last != '\n' {
		got++
	}
	if got != want || last != '\n' {
		return fmt.Errorf("want %d lines in %d bytes, got %d", want, size, got)
	}
	return nil
}

// createNew creates a file, and replaces an existing one without following links.
func createNew(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func (j *batchJob) openBad() (err error) {
	if j.badDevice {
		j.bad, err = os.OpenFile(j.badName, os.O_WRONLY, 0)
	} else {
		j.bad, err = openAt(j.badName, j.at.BadBytes, j.at.Bad)
	}
	if err != nil {
		return hinted{fmt.Errorf("cannot write %s: %w", j.badName, err), "name a file in an existing, writable folder with --bad, or start over with --restart"}
	}
	j.badOut = bufio.NewWriter(j.bad)
	return nil
}

// notedPlace is the content of the progress file.
type notedPlace struct {
	Head  json.RawMessage `json:"run"`
	Place json.RawMessage `json:"place"`
	// Sum is the checksum of the two: what was edited or damaged is refused, since
	// a run that resumed elsewhere would lose summaries.
	Sum string `json:"sum"`
}

func (n *notedPlace) sum() string {
	h := sha256.New()
	h.Write(n.Head)
	h.Write([]byte("\n"))
	h.Write(n.Place)
	return hex.EncodeToString(h.Sum(nil))
}

// encodeNote returns the content of a progress file.
func encodeNote(head []byte, at batchPlace) ([]byte, error) {
	place, err := json.Marshal(at)
	if err != nil {
		return nil, err
	}
	n := notedPlace{Head: head, Place: place}
	n.Sum = n.sum()
	return json.Marshal(n)
}

// readPlace returns the progress of an earlier run with the same head; nil if
// there is none.
func (j *batchJob) readPlace(restart bool) (*batchPlace, error) {
	if restart {
		return nil, nil
	}
	raw, err := os.ReadFile(j.placeName())
	if errors.Is(err, fs.ErrNotExist) {
		if info, err := os.Stat(j.partName()); err == nil && info.Size() > 0 {
			return nil, usage(hinted{fmt.Errorf("%s exists without its progress file %s", j.partName(), j.placeName()), "start over with --restart, or choose another --output"})
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var noted notedPlace
	if err := json.Unmarshal(raw, &noted); err != nil {
		return nil, hinted{fmt.Errorf("%s: %w", j.placeName(), err), "start over with --restart"}
	}
	if !bytes.Equal(noted.Head, j.head) {
		return nil, usage(hinted{
			fmt.Errorf("%s belongs to a run with other files, options or version: got %s, want %s", j.partName(), noted.Head, j.head),
			"use the same files and options, start over with --restart, or choose another --output",
		})
	}
	if noted.Sum != noted.sum() {
		return nil, hinted{fmt.Errorf("%s: wrong checksum: the file was edited or damaged", j.placeName()), "start over with --restart"}
	}
	var place batchPlace
	if err := json.Unmarshal(noted.Place, &place); err != nil {
		return nil, hinted{fmt.Errorf("%s: %w", j.placeName(), err), "start over with --restart"}
	}
	return &place, nil
}

// add records the result of a line.
func (j *batchJob) add(file int, name string, r batch.Result) error {
	begun := time.Now()
	switch {
	case r.Err == nil:
		if _, err := j.out.Write(r.Summary); err != nil {
			return err
		}
		j.at.Done++
		j.at.SummaryBytes += int64(len(r.Summary))
	default:
		if err := j.addBad(name, r); err != nil {
			return err
		}
		j.at.Bad++
	}
	j.at.File, j.at.Line, j.place = file, r.Line, r.Place
	if j.name == "" {
		// Readers of a pipe wait for each summary.
		if err := j.out.Flush(); err != nil {
			return err
		}
	}
	r.Counts.Time(batch.Write, begun)
	j.count(&r.Counts)
	if j.name == "" {
		return nil
	}
	if time.Since(j.saved) < saveEvery {
		return nil
	}
	return j.save()
}

// count adds to the counters of the run.
func (j *batchJob) count(c *batch.Counts) {
	j.at.Counts.Add(c)
	j.telemetry.Count(j.counting, c)
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

// save writes all results to disk, then the progress file.
func (j *batchJob) save() error {
	if err := j.flush(); err != nil || j.name == "" {
		return err
	}
	return j.note()
}

// note writes the progress file atomically: under a temporary name, which is
// renamed at the end.
func (j *batchJob) note() error {
	if j.at.Line > 0 {
		j.at.Sum = hex.EncodeToString(j.place.Sum[:])
	}
	raw, err := encodeNote(j.head, j.at)
	if err != nil {
		return err
	}
	temporary := j.placeName() + ".tmp"
	if err := writeSynced(temporary, append(raw, '\n')); err != nil {
		return hinted{fmt.Errorf("cannot write %s: %w", temporary, err), "name a file in an existing, writable folder"}
	}
	j.saved = time.Now()
	return os.Rename(temporary, j.placeName())
}

func writeSynced(name string, data []byte) error {
	file, err := createNew(name)
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

// finish renames the output file. The progress file already records the end, so
// that a run killed in between has nothing left to do when it is started again.
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
	begun := time.Now()
	if err := j.deliver(); err != nil {
		return err
	}
	var delivered batch.Counts
	delivered.Time(batch.Write, begun)
	j.count(&delivered)
	if err := syncFolder(j.name); err != nil {
		return err
	}
	return errors.Join(os.Remove(j.placeName()), j.close())
}

// deliver gives the summaries their name, in the format that it asks for. A run that
// is killed during the conversion converts again when it resumes.
func (j *batchJob) deliver() (err error) {
	if !records.Converts(j.name) {
		return os.Rename(j.partName(), j.name)
	}
	in, err := os.Open(j.partName())
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := createNew(j.convertedName())
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(out, 256<<10)
	err = records.Convert(b, j.name, in)
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(fmt.Errorf("cannot write %s: %w", j.name, err), os.Remove(j.convertedName()))
	}
	if err := os.Rename(j.convertedName(), j.name); err != nil {
		return err
	}
	return os.Remove(j.partName())
}

// ended reports whether the progress file belongs to a run that was killed after
// all other work was done.
func (j *batchJob) ended() bool {
	if j.at.File < j.corpora {
		return false
	}
	if _, err := os.Stat(j.partName()); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	info, err := os.Stat(j.name)
	return err == nil && (info.Size() == j.at.SummaryBytes || records.Converts(j.name))
}

// after returns where the run resumes in a corpus.
func (j *batchJob) after(file int) (p batch.Place, err error) {
	if j.at.File != file || j.at.Line == 0 {
		return p, nil
	}
	p.Line = j.at.Line
	sum, err := hex.DecodeString(j.at.Sum)
	if err != nil || len(sum) != len(p.Sum) {
		return p, hinted{fmt.Errorf("%s: want a checksum, got %q", j.placeName(), j.at.Sum), "start over with --restart"}
	}
	copy(p.Sum[:], sum)
	j.place = p
	return p, nil
}

// close closes the files and releases the locks. After close or finish it is a
// no-op.
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
