package tokenizer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxNesting is the maximum depth of nested classes and groups.
const maxNesting = 256

// operand is one side of && in a class, while it is read.
type operand struct {
	set     set
	last    rune // the character that may begin a range
	tail    int  // kind of the last item
	complex bool // contains a set other than characters and ranges
}

const (
	nothing  = iota
	scalar   // a character
	inRange  // a character and the hyphen of a range
	rangeEnd // a whole range
	aSet     // a set
)

var errRangeOfSets = errors.New("a range with a set at one end in a class")

// scalar adds a character.
func (o *operand) scalar(r rune) error {
	if o.tail == inRange {
		if r < o.last {
			return fmt.Errorf("the range %c-%c in a class is out of order", o.last, r)
		}
		o.set.addRunes(o.last, r)
		o.tail = rangeEnd
		return nil
	}
	o.set.addRunes(r, r)
	o.last, o.tail = r, scalar
	return nil
}

// union adds a set.
func (o *operand) union(s *set, complex bool) error {
	if o.tail == inRange {
		return errRangeOfSets
	}
	o.set.addSets(s)
	o.tail = aSet
	o.complex = o.complex || complex
	return nil
}

// class is a character class as read.
type class struct {
	set     *set
	negated bool
	complex bool // contains sets other than characters and ranges
	nested  bool // contains a negated class of that kind
}

// class reads a character class, starting at its bracket.
func (p *parser) class(depth int) (class, error) {
	if depth > maxNesting {
		return class{}, fmt.Errorf("classes nested deeper than %d", maxNesting)
	}
	p.next()
	c := class{negated: p.accept("^")}
	operands := []*operand{{}}
	o := operands[0]
	for first := true; ; first = false {
		if p.done() {
			return class{}, errors.New("unterminated character class")
		}
		switch r := p.peek(); {
		case r == '\\':
			if err := p.classEscape(o); err != nil {
				return class{}, err
			}
		case r == ']' && !first:
			if o.tail == nothing {
				return class{}, errors.New("an empty side of && in a class")
			}
			p.next()
			return p.closeClass(c, operands, depth)
		case p.accept("&&"):
			if o.tail == nothing {
				return class{}, errors.New("an empty side of && in a class")
			}
			o = &operand{}
			operands = append(operands, o)
		case r == '[':
			if err := p.inner(&c, o, depth); err != nil {
				return class{}, err
			}
		case r == '-':
			p.next()
			last := p.has("]") || p.has("&&")
			switch {
			case o.tail == aSet && !last:
				return class{}, errRangeOfSets
			case o.tail == scalar && !last:
				o.tail = inRange
			default:
				if err := o.scalar('-'); err != nil {
					return class{}, err
				}
			}
		default:
			p.next()
			if err := o.scalar(r); err != nil {
				return class{}, err
			}
		}
	}
}

func (p *parser) closeClass(c class, operands []*operand, depth int) (class, error) {
	for _, o := range operands {
		c.complex = c.complex || o.complex
	}
	if c.negated && len(operands) > 1 && c.nested {
		return class{}, errors.New("a negated class with && and a negated class of properties in it")
	}
	s := &operands[0].set
	if len(operands) > 1 {
		s = &set{sets: []*set{s}}
		for _, o := range operands[1:] {
			s.meets = append(s.meets, &o.set)
		}
	}
	if p.fold && depth == 1 {
		s.foldASCII()
	}
	if c.negated {
		s = not(s)
	}
	c.set = s
	return c, nil
}

// inner reads a POSIX class or a class that starts with a bracket inside a class.
func (p *parser) inner(c *class, o *operand, depth int) error {
	rest := p.source[p.at:]
	switch {
	case p.has("[:"):
		end := slices.Index(rest, ']')
		name, ok := strings.CutSuffix(string(rest[2:max(end, 2)]), ":")
		if !ok {
			break
		}
		name, negated := strings.CutPrefix(name, "^")
		if strings.ContainsFunc(name, func(r rune) bool { return !tableSet(alphabetic()...).has(r) }) {
			break
		}
		s := posixSet(name)
		if s == nil {
			return fmt.Errorf("unknown class [:%s:]", name)
		}
		if negated && p.fold && (name == "lower" || name == "upper") {
			return fmt.Errorf("[:^%s:] where case is ignored", name)
		}
		if negated {
			s = not(s)
		}
		p.at += end + 1
		return o.union(s, true)
	case p.has("[.") && closes(rest[2:], '.'), p.has("[=") && closes(rest[2:], '='):
		return errors.New("a collating or equivalence class")
	}
	nested, err := p.class(depth + 1)
	if err != nil {
		return err
	}
	c.nested = c.nested || nested.nested || nested.negated && nested.complex
	return o.union(nested.set, nested.complex)
}

// closes reports whether the given character and a closing bracket come before any
// other bracket.
func closes(rest []rune, sign rune) bool {
	end := slices.Index(rest, ']')
	return end > 0 && rest[end-1] == sign
}

// classEscape reads an escape in a class.
func (p *parser) classEscape(o *operand) error {
	if s, r, ok, err := p.namedEscape(true); err != nil || ok {
		if err != nil {
			return err
		}
		if s != nil {
			return o.union(s, true)
		}
		return o.scalar(r)
	}
	p.next()
	if p.done() {
		return errors.New("a character class that ends in an escape")
	}
	r := p.next()
	switch r {
	case 'W':
		return o.union(not(wordSet(true)), true)
	case 'H':
		return o.union(not(hexSet()), true)
	case 'w':
		return o.union(wordSet(true), true)
	case 'h':
		return o.union(hexSet(), true)
	case 'd', 'D', 's', 'S':
		return o.union(escapeSet(r), true)
	case 'b': // a backspace, in a class
		return o.scalar('\b')
	case '-':
		return o.scalar('-')
	}
	r, err := p.control(r)
	if err != nil {
		return err
	}
	return o.scalar(r)
}

// namedEscape reads \p{…}, \x{…}, \u{…}, \xHH, \uHHHH or \cX. It reads nothing if
// there is none of these.
func (p *parser) namedEscape(inClass bool) (s *set, r rune, ok bool, err error) {
	rest := p.source[p.at:]
	if len(rest) < 3 {
		return nil, 0, false, nil
	}
	letter := rest[1]
	if rest[2] == '{' && strings.ContainsRune("pPxu", letter) {
		end := slices.Index(rest, '}')
		if end < 0 {
			return nil, 0, false, nil
		}
		body := string(rest[3:end])
		p.at += end + 1
		if letter == 'x' || letter == 'u' {
			r, err = codePoint(body)
			return nil, r, true, err
		}
		if inClass && body == "Word" {
			s = wordSet(true)
		} else if s, err = propertySet(body); err != nil {
			return nil, 0, false, err
		}
		if letter == 'P' {
			s = not(s)
		}
		return s, 0, true, nil
	}
	digits := map[rune]int{'x': 2, 'u': 4}[letter]
	if digits > 0 && len(rest) >= 2+digits && isHex(rest[2:2+digits]) {
		p.at += 2 + digits
		r, err = codePoint(string(rest[2 : 2+digits]))
		return nil, r, true, err
	}
	if c := rest[2] | 0x20; letter == 'c' && c >= 'a' && c <= 'z' {
		p.at += 3
		return nil, rest[2] & 31, true, nil
	}
	return nil, 0, false, nil
}

func isHex(digits []rune) bool {
	for _, d := range digits {
		if !hexSet().has(d) {
			return false
		}
	}
	return true
}

func codePoint(hex string) (rune, error) {
	if len(hex) == 0 || !isHex([]rune(hex)) {
		return 0, fmt.Errorf("%q is not a character code", hex)
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || n > 0x10ffff || n >= 0xd800 && n < 0xe000 {
		return 0, fmt.Errorf("%q is not a character code", hex)
	}
	return rune(n), nil
}

// control returns the character of a one-letter escape.
func (p *parser) control(r rune) (rune, error) {
	switch r {
	case 'a':
		return 7, nil
	case 'e':
		return 27, nil
	case 't':
		return '\t', nil
	case 'n':
		return '\n', nil
	case 'v':
		return '\v', nil
	case 'f':
		return '\f', nil
	case 'r':
		return '\r', nil
	case '0':
		if !p.done() && p.peek() >= '0' && p.peek() <= '9' {
			return 0, errors.New("an octal escape")
		}
		return 0, nil
	}
	if r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
		return 0, fmt.Errorf("the escape \\%c", r)
	}
	return r, nil
}

// escapeSet returns the set of an escape that means the same inside and outside of a
// class.
func escapeSet(r rune) *set {
	switch r {
	case 'd':
		return posixSet("digit")
	case 'D':
		return not(posixSet("digit"))
	case 's':
		return posixSet("space")
	case 'S':
		return not(posixSet("space"))
	}
	return nil
}
