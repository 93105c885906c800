package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

const (
	// subjectSets is the largest number of sets of one corpus and language.
	subjectSets = 60
	// alike is the cosine from which on two documents are on one subject, tooAlike that from
	// which on they are nearly the same.
	alike, tooAlike = 0.08, 0.6
	// shortText is the length in bytes below which a document has little to quote.
	shortText = 700
)

// subjectGenres are those of which people read several on one subject.
var subjectGenres = []string{"news", "blog", "newsletter", "press release", "government news"}

// drawSubjects makes sets of two to eight documents of one corpus and language on one
// subject, as several articles that a reader has open: neighbours by words, in random order.
func drawSubjects(folder, out string, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 2))
	var drawn []*item
	if err := eachCorpus(folder, "", func(corpus string, rows []row) {
		byLanguage := map[string][]row{}
		var languages []string
		for _, r := range rows {
			if slices.Contains(subjectGenres, r.Genre) && len(r.Text) >= shortText && len(r.Text) < 20*shortText && !strings.HasPrefix(r.Set, "par:") {
				if byLanguage[r.Lang] == nil {
					languages = append(languages, r.Lang)
				}
				byLanguage[r.Lang] = append(byLanguage[r.Lang], r)
			}
		}
		for _, language := range languages {
			drawn = append(drawn, subjects(corpus, byLanguage[language], random)...)
		}
	}); err != nil {
		return err
	}
	return write(out, drawn, random, mostOfSet)
}

func subjects(corpus string, rows []row, random *rand.Rand) []*item {
	vectors := tfidf(rows)
	used, sets := make([]bool, len(rows)), []*item(nil)
	for _, seed := range random.Perm(len(rows)) {
		if len(sets) == subjectSets {
			break
		}
		if used[seed] {
			continue
		}
		type neighbour struct {
			row    int
			cosine float64
		}
		var near []neighbour
		for other := range rows {
			if c := dot(vectors[seed], vectors[other]); other != seed && !used[other] && c >= alike && c < tooAlike {
				near = append(near, neighbour{other, c})
			}
		}
		slices.SortFunc(near, func(a, b neighbour) int {
			switch {
			case a.cosine > b.cosine:
				return -1
			case a.cosine < b.cosine:
				return 1
			}
			return a.row - b.row
		})
		most := 2 + random.IntN(mostDocuments-2)
		if len(near) < 2 {
			continue
		}
		first := rows[seed]
		one := &item{ID: fmt.Sprintf("sub-%s-%s-%d", corpus, first.Lang, len(sets)), Corpus: corpus, Language: first.Lang, Genre: first.Genre, Source: first.Source, Licence: first.Licence}
		one.Set = one.ID
		members := []int{seed}
		for _, n := range near[:min(most, len(near))] {
			members = append(members, n.row)
		}
		random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		for _, m := range members {
			used[m] = true
			one.Documents = append(one.Documents, document{rows[m].Title, rows[m].Date, rows[m].Text})
			one.From = append(one.From, rows[m].ID)
		}
		sets = append(sets, one)
	}
	return sets
}

// tfidf returns unit vectors of words, and of pairs of characters in Chinese and Japanese.
func tfidf(rows []row) []map[string]float64 {
	vectors, documents := make([]map[string]float64, len(rows)), map[string]float64{}
	for i, r := range rows {
		v := map[string]float64{}
		for _, w := range strings.FieldsFunc(strings.ToLower(r.Title+" "+r.Title+" "+r.Text), func(c rune) bool { return !unicode.IsLetter(c) }) {
			letters := []rune(w)
			if letters[0] < 0x2e80 {
				if len(letters) > 3 {
					v[w]++
				}
				continue
			}
			for k := 1; k < len(letters); k++ {
				v[string(letters[k-1:k+1])]++
			}
		}
		for w := range v {
			documents[w]++
		}
		vectors[i] = v
	}
	for _, v := range vectors {
		words := make([]string, 0, len(v))
		for w := range v {
			words = append(words, w)
		}
		slices.Sort(words) // sums in one order
		length := 0.0
		for _, w := range words {
			v[w] = (1 + math.Log(v[w])) * math.Log(float64(len(rows))/documents[w])
			length += float64(v[w] * v[w])
		}
		for _, w := range words {
			v[w] /= math.Sqrt(max(length, 1e-9))
		}
	}
	return vectors
}

func dot(a, b map[string]float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	words := make([]string, 0, len(a))
	for w := range a {
		if b[w] != 0 {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	sum := 0.0
	for _, w := range words {
		sum += float64(a[w] * b[w])
	}
	return sum
}
