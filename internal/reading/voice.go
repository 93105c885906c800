package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// authorWords are words and phrases with which authors of papers speak of themselves and of
// the paper, in any language; the words of a phrase are joined by _. A sentence with one says
// what the paper does more often than others.
var authorWords = strings.Fields(`
we our us ours this_paper this_work this_article this_study present_paper
wir unser unsere unserer unserem unseren unseres dieser_arbeit diese_arbeit diesem_beitrag vorliegende_arbeit
nous notre nos cet_article cette_étude ce_travail
nosotros nosotras nuestro nuestra nuestros nuestras este_artículo este_trabajo este_estudio presente_trabajo
nós nosso nossa nossos nossas este_artigo este_estudo deste_trabalho neste_trabalho
proponiamo presentiamo nostro nostra nostri nostre questo_articolo questo_lavoro
wij onze dit_artikel deze_studie
мы нами наш наша наше нашего нашей данной_работе этой_работе настоящей_работе данная_работа статье
biz bizim çalışmada çalışmamızda makalede
chúng_tôi bài_báo
`)

// unspacedAuthorWords are the same in languages without spaces between words.
var unspacedAuthorWords = strings.Fields(`我们 本文 我們 本研究 我々 われわれ 本論文 本稿`)

// voice is how a text speaks of itself or to its reader. Sentences other than those of
// authors say little to somebody who reads them alone.
type voice struct {
	author   bool // authors speak of themselves or of the paper
	address  bool // has I or you
	narrates bool // has I
	announce bool // tells what the text will do, or begins a generality
	points   bool // points to something that is not quoted, gives an example, thanks
	states   int  // words that tell what something is, does, or has to do
	hedges   int  // words of conjecture and anecdote
}

// fold returns a word as the table has it.
func (w *words) fold(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return word
	}
	s := scanner{words: w}
	for _, r := range word {
		s.folded = s.fold(s.folded, r)
	}
	return string(s.folded)
}

// notInWord reports whether r divides words: it is neither a letter nor a mark on one.
func notInWord(r rune) bool { return !isWord(r) || unicode.IsDigit(r) }

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// voiceOf returns the voice of a sentence in a language, an ISO 639-1 code or "".
func voiceOf(sentence, language string) (v voice) {
	for _, w := range unspacedAuthorWords {
		v.author = v.author || strings.Contains(sentence, w)
	}
	words := wordsOf(language)
	say := func(c class) {
		v.address = v.address || c&(address|narrate) != 0
		v.narrates = v.narrates || c&narrate != 0
		v.points = v.points || c&point != 0
		if c&state != 0 {
			v.states++
		}
		if c&hedge != 0 {
			v.hedges++
		}
		v.announce = v.announce || c&announce != 0
	}
	if words.unspaced {
		words.each(sentence, say)
		return v
	}
	var last [3]string // the last words, joined: one, two, three
	n, name := 0, false
	for word := range strings.FieldsFuncSeq(sentence, notInWord) {
		n++
		upper := n > 1 && isUpper(firstRune(word))
		if word == "US" || word == "I" && name { // the country, World War I
			last, name = [3]string{}, upper
			continue
		}
		name = upper
		word = words.fold(word)
		last = [3]string{word, last[0] + "_" + word, last[1] + "_" + word}
		v.author = v.author || slices.Contains(authorWords, last[0]) || slices.Contains(authorWords, last[1])
		for i, w := range last {
			c := words.of[w]
			say(c)
			v.announce = v.announce || c&generality != 0 && n == i+1
		}
	}
	return v
}
