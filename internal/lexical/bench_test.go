package lexical

import (
	"context"
	"fmt"
	"testing"
)

func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		c := zipfCluster(n)
		size := 0
		for _, r := range c.Refs() {
			size += len(c.At(r).Text)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Analyze(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTFIDF(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		a := analyze(b, zipfCluster(n).Documents...)
		for _, bigrams := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/bigrams=%t", n, bigrams), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a.TFIDF(Weighting{Bigrams: bigrams, SingleDocument: 0.25, Background: 100})
				}
			})
		}
	}
}

func BenchmarkConcepts(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		a := analyze(b, zipfCluster(n).Documents...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Concepts()
			}
		})
	}
}

// BenchmarkFirstUse is what the first cluster in a language pays.
func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		languages.byTag = nil
		lookUp("en")
	}
}
