package core

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

// variants returns the options of summaries of a session: every method with several
// budgets and options, in random order.
func variants(r *rand.Rand, s *Session, references []string) []Options {
	weight, dense := 0.4, 0.5
	var list []Options
	names := append(Methods(), oracle.MethodInfo, headline.MethodInfo)
	for _, m := range names {
		for _, budget := range []Budget{{30, Words}, {2, Sentences}, {140, Characters}, {60, PaperWords}, {7, Words}} {
			o := Options{Method: m.Name, Budget: budget}
			if m.Weights == WeightsRequired {
				o.Weights = someWeights(max(1, s.dimensions), 3, m.Name == "cerai")
			}
			if m.Name == oracle.Name {
				o.References = references
				if s.embedded {
					texts, err := s.ReferenceSentences(context.Background(), references)
					if err != nil {
						panic(err)
					}
					o.ReferenceEmbeddings = hashed(texts, s.dimensions)
				}
			}
			if m.Embeddings == EmbeddingsRequired && !s.embedded {
				continue
			}
			list = append(list, o)
		}
		o := list[len(list)-1]
		o.Budget, o.Order = Budget{45, Words}, OrderRank
		if m.Query && (m.Embeddings != EmbeddingsRequired || s.embedded) {
			o.Query, o.QueryWeight = "Which schools are closed, and does the dam hold?", &weight
			if s.embedded {
				o.QueryEmbedding = hashed([]string{o.Query}, s.dimensions)
			}
		}
		o.N, o.BeamWidth, o.Patience, o.Preselect = 3, 2, 2, "n_best"
		if s.embedded {
			o.DenseWeight = &dense
		}
		list = append(list, supported(o))
	}
	// Options that set the networks, and the texts whose words are counted.
	list = append(list,
		Options{Licence: LicenceFree, Budget: Budget{12, Words}},
		Options{Method: "salience", Budget: Budget{20, Words}, Experts: &salience.Experts{General: salience.LongBudget()}},
		Options{Method: "salience", Budget: Budget{20, Words}, Translations: shuffled(r, s.Texts())},
		Options{Method: "mean", Budget: Budget{90, Characters}, Translations: shuffled(r, s.Texts())},
	)
	r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

func shuffled(r *rand.Rand, texts []string) []string {
	texts = slices.Clone(texts)
	r.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
	return texts
}

// TestSessionAnswersAsOneShot: earlier summaries of a session change nothing.
func TestSessionAnswersAsOneShot(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	for name, c := range map[string]*cluster.Cluster{
		"one language": flood(), "three languages": ferry(), "long": large(3, 9), "no spaces": of(spaceless["zh"]...),
		"in translation": {Documents: []cluster.Document{nonsense("fi", nil, []int{4, 15, 7, 22, 9, 3}), nonsense("hu", nil, []int{4, 15, 7, 22, 9, 3})}},
	} {
		for _, embedded := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", embeddings ", embedded), func(t *testing.T) {
				s := mustOpen(t, c)
				e := Embeddings{Data: hashed(s.Texts(), 24), Dimensions: 24}
				embed := func(s *Session) {
					if !embedded {
						return
					}
					if err := s.Embed(e); err != nil {
						t.Fatal(err)
					}
				}
				embed(s)
				list := variants(r, s, []string{c.Documents[0].Text})
				want := make([]*Summary, len(list))
				for i, o := range list {
					var err error
					if embedded {
						fresh := mustOpen(t, c)
						embed(fresh)
						want[i], err = fresh.Summarize(t.Context(), o)
					} else {
						want[i], err = Summarize(t.Context(), c.Documents, o)
					}
					if err != nil {
						t.Fatalf("%s, one call: %v", o.Method, err)
					}
				}
				for range 2 {
					for i, o := range list {
						got, err := s.Summarize(t.Context(), o)
						if err != nil {
							t.Fatalf("%s: %v", o.Method, err)
						}
						if !reflect.DeepEqual(got, want[i]) {
							t.Errorf("%s, %v: session %+v\none call %+v", o.Method, o.Budget, got, want[i])
						}
					}
					slices.Reverse(list)
					slices.Reverse(want)
				}
			})
		}
	}
}

// TestEmbedAgain: new rows replace the old ones and do not change lexical methods.
func TestEmbedAgain(t *testing.T) {
	c := ferry()
	s := mustOpen(t, c)
	first, second := meanings(t, c, 0.2).Embeddings, Embeddings{Data: hashed(s.Texts(), 24), Dimensions: 24}
	some := first
	some.Languages = []string{"en", "pt"}
	none := first
	none.Languages = []string{"fi"}
	zeros := Embeddings{Data: make([]float32, len(s.Texts())), Dimensions: 1}
	texts := func(s *Session) (all []string) {
		for _, method := range []string{"auto", "salience", "instant", "mean", "multilingual", "lexrank", "position", "lead"} {
			o := Options{Method: method, Budget: Budget{40, Words}}
			summary, err := s.Summarize(t.Context(), o)
			if errors.Is(err, ErrOption) {
				all = append(all, err.Error())
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(method, summary.Method, summary.Text, summary.Score, summary.Documents))
		}
		return all
	}
	seen := map[string]bool{}
	lexical := texts(s)
	for i, e := range []Embeddings{first, second, some, none, first, zeros, second} {
		if err := s.Embed(e); err != nil {
			t.Fatal(err)
		}
		got := texts(s)
		fresh := mustOpen(t, c)
		if err := fresh.Embed(e); err != nil {
			t.Fatal(err)
		}
		if want := texts(fresh); !slices.Equal(got, want) {
			t.Errorf("embeddings %d: %q, in a new session %q", i, got, want)
		}
		if got[1] != lexical[1] || got[2] != lexical[2] || got[7] != lexical[7] {
			t.Errorf("embeddings %d change lexical methods", i)
		}
		if i == 3 || i == 5 { // no row is left
			if got[0] != lexical[0] || got[3] != lexical[3] {
				t.Errorf("embeddings %d, all zeros: %q, want %q", i, got, lexical)
			}
		}
		seen[got[4]] = true
	}
	if len(seen) < 4 {
		t.Errorf("%d different summaries by multilingual", len(seen))
	}
	// After an error the earlier rows remain.
	before := texts(s)
	for _, bad := range []Embeddings{{}, {Data: []float32{1}, Dimensions: 1}, {Data: second.Data, Dimensions: 23}, {Data: append(slices.Clone(second.Data[1:]), float32(math.NaN())), Dimensions: 24}} {
		if err := s.Embed(bad); !errors.Is(err, ErrOption) {
			t.Errorf("%d numbers of %d dimensions: %v", len(bad.Data), bad.Dimensions, err)
		}
	}
	if !slices.Equal(texts(s), before) {
		t.Error("refused embeddings change the session")
	}
}

func TestClose(t *testing.T) {
	s := mustOpen(t, flood())
	if len(s.Documents()) != 3 || len(s.Texts()) != 11 || !s.WantsEmbeddings("mean", false) {
		t.Fatalf("%d documents, %d sentences", len(s.Documents()), len(s.Texts()))
	}
	for range 2 {
		s.Close()
		if s.Documents() != nil || s.Texts() != nil || s.WantsEmbeddings("mean", false) || s.Embeddable(false) != nil {
			t.Error("a closed session has documents")
		}
		_, summarizing := s.Summarize(t.Context(), Options{})
		_, refused := s.Summarize(t.Context(), Options{Method: "best"})
		_, references := s.ReferenceSentences(t.Context(), []string{"One."})
		_, _, features := s.SalienceFeatures(DefaultBudget)
		for what, err := range map[string]error{
			"Embed": s.Embed(Embeddings{Data: make([]float32, 11), Dimensions: 1}), "Summarize": summarizing, "Summarize with a bad option": refused,
			"ReferenceSentences": references, "SalienceFeatures": features,
		} {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// TestOpenLeavesDocumentsAlone: the caller's documents and their slices are not changed.
func TestOpenLeavesDocumentsAlone(t *testing.T) {
	documents := append(flood().Documents, ferry().Documents...)
	documents[1].Language = "EN-gb"
	documents[2].Sentences = []Sentence{{Text: "Its captain", Start: 63, End: 74, StartUTF16: 63, EndUTF16: 74}}
	copied := func() []Document {
		list := slices.Clone(documents)
		for i := range list {
			list[i].Sentences = slices.Clone(list[i].Sentences)
		}
		return list
	}
	before := copied()
	s, err := Open(t.Context(), documents, OpenOptions{Languages: []string{"pt"}, Titles: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Embed(Embeddings{Data: hashed(s.Texts(), 3), Dimensions: 3}); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"auto", "mean", "headline"} {
		if _, err := s.Summarize(t.Context(), Options{Method: m}); err != nil {
			t.Fatal(err)
		}
		if _, err := Summarize(t.Context(), documents, Options{Method: strings.Replace(m, "mean", "lead", 1)}); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	if !reflect.DeepEqual(documents, before) {
		t.Errorf("documents are now %+v", documents)
	}
	// Given sentences are kept, and a language tag is reduced to its code.
	s, err = Open(t.Context(), documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Documents()[2].Sentences; !slices.Equal(got, before[2].Sentences) || s.Documents()[1].Language != "en" {
		t.Errorf("sentences %v, language %q", got, s.Documents()[1].Language)
	}
	var texts []string
	for _, d := range s.Documents() {
		for _, q := range d.Sentences {
			texts = append(texts, q.Text)
		}
	}
	if !slices.Equal(texts, s.Texts()) {
		t.Errorf("texts %q, sentences %q", s.Texts(), texts)
	}
}

func TestOpenLanguages(t *testing.T) {
	documents := append(ferry().Documents, Document{Text: "42"})
	open := func(languages []string) (counts []int) {
		t.Helper()
		s, err := Open(t.Context(), documents, OpenOptions{Languages: languages})
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range s.Documents() {
			counts = append(counts, len(d.Sentences))
			if d.Text != documents[i].Text {
				t.Errorf("document %d is %q", i, d.Text)
			}
		}
		if several := counts[0] > 0 && counts[1] > 0; s.WantsEmbeddings("auto", false) != several {
			t.Errorf("%q: auto wants embeddings: %v", languages, !several)
		}
		if len(s.Texts()) == 0 {
			return counts
		}
		summary, err := s.Summarize(t.Context(), Options{Budget: Budget{500, Words}})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range summary.Sentences {
			if counts[q.Document] == 0 {
				t.Errorf("%q: quoted %v", languages, q.Ref)
			}
		}
		return counts
	}
	for _, test := range []struct {
		languages []string
		want      []int
	}{
		{nil, []int{4, 4, 5, 1}},
		{[]string{"en", "pt", "de"}, []int{4, 4, 5, 1}},
		{[]string{"pt_BR", "eng"}, []int{4, 4, 0, 1}},
		{[]string{"DE-at"}, []int{0, 0, 5, 1}},
		{[]string{"fi"}, []int{0, 0, 0, 1}}, // a document whose language is unknown is kept
		{[]string{}, []int{0, 0, 0, 1}},
		{[]string{"und"}, []int{0, 0, 0, 1}},
	} {
		if got := open(test.languages); !slices.Equal(got, test.want) {
			t.Errorf("%q: %v sentences, want %v", test.languages, got, test.want)
		}
	}
	// Norwegian has several tags.
	var norwegian []Document
	for _, tag := range []string{"no", "nb", "nn-NO", "da"} {
		norwegian = append(norwegian, Document{Text: "Elva steg.", Language: tag})
	}
	for _, tag := range []string{"no", "nb-NO", "nno"} {
		s, err := Open(t.Context(), norwegian, OpenOptions{Languages: []string{tag}})
		if err != nil || len(s.Texts()) != 3 || len(s.Documents()[3].Sentences) != 0 {
			t.Errorf("%s: %q, %v", tag, s.Texts(), err)
		}
	}
	for _, tag := range []string{"", "english", "pt-"} {
		_, err := Open(t.Context(), documents, OpenOptions{Languages: []string{"en", tag}})
		if !errors.Is(err, ErrOption) || err.Error() != fmt.Sprintf("languages[1]: want a language tag like en or pt-BR, got %q", tag) {
			t.Errorf("%q: %v", tag, err)
		}
	}
}

// TestOpenUncertainLanguages: a document is left out only if its language is certain.
func TestOpenUncertainLanguages(t *testing.T) {
	s, err := Open(t.Context(), []Document{
		{Text: "The kettle boils quickly and the handle stays cool, which my previous one did not manage."},
		{Text: "Great product!"}, // detected as Romanian
		{Text: "Super comfy"},    // not detected
		{Text: "Das Paket kam erst nach drei Wochen bei uns an."},
		{Text: "Great product!", Language: "ro"},
	}, OpenOptions{Languages: []string{"en-GB"}})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, d := range s.Documents() {
		found = append(found, fmt.Sprint(d.Language, len(d.Sentences)))
	}
	if want := []string{"en1", "en1", "1", "de0", "ro0"}; !slices.Equal(found, want) {
		t.Errorf("languages and sentences %v, want %v", found, want)
	}
}

// TestTitles: method headline selects from sentences and titles. A title is a document
// in the language of its document.
func TestTitles(t *testing.T) {
	documents := append(flood().Documents, ferry().Documents...)
	documents[3].Title, documents[4].Title = "Ferry sinks", "Barco afunda"
	documents = append(documents, Document{Title: "Storm damages harbour and ferry", Text: ""}, Document{Title: "42", Text: "7"})
	languages := []string{"en", "en", "en", "en", "pt", "de"}
	for _, only := range [][]string{nil, {"en"}, {"pt"}} {
		s, err := Open(t.Context(), documents, OpenOptions{Titles: true, Languages: only})
		if err != nil {
			t.Fatal(err)
		}
		// The same documents, made by hand.
		var kept, titles []Document
		var place []int
		for i, d := range documents {
			language := ""
			if i < len(languages) {
				language = languages[i]
			}
			if only != nil && language != "" && language != only[0] {
				continue
			}
			kept, place = append(kept, d), append(place, i)
			if d.Title != "" {
				titles = append(titles, Document{Text: d.Title, Language: language})
			}
		}
		all := s.Documents()
		if len(all) != len(documents)+7 {
			t.Fatalf("%d documents", len(all))
		}
		for i, d := range all[len(documents):] {
			if d.Title != "" || d.Source != "" || d.Text != []string{"Ola floods Varn", "Varn under water", "Elsewhere", "Ferry sinks", "Barco afunda", "Storm damages harbour and ferry", "42"}[i] {
				t.Errorf("title %d: %+v", i, d)
			}
		}
		for _, words := range []int{3, 8, 12, 22} {
			o := Options{Method: "headline", Budget: Budget{words, Words}}
			got, err := s.Summarize(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Summarize(t.Context(), append(slices.Clone(kept), titles...), o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != want.Text || got.Score != want.Score || got.OverBudget != want.OverBudget {
				t.Errorf("%v, %d words: %q (%v), want %q (%v)", only, words, got.Text, got.Score, want.Text, want.Score)
			}
			if q := want.Sentences[0]; q.Document < len(kept) && got.Sentences[0].Document != place[q.Document] {
				t.Errorf("%v, %d words: of document %d, want %d", only, words, got.Sentences[0].Document, place[q.Document])
			}
		}
	}
	titled := Document{Title: "Harlow bridge closes after inspection finds cracks", Text: "The Harlow bridge was closed to all traffic on Monday after inspectors found cracks in two of its girders. The weather was fine."}
	s, err := Open(t.Context(), []Document{titled, {Title: "", Text: "Engineers expect that the repairs of the Harlow bridge will take six weeks in all."}}, OpenOptions{Titles: true})
	if err != nil {
		t.Fatal(err)
	}
	summary, err := s.Summarize(t.Context(), Options{Method: "headline", Budget: Budget{12, Words}})
	if err != nil || summary.Text != titled.Title || summary.Sentences[0].Document != 2 || len(s.Documents()) != 3 {
		t.Errorf("got %+v, %v", summary, err)
	}
}

func TestWantsEmbeddings(t *testing.T) {
	one, several, none := mustOpen(t, flood()), mustOpen(t, ferry()), mustOpen(t, of("", "…"))
	for _, m := range append(Methods(), oracle.MethodInfo, headline.MethodInfo) {
		uses := m.Embeddings != EmbeddingsNone
		if got := one.WantsEmbeddings(m.Name, false); got != (uses && m.Name != "auto" && m.Name != "editor") {
			t.Errorf("%s, one language: %v", m.Name, got)
		}
		if got := several.WantsEmbeddings(m.Name, false); got != uses {
			t.Errorf("%s, several languages: %v", m.Name, got)
		}
		if none.WantsEmbeddings(m.Name, false) {
			t.Errorf("%s, no text: true", m.Name)
		}
	}
	if one.WantsEmbeddings("", false) || !several.WantsEmbeddings("", false) || several.WantsEmbeddings("best", false) {
		t.Error("the empty method is not auto, or an unknown one wants embeddings")
	}
	for _, s := range []*Session{one, several, none} {
		var want []string
		for _, m := range Methods() {
			if s.WantsEmbeddings(m.Name, false) {
				want = append(want, m.Name)
			}
		}
		if got := s.Embeddable(false); !slices.Equal(got, want) {
			t.Errorf("embeddable %q, want %q", got, want)
		}
	}
	// WantsEmbeddings is true exactly if embeddings change the result of auto.
	for _, s := range []*Session{one, several} {
		before, err := s.Summarize(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Embed(Embeddings{Data: hashed(s.Texts(), 16), Dimensions: 16}); err != nil {
			t.Fatal(err)
		}
		after, err := s.Summarize(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := before.Score != after.Score; changed != s.WantsEmbeddings("auto", false) {
			t.Errorf("auto was %s, with embeddings %s", before.Method, after.Method)
		}
	}
}

// TestDocumentLanguages: the languages of documents are parsed by ParseLanguage.
func TestDocumentLanguages(t *testing.T) {
	const malformed = "!"
	for tag, want := range map[string]string{
		"": "", "und": "", "eng": "en", "en": "en", "EN-gb": "en", "pt_BR": "pt", "pt-BR": "pt", "PT": "pt", "por": "pt", "zh-Hant-TW": "zh",
		"no": "no", "nn": "nn", "nb": "nb", "iw": "he", "heb": "he", "fil": "fil", strings.Repeat("en-", 33) + "x": "en",
		"-BR": malformed, "pt-": malformed, "english": malformed, " pt": malformed, "pt ": malformed, "p": malformed, "p1": malformed, "português": malformed,
		"-": malformed, "pt\x00": malformed, strings.Repeat("en-", 33) + "xx": malformed, strings.Repeat("e", 1<<20): malformed,
	} {
		code, err := ParseLanguage(tag)
		if err != nil {
			if !errors.Is(err, ErrOption) || !strings.HasPrefix(err.Error(), "want a language tag like en or pt-BR, got ") || len(err.Error()) > 200 {
				t.Errorf("%.200q: %.200v", tag, err)
			}
			code = malformed
		}
		if code != want {
			t.Errorf("%.200q is %q, want %q", tag, code, want)
		}
		c := flood()
		c.Documents[1].Language = tag
		s, opening := Open(t.Context(), c.Documents, OpenOptions{})
		_, summarizing := Summarize(t.Context(), c.Documents, Options{})
		preparing := Prepare(t.Context(), c.Documents)
		if want == malformed {
			for _, err := range []error{opening, summarizing, preparing} {
				var option *OptionError
				if !errors.As(err, &option) || option.Name != "documents[1].language" || option.Message != strings.TrimPrefix(summarizing.Error(), "documents[1].language: ") {
					t.Errorf("%.200q: %.200v", tag, err)
				}
			}
			continue
		}
		if want == "" {
			want = "en" // detected
		}
		if opening != nil || summarizing != nil || preparing != nil || s.Documents()[1].Language != want || c.Documents[1].Language != want {
			t.Errorf("%q: %v, %v, %v", tag, opening, summarizing, preparing)
		}
	}
}

// TestWrappedSentenceFitsItsBudget: a wrapped sentence is counted as it is shown, on
// one line, however the document indents it.
func TestWrappedSentenceFitsItsBudget(t *testing.T) {
	indented := "The ferry to Orvik left the quay\n        two hours late on Monday since a chain\n        had caught in its screw, the harbour\n        said on Thursday."
	shown := text.OneLine(indented)
	if n := len(shown); n != 126 {
		t.Fatalf("%d characters", n)
	}
	for _, m := range append(Methods(), headline.MethodInfo) {
		for _, budget := range []int{126, 128, 133} {
			s := mustSummarize(t, of(indented), Options{Method: m.Name, Budget: Budget{budget, Characters}})
			if s.Text != shown || s.Used != 126 || s.OverBudget {
				t.Errorf("%s, %d characters: used %d, over budget %v: %q", m.Name, budget, s.Used, s.OverBudget, s.Text)
			}
		}
		if s := mustSummarize(t, of(indented), Options{Method: m.Name, Budget: Budget{125, Characters}}); !s.OverBudget || s.Used != 126 {
			t.Errorf("%s, 125 characters: used %d, over budget %v", m.Name, s.Used, s.OverBudget)
		}
	}
}

func TestOpenProgress(t *testing.T) {
	var got []string
	report := func(stage string, done, total int) { got = append(got, fmt.Sprint(stage, " ", done, "/", total)) }
	s, err := Open(t.Context(), flood().Documents, OpenOptions{Progress: report})
	if err != nil {
		t.Fatal(err)
	}
	opening := []string{"split 0/3", "split 1/3", "split 2/3", "split 3/3", "encode 0/1", "encode 1/1"}
	if !slices.Equal(got, opening) {
		t.Errorf("open: %q", got)
	}
	got = nil
	if _, err := s.Summarize(t.Context(), Options{Progress: report}); err != nil || !slices.Equal(got, []string{"select 0/1", "select 1/1"}) {
		t.Errorf("summarize: %q, %v", got, err)
	}
	got = nil
	if _, err := Summarize(t.Context(), flood().Documents, Options{Progress: report}); err != nil || !slices.Equal(got, append(opening, "select 0/1", "select 1/1")) {
		t.Errorf("one call: %q, %v", got, err)
	}
}
