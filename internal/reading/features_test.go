package reading

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

func TestLookAt(t *testing.T) {
	for sentence, want := range map[string]looks{
		"The council voted 14 to 11 on 3,000 euros.": {numbers: 3},
		"“We won,” said Ann Lee.":                    {opensQuotation: true, quotation: true, capitals: 2, names: 1, commas: 1},
		"„Wir haben gewonnen“, sagte Anna.":          {opensQuotation: true, quotation: true, capitals: 1, commas: 1},
		"« On a gagné.":                              {opensQuotation: true, quotation: true, unbalanced: true},
		`He said "no and left.`:                      {quotation: true, unbalanced: true},
		"Feeling tired?":                             {question: true},
		"”Vi vann”, sade Anna.":                      {opensQuotation: true, quotation: true, capitals: 1, commas: 1},
		"»Vi vandt,« sagde Anna.":                    {opensQuotation: true, quotation: true, capitals: 1, commas: 1},
		`בארה"ב דווח כי הוא אמר "כן".`:               {quotation: true},
		`הוא אמר ל"הארץ" שזה נכון.`:                  {quotation: true},
		`הדו"חות פורסמו.`:                            {},
		"Cronbach's α was 0.8;":                      {numbers: 1},
		"‘Tis the season.":                           {},
		"‘We hebben gewonnen’, zei Anna.":            {opensQuotation: true, quotation: true, capitals: 1, commas: 1},
		"唐纳德·特朗普当选。":                                 {},
		"El col·legi és nou.":                        {},
		"Home · News":                                {symbols: true, capitals: 1, names: 1},
		"Ποιος κέρδισε;":                             {question: true},
		"Ποιος κέρδισε\u037e":                        {question: true},
		"The mean is μ;":                             {},
		"乔治·W·布什周一访问了北京。":                            {capitals: 1},
		"El PARAL·LEL va tancar.":                    {capitals: 2, names: 1},
		"Home·News·Sport":                            {symbols: true, capitals: 2},
		"Les étudiant·e·s votent.":                   {},
		"谁赢了？":                                       {question: true},
		"Read more | Share":                          {symbols: true, capitals: 1},
		"The results:":                               {colon: true},
		"Go now!":                                    {exclamation: true},
		"":                                           {},
	} {
		if got := lookAt(sentence); got != want {
			t.Errorf("%q: got %+v, want %+v", sentence, got, want)
		}
	}
}

// The words of a title are compared with those of a sentence, in scripts without spaces by
// pairs of characters.
func TestWordsIn(t *testing.T) {
	for _, test := range []struct {
		title, sentence string
		want            float64
	}{
		{"Fire in the tunnel", "The tunnel was closed.", 0.5},
		{"高铁隧道火灾", "隧道内发生火灾。", 0.4},
		{"2026年の火災", "2026年の火災は小さかった。", 1},
		{"G7広島サミット", "広島で開かれた。", 0.2},
		{"ไฟไหม้อุโมงค์", "เกิดไฟไหม้ในอุโมงค์", 11.0 / 12},
		{"터널 화재", "터널에서 화재가 났다.", 1},
		{"बर्लिन में आग", "बर्लिन का एक मकान जला।", 1},
		{"", "The tunnel was closed.", 0},
		{"Tunnel " + strings.Repeat("火", 1000), "The tunnel was closed.", 1. / 331},
	} {
		if got := wordsIn(test.title, test.sentence); got != test.want {
			t.Errorf("%q in %q: got %v, want %v", test.title, test.sentence, got, test.want)
		}
	}
}

func TestRecencies(t *testing.T) {
	documents := []cluster.Document{{Date: "2026-04-22"}, {}, {Date: "2026-04-20T10:00:00Z"}, {Date: "2026-04-21"}}
	for i, want := range []float64{1, 0.5, 0, 0.5} {
		if got := recencies(documents)[i]; got != want {
			t.Errorf("document %d: got %v, want %v", i, got, want)
		}
	}
	for _, got := range recencies([]cluster.Document{{Date: "2026-04-22"}, {Date: "2026-04-22"}}) {
		if got != 0.5 {
			t.Errorf("equal dates: got %v", got)
		}
	}
}

// TestJudge: a sentence that the models are to quote, and one that they are not: what they say
// depends on no other sentence but by its inputs.
func TestJudge(t *testing.T) {
	x := make([]float32, 3*Inputs)
	set := func(k int, name string, v float32) { x[k*Inputs+slices.Index(InputNames(), name)] = v }
	for name, v := range map[string]float32{"closed": 1, "first": 1, "undated-first": 1, "central": 2, "density": 2, "support": 2, "rank": 1, "rank-in-document": 1, "title": 0.8, "log-words": 3.2, "numbers": 2, "starts-line": 1, "only-document": 1} {
		set(0, name, v)
	}
	for name, v := range map[string]float32{"leans": 1, "question": 1, "log-words": 1.5, "central": -2, "density": -1, "support": -2, "log-position": 3} {
		set(1, name, v)
	}
	copy(x[2*Inputs:], x[:Inputs])
	got := Judge(x)
	for _, z := range [][]float64{got.Quote, got.Opening} {
		if len(z) != 3 || z[0] <= z[1] || z[0] != z[2] {
			t.Errorf("%v", z)
		}
	}
	if got.Never[0] >= got.Never[1] {
		t.Errorf("never: %v", got.Never)
	}
}

// TestSurroundings: the inputs of a sentence beside others, on a small document.
func TestSurroundings(t *testing.T) {
	if len(InputNames()) != Inputs || len(slices.Compact(slices.Sorted(slices.Values(InputNames())))) != Inputs {
		t.Fatalf("%d names of %d inputs", len(InputNames()), Inputs)
	}
	const n = 4
	f := &featureReader{Source: &Source{
		Cluster: &cluster.Cluster{Documents: make([]cluster.Document, 2)},
		Texts:   make([]string, n),
		Analysis: &lexical.Analysis{
			Terms:     make([]lexical.Term, 4),
			Sentences: [][]int32{{0, 1}, {1, 2}, {2, 2, 3}, {0}},
			Refs:      []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 1}, {Document: 0, Sentence: 2}, {Document: 1, Sentence: 0}},
		},
	}, documents: []documentFeatures{{rows: []int{0, 1, 2}}, {rows: []int{3}}}, present: 2}
	x := make([]float32, n*Inputs)
	at := func(k int, name string) *float32 { return &x[k*Inputs+slices.Index(InputNames(), name)] }
	for k, central := range []float32{1, 3, 2, 0} {
		*at(k, "central") = central
		*at(k, "starts-line") = float32(1 - k%2)
	}
	f.surroundings(x)
	for _, want := range []struct {
		k     int
		name  string
		value float32
	}{
		{0, "before-central", 0}, {0, "after-central", 3}, {1, "before-central", 1}, {2, "after-central", 0}, {3, "before-central", 0},
		{0, "line-length", 2}, {1, "line-place", 1}, {1, "ends-line", 1}, {0, "ends-line", 0}, {2, "place", 1}, {1, "place", 0.5},
		{1, "central-before", 2}, {1, "central-around", 1.5}, {2, "central-of-rest", 0}, {0, "only-document", 0},
		{0, "terms-shared", 0.5}, {3, "terms-shared", 1}, {1, "terms-given", 0.5}, {2, "terms-unique", 0.5}, {0, "terms-next", 0.5}, {0, "terms-of-leads", 0.5},
	} {
		if got := *at(want.k, want.name); math.Abs(float64(got-want.value)) > 1e-6 {
			t.Errorf("sentence %d: %s is %v, want %v", want.k, want.name, got, want.value)
		}
	}
}

func TestCitation(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Word graphs were used before (Horvath et al., 2011).":         true,
		"Earlier work (Lindqvist 2009b; Osei and Marr, 2012) differs.": true,
		"The method follows [12] and [3, 4].":                          true,
		"The village (in 2011 it had 300 people) is empty.":            false,
		"The battle (1812) was lost.":                                  false,
		"The king [sic] fled (again).":                                 false,
		"An open bracket (Horvath":                                     false,
		"":                                                             false,
	} {
		if got := citation(sentence); got != want {
			t.Errorf("%q: got %v", sentence, got)
		}
	}
}

func TestHasGap(t *testing.T) {
	for sentence, want := range map[string]bool{
		"It is denoted by , where the conjugate is meant.":  true,
		"A matrix is Hermitian if and only if .":            true,
		"Other notations ( ) are in use.":                   true,
		"The word () is Greek.":                             true,
		"It has a function fetch() that gets a resource.":   false,
		"It is denoted by A, where the conjugate is meant.": false,
		"Il est arrivé ; elle, partie : qui sait ?":         false,
		"Version 1.5 of .NET needs .5 seconds, or more...":  false,
		"The town (1,200 people) was evacuated (by force).": false,
		"他说，今天（周一）下雨。":                                      false,
		"She waited . . . and then she left.":               false,
		"A sequence f1, ... , fn is translated.":            false,
	} {
		if got := hasGap(sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}
