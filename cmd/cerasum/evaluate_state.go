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
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/options"
)

func percentOf(fraction float64) string { return strconv.Itoa(int(100*fraction)) + " %" }

// clusters returns a number of clusters: "1 cluster", "2 clusters".
func clusters(n int) string { return plural(n, "cluster") }

// plural returns a number of things: "1 line", "2 lines".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// stateHead is the first line of a file of outcomes: everything they depend on.
type stateHead struct {
	Version  string         `json:"cerasum"`
	Dataset  string         `json:"dataset"`
	Fields   string         `json:"fields,omitempty"` // how its records are read
	Bytes    int64          `json:"bytes,omitempty"`  // of a dataset that is one file
	Layout   string         `json:"layout"`
	Split    string         `json:"split,omitempty"`
	Language string         `json:"lang,omitempty"`
	Encoder  string         `json:"encoder"`
	Budget   string         `json:"budget"`
	ROUGE    rouge.Options  `json:"rouge"`
	Whole    bool           `json:"whole_text,omitempty"`
	Command  string         `json:"translate_command,omitempty"`
	Choices  string         `json:"choices,omitempty"` // of the editor, a fingerprint
	Reading  bool           `json:"reading,omitempty"`
	Strict   bool           `json:"strict,omitempty"`
	Methods  []methodInHead `json:"methods"`
}

type methodInHead struct {
	Name string
	// Options that are set, by name.
	Options map[string]string
	Weights string   `json:",omitempty"` // a fingerprint
	Experts []string `json:",omitempty"`
}

func headOf(f *evaluateFlags, e *evaluation) stateHead {
	h := stateHead{
		Version: core.Version, Dataset: f.dataset, Layout: string(e.open.Layout), Split: f.split, Language: f.lang,
		Encoder: e.setting.Encoder, Budget: f.budget.String(), ROUGE: e.options.ROUGE, Whole: f.wholeText, Command: f.translate, Reading: f.reading, Strict: f.fields.strict,
	}
	if c := f.corpus; c != (corpusFlags{format: "auto"}) && c != (corpusFlags{}) {
		h.Fields = fmt.Sprintf("%+v", c)
	}
	if info, err := os.Stat(f.dataset); err == nil && info.Mode().IsRegular() {
		h.Bytes = info.Size()
	}
	if e.options.Choices != nil {
		data, _ := json.Marshal(e.options.Choices) // of strings and numbers: never fails
		h.Choices = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	for _, m := range e.options.Methods {
		in := methodInHead{Name: m.Name, Options: options.Texts(&m.Options), Experts: describeExperts(m.Options.Experts)}
		if w := m.Options.Weights; w != nil {
			in.Weights = fingerprint(w)
		}
		h.Methods = append(h.Methods, in)
	}
	return h
}

// autoState, as the name of a state file, selects one in the user's cache folder.
const autoState = "auto"

// stateFile stores outcomes as clusters finish. Without a file it is a no-op.
type stateFile struct {
	f *os.File
	// auto is the path of a file chosen by autoState, removed at the end.
	auto string
}

// autoStatePath returns the file for runs with the given head and creates its folder.
func autoStatePath(head []byte) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(base, "cerasum")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	sum := sha256.Sum256(head)
	return filepath.Join(folder, fmt.Sprintf("evaluation-%x.jsonl", sum[:8])), nil
}

// openState opens the file of outcomes. When resuming, its outcomes are added to
// the tally, and an incomplete last line is dropped.
func openState(f *evaluateFlags, e *evaluation, tally *evaluate.Tally) (*stateFile, error) {
	if f.state == "" {
		return &stateFile{}, nil
	}
	head, err := json.Marshal(headOf(f, e))
	if err != nil {
		return nil, err
	}
	state := &stateFile{}
	path, flags := f.state, os.O_RDWR|os.O_CREATE
	if path == autoState {
		if path, err = autoStatePath(head); err != nil {
			if f.resume {
				return nil, hinted{err, "name a file with --state"}
			}
			return state, nil // evaluation works without a state file
		}
		state.auto = path
		if f.resume {
			flags = os.O_RDWR
		} else {
			flags |= os.O_TRUNC
		}
	}
	file, err := os.OpenFile(path, flags, 0o666)
	if errors.Is(err, fs.ErrNotExist) && state.auto != "" {
		return nil, usage(hinted{errors.New("nothing to resume: no run with these options was interrupted"), "omit --resume"})
	}
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*stateFile, error) { return nil, errors.Join(err, file.Close()) }
	info, err := file.Stat()
	if err != nil {
		return fail(err)
	}
	if info.Size() > 0 && !f.resume {
		return fail(usage(hinted{fmt.Errorf("%s already has results", path), "continue with --resume, or remove the file to start over"}))
	}
	end, err := readState(file, head, tally)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	if f.limit > 0 && tally.Records() > f.limit {
		return fail(usage(fmt.Errorf("%s has results of %d clusters, more than --limit %d", path, tally.Records(), f.limit)))
	}
	if err := file.Truncate(end); err != nil {
		return fail(err)
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return fail(err)
	}
	if end == 0 {
		if _, err := file.Write(append(head, '\n')); err != nil {
			return fail(err)
		}
	}
	state.f = file
	return state, nil
}

// readState adds the outcomes to the tally and returns the end of the last
// complete line.
func readState(r io.Reader, head []byte, tally *evaluate.Tally) (end int64, err error) {
	br := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := br.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return end, nil // the last line is incomplete
		}
		if err != nil {
			return 0, err
		}
		if number == 1 {
			if !bytes.Equal(bytes.TrimSuffix(line, []byte("\n")), head) {
				return 0, hinted{fmt.Errorf("results of another run: %.200s", line), "resume with the same dataset, methods and options, and the same version"}
			}
			end += int64(len(line))
			continue
		}
		var o evaluate.Outcome
		if err := json.Unmarshal(line, &o); err != nil {
			return 0, fmt.Errorf("line %d: %w", number, err)
		}
		if o.Record != number-1 {
			return 0, fmt.Errorf("line %d: got the outcome of record %d, want %d", number, o.Record, number-1)
		}
		if err := tally.Add(&o); err != nil {
			return 0, fmt.Errorf("line %d: %w", number, err)
		}
		end += int64(len(line))
	}
}

func (s *stateFile) add(o *evaluate.Outcome) error {
	if s.f == nil {
		return nil
	}
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = s.f.Write(append(line, '\n'))
	return err
}

// done removes a file chosen by autoState: nothing is left to resume.
func (s *stateFile) done() error {
	if s.auto == "" {
		return nil
	}
	if err := os.Remove(s.auto); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // removed by a concurrent run with the same options
}

// Close closes the file; a second call is a no-op.
func (s *stateFile) Close() error {
	if s.f == nil {
		return nil
	}
	f := s.f
	s.f = nil
	return f.Close()
}

// summaryFiles holds the summaries of each method, one line per cluster, in the
// format of "cerasum rouge".
type summaryFiles struct{ files []*os.File }

// openSummaries opens the files in a folder, which it creates, to append after
// their first done lines.
func openSummaries(folder string, methods []evaluate.Method, done int) (*summaryFiles, error) {
	s := &summaryFiles{}
	if folder == "" {
		return s, nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	for _, m := range methods {
		path := filepath.Join(folder, strings.ReplaceAll(m.Name, " ", "_")+".jsonl")
		f, err := openBehind(path, done)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

// openBehind opens a file, keeps its first lines and truncates the rest.
func openBehind(path string, lines int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	end := int64(0)
	r := bufio.NewReader(f)
	for n := range lines {
		line, err := r.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = hinted{fmt.Errorf("%s: got %d summaries, want at least %d", path, n, lines), "resume with the same folder, or start over without --resume"}
			}
			return nil, errors.Join(err, f.Close())
		}
		end += int64(len(line))
	}
	if err := f.Truncate(end); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(end, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (s *summaryFiles) add(o *evaluate.Outcome) error {
	if o.LeftOut != "" {
		return nil
	}
	for i, f := range s.files {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		err := e.Encode(struct {
			ID         string     `json:"id"`
			Summary    []string   `json:"summary"`
			References [][]string `json:"references"`
		}{o.ID, o.Summaries[i], o.References})
		if err != nil {
			return err
		}
		if _, err := f.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the files.
func (s *summaryFiles) Close() error {
	var errs []error
	for _, f := range s.files {
		if err := f.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
