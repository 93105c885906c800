package translated

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// one makes a cluster of the lines, a paragraph each, in the order of the tags.
func one(t *testing.T, tags string, paragraphs ...[]string) *Cluster {
	t.Helper()
	languages := strings.Fields(tags)
	c := &Cluster{}
	for d, l := range languages {
		var texts []map[string]string
		for _, p := range paragraphs {
			texts = append(texts, map[string]string{l: p[d]})
		}
		c.add(l, texts)
		c.Documents[d].Language = l
	}
	if err := core.Prepare(context.Background(), c.Documents); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRepeated: refs are document.sentence; those with ! are repeated.
func TestRepeated(t *testing.T) {
	equal := one(t, "en de fr",
		[]string{"The ferry sank. Boats came. Nobody died.", "Die Fähre sank. Boote kamen. Niemand starb.", "Le bac coula. Des bateaux vinrent. Personne ne mourut."},
		[]string{"The ferry sank. Boats came.", "Die Fähre sank. Boote kamen.", "Le bac coula. Des bateaux vinrent."})
	// German has the first two sentences in one; the French text has a short
	// sentence more, the place of which is at the end of the first one.
	uneven := one(t, "en de fr",
		[]string{
			"In the night a storm came up. The old ferry sank. Boats saved everyone who was there.",
			"In der Nacht kam ein Sturm auf, und die alte Fähre sank. Boote retteten alle, die da waren.",
			"Dans la nuit vint un orage. Il fut long. Le vieux bac coula. Des bateaux sauvèrent tout le monde.",
		})
	wide := one(t, "en zh", []string{"𝒜𝒜 ferry sank there. Boats came.", "渡船沉没了。船来了。"}, []string{"It rained. Nobody died.", "下雨了。没有人死亡。"})
	one := one(t, "en de", []string{"A storm came. It sank the ferry.", "Ein Sturm kam auf und die Fähre ging unter."})
	for name, test := range map[string]struct {
		c    *Cluster
		refs string
	}{
		"nothing":                         {equal, ""},
		"one":                             {equal, "0.1"},
		"one language":                    {equal, "0.0 0.1 0.2 0.3 0.4"},
		"different sentences":             {equal, "0.0 1.1 2.2 0.3 1.4"},
		"a pair":                          {equal, "0.0! 1.0! 2.1"},
		"three languages":                 {equal, "0.1! 1.1! 2.1!"},
		"two pairs":                       {equal, "0.0! 0.1! 1.0! 1.1! 2.4"},
		"the same words elsewhere":        {equal, "0.0 1.3"},
		"the second paragraph":            {equal, "0.4! 1.4! 2.3"},
		"a part of a longer one":          {uneven, "0.1! 1.0!"},
		"both parts of it":                {uneven, "0.0! 0.1! 1.0!"},
		"the sentence after":              {uneven, "0.2 1.0"},
		"the sentence after, in parts":    {uneven, "0.1 1.1"},
		"at the end, of different number": {uneven, "0.2! 1.1! 2.3!"},
		"of different number":             {uneven, "0.1! 2.2!"},
		"none of different number":        {uneven, "0.2 2.0 2.2"},
		"not of letters in two units":     {wide, "0.0! 1.0! 0.3! 1.3!"},
		"across paragraphs":               {wide, "0.1 1.2"},
		"a paragraph in one sentence":     {one, "0.0! 0.1! 1.0!"},
	} {
		t.Run(name, func(t *testing.T) {
			var refs []cluster.Ref
			var want []bool
			for _, f := range strings.Fields(test.refs) {
				var r cluster.Ref
				if _, err := fmt.Sscanf(f, "%d.%d", &r.Document, &r.Sentence); err != nil {
					t.Fatal(err)
				}
				test.c.At(r) // or it panics
				refs, want = append(refs, r), append(want, strings.HasSuffix(f, "!"))
			}
			if got := test.c.Repeated(refs); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			slices.Reverse(refs)
			slices.Reverse(want)
			if got := test.c.Repeated(refs); !slices.Equal(got, want) {
				t.Errorf("in reverse: got %v, want %v", got, want)
			}
		})
	}
}

func TestReadAndDraw(t *testing.T) {
	var b strings.Builder
	for i := range 13 {
		fmt.Fprintf(&b, `{"document": "%d", "de": "Satz %d.", "en": "\ufeffSentence\n %d.", "fr": "Phrase %d."}`+"\n\n", i/5, i, i, i)
	}
	s, err := Read("x", strings.NewReader(b.String()))
	if err != nil || !slices.Equal(s.Languages, []string{"de", "en", "fr"}) {
		t.Fatalf("%+v, %v", s, err)
	}
	list, err := s.Draw(7, 2, 2, 1)
	if err != nil || len(list) != 7 {
		t.Fatal(list, err)
	}
	again, _ := s.Draw(7, 2, 2, 1)
	other, _ := s.Draw(7, 2, 2, 2)
	if !reflect.DeepEqual(list, again) || reflect.DeepEqual(list, other) {
		t.Error("a seed does not draw the same, or two do")
	}
	// 0-4, 5-9 and 10-12 are documents.
	whole := map[string]string{"de": "Satz %d.", "en": "Sentence %d.", "fr": "Phrase %d."}
	seen := map[int]int{}
	for _, c := range list {
		if len(c.Documents) != 2 || c.Languages[0] == c.Languages[1] {
			t.Fatalf("%q", c.Languages)
		}
		var firsts []int
		for d, l := range c.Languages {
			at := slices.IndexFunc([]int{0, 2, 5, 7, 10}, func(i int) bool {
				return c.Documents[d].Text == fmt.Sprintf(whole[l]+"\n\n"+whole[l], i, i+1)
			})
			if at < 0 || c.Documents[d].Language != "" {
				t.Fatalf("%s: %+v", l, c.Documents[d])
			}
			firsts = append(firsts, at)
		}
		if firsts[0] != firsts[1] {
			t.Errorf("documents of different paragraphs: %v", firsts)
		}
		seen[firsts[0]]++
	}
	for piece := range 5 {
		if n := seen[piece]; n != 1 && n != 2 {
			t.Errorf("piece %d was taken %d times", piece, n)
		}
	}
	for name, draw := range map[string][2]int{"2 to 3": {1, 4}, "at least 2": {1, 1}, "no document has 6": {6, 2}, "at least 1": {0, 2}} {
		want := strings.TrimPrefix(name, "at least 2")
		if _, err := s.Draw(1, draw[0], draw[1], 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for want, text := range map[string]string{
		"x: no paragraphs": "\n \n",
		"x:2: want a JSON object of texts by language": "{\"en\": \"a\"}\n[]",
		"x:1: en: want a string":                       `{"en": 1}`,
		"x:1: de: want text, got an empty string":      `{"de": " ", "en": "a"}`,
		`x:3: languages: want those of`:                "{\"de\": \"a\", \"en\": \"b\"}\n\n{\"en\": \"b\"}",
		`x:1: want texts by language`:                  `{"document": "a"}`,
		"x:2: bufio.Scanner: token too long":           "{\"en\": \"a\"}\n" + strings.Repeat("x", maxLine+1),
	} {
		if _, err := Read("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
