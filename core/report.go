package core

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/text"
)

const (
	// nearDuplicate is the cosine of word counts above which two sentences are
	// near-duplicates: only one of them is quoted.
	nearDuplicate = 0.8
	// similarFrom is the least cosine of a sentence listed as similar, and maxSimilar
	// the number listed.
	similarFrom = 0.3
	maxSimilar  = 5
)

// report converts the selected rows to quotes with similar sentences, and computes
// the coverage of the documents.
func (j *job) report(ctx context.Context, r choice, order Order) (*Summary, error) {
	plain := j.tfidf(plainWeighting)
	nearest := make([]float64, len(j.refs)) // highest cosine to a quoted sentence
	quotes := make(map[int]Quote, len(r.Rows))
	n := len(j.refs)
	cosines, words := make([]float64, n), make([]float64, n)
	chosen := make(map[cluster.Ref]bool, len(r.Rows))
	for _, k := range r.Rows {
		chosen[j.refs[k]] = true
	}
	across := j.translations()
	for _, k := range r.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		plain.GramRowTo(cosines, k)
		j.wording().GramRowTo(words, k)
		for i, v := range words {
			if v > nearDuplicate {
				cosines[i] = max(cosines[i], v)
			}
		}
		across.of(k, func(i int, cosine float64) { cosines[i] = max(cosines[i], cosine) })
		cosines[k] = 1
		for i, v := range cosines {
			nearest[i] = max(nearest[i], min(v, 1))
		}
		quotes[k] = Quote{
			Ref:      j.refs[k],
			Sentence: *j.cluster.At(j.refs[k]),
			Similar:  j.similar(k, cosines, chosen),
			Context:  j.context(j.refs[k], chosen),
		}
	}
	scores := centroid.Cosines(r.rows, r.centroid)
	for i, k := range r.Rank {
		q := quotes[k]
		q.Gain, q.Score = r.Gain[i], scores[k]
		quotes[k] = q
	}
	s := &Summary{Used: j.measure.used(r.Rows), OverBudget: r.OverBudget, Score: r.Score}
	rows := r.Rows
	switch order {
	case OrderRank:
		rows = r.Rank
	case OrderStory:
		rows = j.story(r)
	}
	var lines strings.Builder
	for i, k := range rows {
		if i > 0 {
			lines.WriteByte('\n')
		}
		lines.WriteString(text.OneLine(quotes[k].Text))
		s.Sentences = append(s.Sentences, quotes[k])
	}
	s.Text = lines.String()
	s.Documents = j.documents(nearest, r.attention, chosen)
	s.Disagreements = j.disagreements()
	return s, nil
}

// context lists the sentences before a quoted one that it leans on and that are not
// quoted themselves.
func (j *job) context(r cluster.Ref, chosen map[cluster.Ref]bool) (list []cluster.Ref) {
	for _, i := range reading.Context(j.standing()[r.Document], r.Sentence) {
		if before := (cluster.Ref{Document: r.Document, Sentence: i}); !chosen[before] {
			list = append(list, before)
		}
	}
	return list
}

// similar lists the sentences of other documents most similar to row k, nearest
// first, one per document. Quoted sentences are not listed.
func (j *job) similar(k int, cosines []float64, chosen map[cluster.Ref]bool) []Similar {
	best := map[int]int{} // row of the nearest sentence of each document
	for i, v := range cosines {
		d := j.refs[i].Document
		if v < similarFrom || d == j.refs[k].Document || chosen[j.refs[i]] {
			continue
		}
		if b, ok := best[d]; !ok || v > cosines[b] {
			best[d] = i
		}
	}
	list := make([]Similar, 0, maxSimilar+1)
	for d := range j.cluster.Documents {
		i, ok := best[d]
		if !ok {
			continue
		}
		list = append(list, Similar{j.refs[i], min(cosines[i], 1)})
		for at := len(list) - 1; at > 0 && list[at-1].Cosine < list[at].Cosine; at-- {
			list[at-1], list[at] = list[at], list[at-1]
		}
		list = list[:min(maxSimilar, len(list))]
	}
	return list
}

func (j *job) documents(nearest, attention []float64, chosen map[cluster.Ref]bool) []DocumentReport {
	list := make([]DocumentReport, len(j.cluster.Documents))
	for i := range list {
		d := &j.cluster.Documents[i]
		list[i] = DocumentReport{Source: d.Source, Title: d.Title, Language: d.Language, Sentences: len(d.Sentences)}
		if attention != nil {
			list[i].Attention = make([]float64, 0, len(d.Sentences))
		}
	}
	for k, r := range j.refs {
		d := &list[r.Document]
		d.Coverage += nearest[k] / float64(d.Sentences)
		if chosen[r] {
			d.Chosen++
		}
		if attention != nil {
			d.Attention = append(d.Attention, attention[k])
		}
	}
	for i := range list {
		list[i].Coverage = min(list[i].Coverage, 1)
	}
	return list
}
