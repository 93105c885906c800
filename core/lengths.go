package core

import "github.com/cerasum/cerasum/internal/text"

// measure is a budget as the selection sees it: what each sentence costs, and
// how much there is.
type measure struct {
	cost   []int // of each sentence
	budget int
	// joint is what stands between two sentences: it is part of every cost,
	// and one of them too many is part of the budget.
	joint int
}

func (b Budget) measure(texts []string) measure {
	m := measure{cost: make([]int, len(texts)), budget: b.Amount}
	count := text.CountSegments
	switch b.Unit {
	case Sentences:
		count = func(string) int { return 1 }
	case PaperWords:
		count = text.CountWords
	case Characters:
		count = text.CountCharacters
		m.joint = 1
		m.budget++
	}
	for k, s := range texts {
		m.cost[k] = count(s) + m.joint
	}
	return m
}

// used is what the rows take of the budget.
func (m measure) used(rows []int) int {
	n := -m.joint
	for _, k := range rows {
		n += m.cost[k]
	}
	return max(0, n)
}
