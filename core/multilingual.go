package core

import "context"

// multilingualWeight is the share of the embeddings in the cosines of method
// multilingual.
const multilingualWeight = 0.3

// runMultilingual is runInstant in the space of embeddings and TF-IDF vectors
// together, where what is central in meaning is central in every language.
func runMultilingual(ctx context.Context, j *job) (choice, error) {
	return j.cover(ctx, instantRecipe)
}

// multilingual tells whether there are documents in different languages. One
// whose language could not be told does not count.
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
