package legible

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Conditions of @media and @supports, for a window on a screen. As in browsers, what
// is invalid or unknown does not apply, negated or not. Same rules as
// web/demo/src/read/hidden/media.ts.

// truth is that of a condition: min is and, max is or, minus is not.
type truth int

const (
	no truth = iota - 1
	unsure
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// maxConditions limits conditions within each other.
const maxConditions = 32

var identifier = regexp.MustCompile(`^-?[a-z_][a-z0-9_-]*$`)

// mediaApplies reports whether a list of media queries applies.
func mediaApplies(queries string) bool {
	return queries == "" || slices.ContainsFunc(split(queries, ','), mediaQuery)
}

func mediaQuery(query string) bool {
	words := split(query, ' ')
	not := false
	if len(words) > 1 && (words[0] == "not" || words[0] == "only") && identifier.MatchString(words[1]) {
		not, words = words[0] == "not", words[1:]
	} else if len(words) == 0 || !identifier.MatchString(words[0]) || words[0] == "not" {
		found, ok := condition(words, mediaFeature, true, 0)
		return ok && found == yes
	}
	if slices.Contains([]string{"not", "only", "and", "or", "layer"}, words[0]) {
		return false
	}
	applies := truthOf(words[0] == "screen" || words[0] == "all")
	if len(words) > 1 {
		found, ok := condition(words[2:], mediaFeature, false, 0)
		if !ok || words[1] != "and" {
			return false
		}
		applies = min(applies, found)
	}
	if not {
		applies = -applies
	}
	return applies == yes
}

// condition reads what and, or and not connect; ok is false if it is invalid.
func condition(words []string, leaf func(string) truth, or bool, depth int) (found truth, ok bool) {
	if len(words) == 2 && words[0] == "not" {
		found, ok = enclosed(words[1], leaf, depth)
		return -found, ok
	}
	if len(words)%2 == 0 {
		return unsure, false
	}
	found, ok = enclosed(words[0], leaf, depth)
	for i := 1; ok && i < len(words); i += 2 {
		var other truth
		other, ok = enclosed(words[i+1], leaf, depth)
		switch {
		case words[i] != words[1]:
			return unsure, false
		case words[i] == "and":
			found = min(found, other)
		case words[i] == "or" && or:
			found = max(found, other)
		default:
			return unsure, false
		}
	}
	return found, ok
}

func enclosed(word string, leaf func(string) truth, depth int) (found truth, ok bool) {
	open := strings.IndexByte(word, '(')
	if open < 0 || !closes(word[open:]) || open > 0 && !identifier.MatchString(word[:open]) {
		return unsure, false
	}
	if open > 0 || depth > maxConditions {
		return leaf(word), true
	}
	inside := strings.TrimSpace(word[1 : len(word)-1])
	words := split(inside, ' ')
	if strings.HasPrefix(inside, "(") || len(words) > 1 && words[0] == "not" {
		if found, ok := condition(words, leaf, true, depth+1); ok {
			return found, true
		}
		return unsure, true
	}
	return leaf(inside), true
}

// closes reports whether the parenthesis that a text begins with is closed at its end.
func closes(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// ranges are features of a size, by how their values are read.
var ranges = map[string]struct {
	size float64
	read func(string) float64
}{
	"width": {windowWidth, pixelsOf}, "height": {windowHeight, pixelsOf}, "device-width": {windowWidth, pixelsOf}, "device-height": {windowHeight, pixelsOf},
	"aspect-ratio": {windowWidth * 1. / windowHeight, ratioOf}, "device-aspect-ratio": {windowWidth * 1. / windowHeight, ratioOf},
	"resolution": {1, resolutionOf}, "-webkit-device-pixel-ratio": {1, numberOf}, "color": {8, numberOf}, "color-index": {0, numberOf}, "monochrome": {0, numberOf},
}

// choices are the values of other features, that of the window first.
var choices = map[string][]string{
	"orientation": {"landscape", "portrait"}, "scan": {"progressive", "interlace"}, "update": {"fast", "slow", "none"}, "grid": {"0", "1"}, "-webkit-transform-3d": {"1", "0"},
	"overflow-block": {"scroll", "none", "paged"}, "overflow-inline": {"scroll", "none"}, "color-gamut": {"srgb", "p3", "rec2020"}, "dynamic-range": {"standard", "high"}, "video-dynamic-range": {"standard", "high"},
	"hover": {"hover", "none"}, "any-hover": {"hover", "none"}, "pointer": {"fine", "coarse", "none"}, "any-pointer": {"fine", "coarse", "none"},
	"prefers-reduced-motion": {"no-preference", "reduce"}, "prefers-reduced-transparency": {"no-preference", "reduce"}, "prefers-reduced-data": {"no-preference", "reduce"},
	"prefers-contrast": {"no-preference", "more", "less", "custom"}, "prefers-color-scheme": {"light", "dark"}, "forced-colors": {"none", "active"}, "inverted-colors": {"none", "inverted"},
	"scripting": {"enabled", "initial-only", "none"}, "display-mode": {"browser", "fullscreen", "standalone", "minimal-ui", "picture-in-picture", "window-controls-overlay"},
}

func pixelsOf(s string) float64 {
	if v := length(s, reference{rootFont, unknown}); !isNumber(s) || v == 0 {
		return v
	}
	return unknown
}

func numberOf(s string) float64 {
	if isNumber(s) {
		return length(s, reference{})
	}
	return unknown
}

func ratioOf(s string) float64 {
	over, under, ok := strings.Cut(s, "/")
	if !ok {
		under = "1"
	}
	return numberOf(strings.TrimSpace(over)) / numberOf(strings.TrimSpace(under))
}

func resolutionOf(s string) float64 {
	for _, u := range []struct {
		name string
		dots float64
	}{{"dppx", 1}, {"dpi", 1. / 96}, {"dpcm", 2.54 / 96}, {"x", 1}} {
		if digits, ok := strings.CutSuffix(s, u.name); ok {
			return numberOf(digits) * u.dots
		}
	}
	return unknown
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

var comparison = regexp.MustCompile(`^([^<>=]+?)\s*(<=|>=|<|>|=)\s*([^<>=]+?)(?:\s*(<=|>=|<|>|=)\s*([^<>=]+))?$`)

func mediaFeature(given string) truth {
	if name, value, ok := strings.Cut(given, ":"); ok {
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		sign := "="
		for prefix, s := range map[string]string{"min-": ">=", "max-": "<="} {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				name, sign = rest, s
			} else if rest, ok := strings.CutPrefix(name, "-webkit-"+prefix); ok {
				name, sign = "-webkit-"+rest, s
			}
		}
		if r, ok := ranges[name]; ok {
			return compare(r.size, sign, r.read(value))
		}
		if all := choices[name]; sign == "=" && slices.Contains(all, value) {
			return truthOf(value == all[0])
		}
		return unsure
	}
	if m := comparison.FindStringSubmatch(given); m != nil {
		flip := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
		if r, ok := ranges[m[1]]; ok && m[4] == "" {
			return compare(r.size, m[2], r.read(m[3]))
		}
		r, ok := ranges[m[3]]
		if !ok || m[4] != "" && (m[2] == "=" || m[2][0] != m[4][0]) {
			return unsure
		}
		found := compare(r.size, flip[m[2]], r.read(m[1]))
		if m[4] != "" {
			found = min(found, compare(r.size, m[4], r.read(strings.TrimSpace(m[5]))))
		}
		return found
	}
	if r, ok := ranges[given]; ok {
		return truthOf(r.size != 0)
	}
	if all := choices[given]; all != nil {
		return truthOf(!slices.Contains([]string{"none", "no-preference", "0"}, all[0]))
	}
	return unsure
}

func compare(size float64, sign string, other float64) truth {
	switch {
	case !isKnown(other):
		return unsure
	case sign == "<":
		return truthOf(size < other)
	case sign == "<=":
		return truthOf(size <= other)
	case sign == ">":
		return truthOf(size > other)
	case sign == ">=":
		return truthOf(size >= other)
	}
	return truthOf(size == other)
}

// supportsApplies reports whether a condition of @supports applies. Properties that
// are not read are taken to be supported.
func supportsApplies(given string) bool {
	words := split(given, ' ')
	found, ok := condition(words, func(given string) truth {
		if name, inside := call(given); identifier.MatchString(name) {
			switch name {
			case "selector":
				return truthOf(validSelector(inside))
			case "font-tech", "font-format":
				return yes
			}
			return unsure
		}
		name, value, ok := strings.Cut(given, ":")
		if name = strings.TrimSpace(name); !ok || !strings.HasPrefix(name, "--") && !identifier.MatchString(name) {
			return unsure
		}
		return truthOf(strings.HasPrefix(name, "--") || !readProperties[name] || validDeclaration(name, strings.TrimSpace(value), false))
	}, true, 0)
	return ok && found == yes
}
