package legible

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// matches reports whether an element matches a selector.
type matches func(*html.Node) bool

// selectors matches selectors in time linear in the size of a page, however deep or wide
// it is, while the answers fit into maxKnown: what is known of the elements around or
// before one is kept, where cascadia would look at all of them again for each element and
// each part of a selector. Cascadia matches what is between combinators. Same rules as
// web/demo/src/read/hidden/selector.ts.
type selectors struct {
	root    *html.Node
	numbers map[*html.Node]int // of the elements of the page, from 0
	places  map[*html.Node]position
	known   []*answers // those that have some, the oldest first
	given   map[string]selector
	depth   int // of the parentheses of the selector that is read
	looked  int // elements that combinators led to, for the tests
}

// selector is one that was read, or a list of them.
type selector struct {
	matches matches
	// rank is the highest specificity as one number: ids, then classes and attributes,
	// then names.
	rank int
	// steps are the compounds that may be looked at within each other.
	steps int
}

// A selector with more parentheses of pseudo-classes within each other, or more steps, is
// ignored as a whole: each parenthesis is scanned for all around it, each step is a call.
const maxParentheses, maxSteps = 64, 256

var errDeep = errors.New("nested too deeply")

// givenMark is not the same in two runs: a page could use a known one.
var givenMark = strconv.FormatUint(rand.Uint64(), 36)

// give returns a selector that matches what one of others does, as :is() would: its
// length does not depend on theirs, and what it matches is kept.
func (s *selectors) give(others []selector) string {
	one := either(others)
	one.matches = s.walk(func(n *html.Node) *html.Node { return n }, func(*html.Node) *html.Node { return nil }, verdict(one.matches))
	key := givenMark + "-" + strconv.Itoa(len(s.given))
	s.given[key] = one
	return ":given(" + key + ")"
}

// position is that of an element among those with the same parent.
type position struct {
	before, after *html.Node
	// nth counts from 1: among all, from the end, and the same among those of its name.
	nth [4]int
}

// maxKnown limits the bytes of answers that are kept: then the oldest are forgotten.
const maxKnown = 128e6

// answers are those to one question about each element, two bits for each: 0 for none.
type answers struct{ bits []byte }

const (
	fails byte = iota + 1
	holds
)

func (a *answers) get(n int) byte {
	if a.bits == nil {
		return 0
	}
	return a.bits[n/4] >> (n % 4 * 2) & 3
}

func (a *answers) put(n int, answer byte) { a.bits[n/4] |= answer << (n % 4 * 2) }

// room makes room for answers.
func (s *selectors) room(a *answers) {
	size := len(s.numbers)/4 + 1
	for len(s.known) > 0 && (len(s.known)+1)*size > maxKnown {
		s.known[0].bits = nil
		s.known = s.known[1:]
	}
	s.known = append(s.known, a)
	a.bits = make([]byte, size)
}

func newSelectors(root *html.Node) *selectors {
	s := &selectors{root: root, numbers: map[*html.Node]int{}, places: map[*html.Node]position{}, given: map[string]selector{}}
	for n := root; n != nil; n = following(n, root) {
		if n.Type == html.ElementNode {
			s.numbers[n] = len(s.numbers)
		}
	}
	return s
}

// list reads a list of selectors, each as `read` does, without those that it forgives.
func (s *selectors) list(text string, read func(string) (selector, error), forgives bool) (selector, error) {
	var all []selector
	for _, text := range separate(text) {
		one, err := read(text)
		switch {
		case err == nil:
			all = append(all, one)
		case !forgives || errors.Is(err, errDeep):
			return selector{}, err
		}
	}
	return either(all), nil
}

// either matches what one of some selectors does.
func either(all []selector) selector {
	if len(all) == 1 {
		return all[0]
	}
	found := selector{matches: func(n *html.Node) bool {
		return slices.ContainsFunc(all, func(s selector) bool { return s.matches(n) })
	}}
	for _, one := range all {
		found.rank, found.steps = max(found.rank, one.rank), max(found.steps, one.steps)
	}
	return found
}

func both(one, other matches) matches {
	if other == nil {
		return one
	}
	return func(n *html.Node) bool { return one(n) && other(n) }
}

// complex reads a selector without commas.
func (s *selectors) complex(text string) (selector, error) {
	steps, found, err := s.steps(text)
	if err != nil {
		return selector{}, err
	}
	if steps[0].combinator != 0 {
		return selector{}, errors.New("nothing before a combinator")
	}
	found.matches = steps[0].own
	for _, one := range steps[1:] {
		found.matches = both(one.own, s.reached(one.combinator, found.matches))
	}
	return found, nil
}

// step is a compound with the combinator before it, 0 for none.
type step struct {
	combinator byte
	own        matches
}

// steps returns those of a selector, and the rest of what is known of it.
func (s *selectors) steps(text string) (steps []step, whole selector, err error) {
	var combinator byte
	inner := 0
	for rest := strings.TrimSpace(text); rest != "" || combinator != 0; {
		end := scan(rest, " \t\n\r\f>+~")
		if end > 0 || combinator != 0 {
			if len(steps) == maxSteps {
				return nil, whole, errDeep
			}
			one, err := s.compound(rest[:end])
			if err != nil {
				return nil, whole, err
			}
			steps = append(steps, step{combinator, one.matches})
			whole.rank, inner = whole.rank+one.rank, max(inner, one.steps)
		}
		combinator = 0
		for rest = rest[end:]; rest != "" && strings.IndexByte(" \t\n\r\f>+~", rest[0]) >= 0; rest = rest[1:] {
			switch c := rest[0]; {
			case c != '>' && c != '+' && c != '~':
				combinator = max(combinator, ' ')
			case combinator > ' ':
				return nil, whole, errors.New("two combinators")
			default:
				combinator = c
			}
		}
	}
	if len(steps) == 0 {
		return nil, whole, errors.New("no selector")
	}
	if whole.steps = len(steps) + inner; whole.steps > maxSteps {
		return nil, whole, errDeep
	}
	return steps, whole, nil
}

// states are those that no file is in.
var states = names("active autofill focus focus-visible focus-within fullscreen hover modal picture-in-picture target target-current user-invalid user-valid visited -webkit-autofill -webkit-full-screen")

var (
	ownPseudo = regexp.MustCompile(`^:([a-zA-Z-]+)(\(?)`)
	formula   = regexp.MustCompile(`(?i)^\s*(?:(even|odd)|([-+]?\d*)n(?:\s*([-+])\s*(\d+))?|([-+]?\d+))\s*$`)
	nthNames  = []string{"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"}
	// firsts are the places that must be 1.
	firsts = map[string][]int{"first-child": {0}, "last-child": {1}, "first-of-type": {2}, "last-of-type": {3}, "only-child": {0, 1}, "only-of-type": {2, 3}}
)

// compound reads a selector without combinators.
func (s *selectors) compound(text string) (selector, error) {
	var found selector
	var plain strings.Builder
	for rest := text; rest != ""; {
		end := scan(rest, ":")
		plain.WriteString(rest[:end])
		if rest = rest[end:]; rest == "" {
			break
		}
		m := ownPseudo.FindStringSubmatch(rest)
		if m == nil {
			return selector{}, errors.New("a pseudo-element")
		}
		end, inside := len(m[0]), ""
		if m[2] != "" {
			inside = rest[end : end+scan(rest[end:], ")")]
			end = min(len(rest), end+len(inside)+1)
		}
		own, err := s.pseudo(strings.ToLower(m[1]), inside)
		switch {
		case err != nil:
			return selector{}, err
		case own.matches != nil:
			found = selector{both(own.matches, found.matches), found.rank + own.rank, max(found.steps, own.steps)}
		default:
			plain.WriteString(rest[:end])
		}
		rest = rest[end:]
	}
	if plain.Len() == 0 {
		if found.matches == nil {
			return selector{}, errors.New("nothing after a combinator")
		}
		return found, nil
	}
	sel, err := cascadia.Parse(plain.String())
	if err != nil {
		return selector{}, err
	}
	w := sel.Specificity()
	return selector{both(sel.Match, found.matches), found.rank + w[0]*1e6 + w[1]*1e3 + w[2], found.steps}, nil
}

// pseudo reads a pseudo-class. It matches nil if cascadia does.
func (s *selectors) pseudo(name, inside string) (selector, error) {
	class := func(m matches) (selector, error) { return selector{matches: m, rank: 1e3}, nil }
	if first, ok := firsts[name]; ok {
		return class(func(n *html.Node) bool {
			at := s.place(n).nth
			return !slices.ContainsFunc(first, func(i int) bool { return at[i] != 1 })
		})
	}
	if which := slices.Index(nthNames, name); which >= 0 {
		return class(s.nth(which, inside))
	}
	switch {
	case name == "given":
		return s.given[inside], nil
	case name == "defined":
		return class(func(*html.Node) bool { return true })
	case states[name]:
		return class(func(*html.Node) bool { return false })
	}
	read, forgives := s.complex, false
	switch name {
	case "not":
	case "has":
		read = s.has
	case "is", "where", "matches", "-webkit-any", "-moz-any":
		forgives = true
	default:
		return selector{}, nil
	}
	if s.depth >= maxParentheses {
		return selector{}, errDeep
	}
	s.depth++
	found, err := s.list(inside, read, forgives)
	s.depth--
	switch m := found.matches; name {
	case "not":
		found.matches = func(n *html.Node) bool { return !m(n) }
	case "where":
		found.rank = 0
	}
	return found, err
}

// nth returns what matches :nth-child() and its like, nil for a formula that is not known.
func (s *selectors) nth(which int, inside string) matches {
	m := formula.FindStringSubmatch(inside)
	if m == nil {
		return nil
	}
	factor, start := 0, 0
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		switch { // no page has so many elements
		case err != nil && s[0] == '-':
			return -1 << 30
		case err != nil:
			return 1 << 30
		}
		return n
	}
	switch {
	case m[1] != "":
		factor = 2
		if strings.EqualFold(m[1], "odd") {
			start = 1
		}
	case m[5] != "":
		start = number(m[5])
	default:
		if factor = 1; strings.ContainsAny(m[2], "0123456789") {
			factor = number(m[2])
		} else if m[2] == "-" {
			factor = -1
		}
		if m[4] != "" {
			start = number(m[3] + m[4])
		}
	}
	return func(n *html.Node) bool {
		at := s.place(n).nth[which] - start
		return factor == 0 && at == 0 || factor != 0 && at%factor == 0 && at/factor >= 0
	}
}

// reached returns whether what a combinator leads back to matches.
func (s *selectors) reached(combinator byte, m matches) matches {
	switch combinator {
	case '>':
		return func(n *html.Node) bool { p := parent(n); return p != nil && m(p) }
	case '+':
		return func(n *html.Node) bool { p := s.place(n).before; return p != nil && m(p) }
	case '~':
		return s.along(func(n *html.Node) *html.Node { return s.place(n).before }, m)
	}
	return s.along(parent, m)
}

// has reads a selector in :has(), whose steps lead to elements that match.
func (s *selectors) has(text string) (selector, error) {
	steps, found, err := s.steps(text)
	var rest matches
	for _, one := range slices.Backward(steps) {
		m := both(one.own, rest)
		switch one.combinator {
		case '>':
			rest = s.around(m, func(found *answers, n *html.Node) {
				if p := parent(n); p != nil {
					found.put(s.numbers[p], holds)
				}
			})
		case '+':
			rest = func(n *html.Node) bool { a := s.place(n).after; return a != nil && m(a) }
		case '~':
			rest = s.along(func(n *html.Node) *html.Node { return s.place(n).after }, m)
		default:
			rest = s.around(m, func(found *answers, n *html.Node) {
				for p := parent(n); p != nil && found.get(s.numbers[p]) != holds; p = parent(p) {
					s.looked++
					found.put(s.numbers[p], holds)
				}
			})
		}
	}
	found.matches = rest
	return found, err
}

// along returns whether an element matches that steps from an element lead to.
func (s *selectors) along(next func(*html.Node) *html.Node, m matches) matches {
	return s.walk(next, next, verdict(m))
}

// verdict holds on what matches.
func verdict(m matches) func(*html.Node) byte {
	return func(n *html.Node) byte {
		if m(n) {
			return holds
		}
		return 0
	}
}

// within returns whether an element is in a scope: matches its roots, or is in one that
// does, and has no limit between.
func (s *selectors) within(roots, limits matches) matches {
	return s.walk(func(n *html.Node) *html.Node { return n }, parent, func(n *html.Node) byte {
		switch {
		case limits(n):
			return fails
		case roots(n):
			return holds
		}
		return 0
	})
}

// walk returns the verdict, not 0, on the first of the elements that steps lead to. What
// is known of those on the way is kept.
func (s *selectors) walk(first, next func(*html.Node) *html.Node, verdict func(*html.Node) byte) matches {
	known := &answers{} // of an element and those after it
	return func(n *html.Node) bool {
		var passed []int
		found := fails
		for at := first(n); at != nil; at = next(at) {
			s.looked++
			number := s.numbers[at]
			if before := known.get(number); before != 0 {
				found = before
				break
			}
			passed = append(passed, number)
			if own := verdict(at); own != 0 {
				found = own
				break
			}
		}
		if len(passed) > 0 {
			if known.bits == nil {
				s.room(known)
			}
			for _, one := range passed {
				known.put(one, found)
			}
		}
		return found == holds
	}
}

// around returns whether an element is among those that all matching ones add: found at
// once for the whole page.
func (s *selectors) around(m matches, add func(*answers, *html.Node)) matches {
	known := &answers{}
	return func(n *html.Node) bool {
		found := answers{known.bits}
		if found.bits == nil {
			s.room(known)
			found.bits = known.bits
			for one := s.root; one != nil; one = following(one, s.root) {
				s.looked++
				if one.Type == html.ElementNode && m(one) {
					add(&found, one)
				}
			}
		}
		return found.get(s.numbers[n]) == holds
	}
}

// place returns that of an element, and finds those of its siblings.
func (s *selectors) place(n *html.Node) position {
	if known, ok := s.places[n]; ok {
		return known
	}
	first := n
	if n.Parent != nil {
		first = n.Parent.FirstChild
	}
	var all []*html.Node
	named := map[string]int{}
	for c := first; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			all = append(all, c)
			named[c.Data]++
		}
	}
	seen := map[string]int{}
	s.looked += len(all)
	for i, c := range all {
		seen[c.Data]++
		p := position{nth: [4]int{i + 1, len(all) - i, seen[c.Data], named[c.Data] - seen[c.Data] + 1}}
		if i > 0 {
			p.before = all[i-1]
		}
		if i+1 < len(all) {
			p.after = all[i+1]
		}
		s.places[c] = p
	}
	return s.places[n]
}

func parent(n *html.Node) *html.Node {
	if n.Parent == nil || n.Parent.Type != html.ElementNode {
		return nil
	}
	return n.Parent
}

// separate splits a list of selectors.
func separate(list string) []string {
	var all []string
	for {
		end := scan(list, ",")
		all = append(all, strings.TrimSpace(list[:end]))
		if end == len(list) {
			return all
		}
		list = list[end+1:]
	}
}

// scan returns the offset of the first of some marks in a selector, outside of strings
// and of parentheses and brackets that begin in it; its length if there is none.
func scan(s, marks string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"' || c == '\'':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case depth == 0 && strings.IndexByte(marks, c) >= 0:
			return i
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		}
	}
	return len(s)
}
