package disagreements

import (
	_ "embed"
	"strings"
	"sync"
)

// role is a bit set of what a word says about a number near it; vocabulary.txt
// explains them.
type role uint32

const (
	roleAnd role = 1 << iota
	roleAbout
	roleLeast
	roleMost
	rolePart
	roleMore
	roleWho
	roleDead
	roleHurt
	roleLost
	roleFled
	roleHeld
	roleVote
	roleMay
	roleHour
	roleMinute
	roleOf
	roleGrave
	roleTime
	roleTo
	rolePercent
)

// roleFates are what happened to people: each is a thing that documents count.
const roleFates = roleDead | roleHurt | roleLost | roleFled | roleHeld

var roleNames = strings.Fields("and about least most part more who dead hurt lost fled held vote may hour minute of grave time to percent")

// vocabularyText is what this package knows of a language, a list a line: the language, the list, its
// words in lower case. A word that ends in a hyphen stands for all that begin with it.
//
// num: 1 to 20, 30 to 90 by tens, 100, 1000, a million, a thousand million; "-" where
// there is none, or where it is an article too; forms are separated by slashes. tens:
// 21 to 99 without the tens, where they are one word.
// and: conjunctions, and what joins parts of a number. about, least, most: modifiers of
// a number. part: what makes a number part of another. more: what adds to one. who:
// people. of: what follows a number that is a part. grave: how badly. dead, hurt, lost, fled, held: what happened to them. vote: words of a vote. to: what
// joins its numbers, or a range. percent.
// may: other times, plans and conditions. time: units of time. months, days: from January, from Monday.
//
//go:embed vocabulary.txt
var vocabularyText string

// vocabulary is what vocabulary.txt says of a language.
type vocabulary struct {
	roles    map[string]role
	prefixes []prefix
	numbers  map[string]float64
	// months and days count from 1, January and Monday.
	months, days map[string]int
}

type prefix struct {
	text string
	role role
}

var vocabularies struct {
	sync.Mutex
	byLanguage map[string]*vocabulary
}

// vocabularyOf returns the vocabulary of a language; that of an unknown one is empty.
func vocabularyOf(language string) *vocabulary {
	vocabularies.Lock()
	defer vocabularies.Unlock()
	if v := vocabularies.byLanguage[language]; v != nil {
		return v
	}
	v := &vocabulary{map[string]role{}, nil, map[string]float64{}, map[string]int{}, map[string]int{}}
	known := false
	for line := range strings.Lines(vocabularyText) {
		tag, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if tag != language || language == "" {
			continue
		}
		known = true
		list, words, _ := strings.Cut(rest, " ")
		v.add(list, strings.Fields(words))
	}
	// Tags come from outside: unknown ones are not kept.
	if known {
		if vocabularies.byLanguage == nil {
			vocabularies.byLanguage = map[string]*vocabulary{}
		}
		vocabularies.byLanguage[language] = v
	}
	return v
}

func (v *vocabulary) add(list string, words []string) {
	switch list {
	case "num":
		for i, forms := range words {
			eachForm(forms, func(w string) { v.numbers[w] = listed(i) })
		}
		return
	case "tens":
		for i, forms := range words {
			eachForm(forms, func(w string) { v.numbers[w] = float64(21 + i/9*10 + i%9) })
		}
		return
	case "months", "days":
		to := v.months
		if list == "days" {
			to = v.days
		}
		for i, forms := range words {
			eachForm(forms, func(w string) { to[w] = i + 1 })
		}
		return
	}
	for i, name := range roleNames {
		if name != list {
			continue
		}
		for _, w := range words {
			if p, ok := strings.CutSuffix(w, "-"); ok {
				v.prefixes = append(v.prefixes, prefix{p, 1 << i})
			} else {
				v.roles[w] |= 1 << i
			}
		}
	}
}

func eachForm(forms string, f func(string)) {
	if forms == "-" {
		return
	}
	for _, w := range strings.Split(forms, "/") {
		f(w)
	}
}

// listed is the value of the i-th word of a list of numbers.
func listed(i int) float64 {
	switch {
	case i < 20:
		return float64(i + 1)
	case i < 27:
		return float64(10 * (i - 17))
	}
	return [...]float64{100, 1e3, 1e6, 1e9}[min(i-27, 3)]
}

// role returns the roles of a word in lower case.
func (v *vocabulary) role(word string) role {
	r := v.roles[word]
	for _, p := range v.prefixes {
		if strings.HasPrefix(word, p.text) {
			r |= p.role
		}
	}
	return r
}
