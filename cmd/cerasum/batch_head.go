package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/options"
)

// batchHead is what the summaries depend on: a run resumes only with an equal head.
type batchHead struct {
	Version string        `json:"cerasum"`
	Corpora []batchCorpus `json:"corpora"`
	// Options that are set, by name.
	Options  map[string]string `json:"options"`
	Language string            `json:"lang,omitempty"`
	Strict   bool              `json:"strict,omitempty"`
	Keep     bool              `json:"keep_fields,omitempty"`
	MaxLine  int               `json:"max_line"`
	// How records are read, if not as they are.
	Format    string `json:"input_format,omitempty"`
	Documents string `json:"documents_field,omitempty"`
	ID        string `json:"id_field,omitempty"`
	GroupBy   string `json:"group_by,omitempty"`
	Bad       string `json:"bad"`
	Library   string `json:"ort_library,omitempty"`
	Encoder   string `json:"encoder,omitempty"`
	// Model is the fingerprint of a named encoder.
	Model   string   `json:"model,omitempty"`
	Weights string   `json:"weights,omitempty"`
	Experts []string `json:"experts,omitempty"`
}

// batchCorpus identifies a corpus file and its content.
type batchCorpus struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Ends  string `json:"ends"` // SHA-256 of the first and the last 64 KiB
}

// headOfBatch returns the encoded batchHead.
func headOfBatch(args []string, f *batchFlags, bad string, e *embedder) ([]byte, error) {
	h := batchHead{
		Version: core.Version, Options: options.Texts(&f.options), Language: f.lang, Strict: f.fields.strict, Keep: f.fields.keep, MaxLine: f.maxLine, Bad: bad,
		Encoder: f.encoder.name, Library: f.encoder.library, Documents: f.corpus.documents, ID: f.corpus.id, GroupBy: f.corpus.groupBy,
	}
	if f.corpus.format != "auto" {
		h.Format = f.corpus.format
	}
	if e.model != nil {
		h.Model = e.model.Fingerprint()
	}
	if e.weights != nil {
		h.Weights = fingerprint(e.weights.Weights)
	}
	experts, err := f.experts.load([]string{f.method()}, f.options.Licence)
	if err != nil {
		return nil, err
	}
	h.Experts = describeExperts(experts)
	for _, name := range args {
		corpus, err := batchCorpusOf(name)
		if err != nil {
			return nil, err
		}
		h.Corpora = append(h.Corpora, corpus)
	}
	return json.Marshal(h)
}

// batchCorpusOf reads a file's size and hashes both its ends.
func batchCorpusOf(name string) (batchCorpus, error) {
	c := batchCorpus{Name: name}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return batchCorpus{}, usage(hinted{fmt.Errorf("%s is not a regular file: an interrupted run could not resume", name), "save it to a file, or omit --output to write to standard output"})
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
