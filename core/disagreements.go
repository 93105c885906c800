package core

import (
	"slices"

	"github.com/cerasum/cerasum/internal/reading/disagreements"
)

// compare finds what the documents give different values for, once.
func (s *Session) compare() {
	if !s.cache.compared {
		s.cache.compared = true
		s.cache.outdated = map[Ref]bool{}
		found, deaths := disagreements.Find(s.cluster.Documents[:s.titles])
		s.cache.deaths = deaths
		for _, d := range found {
			values := make([]DisagreementValue, len(d.Values))
			for i, v := range d.Values {
				values[i] = DisagreementValue{Value: v.Text, Span: v.Span}
				if v.Outdated {
					s.cache.outdated[Ref{Document: v.Document, Sentence: v.Sentence}] = true
				}
			}
			s.cache.disagreements = append(s.cache.disagreements, Disagreement{What: d.What, Update: d.Update, Values: values})
		}
	}
}

// outdated returns the sentences with a value for which a newer document has another.
func (s *Session) outdated() map[Ref]bool {
	s.compare()
	return s.cache.outdated
}

// deaths returns the sentences that say how many people died.
func (s *Session) deaths() map[Ref]bool {
	s.compare()
	return s.cache.deaths
}

// disagreements lists what the documents give different values for. The caller gets a
// list of its own.
func (s *Session) disagreements() []Disagreement {
	s.compare()
	list := slices.Clone(s.cache.disagreements)
	for i := range list {
		list[i].Values = slices.Clone(list[i].Values)
	}
	return list
}
