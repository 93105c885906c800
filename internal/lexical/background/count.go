package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

// genre tells the two kinds of corpora apart.
type genre int

const (
	news     genre = iota // by journalists and encyclopedists: few sentences
	everyday              // for learners of languages: many, short
)

const (
	// prior is the number of news sentences that the everyday corpus is
	// worth: it settles what a few thousand sentences of news leave open.
	prior = 500
	// leastCount is the (smoothed) number of news sentences with a term below
	// which its share is chance.
	leastCount = 2
	// mostTerms bounds the terms of a language, fewerTerms those of the
	// languages that are not among the widest: a thousand terms are hardly better
	// than five hundred, and twice as heavy in a page.
	mostTerms  = 1000
	fewerTerms = 500
	// leastSentences bounds the languages.
	leastSentences = 3000
	// batch is the number of sentences analysed at once.
	batch = 20000
)

// widest are the languages that get mostTerms.
var widest = strings.Fields("de en es fr it pt ru tr")

// frequency counts the sentences of one genre of a language.
type frequency struct {
	sentences int
	df        map[string]int // sentences that contain a term
	pending   []cluster.Sentence
}

// language holds the frequencies of one language by genre.
type language [2]frequency

// counts holds the languages by tag.
type counts map[string]*language

// add returns a function that counts sentences of a genre.
func (c counts) add(ctx context.Context, g genre) emit {
	return func(tag, sentence string) error {
		if tag == "nb" {
			tag = "no"
		}
		l := c[tag]
		if l == nil {
			l = &language{}
			c[tag] = l
		}
		f := &l[g]
		f.pending = append(f.pending, cluster.Sentence{Text: sentence})
		if len(f.pending) < batch {
			return nil
		}
		return f.count(ctx, tag)
	}
}

// flush counts what is pending.
func (c counts) flush(ctx context.Context) error {
	for tag, l := range c {
		for g := range l {
			if err := l[g].count(ctx, tag); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *frequency) count(ctx context.Context, tag string) error {
	a, err := lexical.Analyze(ctx, &cluster.Cluster{Documents: []cluster.Document{
		{Language: tag, Sentences: f.pending},
	}})
	if err != nil {
		return err
	}
	if f.df == nil {
		f.df = map[string]int{}
	}
	for _, terms := range a.Sentences {
		texts := make([]string, len(terms))
		for i, t := range terms {
			texts[i] = a.Terms[t].Text
		}
		slices.Sort(texts)
		for _, t := range slices.Compact(texts) {
			f.df[t]++
		}
	}
	f.sentences += len(a.Sentences)
	f.pending = nil
	return nil
}

// shares returns the most terms that are common enough, in byte order.
func (l *language) shares(most int) []share {
	if l[news].sentences+l[everyday].sentences < leastSentences {
		return nil
	}
	type candidate struct {
		term  string
		count float64
	}
	var all []candidate
	for g := range l {
		for term := range l[g].df {
			if genre(g) == everyday && l[news].df[term] > 0 {
				continue // was there among the news
			}
			n := float64(l[news].df[term])
			if l[everyday].sentences > 0 {
				n += prior * float64(l[everyday].df[term]) / float64(l[everyday].sentences)
			}
			if n >= leastCount {
				all = append(all, candidate{term, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.term, b.term))
	})
	var out []share
	for _, c := range all[:min(len(all), most)] {
		p := c.count / float64(l[news].sentences+prior)
		level := int(math.Round(-2 * math.Log2(p)))
		if level < lexical.Levels {
			out = append(out, share{c.term, level})
		}
	}
	slices.SortFunc(out, func(a, b share) int { return strings.Compare(a.term, b.term) })
	return out
}
