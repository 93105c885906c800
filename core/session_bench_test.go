package core

import (
	"testing"
)

// BenchmarkOpen opens ten documents of 40 sentences.
func BenchmarkOpen(b *testing.B) {
	documents := large(10, 40).Documents
	for i := range documents {
		documents[i].Sentences = nil
	}
	for b.Loop() {
		if _, err := Open(b.Context(), documents, OpenOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSessionSummarize summarizes them at lengths that change, as a slider
// does.
func BenchmarkSessionSummarize(b *testing.B) {
	s, err := Open(b.Context(), large(10, 40).Documents, OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range Methods() {
		if m.Embeddings == EmbeddingsRequired {
			continue
		}
		b.Run(m.Name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := s.Summarize(b.Context(), Options{Method: m.Name, Budget: Budget{50 + i%20*10, Words}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
