package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/text"
	"github.com/cerasum/cerasum/internal/wire"
)

// chosen is an answer of select.
type chosen struct {
	Selected [][2]int `json:"selected"`
	Score    float64  `json:"score"`
}

// checkReference runs the lines of r through select and compares each choice,
// as a set, with the line's own.
func checkReference(t *testing.T, r io.Reader) int {
	t.Helper()
	var wants [][][2]int
	var lines strings.Builder
	in := bufio.NewScanner(r)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c chosen
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		wants = append(wants, c.Selected)
		// The full reference set has the names of the paper's program.
		line := strings.Replace(in.Text(), `"candidates":`, `"patience":`, 1)
		lines.WriteString(line + "\n")
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	a := cli(t, strings.NewReader(lines.String()), "select").want(t, exitOK)
	out := strings.Split(strings.TrimSuffix(a.stdout, "\n"), "\n")
	if len(out) != len(wants) {
		t.Fatalf("%d answers to %d lines", len(out), len(wants))
	}
	for i, line := range out {
		var got chosen
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(wants[i], func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		if !slices.Equal(got.Selected, wants[i]) {
			t.Errorf("line %d: selected %v, the reference %v", i+1, got.Selected, wants[i])
		}
	}
	return len(out)
}

func TestSelectCases(t *testing.T) {
	if n := checkReference(t, reference.Case(t, "testdata/select.jsonl")); n == 0 {
		t.Error("no cases")
	}
}

func TestSelectAllReferenceCases(t *testing.T) {
	if n := checkReference(t, reference.Open(t, "reference/selection.jsonl.gz")); n != 238 {
		t.Errorf("%d cases, want 238", n)
	}
}

const goodLine = `{"documents":[["One two.","Three four."],["Five six."]],"embeddings":[[[1,0],[0,1]],[[1,1]]],"centroid":[1,0.5],"params":{"budget_words":2}}`

func TestSelectBadLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{`, "invalid JSON"},
		{`[]`, "want an object, got an array"},
		{`null`, "want an object, got null"},
		{goodLine + `{}`, "trailing data"},
		{`{"documents":[],"embeddings":[]}`, "centroid: missing"},
		{`{"embeddings":[],"centroid":[1]}`, "documents: missing"},
		{`{"documents":[],"centroid":[1]}`, "embeddings: missing"},
		{`{"documents":[],"embeddings":[],"centroid":[]}`, "centroid: no dimensions"},
		{strings.Replace(goodLine, `"centroid"`, `"Centroid"`, 1), "Centroid: unknown field"},
		{strings.Replace(goodLine, `"params"`, `"documents"`, 1), "documents: duplicate field"},
		{strings.Replace(goodLine, `budget_words`, `budget`, 1), "params.budget: unknown field"},
		{strings.Replace(goodLine, `"budget_words":2`, `"budget_words":0`, 1), "params.budget_words: bad selection parameter: budget is 0"},
		{strings.Replace(goodLine, `"budget_words":2`, `"budget_words":2.5`, 1), "params.budget_words: want an integer, got 2.5"},
		{strings.Replace(goodLine, `"budget_words":2`, `"budget_words":1e300`, 1), "params.budget_words: want an integer"},
		{strings.Replace(goodLine, `"budget_words":2`, `"budget_words":null`, 1), "params.budget_words: want a number, got null"},
		{strings.Replace(goodLine, `"budget_words":2`, `"beam_width":0`, 1), "beam_width is 0"},
		{strings.Replace(goodLine, `"budget_words":2`, `"n":-1`, 1), "n is -1"},
		{strings.Replace(goodLine, `"budget_words":2`, `"patience":-1`, 1), "patience is -1"},
		{strings.Replace(goodLine, `"budget_words":2`, `"preselect":"n_last"`, 1), `preselect "n_last"`},
		{strings.Replace(goodLine, `"budget_words":2`, `"distinct":1`, 1), "params.distinct: want true or false, got a number"},
		{strings.Replace(goodLine, `"budget_words":2`, `"length_exponent":"x"`, 1), "params.length_exponent: want a number, got a string"},
		{strings.Replace(goodLine, `[1,0.5]`, `[1,0.5,2]`, 1), "embeddings[0][0]: want 3 dimensions, as the centroid has, got 2"},
		{strings.Replace(goodLine, `[1,0.5]`, `[1,NaN]`, 1), "invalid JSON"},
		{strings.Replace(goodLine, `[1,0.5]`, `[1,null]`, 1), "centroid[1]: want a number, got null"},
		{strings.Replace(goodLine, `[0,1]]`, `[0,null]]`, 1), "embeddings[0][1][1]: want a number, got null"},
		{strings.Replace(goodLine, `[0,1]]`, `[0,1e999]]`, 1), "embeddings[0][1][1]: want a number, got 1e999"},
		{strings.Replace(goodLine, `[0,1]]`, `[0,"1"]]`, 1), "embeddings[0][1][1]: want a number, got a string"},
		{strings.Replace(goodLine, `[0,1]]`, `null]`, 1), "embeddings[0][1]: want an array, got null"},
		{strings.Replace(goodLine, `[0,1]]`, `[0]]`, 1), "embeddings[0][1]: want 2 dimensions"},
		{strings.Replace(goodLine, `,[0,1]]`, `]`, 1), "embeddings[0]: want 2 rows, one for each sentence, got 1"},
		{strings.Replace(goodLine, `,[[1,1]]]`, `]`, 1), "embeddings: want embeddings of 2 documents, got 1"},
		{strings.Replace(goodLine, `"Three four."`, `3`, 1), "documents[0][1]: want a string, got a number"},
		{strings.Replace(goodLine, `["Five six."]`, `"Five six."`, 1), "documents[1]: want an array, got a string"},
		{strings.Replace(goodLine, `[1,0]`, `[1e308,1e308]`, 1), ""},
		{strings.Replace(goodLine, `Five`, "F\xefve", 1), "invalid UTF-8"},
	} {
		t.Run(c.want, func(t *testing.T) {
			// The bad line stands between two good ones, which must not suffer.
			a := cli(t, strings.NewReader(goodLine+"\n"+c.line+"\n"+goodLine), "select")
			out := strings.Split(strings.TrimSpace(a.stdout), "\n")
			if c.want == "" {
				// Either an answer or a clear error: never a broken line.
				for _, line := range out {
					var got chosen
					if err := json.Unmarshal([]byte(line), &got); err != nil {
						t.Error(err)
					}
				}
				return
			}
			a.want(t, exitFailed, "cerasum: standard input:2: ", c.want)
			if len(out) != 2 || out[0] != out[1] || !strings.HasPrefix(out[0], `{"selected":[[1,0]],"score":0.9486`) {
				t.Errorf("the good lines gave %q", out)
			}
		})
	}
}

func TestSelectDefaults(t *testing.T) {
	// Without params: 230 words, so that all fits.
	line := strings.Replace(goodLine, `,"params":{"budget_words":2}`, "", 1)
	if a := cli(t, strings.NewReader(line), "select").want(t, exitOK); !strings.HasPrefix(a.stdout, `{"selected":[[0,0],[0,1],[1,0]]`) {
		t.Errorf("%s", a.stdout)
	}
	// Nothing to choose from is an empty choice, not null.
	a := cli(t, strings.NewReader(`{"documents":[],"embeddings":[],"centroid":[1]}`+"\n"+`{"documents":[["..."]],"embeddings":[[[1]]],"centroid":[1]}`), "select").want(t, exitOK)
	if want := `{"selected":[],"score":0}` + "\n"; a.stdout != want+want {
		t.Errorf("%q", a.stdout)
	}
	// Wordless sentences keep their place in the count.
	a = cli(t, strings.NewReader(`{"documents":[["...","One."]],"embeddings":[[[1],[1]]],"centroid":[1]}`), "select").want(t, exitOK)
	if want := `{"selected":[[0,1]],"score":1}` + "\n"; a.stdout != want {
		t.Errorf("%q", a.stdout)
	}
	if a := cli(t, strings.NewReader(""), "select").want(t, exitOK); a.stdout != "" {
		t.Errorf("%q", a.stdout)
	}
}

func TestSelectLongLine(t *testing.T) {
	// A line of several MB, beyond what a Scanner takes.
	long := `{"documents":[["` + strings.Repeat("word ", 1_000_000) + `","Short one."]],"embeddings":[[[1],[1]]],"centroid":[1]}`
	a := cli(t, strings.NewReader(long+"\r\n\n"+goodLine+"\n"), "select").want(t, exitOK)
	if !strings.HasPrefix(a.stdout, `{"selected":[[0,1]],"score":1}`+"\n"+`{"selected":[[1,0]]`) {
		t.Errorf("%.200q", a.stdout)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	cli(t, strings.NewReader(goodLine), "select", "-o", out).want(t, exitOK)
	if b, err := os.ReadFile(out); err != nil || !strings.HasPrefix(string(b), `{"selected":[[1,0]]`) {
		t.Errorf("%q, %v", b, err)
	}
}

// FuzzSelect: any line gives an error or a valid choice within the budget.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(goodLine))
	f.Add([]byte(`{"documents":[["a","a"],[]],"embeddings":[[[0],[1]],[]],"centroid":[-1],"params":{"preselect":"all","beam_width":1,"patience":0,"length_exponent":0.5,"distinct":true}}`))
	f.Add([]byte(`{"documents":[["a b c"]],"embeddings":[[[1e200,-1e200]]],"centroid":[1e200,1],"params":{"budget_words":1}}`))
	f.Add([]byte(`{"documents":[[]],"embeddings":[[]],"centroid":[0]}`))
	f.Add([]byte(`{"documents":[["x"]],"embeddings":[[[null]]],"centroid":[1],"params":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		// The beam width is the user's to choose, and so is the time it takes.
		if problem, params, err := wire.Parse(line, &wire.Methods[0]); err != nil || params.BeamWidth > 64 || len(problem.Refs) > 64 {
			return
		}
		answer, err := wire.Answer(t.Context(), &wire.Methods[0], line)
		if err != nil {
			return
		}
		var got chosen
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("%v in %s", err, answer)
		}
		problem, params, err := wire.Parse(line, &wire.Methods[0])
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for _, s := range got.Selected {
			i := slices.IndexFunc(problem.Refs, func(r cluster.Ref) bool { return [2]int{r.Document, r.Sentence} == s })
			if i < 0 {
				t.Fatalf("%v is no sentence", s)
			}
			words += text.CountWords(problem.Texts[i])
		}
		if words > params.Budget && len(got.Selected) > 1 {
			t.Fatalf("%d words in %d sentences, the budget is %d", words, len(got.Selected), params.Budget)
		}
	})
}
