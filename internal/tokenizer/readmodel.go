package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/trie"
)

// modelFile is the model section of a file. The model itself is built later, since it
// needs the added tokens.
type modelFile struct {
	path       string
	kind       string
	vocabulary *vocabulary
	tokens     []string // of Unigram, in the order of the file
	scores     []float64
	unk        int32 // id in the model's own vocabulary, -1 for none
	unkToken   *string
	prefix     string
	maxChars   int
	fuse       bool
	pairs      [][2]string // of BPE
	bpe        bpeOptions
}

// bpeOptions are the fields of a BPE model that the others do not have.
type bpeOptions struct {
	WordSuffix   string `json:"end_of_word_suffix"`
	InnerSuffix  string `json:"continuing_subword_suffix"`
	ByteFallback bool   `json:"byte_fallback"`
	IgnoreMerges bool   `json:"ignore_merges"`
}

func readModel(path string, raw json.RawMessage) (*modelFile, error) {
	var c struct {
		Type     *string         `json:"type"`
		Vocab    json.RawMessage `json:"vocab"`
		Merges   json.RawMessage `json:"merges"`
		UnkID    *float64        `json:"unk_id"`
		UnkToken *string         `json:"unk_token"`
		Prefix   *string         `json:"continuing_subword_prefix"`
		MaxChars *float64        `json:"max_input_chars_per_word"`
		Fuse     bool            `json:"fuse_unk"`
		bpeOptions
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	if len(c.Vocab) == 0 {
		return nil, fieldError(path+".vocab", "missing")
	}
	m := &modelFile{path: path, unk: -1, unkToken: c.UnkToken, fuse: c.Fuse}
	var err error
	switch {
	case c.Type != nil:
		m.kind = *c.Type
	// Old files do not name the type.
	case jsonl.Kind(c.Vocab) == "an array":
		m.kind = "Unigram"
	case c.UnkToken != nil && c.Prefix != nil:
		m.kind = "WordPiece"
		if len(c.Merges) > 0 {
			m.kind = "BPE"
		}
	default:
		return nil, fieldError(path+".type", "missing")
	}
	switch m.kind {
	case "Unigram":
		if err := m.readPieces(path+".vocab", c.Vocab); err != nil {
			return nil, err
		}
		if c.UnkID == nil {
			return nil, fieldError(path+".unk_id", "missing")
		}
		if m.unk, err = tokenID(path+".unk_id", *c.UnkID); err != nil {
			return nil, err
		}
		if int(m.unk) >= len(m.tokens) {
			return nil, fieldError(path+".unk_id", "want less than %d, the number of pieces, got %d", len(m.tokens), m.unk)
		}
	case "WordPiece":
		if err := m.readVocabulary(path+".vocab", c.Vocab); err != nil {
			return nil, err
		}
		if c.UnkToken == nil {
			return nil, fieldError(path+".unk_token", "missing")
		}
		if c.Prefix == nil {
			return nil, fieldError(path+".continuing_subword_prefix", "missing")
		}
		m.prefix = *c.Prefix
		m.maxChars = 100
		if c.MaxChars != nil {
			if *c.MaxChars != float64(int32(*c.MaxChars)) || *c.MaxChars < 0 {
				return nil, fieldError(path+".max_input_chars_per_word", "want a number of characters, got %v", *c.MaxChars)
			}
			m.maxChars = int(*c.MaxChars)
		}
	case "BPE":
		if err := m.readVocabulary(path+".vocab", c.Vocab); err != nil {
			return nil, err
		}
		if err := m.readMerges(path+".merges", c.Merges); err != nil {
			return nil, err
		}
		m.bpe = c.bpeOptions
	default:
		return nil, fieldError(path+".type", "unknown %q", m.kind)
	}
	if m.unkToken != nil && m.kind != "Unigram" {
		if id, ok := m.vocabulary.ids[*m.unkToken]; ok {
			m.unk = id
		}
	}
	return m, nil
}

// build creates the model once all tokens are known.
func (m *modelFile) build() (model, error) {
	v := m.vocabulary
	if m.kind == "Unigram" {
		for _, token := range m.tokens {
			if id := v.ids[token]; int(id) >= len(m.scores) {
				return nil, fieldError("added_tokens", "%q has the id %d, beyond the end of %s.vocab, which also contains it", token, id, m.path)
			}
		}
		u, err := newUnigram(v, m.tokens, m.scores, m.unk)
		if err != nil {
			return nil, fieldError(m.path+".vocab", "%w", err)
		}
		return u, nil
	}
	unk, fuse := int32(-1), false
	if m.unkToken != nil {
		var ok bool
		if unk, ok = v.id(*m.unkToken); !ok {
			return nil, fieldError(m.path+".unk_token", "want a token, got %q", *m.unkToken)
		}
		fuse = m.fuse && m.unk >= 0 && v.ids[*m.unkToken] == m.unk
	}
	if m.kind == "BPE" {
		b := newBPE(v, m.pairs)
		b.unk, b.fuse = unk, fuse
		b.wordSuffix, b.inner, b.whole = m.bpe.WordSuffix, m.bpe.InnerSuffix, m.bpe.IgnoreMerges
		if m.bpe.ByteFallback {
			b.setByteFallback()
		}
		return b, nil
	}
	w := &wordPiece{unk: unk, maxChars: m.maxChars, fuse: fuse}
	keys := make([]string, 0, len(v.ids))
	values := make([]int32, 0, len(v.ids))
	for token := range v.ids {
		id, _ := v.id(token)
		keys = append(keys, token)
		values = append(values, id)
	}
	var err error
	if w.trie, err = trie.New(keys, values); err != nil {
		return nil, fieldError(m.path+".vocab", "%w", err)
	}
	w.prefix, w.prefixed = w.trie.Walk(m.prefix)
	return w, nil
}

// readVocabulary reads an object of tokens and their ids.
func (m *modelFile) readVocabulary(path string, raw json.RawMessage) error {
	c := cursor{b: raw}
	if !c.open('{') {
		return fieldError(path, "want an object, have %s", jsonl.Kind(raw))
	}
	m.vocabulary = &vocabulary{ids: make(map[string]int32, len(raw)/16)}
	for c.peek() != '}' {
		token, ok := c.text()
		if !ok {
			return fieldError(path, "damaged")
		}
		at := func() string { return fmt.Sprintf("%s[%q]", path, token) }
		x, ok := c.number()
		if !ok {
			return fieldError(at(), "want an id")
		}
		if x != float64(int32(x)) || x < 0 || x > maxID {
			_, err := tokenID(at(), x)
			return err
		}
		m.vocabulary.ids[token] = int32(x)
		m.vocabulary.set(int32(x), token)
	}
	return nil
}

// readPieces reads an array of pieces with their scores.
func (m *modelFile) readPieces(path string, raw json.RawMessage) error {
	c := cursor{b: raw}
	if !c.open('[') {
		return fieldError(path, "want an array, have %s", jsonl.Kind(raw))
	}
	m.tokens = make([]string, 0, len(raw)/32)
	m.scores = make([]float64, 0, len(raw)/32)
	for c.peek() != ']' {
		at := func() string { return fmt.Sprintf("%s[%d]", path, len(m.tokens)) }
		if len(m.tokens) > maxID {
			return fieldError(path, "more than %d pieces", maxID+1)
		}
		if !c.open('[') {
			return fieldError(at(), "want a piece and its score")
		}
		token, ok := c.text()
		if !ok {
			return fieldError(at(), "want a piece and its score")
		}
		score, ok := c.number()
		if !ok || !c.open(']') {
			return fieldError(at(), "want a piece and its score")
		}
		m.tokens = append(m.tokens, token)
		m.scores = append(m.scores, score)
	}
	m.vocabulary = &vocabulary{ids: make(map[string]int32, len(m.tokens)), tokens: append([]string(nil), m.tokens...)}
	for i, token := range m.tokens {
		m.vocabulary.ids[token] = int32(i)
	}
	return nil
}

// readMerges reads the merges: pairs, or strings of two symbols with a space between.
func (m *modelFile) readMerges(path string, raw json.RawMessage) error {
	if len(raw) == 0 {
		return fieldError(path, "missing")
	}
	c := cursor{b: raw}
	if !c.open('[') {
		return fieldError(path, "want an array, have %s", jsonl.Kind(raw))
	}
	for c.peek() != ']' {
		at := func() string { return fmt.Sprintf("%s[%d]", path, len(m.pairs)) }
		if c.open('[') {
			left, ok := c.text()
			right, ok2 := c.text()
			if !ok || !ok2 || !c.open(']') {
				return fieldError(at(), "want two tokens")
			}
			m.pairs = append(m.pairs, [2]string{left, right})
			continue
		}
		text, ok := c.text()
		parts := strings.Split(text, " ")
		if !ok || len(parts) < 2 {
			return fieldError(at(), "want two tokens")
		}
		m.pairs = append(m.pairs, [2]string{parts[0], parts[1]})
	}
	return nil
}
