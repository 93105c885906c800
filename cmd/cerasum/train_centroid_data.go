package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	mean "github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/cerasum/cerasum/internal/train/centroid"
)

// splitCluster is a cluster split into its sentences that contain words.
type splitCluster struct {
	id         string
	references []string
	language   string // of the references
	refs       []cluster.Ref
	texts      []string // of the sentences
	gold       []string // sentences of the references
}

// splitRecord splits a cluster. An error concerns this cluster only, unless it is
// the context's.
func splitRecord(ctx context.Context, c *dataset.Cluster, language string) (*splitCluster, error) {
	all := &cluster.Cluster{Documents: c.Documents}
	for i := range all.Documents {
		if d := &all.Documents[i]; d.Language == "" {
			d.Language = language
		}
	}
	session, err := core.Open(ctx, all.Documents, core.OpenOptions{})
	if err != nil {
		return nil, err
	}
	all.Documents = session.Documents()
	s := &splitCluster{id: c.ID, references: c.References, language: language}
	if language == "" && len(all.Documents) > 0 {
		s.language = all.Documents[0].Language
	}
	refs := all.Refs()
	for k, sentence := range session.Texts() {
		if text.CountWords(sentence) > 0 {
			s.refs, s.texts = append(s.refs, refs[k]), append(s.texts, sentence)
		}
	}
	s.gold, err = session.ReferenceSentences(ctx, c.References)
	if err == nil && len(s.texts) == 0 {
		err = core.ErrNoText
	}
	if err == nil && len(s.gold) == 0 {
		err = dataset.ErrEmptyReference
	}
	return s, err
}

// example returns the training example for the embeddings of texts and gold.
func (s *splitCluster) example(values []float32, dims int) centroid.Example {
	n := len(s.texts) * dims
	x := centroid.Example{Embeddings: values[:n], Gold: make([]float32, dims)}
	for k, r := range s.refs {
		if k == 0 || r.Document != s.refs[k-1].Document {
			x.Documents = append(x.Documents, 0)
		}
		x.Documents[len(x.Documents)-1]++
	}
	for j, v := range mean.Mean(&linalg.Dense[float32]{Data: values[n:], Cols: dims}) {
		x.Gold[j] = float32(v)
	}
	return x
}

// clustersTogether is the number of clusters that are split in parallel and
// embedded in one call.
const clustersTogether = 128

// eachExample reads a corpus, embeds its clusters and visits them in order. Bad
// records are reported and left out; visit leaves one out by returning an error
// that wraps centroid.ErrExample.
func (a *app) eachExample(ctx context.Context, path string, f *trainCentroidFlags, m *encoder.Model, limit int, visit func(*splitCluster, centroid.Example) error) error {
	var files corpusFiles
	name := files.root(path)
	reader, closer, err := dataset.Open(&files, name, dataset.OpenOptions{Layout: dataset.Layout(f.layout)})
	if err != nil {
		return datasetError(err)
	}
	defer closer.Close()
	done := 0
	for end := false; !end; {
		var records []*dataset.Cluster
		for len(records) < clustersTogether && !end {
			if limit > 0 && done+len(records) == limit {
				end = true
				break
			}
			c, err := reader.Next()
			var bad *dataset.Error
			switch {
			case errors.Is(err, io.EOF):
				end = true
			case errors.As(err, &bad):
				a.leftOut(err.Error())
			case err != nil:
				return err
			default:
				records = append(records, c)
			}
		}
		if err := a.embedRecords(ctx, records, f.lang, m, visit); err != nil {
			return err
		}
		done += len(records)
		a.progress.show("embed "+datasetName(path)+", cluster", done, 0)
	}
	return nil
}

func (a *app) embedRecords(ctx context.Context, records []*dataset.Cluster, language string, m *encoder.Model, visit func(*splitCluster, centroid.Example) error) error {
	list, errs := make([]*splitCluster, len(records)), make([]error, len(records))
	var group sync.WaitGroup
	for i, c := range records {
		group.Go(func() { list[i], errs[i] = splitRecord(ctx, c, language) })
	}
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var texts []string
	for i, s := range list {
		if errs[i] == nil {
			texts = append(append(texts, s.texts...), s.gold...)
		}
	}
	values, err := m.Embed(ctx, texts, nil)
	if err != nil {
		return err
	}
	for i, s := range list {
		err := errs[i]
		if err == nil {
			n := (len(s.texts) + len(s.gold)) * m.Dimensions()
			err = visit(s, s.example(values[:n:n], m.Dimensions()))
			values = values[n:]
			if err != nil && !errors.Is(err, centroid.ErrExample) {
				return err
			}
		}
		if err != nil {
			a.leftOut(fmt.Sprintf("cluster %s: %v", records[i].ID, err))
		}
	}
	return nil
}

// storedExamples opens the store of a corpus in the folder, and creates it unless
// there is a complete one. The caller closes the file.
func (a *app) storedExamples(ctx context.Context, path string, f *trainCentroidFlags, m *encoder.Model, folder string) (*centroid.Store, *os.File, error) {
	content, err := hashOf(path)
	if err != nil {
		return nil, nil, err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%x\n%s\n%s\n%d\n%s",
		m.Fingerprint(), m.Runtime(), content, f.layout, f.lang, f.limit, core.Version))
	name := filepath.Join(folder, fmt.Sprintf("examples-%x.bin", key[:12]))
	if s, file, err := openStore(name); err == nil {
		return s, file, nil
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, centroid.ErrStore) {
		return nil, nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	part := fmt.Sprintf("%s.%08x.part", name, rand.Uint32())
	if err := a.writeStore(ctx, part, path, f, m); err != nil {
		if e := os.Remove(part); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
		return nil, nil, err
	}
	if err := os.Rename(part, name); err != nil {
		return nil, nil, err
	}
	return openStore(name)
}

// hashOf identifies a corpus by its content; for a folder, the names and contents
// of all its files. Copies of a corpus share one store.
func hashOf(path string) ([]byte, error) {
	h := sha256.New()
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		of := sha256.New()
		if _, err := io.Copy(of, file); err != nil {
			return err
		}
		inside, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s\n%x\n", inside, of.Sum(nil))
		return nil
	})
	return h.Sum(nil), err
}

func openStore(name string) (*centroid.Store, *os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	var s *centroid.Store
	if err == nil {
		s, err = centroid.OpenStore(file, info.Size())
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	return s, file, nil
}

func (a *app) writeStore(ctx context.Context, name, path string, f *trainCentroidFlags, m *encoder.Model) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := centroid.NewStoreWriter(file, m.Dimensions())
	err = a.eachExample(ctx, path, f, m, f.limit, func(_ *splitCluster, x centroid.Example) error { return w.Add(x) })
	if err == nil {
		err = w.Close()
	}
	return errors.Join(err, file.Close())
}
