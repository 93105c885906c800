package core

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// floatOf makes an option of bits, which may be NaN and infinite; nil where bits is 0.
func floatOf(bits uint64) *float64 {
	if bits == 0 {
		return nil
	}
	v := math.Float64frombits(bits)
	return &v
}

// FuzzSummarize: any documents, embeddings and options give an error that says so, or
// the same summary each time. Documents end at "\x00", what is before "\x01" is their
// title; numbers are little-endian float32.
func FuzzSummarize(f *testing.F) {
	var methods []string
	for _, m := range Methods() {
		methods = append(methods, m.Name)
	}
	methods = append(methods, "headline", "oracle", "best")
	units := append(slices.Clone(Units), "", "lines")
	orders := []Order{"", OrderStory, OrderDocument, OrderRank, "random"}
	preselect := []string{"", "n_first", "n_best", "all", "last"}
	quote := [][]string{nil, {"en"}, {"pt", "und"}, {"xx-"}}

	var seed strings.Builder
	for _, d := range flood().Documents {
		seed.WriteString(d.Title + "\x01" + d.Text + "\x00")
	}
	var floats []byte
	for _, v := range hashed(strings.Fields(seed.String())[:20], 4) {
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(v))
	}
	for i := range methods {
		f.Add(uint8(i), 20+i, uint8(0), uint8(i), "", seed.String(), floats, uint8(4), 0, uint64(0))
		f.Add(uint8(i), i, uint8(i), uint8(0), "who said?", seed.String()+"O rio subiu na segunda-feira. Ninguém saiu de casa.", []byte{0, 0, 0x80, 0x7f}, uint8(1), i, math.Float64bits(0.5))
	}
	f.Fuzz(func(t *testing.T, method uint8, amount int, unit, choice uint8, query, texts string, floats []byte, dimensions uint8, search int, number uint64) {
		if len(texts) > 4096 || len(query) > 256 {
			t.Skip("too long to be quick")
		}
		var documents []Document
		for one := range strings.SplitSeq(texts, "\x00") {
			d := Document{Text: one}
			if title, text, ok := strings.Cut(one, "\x01"); ok {
				d.Title, d.Text = title, text
			}
			documents = append(documents, d)
		}
		o := Options{
			Method: methods[int(method)%len(methods)], Budget: Budget{amount, units[int(unit)%len(units)]}, Order: orders[int(choice)%len(orders)], Fill: choice&32 != 0,
			Query: query, QueryWeight: floatOf(number), QuoteLanguages: quote[choice>>6], DenseWeight: floatOf(number), LengthExponent: floatOf(number), PositionDecay: floatOf(number),
			N: search, BeamWidth: search % 64, Patience: search, Preselect: preselect[int(choice>>2)%len(preselect)],
		}
		if choice&16 != 0 {
			// Most inputs should get as far as a summary.
			o = supported(o)
			if o.Query == "" {
				o.QueryWeight = nil
			}
		}
		d := int(dimensions) % 8
		if o.Method == "cera" || o.Method == "cerai" {
			o.Weights = someWeights(max(1, d), 3, o.Method == "cerai")
		}
		if o.Method == "oracle" {
			o.References = []string{query}
		}
		finite := true
		next := func(n int) []float32 {
			list := make([]float32, n)
			for i := range list {
				if known := len(floats) / 4; known > 0 {
					list[i] = math.Float32frombits(binary.LittleEndian.Uint32(floats[4*(i%known):]))
				}
				finite = finite && !math.IsNaN(float64(list[i])) && !math.IsInf(float64(list[i]), 0)
			}
			return list
		}
		run := func() (*Session, *Summary, error) {
			s, err := Open(context.Background(), documents, OpenOptions{Titles: choice&8 != 0})
			if err != nil {
				return nil, nil, err
			}
			if dimensions&8 == 0 {
				if err := s.Embed(Embeddings{Data: next(len(s.Texts()) * d), Dimensions: d}); err != nil {
					return nil, nil, err
				}
				if !finite {
					t.Fatal("embeddings that are not finite are accepted")
				}
				if o.Query != "" && o.QueryEmbedding == nil {
					o.QueryEmbedding = next(d)
				}
			}
			summary, err := s.Summarize(context.Background(), o)
			return s, summary, err
		}
		s, summary, err := run()
		if err != nil {
			if !errors.Is(err, ErrOption) && !errors.Is(err, ErrNoText) || summary != nil {
				t.Fatalf("%+v, %v", summary, err)
			}
			return
		}
		if math.IsNaN(summary.Score) || math.IsInf(summary.Score, 0) {
			t.Fatalf("score %v", summary.Score)
		}
		checkSummary(t, s.Documents(), summary)
		if summary.OverBudget && len(summary.Sentences) != 1 {
			t.Errorf("%d sentences, over budget", len(summary.Sentences))
		}
		if _, again, err := run(); err != nil || !reflect.DeepEqual(again, summary) {
			t.Fatalf("%+v, then %+v, %v", summary, again, err)
		}
		for _, q := range summary.Sentences {
			if allowed := o.QuoteLanguages; allowed != nil && !slices.ContainsFunc(allowed, func(tag string) bool {
				language := s.Documents()[q.Document].Language
				return tag == language || tag == "und" && language == ""
			}) {
				t.Errorf("quoted %v, of %v", q.Ref, allowed)
			}
		}
	})
}
