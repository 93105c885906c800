package main

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/wire"
)

// checkLamsiyah runs the lines of r through select and compares each choice, in
// order, with the line's own: once as they are, the budget beside the
// documents, and once with the budget in params.
func checkLamsiyah(t *testing.T, r io.Reader) int {
	t.Helper()
	var wants [][][2]int
	var beside, inside strings.Builder
	in := bufio.NewScanner(r)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c map[string]json.RawMessage
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		var want [][2]int
		if err := json.Unmarshal(c["selected"], &want); err != nil {
			t.Fatal(err)
		}
		wants = append(wants, want)
		beside.Write(append(in.Bytes(), '\n'))
		c["params"] = json.RawMessage(`{"budget_words":` + string(c["budget_words"]) + `}`)
		delete(c, "budget_words")
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		inside.Write(append(line, '\n'))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	for _, lines := range []string{beside.String(), inside.String()} {
		a := cli(t, strings.NewReader(lines), "select", "--method", "lamsiyah").want(t, exitOK)
		out := strings.Split(strings.TrimSuffix(a.stdout, "\n"), "\n")
		if len(out) != len(wants) {
			t.Fatalf("%d answers to %d lines", len(out), len(wants))
		}
		for i, line := range out {
			var got chosen
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Selected, wants[i]) {
				t.Errorf("line %d: selected %v, the reference, in order, %v", i+1, got.Selected, wants[i])
			}
		}
	}
	return len(wants)
}

func TestSelectLamsiyahCases(t *testing.T) {
	if n := checkLamsiyah(t, reference.Case(t, "testdata/lamsiyah.jsonl")); n != 3 {
		t.Errorf("%d cases, want 3", n)
	}
}

func TestSelectAllLamsiyahCases(t *testing.T) {
	if n := checkLamsiyah(t, reference.Open(t, "reference/lamsiyah.jsonl.gz")); n != 80 {
		t.Errorf("%d cases, want 80", n)
	}
}

// methodLine has three documents: of each two sentences of three words, the
// first ones much the same.
const methodLine = `{"documents":[["The dam held.","Bread was cheap."],["The dams held.","Rain fell on."],["Dam held firm.","..."]],` +
	`"embeddings":[[[4,1],[0,1]],[[4.1,1],[1,1]],[[4,1.2],[0,0]]],"budget_words":6}`

func TestSelectMethods(t *testing.T) {
	for method, want := range map[string]string{
		"gholipour": `{"selected":[[2,0],[1,1]],`,
		"lamsiyah":  `{"selected":[[2,0],[0,0]],`,
		"rossiello": `{"selected":[[2,0],[1,1]],`,
		"radev":     `{"selected":[[2,0],[0,0]],`,
		"mmr":       `{"selected":[[2,0],[0,0]],`,
		"lexrank":   `{"selected":[[1,1],[2,0]],`,
		"textrank":  `{"selected":[[0,0],[1,0]],`,
		"lead":      `{"selected":[[0,0],[1,0]],`,
	} {
		a := cli(t, strings.NewReader(methodLine), "select", "-m", method).want(t, exitOK)
		if !strings.HasPrefix(a.stdout, want) {
			t.Errorf("%s: got %s, want %s…", method, a.stdout, want)
		}
		// A centroid in the input is not looked at.
		with := strings.Replace(methodLine, `"budget_words"`, `"centroid":[-1,0,7],"budget_words"`, 1)
		if b := cli(t, strings.NewReader(with), "select", "-m", method).want(t, exitOK); b.stdout != a.stdout {
			t.Errorf("%s: %s with a centroid, %s without", method, b.stdout, a.stdout)
		}
	}
	// The greedy search of bs+gs fills up with the short sentence.
	line := `{"documents":[["One two three.","Four five six.","Seven."]],"embeddings":[[[1,0],[0.9,0.1],[0,1]]],"centroid":[1,0],"budget_words":5}`
	for method, want := range map[string]string{"bs": `{"selected":[[0,0]],"score":1}`, "bs+gs": `{"selected":[[0,0],[0,2]],`} {
		if a := cli(t, strings.NewReader(line), "select", "-m", method).want(t, exitOK); !strings.HasPrefix(a.stdout, want) {
			t.Errorf("%s: got %s, want %s…", method, a.stdout, want)
		}
		cli(t, strings.NewReader(methodLine), "select", "-m", method).want(t, exitFailed, ":1: centroid: missing")
	}
}

func TestSelectWithoutEmbeddings(t *testing.T) {
	line := `{"documents":[["The dam held.","Bread was cheap."],["The dam of Varn held.","Rain."]],"budget_words":9}`
	for method, want := range map[string]string{
		"lead":     `{"selected":[[0,0],[1,0],[1,1]],"score":0}`,
		"textrank": `{"selected":[[0,0],[1,0],[1,1]],"score":0}`,
	} {
		if a := cli(t, strings.NewReader(line), "select", "-m", method).want(t, exitOK); a.stdout != want+"\n" {
			t.Errorf("%s: got %s, want %s", method, a.stdout, want)
		}
	}
	cli(t, strings.NewReader(line), "select", "-m", "radev").want(t, exitFailed, ":1: embeddings: missing")
	// With embeddings lead has a score.
	if a := cli(t, strings.NewReader(`{"documents":[["One."]],"embeddings":[[[2]]]}`), "select", "-m", "lead").want(t, exitOK); a.stdout != `{"selected":[[0,0]],"score":1}`+"\n" {
		t.Errorf("%s", a.stdout)
	}
}

func TestSelectMethodErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"budget_words":6`, `"budget_words":0`, "budget_words: bad selection parameter: budget is 0"},
		{`"budget_words":6`, `"budget_words":2.5`, "budget_words: want an integer"},
		{`"budget_words":6`, `"budget_words":6,"params":{"budget_words":6}`, "budget_words: given both here and in params"},
		{`"budget_words":6`, `"budget":6`, "budget: unknown field"},
		{`[0,1]`, `[0,1,2]`, "embeddings[0][1]: want 2 dimensions, as the first sentence has, got 3"},
		{`[4,1]`, `[]`, "embeddings[0][0]: no dimensions"},
		{`[0,1]`, `[]`, "embeddings[0][1]: no dimensions"},
		{`,[[4,1.2],[0,0]]]`, `]`, "embeddings: want embeddings of 3 documents, got 2"},
	} {
		line := strings.Replace(methodLine, c.old, c.new, 1)
		for _, method := range []string{"radev", "lead"} {
			cli(t, strings.NewReader(line), "select", "--method", method).want(t, exitFailed, ":1: ", c.want)
		}
	}
	cli(t, strings.NewReader(""), "select", "--method", "lamsiya").want(t, exitUsage, `"lamsiya"`, "did you mean lamsiyah?")
	// Nothing to choose from is an empty choice.
	for _, m := range wire.Methods {
		line := `{"documents":[["..."]],"embeddings":[[[1]]],"centroid":[1]}`
		if a := cli(t, strings.NewReader(line), "select", "--method", m.Name).want(t, exitOK); a.stdout != `{"selected":[],"score":0}`+"\n" {
			t.Errorf("%s: %s", m.Name, a.stdout)
		}
	}
}

// TestSelectOffersCoresMethods: every published method of core is here.
func TestSelectOffersCoresMethods(t *testing.T) {
	own := []string{"auto", "editor", "salience", "instant", "multilingual", "mean", "hybrid", "cera", "cerai", "position", "concepts"} // they look at words, or estimate the centroid
	for _, m := range core.Methods() {
		if slices.Contains(own, m.Name) == (wire.LookUp(m.Name) != nil) {
			t.Errorf("%s: offered %v", m.Name, wire.LookUp(m.Name) != nil)
		}
	}
}

// FuzzSelectMethods: any line gives an error or a choice that JSON can hold.
func FuzzSelectMethods(f *testing.F) {
	for i := range wire.Methods {
		f.Add(uint8(i), []byte(methodLine))
		f.Add(uint8(i), []byte(`{"documents":[["a b","a b"],["c"]],"embeddings":[[[0,-1],[0,-1]],[[1e200,1]]],"centroid":[1,1],"params":{"budget_words":1}}`))
	}
	f.Fuzz(func(t *testing.T, which uint8, line []byte) {
		m := &wire.Methods[int(which)%len(wire.Methods)]
		if p, params, err := wire.Parse(line, m); err != nil || params.BeamWidth > 64 || len(p.Refs) > 64 {
			return
		}
		answer, err := wire.Answer(t.Context(), m, line)
		if err != nil {
			return
		}
		var got chosen
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("%s: %v in %s", m.Name, err, answer)
		}
	})
}
