package dataset

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/text"
)

// Moments are the mean and the standard deviation of a population.
type Moments struct{ Mean, SD float64 }

// Statistics is a row of the paper's table of its corpora.
type Statistics struct {
	// Languages of the documents, sorted: what the corpus or the caller names,
	// else as they are told from the text.
	Languages []string
	// Clusters counts the good ones, LeftOut the records that were not.
	Clusters, LeftOut int
	// MinDocuments and MaxDocuments bound the documents of a cluster.
	MinDocuments, MaxDocuments int
	// Sentences are those of a document; Words those of a reference summary,
	// counted as runs of letters, digits and underscores.
	Sentences, Words Moments
}

// Measure reads a corpus to its end. language is that of documents that name
// none; empty means that it is told for each. bad, if not nil, is told of the
// records that are left out. It returns ctx.Err() when the context ends first.
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

// welford sums up values without keeping them.
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
