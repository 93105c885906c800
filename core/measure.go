package core

import "github.com/cerasum/cerasum/internal/text"

// measure is the cost of each sentence and the budget, in the form that package
// selection takes.
type measure struct {
	cost   []int // of each sentence
	budget int
	// joint is the length of the separator of two sentences. It is part of every cost,
	// and one of them is added to the budget.
	joint int
}

// measureOf measures the texts of the job in the unit of the budget, once per session
// and unit.
func (j *job) measureOf(b Budget) measure {
	m := measure{budget: b.Amount}
	if b.Unit == Characters {
		m.joint = 1
		m.budget++
	}
	if m.cost = j.cache.cost[b.Unit]; m.cost != nil && !j.translated() {
		return m
	}
	count := text.CountSegments
	switch b.Unit {
	case Sentences:
		count = func(string) int { return 1 }
	case PaperWords:
		count = text.CountWords
	case Characters:
		count = text.CountCharacters
	}
	m.cost = make([]int, len(j.texts))
	for k, s := range j.texts {
		// A sentence that the document wraps is shown on one line.
		m.cost[k] = count(text.OneLine(s)) + m.joint
	}
	if !j.translated() {
		if j.cache.cost == nil {
			j.cache.cost = map[Unit][]int{}
		}
		j.cache.cost[b.Unit] = m.cost
	}
	return m
}

// used returns the cost of the rows.
func (m measure) used(rows []int) int {
	n := -m.joint
	for _, k := range rows {
		n += m.cost[k]
	}
	return max(0, n)
}
