package main

import (
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// rounds of [components], with two shuffles each. Each about halves the distance of numbers
// from the least one of their component.
const rounds = 8

func init() {
	for _, f := range []any{&turn{}, &largeStar{}, &smallStar{}, &centre{}, &union{}, &relabel{}} {
		beam.RegisterDoFn(f)
	}
}

// components returns the component of each number that pairs connect, with the least number of
// its component: some rounds of the alternating algorithm of Kiveris et al., "Connected
// Components in MapReduce and Beyond" (2014). A worker holds the neighbours of one number: 8
// bytes for each number of its component at the end. Longer chains than the rounds can follow
// leave pairs, which one worker joins; all of them are in its memory.
func components(scope beam.Scope, pairs beam.PCollection, rounds int) beam.PCollection {
	for range rounds {
		pairs = beam.ParDo(scope, &largeStar{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{Both: true}, pairs)))
		pairs = beam.ParDo(scope, &smallStar{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{}, pairs)))
	}
	centres, left := beam.ParDo2(scope, &centre{}, beam.GroupByKey(scope, beam.ParDo(scope, &turn{Both: true}, pairs)))
	joined := beam.ParDo(scope, &union{}, beam.GroupByKey(scope, left))
	return beam.ParDo(scope, &relabel{}, centres, beam.SideInput{Input: joined})
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

// pair of connected numbers.
type pair struct{ A, B int64 }

// centre returns the least neighbour of each number, or itself, and the pairs that are left: if
// all of a component is done, its least number is the only neighbour of each other one.
type centre struct{ star star }

func (c *centre) ProcessElement(of int64, neighbours func(*int64) bool, emit func(int64, int64), left func(int, pair)) {
	m := c.star.read(of, neighbours)
	emit(of, m)
	if m == of || len(c.star.all) == 1 {
		return
	}
	left(0, pair{of, m})
	for _, n := range c.star.all {
		if n < of && n != m {
			left(0, pair{n, m})
		}
	}
}

// union returns the least of all numbers that pairs connect, for each but that one.
type union struct{}

func (*union) ProcessElement(_ int, pairs func(*pair) bool, emit func(int64, int64)) {
	smaller := map[int64]int64{} // another number of the component
	least := func(n int64) int64 {
		for m, ok := smaller[n]; ok; m, ok = smaller[n] {
			if further, ok := smaller[m]; ok {
				smaller[n] = further
			}
			n = m
		}
		return n
	}
	for p := (pair{}); pairs(&p); {
		if a, b := least(p.A), least(p.B); a != b {
			smaller[max(a, b)] = min(a, b)
		}
	}
	for n := range smaller {
		emit(n, least(n))
	}
}

// relabel replaces the centres that [union] has joined.
type relabel struct{ joined map[int64]int64 }

func (r *relabel) ProcessElement(of, centre int64, joined func(*int64, *int64) bool, emit func(int64, int64)) {
	if r.joined == nil {
		r.joined = map[int64]int64{}
		for n, to := int64(0), int64(0); joined(&n, &to); {
			r.joined[n] = to
		}
	}
	if to, ok := r.joined[centre]; ok {
		centre = to
	}
	emit(of, centre)
}
