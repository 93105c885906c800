package blind

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// twoClusters has the candidates zzone and zzsame with the same text, and zztwo.
func twoClusters() []*Cluster {
	var list []*Cluster
	for _, id := range []string{"a", "b"} {
		list = append(list, &Cluster{ID: id, Reference: []string{"The fact of " + id + "."}, Candidates: []Candidate{
			{"zzone", []string{"First of " + id + ".", "Second."}},
			{"zztwo", []string{"Other of " + id + "."}},
			{"zzsame", []string{"First of " + id + ".", "Second."}},
		}})
	}
	return list
}

func made(t *testing.T, seed uint64, per int) (*Key, []*Sheet) {
	t.Helper()
	k := &Key{Set: "set", Seed: seed, Names: []string{"zzone", "zztwo", "zzsame"}}
	sheets, err := Make(k, twoClusters(), per)
	if err != nil {
		t.Fatal(err)
	}
	return k, sheets
}

func TestMake(t *testing.T) {
	k, sheets := made(t, 1, 1)
	if len(sheets) != 2 || sheets[1].Name != "set-02" || len(k.Sheets[1].Clusters) != 1 || k.Sheets[1].Clusters[0].Cluster != 2 {
		t.Fatalf("%+v", k.Sheets)
	}
	for i, s := range sheets {
		if !strings.Contains(s.Markdown, "1. The fact of ") || strings.Contains(s.Markdown, "zz") {
			t.Errorf("%s", s.Markdown)
		}
		c := k.Sheets[i].Clusters[0]
		if len(c.Candidates) != 2 {
			t.Fatalf("candidates with the same text are not joined: %+v", c)
		}
		// The text at each letter is that of its names.
		for _, candidate := range c.Candidates {
			_, rest, _ := strings.Cut(s.Markdown, "\n### "+candidate.Candidate+"\n\n1. ")
			want, quotes := "First of "+c.ID, 2
			if candidate.Names[0] == "zztwo" {
				want, quotes = "Other of "+c.ID, 1
			}
			if !strings.HasPrefix(rest, want) || candidate.Quotes != quotes {
				t.Errorf("%+v: %.30s", candidate, rest)
			}
		}
	}
	// The order depends on the seed alone.
	orders := map[string]bool{}
	for seed := range uint64(10) {
		k, _ := made(t, seed, 2)
		again, _ := made(t, seed, 2)
		order := func(k *Key) string { return k.Sheets[0].Clusters[0].Candidates[0].Names[0] }
		if order(k) != order(again) {
			t.Errorf("seed %d gives two orders", seed)
		}
		orders[order(k)] = true
	}
	if len(orders) != 2 {
		t.Errorf("the order does not depend on the seed: %v", orders)
	}
	many := &Key{Names: make([]string, 27)}
	if _, err := Make(many, nil, 1); err == nil {
		t.Error("27 candidates are taken")
	}
	if _, err := Make(&Key{}, []*Cluster{{ID: "x", Candidates: []Candidate{{Name: "n"}}}}, 1); err == nil || err.Error() != "cluster x: n: no text" {
		t.Errorf("got %v", err)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"Plain, with a [1] and a 5.": "Plain, with a [1] and a 5.",
		"# No *heading* <b>":         `\# No \*heading\* \<b>`,
		"12. March was cold.":        `12\. March was cold.`,
		"- no list":                  `\- no list`,
		"| a | b |":                  `\| a | b |`,
	} {
		if got := escape(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestKey(t *testing.T) {
	k, _ := made(t, 3, 1)
	var b bytes.Buffer
	if err := k.Write(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	back, err := ReadKey(&b)
	if err != nil || back.Sheets[1].Clusters[0].ID != "b" {
		t.Fatal(back, err)
	}
	for in, want := range map[string]string{
		"":              "EOF",
		"{}":            "a set and sheets",
		`{"x": 1}`:      `unknown field "x"`,
		`{"set": "a"} `: "a set and sheets",
		strings.Replace(whole, `"quotes": 1`, `"quotes": 0`, 1): "at least one quote",
		strings.Replace(whole, `"zztwo"`, `"too"`, 1):           `unknown candidate "zztwo"`,
	} {
		if _, err := ReadKey(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: got %v, want %s", in, err, want)
		}
	}
}

// letter returns the label of a name.
func letter(k *Key, cluster int, name string) string {
	for _, s := range k.Sheets {
		if c := s.cluster(cluster); c != nil {
			return c.of(name).Candidate
		}
	}
	return ""
}

func TestTabulate(t *testing.T) {
	k, _ := made(t, 4, 2)
	a, err := NewReadings(k)
	if err != nil {
		t.Fatal(err)
	}
	csv := "\ufeff\nsheet,cluster,candidate,M,S,R,J,O,leaning,filler,note\n" +
		fmt.Sprintf("set-01,1,%s,4,4,4,4,4,1,0,\n", letter(k, 1, "zzone")) +
		fmt.Sprintf("set-01,1,%s,2,2,2,2,2.5,0,1,\"dull, short\"\n", letter(k, 1, "zztwo")) +
		fmt.Sprintf("set-01,2,%s,5,5,5,5,5,1,,\n", letter(k, 2, "zzone")) +
		fmt.Sprintf("set-01,2,%s,,,,,,,,not read\n", letter(k, 2, "zztwo"))
	if err := a.Read(strings.NewReader(csv), "anna.csv", "anna"); err != nil {
		t.Fatal(err)
	}
	lines := fmt.Sprintf(`{"sheet": "set-01", "cluster": 1, "candidate": %q, "M": 3, "S": 3, "R": 3, "J": 3, "O": 3, "leaning": null}`, letter(k, 1, "zzone")) + "\n\n" +
		fmt.Sprintf(`{"sheet": "set-01", "cluster": 1, "candidate": %q, "reader": "cy", "M": 3, "S": 3, "R": 3, "J": 3, "O": 1.0, "leaning": 1}`, letter(k, 1, "zztwo"))
	if err := a.Read(strings.NewReader(lines), "ben.jsonl", "ben"); err != nil {
		t.Fatal(err)
	}
	tables := a.Tabulate(Options{Against: "zztwo", Resamples: 100, Seed: 1})
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	table := tables[0]
	// Cluster 1 has 4 of 6 ratings by three readers, cluster 2 has 1 of 2 by one.
	if table.Clusters != 2 || table.Ratings != 5 || table.Missing != 2+1 || !slices.Equal(table.Readers, []string{"anna", "ben", "cy"}) {
		t.Errorf("%+v", table)
	}
	if table.Agreement == nil || math.Abs(*table.Agreement-1.25) > 1e-9 {
		t.Errorf("agreement %v, want 1.25: 4 and 3, 2.5 and 1", table.Agreement)
	}
	one, two, same := table.Rows[0], table.Rows[1], table.Rows[2]
	if one.Name != "zzone" || one.Means["O"].Mean != 4.25 || one.Clusters != 2 || one.Ratings != 3 || same.Means["O"] != one.Means["O"] {
		t.Errorf("%+v", one)
	}
	// Only anna rated both, in cluster 1.
	if one.Paired != 1 || one.Differences["O"].Mean != 1.5 || one.P == nil || two.Differences != nil {
		t.Errorf("%+v", one.Differences)
	}
	if one.Per100["leaning"] != 50 || one.Quotes["leaning"] != 4 || one.Per100["filler"] != 0 || one.Quotes["filler"] != 2 || two.Per100["leaning"] != 50 {
		t.Errorf("%+v %+v", one, two)
	}
	if _, counted := one.Per100["edges"]; counted {
		t.Error("edges were not counted")
	}
	// A second set gives tables of its own.
	other := &Key{Set: "more", Names: []string{"zzone"}}
	if _, err := Make(other, twoClusters(), 5); err != nil {
		t.Fatal(err)
	}
	a.Keys = append(a.Keys, other)
	if tables := a.Tabulate(Options{Resamples: 10}); len(tables) != 3 || tables[1].Set != "set" || tables[2].Ratings != 0 || len(tables[2].Rows) != 0 {
		t.Errorf("%+v", tables)
	}
	if _, err := NewReadings(k, k); err == nil || !strings.Contains(err.Error(), "sheet set-01 is in two keys") {
		t.Errorf("got %v", err)
	}
}

func TestBadRatings(t *testing.T) {
	const head = "sheet,cluster,candidate,M,S,R,J,O,leaning\n"
	for in, want := range map[string]string{
		"":                                                             "r: want CSV or JSON Lines",
		"sheet,cluster,candidate,M,S\n":                                "r:1: no column R",
		"sheet,note,note\n":                                            "r:1: duplicate column note",
		"sheet,mood\n":                                                 `r:1: unknown column "mood"`,
		head + "set-01,1,A,4,4,4,4\n":                                  "r:2: want 9 fields, got 7",
		head + "set-9,1,A,4,4,4,4,4,\n":                                `r:2: sheet: no key has a sheet "set-9"`,
		head + "set-01,3,A,4,4,4,4,4,\n":                               `r:2: cluster: sheet set-01 has no cluster "3"`,
		head + "set-01,1,F,4,4,4,4,4,\n":                               `r:2: candidate: cluster 1 has no candidate "F"`,
		head + "\nset-01,1,A,4,6,4,4,4,\n":                             `r:3: S: want 1 to 5 in steps of a half, got "6"`,
		head + "set-01,1,A,4,4,4,4,4.2,\n":                             `r:2: O: want 1 to 5 in steps of a half, got "4.2"`,
		head + "set-01,1,A,4,4,4,4,,\n":                                `r:2: O: want 1 to 5 in steps of a half, got ""`,
		head + "set-01,1,A,4,4,4,4,4,3\n":                              `r:2: leaning: want a number of its`,
		head + "set-01,1,A,4,4,4,4,4,\nset-01,1,A,4,4,4,4,4,\n":        "r:3: candidate A of cluster 1 is rated twice by reader x",
		head + "set-01,1,\"A,4\n":                                      "r: ",
		`{"sheet": "set-01", "cluster": 1}`:                            "r:1: candidate: missing",
		`{"sheet": "set-01", "cluster": 1, "candidate": "A", "M": ""}`: "r:1: M: want a number, got a string",
		`{"sheet": "set-01", "cluster": 1, "candidate": "A", "Q": 1}`:  "r:1: Q: unknown",
		`{"sheet"`: "r:1: ",
	} {
		k, _ := made(t, 4, 2)
		a, err := NewReadings(k)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Read(strings.NewReader(in), "r", "x"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}

func TestReadCandidates(t *testing.T) {
	var got []string
	add := func(id, name, text string) error {
		got = append(got, id+"/"+name+"/"+text)
		return nil
	}
	err := ReadCandidates(strings.NewReader(`{"id": "a", "name": "n", "text": "T."}`+"\n"+`{"id": 7, "name": "n", "text": "U."}`), "c", add)
	if err != nil || !slices.Equal(got, []string{"a/n/T.", "7/n/U."}) {
		t.Fatal(got, err)
	}
	for in, want := range map[string]string{
		`{"id": "a", "name": "n"}`:                "c:1: text: missing",
		`{"id": "a", "name": "n", "text": " "}`:   "c:1: text: want text, got a blank string",
		`{"id": true, "name": "n", "text": "T."}`: "c:1: id: want a string, got true or false",
	} {
		if err := ReadCandidates(strings.NewReader(in), "c", add); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}
