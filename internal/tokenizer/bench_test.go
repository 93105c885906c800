package tokenizer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// large writes the file of a model with 64,000 pieces, made of random syllables: the
// file is as long, and the trie as deep, as a real one.
func large(kind string) ([]byte, []string) {
	random := rand.New(rand.NewPCG(7, 8))
	var syllables []string
	for _, c := range []string{"b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "z", "д", "к", "л", "м", "н", "р", "с", "т"} {
		for _, v := range []string{"a", "e", "i", "o", "u", "ä", "о", "и", "ar", "en"} {
			syllables = append(syllables, c+v)
		}
	}
	word := func(most int) string {
		var b strings.Builder
		for range 1 + random.IntN(most) {
			b.WriteString(syllables[random.IntN(len(syllables))])
		}
		return b.String()
	}
	seen := map[string]bool{}
	var b bytes.Buffer
	b.WriteString(`{"added_tokens":[{"id":0,"content":"[UNK]","special":true}],"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},
		{"type":"Replace","pattern":{"String":"İ"},"content":"i"},{"type":"Lowercase"}`)
	for i := range 150 {
		fmt.Fprintf(&b, `,{"type":"Replace","pattern":{"String":"%c"},"content":"%c"}`, 0x1d00+i, 'a'+i%26)
	}
	fmt.Fprintf(&b, `]},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,"model":{"type":%q,"unk_token":"[UNK]","unk_id":0,"continuing_subword_prefix":"##","vocab":`, kind)
	n := 0
	add := func(piece string) {
		if seen[piece] || n == 64000 {
			return
		}
		seen[piece] = true
		switch {
		case n == 0 && kind == "Unigram":
			b.WriteByte('[')
		case n == 0:
			b.WriteByte('{')
		default:
			b.WriteByte(',')
		}
		if kind == "Unigram" {
			fmt.Fprintf(&b, `[%q,%v]`, piece, -4-random.Float64()*10)
		} else {
			fmt.Fprintf(&b, `%q:%d`, piece, n)
		}
		n++
	}
	add("[UNK]")
	for _, r := range "abcdefghijklmnopqrstuvwxyzäдклмнрстои,." {
		add(string(r))
		add("##" + string(r))
	}
	for n < 64000 {
		piece := word(3)
		if kind == "WordPiece" && random.IntN(3) == 0 {
			piece = "##" + piece
		}
		add(piece)
	}
	if kind == "Unigram" {
		b.WriteString("]}}")
	} else {
		b.WriteString("}}}")
	}
	var sentences []string
	for range 200 {
		var words []string
		for range 25 {
			words = append(words, word(3))
		}
		s := strings.Join(words, " ") + "."
		sentences = append(sentences, strings.ToUpper(s[:1])+s[1:])
	}
	return b.Bytes(), sentences
}

func BenchmarkEncode(b *testing.B) {
	for _, kind := range []string{"Unigram", "WordPiece"} {
		file, sentences := large(kind)
		tok := parse(b, string(file))
		tokens := 0
		for _, s := range sentences {
			tokens += len(tok.Encode(s))
		}
		b.Run(kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				tok.Encode(sentences[i%len(sentences)])
			}
			b.ReportMetric(float64(tokens)/float64(len(sentences)), "tokens/sentence")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, kind := range []string{"Unigram", "WordPiece"} {
		file, _ := large(kind)
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				parse(b, string(file))
			}
		})
	}
}
