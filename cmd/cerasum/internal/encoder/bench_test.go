package encoder

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/models"
)

// sampleSentences are 400 of a sample of the page, as many as ten articles have.
func sampleSentences(b *testing.B) []string {
	raw, err := os.ReadFile("../../../../web/demo/samples/en-long.json")
	if err != nil {
		b.Fatal(err)
	}
	var sample struct{ Documents []struct{ Text string } }
	if err := json.Unmarshal(raw, &sample); err != nil {
		b.Fatal(err)
	}
	var sentences []string
	for len(sentences) < 400 {
		for _, d := range sample.Documents {
			for _, s := range strings.SplitAfter(d.Text, ". ") {
				if len(s) > 30 && len(s) < 400 {
					sentences = append(sentences, s)
				}
			}
		}
	}
	return sentences[:400]
}

// BenchmarkShipped runs in Go, or in the library that CERASUM_ORT_LIBRARY names.
func BenchmarkShipped(b *testing.B) {
	files, err := models.Encoder()
	if err != nil {
		b.Skip(err)
	}
	texts := sampleSentences(b)
	open := func() *Model {
		m, err := OpenShipped(files, Options{ORTLibrary: os.Getenv("CERASUM_ORT_LIBRARY")})
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open().Close()
		}
	})
	m := open()
	defer m.Close()
	for name, some := range map[string][]string{"articles=1": texts[:40], "articles=10": texts} {
		b.Run(name, func(b *testing.B) {
			tokens, _, err := m.network.begin(b.Context(), some, false)
			if err != nil {
				b.Fatal(err)
			}
			sum := 0
			for _, n := range tokens {
				sum += n
			}
			for b.Loop() {
				if _, err := m.Embed(b.Context(), some, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(sum*b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
