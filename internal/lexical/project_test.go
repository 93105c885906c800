package lexical

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func analyzed(t *testing.T, docs ...cluster.Document) *Analysis {
	t.Helper()
	a, err := Analyze(context.Background(), &cluster.Cluster{Documents: docs})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestProjectOfOwnSentences: a document of the cluster, analysed alone, has the
// same vectors as in the cluster, although its terms have other numbers.
func TestProjectOfOwnSentences(t *testing.T) {
	for seed := range uint64(40) {
		docs := randomCluster(seed)
		a := analyzed(t, docs...)
		for _, w := range []Weighting{{}, {Bigrams: true, SublinearTF: true, Background: 3, SingleDocument: 0.5}, {Raw: true}} {
			m := a.TFIDF(w)
			k := 0
			for _, d := range docs {
				p := a.Project(analyzed(t, d), w)
				if p.Dims() != m.Dims() || p.Len() != len(d.Sentences) {
					t.Fatalf("seed %d: %d×%d, want %d×%d", seed, p.Len(), p.Dims(), len(d.Sentences), m.Dims())
				}
				for i := range d.Sentences {
					gotCols, gotVals := p.Row(i)
					cols, vals := m.Row(k)
					if fmt.Sprint(gotCols, gotVals) != fmt.Sprint(cols, vals) {
						t.Fatalf("seed %d %+v: row %d of the cluster is %v %v, projected %v %v", seed, w, k, cols, vals, gotCols, gotVals)
					}
					k++
				}
			}
		}
	}
}

func TestProjectLeavesUnknownTermsOut(t *testing.T) {
	sentences := func(texts ...string) (d cluster.Document) {
		d.Language = "en"
		for _, s := range texts {
			d.Sentences = append(d.Sentences, cluster.Sentence{Text: s})
		}
		return d
	}
	a := analyzed(t, sentences("The storm hit Berlin.", "Rivers rose."))
	w := Weighting{Bigrams: true}
	with := a.Project(analyzed(t, sentences("Storm hit zebra quickly.", "zebra", "Berlin storm")), w)
	without := a.Project(analyzed(t, sentences("Storm hit", "", "Berlin zebra storm")), w)
	if !reflect.DeepEqual(with, without) {
		t.Errorf("with unknown words %v, without %v", with, without)
	}
	if with.RowPtr[1] != 3 || with.RowPtr[2] != 3 || with.RowPtr[3] != 5 {
		t.Errorf("rows of storm, hit, storm hit; nothing; Berlin, storm: got %v", with)
	}
}
