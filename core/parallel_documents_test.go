package core

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func parallelsOf(t *testing.T, c *cluster.Cluster) *parallels {
	t.Helper()
	return newParallels(mustOpen(t, c))
}

// nonsense returns a document of made-up words of one language; sentence k has about
// lengths[k] words, among them names[k] if that is not empty.
func nonsense(language string, names []string, lengths []int) cluster.Document {
	r := rand.New(rand.NewPCG(uint64(language[0]), uint64(language[1])))
	var b strings.Builder
	for k, n := range lengths {
		fmt.Fprintf(&b, "It%s%d%s", language, k, language)
		for range n {
			fmt.Fprintf(&b, " %s%x", language, r.IntN(1<<30))
		}
		if k < len(names) && names[k] != "" {
			b.WriteString(" " + names[k])
		}
		b.WriteString(". ")
	}
	return cluster.Document{Language: language, Text: b.String()}
}

func TestParallelDocumentsAreFound(t *testing.T) {
	names := []string{"Ottilie", "", "Brandur", "1847", "", "Hvall"}
	even, uneven := []int{8, 8, 8, 8, 8, 8}, []int{4, 15, 7, 22, 9, 3}
	mixed := []string{"Hvall", "", "1847", "Ottilie", "", "Brandur"}
	for name, test := range map[string]struct {
		documents []cluster.Document
		want      []int // the documents that translate the first
	}{
		"names at the same places":             {[]cluster.Document{nonsense("fi", names, even), nonsense("hu", names, even)}, []int{1}},
		"one sentence more":                    {[]cluster.Document{nonsense("fi", names, even), nonsense("hu", names, append(even, 4))}, []int{1}},
		"names at other places":                {[]cluster.Document{nonsense("fi", names, even), nonsense("hu", mixed, even)}, nil},
		"two names":                            {[]cluster.Document{nonsense("fi", names[:3], even), nonsense("hu", names[:3], []int{9, 7, 7, 9, 9, 9})}, nil},
		"the same language":                    {[]cluster.Document{nonsense("fi", names, uneven), nonsense("fi", names, uneven)}, nil},
		"lengths in turn":                      {[]cluster.Document{nonsense("fi", nil, uneven), nonsense("hu", nil, uneven)}, []int{1}},
		"equal lengths tell nothing":           {[]cluster.Document{nonsense("fi", nil, even), nonsense("hu", nil, []int{8, 9, 8, 7, 8, 8})}, nil},
		"other lengths":                        {[]cluster.Document{nonsense("fi", nil, uneven), nonsense("hu", nil, []int{22, 3, 9, 4, 7, 15})}, nil},
		"two sentences":                        {[]cluster.Document{nonsense("fi", nil, uneven[:2]), nonsense("hu", nil, uneven[:2])}, nil},
		"through a third":                      {[]cluster.Document{nonsense("fi", names, even), nonsense("hu", names, uneven), nonsense("tr", nil, uneven)}, []int{1, 2}},
		"through a third, not in one language": {[]cluster.Document{nonsense("fi", names, even), nonsense("hu", names, uneven), nonsense("fi", nil, uneven)}, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			for d, ok := range parallelsOf(t, &cluster.Cluster{Documents: test.documents}).translating(0) {
				if ok {
					got = append(got, d)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// With embeddings, reports of one event are not taken for translations because they begin
// with a name of two words, or have the same length.
func TestReportsAreNotParallelWithEmbeddings(t *testing.T) {
	lengths := []int{4, 15, 7, 22, 9, 3}
	for name, names := range map[string][2][]string{
		"a name of two words": {{"Maren Astrid", "1847", "", "Hvall", "", ""}, {"Maren Astrid", "", "", "Hvall", "", "1847"}},
		"lengths":             {{"Ottilie", "", "Brandur", "", "", "Hvall"}, {"Hvall", "", "Brandur", "", "", "Ottilie"}},
	} {
		t.Run(name, func(t *testing.T) {
			other := lengths
			if name != "lengths" {
				other = []int{9, 9, 9, 9, 9, 9}
			}
			p := parallelsOf(t, &cluster.Cluster{Documents: []cluster.Document{nonsense("fi", names[0], lengths), nonsense("hu", names[1], other)}})
			if !p.aligned(0, 1) {
				t.Fatal("not parallel without embeddings: this test tests nothing")
			}
			p.anchors = func(int, int) [][2]int { return nil }
			if p.aligned(0, 1) {
				t.Error("parallel with embeddings")
			}
		})
	}
}

func TestTogetherMeansAtTheSamePlace(t *testing.T) {
	// The second document has the first two sentences as one.
	p := parallelsOf(t, &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Text: "A storm came up. The ferry sank. Boats saved everyone. Nobody was hurt."},
		{Language: "de", Text: "Im Sturm sank diese Fähre dort. Boote halfen allen aus. Niemand ist verletzt."},
	}})
	for a := range 4 {
		for b := range 3 {
			if want := a == b+1 || a == 0 && b == 0; p.together(a, 4+b) != want {
				t.Errorf("sentences %d and %d: %v", a, b, !want)
			}
		}
	}
}

// TestTranslationsWithoutEmbeddings: a lexical method does not say the same
// twice where documents translate each other, nor where the encoder does not
// know a language.
func TestTranslationsWithoutEmbeddings(t *testing.T) {
	names := []string{"Ottilie", "", "Brandur", "1847", "", "Hvall"}
	c := func() *cluster.Cluster {
		return &cluster.Cluster{Documents: []cluster.Document{
			nonsense("fi", names, []int{8, 9, 8, 9, 8, 9}), nonsense("hu", names, []int{9, 8, 8, 9, 9, 8}), nonsense("tr", names, []int{8, 8, 9, 9, 8, 8}),
		}}
	}
	for _, budget := range []Budget{{30, Words}, {60, Words}, {18, Sentences}} {
		for _, method := range []string{"auto", "mean", "position", "multilingual", "hybrid"} {
			o := denseOptions{}
			if method == "multilingual" || method == "hybrid" {
				o = meanings(t, c(), 0.2)
				o.Languages = []string{"fi", "tr"}
			}
			o.Method, o.Budget = method, budget
			s := mustSummarize(t, c(), o)
			if n := saidTwice(s); n != 0 {
				t.Errorf("%s, %v: %d said twice: %q", method, budget, n, s.Text)
			}
			if budget.Unit == Sentences && len(s.Sentences) != 6 {
				t.Errorf("%s: %d of 6 sentences", method, len(s.Sentences))
			}
		}
	}
	// The paper's search is not changed.
	if s := mustSummarize(t, c(), Options{Method: "bs+gs", Budget: Budget{18, Sentences}}); len(s.Sentences) != 18 {
		t.Errorf("bs+gs: %d sentences", len(s.Sentences))
	}
}

// TestMeaningsMakeDocumentsParallel: sentences with the same meaning are at the same
// places, so that a sentence is recognized as the translation of two sentences of the
// other document.
func TestMeaningsMakeDocumentsParallel(t *testing.T) {
	c := &cluster.Cluster{Documents: []cluster.Document{
		nonsense("fi", nil, []int{8, 8, 8, 8, 16}), nonsense("hu", nil, []int{8, 8, 8, 8, 8, 8}), nonsense("tr", nil, []int{8, 8, 8, 8, 8, 8}),
	}}
	o := meanings(t, c, 0.3)
	// The meanings of the Turkish document are in reverse order: its places suggest
	// wrong pairs.
	d := o.Dimensions
	for i := range 3 {
		x, y := o.Data[(11+i)*d:(12+i)*d], o.Data[(16-i)*d:(17-i)*d]
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	}
	j := jobOf(t, c, o)
	if got := newParallels(j.Session).translating(0); got[1] {
		t.Fatal("parallel without embeddings: this test tests nothing")
	}
	p := j.translations()
	if got := p.translating(0); !got[1] || got[2] {
		t.Errorf("got %v", got)
	}
	found := false
	p.of(4, func(row int, cosine float64) { found = found || row == 5+5 && cosine < likelyMeaning })
	if !found {
		t.Error("the second half of a long sentence does not translate the whole")
	}
}
