package core

import (
	"cmp"
	"context"
	"slices"
)

// part is the documents of one topic, opened by themselves.
type part struct {
	*Session
	documents []int // of the whole session
	topic     int
}

const (
	// dividedDocuments is the largest number of documents that are divided by topic.
	dividedDocuments = 50
	// dividedSentences is the mean number of sentences from which on documents have
	// enough words to tell their topic.
	dividedSentences = 5
	// partWords is the length of a text that is worth a share of the summary: shorter ones
	// are mostly notices.
	partWords = 80
	// partSentences is the room that a topic should have, in sentences of mean length, and
	// leastSentences that below which it is left out.
	partSentences, leastSentences = 2, 1.2
)

// parts divides the documents by topic if no topic is that of most of them: if they are
// open tabs, say, rather than reports of an event. Otherwise it returns nil. The topic of
// the most documents is first. Documents in several languages have no words in common to
// tell by, and a question, Options.Fill and Options.QuoteLanguages decide by themselves what
// is quoted.
func (j *job) parts(ctx context.Context) ([]part, error) {
	if j.options.Fill || j.options.Query != "" || j.support != nil || j.translated() || j.multilingual() {
		return nil, nil
	}
	if !j.cache.divided {
		parts, err := j.divide(ctx)
		if err != nil {
			return nil, err
		}
		j.cache.parts, j.cache.divided = parts, true
	}
	return j.cache.parts, nil
}

func (s *Session) divide(ctx context.Context) ([]part, error) {
	documents := s.documentsWithSentences()
	if documents < 2 || documents > dividedDocuments || s.firstRow(s.titles) < dividedSentences*documents {
		return nil, nil
	}
	var parts []part
	for d, topic := range s.analysis.Topics(s.titles) {
		if topic < 0 {
			continue
		}
		i := slices.IndexFunc(parts, func(p part) bool { return p.topic == topic })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{topic: topic})
		}
		parts[i].documents = append(parts[i].documents, d)
	}
	// Indices are sorted, as elsewhere: sorting another type makes the page's program larger.
	var order []int
	for i, p := range parts {
		if s.wordsOf(p.documents) >= partWords {
			order = append(order, i)
		}
	}
	if len(order) < 2 {
		return nil, nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(parts[b].documents) - len(parts[a].documents) })
	sorted := make([]part, len(order))
	for i, k := range order {
		sorted[i] = parts[k]
	}
	parts = sorted
	if 2*len(parts[0].documents) > documents {
		return nil, nil
	}
	for i := range parts {
		own := make([]Document, len(parts[i].documents))
		for k, d := range parts[i].documents {
			own[k] = s.cluster.Documents[d]
		}
		var err error
		if parts[i].Session, err = Open(ctx, own, OpenOptions{}); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// runParts summarizes each part with its share of the budget, and quotes one sentence of
// each if the share has room for no more; what one leaves is for those after it. Without
// parts, or if the whole text fits, it chooses nothing.
func (j *job) runParts(ctx context.Context, parts []part, params editorParams) (choice, error) {
	all, text := 0, j.measure.cost[:j.firstRow(j.titles)]
	for _, n := range text {
		all += n
	}
	if len(parts) == 0 || all <= j.measure.budget {
		return choice{}, nil
	}
	a, err := j.salienceTarget(ctx, params.salience)
	if err != nil {
		return choice{}, err
	}
	r := choice{rows: a.rows, centroid: a.centroid, attention: attention(a.rows, a.weights), opening: make([]float64, len(j.refs)), topics: make([]int, len(j.cluster.Documents))}
	for i := range r.topics {
		r.topics[i] = -1 // titles, and documents that are left out
	}
	mean := float64(all) / float64(len(text))
	usual, least := int(partSentences*mean), int(leastSentences*mean)
	left := j.measure.budget
	for i, p := range parts {
		if left < least {
			break
		}
		share := left / (len(parts) - i)
		sub := &job{Session: p.Session, options: j.options, texts: p.texts}
		sub.measure = sub.measureOf(j.options.Budget)
		sub.measure.budget = min(left, max(share, usual))
		chosen, err := sub.runEditorWith(ctx, params)
		if err != nil {
			return choice{}, err
		}
		if chosen.OverBudget || len(chosen.Rows) == 0 {
			continue
		}
		if share < usual {
			chosen.only(chosen.best())
		}
		whole := j.rowsOfPart(p)
		for k, z := range chosen.opening {
			r.opening[whole[k]] = z
		}
		for _, d := range p.documents {
			r.topics[d] = p.topic
		}
		for _, k := range chosen.Rows {
			r.Rows = append(r.Rows, whole[k])
			left -= sub.measure.cost[k]
		}
		for i, k := range chosen.Rank {
			r.Rank, r.Gain = append(r.Rank, whole[k]), append(r.Gain, chosen.Gain[i])
		}
		r.Score += chosen.Score
	}
	slices.Sort(r.Rows)
	return r, nil
}

// best is the chosen row that opens a summary best.
func (r *choice) best() int {
	return slices.MaxFunc(r.Rows, func(a, b int) int { return cmp.Or(cmp.Compare(r.opening[a], r.opening[b]), cmp.Compare(b, a)) })
}

// only removes all rows but one.
func (r *choice) only(k int) {
	gain := r.Gain[slices.Index(r.Rank, k)]
	r.Rows, r.Rank, r.Gain, r.Score = []int{k}, []int{k}, []float64{gain}, gain
}

// rowsOfPart returns the row of the whole session for each row of a part.
func (j *job) rowsOfPart(p part) []int {
	rows := make([]int, len(p.refs))
	for k, ref := range p.refs {
		rows[k] = j.firstRow(p.documents[ref.Document]) + ref.Sentence
	}
	return rows
}

// wordsOf counts the words of documents.
func (s *Session) wordsOf(documents []int) int {
	n := 0
	for _, d := range documents {
		first := s.firstRow(d)
		for k := range s.cluster.Documents[d].Sentences {
			n += s.words[first+k]
		}
	}
	return n
}

// firstRow is the row of the first sentence of a document.
func (s *Session) firstRow(document int) int {
	n := 0
	for _, d := range s.cluster.Documents[:document] {
		n += len(d.Sentences)
	}
	return n
}
