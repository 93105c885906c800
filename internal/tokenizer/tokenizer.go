// Package tokenizer reads the tokenizer.json files of Hugging Face models and
// turns texts into the ids of their tokens.
//
// Its reference is @huggingface/tokenizers 0.2.0, the JavaScript library that
// the page uses: the same file gives the same ids here and there, also where
// that library differs from the one in Rust. The names of the parts are those
// of the file: a text is normalized, split into words (pre-tokens), which the
// model cuts into tokens, to which the post-processor adds special ones.
//
// Characters are those of Unicode 15.0; a page on a browser with a newer
// Unicode may see a letter or a sign where there is nothing yet here.
//
// What a tokenizer_config.json says besides (remove_space and
// do_lowercase_and_remove_accent of a few old models) is not read, and the
// truncation that a file asks for is the caller's: see EncodeMax.
//
// Start with Read.
package tokenizer

import "sync"

// Tokenizer turns texts into ids. It is safe for concurrent use.
type Tokenizer struct {
	normalizer        normalizer   // nil for none
	preTokenizer      preTokenizer // nil for none
	model             model
	vocabulary        *vocabulary
	added             map[string]addedToken // by their texts, as written and as normalized
	plain, normalized *splitter             // find added tokens in a text as it is, and normalized
	before, after     []int32               // special tokens around a text
	scratch           sync.Pool             // of *scratch
}

// scratch is what Encode works in.
type scratch struct {
	sections, subsections, words []string
}

// Encode returns the ids of a text's tokens, the special ones around them
// included. Bytes that are no UTF-8 are read as U+FFFD.
func (t *Tokenizer) Encode(text string) []int32 {
	ids := append(make([]int32, 0, len(text)/3+8), t.before...)
	ids = t.appendText(ids, text)
	return append(ids, t.after...)
}

// EncodeMax is Encode with at most n ids: of a longer text the last tokens are
// left out, and the special tokens stay.
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

// appendText appends the ids of a text without those of the special tokens.
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

// stretches normalizes and splits a text and calls token with each added token
// in it and words with the words between them. The words hold until the next
// call.
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

// trim takes white space from the neighbours of added tokens that ask for it.
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

// Normalize returns a text as the normalizer leaves it. Added tokens are not
// looked for.
func (t *Tokenizer) Normalize(text string) string {
	text = valid(text)
	if t.normalizer == nil {
		return text
	}
	return t.normalizer.normalize(text)
}

// Words returns the words of a text, normalized and split as Encode does it.
// Added tokens in the text are left out.
func (t *Tokenizer) Words(text string) []string {
	var all []string
	s := t.take()
	t.stretches(s, text, func(int32) {}, func(words []string) { all = append(all, words...) })
	t.scratch.Put(s)
	return all
}

// AppendWord appends to dst the ids of one word, as Words gives them.
func (t *Tokenizer) AppendWord(dst []int32, word string) []int32 {
	return t.model.encode(dst, []string{word})
}

// Size is one more than the highest id.
func (t *Tokenizer) Size() int { return len(t.vocabulary.tokens) }

// Token returns the token of an id, or "" where there is none.
func (t *Tokenizer) Token(id int32) string {
	if id < 0 || int(id) >= len(t.vocabulary.tokens) {
		return ""
	}
	return t.vocabulary.tokens[id]
}

// ID returns the id of a token.
func (t *Tokenizer) ID(token string) (int32, bool) { return t.vocabulary.id(token) }
