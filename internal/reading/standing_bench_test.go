package reading_test

import (
	"testing"

	"github.com/cerasum/cerasum/internal/reading"
)

// BenchmarkStanding judges ten documents of 40 sentences.
func BenchmarkStanding(b *testing.B) {
	for _, language := range []string{"en", "zh"} {
		b.Run(language, func(b *testing.B) {
			var document []string
			for len(document) < 40 {
				for _, c := range standing {
					if c.language == language {
						document = append(append(document, c.leans...), c.alone...)
					}
				}
			}
			document = document[:40]
			for b.Loop() {
				for range 10 {
					reading.Standing(document, language)
				}
			}
		})
	}
}
