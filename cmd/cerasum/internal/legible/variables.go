package legible

import (
	"regexp"
	"strings"
)

// variables are the custom properties of the element that was entered last. An
// element has those of its ancestors: a copy for each would take memory quadratic in
// the depth of a page. Same rules as web/demo/src/read/hidden/variables.ts.
type variables struct {
	values map[string][]string // the innermost last
	open   []*scope
}

// scope holds the names of the variables that an element sets.
type scope struct{ names []string }

// enter leaves the scopes of elements that are closed, and returns that of an element
// within outer: outer itself if the element sets no variables.
func (v *variables) enter(declared []declaration, outer *scope) *scope {
	for len(v.open) > 0 && v.open[len(v.open)-1] != outer {
		last := len(v.open) - 1
		for _, name := range v.open[last].names {
			if values := v.values[name]; len(values) > 1 {
				v.values[name] = values[:len(values)-1]
			} else {
				delete(v.values, name)
			}
		}
		v.open = v.open[:last]
	}
	set := map[string]string{}
	for _, d := range declared {
		if strings.HasPrefix(d.name, "--") {
			set[d.name] = d.value
		}
	}
	if len(set) == 0 {
		return outer
	}
	if v.values == nil {
		v.values = map[string][]string{}
	}
	inner := &scope{}
	for name, value := range set {
		inner.names = append(inner.names, name)
		v.values[name] = append(v.values[name], value)
	}
	v.open = append(v.open, inner)
	return inner
}

var variable = regexp.MustCompile(`(?i)var\(`)

// substituted returns a value with those of variables in it.
func (v *variables) substituted(value string) string {
	for n := 0; n < 100; n++ {
		m := variable.FindStringIndex(value)
		if m == nil {
			break
		}
		end, depth := m[1], 1
		for ; end < len(value) && depth > 0; end++ {
			switch value[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		name, otherwise, _ := strings.Cut(strings.TrimSuffix(value[m[1]:end], ")"), ",")
		if values := v.values[strings.TrimSpace(name)]; len(values) > 0 {
			otherwise = values[len(values)-1]
		}
		if value = value[:m[0]] + strings.TrimSpace(otherwise) + value[end:]; len(value) > maxStyleValue {
			return ""
		}
	}
	return strings.ToLower(strings.TrimSpace(value))
}
