package reading

import (
	"slices"
	"strings"
	"unicode"
)

// authorWords are words with which authors of papers speak of themselves and of the paper;
// those with an underscore are phrases. A sentence with one says what the paper does more often
// than others.
var authorWords = strings.Fields(`we our us ours this_paper this_work this_article this_study present_paper
wir unser unsere unserer unserem unseren unseres dieser_arbeit diese_arbeit diesem_beitrag vorliegende_arbeit
nous notre nos cet_article cette_étude ce_travail
nosotros nosotras nuestro nuestra nuestros nuestras este_artículo este_trabajo este_estudio presente_trabajo
nós nosso nossa nossos nossas este_artigo este_estudo deste_trabalho neste_trabalho
proponiamo presentiamo nostro nostra nostri nostre questo_articolo questo_lavoro
wij onze dit_artikel deze_studie
мы нами наш наша наше нашего нашей данной_работе этой_работе настоящей_работе данная_работа статье
biz bizim çalışmada çalışmamızda makalede
chúng_tôi bài_báo `)

// unspacedAuthorWords are the same in languages without spaces between words.
var unspacedAuthorWords = strings.Fields(`我们 本文 我們 本研究 我々 われわれ 本論文 本稿`)

// authorsSpeak reports whether the authors speak of themselves or of the paper.
func authorsSpeak(sentence string) bool {
	for _, w := range unspacedAuthorWords {
		if strings.Contains(sentence, w) {
			return true
		}
	}
	before := ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(sentence), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(authorWords, word) || slices.Contains(authorWords, before+"_"+word) {
			return true
		}
		before = word
	}
	return false
}
