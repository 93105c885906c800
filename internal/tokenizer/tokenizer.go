// Package tokenizer reads the tokenizer.json files of Hugging Face models and converts
// texts to token ids.
//
// Its reference is @huggingface/tokenizers 0.2.0, the JavaScript library used by the
// page: the same file yields the same ids in both, even where that library differs from
// the one in Rust. The components are named as in the file: a text is normalized and
// split into words (pre-tokens), which the model splits into tokens; the post-processor
// adds special tokens.
//
// Characters are those of Unicode 15.0; a browser with a newer Unicode version may treat
// newly assigned characters differently.
//
// The settings of tokenizer_config.json (remove_space and
// do_lowercase_and_remove_accent of a few old models) are not read, and truncation is
// left to the caller: see EncodeMax.
//
// Start with Read.
package tokenizer

import "sync"

// Tokenizer converts texts to ids. It is safe for concurrent use.
type Tokenizer struct {
	normalizer        normalizer   // nil for none
	preTokenizer      preTokenizer // nil for none
	model             model
	vocabulary        *vocabulary
	added             map[string]addedToken // by their texts, as written and as normalized
	plain, normalized *splitter             // find added tokens in the original and the normalized text
	before, after     []int32               // special tokens around a text
	scratch           sync.Pool             // of *scratch
}

// scratch holds the buffers of Encode.
type scratch struct {
	sections, subsections, words []string
}

// Encode returns the ids of a text's tokens, including the special tokens around them.
// Invalid UTF-8 is read as U+FFFD.
func (t *Tokenizer) Encode(text string) []int32 {
	ids := append(make([]int32, 0, len(text)/3+8), t.before...)
	ids = t.appendText(ids, text)
	return append(ids, t.after...)
}

// EncodeMax is Encode with at most n ids: the last tokens of a longer text are dropped,
// the special tokens are kept.
func (t *Tokenizer) EncodeMax(text string, n int) []int32 {
	ids := t.Encode(text)
	if len(ids) <= n {
		return ids
	}
	if room := n - len(t.after); room >= len(t.before) {
		return append(ids[:room], t.after...)
	}
	return ids[:max(n, 0)]
}

// appendText appends the ids of a text without special tokens.
func (t *Tokenizer) appendText(ids []int32, text string) []int32 {
	s := t.take()
	t.stretches(s, text, func(id int32) { ids = append(ids, id) }, func(words []string) {
		ids = t.model.encode(ids, words)
	})
	t.scratch.Put(s)
	return ids
}

func (t *Tokenizer) take() *scratch {
	if s, ok := t.scratch.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

// stretches normalizes and splits a text and calls token with each added token in it and
// words with the words between them. The words are valid until the next call.
func (t *Tokenizer) stretches(s *scratch, text string, token func(id int32), words func([]string)) {
	s.sections = t.plain.split(s.sections[:0], valid(text))
	t.trim(s.sections)
	for i, section := range s.sections {
		if section == "" {
			continue
		}
		if a, ok := t.added[section]; ok {
			token(a.id)
			continue
		}
		if t.normalizer != nil {
			if section = t.normalizer.normalize(section); section == "" {
				continue
			}
		}
		s.subsections = t.normalized.split(s.subsections[:0], section)
		t.trim(s.subsections)
		for _, subsection := range s.subsections {
			if subsection == "" {
				continue
			}
			if a, ok := t.added[subsection]; ok {
				token(a.id)
				continue
			}
			s.words = s.words[:0]
			if t.preTokenizer != nil {
				s.words = t.preTokenizer.split(s.words, subsection, i)
			} else {
				s.words = append(s.words, subsection)
			}
			words(s.words)
		}
	}
}

// trim removes white space next to added tokens that strip it.
func (t *Tokenizer) trim(sections []string) {
	for i, section := range sections {
		a, ok := t.added[section]
		if !ok {
			continue
		}
		if a.lstrip && i > 0 {
			sections[i-1] = trimEnd(sections[i-1])
		}
		if a.rstrip && i < len(sections)-1 {
			sections[i+1] = trimStart(sections[i+1])
		}
	}
}

// Normalize returns the normalized text. It does not look for added tokens.
func (t *Tokenizer) Normalize(text string) string {
	text = valid(text)
	if t.normalizer == nil {
		return text
	}
	return t.normalizer.normalize(text)
}

// Words returns the words of a text, normalized and split as in Encode. Added tokens are
// left out.
func (t *Tokenizer) Words(text string) []string {
	var all []string
	s := t.take()
	t.stretches(s, text, func(int32) {}, func(words []string) { all = append(all, words...) })
	t.scratch.Put(s)
	return all
}

// AppendWord appends to dst the ids of one word returned by Words.
func (t *Tokenizer) AppendWord(dst []int32, word string) []int32 {
	return t.model.encode(dst, []string{word})
}

// Size returns one more than the highest id.
func (t *Tokenizer) Size() int { return len(t.vocabulary.tokens) }

// Token returns the token of an id, or "" if there is none.
func (t *Tokenizer) Token(id int32) string {
	if id < 0 || int(id) >= len(t.vocabulary.tokens) {
		return ""
	}
	return t.vocabulary.tokens[id]
}

// ID returns the id of a token.
func (t *Tokenizer) ID(token string) (int32, bool) { return t.vocabulary.id(token) }
