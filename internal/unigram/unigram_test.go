package unigram

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// toy is a small vocabulary; scores are sums of powers of two, so that no two paths tie
// by rounding.
func toy() *Vocabulary {
	v := &Vocabulary{
		Pieces:  []string{"<s>", "<pad>", "</s>", "<unk>"},
		Map:     map[rune]string{'\t': " ", '\x01': "", 'ﬁ': "fi", '\u3000': " ", '½': "1⁄2", '\u200d': " "},
		Compose: map[[2]rune]rune{{'e', '\u0301'}: 'é', {'ê', '\u0301'}: 'ế', {'e', '\u0302'}: 'ê'},
	}
	pieces := []string{"▁", "a", "ab", "abc", "b", "bc", "c", "fi", "é", "▁a", "▁ab", "▁abc", "日", "日本"}
	v.Pieces = append(v.Pieces, pieces...)
	for i := range v.Pieces {
		v.Scores = append(v.Scores, -1-float32(i*37%16)/8)
	}
	clear(v.Scores[:Unknown+1])
	return v
}

func TestAppend(t *testing.T) {
	v := toy()
	tokenizer, err := New(v)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                   "",
		"\x01":               "",
		"ab":                 "▁ab",
		"  ab\t\u3000ab":     "▁ab ▁ab",
		"ab ":                "▁ab ▁",
		"ﬁ":                  "▁ fi",
		"e\u0301":            "▁ é",
		"\u200dab":           "▁ab",
		"日本日":                "▁ 日本 日",
		"xyz":                "▁ <unk>",
		"xaz":                "▁ <unk> a <unk>",
		"x e\u0302\u0301 xx": "▁ <unk> ▁ <unk> ▁ <unk>",
		"<s>":                "▁ <unk>",
		"\xff":               "▁ <unk>",
	} {
		if got := strings.Join(v.of(tokenizer, text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// naive is the best score of a word that starts with ▁, over all ways to split it.
func naive(t *Tokenizer, v *Vocabulary, word string) float64 {
	if word == "" {
		return 0
	}
	best, single := -1e300, false
	first := len(string([]rune(word)[:1]))
	for id, p := range v.Pieces {
		if id > Unknown && strings.HasPrefix(word, p) {
			best = max(best, float64(v.Scores[id])+naive(t, v, word[len(p):]))
			single = single || len(p) == first
		}
	}
	if !single {
		best = max(best, t.unknown+naive(t, v, word[first:]))
	}
	return best
}

func TestBestPath(t *testing.T) {
	v := toy()
	tokenizer, err := New(v)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcabcé日本")
	for range 2000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		got := 0.0
		for _, id := range tokenizer.Append(nil, b.String()) {
			if id == Unknown {
				got = 1 // 本 alone is unknown: runs of it are one token, whose score is not kept
				break
			}
			got += float64(v.Scores[id])
		}
		if want := naive(tokenizer, v, space+b.String()); got < 1 && got != want {
			t.Fatalf("%q: score %v, want %v", b.String(), got, want)
		}
	}
}

func TestVocabularyFile(t *testing.T) {
	v := toy()
	file := v.Append(nil)
	read, err := ReadVocabulary(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(v, read) {
		t.Errorf("got %+v, want %+v", read, v)
	}
	for n := range file {
		if _, err := ReadVocabulary(file[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were read", n, len(file))
		}
	}
	if _, err := ReadVocabulary(append(file, 0)); err == nil {
		t.Error("a trailing byte was read")
	}
}

func TestVocabularyErrors(t *testing.T) {
	for want, change := range map[string]func(v *Vocabulary){
		"score of piece 5: want a log probability, got 1":         func(v *Vocabulary) { v.Scores[5] = 1 },
		`character map: "a" becomes "b": want a space or nothing`: func(v *Vocabulary) { v.Map['a'] = "b" },
		"want 4 to 1048576 pieces":                                func(v *Vocabulary) { v.Pieces, v.Scores = v.Pieces[:2], v.Scores[:2] },
		"piece 4 is damaged":                                      func(v *Vocabulary) { v.Pieces[4] = strings.Repeat("a", 300) },
	} {
		v := toy()
		change(v)
		if _, err := Read(v.Append(nil)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Read([]byte("cerasum vocabulary 2\n")); err == nil {
		t.Error("another version was read")
	}
}

func FuzzReadVocabulary(f *testing.F) {
	f.Add(toy().Append(nil), "ab xé日本")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		v, err := ReadVocabulary(file)
		if err != nil {
			return
		}
		tokenizer, err := New(v)
		if err != nil {
			return
		}
		ids := tokenizer.Append(nil, text)
		if slices.ContainsFunc(ids, func(id int32) bool { return id < Unknown || int(id) >= tokenizer.Size() }) {
			t.Errorf("ids %v of %d pieces", ids, tokenizer.Size())
		}
	})
}

func BenchmarkRead(b *testing.B) {
	file := toy().Append(nil)
	for b.Loop() {
		if _, err := Read(file); err != nil {
			b.Fatal(err)
		}
	}
}
