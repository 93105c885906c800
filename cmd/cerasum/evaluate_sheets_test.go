package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// sheetCorpus makes n clusters of which the first has a second reference.
func sheetCorpus(n int) []byte {
	var b strings.Builder
	for i := range n {
		second := ""
		if i == 0 {
			second = `, "A second person wrote of the high river."`
		}
		fmt.Fprintf(&b, `{"id": "c%d", "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in the flood.", "On Monday the river rose fast. Boats brought %d people out of the town. The bridge stays closed until Friday."], "references": ["The river rose by %d metres."%s]}`+"\n", i, i+1, i+20, i+1, second)
	}
	return []byte(b.String())
}

// sheetKey is the part of a key that tests read.
type sheetKey struct {
	Set     string
	Methods map[string]string
	Names   []string
	Sheets  []struct {
		Sheet    string
		Clusters []struct {
			Cluster    int
			ID         string
			Candidates []struct {
				Candidate string
				Names     []string
				Quotes    int
			}
		}
	}
}

func readSheetKey(t *testing.T, path string) (k sheetKey) {
	t.Helper()
	if err := json.Unmarshal(mustRead(t, path), &k); err != nil {
		t.Fatal(err)
	}
	return k
}

// rate fills in a form: human summaries get 5, others 3, one sentence of each leans.
func rate(t *testing.T, form string, k sheetKey) []byte {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(form)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		mark := "3"
		for _, s := range k.Sheets {
			for _, c := range s.Clusters {
				for _, candidate := range c.Candidates {
					if s.Sheet == row[0] && fmt.Sprint(c.Cluster) == row[1] && candidate.Candidate == row[2] && slices.Contains(candidate.Names, "human") {
						mark = "5"
					}
				}
			}
		}
		for i := 3; i < 8; i++ {
			row[i] = mark
		}
		row[8] = "1"
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

func TestEvaluateSheetsAndScores(t *testing.T) {
	useOwnCache(t)
	corpus := file(t, "corpus.jsonl.gz", archivetest.Gzip(t, sheetCorpus(9)))
	var before, choices strings.Builder
	for i := range 8 { // not of the ninth cluster, which is not drawn
		fmt.Fprintf(&before, `{"id": "c%d", "name": "before", "text": "The river rose.\nThe mayor of c%d spoke."}`+"\n", i, i)
		fmt.Fprintf(&choices, `{"id": "c%d", "extract": [[1, 0, 30], [0, 38, 71]], "good": [], "never": []}`+"\n", i)
	}
	args := []string{
		"evaluate", "sheets", "--dataset", corpus, "--budget", "20", "--lang", "en", "--methods", "lead,bs+gs", "--encoder", "lexical", "--variant", "ranked=--method bs+gs  --order rank",
		"--editor", file(t, "choices.jsonl", []byte(choices.String())), "--candidates", file(t, "before.jsonl", []byte(before.String())), "--set", "flood",
	}
	makeSheets := func(more ...string) (folder string, k sheetKey) {
		folder = filepath.Join(t.TempDir(), "sheets")
		a := cli(t, nil, append(append(args, "--output", folder), more...)...).want(t, exitOK, "")
		if !strings.Contains(a.stdout, "; key: "+folder+"-key.json") {
			t.Errorf("%s", a.stdout)
		}
		return folder, readSheetKey(t, folder+"-key.json")
	}
	folder, k := makeSheets("--clusters", "8", "--per-sheet", "5")
	if want := []string{"lead", "bs+gs", "ranked", "before", "editor", "human"}; !slices.Equal(k.Names, want) || k.Methods["ranked"] != "--method bs+gs --order rank" || len(k.Sheets) != 2 || len(k.Sheets[1].Clusters) != 3 {
		t.Fatalf("%+v", k)
	}
	var names []string
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"flood-01.md", "flood-02.md", "flood-ratings.csv"}) {
		t.Errorf("%q", names)
	}
	sheet := string(mustRead(t, filepath.Join(folder, "flood-01.md")))
	for _, want := range []string{
		"## Cluster 1\n\n### Summary by a person, for the facts\n\n1. The river rose by 1 metres.\n\n### A\n\n1. ",
		"1. A second person wrote of the high river.\n",                             // human
		"1. On Monday the river rose fast.\n2. The mayor closed the old bridge.\n",  // editor
		"1. The river rose.\n2. The mayor of c0 spoke.\n",                           // before
		"1. The river rose by 1 metres on Monday.\n2. The mayor closed the old bri", // lead
		"| | M | S | R | J | O | leaning | filler | repeats | edges |",
	} {
		if !strings.Contains(sheet, want) {
			t.Errorf("no %q in\n%s", want, sheet)
		}
	}
	for _, name := range []string{"bs+gs", "ranked", "before", "editor", "human"} {
		if strings.Contains(sheet, name) {
			t.Errorf("the sheet tells %s", name)
		}
	}
	// The same seed makes the same sheets; another draws other clusters.
	again, _ := makeSheets("--clusters", "8", "--per-sheet", "5")
	if string(mustRead(t, filepath.Join(again, "flood-01.md"))) != sheet {
		t.Error("the same seed gave another sheet")
	}
	drawn := map[string]bool{}
	for seed := range 4 {
		_, k := makeSheets("--clusters", "2", "--seed", fmt.Sprint(seed))
		drawn[k.Sheets[0].Clusters[0].ID+k.Sheets[0].Clusters[1].ID] = true
		if k.Sheets[0].Clusters[1].ID == "c8" {
			t.Error("a cluster without all candidates is drawn")
		}
	}
	if len(drawn) < 2 {
		t.Errorf("drawn: %v", drawn)
	}

	// Summaries made elsewhere alone.
	if _, k := makeSheets("--methods", "", "--no-human"); !slices.Equal(k.Names, []string{"ranked", "before", "editor"}) {
		t.Errorf("%q", k.Names)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	cli(t, nil, "evaluate", "sheets", "--dataset", corpus, "--methods", "", "--candidates", file(t, "before.jsonl", []byte(before.String())), "--clusters", "1", "--output", elsewhere).want(t, exitOK, "")
	if k := readSheetKey(t, elsewhere+"-key.json"); !slices.Equal(k.Names, []string{"before", "human"}) || len(k.Methods) != 0 || !strings.HasSuffix(k.Set, "-corpus") {
		t.Errorf("%+v", k)
	}

	form := string(mustRead(t, filepath.Join(folder, "flood-ratings.csv")))
	ratings := rate(t, form, k)
	a := cli(t, nil, "evaluate", "scores", "--key", folder+"-key.json", "--against", "lead", "--resamples", "50", "--format", "markdown",
		file(t, "anna.csv", ratings), file(t, "ben.csv", ratings)).want(t, exitOK)
	for _, want := range []string{
		"8 clusters, ", "by 2 readers (anna, ben), 0 missing", "differ by 0.00 in O",
		"| lead | 8 | 16 | 3.00 ±0.00 |", "| human | 8 | 16 | 5.00 ±0.00 |",
		"Differences from lead;", "| human | 8 | +2.00 ±0.00 |",
		"| candidate | sentences | leaning | filler | repeats | edges |", "| before | 32 | 50.0 | – | – | – |",
	} {
		if !strings.Contains(a.stdout, want) {
			t.Errorf("no %q in\n%s", want, a.stdout)
		}
	}
	one := cli(t, nil, "evaluate", "scores", "--key", folder+"-key.json", file(t, "anna.csv", []byte(form+"flood-01,1,A,4,4,4,4,4,,,,,\n"))).want(t, exitOK, "warning: ")
	if !strings.Contains(one.stdout, "1 cluster, 1 rating by 1 reader (anna)") || strings.Contains(one.stdout, "Differences") {
		t.Errorf("%s", one.stdout)
	}
	var tables []struct {
		Ratings int
		Rows    []struct {
			Name  string
			Means map[string]map[string]float64
		}
	}
	out := filepath.Join(t.TempDir(), "scores.json")
	cli(t, nil, "evaluate", "scores", "--key", folder+"-key.json", "--format", "json", "--output", out, file(t, "anna.csv", ratings)).want(t, exitOK)
	if err := json.Unmarshal(mustRead(t, out), &tables); err != nil || len(tables) != 1 || tables[0].Rows[5].Means["O"]["mean"] != 5 {
		t.Errorf("%v %+v", err, tables)
	}
}

func TestEvaluateSheetsRefuses(t *testing.T) {
	useOwnCache(t)
	corpus := file(t, "corpus.jsonl", sheetCorpus(2))
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "new")
	outside := file(t, "far.jsonl", []byte(`{"id": "c0", "extract": [[0, 0, 3000]], "good": [], "never": []}`))
	bad := file(t, "bad.jsonl", []byte(`{"id": "c0", "name": "x"}`))
	twice := file(t, "twice.jsonl", []byte(strings.Repeat(`{"id": "c0", "name": "x", "text": "T."}`+"\n", 2)))
	other := file(t, "other.jsonl", []byte(`{"id": "c7", "name": "x", "text": "T."}`))
	lead := file(t, "lead.jsonl", []byte(`{"id": "c0", "name": "lead", "text": "T."}`))
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{exitUsage, []string{}, "no dataset"},
		{exitUsage, []string{"-d", corpus}, "no folder given"},
		{exitUsage, []string{"-d", corpus, "-o", full}, "is not empty"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--key", filepath.Join(folder, "key.json")}, "is in the folder of the sheets"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--key", corpus}, "exists"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--clusters", "0"}, "--clusters 0: want 1"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--methods", "", "--no-human"}, "no candidates given"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--set", "a b"}, "--set \"a b\""},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--methods", "led"}, "did you mean lead?"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--variant", "x"}, "want NAME=FLAGS"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--variant", "x=--order rank"}, "--variant x: no --method"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--variant", "x=--method lead --n 3"}, "does not support --n"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--variant", "x=--method lead --no-such"}, "--variant x: unknown flag"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--encoder", "lexical", "--variant", "x=--method hybrid"}, "hybrid requires an encoder"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--variant", "lead=--method auto"}, "duplicate candidate name lead"},
		{exitUsage, []string{"-d", corpus, "-o", folder, "--candidates", lead}, "duplicate candidate name lead"},
		{exitFailed, []string{"-d", corpus, "-o", folder, "--candidates", bad}, "bad.jsonl:1: text: missing"},
		{exitFailed, []string{"-d", corpus, "-o", folder, "--candidates", twice}, "twice.jsonl:2: duplicate summary \"x\" of cluster c0"},
		{exitFailed, []string{"-d", corpus, "-o", folder, "--candidates", other}, "no cluster has all candidates: lead, bs+gs, auto, x, human"},
		{exitFailed, []string{"-d", corpus, "-o", folder, "--editor", outside}, "cluster c0: the editor quotes document 0 up to 3000 of"},
	} {
		cli(t, nil, append([]string{"evaluate", "sheets"}, c.args...)...).want(t, c.code, c.want)
		if _, err := os.Stat(folder); err == nil {
			t.Fatalf("%q left a folder", c.args)
		}
	}
}

func TestEvaluateScoresRefuses(t *testing.T) {
	key := file(t, "key.json", []byte(`{"set": "s", "names": ["a"], "sheets": [{"sheet": "s-01", "clusters": [{"cluster": 1, "id": "x", "candidates": [{"candidate": "A", "names": ["a"], "quotes": 2}]}]}]}`))
	good := file(t, "good.csv", []byte("sheet,cluster,candidate,M,S,R,J,O\ns-01,1,A,4,4,4,4,4\n"))
	blank := file(t, "blank.csv", []byte("sheet,cluster,candidate,M,S,R,J,O\ns-01,1,A,,,,,\n"))
	bad := file(t, "bad.csv", []byte("sheet,cluster,candidate,M,S,R,J,O\ns-01,1,A,4,4,4,7,4\n"))
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{exitUsage, []string{"--key", key}, "no ratings given"},
		{exitUsage, []string{good}, "no key given"},
		{exitUsage, []string{"--key", key, "--against", "b", good}, `unknown value for --against "b"`},
		{exitUsage, []string{"--key", key, "--resamples", "0", good}, "--resamples 0"},
		{exitUsage, []string{"--key", key, "--format", "csv", good}, "--format"},
		{exitUsage, []string{"--key", key, "--key", key, good}, "sheet s-01 is in two keys"},
		{exitFailed, []string{"--key", good, good}, "good.csv: want a key"},
		{exitFailed, []string{"--key", key, bad}, "bad.csv:2: J: want 1 to 5 in steps of a half, got \"7\""},
		{exitFailed, []string{"--key", key, blank}, "no candidate is rated"},
		{exitFailed, []string{"--key", key, good + "x"}, "good.csvx"},
	} {
		cli(t, nil, append([]string{"evaluate", "scores"}, c.args...)...).want(t, c.code, c.want)
	}
	a := cli(t, nil, "evaluate", "scores", "--key", key, "eve="+good).want(t, exitOK)
	if !strings.Contains(a.stdout, "(eve)") || !strings.Contains(a.stdout, "a                 1        1  4.00 ±0.00") {
		t.Errorf("%s", a.stdout)
	}
}
