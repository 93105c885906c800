package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/text"
)

// corpus makes n small clusters, of which every seventh line is bad.
func corpus(n int) string {
	var b strings.Builder
	for i := range n {
		if i%7 == 6 {
			b.WriteString(`{"documents": ["cut` + "\n")
			continue
		}
		reference := fmt.Sprintf("The river rose by %d metres on Monday and the bridge was closed.", i+1)
		if i%3 > 0 {
			reference += strings.Repeat(" Boats brought people out of the town.", i%3)
		}
		fmt.Fprintf(&b, `{"id": "c%d", "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in the flood.", "On Monday the river rose fast. Boats brought %d people out of the town. The bridge stays closed until Friday."], "references": ["%s"]}`+"\n", i, i+1, i+20, reference)
	}
	return b.String()
}

func reader(s string) dataset.Reader {
	return dataset.NewJSONLines(strings.NewReader(s), "corpus.jsonl")
}

func methods(names ...string) []Method {
	var list []Method
	for _, n := range names {
		list = append(list, Method{Name: n, Options: core.Options{Method: n}})
	}
	return list
}

func words(n int) core.Budget { return core.Budget{Amount: n, Unit: core.PaperWords} }

func options(o Options) Options {
	if o.Methods == nil {
		o.Methods = methods("lead", "bs+gs", "oracle")
	}
	if o.Budget.Amount == 0 {
		o.Budget = words(20)
	}
	o.Language = "en"
	o.ROUGE = rouge.Options{Stem: true, LimitWords: o.Budget.Amount}
	return o
}

func gather(t *testing.T, r dataset.Reader, o Options) []*Outcome {
	t.Helper()
	var list []*Outcome
	o.Outcome = func(out *Outcome) error {
		for i := range out.Results {
			out.Results[i].Seconds = 0
		}
		list = append(list, out)
		return nil
	}
	if err := Run(t.Context(), r, o); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestRunKeepsOrder(t *testing.T) {
	one := gather(t, reader(corpus(50)), options(Options{Workers: 1}))
	many := gather(t, reader(corpus(50)), options(Options{Workers: 8}))
	if !reflect.DeepEqual(one, many) {
		t.Error("eight workers give other outcomes than one")
	}
	if len(one) != 50 {
		t.Fatalf("%d outcomes", len(one))
	}
	for i, o := range one {
		if o.Record != i+1 {
			t.Fatalf("outcome %d is of record %d", i, o.Record)
		}
		if i%7 == 6 {
			if !strings.Contains(o.LeftOut, fmt.Sprintf("corpus.jsonl:%d: truncated", i+1)) || o.Results != nil {
				t.Errorf("bad record: %+v", o)
			}
			continue
		}
		if o.ID != fmt.Sprintf("c%d", i) || o.LeftOut != "" || len(o.Results) != 3 || len(o.Summaries) != 3 || len(o.References) != 1 {
			t.Fatalf("outcome %+v", o)
		}
		for m, r := range o.Results {
			words := 0
			for _, line := range o.Summaries[m] {
				words += text.CountWords(line)
			}
			if r.Words != words || words > 20 || words == 0 || r.Coverage <= 0 || r.Coverage > 1 || r.Redundancy < 0 || r.Redundancy > 1 {
				t.Errorf("%+v of %q", r, o.Summaries[m])
			}
			score, err := rouge.NewScorer(rouge.Options{Stem: true, LimitWords: 20}).Score(o.Summaries[m], o.References)
			if err != nil || score != r.ROUGE {
				t.Errorf("ROUGE %v, want %v", r.ROUGE, score)
			}
		}
	}
}

func TestLimitAndSkip(t *testing.T) {
	all := gather(t, reader(corpus(20)), options(Options{}))
	first := gather(t, reader(corpus(20)), options(Options{Limit: 8}))
	rest := gather(t, reader(corpus(20)), options(Options{Skip: 8}))
	if len(first) != 8 || !reflect.DeepEqual(append(first, rest...), all) {
		t.Errorf("%d and %d outcomes of %d, or others", len(first), len(rest), len(all))
	}
}

func TestLeftOut(t *testing.T) {
	const file = `{"documents": ["..."], "references": ["A summary."]}
{"documents": ["A text."], "references": ["..."]}
{"documents": [{"text": "A text.", "language": "not a tag"}], "references": ["A summary."]}
{"documents": ["Good text here."], "references": ["A summary."]}
`
	out := gather(t, reader(file), options(Options{}))
	for i, want := range []string{core.ErrNoText.Error(), "empty reference summary", "language", ""} {
		if !strings.Contains(out[i].LeftOut, want) || (want == "") != (out[i].LeftOut == "") {
			t.Errorf("%d: left out %q, want %q", i, out[i].LeftOut, want)
		}
	}
	tally := NewTally(methods("lead", "bs+gs", "oracle"))
	for _, o := range out {
		if err := tally.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	if r := tally.Report(Setting{Resamples: 10}); r.Clusters != 1 || r.LeftOut != 3 || tally.Records() != 4 || tally.LeftOut() != 3 {
		t.Errorf("%+v", r)
	}
	if err := tally.Add(&Outcome{Results: make([]Result, 2)}); !errors.Is(err, ErrOptions) {
		t.Errorf("two results for three methods: %v", err)
	}
}

// TestUseQuery: each cluster has its own query, for the methods that use it.
func TestUseQuery(t *testing.T) {
	const line = `{"documents": ["The river rose on Monday. The mayor closed the old bridge. Nobody was hurt in the flood."], "references": ["A summary."]%s}` + "\n"
	file := fmt.Sprintf(line+line+line, `, "query": "Who closed the bridge?"`, `, "query": "Was anybody hurt?"`, `, "query": " "`)
	list := methods("instant", "instant")
	list[1].Name, list[1].UseQuery = "instant + query", true
	out := gather(t, reader(file), options(Options{Methods: list, Budget: words(8)}))
	if plain := out[0].Summaries[0]; !slices.Equal(plain, out[1].Summaries[0]) {
		t.Errorf("without: %q, %q", plain, out[1].Summaries[0])
	}
	for i, want := range []string{"bridge", "hurt"} {
		if s := out[i].Summaries[1]; !strings.Contains(s[0], want) {
			t.Errorf("%d: got %q, want %s", i, s, want)
		}
	}
	if out[2].LeftOut != "no query" {
		t.Errorf("left out: %q", out[2].LeftOut)
	}
	list = methods("lead")
	list[0].UseQuery = true
	if err := Run(t.Context(), reader(file), options(Options{Methods: list})); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "lead") {
		t.Error(err)
	}
}

func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []*Outcome
	o := options(Options{Workers: 4})
	o.Outcome = func(out *Outcome) error {
		got = append(got, out)
		if len(got) == 5 {
			cancel()
		}
		return nil
	}
	if err := Run(ctx, reader(corpus(2000)), o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if len(got) < 5 || len(got) > 100 {
		t.Errorf("%d outcomes of a cancelled run", len(got))
	}
	for i, out := range got {
		if out.Record != i+1 {
			t.Errorf("outcome %d is of record %d", i, out.Record)
		}
	}

	full := errors.New("disk full")
	o.Outcome = func(*Outcome) error { return full }
	if err := Run(t.Context(), reader(corpus(2000)), o); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	o.Outcome = nil
	broken := errors.New("broken")
	if err := Run(t.Context(), dataset.NewJSONLines(io.MultiReader(strings.NewReader(corpus(5)), failing{broken}), "x"), o); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	o.Methods = methods("lead", "no such")
	if err := Run(t.Context(), reader(corpus(50)), o); !errors.Is(err, core.ErrOption) {
		t.Errorf("%v", err)
	}
	for _, bad := range []Options{{Budget: words(1)}, {Methods: methods("lead")}, {Methods: methods("lead"), Budget: words(-1)}, {Methods: methods("lead"), Budget: words(1), Workers: -1}} {
		if err := Run(t.Context(), reader(""), bad); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestTranslate(t *testing.T) {
	// Both sentences of the second document translate to one of the first's.
	const file = `{"id": "a", "documents": ["The river rose. The bridge closed."], "references": ["O rio subiu. A ponte fechou."]}
{"documents": ["cut
{"id": "b", "documents": ["The river rose. Le fleuve monta."], "references": ["O rio subiu."]}
`
	table := map[string]string{
		"O rio subiu.": "The river rose.", "A ponte fechou.": "The bridge closed.", "Le fleuve monta.": "The river rose.",
	}
	calls := 0
	o := options(Options{Methods: methods("bs+gs")})
	o.Translate = func(_ context.Context, lines []string) ([]string, error) {
		calls++
		sorted := slices.Clone(lines)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(lines) {
			t.Errorf("lines repeat: %q", lines)
		}
		out := slices.Clone(lines)
		for i, l := range lines {
			if s, ok := table[l]; ok {
				out[i] = s
			}
		}
		return out, nil
	}
	out := gather(t, reader(file), o)
	if calls != 1 || len(out) != 3 || out[1].LeftOut == "" {
		t.Fatalf("%d calls, %+v", calls, out)
	}
	if got := out[0]; !slices.Equal(got.References[0], []string{"The river rose.", "The bridge closed."}) || got.Results[0].ROUGE[rouge.ROUGE1].F1 != 1 {
		t.Errorf("%+v", got)
	}
	if got := out[2]; !slices.Equal(got.Summaries[0], []string{"The river rose."}) || got.Results[0].Words != 3 {
		t.Errorf("repetition in translation: %+v", got)
	}
	o.Translate = func(context.Context, []string) ([]string, error) { return nil, nil }
	if err := Run(t.Context(), reader(file), o); err == nil || !strings.Contains(err.Error(), "want 5 translations, got 0") {
		t.Errorf("%v", err)
	}
}

func TestWholeText(t *testing.T) {
	out := gather(t, reader(corpus(3)), options(Options{WholeText: true}))[2:]
	if len(out[0].References[0]) != 1 || len(out[0].Summaries[0]) != 1 || !strings.Contains(out[0].References[0][0], "closed. Boats") {
		t.Errorf("%+v", out[0])
	}
}

func TestLines(t *testing.T) {
	for in, want := range map[string][]string{
		"– First here. Second\nline. Third!\n\n ... Fourth ": {"– First here.", "Second", "line.", "Third!", "... Fourth"},
		"One.": {"One."},
		"–":    {"–"},
		"":     nil,
	} {
		got := Lines(in, "en")
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if strings.Join(got, " ") != text.OneLine(in) {
			t.Errorf("%q: words are lost: %q", in, got)
		}
	}
}

func TestRedundancy(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want float64
	}{
		{nil, 0},
		{[]string{"Alone."}, 0},
		{[]string{"The bridge closed.", "the BRIDGE closed!"}, 1},
		{[]string{"one two", "three four"}, 0},
		// The cosines are 1/2, 0 and 1/2: the highest of each 1/2, 1/2, 1/2.
		{[]string{"a b", "b c", "c d"}, 0.5},
		{[]string{"a a b", "a c", "…"}, 2 * (2 / math.Sqrt(10)) / 3},
	} {
		if got := Redundancy(c.in); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q: %v, want %v", c.in, got, c.want)
		}
	}
}

// report tables a small corpus.
func report(t *testing.T, s Setting) *Report {
	t.Helper()
	tally := NewTally(methods("lead", "bs+gs", "oracle"))
	for _, o := range gather(t, reader(corpus(30)), options(Options{})) {
		if err := tally.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	return tally.Report(s)
}

var setting = Setting{Dataset: "a <corpus>", Encoder: "lexical", Budget: words(20), ROUGE: rouge.Options{Stem: true, LimitWords: 20}, Resamples: 200, Seed: 7}

func TestReport(t *testing.T) {
	r := report(t, setting)
	if r.Clusters != 26 || r.LeftOut != 4 || len(r.Rows) != 3 {
		t.Fatalf("%+v", r)
	}
	// The means are those of the outcomes.
	var recall, words float64
	for _, o := range gather(t, reader(corpus(30)), options(Options{})) {
		if o.LeftOut == "" {
			recall += o.Results[1].ROUGE[rouge.ROUGE2].Recall / 26
			words += float64(o.Results[1].Words) / 26
		}
	}
	row := r.Rows[1]
	if a := row.ROUGE[rouge.ROUGE2].Recall; math.Abs(a.Mean-recall) > 1e-12 || a.Low > a.Mean || a.High < a.Mean || math.Abs(row.Words-words) > 1e-9 {
		t.Errorf("%+v, want recall %v and %v words", row, recall, words)
	}
	if r.Rows[0].P != 1 || row.P < 0 || row.P > 1 {
		t.Errorf("p %v, %v", r.Rows[0].P, row.P)
	}
	if best := r.Best(); r.Rows[best].ROUGE[rouge.ROUGE2].Recall.Mean < recall {
		t.Errorf("best %d", best)
	}
	if again := report(t, setting); !reflect.DeepEqual(r, again) {
		t.Error("the same seed gives another report")
	}
	other := setting
	other.Seed++
	if again := report(t, other); reflect.DeepEqual(r.Rows, again.Rows) {
		t.Error("another seed gives the same intervals")
	}
	if empty := NewTally(methods("lead")).Report(setting); empty.Clusters != 0 || empty.Rows[0].ROUGE[0].Recall.Mean != 0 {
		t.Errorf("%+v", empty)
	}
}

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	if err := report(t, setting).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Method    string
		Clusters  int
		LeftOut   int `json:"left_out"`
		Tokenizer string
		Seconds   *float64
		ROUGE     map[string]map[string]map[string]float64
	}
	if err := json.Unmarshal(b.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[1].Method != "bs+gs" || list[1].Clusters != 26 || list[1].LeftOut != 4 || list[1].Tokenizer != "rouge-1.5.5" || list[1].Seconds != nil {
		t.Errorf("%+v", list)
	}
	for _, name := range rouge.Names {
		for _, k := range []string{"recall", "precision", "f1"} {
			i := list[0].ROUGE[name][k]
			if len(i) != 3 || i["low"] > i["mean"] || i["high"] < i["mean"] {
				t.Errorf("%s %s: %v", name, k, i)
			}
		}
	}
	timed := setting
	timed.Time, timed.ROUGE.Unicode = true, true
	tally := NewTally(methods("lead"))
	if err := tally.Add(&Outcome{Results: []Result{{Seconds: 0.25}}}); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := tally.Report(timed).WriteJSON(&b); err != nil || !strings.Contains(b.String(), `"seconds": 0.25`) || !strings.Contains(b.String(), `"tokenizer": "unicode"`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestWriteTables(t *testing.T) {
	r := report(t, setting)
	var screen, markdown bytes.Buffer
	if err := errors.Join(r.WriteTable(&screen, func(s string) []string { return []string{s} }), r.WriteMarkdown(&markdown)); err != nil {
		t.Fatal(err)
	}
	recall := fmt.Sprintf("%.2f ±", 100*r.Rows[2].ROUGE[rouge.ROUGE2].Recall.Mean)
	for _, s := range []string{screen.String(), markdown.String()} {
		for _, want := range []string{"a <corpus>: 26 clusters, 4 left out; budget 20 words; encoder lexical", "-n 4 -m -2 4 -l 20 -u -c 95 -r 200 -f A -p 0.5 -t 0 -a, tokenizer rouge-1.5.5", "R2-R", "SU4-F", "oracle", recall} {
			if !strings.Contains(s, want) {
				t.Errorf("no %q in\n%s", want, s)
			}
		}
		if strings.Contains(s, "ms/cluster") {
			t.Error("the table has the time, which was not requested")
		}
	}
	lines := strings.Split(strings.TrimSpace(markdown.String()), "\n")
	if len(lines) != 7 || strings.Count(lines[2], "|") != strings.Count(lines[3], "|") || strings.Count(lines[4], "|") != strings.Count(lines[2], "|") {
		t.Errorf("%s", markdown.String())
	}
	r.Time, r.Partial, r.WholeText, r.Translated = true, true, true, true
	screen.Reset()
	if err := r.WriteTable(&screen, func(s string) []string { return []string{s} }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ms/cluster", "interrupted", "each text one line", "in translation"} {
		if !strings.Contains(screen.String(), want) {
			t.Errorf("no %q in\n%s", want, screen.String())
		}
	}
}

func TestWriteSVG(t *testing.T) {
	for _, r := range []*Report{report(t, setting), NewTally(methods("<lead>")).Report(setting)} {
		var b bytes.Buffer
		if err := r.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Errorf("%s", b.String())
		}
		counts := map[string]int{}
		d := xml.NewDecoder(&b)
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				counts[e.Name.Local]++
			}
		}
		if want := 2*len(tabled)*len(r.Rows) + 2; counts["circle"] != want || counts["svg"] != 1 {
			t.Errorf("%v, want %d dots", counts, want)
		}
	}
}

func TestTickStep(t *testing.T) {
	for span, want := range map[float64]float64{0: 0.1, 0.5: 0.1, 0.6: 0.2, 3: 1, 5.1: 2, 24: 5, 100: 20} {
		if got := tickStep(span); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, want %v", span, got, want)
		}
	}
}

func TestGrid(t *testing.T) {
	var axes []Axis
	for _, s := range []string{"n=1,3", "B=1,5", "T=9"} {
		a, err := ParseAxis(s)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, a)
	}
	list, err := Grid(methods("bs", "bs+gs"), axes)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range list {
		names = append(names, m.Name)
	}
	if want := []string{
		"bs n=1 B=1", "bs n=1 B=5", "bs n=3 B=1", "bs n=3 B=5",
		"bs+gs n=1 B=1 T=9", "bs+gs n=1 B=5 T=9", "bs+gs n=3 B=1 T=9", "bs+gs n=3 B=5 T=9",
	}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if o := list[6].Options; o.Method != "bs+gs" || o.N != 3 || o.BeamWidth != 1 || o.Patience != 9 {
		t.Errorf("%+v", o)
	}
	if list, err := Grid(methods("lead"), nil); err != nil || len(list) != 1 {
		t.Errorf("no grid: %v, %v", list, err)
	}
	if _, err := Grid(methods("lead"), axes); !errors.Is(err, ErrOptions) {
		t.Errorf("lead: %v", err)
	}
	if _, err := Grid(methods("bs"), append(axes, axes[0])); !errors.Is(err, ErrOptions) {
		t.Errorf("an axis twice: %v", err)
	}
	for _, bad := range []string{"", "n", "x=1", "n=", "n=0", "n=1,1", "n=a", "n=1,,2", "n=1.5", "W=", "W=2", "W=-0.1", "W=NaN", "W=0.5,0.5"} {
		if _, err := ParseAxis(bad); !errors.Is(err, ErrOptions) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	// What the grid searches are methods that there are.
	for _, name := range []string{"mean", "hybrid", "position", "bs", "bs+gs", "oracle"} {
		if !has(name, "n") || !has(name, "B") || has(name, "T") != (name != "bs") {
			t.Errorf("%s: wrong axes", name)
		}
		s, err := core.Open(t.Context(), []core.Document{{Language: "en", Text: "A text."}}, core.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Embed(core.Embeddings{Data: []float32{1}, Dimensions: 1}); err != nil {
			t.Fatal(err)
		}
		o := core.Options{Method: name, References: []string{"Text."}, ReferenceEmbeddings: []float32{1}}
		if _, err := s.Summarize(t.Context(), o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
