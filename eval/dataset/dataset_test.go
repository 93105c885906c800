package dataset

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// readAll reads a corpus to its end: the clusters, and what was wrong with the
// other records.
func readAll(t *testing.T, r Reader) (clusters []*Cluster, bad []*Error) {
	t.Helper()
	for {
		c, err := r.Next()
		var record *Error
		switch {
		case errors.Is(err, io.EOF):
			if _, err := r.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v", err)
			}
			return clusters, bad
		case errors.As(err, &record):
			bad = append(bad, record)
		case err != nil:
			t.Fatal(err)
		default:
			clusters = append(clusters, c)
		}
	}
}

// show writes a cluster on one line.
func show(c *Cluster) string {
	var b strings.Builder
	b.WriteString(c.ID)
	for _, d := range c.Documents {
		b.WriteString(" | ")
		for _, s := range []string{d.Source, d.Title, d.Language} {
			if s != "" {
				b.WriteString("[" + s + "]")
			}
		}
		b.WriteString(strings.ReplaceAll(d.Text, "\n", "/"))
	}
	if c.Query != "" {
		b.WriteString(" ? " + c.Query)
	}
	for _, r := range c.References {
		b.WriteString(" => " + strings.ReplaceAll(r, "\n", "/"))
	}
	return b.String()
}

// check compares a corpus with what it must give, cluster by cluster and error
// by error.
func check(t *testing.T, r Reader, want, wantBad []string) {
	t.Helper()
	clusters, bad := readAll(t, r)
	var got, gotBad []string
	for _, c := range clusters {
		got = append(got, show(c))
	}
	for _, e := range bad {
		gotBad = append(gotBad, e.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("clusters:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	if len(gotBad) != len(wantBad) {
		t.Fatalf("errors:\n  %s\nwant %d", strings.Join(gotBad, "\n  "), len(wantBad))
	}
	for i, w := range wantBad {
		if !strings.Contains(gotBad[i], w) {
			t.Errorf("error %q, want %q", gotBad[i], w)
		}
	}
}

func TestJSONLines(t *testing.T) {
	const file = "\ufeff" + `{"id": "storm", "documents": ["A storm came.", {"text": "It left.", "title": "T", "source": "b.txt", "language": "en"}], "references": ["Storm."], "keep": [0]}` + "\r\n" +
		"\n" +
		`{"id": 7, "documents": ["", "Alone.", " "], "references": [["One.", "Two."], "Three."], "query": "How many?"}
{"documents": ["a", 3], "references": ["r"]}
{"documents": [{"title": "no text"}], "references": ["r"]}
{"documents": ["a"], "references": []}
{"documents": ["a"]}
{"documents": ["a"], "references": ["r", " "]}
{"documents": [" ", ""], "references": ["r"]}
{"documents": ["caf` + "\xe9" + `"], "references": ["r"]}
["a"]
{"documents": "a", "references": ["r"]}
{"id": true, "documents": ["a"], "references": ["r"]}
{"documents": ["a"], "references": [["r", null]]}
{"documents": ["a" "b"], "references": ["r"]}
{"documents": ["good"], "references": ["again"], "query": null}
{"documents": ["a"], "references": ["r"], "query": ["q"]}
{"documents": ["cut off in the mid`
	check(t, NewJSONLines(strings.NewReader(file), "x.jsonl"), []string{
		"storm | [document 1]A storm came. | [b.txt][T][en]It left. => Storm.",
		"7 | [document 2]Alone. ? How many? => One./Two. => Three.",
		"16 | [document 1]good => again",
	}, []string{
		"x.jsonl:4: documents[1]: want a string, got a number",
		"x.jsonl:5: documents[0].text: want a string, got nothing",
		"x.jsonl:6: references: no reference summary",
		"x.jsonl:7: references: want an array, got nothing",
		"x.jsonl:8: references[1]: empty reference summary",
		"x.jsonl:9: documents: no document with text",
		"x.jsonl:10: not UTF-8: byte 20 is 0xe9",
		"x.jsonl:11: want a JSON object, got an array",
		"x.jsonl:12: documents: want an array, got a string",
		"x.jsonl:13: id: want a string or a number, got true or false",
		"x.jsonl:14: references[0][1]: want a string, got null",
		"x.jsonl:15: invalid JSON at byte 20",
		"x.jsonl:17: query: want a string, got an array",
		"x.jsonl:18: truncated JSON at byte 34",
	})
}

func TestJSONErrorsAreTold(t *testing.T) {
	r := NewJSONLines(strings.NewReader(`{"documents": ["a"], "references": []}`), "x")
	_, err := r.Next()
	var record *Error
	if !errors.As(err, &record) || record.Line != 1 || record.Field != "references" || !errors.Is(err, ErrNoReferences) {
		t.Errorf("%#v", err)
	}
}

func TestLongLine(t *testing.T) {
	r := NewJSONLines(strings.NewReader("{"+strings.Repeat(" ", 200_000)+"}\n"+`{"documents": ["a"], "references": ["r"]}`), "x")
	r.lines.max = 100_000
	check(t, r, []string{"2 | [document 1]a => r"}, []string{"x:1: too long"})
}

func TestBrokenStream(t *testing.T) {
	broken := errors.New("broken")
	r := NewJSONLines(io.MultiReader(strings.NewReader(`{"docu`), failing{broken}), "x")
	_, err := r.Next()
	var record *Error
	if !errors.Is(err, broken) || errors.As(err, &record) || !strings.HasPrefix(err.Error(), "x: ") {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestMultiNews(t *testing.T) {
	const src = "First text. NEWLINE_CHAR More. ||||| Second. |||||\n" +
		"Old story_separator_special_tag form.\n" +
		" ||||| \n" +
		"Latin\xff.\n" +
		"No summary.\n" +
		"Behind the end.\n"
	const tgt = "– A summary.\nTwo. NEWLINE_CHAR Lines.\nThree.\nFour.\n\n"
	check(t, NewMultiNews(strings.NewReader(src), strings.NewReader(tgt), "a.src", "a.tgt"), []string{
		"1 | [document 1]First text. / More. | [document 2]Second. => – A summary.",
		"2 | [document 1]Old | [document 2]form. => Two. / Lines.",
	}, []string{
		"a.src:3: no document with text",
		"a.src:4: not UTF-8: byte 6 is 0xff",
		"a.tgt:5: empty reference summary",
		"a.src:6: no reference summary: a.tgt ends before this line",
	})
	check(t, NewMultiNews(strings.NewReader("a\n"), strings.NewReader("b\nc"), "a.src", "a.tgt"),
		[]string{"1 | [document 1]a => b"}, []string{"a.tgt:2: no document with text: a.src ends before this line"})
}

func TestMultiNewsJSON(t *testing.T) {
	const file = `{"document": "One. ||||| Two.", "summary": "S."}
{"document": ["One.", "Two."], "summary": "S.", "id": "x"}
{"document": ["One.", 2], "summary": "S."}
{"document": "One.", "summary": ""}
{"summary": "S."}
{"document": "One."`
	check(t, NewMultiNewsJSON(strings.NewReader(file), "m.jsonl"), []string{
		"1 | [document 1]One. | [document 2]Two. => S.",
		"x | [document 1]One. | [document 2]Two. => S.",
	}, []string{
		"m.jsonl:3: document[1]: want a string, got a number",
		"m.jsonl:4: summary: empty reference summary",
		"m.jsonl:5: document: want a string, got nothing",
		"m.jsonl:6: truncated",
	})
}

func TestWCEP(t *testing.T) {
	articles := strings.Repeat(`{"title": "T", "text": "A.", "url": "u", "time": "2020"},`, 11)
	file := `{"id": 5, "date": "2020-01-01", "summary": "S.", "articles": [{"text": ""},` + strings.TrimSuffix(articles, ",") + `]}
{"summary": "S.", "articles": [{"title": "T"}]}
{"summary": "S.", "articles": []}
{"articles": [{"text": "A."}]}
`
	clusters, bad := readAll(t, NewWCEP(strings.NewReader(file), "w.jsonl"))
	if len(clusters) != 1 || len(clusters[0].Documents) != WCEPDocuments || clusters[0].ID != "5" || clusters[0].Documents[9].Title != "T" || clusters[0].Documents[0].Source != "u" {
		t.Errorf("%d clusters, %+v", len(clusters), clusters)
	}
	var got []string
	for _, e := range bad {
		got = append(got, e.Error())
	}
	if want := []string{
		"w.jsonl:2: articles[0].text: want a string, got nothing",
		"w.jsonl:3: articles: no document with text",
		"w.jsonl:4: summary: want a string, got nothing",
	}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// files makes a file system of names and contents.
func files(list ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(list); i += 2 {
		m[list[i]] = &fstest.MapFile{Data: []byte(list[i+1])}
	}
	return m
}

const (
	ducDocument = `<DOC>
<DOCNO> APW19981001.0001 </DOCNO>
<DOCTYPE> NEWS </DOCTYPE>
<HEADLINE>
Rivers rise &amp; fall
</HEADLINE>
<TEXT>
 &UR;    The river rose on Monday,
said AT&amp;T. <ANNOTATION> (STORY CAN END HERE) </ANNOTATION>
	It is 3 < 4 metres.

Nobody was hurt.
</TEXT>
</DOC>
`
	tacDocument = `<?xml version="1.0"?>
<DOC id="XIN_ENG_20041001.0001" type="story" >
<HEADLINE>
Bridge closed
</HEADLINE>
<DATELINE> NOWHERE, Oct. 1 (Xinhua) </DATELINE>
<TEXT>
<P>
The bridge was closed
on Friday.
</P>
<P>It opens soon.</P>
</TEXT>
</DOC>
`
)

func duc() fstest.MapFS {
	return files(
		"data/docs/d30001t/APW19981001.0001", ducDocument,
		"data/docs/d30001t/.DS_Store", "\x00\xff",
		"data/docs/d30002t/NYT1", "<DOC><DOCNO>NYT1</DOCNO><TEXT><P>One.<P>Two.</TEXT></DOC>",
		"data/docs/d30003t/cut", "<DOC><DOCNO>cut</DOCNO><TEXT>One.",
		"data/docs/d30004t/none", "<DOC><DOCNO>none</DOCNO></DOC>",
		"data/docs/d30005t/latin", "caf\xe9",
		"data/docs/d30006t/alone", "No model.",
		"data/docs/d31001t/arabic", "Of task 4.",
		"results/models/2/D30001.M.100.T.B", "Second line one.\nLine two.\n",
		"results/models/2/D30001.M.100.T.A", `<html><body><a name="1">[1]</a> <a href="#1" id=1>The river &amp; its rise.</a>`+"\n"+`<a name="2">[2]</a> <a href="#2" id=2>No one hurt.</a></body></html>`,
		"results/other/D30001.M.100.T.A", "A copy.",
		"results/models/1/D30001.M.10.T.A.APW19981001.0001", "Task 1.",
		"results/models/2/D30002.M.100.T.A", "Model.",
		"results/models/2/D30003.M.100.T.A", "Model.",
		"results/models/2/D30004.M.100.T.A", "Model.",
		"results/models/2/D30005.M.100.T.A", "Model.",
		"results/models/2/D30007.M.100.T.A", "No documents.",
		"results/peers/2/D30001.P.100.T.102", "A peer.",
	)
}

func TestDUC2004(t *testing.T) {
	r, err := NewDUC2004(duc(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if r.Len() != 7 {
		t.Errorf("%d clusters", r.Len())
	}
	check(t, r, []string{
		"d30001t | [APW19981001.0001][Rivers rise & fall]The river rose on Monday, said AT&T./It is 3 < 4 metres./Nobody was hurt. => The river & its rise./No one hurt. => Second line one./Line two.",
		"d30002t | [NYT1]One./Two. => Model.",
	}, []string{
		"results/models/2/D30007.M.100.T.A: cluster 30007: no document with text",
		"data/docs/d30003t/cut: truncated: <DOC> without </DOC>",
		"data/docs/d30004t/none: DOC: no document with text: no <TEXT> with </TEXT>",
		"data/docs/d30005t/latin: not UTF-8: byte 4 is 0xe9",
		"data/docs/d30006t: cluster d30006t: no reference summary",
	})
}

func TestTAC2008(t *testing.T) {
	r, err := NewTAC2008(files(
		"docs/D0801A/D0801A-A/XIN_ENG_20041001.0001", tacDocument,
		"docs/D0801A/D0801A-B/XIN_ENG_20041101.0001", tacDocument,
		"models/D0801-A.M.100.A.C", "C wrote this.\n",
		"models/D0801-A.M.100.A.A", "A wrote this.\n",
		"models/D0801-B.M.100.A.A", "An update.\n",
		"models/D0802-A.M.100.A.A", " \n",
		"docs/D0802A/D0802A-A/two", tacDocument+strings.ReplaceAll(tacDocument, "0001", "0002"),
		"docs/D0803B/D0803B-A/cut", tacDocument+"<DOC id='x'>",
		"models/D0803-A.M.100.B.A", "A wrote this.\n",
	), ".")
	if err != nil {
		t.Fatal(err)
	}
	check(t, r, []string{
		"D0801A-A | [XIN_ENG_20041001.0001][Bridge closed]The bridge was closed on Friday./It opens soon. => A wrote this. => C wrote this.",
	}, []string{
		"models/D0802-A.M.100.A.A: empty reference summary",
		"docs/D0803B/D0803B-A/cut: DOC[1]: truncated: <DOC> without </DOC>",
	})
}

func TestPlain(t *testing.T) {
	r, err := NewPlain(files(
		"x/docs/d1/b.txt", "B.\n",
		"x/docs/d1/a.txt", "A.\n",
		"x/docs/D2/c", tacDocument,
		"x/reference/Taskd1_reference10.txt", "Ten.",
		"x/reference/Taskd1_reference2.txt", "Two.",
		"x/reference/TaskD2_reference1.txt", "One.",
		"x/readme.txt", "not a document",
	), ".")
	if err != nil {
		t.Fatal(err)
	}
	check(t, r, []string{
		"D2 | [XIN_ENG_20041001.0001][Bridge closed]The bridge was closed on Friday./It opens soon. => One.",
		"d1 | [a.txt]A. | [b.txt]B. => Two. => Ten.",
	}, nil)
	if _, err := NewPlain(files("docs/a/b", "A."), "."); !errors.Is(err, ErrLayout) {
		t.Errorf("no references: %v", err)
	}
}

// pair makes a line of CrossSum.
func pair(source, target, text, summary string) string {
	return `{"source_url": "` + source + `", "target_url": "` + target + `", "text": "` + text + `", "summary": "` + summary + `"}` + "\n"
}

func crossSum() fstest.MapFS {
	long := strings.TrimSpace(strings.Repeat("word ", 95)) + "."
	return files(
		// en/1 – es/1 – fr/1 hang together through es/1; en/2 is paired with
		// itself alone; en/3 – es/3 have a sentence too long; en/4 – es/4 lack
		// one direction.
		"data/english-spanish_test.jsonl", pair("en/1", "es/1", "Text en 1.", "Uno es. Dos es. Tres es.")+
			pair("en/3", "es/3", "Text en 3.", "Seis palabras de otra lengua aquí. Ya.")+
			pair("en/4", "es/4", "Text en 4.", "Sin la otra.")+
			"{\"source_url\": \n"+pair("en/5", "", "a", "b"),
		"data/spanish-english_test.jsonl", pair("es/1", "en/1", "Text es 1.", "One en. Two en.")+
			pair("es/3", "en/3", "Text es 3.", long+" Short end."),
		"data/spanish-french_test.jsonl", pair("es/1", "fr/1", "Text es 1 again.", "Un fr."),
		"data/french-spanish_test.jsonl", pair("fr/1", "es/1", "Text fr 1.", "Uno es. Dos es. Tres es."),
		"data/english-english_test.jsonl", pair("en/2", "en/2", "Text en 2.", "Alone."),
		"data/english-russian_test.jsonl", pair("en/1", "ru/1", "Text en 1.", "По-русски."),
		"data/english-spanish_train.jsonl", pair("en/9", "es/9", "Text.", "S."),
	)
}

func TestCrossSum(t *testing.T) {
	r, closer, err := Open(crossSum(), ".", OpenOptions{Languages: []string{"en", "es", "fr"}})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.TrimSpace(strings.Repeat("word ", 95)) + "."
	check(t, r, []string{
		"1 | [en/1][en]Text en 1. | [es/1][es]Text es 1. | [fr/1][fr]Text fr 1. => One en./Uno es./Un fr./Two en./Dos es./Tres es.",
		// 95 words, then 6 that would pass 100 are skipped, then 2 and 1 enter.
		"2 | [en/3][en]Text en 3. | [es/3][es]Text es 3. => " + long + "/Short end./Ya.",
	}, []string{
		"data/english-spanish_test.jsonl:4: truncated",
		"data/english-spanish_test.jsonl:5: target_url: incomplete pair: empty",
		"cluster 3: en/4: no reference summary: no pair has this document as its target",
	})
	if err := closer.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := Open(crossSum(), ".", OpenOptions{Languages: []string{"pt"}}); !errors.Is(err, ErrLayout) {
		t.Errorf("no language: %v", err)
	}
}

func TestInterleave(t *testing.T) {
	for _, c := range []struct {
		in    [][]string
		limit int
		want  string
	}{
		{[][]string{{"a b", "c"}, {"d"}, {"e f", "g", "h"}}, 100, "a b|d|e f|c|g|h"},
		{[][]string{{"a b c", "d"}, {"e f g"}}, 5, "a b c|d"},
		{[][]string{{"a b c d e"}, {"f"}}, 5, "a b c d e"},
		{nil, 5, ""},
	} {
		if got := strings.Join(interleave(c.in, c.limit), "|"); got != c.want {
			t.Errorf("%v within %d: %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	const file = `{"documents": ["One here. Two here.", "Three here."], "references": ["Four words are here."]}
{"documents": ["Un. Deux. Trois. Quatre. Cinq."], "references": ["Two words.", "Six words stand in this one."]}
{}
`
	var bad []*Error
	s, err := Measure(t.Context(), NewJSONLines(strings.NewReader(file), "x"), "fr", func(e *Error) { bad = append(bad, e) })
	if err != nil {
		t.Fatal(err)
	}
	// Sentences 2, 1, 5: mean 8/3, variance (4/9+25/9+49/9)/3 = 26/9. Words
	// 4, 2, 6: mean 4, variance 8/3.
	const want = 1.6996731711975948
	if s.Clusters != 2 || s.LeftOut != 1 || len(bad) != 1 || s.MinDocuments != 1 || s.MaxDocuments != 2 ||
		abs(s.Sentences.Mean-8.0/3) > 1e-12 || abs(s.Sentences.SD-want) > 1e-12 || s.Words.Mean != 4 || abs(s.Words.SD-1.632993161855452) > 1e-12 {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(s.Languages, []string{"fr"}) {
		t.Errorf("languages %v", s.Languages)
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestDetect(t *testing.T) {
	fsys := files(
		"a.jsonl", `{"id": "x", "documents": []`,
		"m.json", `{"summary": "s", "document": "d"}`,
		"w.jsonl", "\ufeff"+`{"summary": "s", "articles": []}`,
		"train.src.cleaned", "a", "train.tgt.cleaned", "b",
		"val.src", "a", "val.tgt", "b",
		"empty.jsonl", "",
		"other.jsonl", `{"a": {"documents": 1}}`,
		"text.txt", "hello",
		"pairs.jsonl", `{"source_url": "a"}`,
		"nothing/readme", "x",
		"plain/docs/a/b", "x", "plain/reference/Taska_reference1.txt", "x",
	)
	for name, f := range map[string]fs.FS{"duc": duc(), "cross": crossSum()} {
		for p, file := range f.(fstest.MapFS) {
			fsys[name+"/"+p] = file
		}
	}
	fsys["tac/models/D0801-A.M.100.A.A"] = &fstest.MapFile{}
	for name, want := range map[string]Layout{
		"a.jsonl": JSONLines, "m.json": MultiNewsJSON, "w.jsonl": WCEP10, "train.src.cleaned": MultiNewsText, "val.src": MultiNewsText,
		"empty.jsonl": JSONLines, "other.jsonl": "", "text.txt": "", "pairs.jsonl": "", "nothing": "", "missing": "",
		"plain": Plain, "duc": DUC2004, "cross": CrossSumPairs, "tac": TAC2008, "cross/data/english-spanish_test.jsonl": CrossSumPairs,
	} {
		got, err := Detect(fsys, name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
		if want == "" && name != "missing" && !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"train.src.cleaned", "val.src"} {
		r, c, err := Open(fsys, name, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, r, []string{"1 | [document 1]a => b"}, nil)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := Open(fsys, "a.jsonl", OpenOptions{Layout: "odd"}); !errors.Is(err, ErrLayout) {
		t.Errorf("%v", err)
	}
}
