package main

import (
	"context"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/cerasum/cerasum/batch"
)

// The counters of package batch as those of Beam, which are whole numbers: seconds
// are counted as microseconds. A label follows the name: "left_out too_long",
// "stage_microseconds select".

const microseconds = "_microseconds"

// metricOf returns the name of a counter in Beam.
func metricOf(k *batch.Counter, label string) string {
	name := k.Name
	if k.Unit != "" {
		name += microseconds
	}
	return strings.TrimSuffix(name+" "+label, " ")
}

// counters adds counts to Beam's counters. A worker calls it from one goroutine at
// a time.
type counters struct {
	made map[string]beam.Counter
	rest map[string]float64 // less than a microsecond
}

func (s *counters) add(ctx context.Context, c *batch.Counts) {
	if s.made == nil {
		s.made, s.rest = map[string]beam.Counter{}, map[string]float64{}
	}
	c.Each(func(k *batch.Counter, label string, n float64) {
		name := metricOf(k, label)
		if k.Unit != "" {
			n *= 1e6
		}
		n += s.rest[name]
		whole := int64(n)
		s.rest[name] = n - float64(whole)
		counter, ok := s.made[name]
		if !ok {
			counter = beam.NewCounter(namespace, name)
			s.made[name] = counter
		}
		counter.Inc(ctx, whole)
	})
}

// countsOf returns the values of Beam's counters as counts.
func countsOf(values map[string]int64) *batch.Counts {
	c := &batch.Counts{LeftOut: map[string]int64{}, Seconds: map[string]float64{}}
	for i := range batch.Counters {
		k := &batch.Counters[i]
		for _, label := range append([]string{""}, k.Values...) {
			n := float64(values[metricOf(k, label)])
			if k.Unit != "" {
				n /= 1e6
			}
			c.Set(k, label, n)
		}
	}
	return c
}
