package main

import (
	"errors"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// rounds of [components]. Each at least halves the length of paths, so that they suffice for
// any that occur.
const rounds = 8

func init() {
	for _, f := range []any{&turn{}, &largeStar{}, &smallStar{}, &centre{}} {
		beam.RegisterDoFn(f)
	}
}

// components returns the component of each number that pairs connect, with the least number of
// its component: the alternating algorithm of Kiveris et al., "Connected Components in
// MapReduce and Beyond" (2014). A worker holds the neighbours of one number: 8 bytes for each
// number of its component at the end.
func components(scope beam.Scope, pairs beam.PCollection) beam.PCollection {
	for range rounds {
		pairs = beam.ParDo(scope, &largeStar{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{Both: true}, pairs)))
		pairs = beam.ParDo(scope, &smallStar{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{}, pairs)))
	}
	return beam.ParDo(scope, &centre{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{Both: true}, pairs)))
}

// turn makes the larger number of a pair its key, or each of the two.
type turn struct{ Both bool }

func (t *turn) ProcessElement(a, b int64, emit func(int64, int64)) {
	if a != b {
		emit(max(a, b), min(a, b))
		if t.Both {
			emit(min(a, b), max(a, b))
		}
	}
}

// star are the neighbours of a number.
type star struct{ all []int64 }

// read reads them, each once, and returns the least of the number and them.
func (s *star) read(of int64, neighbours func(*int64) bool) int64 {
	s.all = s.all[:0]
	for n := int64(0); neighbours(&n); {
		s.all = append(s.all, n)
	}
	slices.Sort(s.all)
	s.all = slices.Compact(s.all)
	return min(of, s.all[0])
}

// largeStar connects the larger neighbours of a number with the least one.
type largeStar struct{ star star }

func (l *largeStar) ProcessElement(of int64, neighbours func(*int64) bool, emit func(int64, int64)) {
	m := l.star.read(of, neighbours)
	for _, n := range l.star.all {
		if n > of {
			emit(n, m)
		}
	}
}

// smallStar connects a number and its smaller neighbours with the least one.
type smallStar struct{ star star }

func (s *smallStar) ProcessElement(of int64, neighbours func(*int64) bool, emit func(int64, int64)) {
	m := s.star.read(of, neighbours)
	emit(of, m)
	for _, n := range s.star.all {
		if n != m {
			emit(n, m)
		}
	}
}

// centre returns the least number of a component, for each of its numbers.
type centre struct{ star star }

func (c *centre) ProcessElement(of int64, neighbours func(*int64) bool, emit func(int64, int64)) error {
	m := c.star.read(of, neighbours)
	for _, n := range c.star.all {
		// At the end each number has the centre as its only neighbour, or is one.
		if m < of && n != m {
			return errors.New("documents are connected by too long a chain of pairs")
		}
	}
	emit(of, m)
	return nil
}
