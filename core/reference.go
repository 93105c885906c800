package core

import (
	"context"

	"github.com/cerasum/cerasum/core/cluster"
)

// ReferenceSentences splits reference summaries into the sentences that method
// oracle uses: row k of Options.ReferenceEmbeddings belongs to the k-th. If all
// documents of the session are in one language, the references are assumed to
// be, too.
func (s *Session) ReferenceSentences(ctx context.Context, references []string) ([]string, error) {
	if s.closed() {
		return nil, ErrClosed
	}
	r, err := s.readReferences(ctx, references)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, ref := range r.Refs() {
		texts = append(texts, r.At(ref).Text)
	}
	return texts, nil
}

// readReferences makes a prepared cluster of reference summaries.
func (s *Session) readReferences(ctx context.Context, references []string) (*cluster.Cluster, error) {
	language, r := s.commonLanguage(), &cluster.Cluster{}
	for _, text := range references {
		r.Documents = append(r.Documents, cluster.Document{Text: text, Language: language})
	}
	return r, Prepare(ctx, r.Documents)
}

// commonLanguage is the language of all documents that have sentences; empty if
// there are several.
func (s *Session) commonLanguage() string {
	language, found := "", false
	for i := range s.cluster.Documents {
		d := &s.cluster.Documents[i]
		switch {
		case len(d.Sentences) == 0:
		case !found:
			language, found = d.Language, true
		case d.Language != language:
			return ""
		}
	}
	return language
}
