package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/cerasum/cerasum/core"
)

// batchHead is what the summaries depend on: a run goes on only with the same.
type batchHead struct {
	Version  string        `json:"cerasum"`
	Corpora  []batchCorpus `json:"corpora"`
	Budget   string        `json:"budget"`
	Method   string        `json:"method"`
	Order    string        `json:"order"`
	Language string        `json:"lang,omitempty"`
	Ignore   []string      `json:"ignore,omitempty"`
	MaxLine  int           `json:"max_line"`
	Bad      string        `json:"bad"`
	Licence  string        `json:"licence,omitempty"`
	Encoder  string        `json:"encoder,omitempty"`
	// Model is the fingerprint of an encoder that was named.
	Model   string   `json:"model,omitempty"`
	Dense   *float64 `json:"dense_weight,omitempty"`
	Weights string   `json:"weights,omitempty"`
	Experts []string `json:"experts,omitempty"`
	Query   string   `json:"query,omitempty"`
	// QueryWeight counts where there is a query.
	QueryWeight float64 `json:"query_weight,omitempty"`
}

// batchCorpus tells a file from another one, and from what it was.
type batchCorpus struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Ends  string `json:"ends"` // SHA-256 of the first and the last 64 KiB
}

// headOfBatch is what the summaries depend on, as JSON.
func headOfBatch(args []string, f *batchFlags, bad string, e *embedder) ([]byte, error) {
	h := batchHead{
		Version: core.Version, Budget: f.budget, Method: f.method, Order: f.order, Language: f.lang, Ignore: f.ignore, MaxLine: f.maxLine, Bad: bad,
		Licence: f.weights.licence, Encoder: f.encoder.name, Dense: e.weight,
	}
	if e.model != nil {
		h.Model = e.model.Fingerprint()
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
