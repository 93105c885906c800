package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
)

func sample(id string, n int) *item {
	one := &item{ID: id, Corpus: "test", Language: "en", Documents: []document{{Title: "The bridge " + id, Text: fmt.Sprintf("The bridge of Varn %d was closed on Monday after a crack was found. It is old. The council will decide on repairs of the bridge in May. Click here to subscribe. Some 400 lorries a day have to take the road through Ola.", n)}}}
	if err := one.split(); err != nil {
		panic(err)
	}
	return one
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

func TestLabel(t *testing.T) {
	for line, want := range map[string]string{
		"E 0,2 | G 4 | N 3":   "",
		"E 0 | G 0":           "G: sentence 0 is in E already",
		"E 9":                 "E: no sentence 9",
		"E 0,1,2,3":           "list E: 80 % of the sentences",
		"G 1":                 "list E: empty",
		"E 0 | X 1":           `list "X": want E, G or N`,
		"E 0, | G  1 , 2 | N": "",
	} {
		err := sample("a", 1).label(strings.Split(line, "|"))
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
}

// TestGrades: a label counts for sentences that it covers by half, where they are cut anew.
func TestGrades(t *testing.T) {
	one := sample("a", 1)
	if err := one.label([]string{"E 2,0", "G 4", "N 3"}); err != nil {
		t.Fatal(err)
	}
	documents := []core.Document{{Text: one.Documents[0].Text, Language: "en"}}
	if err := core.Prepare(t.Context(), documents); err != nil {
		t.Fatal(err)
	}
	grades, opens := one.grades(documents)
	if want := []int{quoted, ordinary, quoted, never, good}; !slices.Equal(grades, want) || opens != 2 {
		t.Errorf("got %v, opening %d", grades, opens)
	}
	second := documents[0].Sentences[2]
	middle := documents[0].Sentences[2]
	middle.StartUTF16, second.EndUTF16 = second.StartUTF16+30, second.StartUTF16+30
	documents[0].Sentences = append(documents[0].Sentences[:2:2], second, middle)
	if grades, _ := one.grades(documents); !slices.Equal(grades, []int{quoted, ordinary, quoted, quoted}) {
		t.Errorf("cut anew: %v", grades)
	}
}

// TestTrain trains on a few documents: the same files give the same bytes, and a document that
// is missing is named.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	var documents, labels bytes.Buffer
	for n := range 30 {
		one := sample(fmt.Sprint("d", n), n)
		if err := json.NewEncoder(&documents).Encode(one); err != nil {
			t.Fatal(err)
		}
		if err := one.label([]string{"E 0,2", "G 4", "N 1,3"}); err != nil {
			t.Fatal(err)
		}
		one.Documents, one.Read = nil, nil
		if err := json.NewEncoder(&labels).Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	from := sources{labels: dir, documents: write("documents.jsonl", documents.Bytes()), sets: write("sets.jsonl", nil), subjects: write("subjects.jsonl", nil)}
	for _, name := range []string{"set-spans", "subject-spans", "first-documents", "first-sets", "own"} {
		write(name+".jsonl.gz", zipped(nil))
	}
	write("spans.jsonl.gz", zipped(labels.Bytes()))
	small := func(p *int, v int) func() { old := *p; *p = v; return func() { *p = old } }
	for _, p := range []*int{&quoteParams.Trees, &neverParams.Trees, &openingParams.Trees} {
		defer small(p, 3)()
	}
	var outs [2][]byte
	for i := range outs {
		path := filepath.Join(dir, fmt.Sprint("out", i))
		if err := train(t.Context(), from, path); err != nil {
			t.Fatal(err)
		}
		outs[i], _ = os.ReadFile(path)
	}
	if len(outs[0]) == 0 || !bytes.Equal(outs[0], outs[1]) {
		t.Errorf("%d and %d bytes differ", len(outs[0]), len(outs[1]))
	}
	from.documents = write("none.jsonl", nil)
	if err := train(t.Context(), from, filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "d0 is not in") {
		t.Errorf("without documents: %v", err)
	}
}
