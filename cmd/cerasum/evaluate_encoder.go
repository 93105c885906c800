package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/eval/evaluate"
)

// Embeddings are kept in the user's cache folder, so that a second run need not
// compute them again. Each run adds a file of its own and reads those of earlier
// runs with the same encoder and dataset: no run writes to the file of another. A
// file starts with embeddingMagic; then come records, one for the texts of each
// call:
//
//	sha256 of the texts, uint32 count of numbers, crc32 of the numbers, the numbers
//
// all little-endian, float32. Truncated or damaged records are computed again.
const (
	embeddingMagic = "cerasum embeddings 1\n"
	recordHead     = sha256.Size + 8
	// maxEmbeddings limits the total size of the files in bytes: the least recently
	// used ones are removed.
	maxEmbeddings = 2 << 30
)

// cachedEncoder is an encoder with a cache on disk. It is safe for concurrent
// use.
type cachedEncoder struct {
	*encoder.Model
	folder, prefix string // empty: no cache
	max            int64

	mu      sync.Mutex
	records map[[sha256.Size]byte]record
	files   []*os.File // of earlier runs
	own     *os.File   // of this run, created by the first write
	end     int64      // of own
	total   int64      // of all files in the folder
	broken  bool       // writing failed
}

// record is the position of embeddings in a file.
type record struct {
	file *os.File
	at   int64
}

// keepEmbeddings returns an encoder that caches the embeddings of a dataset in the
// folder, which holds at most max bytes for all datasets.
func keepEmbeddings(m *encoder.Model, folder, dataset string, max int64) (*cachedEncoder, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(dataset))
	c := &cachedEncoder{
		Model: m, folder: folder, prefix: fmt.Sprintf("%.16s-%x-", m.Fingerprint(), sum[:8]), max: max,
		records: map[[sha256.Size]byte]record{},
	}
	if err := c.open(); err != nil {
		return nil, errors.Join(err, c.closeFiles())
	}
	return c, nil
}

// embeddingFolder returns the folder of the cache.
func embeddingFolder() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "cerasum", "embeddings"), nil
}

// open reads the files of earlier runs.
func (c *cachedEncoder) open() error {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	now := time.Now()
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".bin" {
			continue
		}
		if strings.HasPrefix(e.Name(), c.prefix) {
			// The modification time is the time of the last use.
			if err := os.Chtimes(filepath.Join(c.folder, e.Name()), now, now); err != nil {
				return err
			}
		}
		info, err := os.Stat(filepath.Join(c.folder, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // another run has just removed it
		}
		if err != nil {
			return err
		}
		files = append(files, info)
		c.total += info.Size()
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		name := filepath.Join(c.folder, info.Name())
		if c.total > c.max {
			if err := os.Remove(name); err == nil || errors.Is(err, fs.ErrNotExist) {
				c.total -= info.Size()
				continue
			}
			// The operating system may keep a file that is open elsewhere.
		}
		if strings.HasPrefix(info.Name(), c.prefix) {
			if err := c.index(name, info.Size()); err != nil {
				return err
			}
		}
	}
	return nil
}

// index finds the complete records of a file.
func (c *cachedEncoder) index(name string, size int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	c.files = append(c.files, f)
	magic := make([]byte, len(embeddingMagic))
	if _, err := f.ReadAt(magic, 0); err != nil || string(magic) != embeddingMagic {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
	var head [recordHead]byte
	for at := int64(len(magic)); ; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
		next := at + recordHead + 4*int64(binary.LittleEndian.Uint32(head[sha256.Size:]))
		if next > size {
			return nil
		}
		c.records[[sha256.Size]byte(head[:])] = record{f, at}
		at = next
	}
}

// keyOf returns the key of a list of texts.
func keyOf(texts []string) [sha256.Size]byte {
	h := sha256.New()
	w := bufio.NewWriter(h) // a hash never fails
	for _, s := range texts {
		fmt.Fprintf(w, "%d:%s", len(s), s)
	}
	w.Flush()
	return [sha256.Size]byte(h.Sum(nil))
}

// Embed returns the embeddings of the texts, from the cache if it has them.
func (c *cachedEncoder) Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error) {
	key := keyOf(texts)
	if values := c.load(key, len(texts)*c.Dimensions()); values != nil {
		return values, nil
	}
	values, err := c.Model.Embed(ctx, texts, progress)
	if err == nil {
		c.store(key, values)
	}
	return values, err
}

// load reads a record; nil if there is no valid one.
func (c *cachedEncoder) load(key [sha256.Size]byte, count int) []float32 {
	c.mu.Lock()
	r, ok := c.records[key]
	c.mu.Unlock()
	if !ok {
		return nil
	}
	raw := make([]byte, recordHead+4*count)
	if _, err := r.file.ReadAt(raw, r.at); err != nil {
		return nil
	}
	head, body := raw[sha256.Size:recordHead], raw[recordHead:]
	if binary.LittleEndian.Uint32(head) != uint32(count) || binary.LittleEndian.Uint32(head[4:]) != crc32.ChecksumIEEE(body) {
		return nil
	}
	values := make([]float32, count)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return values
}

// store appends a record if there is room. After a failure nothing more is
// cached; the embeddings themselves are unaffected.
func (c *cachedEncoder) store(key [sha256.Size]byte, values []float32) {
	raw := make([]byte, recordHead+4*len(values))
	copy(raw, key[:])
	body := raw[recordHead:]
	for i, v := range values {
		binary.LittleEndian.PutUint32(body[4*i:], math.Float32bits(v))
	}
	binary.LittleEndian.PutUint32(raw[sha256.Size:], uint32(len(values)))
	binary.LittleEndian.PutUint32(raw[sha256.Size+4:], crc32.ChecksumIEEE(body))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken || c.total+int64(len(raw)) > c.max {
		return
	}
	if err := c.append(raw); err != nil {
		c.broken = true
		return
	}
	c.records[key] = record{c.own, c.end}
	c.end += int64(len(raw))
	c.total += int64(len(raw))
}

func (c *cachedEncoder) append(raw []byte) error {
	if c.own == nil {
		name := filepath.Join(c.folder, fmt.Sprintf("%s%08x.bin", c.prefix, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		c.own, c.end = f, int64(len(embeddingMagic))
		if _, err := f.WriteAt([]byte(embeddingMagic), 0); err != nil {
			return err
		}
	}
	_, err := c.own.WriteAt(raw, c.end)
	return err
}

// Close closes the files and the model.
func (c *cachedEncoder) Close() error { return errors.Join(c.closeFiles(), c.Model.Close()) }

func (c *cachedEncoder) closeFiles() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, f := range c.files {
		errs = append(errs, f.Close())
	}
	if c.own != nil {
		errs = append(errs, c.own.Close())
	}
	c.files, c.own, c.broken = nil, nil, true
	clear(c.records)
	return errors.Join(errs...)
}

// openEncoder opens the encoder of the flags, if there is one and a method may use it, and
// adds it to the evaluation's setting.
func (e *evaluation) openEncoder(a *app, f *evaluateFlags) (io.Closer, error) {
	embeds := func(m evaluate.Method) bool { return mayEmbed(methodInfo(m.Options.Method)) }
	if f.encoder.name == noEncoder || !slices.ContainsFunc(e.options.Methods, embeds) {
		e.setting.Encoder = noEncoder
		return io.NopCloser(nil), nil
	}
	m, err := openEncoder(f.encoder)
	if err != nil {
		return nil, err
	}
	e.setting.Encoder = fmt.Sprintf("%s (%d dimensions, sha256 %.12s, %s)", m.Name(), m.Dimensions(), m.Fingerprint(), m.Runtime())
	e.options.Encoder, e.options.EncoderLanguages = m, m.Languages()
	if err := e.checkWeights(m); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if f.noCache {
		return m, nil
	}
	folder, err := embeddingFolder()
	var kept *cachedEncoder
	if err == nil {
		dataset := f.dataset
		if abs, err := filepath.Abs(dataset); err == nil {
			dataset = abs
		}
		// Results of different runtimes differ in the last digits.
		kept, err = keepEmbeddings(m, folder, m.Runtime()+"\n"+dataset, maxEmbeddings)
	}
	if err != nil {
		// Evaluation works without a cache.
		a.warn(fmt.Sprintf("embeddings are not cached: %v", err))
		return m, nil
	}
	e.options.Encoder = kept
	return kept, nil
}
