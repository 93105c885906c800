package dataset

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/text"
)

// Moments are the population mean and standard deviation.
type Moments struct{ Mean, SD float64 }

// Statistics is one row of the paper's table of corpora.
type Statistics struct {
	// Languages of the documents, sorted: those given by the corpus or the
	// caller, else detected.
	Languages []string
	// Clusters counts the good records, LeftOut the others.
	Clusters, LeftOut int
	// MinDocuments and MaxDocuments are the extremes of documents per cluster.
	MinDocuments, MaxDocuments int
	// Sentences are per document; Words are per reference summary, counted as runs
	// of letters, digits and underscores.
	Sentences, Words Moments
}

// Measure reads a corpus to its end. language is that of documents that do not
// specify one; empty detects it per document. bad, if not nil, is called for
// records that are left out. Measure returns ctx.Err() if the context ends first.
func Measure(ctx context.Context, r Reader, language string, bad func(*Error)) (*Statistics, error) {
	s := &Statistics{}
	var sentences, words welford
	languages := map[string]bool{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := r.Next()
		var record *Error
		switch {
		case errors.Is(err, io.EOF):
			for l := range languages {
				s.Languages = append(s.Languages, l)
			}
			slices.Sort(s.Languages)
			s.Sentences, s.Words = sentences.moments(), words.moments()
			return s, nil
		case errors.As(err, &record):
			s.LeftOut++
			if bad != nil {
				bad(record)
			}
			continue
		case err != nil:
			return nil, err
		}
		s.Clusters++
		if n := len(c.Documents); s.Clusters == 1 {
			s.MinDocuments, s.MaxDocuments = n, n
		} else {
			s.MinDocuments, s.MaxDocuments = min(s.MinDocuments, n), max(s.MaxDocuments, n)
		}
		for i := range c.Documents {
			d := &c.Documents[i]
			if d.Language == "" {
				d.Language = language
			}
			if d.Language == "" {
				d.Language = text.Detect(d.Text)
			}
			if d.Language != "" {
				languages[d.Language] = true
			}
			sentences.add(float64(len(text.Split(d.Text, d.Language))))
		}
		for _, reference := range c.References {
			words.add(float64(text.CountWords(reference)))
		}
	}
}

// welford accumulates mean and variance without storing the values.
type welford struct{ n, mean, m2 float64 }

func (w *welford) add(v float64) {
	w.n++
	d := v - w.mean
	w.mean += d / w.n
	w.m2 += d * (v - w.mean)
}

func (w *welford) moments() Moments {
	if w.n == 0 {
		return Moments{}
	}
	return Moments{w.mean, math.Sqrt(w.m2 / w.n)}
}
