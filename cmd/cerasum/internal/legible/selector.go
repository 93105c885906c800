package legible

import (
	"errors"
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
// it is: what is known of the elements around or before one is kept, where cascadia would
// look at all of them again for each element and each part of a selector. Cascadia
// matches what is between combinators. Same rules as web/demo/src/read/hidden/selector.ts.
type selectors struct {
	root    *html.Node
	numbers map[*html.Node]int // of the elements of the page, from 0
	places  map[*html.Node]position
	known   []*answers // those that have some
	// compounds are those that were read: nested rules repeat what is around them.
	compounds map[string]compounded
	depth     int // of the parentheses of the selector that is read
	looked    int // elements that combinators led to, for the tests
}

type compounded struct {
	own  matches
	rank int
}

// maxParentheses limits those within each other: each is scanned for all around it.
const maxParentheses = 64

// position is that of an element among those with the same parent.
type position struct {
	before, after *html.Node
	// nth counts from 1: among all, from the end, and the same among those of its name.
	nth [4]int
}

// maxKnown limits the bytes of answers that are kept: then all are forgotten.
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
	if (len(s.known)+1)*size > maxKnown {
		for _, one := range s.known {
			one.bits = nil
		}
		s.known = nil
	}
	s.known = append(s.known, a)
	a.bits = make([]byte, size)
}

func newSelectors(root *html.Node) *selectors {
	s := &selectors{root: root, numbers: map[*html.Node]int{}, places: map[*html.Node]position{}, compounds: map[string]compounded{}}
	for n := root; n != nil; n = following(n, root) {
		if n.Type == html.ElementNode {
			s.numbers[n] = len(s.numbers)
		}
	}
	return s
}

// list returns what matches one of a list of selectors, and their highest specificity as
// one number: ids, then classes and attributes, then names.
func (s *selectors) list(text string) (matches, int, error) {
	var all []matches
	most := 0
	for _, one := range separate(text) {
		m, rank, err := s.complex(one)
		if err != nil {
			return nil, 0, err
		}
		all, most = append(all, m), max(most, rank)
	}
	return anyOf(all), most, nil
}

func anyOf(all []matches) matches {
	if len(all) == 1 {
		return all[0]
	}
	return func(n *html.Node) bool {
		return slices.ContainsFunc(all, func(m matches) bool { return m(n) })
	}
}

func both(one, other matches) matches {
	if other == nil {
		return one
	}
	return func(n *html.Node) bool { return one(n) && other(n) }
}

// complex returns what matches a selector without commas, and its specificity.
func (s *selectors) complex(text string) (matches, int, error) {
	steps, rank, err := s.steps(text)
	if err != nil {
		return nil, 0, err
	}
	if steps[0].combinator != 0 {
		return nil, 0, errors.New("nothing before a combinator")
	}
	found := steps[0].own
	for _, one := range steps[1:] {
		found = both(one.own, s.reached(one.combinator, found))
	}
	return found, rank, nil
}

// step is a compound with the combinator before it, 0 for none.
type step struct {
	combinator byte
	own        matches
}

func (s *selectors) steps(text string) (steps []step, rank int, err error) {
	var combinator byte
	for rest := strings.TrimSpace(text); rest != "" || combinator != 0; {
		end := scan(rest, " \t\n\r\f>+~")
		if end > 0 || combinator != 0 {
			one, known := s.compounds[rest[:end]]
			if !known {
				if one.own, one.rank, err = s.compound(rest[:end]); err != nil {
					return nil, 0, err
				}
				s.compounds[rest[:end]] = one
			}
			steps, rank = append(steps, step{combinator, one.own}), rank+one.rank
		}
		combinator = 0
		for rest = rest[end:]; rest != "" && strings.IndexByte(" \t\n\r\f>+~", rest[0]) >= 0; rest = rest[1:] {
			switch c := rest[0]; {
			case c != '>' && c != '+' && c != '~':
				combinator = max(combinator, ' ')
			case combinator > ' ':
				return nil, 0, errors.New("two combinators")
			default:
				combinator = c
			}
		}
	}
	if len(steps) == 0 {
		return nil, 0, errors.New("no selector")
	}
	return steps, rank, nil
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

// compound returns what matches a selector without combinators, and its specificity.
func (s *selectors) compound(text string) (matches, int, error) {
	var others matches
	var plain strings.Builder
	rank := 0
	for rest := text; rest != ""; {
		end := scan(rest, ":")
		plain.WriteString(rest[:end])
		if rest = rest[end:]; rest == "" {
			break
		}
		m := ownPseudo.FindStringSubmatch(rest)
		if m == nil {
			return nil, 0, errors.New("a pseudo-element")
		}
		end, inside := len(m[0]), ""
		if m[2] != "" {
			inside = rest[end : end+scan(rest[end:], ")")]
			end = min(len(rest), end+len(inside)+1)
		}
		own, more, err := s.pseudo(strings.ToLower(m[1]), inside)
		switch {
		case err != nil:
			return nil, 0, err
		case own != nil:
			others, rank = both(own, others), rank+more
		default:
			plain.WriteString(rest[:end])
		}
		rest = rest[end:]
	}
	if plain.Len() == 0 {
		if others == nil {
			return nil, 0, errors.New("nothing after a combinator")
		}
		return others, rank, nil
	}
	sel, err := cascadia.Parse(plain.String())
	if err != nil {
		return nil, 0, err
	}
	w := sel.Specificity()
	return both(sel.Match, others), rank + w[0]*1e6 + w[1]*1e3 + w[2], nil
}

// pseudo returns what matches a pseudo-class, nil if cascadia does, and its specificity.
func (s *selectors) pseudo(name, inside string) (matches, int, error) {
	const class = 1e3
	if s.depth >= maxParentheses {
		return nil, 0, errors.New("nested too deeply")
	}
	s.depth++
	defer func() { s.depth-- }()
	if first, ok := firsts[name]; ok {
		return func(n *html.Node) bool {
			at := s.place(n).nth
			return !slices.ContainsFunc(first, func(i int) bool { return at[i] != 1 })
		}, class, nil
	}
	if which := slices.Index(nthNames, name); which >= 0 {
		return s.nth(which, inside), class, nil
	}
	switch name {
	case "defined":
		return func(*html.Node) bool { return true }, class, nil
	case "not":
		m, rank, err := s.list(inside)
		return func(n *html.Node) bool { return !m(n) }, rank, err
	case "has":
		var all []matches
		most := 0
		for _, one := range separate(inside) {
			m, rank, err := s.has(one)
			if err != nil {
				return nil, 0, err
			}
			all, most = append(all, m), max(most, rank)
		}
		return anyOf(all), most, nil
	case "is", "where", "matches", "-webkit-any", "-moz-any":
		var all []matches
		most := 0
		for _, one := range separate(inside) {
			if m, rank, err := s.complex(one); err == nil { // it forgives what is not known
				all, most = append(all, m), max(most, rank)
			}
		}
		if name == "where" {
			most = 0
		}
		return anyOf(all), most, nil
	}
	if states[name] {
		return func(*html.Node) bool { return false }, class, nil
	}
	return nil, 0, nil
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
		if err != nil {
			return 1 << 30 // no page has so many elements
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

// has returns whether the steps of :has() lead to elements that match.
func (s *selectors) has(text string) (matches, int, error) {
	steps, rank, err := s.steps(text)
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
	return rest, rank, err
}

// along returns whether an element matches that steps from an element lead to.
func (s *selectors) along(next func(*html.Node) *html.Node, m matches) matches {
	return s.walk(next, next, func(n *html.Node) byte {
		if m(n) {
			return holds
		}
		return 0
	})
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
