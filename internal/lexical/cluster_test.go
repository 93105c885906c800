package lexical

import (
	"math/rand/v2"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// randomCluster is a cluster of made-up words, some of them stop words, some
// shared by two languages, with sentences of stop words alone, repeated words
// and empty sentences.
func randomCluster(seed uint64) []cluster.Document {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("the of and in die us US storm river bridge rivers Berlin budget votes council 1,200 1200 3.5 tax taxes")
	tags := []string{"en", "de", "fr", ""}
	docs := make([]cluster.Document, 1+r.IntN(5))
	for i := range docs {
		docs[i].Language = tags[r.IntN(len(tags))]
		for range r.IntN(8) {
			s := make([]string, r.IntN(12))
			for k := range s {
				s[k] = words[r.IntN(len(words))]
			}
			docs[i].Sentences = append(docs[i].Sentences, cluster.Sentence{Text: strings.Join(s, " ")})
		}
	}
	return docs
}

// zipfCluster is a cluster of n sentences in documents of twenty, over a
// vocabulary of made-up words that are as unequally frequent as words are.
func zipfCluster(n int) *cluster.Cluster {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	onsets := strings.Fields("b br c cl d dr f g gr h k l m n p pr qu r s st t tr v w")
	vowels := strings.Fields("a e i o u ai ea ou")
	endings := strings.Fields("n t s ing ed er ion ment ly al")
	vocabulary := make([]string, 20000)
	for i := range vocabulary {
		var b strings.Builder
		for range 1 + r.IntN(2) {
			b.WriteString(onsets[r.IntN(len(onsets))])
			b.WriteString(vowels[r.IntN(len(vowels))])
		}
		b.WriteString(endings[r.IntN(len(endings))])
		vocabulary[i] = b.String()
	}
	common := strings.Fields("the of to and a in that is was for on with as by at from")
	zipf := rand.NewZipf(r, 1.1, 5, uint64(len(vocabulary)-1))
	c := &cluster.Cluster{}
	var b strings.Builder
	for k := range n {
		if k%20 == 0 {
			c.Documents = append(c.Documents, cluster.Document{Language: "en"})
		}
		b.Reset()
		for i := range 10 + r.IntN(25) {
			if i > 0 {
				b.WriteByte(' ')
			}
			if r.IntN(5) < 2 {
				b.WriteString(common[r.IntN(len(common))])
			} else {
				b.WriteString(vocabulary[zipf.Uint64()])
			}
			if r.IntN(12) == 0 {
				b.WriteByte(',')
			}
		}
		b.WriteByte('.')
		d := &c.Documents[len(c.Documents)-1]
		d.Sentences = append(d.Sentences, cluster.Sentence{Text: b.String()})
	}
	return c
}
