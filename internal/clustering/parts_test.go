package clustering

import (
	"context"
	"slices"
	"testing"
	"time"
)

// inParts clusters like [Finder], step by step, with blocks of 30 texts.
func inParts(t *testing.T, o Options, features []*Features, dates []time.Time) []int {
	t.Helper()
	all := make([]Sketched, len(features))
	for i, f := range features {
		all[i] = Sketched{Doc: int64(i), First: UnknownFirst, Last: UnknownLast, Sketch: f.Sketch()}
		if !dates[i].IsZero() {
			all[i].First, all[i].Last = dates[i].Unix(), dates[i].Unix()
		}
	}
	texts := Texts(o, all)
	terms := int64(0)
	for _, x := range texts {
		terms += int64(len(features[x.Doc].terms))
	}
	bits := Slots(terms)
	df, used := map[int32]int64{}, map[int32]int64{}
	for _, x := range texts {
		for _, term := range features[x.Doc].terms {
			df[Slot(int64(term.hash), bits)]++
		}
	}
	vectors := make([]Vector, len(texts))
	for i, x := range texts {
		vectors[i] = Vector{Doc: x.Doc, First: x.First, Last: x.Last, Notice: x.Notice}
		hashes, counts := features[x.Doc].Terms()
		vectors[i].SetTerms(hashes, counts, bits, int64(len(texts)), func(slot uint32) uint32 { return uint32(df[int32(slot)]) })
		for _, slot := range vectors[i].Terms {
			used[slot]++
		}
	}
	for i := range vectors {
		vectors[i].Choose(func(slot int32) int64 { return used[slot] })
	}
	var blocks []*Block
	for part := range slices.Chunk(slices.Clone(vectors), 30) {
		blocks = append(blocks, NewBlock(o, part))
	}
	linked := make([]Linked, len(texts))
	levels := map[int64]float32{}
	for i, x := range texts {
		linked[i] = Linked{Doc: x.Doc, First: x.First, Last: x.Last, Copies: x.Copies}
		if x.Notice {
			continue
		}
		var found []Neighbours
		for _, b := range blocks {
			found = append(found, b.Search(&vectors[i]))
		}
		linked[i].To, linked[i].Similarities, levels[x.Doc] = Nearest(o, found)
	}
	for _, l := range linked {
		for k, to := range l.To {
			l.Similarities[k] = Above(l.Similarities[k], levels[l.Doc], levels[to])
		}
	}
	for i := range linked {
		l := &linked[i]
		to, similarities := l.To, l.Similarities
		l.To, l.Similarities = nil, nil
		for k, s := range similarities {
			if s > 0 {
				l.To, l.Similarities = append(l.To, to[k]), append(l.Similarities, s)
			}
		}
	}
	merged, err := Merge(context.Background(), o, linked)
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, len(features))
	first := map[int64]int64{}
	for i, x := range texts {
		if at, ok := first[merged[i]]; !ok || x.Doc < at {
			first[merged[i]] = x.Doc
		}
	}
	for i, x := range texts {
		for _, m := range x.Members {
			labels[m] = int(first[merged[i]])
			if x.Notice {
				labels[m] = int(m)
			}
		}
	}
	return labels
}

func TestInParts(t *testing.T) {
	var features []*Features
	var dates []time.Time
	a := NewAnalyzer()
	for v := range 4 {
		for i := range 60 {
			text := event("fr", i, v)
			if v == 3 && i%3 == 0 {
				text = event("fr", i%6, 0) + " Encore une fois." // copies, of some texts many
			}
			date := time.Date(2026, 4, 1+i%9+3*v, 0, 0, 0, 0, time.UTC)
			if i%7 == 0 {
				date = time.Time{}
			}
			features, dates = append(features, a.Features("", text, "fr")), append(dates, date)
		}
	}
	for name, o := range map[string]Options{
		"defaults": {},
		"limits":   {Within: 100 * time.Hour, Max: 3, EventSize: 2, Threshold: 0.07},
		"notices":  {MaxCopies: 4, EventSize: 4},
	} {
		o.Folder = t.TempDir()
		f, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range features {
			if err := f.Add(features[i], dates[i]); err != nil {
				t.Fatal(err)
			}
		}
		want, err := f.Clusters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if got := inParts(t, o, features, dates); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		if distinct := len(slices.Compact(slices.Sorted(slices.Values(want)))); distinct < 20 || distinct > 200 {
			t.Errorf("%s: %d clusters", name, distinct)
		}
	}
}
