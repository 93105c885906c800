package core

import (
	"slices"

	"github.com/cerasum/cerasum/internal/reading/disagreements"
)

// disagreements lists what the documents give different values for, computed once.
// The caller gets a list of its own.
func (s *Session) disagreements() []Disagreement {
	if !s.cache.compared {
		s.cache.compared = true
		for _, d := range disagreements.Find(s.cluster.Documents[:s.titles]) {
			values := make([]DisagreementValue, len(d.Values))
			for i, v := range d.Values {
				values[i] = DisagreementValue{Value: v.Text, Span: v.Span}
			}
			s.cache.disagreements = append(s.cache.disagreements, Disagreement{What: d.What, Update: d.Update, Values: values})
		}
	}
	list := slices.Clone(s.cache.disagreements)
	for i := range list {
		list[i].Values = slices.Clone(list[i].Values)
	}
	return list
}
