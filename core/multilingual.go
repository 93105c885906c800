package core

import "context"

// multilingualWeight is the default dense weight of method multilingual.
const multilingualWeight = 0.3

// runMultilingual is runInstant on embeddings and TF-IDF vectors together, so that
// centrality does not depend on the language.
func runMultilingual(ctx context.Context, j *job) (choice, error) {
	return j.cover(ctx, instantParams)
}

// multilingual reports whether the documents are in several languages. Documents of
// unknown language do not count.
func (s *Session) multilingual() bool {
	first := ""
	for i := range s.cluster.Documents {
		d := &s.cluster.Documents[i]
		switch {
		case len(d.Sentences) == 0 || d.Language == "":
		case first == "":
			first = d.Language
		case d.Language != first:
			return true
		}
	}
	return false
}
