package tokenizer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Regular expressions in tokenizer files are those of Oniguruma. The reference
// translates them to JavaScript; the parser here reads the same language with the same
// meaning, even where the translation differs from Oniguruma (possessive and atomic
// groups become plain groups). Unsupported constructs are refused: backreferences, and
// flags other than (?i:…).

// expr is a part of a regular expression.
type expr struct {
	op       exprOp
	set      *set
	children []*expr
	min, max int // of a repetition; max -1: unlimited
	lazy     bool
	negated  bool // of a lookaround
	behind   bool
}

type exprOp int

const (
	exprSet exprOp = iota
	exprConcat
	exprAlternate
	exprRepeat
	exprLook
)

type parser struct {
	source  []rune
	at      int
	fold    bool // case of ASCII letters is ignored
	groups  int  // number of capturing groups
	nesting int
}

func (p *parser) done() bool { return p.at >= len(p.source) }
func (p *parser) peek() rune { return p.source[p.at] }

func (p *parser) next() rune {
	r := p.source[p.at]
	p.at++
	return r
}

func (p *parser) has(sign string) bool {
	rest := p.source[p.at:]
	for i, r := range sign { // ASCII
		if i >= len(rest) || rest[i] != r {
			return false
		}
	}
	return true
}

func (p *parser) accept(sign string) bool {
	if !p.has(sign) {
		return false
	}
	p.at += len(sign)
	return true
}

// parseRegex reads a whole expression.
func parseRegex(source string) (e *expr, groups int, err error) {
	p := &parser{source: []rune(bloomClass(source))}
	e, err = p.alternatives()
	if err == nil && !p.done() {
		err = errors.New("unexpected )")
	}
	return e, p.groups, err
}

// bloomClass rewrites the class [^(\s|[…])] in BLOOM's file like the reference, since
// it means something else in JavaScript.
func bloomClass(source string) string {
	const start, end = `[^(\s|[`, `])]`
	var b strings.Builder
	for {
		i := strings.Index(source, start)
		if i < 0 {
			break
		}
		rest := source[i+len(start):]
		n := strings.IndexByte(rest, ']')
		if n < 1 || !strings.HasPrefix(rest[n:], end) {
			b.WriteString(source[:i+1])
			source = source[i+1:]
			continue
		}
		b.WriteString(source[:i] + `[^()|\s` + rest[:n] + `]`)
		source = rest[n+len(end):]
	}
	return b.String() + source
}

func (p *parser) alternatives() (*expr, error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, fmt.Errorf("groups nested deeper than %d", maxNesting)
	}
	defer func() { p.nesting-- }()
	var all []*expr
	for {
		e, err := p.sequence()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
		if !p.accept("|") {
			break
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return &expr{op: exprAlternate, children: all}, nil
}

func (p *parser) sequence() (*expr, error) {
	e := &expr{op: exprConcat}
	for !p.done() && !p.has("|") && !p.has(")") {
		atom, err := p.atom()
		if err != nil {
			return nil, err
		}
		if atom == nil {
			continue
		}
		if atom, err = p.quantified(atom); err != nil {
			return nil, err
		}
		e.children = append(e.children, atom)
	}
	return e, nil
}

func (p *parser) literal(r rune) *expr {
	s := single(r)
	if p.fold {
		s.foldASCII()
	}
	return &expr{op: exprSet, set: s.seal()}
}

func of(s *set) *expr { return &expr{op: exprSet, set: s.seal()} }

// atom reads an expression that a quantifier may follow. It skips \G, which always
// matches.
func (p *parser) atom() (*expr, error) {
	switch p.peek() {
	case '\\':
		return p.escape()
	case '[':
		c, err := p.class(1)
		if err != nil {
			return nil, err
		}
		return of(c.set), nil
	case '(':
		return p.group()
	case '.':
		p.next()
		return of(not(single('\n'))), nil
	case '^':
		p.next()
		return lineStart(), nil
	case '$':
		p.next()
		return lineEnd(), nil
	case '*', '+', '?':
		return nil, fmt.Errorf("nothing for %c to repeat", p.peek())
	}
	return p.literal(p.next()), nil
}

func (p *parser) group() (*expr, error) {
	fold := p.fold
	var look *expr
	switch {
	case p.accept("(?i:"):
		p.fold = true
	case p.accept("(?:"), p.accept("(?>"):
	case p.accept("(?="):
		look = &expr{op: exprLook}
	case p.accept("(?!"):
		look = &expr{op: exprLook, negated: true}
	case p.accept("(?<="):
		look = &expr{op: exprLook, behind: true}
	case p.accept("(?<!"):
		look = &expr{op: exprLook, behind: true, negated: true}
	case p.accept("(?<"):
		end := slices.Index(p.source[p.at:], '>')
		if end < 1 {
			return nil, errors.New("invalid group name")
		}
		p.at += end + 1
		p.groups++
	case p.has("(?"):
		return nil, fmt.Errorf("the group %s…", string(p.source[p.at:min(p.at+4, len(p.source))]))
	default:
		p.next()
		p.groups++
	}
	e, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, errors.New("missing )")
	}
	p.fold = fold
	if look != nil {
		look.children = []*expr{e}
		if p.quantifierFollows() {
			return nil, errors.New("a quantifier after a lookaround")
		}
		return look, nil
	}
	return e, nil
}

func (p *parser) escape() (*expr, error) {
	s, r, ok, err := p.namedEscape(false)
	if err != nil {
		return nil, err
	}
	if ok {
		if s != nil {
			return of(s), nil
		}
		return p.literal(r), nil
	}
	p.next()
	if p.done() {
		return nil, errors.New("trailing backslash")
	}
	switch r := p.next(); r {
	case 'G':
		return nil, nil
	case 'A':
		return textStart(), nil
	case 'z':
		return textEnd(), nil
	case 'Z':
		newline := &expr{op: exprRepeat, max: 1, children: []*expr{of(single('\n'))}}
		return &expr{op: exprLook, children: []*expr{{op: exprConcat, children: []*expr{newline, textEnd()}}}}, nil
	case 'h':
		return of(hexSet()), nil
	case 'H':
		return of(not(hexSet())), nil
	case 'w':
		return of(wordSet(false)), nil
	case 'W':
		return of(not(wordSet(false))), nil
	case 'd', 'D', 's', 'S':
		return of(escapeSet(r)), nil
	case 'b', 'B':
		return boundary(r == 'b'), nil
	default:
		c, err := p.control(r)
		if err != nil {
			return nil, err
		}
		return p.literal(c), nil
	}
}

func look(behind, negated bool, s *set) *expr {
	return &expr{op: exprLook, behind: behind, negated: negated, children: []*expr{of(s)}}
}

func anything() *set { return &set{negated: true} }

func textStart() *expr { return look(true, true, anything()) }
func textEnd() *expr   { return look(false, true, anything()) }

func lineStart() *expr {
	return &expr{op: exprAlternate, children: []*expr{textStart(), look(true, false, single('\n'))}}
}

func lineEnd() *expr {
	return &expr{op: exprAlternate, children: []*expr{look(false, false, single('\n')), textEnd()}}
}

// boundary matches at the start and end of words or, if is is false, everywhere else.
func boundary(is bool) *expr {
	side := func(before, after bool) *expr {
		return &expr{op: exprConcat, children: []*expr{look(true, !before, wordSet(false)), look(false, !after, wordSet(false))}}
	}
	return &expr{op: exprAlternate, children: []*expr{side(false, is), side(true, !is)}}
}

// maxRepeat is the highest number in a quantifier.
const maxRepeat = 1000

// braces reads {n}, {n,}, {n,m} or {,m}. It reads nothing if there is none of these.
func (p *parser) braces() (low, high int, ok bool, err error) {
	rest := p.source[p.at:]
	end := slices.Index(rest, '}')
	if end < 2 || rest[0] != '{' {
		return 0, 0, false, nil
	}
	body := string(rest[1:end])
	left, right, comma := strings.Cut(body, ",")
	if strings.Trim(left+right, "0123456789") != "" || left == "" && right == "" {
		return 0, 0, false, nil
	}
	number := func(s string) int {
		if s == "" {
			return 0
		}
		n, e := strconv.Atoi(s)
		if e != nil || n > maxRepeat {
			err = fmt.Errorf("the quantifier {%s}: more than %d", body, maxRepeat)
		}
		return n
	}
	low, high = number(left), number(right)
	switch {
	case !comma:
		high = low
	case right == "":
		high = -1
	case high < low:
		err = fmt.Errorf("the quantifier {%s} is out of order", body)
	}
	p.at += end + 1
	return low, high, true, err
}

func (p *parser) quantifierFollows() bool {
	at := p.at
	_, _, braces, _ := p.braces()
	p.at = at
	return braces || p.has("*") || p.has("+") || p.has("?")
}

// quantified reads the quantifiers after an atom.
func (p *parser) quantified(atom *expr) (*expr, error) {
	if p.done() {
		return atom, nil
	}
	e := &expr{op: exprRepeat, children: []*expr{atom}}
	low, high, braces, err := p.braces()
	switch {
	case err != nil:
		return nil, err
	case braces:
		e.min, e.max = low, high
		// Oniguruma repeats a counted repetition: {2}+.
		if p.accept("+") {
			e = &expr{op: exprRepeat, min: 1, max: -1, children: []*expr{e}}
		} else if p.accept("*") {
			e = &expr{op: exprRepeat, max: -1, children: []*expr{e}}
		}
	case p.accept("*"):
		e.max = -1
	case p.accept("+"):
		e.min, e.max = 1, -1
	case p.accept("?"):
		e.max = 1
	default:
		return atom, nil
	}
	e.lazy = p.accept("?")
	for p.accept("+") { // possessive: ignored
	}
	if p.quantifierFollows() {
		return nil, errors.New("a quantifier after a quantifier")
	}
	return e, nil
}
