package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// parse reads a file that a test wrote.
func parse(t testing.TB, file string) *Tokenizer {
	t.Helper()
	tok, err := Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

const small = `{
	"added_tokens": [
		{"id": 0, "content": "[UNK]", "special": true},
		{"id": 1, "content": "[CLS]", "special": true},
		{"id": 2, "content": "[SEP]", "special": true}
	],
	"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
	"pre_tokenizer": {"type": "BertPreTokenizer"},
	"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
	"decoder": null,
	"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 10,
		"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "sun": 3, "##flower": 4, "##s": 5, ",": 6, "cafe": 7, "日": 8}}
}`

func TestWordPiece(t *testing.T) {
	tok := parse(t, small)
	for _, c := range []struct {
		text string
		want []int32
	}{
		{"", []int32{1, 2}},
		{"Sunflowers, café", []int32{1, 3, 4, 5, 6, 7, 2}},
		{"sun日sun", []int32{1, 3, 8, 3, 2}},
		{"sunx moon", []int32{1, 0, 0, 2}},
		{"sunssssssss sun", []int32{1, 0, 3, 2}}, // eleven characters
		{"sun[SEP]suns", []int32{1, 3, 2, 3, 5, 2}},
		{"\xff", []int32{1, 2}},
	} {
		if got := tok.Encode(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

func TestEncodeMax(t *testing.T) {
	tok := parse(t, small)
	for n, want := range [][]int32{{}, {1}, {1, 2}, {1, 3, 2}, {1, 3, 3, 2}, {1, 3, 3, 3, 2}, {1, 3, 3, 3, 2}} {
		if got := tok.EncodeMax("sun sun sun", n); !slices.Equal(got, want) {
			t.Errorf("EncodeMax(%d) = %v, want %v", n, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	tok := parse(t, small)
	if got, want := tok.Words("Sunflowers, [SEP] CAFÉ"), []string{"sunflowers", ",", "cafe"}; !slices.Equal(got, want) {
		t.Errorf("Words = %q, want %q", got, want)
	}
	if got, want := tok.AppendWord([]int32{9}, "sunflower"), []int32{9, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("AppendWord = %v, want %v", got, want)
	}
	if got := tok.Normalize("CAFÉ"); got != "cafe" {
		t.Errorf("Normalize = %q", got)
	}
	if tok.Size() != 9 || tok.Token(4) != "##flower" || tok.Token(9) != "" {
		t.Errorf("Size = %d, Token(4) = %q, Token(9) = %q", tok.Size(), tok.Token(4), tok.Token(9))
	}
	if id, ok := tok.ID("cafe"); id != 7 || !ok {
		t.Errorf("ID = %d, %v", id, ok)
	}
}
