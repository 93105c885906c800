package lexical

// Words lists for every sentence its terms that are not stop words, ascending and
// without duplicates, as column indices of a matrix of single words.
func (a *Analysis) Words() [][]int32 {
	m := a.TFIDF(Weighting{})
	words := make([][]int32, m.Len())
	for k := range words {
		words[k], _ = m.Row(k)
	}
	return words
}
