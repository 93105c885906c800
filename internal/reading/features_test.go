package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
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

// TestOdds: the shipped weights name inputs only, and standing alone counts.
func TestOdds(t *testing.T) {
	x := make([]float32, 2*Inputs)
	for i, name := range inputNames {
		if name == "leans" {
			x[Inputs+i] = 1
		}
	}
	for kind := range Kind(Kinds) {
		if z := Odds(x, kind); len(z) != 2 || z[1] >= z[0] {
			t.Errorf("kind %d: odds %v", kind, z)
		}
	}
}

// Among hundreds of sentences, the most central one deviates more than among the few that
// the weights were fitted on: that does not make it the opening.
func TestOpeningsAreBounded(t *testing.T) {
	features := make([]float32, 2*Inputs)
	at := func(k int, name string) *float32 { return &features[k*Inputs+slices.Index(InputNames(), name)] }
	*at(0, "titles"), *at(0, "central") = 0.4, 5.5
	*at(1, "titles"), *at(1, "central") = 0.6, 3.5
	z, titled := Openings(features, make([]float64, 2))
	if !titled || z[0] >= z[1] {
		t.Errorf("openings %v", z)
	}
}

func TestKindOf(t *testing.T) {
	citation := slices.Index(InputNames(), "citation")
	of := func(sentences, citing int) []float32 {
		x := make([]float32, sentences*Inputs)
		for k := range citing {
			x[k*Inputs+citation] = 1
		}
		return x
	}
	for _, c := range []struct {
		sentences, citing, documents int
		want                         Kind
	}{
		{100, 10, 2, Several}, {100, 10, 1, Scholarly}, {30, 3, 1, Scholarly},
		{30, 2, 1, Single}, {200, 3, 1, Single}, {5, 0, 1, Single}, {0, 0, 0, Several},
	} {
		documents := make([]cluster.Document, 3) // the others without sentences
		for i := range c.documents {
			documents[i+1].Sentences = make([]cluster.Sentence, 1)
		}
		if got := KindOf(documents, of(c.sentences, c.citing)); got != c.want {
			t.Errorf("%d of %d sentences cite, %d documents: kind %d, want %d", c.citing, c.sentences, c.documents, got, c.want)
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
