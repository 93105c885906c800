package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Directory reads a corpus whose documents and references are files.
type Directory struct {
	fsys    fs.FS
	entries []*entry
	next    int
}

// entry is a cluster that has not been read yet.
type entry struct {
	id, folder            string
	documents, references []string // paths
}

// Len returns the number of clusters, good and bad.
func (d *Directory) Len() int { return len(d.entries) }

// ErrLayout is wrapped by errors about data that does not have the given layout, or
// any known one.
var ErrLayout = errors.New("unknown layout")

var (
	ducFolder = regexp.MustCompile(`^[dD](30\d{3})[a-zA-Z]$`)
	ducModel  = regexp.MustCompile(`^[dD](30\d{3})\.M\.100\.[A-Z]\.[A-Z]$`)
	tacFolder = regexp.MustCompile(`^[dD](08\d{2})[a-zA-Z]-A$`)
	tacModel  = regexp.MustCompile(`^[dD](08\d{2})-A\.M\.100\.[A-Z]\.[A-Z]$`)
	plainFile = regexp.MustCompile(`^[tT]ask(.+)_[rR]eference(\d+)\.txt$`)
)

// NewDUC2004 reads task 2 of DUC 2004 below root: folders d30001t with an SGML
// file per document, and model files D30001.M.100.T.A, at any depth. The ten-word
// summaries of task 1, and tasks 3 and 4 from Arabic (D31001 and up), are
// excluded.
func NewDUC2004(fsys fs.FS, root string) (*Directory, error) {
	return newDirectory(fsys, root, "DUC 2004", matched(ducFolder), matched(ducModel))
}

// NewTAC2008 reads the initial summaries (document set A) of the update task of
// TAC 2008 below root: folders D0801A/D0801A-A with a file per document, and model
// files D0801-A.M.100.A.A.
func NewTAC2008(fsys fs.FS, root string) (*Directory, error) {
	return newDirectory(fsys, root, "TAC 2008", matched(tacFolder), matched(tacModel))
}

// NewPlain reads the plain layout below root: docs/<cluster>/<file> with
// reference/Task<cluster>_reference<i>.txt.
func NewPlain(fsys fs.FS, root string) (*Directory, error) {
	folder := func(p string) (string, bool) {
		return strings.ToLower(path.Base(p)), path.Base(path.Dir(p)) == "docs"
	}
	return newDirectory(fsys, root, "plain", folder, func(p string) (string, bool) {
		m := plainFile.FindStringSubmatch(path.Base(p))
		if m == nil {
			return "", false
		}
		return strings.ToLower(m[1]), true
	})
}

// matched returns a function that extracts the cluster from a path's base.
func matched(e *regexp.Regexp) func(string) (string, bool) {
	return func(p string) (string, bool) {
		m := e.FindStringSubmatch(path.Base(p))
		if m == nil {
			return "", false
		}
		return m[1], true
	}
}

// newDirectory searches everything below root. folder recognizes the folders of a
// cluster's documents and model the files of reference summaries; both return the
// cluster.
func newDirectory(fsys fs.FS, root, name string, folder, model func(string) (string, bool)) (*Directory, error) {
	byKey := map[string]*entry{}
	d := &Directory{fsys: fsys}
	of := func(key string) *entry {
		e := byKey[key]
		if e == nil {
			e = &entry{id: key}
			byKey[key] = e
			d.entries = append(d.entries, e)
		}
		return e
	}
	err := fs.WalkDir(fsys, root, func(p string, f fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != root && strings.HasPrefix(f.Name(), "."):
			if f.IsDir() {
				return fs.SkipDir
			}
			return nil
		case f.IsDir():
			return nil
		}
		if key, ok := model(p); ok {
			e := of(key)
			// The same summary may be in several folders: the first one is used.
			if !slices.ContainsFunc(e.references, func(o string) bool { return path.Base(o) == path.Base(p) }) {
				e.references = append(e.references, p)
			}
			return nil
		}
		if key, ok := folder(path.Dir(p)); ok {
			e := of(key)
			if e.folder == "" {
				e.folder, e.id = path.Dir(p), path.Base(path.Dir(p))
			}
			if e.folder == path.Dir(p) {
				e.documents = append(e.documents, p)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(d.entries, func(e *entry) bool { return e.documents != nil }) ||
		!slices.ContainsFunc(d.entries, func(e *entry) bool { return e.references != nil }) {
		return nil, fmt.Errorf("%w: %s: want documents and reference summaries in the layout %s", ErrLayout, root, name)
	}
	slices.SortStableFunc(d.entries, func(a, b *entry) int { return strings.Compare(a.id, b.id) })
	for _, e := range d.entries {
		slices.SortFunc(e.references, byNumber)
	}
	return d, nil
}

// byNumber orders the references of a cluster: by number in the plain layout (2
// before 10), else by name.
func byNumber(a, b string) int {
	x, y := path.Base(a), path.Base(b)
	mx, my := plainFile.FindStringSubmatch(x), plainFile.FindStringSubmatch(y)
	if mx != nil && my != nil {
		i, errX := strconv.Atoi(mx[2])
		j, errY := strconv.Atoi(my[2])
		if errX == nil && errY == nil && i != j {
			return i - j
		}
	}
	return strings.Compare(x, y)
}

// Next returns the next cluster; see [Reader].
func (d *Directory) Next() (*Cluster, error) {
	if d.next == len(d.entries) {
		return nil, io.EOF
	}
	e := d.entries[d.next]
	d.next++
	c := &Cluster{ID: e.id}
	for _, p := range e.documents {
		file, err := readFile(d.fsys, p)
		if err != nil {
			return nil, located(p, 0, err)
		}
		docs, err := parseDocuments(file, path.Base(p))
		if err != nil {
			return nil, located(p, 0, err)
		}
		c.Documents = append(c.Documents, docs...)
	}
	for _, p := range e.references {
		file, err := readFile(d.fsys, p)
		if err != nil {
			return nil, located(p, 0, err)
		}
		summary := parseSummary(file)
		if strings.TrimSpace(summary) == "" {
			return nil, located(p, 0, ErrEmptyReference)
		}
		c.References = append(c.References, summary)
	}
	where := e.folder
	if where == "" {
		where = e.references[0]
	}
	if err := c.complete("cluster "+e.id, "cluster "+e.id); err != nil {
		return nil, located(where, 0, err)
	}
	return c, nil
}

// readFile reads a UTF-8 file of at most MaxLine bytes.
func readFile(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", plainPath(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxLine+1))
	switch {
	case err != nil:
		return "", plainPath(err)
	case len(data) > MaxLine:
		return "", fmt.Errorf("%w: more than %d bytes", ErrTooLong, MaxLine)
	}
	return strings.TrimPrefix(string(data), "\ufeff"), checkUTF8(data)
}

// plainPath removes the file name, which the caller adds.
func plainPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
