package tokenizer

import (
	"errors"
	"sync"
	"unicode/utf8"
)

// program is a compiled regular expression. It is run by backtracking that remembers
// which forks were tried at each place, in lookarounds too, so that the time is linear
// in the length of the text.
type program struct {
	code     []instruction
	forks    int
	backward bool // matches from its end to its start: a lookbehind
	first    *set // the first characters of all matches; nil if a match may be empty
	scratch  sync.Pool
}

type instruction struct {
	op   opcode
	set  *set
	x, y int      // the next instructions: x is tried before y
	fork int      // number of the fork
	look *program // the expression of a lookaround
	not  bool
}

type opcode uint8

const (
	opSet opcode = iota
	opFork
	opLook
	opMatch
)

// maxProgram is the maximum number of instructions of a program with its lookarounds.
const maxProgram = 1 << 15

func compile(e *expr) (*program, error) {
	c := &compiler{}
	p := c.program(e, false)
	if c.size > maxProgram {
		return nil, errors.New("the expression is too long")
	}
	return p, nil
}

type compiler struct {
	p    *program
	size int
}

func (c *compiler) program(e *expr, backward bool) *program {
	outer := c.p
	p := &program{backward: backward}
	c.p = p
	defer func() { c.p = outer }()
	start := c.emit(e, c.add(instruction{op: opMatch}))
	if c.size > maxProgram {
		return p
	}
	// The first instruction run is the last one written.
	p.code = append(p.code, p.code[start])
	first := new(set)
	if p.firsts(first, map[int]bool{}, start) {
		p.first = first.seal()
	}
	p.scratch.New = func() any { return new(machine) }
	return p
}

func (c *compiler) add(i instruction) int {
	if c.size++; c.size > maxProgram {
		return 0 // the program will be refused
	}
	if i.op == opFork {
		i.fork = c.p.forks
		c.p.forks++
	}
	c.p.code = append(c.p.code, i)
	return len(c.p.code) - 1
}

// emit writes the code of an expression that continues at next, and returns its first
// instruction.
func (c *compiler) emit(e *expr, next int) int {
	if c.size > maxProgram {
		return next
	}
	switch e.op {
	case exprSet:
		return c.add(instruction{op: opSet, set: e.set, x: next})
	case exprConcat:
		if c.p.backward {
			for _, child := range e.children {
				next = c.emit(child, next)
			}
			return next
		}
		for i := len(e.children) - 1; i >= 0; i-- {
			next = c.emit(e.children[i], next)
		}
		return next
	case exprAlternate:
		last := c.emit(e.children[len(e.children)-1], next)
		for i := len(e.children) - 2; i >= 0; i-- {
			last = c.fork(c.emit(e.children[i], next), last, false)
		}
		return last
	case exprLook:
		look := c.program(e.children[0], e.behind)
		if c.size > maxProgram {
			return next
		}
		return c.add(instruction{op: opLook, look: look, not: e.negated, x: next})
	}
	// exprRepeat
	child := e.children[0]
	if e.max < 0 {
		loop := c.fork(0, next, e.lazy)
		body := c.emit(child, loop)
		if c.size > maxProgram {
			return next
		}
		if e.lazy {
			c.p.code[loop].y = body
		} else {
			c.p.code[loop].x = body
		}
		next = loop
	} else {
		end := next
		for range e.max - e.min {
			next = c.fork(c.emit(child, next), end, e.lazy)
		}
	}
	for range e.min {
		next = c.emit(child, next)
	}
	return next
}

func (c *compiler) fork(body, past int, lazy bool) int {
	if lazy {
		body, past = past, body
	}
	return c.add(instruction{op: opFork, x: body, y: past})
}

// firsts collects the characters that a match may begin with. It returns false if a
// match may be empty.
func (p *program) firsts(into *set, seen map[int]bool, pc int) bool {
	if seen[pc] {
		return true
	}
	seen[pc] = true
	switch i := p.code[pc]; i.op {
	case opSet:
		into.addSets(i.set)
		return true
	case opFork:
		return p.firsts(into, seen, i.x) && p.firsts(into, seen, i.y)
	case opLook:
		return p.firsts(into, seen, i.x)
	}
	return false
}

// machine holds the state of a program on one text.
type machine struct {
	visited []uint64 // bits, place × forks + fork: the fork was tried
	reached []uint64 // of a lookaround: a match is reached from the fork
	jobs    []job
	path    []int            // of a lookaround: bits of the forks being tried
	looks   map[int]*machine // of the lookarounds, by the place of their instruction
}

// job is a thread to run; a negative pc ends the innermost fork of the path.
type job struct{ pc, at int }

// begin prepares a machine for a text.
func (p *program) begin(text string) *machine {
	m := p.scratch.Get().(*machine)
	m.visited = cleared(m.visited, p.forks*(len(text)+1))
	return m
}

func cleared(bits []uint64, n int) []uint64 {
	n = (n + 63) / 64
	if cap(bits) < n {
		return make([]uint64, n)
	}
	bits = bits[:n]
	clear(bits)
	return bits
}

// maxKept is the maximum size of visited, in words, that is kept for the next text.
const maxKept = 1 << 16

func (p *program) end(m *machine) {
	for pc, inner := range m.looks {
		p.code[pc].look.end(inner)
	}
	clear(m.looks)
	if cap(m.visited) <= maxKept {
		p.scratch.Put(m)
	}
}

// match runs the program from a place and returns the end of the preferred match. What
// has failed at a place is not tried there again, not even by later calls with the same
// machine.
func (p *program) match(m *machine, text string, at int) (end int, ok bool) {
	m.jobs = append(m.jobs[:0], job{len(p.code) - 1, at})
	for len(m.jobs) > 0 {
		j := m.jobs[len(m.jobs)-1]
		m.jobs = m.jobs[:len(m.jobs)-1]
		pc, at := j.pc, j.at
	thread:
		for {
			i := &p.code[pc]
			switch i.op {
			case opSet:
				r, size := p.char(text, at)
				if size == 0 || !i.set.has(r) {
					break thread
				}
				if p.backward {
					size = -size
				}
				at += size
				pc = i.x
			case opFork:
				bit := at*p.forks + i.fork
				if m.visited[bit>>6]&(1<<(bit&63)) != 0 {
					break thread
				}
				m.visited[bit>>6] |= 1 << (bit & 63)
				m.jobs = append(m.jobs, job{i.y, at})
				pc = i.x
			case opLook:
				if p.looks(m, pc, text, at) == i.not {
					break thread
				}
				pc = i.x
			case opMatch:
				// Forks on this path have not failed. No later call returns to
				// those at earlier places.
				p.forget(m, at)
				return at, true
			}
		}
	}
	return 0, false
}

// char returns the next character in the program's direction.
func (p *program) char(text string, at int) (rune, int) {
	if p.backward {
		if at > 0 && text[at-1] < utf8.RuneSelf {
			return rune(text[at-1]), 1
		}
		return utf8.DecodeLastRuneInString(text[:at])
	}
	if at < len(text) && text[at] < utf8.RuneSelf {
		return rune(text[at]), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

// looks reports whether the expression of a lookaround matches.
func (p *program) looks(m *machine, pc int, text string, at int) bool {
	look := p.code[pc].look
	// Most lookarounds test a single character.
	if i := look.code[len(look.code)-1]; i.op == opSet && look.code[i.x].op == opMatch {
		r, size := look.char(text, at)
		return size > 0 && i.set.has(r)
	}
	inner := m.looks[pc]
	if inner == nil {
		inner = look.begin(text)
		inner.reached = cleared(inner.reached, look.forks*(len(text)+1))
		if m.looks == nil {
			m.looks = map[int]*machine{}
		}
		m.looks[pc] = inner
	}
	return look.reaches(inner, text, at)
}

// reaches reports whether there is a match from a place. Unlike match, it may be called
// for places in any order, so it also remembers the forks from which a match was
// reached.
func (p *program) reaches(m *machine, text string, at int) bool {
	m.jobs = append(m.jobs[:0], job{len(p.code) - 1, at})
	m.path = m.path[:0]
	for len(m.jobs) > 0 {
		j := m.jobs[len(m.jobs)-1]
		m.jobs = m.jobs[:len(m.jobs)-1]
		if j.pc < 0 {
			m.path = m.path[:len(m.path)-1]
			continue
		}
		pc, at := j.pc, j.at
	thread:
		for {
			i := &p.code[pc]
			switch i.op {
			case opSet:
				r, size := p.char(text, at)
				if size == 0 || !i.set.has(r) {
					break thread
				}
				if p.backward {
					size = -size
				}
				at += size
				pc = i.x
			case opFork:
				bit := at*p.forks + i.fork
				if m.reached[bit>>6]&(1<<(bit&63)) != 0 {
					p.remember(m)
					return true
				}
				if m.visited[bit>>6]&(1<<(bit&63)) != 0 {
					break thread
				}
				m.visited[bit>>6] |= 1 << (bit & 63)
				m.path = append(m.path, bit)
				m.jobs = append(m.jobs, job{pc: -1}, job{i.y, at})
				pc = i.x
			case opLook:
				if p.looks(m, pc, text, at) == i.not {
					break thread
				}
				pc = i.x
			case opMatch:
				p.remember(m)
				return true
			}
		}
	}
	return false
}

// remember records that a match is reached from all forks of the path. Other forks at
// the same places may have failed only because one of these was being tried (in a loop
// whose body may be empty): they are tried again.
func (p *program) remember(m *machine) {
	place := -1
	for _, bit := range m.path {
		m.reached[bit>>6] |= 1 << (bit & 63)
		if at := bit / p.forks; at != place {
			p.forget(m, at)
			place = at
		}
	}
}

// forget clears the forks tried at a place.
func (p *program) forget(m *machine, at int) {
	for bit := at * p.forks; bit < (at+1)*p.forks; bit++ {
		m.visited[bit>>6] &^= 1 << (bit & 63)
	}
}

// find returns the first match from a place on.
func (p *program) find(m *machine, text string, from int) (start, end int, ok bool) {
	for at := from; at <= len(text); {
		r, size := p.char(text, at)
		if p.first == nil || size > 0 && p.first.has(r) {
			if end, ok = p.match(m, text, at); ok {
				return at, end, true
			}
		}
		at += max(size, 1)
	}
	return 0, 0, false
}
