package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// The invented language and its events. The numbers are like those of news: the words of
// a text follow Zipf's law, an event is reported once to some hundred times, 3 times on
// average, and one report in twenty is a copy of another.
const (
	vocabulary   = 300_000
	topics       = 500 // whose events share words
	topicWords   = 150
	names        = 15     // words of an event that few others have
	sentences    = 14     // of a report, on average
	sentenceSize = 20     // words
	pending      = 20_000 // reports among which the next one is chosen
)

// invent writes n documents with the fields id, event, date and text. It writes the same ones
// for the same n. An event has the same reports for every n; the order of the documents differs.
func invent(out io.Writer, n int) error {
	lines := json.NewEncoder(out)
	order := rand.New(rand.NewPCG(2, 2))
	var waiting []report
	for i, number := 0, 0; i < n; i++ {
		for len(waiting) < min(pending, n-i) {
			waiting = append(waiting, reports(number)...)
			number++
		}
		k := order.IntN(len(waiting))
		r := waiting[k]
		waiting[k] = waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		r.ID = fmt.Sprint(i)
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

type report struct {
	ID    string    `json:"id"`
	Event string    `json:"event"`
	Date  time.Time `json:"date"`
	Text  string    `json:"text"`
}

// reports returns those of an event.
func reports(number int) []report {
	random := rand.New(rand.NewPCG(1, uint64(number)))
	common := rand.NewZipf(random, 1.1, 4, vocabulary-1)
	topic := random.IntN(topics)
	own := make([]string, names)
	for i := range own {
		own[i] = name(random)
	}
	word := func() string {
		switch p := random.IntN(100); {
		case p < 5:
			return own[int(float64(names)*random.Float64()*random.Float64())]
		case p < 15:
			// Words in the middle of the vocabulary, other ones for each topic.
			return spell(1000 + (topic*topicWords*7+random.IntN(topicWords)*13)%50_000)
		default:
			return spell(int(common.Uint64()))
		}
	}
	sentence := func() string {
		words := make([]string, sentenceSize/2+random.IntN(sentenceSize))
		for i := range words {
			words[i] = word()
		}
		s := strings.Join(words, " ")
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
	// What happened, of which each report tells a part in its own order.
	facts := make([]string, sentences)
	for i := range facts {
		facts[i] = sentence()
	}
	// Few events have many reports: 4 of 10 have one, one in a thousand over 90.
	size := min(int(1.5*math.Pow(1-random.Float64(), -0.6)), 600)
	date := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(number) * time.Minute)
	all := make([]report, size)
	for i := range all {
		all[i] = report{Event: fmt.Sprint(number), Date: date.Add(time.Duration(random.IntN(48*60)) * time.Minute)}
		if i > 0 && random.IntN(20) == 0 {
			all[i].Text = all[random.IntN(i)].Text + " " + strings.Join([]string{spell(random.IntN(vocabulary)), spell(random.IntN(vocabulary))}, " ") + "."
			continue
		}
		parts := make([]string, sentences/2+random.IntN(sentences))
		for k := range parts {
			if parts[k] = sentence(); random.IntN(2) == 0 {
				parts[k] = facts[random.IntN(len(facts))]
			}
		}
		all[i].Text = strings.Join(parts, " ")
	}
	return all
}

var syllables = strings.Fields("ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bran cel dor fin gal hem jor kan lit mor nes pol quin ras sten tor ull ven wil yar")

// spell returns the word with a rank; no two ranks have the same word.
func spell(rank int) string {
	var b strings.Builder
	for n := rank + len(syllables); n > 0; n /= len(syllables) {
		b.WriteString(syllables[n%len(syllables)])
	}
	return b.String()
}

// name returns one of four million names.
func name(random *rand.Rand) string { return "Mc" + spell(random.IntN(4_000_000)) }
