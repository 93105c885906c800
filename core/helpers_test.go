package core

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// denseOptions holds options and the embeddings of the session.
type denseOptions struct {
	Options
	Embeddings
}

// anyOptions is implemented by options with and without embeddings.
type anyOptions interface{ Options | denseOptions }

func dense[O anyOptions](o O) denseOptions {
	if d, ok := any(o).(denseOptions); ok {
		return d
	}
	return denseOptions{Options: any(o).(Options)}
}

// weighing returns the options with a dense weight.
func weighing[O anyOptions](o O, w float64) O {
	switch o := any(&o).(type) {
	case *Options:
		o.DenseWeight = &w
	case *denseOptions:
		o.DenseWeight = &w
	}
	return o
}

func mustOpen(t testing.TB, c *cluster.Cluster) *Session {
	t.Helper()
	s, err := Open(context.Background(), c.Documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// summarize opens the cluster, adds the embeddings if there are any, and summarizes.
func summarize[O anyOptions](c *cluster.Cluster, of O) (*Summary, error) {
	o := dense(of)
	if o.Data == nil && o.Dimensions == 0 {
		return Summarize(context.Background(), c.Documents, o.Options)
	}
	s, err := Open(context.Background(), c.Documents, OpenOptions{})
	if err != nil {
		return nil, err
	}
	if err := s.Embed(o.Embeddings); err != nil {
		return nil, err
	}
	return s.Summarize(context.Background(), o.Options)
}

// mustSummarize is summarize with the embeddings and weights that the method requires;
// an error ends the test.
func mustSummarize[O anyOptions](t *testing.T, c *cluster.Cluster, of O) *Summary {
	t.Helper()
	o := dense(of)
	if m, err := lookUpMethod(o.Method); err == nil {
		if m.Embeddings == EmbeddingsRequired && o.Data == nil {
			o = embedded(t, c, o.Options)
		}
		if m.Weights == WeightsRequired && o.Weights == nil {
			o.Weights = someWeights(o.Dimensions, 5, m.Name == "cerai")
		}
	}
	s, err := summarize(c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := Prepare(context.Background(), c.Documents); err != nil {
		t.Fatal(err)
	}
	checkSummary(t, c.Documents, s)
	return s
}

// jobOf returns the job of a summary of the cluster.
func jobOf[O anyOptions](t testing.TB, c *cluster.Cluster, of O) *job {
	t.Helper()
	o := dense(of)
	s := mustOpen(t, c)
	if o.Data != nil {
		if err := s.Embed(o.Embeddings); err != nil {
			t.Fatal(err)
		}
	}
	return &job{Session: s, options: &o.Options, texts: s.texts, dense: s.embeddings}
}

// hashed embeds texts without a model: an embedding is the sum of a random
// vector for each word.
func hashed(texts []string, dimensions int) []float32 {
	out := make([]float32, len(texts)*dimensions)
	for k, t := range texts {
		for _, w := range strings.Fields(strings.ToLower(t)) {
			seed := uint64(0)
			for _, c := range w {
				seed = seed*31 + uint64(c)
			}
			r := rand.New(rand.NewPCG(seed, 1))
			for i := range dimensions {
				out[k*dimensions+i] += float32(r.NormFloat64())
			}
		}
	}
	return out
}

// embedded prepares the cluster and adds embeddings to the options.
func embedded(t testing.TB, c *cluster.Cluster, o Options) denseOptions {
	t.Helper()
	if err := Prepare(context.Background(), c.Documents); err != nil {
		t.Fatal(err)
	}
	const d = 24
	s := mustOpen(t, c)
	if o.References != nil {
		texts, err := s.ReferenceSentences(context.Background(), o.References)
		if err != nil {
			t.Fatal(err)
		}
		o.ReferenceEmbeddings = hashed(texts, d)
	}
	return denseOptions{o, Embeddings{Data: hashed(s.Texts(), d), Dimensions: d}}
}

// supported returns the options without those that the method does not use.
func supported(o Options) Options {
	for _, i := range OptionList() {
		if !i.UsedBy(o.Method) {
			reflect.ValueOf(i.Field(&o)).Elem().SetZero()
		}
	}
	return o
}
