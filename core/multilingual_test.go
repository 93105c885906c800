package core

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// ferry returns a self-written report in three languages; one more document says
// something else, too.
func ferry() *cluster.Cluster {
	return &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Text: "The ferry to Hvall sank in the storm on Friday. All 63 passengers were saved by fishing boats. The harbour stays closed until the wreck has been lifted. The captain was questioned for four hours."},
		{Language: "pt", Text: "O barco para Hvall afundou na tempestade de sexta-feira. Os 63 passageiros foram salvos por barcos de pesca. O porto fica fechado até o navio ser erguido. O capitão foi interrogado durante quatro horas."},
		{Language: "de", Text: "Die Fähre nach Hvall ist am Freitag im Sturm gesunken. Fischerboote haben alle 63 Fahrgäste gerettet. Der Hafen bleibt geschlossen, bis das Wrack gehoben ist. Vier Stunden lang wurde der Kapitän befragt. Der Fährverkehr im Norden kostet das Land jedes Jahr viel Geld."},
	}}
}

// meanings embeds sentence k of every document alike, up to noise: the cosine
// of two translations is about 1/(1+noise²).
func meanings(t testing.TB, c *cluster.Cluster, noise float64) denseOptions {
	t.Helper()
	if err := Prepare(context.Background(), c.Documents); err != nil {
		t.Fatal(err)
	}
	const d = 64
	o := denseOptions{Embeddings: Embeddings{Dimensions: d}}
	own := rand.New(rand.NewPCG(5, 5))
	for _, r := range c.Refs() {
		shared := rand.New(rand.NewPCG(uint64(r.Sentence), 9))
		for range d {
			o.Data = append(o.Data, float32(shared.NormFloat64()+noise*own.NormFloat64()))
		}
	}
	return o
}

// saidTwice counts the quoted sentences that translate an earlier one.
func saidTwice(s *Summary) (n int) {
	seen := map[int]bool{}
	for _, q := range s.Sentences {
		if seen[q.Ref.Sentence] {
			n++
		}
		seen[q.Ref.Sentence] = true
	}
	return n
}

func TestNothingIsSaidInTwoLanguages(t *testing.T) {
	for _, noise := range []float64{0.2, 1} { // cosines of about 0.95 and 0.5
		o := meanings(t, ferry(), noise)
		for _, budget := range []Budget{{20, Words}, {60, Words}, {150, Words}, {4, Sentences}, {14, Sentences}} {
			for _, method := range []string{"auto", "editor", "multilingual", "mean", "position", "hybrid"} {
				o.Method, o.Budget = method, budget
				s := mustSummarize(t, ferry(), o)
				if n := saidTwice(s); n != 0 {
					t.Errorf("noise %v, %s, %v: %d said twice: %q", noise, method, budget, n, s.Text)
				}
				if budget.Amount == 150 && len(s.Sentences) != 5 {
					t.Errorf("noise %v, %s: room for all, %d sentences: %q", noise, method, len(s.Sentences), s.Text)
				}
				if want := map[string]string{"auto": "editor"}[method]; want != "" && s.Method != want {
					t.Errorf("%s ran %s", method, s.Method)
				}
			}
		}
	}
	// Without embeddings it is said twice: the test would detect that.
	if s := mustSummarize(t, ferry(), Options{Budget: Budget{150, Words}}); saidTwice(s) == 0 || s.Method != "editor" {
		t.Errorf("%s: nothing said twice without embeddings: %q", s.Method, s.Text)
	}
}

func TestTranslationsAreSimilarAndCovered(t *testing.T) {
	o := meanings(t, ferry(), 0.3)
	o.Budget = Budget{2, Sentences}
	for _, method := range []string{"auto", "bs+gs", "lexrank"} {
		o.Method = method
		s := mustSummarize(t, ferry(), o)
		for _, q := range s.Sentences {
			var others []int
			for _, m := range q.Similar {
				if m.Ref.Sentence != q.Ref.Sentence || m.Cosine < sameMeaning {
					t.Errorf("%s: %v is similar to %v", method, m, q.Ref)
				}
				others = append(others, m.Document)
			}
			if want := 2; q.Ref.Sentence < 4 && method == "auto" && len(others) != want {
				t.Errorf("%s: %v has translations in documents %v", method, q.Ref, others)
			}
		}
		for _, d := range s.Documents {
			if method == "auto" && d.Coverage < 0.3 {
				t.Errorf("%s: %s is covered by %v", method, d.Language, d.Coverage)
			}
		}
	}
	// Without embeddings the words of another language are unknown.
	for _, d := range mustSummarize(t, ferry(), Options{Budget: o.Budget}).Documents {
		if d.Chosen == 0 && d.Coverage > 0.3 {
			t.Errorf("%s is covered by %v without embeddings", d.Language, d.Coverage)
		}
	}
}

// TestOneLanguageStaysAsItWas: in one language, auto ignores embeddings and
// compares sentences by their words.
func TestOneLanguageStaysAsItWas(t *testing.T) {
	for name, c := range map[string]func() *cluster.Cluster{"flood": flood, "large": func() *cluster.Cluster { return large(4, 9) }} {
		o := meanings(t, c(), 0)
		o.Budget = Budget{60, Words}
		lexical := Options{Budget: o.Budget}
		if rated(t, c(), o) != rated(t, c(), lexical) {
			t.Errorf("%s: auto changes with embeddings", name)
		}
		with, without := mustSummarize(t, c(), o), mustSummarize(t, c(), lexical)
		for i, d := range with.Documents {
			if !reflect.DeepEqual(d, without.Documents[i]) {
				t.Errorf("%s: %+v without embeddings, %+v with", name, without.Documents[i], d)
			}
		}
		o.Method, lexical.Method = "multilingual", "instant"
		if one := weighing(o, 0); rated(t, c(), one) != rated(t, c(), lexical) {
			t.Errorf("%s: multilingual of weight 0 is not instant", name)
		}
	}
}

// TestNearestTranslations: the nearest sentence of another document is a translation if it is
// likely, any other only if it is near, and none in the same language.
func TestNearestTranslations(t *testing.T) {
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Text: "One dog. Two cats."},
		{Language: "de", Text: "Ein Hund. Zwei Katzen. Drei Kühe."},
		{Language: "en", Text: "A dog."},
		{Language: "sw", Text: "Mbwa."},
	}}
	j := jobOf(t, c, denseOptions{Embeddings: Embeddings{Dimensions: 4, Languages: []string{"en", "de"}, Data: []float32{
		3, 0, 0, 4, // en 0: cosine 0.6·0.6 = 0.36 to de 0
		0, 2, 0, 0, // en 1: 0.70 to de 1, 0.74 to de 2
		3, 0, 4, 0, // de 0
		0, 0.7, 0.714, 0, // de 1
		0, 1, -0.9, 0, // de 2
		1, 0, 0, 0, // en: 0.6 to de 0
		1, 0, 0, 0, // a language unknown to the encoder
	}}})
	list := func(k int) (rows []int) {
		last := math.Inf(1)
		j.translations().of(k, func(row int, cosine float64) {
			rows = append(rows, row)
			last = min(last, cosine)
		})
		if len(rows) > 0 && last < likelyMeaning {
			t.Errorf("row %d: a cosine of %v", k, last)
		}
		return rows
	}
	for k, want := range [][]int{{2}, {3, 4}, {0, 5}, {1}, {1}, {2}, nil} {
		if got := list(k); !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", k, got, want)
		}
	}
	// In the rows of a subset.
	repeats := j.translations().repeats([]int{1, 2, 4, 5})
	if got := repeats(0); !slices.Equal(got, []int{2}) {
		t.Errorf("row 1 of a subset: %v", got)
	}
	if got := repeats(1); !slices.Equal(got, []int{3}) {
		t.Errorf("row 2 of a subset: %v", got)
	}
	// One known language, and a text whose language is unknown.
	j.cluster.Documents[1].Language, j.cluster.Documents[3].Language = "en", ""
	j.cache = sessionCache{}
	if j.translations() != nil {
		t.Error("a cluster of one language has translations")
	}
}

func TestLexicalMethodsLeaveEmbeddingsAlone(t *testing.T) {
	o := meanings(t, ferry(), 0.2)
	o.Budget = Budget{50, Words}
	for _, method := range []string{"instant", "lead", "textrank"} {
		o.Method = method
		with, without := mustSummarize(t, ferry(), o), mustSummarize(t, ferry(), Options{Method: method, Budget: o.Budget})
		if with.Text != without.Text || !reflect.DeepEqual(with.Documents, without.Documents) {
			t.Errorf("%s: %q with embeddings, %q without", method, with.Text, without.Text)
		}
	}
	if !strings.Contains(mustSummarize(t, ferry(), Options{Method: "lead", Budget: Budget{3, Sentences}}).Text, "Fähre") {
		t.Error("lead does not take its turns")
	}
}

// BenchmarkMultilingual has 1,000 sentences in two languages, of 256
// dimensions.
func BenchmarkMultilingual(b *testing.B) {
	c := large(40, 25)
	for i := range c.Documents {
		c.Documents[i].Language = []string{"en", "de"}[i%2]
	}
	if err := Prepare(context.Background(), c.Documents); err != nil {
		b.Fatal(err)
	}
	o := denseOptions{Embeddings: Embeddings{Data: make([]float32, 1000*256), Dimensions: 256}}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range o.Data {
		o.Data[i] = float32(r.NormFloat64() + 0.5)
	}
	for _, method := range []string{"instant", "multilingual", "mean", "hybrid", "lexrank"} {
		o.Method = method
		b.Run(method, func(b *testing.B) {
			for b.Loop() {
				if _, err := summarize(c, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
