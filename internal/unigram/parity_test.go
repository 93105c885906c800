package unigram

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

const (
	vocabularyFile = "../../models/encoder/vocabulary.bin"
	ntrexFile      = "../../../shared/data/parallel/ntrex.jsonl.gz"
)

// pieces are the pieces of a text, in order.
func (v *Vocabulary) of(t *Tokenizer, text string) []string {
	var out []string
	for _, id := range t.Append(nil, text) {
		out = append(out, v.Pieces[id])
	}
	return out
}

// digest is that of research/encoder/parity.py.
func digest(pieces []string) uint16 {
	h := uint32(2166136261)
	for _, p := range pieces {
		for _, b := range append([]byte(p), 0) {
			h = (h ^ uint32(b)) * 16777619
		}
	}
	return max(uint16(h>>16^h), 1)
}

// shipped reads the vocabulary of the encoder.
func shipped(t *testing.T) (*Vocabulary, *Tokenizer) {
	t.Helper()
	raw, err := os.ReadFile(vocabularyFile)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ReadVocabulary(raw)
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := New(v)
	if err != nil {
		t.Fatal(err)
	}
	return v, tokenizer
}

// Sentences in several languages, with the pieces of the published tokenizer.
func TestSentences(t *testing.T) {
	v, tokenizer := shipped(t)
	raw, err := os.ReadFile("testdata/published.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text   string
		Pieces []string
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		if got := v.of(tokenizer, c.Text); !slices.Equal(got, c.Pieces) {
			t.Errorf("%q:\n%q, want\n%q", c.Text, got, c.Pieces)
		}
	}
}

// The ids are those of the published tokenizer in all 1,997 sentences of NTREX in 30
// languages, but for sentences with a piece that was cut, whose digest is 0.
func TestPublished(t *testing.T) {
	file, err := os.Open(ntrexFile)
	if err != nil {
		t.Skip("needs ../shared: ", err)
	}
	defer file.Close()
	v, tokenizer := shipped(t)
	digests, err := os.ReadFile("testdata/ntrex.digests")
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		row := map[string]string{}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		delete(row, "document")
		rows = append(rows, row)
	}
	var languages []string
	for l := range rows[0] {
		languages = append(languages, l)
	}
	slices.Sort(languages)
	if want := 2 * len(languages) * len(rows); len(digests) != want {
		t.Fatalf("%d bytes of digests for %d languages and %d sentences", len(digests), len(languages), len(rows))
	}
	compared := 0
	for _, l := range languages {
		wrong := 0
		for _, row := range rows {
			want := binary.LittleEndian.Uint16(digests)
			digests = digests[2:]
			if want == 0 {
				continue
			}
			compared++
			if pieces := v.of(tokenizer, row[l]); digest(pieces) != want {
				if wrong++; wrong == 1 {
					t.Errorf("%s: %q: %q", l, row[l], pieces)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d sentences differ", l, wrong)
		}
	}
	if compared < 30_000 {
		t.Errorf("compared %d sentences", compared)
	}
}
