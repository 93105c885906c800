package lexical

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/clipperhouse/uax29/v2/words"
)

// Token is a word of a sentence with its place, or a pair of characters of a script
// without spaces: such pairs overlap.
type Token struct {
	// Start and End count bytes in the sentence.
	Start, End int
	// Folded is the word in lower case, Term its stem.
	Folded, Term string
	Stop         bool
	// Unspaced says that the token is a pair of characters.
	Unspaced bool
}

// Tokenizer reads sentences of one language. It is not safe for concurrent use.
type Tokenizer struct {
	lang  *language
	env   *snowballstem.Env
	cache map[string]Token
}

// NewTokenizer returns the tokenizer of a language; an unknown one has no stems and
// no stop words.
func NewTokenizer(language string) *Tokenizer {
	return &Tokenizer{lookUp(primary(language)), snowballstem.NewEnv(""), map[string]Token{}}
}

// AppendTo appends the tokens of a sentence to dst.
func (t *Tokenizer) AppendTo(dst []Token, sentence string) []Token {
	it := words.FromString(sentence)
	for it.Next() {
		start, end := it.Start(), it.End()
		b := sentence[start]
		if b < utf8.RuneSelf && end-start == 1 && !isASCIIWord(b) {
			continue
		}
		if scriptAt(sentence[start:]) != spaced {
			dst = t.pairs(dst, sentence, start, end)
			continue
		}
		whole := end
		if b >= '0' && b <= '9' {
			end = start + digitsEnd(sentence[start:end])
		}
		word := sentence[start:end]
		token, ok := t.cache[word]
		if !ok {
			if hasWordRune(word) {
				folded, _ := fold(word, t.lang.tag)
				if folded = t.lang.strip(folded); folded != "" {
					token = Token{Folded: folded, Term: t.lang.stem(t.env, folded), Stop: t.lang.isStop(folded)}
				}
			}
			t.cache[word] = token
		}
		if token.Term == "" {
			continue
		}
		token.Start, token.End = start, end
		dst = append(dst, token)
		if end < whole {
			dst = t.pairs(dst, sentence, end, whole)
		}
	}
	return dst
}

// digitsEnd returns where the Hangul begins that is attached to a number, or the
// length of the word.
func digitsEnd(word string) int {
	for i := range word {
		if scriptAt(word[i:]) == hangul {
			return i
		}
	}
	return len(word)
}

// pairs appends, for each character of sentence[start:end], the pair that it begins.
// A pair may end in the next segment.
func (t *Tokenizer) pairs(dst []Token, sentence string, start, end int) []Token {
	for i := start; i < end; {
		_, n := utf8.DecodeRuneInString(sentence[i:])
		last := i + n
		if scriptAt(sentence[last:]) != spaced {
			_, n := utf8.DecodeRuneInString(sentence[last:])
			last += n
		}
		// A segment may end in bytes that are no UTF-8.
		pair := strings.ToValidUTF8(sentence[i:last], "")
		dst = append(dst, Token{
			Start: i, End: last, Folded: pair, Term: pair, Unspaced: true,
			Stop: t.lang.isStopPair(pair, scriptAt(pair)),
		})
		i += n
	}
	return dst
}
