package tokenizer

import (
	"fmt"
	"strings"
	"unicode"
)

// set is a set of characters: the union of its parts, intersected with other sets, and
// complemented if it is negated.
type set struct {
	ranges  []runeRange
	tables  []*unicode.RangeTable
	sets    []*set
	meets   []*set // the sets that it is intersected with
	negated bool
	ascii   [2]uint64 // members below 128, once sealed
	sealed  bool
}

type runeRange struct{ low, high rune }

func (s *set) has(r rune) bool {
	if r < 128 && s.sealed {
		return s.ascii[r>>6]&(1<<(r&63)) != 0
	}
	in := false
	for _, x := range s.ranges {
		if x.low <= r && r <= x.high {
			in = true
			break
		}
	}
	for i := 0; i < len(s.tables) && !in; i++ {
		in = unicode.Is(s.tables[i], r)
	}
	for i := 0; i < len(s.sets) && !in; i++ {
		in = s.sets[i].has(r)
	}
	for i := 0; i < len(s.meets) && in; i++ {
		in = s.meets[i].has(r)
	}
	return in != s.negated
}

// seal makes the test for ASCII characters fast. The set must not change afterwards.
func (s *set) seal() *set {
	var ascii [2]uint64
	for r := rune(0); r < 128; r++ {
		if s.has(r) {
			ascii[r>>6] |= 1 << (r & 63)
		}
	}
	s.ascii, s.sealed = ascii, true
	return s
}

func (s *set) addRunes(pairs ...rune) {
	for i := 0; i < len(pairs); i += 2 {
		s.ranges = append(s.ranges, runeRange{pairs[i], pairs[i+1]})
	}
}

func (s *set) addTables(tables ...*unicode.RangeTable) { s.tables = append(s.tables, tables...) }

func (s *set) addSets(sets ...*set) { s.sets = append(s.sets, sets...) }

func not(s *set) *set { return &set{sets: []*set{s}, negated: true} }

func single(r rune) *set { return &set{ranges: []runeRange{{r, r}}} }

// foldASCII adds the other case of the ASCII letters in a set.
func (s *set) foldASCII() {
	var more []rune
	for c := 'a'; c <= 'z'; c++ {
		upper := c - 'a' + 'A'
		switch {
		case s.has(c) && !s.has(upper):
			more = append(more, upper, upper)
		case !s.has(c) && s.has(upper):
			more = append(more, c, c)
		}
	}
	if len(more) > 0 {
		inner := *s
		*s = set{sets: []*set{&inner}}
		s.addRunes(more...)
	}
}

func alphabetic() []*unicode.RangeTable {
	return []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_Alphabetic}
}

// wordSet is the set of \w; inClass means inside a class.
func wordSet(inClass bool) *set {
	s := new(set)
	s.addTables(alphabetic()...)
	s.addTables(unicode.M, unicode.Nd, unicode.Pc)
	if !inClass {
		s.addRunes(0xb2, 0xb3, 0xb9, 0xb9, 0xbc, 0xbe)
	}
	return s
}

func hexSet() *set {
	s := new(set)
	s.addRunes('0', '9', 'A', 'F', 'a', 'f')
	return s
}

func tableSet(tables ...*unicode.RangeTable) *set { return &set{tables: tables} }

// posixSet returns the set of [:name:] in a class.
func posixSet(name string) *set {
	switch name {
	case "alpha":
		return tableSet(alphabetic()...)
	case "alnum":
		return tableSet(append(alphabetic(), unicode.Nd)...)
	case "digit":
		return tableSet(unicode.Nd)
	case "lower":
		return tableSet(unicode.Ll, unicode.Other_Lowercase)
	case "upper":
		return tableSet(unicode.Lu, unicode.Other_Uppercase)
	case "space":
		return tableSet(unicode.White_Space)
	case "blank":
		s := tableSet(unicode.Zs)
		s.addRunes('\t', '\t')
		return s
	case "punct":
		return tableSet(unicode.P, unicode.S)
	case "cntrl":
		return tableSet(unicode.Cc)
	case "word":
		return wordSet(true)
	case "xdigit":
		return hexSet()
	}
	return nil
}

// propertySet returns the set of \p{name}.
func propertySet(name string) (*set, error) {
	key, value, pair := strings.Cut(name, "=")
	if pair {
		switch key {
		case "General_Category", "gc":
			if s := categorySet(value); s != nil {
				return s, nil
			}
		case "Script", "sc":
			if table := unicode.Scripts[value]; table != nil {
				return tableSet(table), nil
			}
		}
		return nil, fmt.Errorf("unknown property %q", name)
	}
	if s := categorySet(name); s != nil {
		return s, nil
	}
	switch name {
	case "Any":
		return &set{negated: true}, nil
	case "ASCII":
		s := new(set)
		s.addRunes(0, 127)
		return s, nil
	case "Alphabetic", "Alpha":
		return tableSet(alphabetic()...), nil
	case "Lowercase", "Lower":
		return posixSet("lower"), nil
	case "Uppercase", "Upper":
		return posixSet("upper"), nil
	case "White_Space", "space":
		return tableSet(unicode.White_Space), nil
	case "Ideographic", "Ideo":
		return tableSet(unicode.Ideographic), nil
	case "Word": // in Oniguruma, not in JavaScript
		return wordSet(false), nil
	}
	if table := unicode.Scripts[name]; table != nil {
		return tableSet(table), nil
	}
	return nil, fmt.Errorf("unknown property %q", name)
}

func categorySet(name string) *set {
	if short := unicode.CategoryAliases[name]; short != "" {
		name = short
	}
	if table := unicode.Categories[name]; table != nil {
		return tableSet(table)
	}
	return nil
}
