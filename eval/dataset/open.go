package dataset

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// Layout is the name of a corpus format.
type Layout string

const (
	// JSONLines is the generic form; see [NewJSONLines].
	JSONLines Layout = "jsonl"
	// MultiNewsText is a .src file beside its .tgt file; see [NewMultiNews].
	MultiNewsText Layout = "multi-news"
	// MultiNewsJSON; see [NewMultiNewsJSON].
	MultiNewsJSON Layout = "multi-news-json"
	// WCEP10; see [NewWCEP].
	WCEP10 Layout = "wcep-10"
	// DUC2004, a folder; see [NewDUC2004].
	DUC2004 Layout = "duc-2004"
	// TAC2008, a folder; see [NewTAC2008].
	TAC2008 Layout = "tac-2008"
	// Plain, a folder; see [NewPlain].
	Plain Layout = "plain"
	// CrossSumPairs, a folder of pairs or one file; see [CrossSum].
	CrossSumPairs Layout = "crosssum"
)

// Layouts lists all layouts.
var Layouts = []Layout{JSONLines, MultiNewsText, MultiNewsJSON, WCEP10, DUC2004, TAC2008, Plain, CrossSumPairs}

// OpenOptions of [Open]. The zero value suits everything but CrossSum's train and
// validation splits.
type OpenOptions struct {
	// Layout; empty detects it.
	Layout Layout
	// Split of CrossSum; empty means test.
	Split string
	// Strict refuses records of the generic layout with unknown fields.
	Strict bool
	// Languages of CrossSum, ISO 639 codes; none means all.
	Languages []string
}

// Open opens a file or a folder of fsys as a corpus. The caller closes the result.
// An error about the layout wraps [ErrLayout].
func Open(fsys fs.FS, name string, o OpenOptions) (Reader, io.Closer, error) {
	if o.Split == "" {
		o.Split = "test"
	}
	layout := o.Layout
	if layout == "" {
		var err error
		if layout, err = Detect(fsys, name); err != nil {
			return nil, nil, err
		}
	}
	switch layout {
	case DUC2004:
		return folderReader(NewDUC2004(fsys, name))
	case TAC2008:
		return folderReader(NewTAC2008(fsys, name))
	case Plain:
		return folderReader(NewPlain(fsys, name))
	case CrossSumPairs:
		r, err := openCrossSum(fsys, name, o.Split, o.Languages)
		if err != nil {
			return nil, nil, err
		}
		return r, r.(io.Closer), nil
	case MultiNewsText:
		target := strings.TrimSuffix(name, path.Ext(name))
		if strings.Contains(path.Base(name), ".src") {
			target = strings.Replace(name, ".src", ".tgt", 1)
		} else {
			target += ".tgt"
		}
		src, err := fsys.Open(name)
		if err != nil {
			return nil, nil, err
		}
		tgt, err := fsys.Open(target)
		if err != nil {
			return nil, nil, errors.Join(err, src.Close())
		}
		return NewMultiNews(src, tgt, name, target), closers{src, tgt}, nil
	}
	read, ok := map[Layout]func(io.Reader, string) *JSONReader{
		JSONLines: NewJSONLines, MultiNewsJSON: NewMultiNewsJSON, WCEP10: NewWCEP,
	}[layout]
	if !ok {
		return nil, nil, fmt.Errorf("%w: %q", ErrLayout, layout)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	r := read(f, name)
	r.strict = o.Strict
	return r, f, nil
}

// folderReader returns a folder reader, which keeps no file open.
func folderReader(d *Directory, err error) (Reader, io.Closer, error) {
	if err != nil {
		return nil, nil, err
	}
	return d, closers{}, nil
}

type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// Detect returns the layout of a file by its name and first record, or of a folder
// by its content.
func Detect(fsys fs.FS, name string) (Layout, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return detectFolder(fsys, name)
	}
	base := path.Base(name)
	if _, _, _, err := CrossSumFile(base); err == nil {
		return CrossSumPairs, nil
	}
	if strings.Contains(base, ".src") {
		return MultiNewsText, nil
	}
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	layout, err := detectJSON(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return layout, nil
}

func detectFolder(fsys fs.FS, root string) (Layout, error) {
	found := errors.New("found")
	var layout Layout
	err := fs.WalkDir(fsys, root, func(p string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		base := path.Base(p)
		_, _, _, pairs := CrossSumFile(base)
		switch {
		case ducModel.MatchString(base):
			layout = DUC2004
		case tacModel.MatchString(base):
			layout = TAC2008
		case plainFile.MatchString(base):
			layout = Plain
		case pairs == nil:
			layout = CrossSumPairs
		default:
			return nil
		}
		return found
	})
	switch {
	case err == nil:
		return "", fmt.Errorf("%w: %s: neither DUC 2004, TAC 2008, the plain layout nor CrossSum", ErrLayout, root)
	case errors.Is(err, found):
		return layout, nil
	}
	return "", err
}

// detectJSON examines the members of the first object, which may be truncated.
func detectJSON(r io.Reader) (Layout, error) {
	br := bufio.NewReader(r)
	if b, err := br.Peek(3); err == nil && string(b) == "\ufeff" {
		_, _ = br.Discard(3) // at least three bytes are buffered
	}
	dec := json.NewDecoder(io.LimitReader(br, MaxLine))
	start, err := dec.Token()
	for errors.Is(err, jsonl.ErrLine) { // a bad record of another format
		dec = json.NewDecoder(io.LimitReader(br, MaxLine))
		start, err = dec.Token()
	}
	if errors.Is(err, io.EOF) {
		return JSONLines, nil // an empty corpus
	}
	if start != json.Delim('{') {
		return "", fmt.Errorf("%w: want one JSON object per line", ErrLayout)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			break
		}
		switch key {
		case "documents":
			return JSONLines, nil
		case "document":
			return MultiNewsJSON, nil
		case "articles":
			return WCEP10, nil
		case "source_url", "target_url":
			return "", fmt.Errorf("%w: CrossSum pairs require a file name like english-spanish_test.jsonl", ErrLayout)
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
	}
	return "", fmt.Errorf("%w: want documents, document or articles in the first object", ErrLayout)
}
