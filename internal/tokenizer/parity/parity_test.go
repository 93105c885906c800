// Package parity checks internal/tokenizer against its reference,
// @huggingface/tokenizers, run in Node on the same files and texts.
package parity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/tokenizer"
)

const fixtures = "../testdata"

// files are the tokenizers: the fixtures, the one of the shipped encoder, and
// those of a folder that CERASUM_TOKENIZERS names, of models that are no part
// of the repository.
func files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	roots := []string{fixtures, "../../../models"}
	if dir := os.Getenv("CERASUM_TOKENIZERS"); dir != "" {
		roots = append(roots, dir)
	} else {
		t.Log("without the tokenizers of other models: CERASUM_TOKENIZERS names no folder")
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == root && root != fixtures {
				t.Logf("without %s, which is not here", root)
				return nil
			}
			if err == nil && entry.Name() == "tokenizer.json" {
				found[strings.TrimPrefix(path, "../../../")] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// ask runs the reference over texts and reads a T for each.
func ask[T any](t *testing.T, file, mode string, texts []string) []T {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: there is no node here to run the reference in")
	}
	if _, err := os.Stat("../../../node_modules/@huggingface/tokenizers"); err != nil {
		t.Skip("skipped: @huggingface/tokenizers is not installed; run npm ci")
	}
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	encoder.SetEscapeHTML(false)
	for _, text := range texts {
		if err := encoder.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, "encode.mjs", file, mode)
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node encode.mjs %s: %v\n%s", file, err, stderr.String())
	}
	var all []T
	decoder := json.NewDecoder(bytes.NewReader(out))
	for decoder.More() {
		var x T
		if err := decoder.Decode(&x); err != nil {
			t.Fatalf("answer %d: %v", len(all), err)
		}
		all = append(all, x)
	}
	if len(all) != len(texts) {
		t.Fatalf("%d answers to %d texts", len(all), len(texts))
	}
	return all
}

func read(t *testing.T, path string) *tokenizer.Tokenizer {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tok, err := tokenizer.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// compare checks the ids of texts.
func compare(t *testing.T, path string, texts []string) {
	t.Helper()
	tok := read(t, path)
	differ := 0
	for i, want := range ask[[]int32](t, path, "encode", texts) {
		if got := tok.Encode(texts[i]); !slices.Equal(got, want) {
			if differ++; differ <= 5 {
				t.Errorf("%q\n got %v\nwant %v", texts[i], got, want)
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d texts differ", differ, len(texts))
	}
}

// TestGoldenIsCurrent checks that the golden files are what the reference that
// is installed says.
func TestGoldenIsCurrent(t *testing.T) {
	var texts []string
	for _, line := range rows(t, filepath.Join(fixtures, "sentences.jsonl")) {
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	dirs, err := filepath.Glob(filepath.Join(fixtures, "*", "tokenizer.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range dirs {
		want := rows(t, filepath.Join(filepath.Dir(path), "ids.jsonl"))
		for i, got := range ask[json.RawMessage](t, path, "encode", texts) {
			if i >= len(want) || string(got) != want[i] {
				t.Errorf("%s: sentence %d is stale: run node internal/tokenizer/parity/fixtures.mjs", path, i)
				break
			}
		}
	}
}

func rows(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// TestSentences checks tokenizers over more than 50,000 sentences of 30
// languages: all of NTREX and as many of Tatoeba for each language.
func TestSentences(t *testing.T) {
	texts := few(corpus(t))
	t.Logf("%d sentences", len(texts))
	var some []string
	for i := 0; i < len(texts); i += 12 {
		some = append(some, texts[i])
	}
	for name, path := range files(t) {
		// Of the fixtures, the one in the form of the shipped encoder's is
		// checked over all; the others over a part, for time.
		list := texts
		if strings.HasPrefix(path, fixtures) && !strings.Contains(path, "transliterated") {
			list = some
		}
		t.Run(name, func(t *testing.T) { compare(t, path, list) })
	}
}

// few is every hundredth text where the tests are to be short, else all.
func few(texts []string) []string {
	if !testing.Short() {
		return texts
	}
	var some []string
	for i := 0; i < len(texts); i += 100 {
		some = append(some, texts[i])
	}
	return some
}

// perLanguage is how many sentences of Tatoeba are taken of each language.
const perLanguage = 400

func corpus(t *testing.T) []string {
	var texts []string
	languages := map[string]int{}
	scanner := bufio.NewScanner(reference.Open(t, "data/parallel/ntrex.jsonl.gz"))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var row map[string]string
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		delete(row, "document")
		for language, text := range row {
			texts = append(texts, text)
			languages[language]++
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	taken := map[string]int{}
	lines := bufio.NewReader(reference.Open(t, "data/parallel/tatoeba.tsv.gz"))
	for {
		line, err := lines.ReadString('\n')
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 4 {
			for i, language := range fields[:2] {
				if taken[language] < perLanguage {
					taken[language]++
					languages[language]++
					texts = append(texts, fields[2+i])
				}
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(texts) < 50000 || len(languages) < 30 {
		t.Fatalf("only %d sentences of %d languages", len(texts), len(languages))
	}
	return texts
}

// changed are characters of Unicode 15.0 that later versions class otherwise:
// one vowel sign as spacing, and combining letters as alphabetic.
var changed = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x363, Hi: 0x36f, Stride: 1}, {Lo: 0x1dd3, Hi: 0x1de6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1171e, Hi: 0x1171e, Stride: 1}},
}

// TestCharacters checks every normalizer and pre-tokenizer on every character
// that Unicode 15.0 knows, alone and between letters.
func TestCharacters(t *testing.T) {
	var texts []string
	var text strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.In(r, unicode.Cn, unicode.Cs, changed) && (!unicode.Is(unicode.Co, r) || r&0xff == 0) {
			fmt.Fprintf(&text, "a%cB%c c ", r, r)
		}
		if text.Len() > 100 || r == unicode.MaxRune {
			texts = append(texts, text.String())
			text.Reset()
		}
	}
	texts = few(texts)
	for _, normalizer := range []string{
		`{"type":"NFC"}`, `{"type":"NFD"}`, `{"type":"NFKC"}`, `{"type":"NFKD"}`, `{"type":"Lowercase"}`, `{"type":"StripAccents"}`,
		`{"type":"Strip","strip_left":true,"strip_right":true}`, `{"type":"Precompiled"}`,
		`{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true}`,
		`{"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":true,"strip_accents":true,"lowercase":false}`,
	} {
		t.Run(normalizer, func(t *testing.T) {
			path := write(t, `{"added_tokens":[],"normalizer":`+normalizer+`,"pre_tokenizer":null,"post_processor":null,"decoder":null,
				"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0]]}}`)
			tok := read(t, path)
			differ := 0
			for i, want := range ask[string](t, path, "normalize", texts) {
				if got := tok.Normalize(texts[i]); got != want {
					if differ++; differ <= 5 {
						t.Errorf("%+q: got %+q, want %+q", texts[i], got, want)
					}
				}
			}
			if differ > 0 {
				t.Errorf("%d of %d texts differ", differ, len(texts))
			}
		})
	}
	for _, pre := range []string{
		`{"type":"BertPreTokenizer"}`, `{"type":"Whitespace"}`, `{"type":"WhitespaceSplit"}`, `{"type":"Punctuation"}`,
		`{"type":"Digits","individual_digits":true}`, `{"type":"ByteLevel"}`, `{"type":"FixedLength","length":2}`,
		`{"type":"Split","pattern":{"Regex":"\\w+|[^\\w\\s]"},"behavior":"Isolated"}`,
		`{"type":"Split","pattern":{"Regex":"\\b"},"behavior":"Removed"}`,
		`{"type":"Split","pattern":{"Regex":"[[:alpha:]]+|[[:punct:]]+|[\\p{Han}\\p{Lu}]|\\h+"},"behavior":"Isolated","invert":true}`,
	} {
		t.Run(pre, func(t *testing.T) {
			// Where the words are cut shows in which letters are known: only
			// those that no other character is with.
			path := write(t, `{"added_tokens":[],"normalizer":null,"pre_tokenizer":`+pre+`,"post_processor":null,"decoder":null,
				"model":{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##","vocab":{"?":0,"a":1,"##B":2,"B":3,"c":4," ":5,"## ":6,"##c":7,"Ġc":8,"Ġ":9}}}`)
			compare(t, path, texts)
		})
	}
}

func write(t *testing.T, file string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
