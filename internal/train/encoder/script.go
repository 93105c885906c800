package encoder

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/internal/tokenizer"
	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// Unknown is the token of characters missing from the vocabulary. Its row is 0: it
// carries no meaning, and a text of such characters has no embedding.
const Unknown = "<unk>"

// MaxTokens is the maximum length of a text.
const MaxTokens = 512

// romanized maps letters to Latin: names and learned words, and so their pieces, are
// similar across these alphabets. Digraphs follow the Latin spelling of most
// languages here rather than a standard: "ц" is c as in nación and nacja.
const romanized = `
а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t
у u ф f х h ц c ч ch ш sh щ sh ъ _ ы y ь _ э e ю iu я ia і i ї i є e ґ g
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t
υ y φ f χ h ψ ps ω o ά a έ e ή i ί i ό o ύ y ώ o ϊ i ϋ y ΐ i ΰ y`

type replacement struct {
	Type    string `json:"type"`
	Pattern struct {
		String string `json:"String"`
	} `json:"pattern"`
	Content string `json:"content"`
}

func replace(from, to string) replacement {
	r := replacement{Type: "Replace", Content: to}
	r.Pattern.String = from
	return r
}

// normalizer returns the normalizer of tokenizer.json: compatibility forms, lower
// case, and one alphabet for Latin, Cyrillic and Greek.
func normalizer() any {
	type simple struct {
		Type string `json:"type"`
	}
	// The capital İ would become two characters.
	steps := []any{simple{"NFKC"}, replace("İ", "i"), simple{"Lowercase"}}
	letters := strings.Fields(romanized)
	for i := 0; i < len(letters); i += 2 {
		steps = append(steps, replace(letters[i], strings.Trim(letters[i+1], "_")))
	}
	return map[string]any{"type": "Sequence", "normalizers": steps}
}

// WriteTokenizer writes the tokenizer.json of the pieces: a unigram model on words
// separated by spaces and punctuation. Token id 0 is [Unknown], piece i has id
// i + 1.
func WriteTokenizer(w io.Writer, pieces []vocabulary.Piece) error {
	vocab := [][2]any{{Unknown, 0}}
	for _, p := range pieces {
		vocab = append(vocab, [2]any{p.Text, rounded(p.Score)})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Version       string   `json:"version"`
		Truncation    *int     `json:"truncation"`
		Padding       *int     `json:"padding"`
		AddedTokens   []string `json:"added_tokens"`
		Normalizer    any      `json:"normalizer"`
		PreTokenizer  any      `json:"pre_tokenizer"`
		PostProcessor *int     `json:"post_processor"`
		Decoder       *int     `json:"decoder"`
		Model         any      `json:"model"`
	}{
		Version:      "1.0",
		AddedTokens:  []string{},
		Normalizer:   normalizer(),
		PreTokenizer: map[string]any{"type": "BertPreTokenizer"},
		Model: struct {
			Type         string   `json:"type"`
			UnkID        int      `json:"unk_id"`
			ByteFallback bool     `json:"byte_fallback"`
			Vocab        [][2]any `json:"vocab"`
		}{"Unigram", 0, false, vocab},
	})
}

// rounded keeps the file small; five decimals distinguish all pieces.
func rounded(score float64) json.Number { return json.Number(fmt.Sprintf("%.5f", score)) }

// wordReader splits texts into words like the tokenizer.
func wordReader() (*tokenizer.Tokenizer, error) {
	var file strings.Builder
	if err := WriteTokenizer(&file, nil); err != nil {
		return nil, err
	}
	return tokenizer.Read(strings.NewReader(file.String()))
}
