package legible

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// otherMedia are features that a window does not have; others that cannot be
	// told are taken to apply. Twin of web/demo/src/read/hidden/media.ts.
	otherMedia  = regexp.MustCompile(`^(?:prefers-color-scheme:dark|prefers-reduced-motion:reduce|prefers-contrast:(?:more|less|custom)|prefers-reduced-transparency:reduce|prefers-reduced-data:reduce|forced-colors:active|inverted-colors:inverted|orientation:portrait|hover:none|any-hover:none|pointer:(?:none|coarse)|any-pointer:(?:none|coarse)|scripting:none|update:(?:none|slow)|grid|grid:1|monochrome|display-mode:.*)$`)
	mediaAnd    = regexp.MustCompile(`\s+and\s+`)
	mediaOr     = regexp.MustCompile(`\s+or\s+`)
	mediaKind   = regexp.MustCompile(`^(?:(only|not)\s+)?([a-z-]+)$`)
	mediaNot    = regexp.MustCompile(`^not\s*\(`)
	mediaInside = regexp.MustCompile(`^\s*\(([^()]*(?:\([^()]*\)[^()]*)?)\)\s*$`)
	mediaRange  = regexp.MustCompile(`^(?:([^<>=]+?)\s*(<=?|>=?|=)\s*)?(width|height)(?:\s*(<=?|>=?|=)\s*([^<>=]+))?$`)
	mediaSize   = regexp.MustCompile(`^(min-|max-)?(?:device-)?(width|height)\s*:\s*(.*)$`)
	blanks      = regexp.MustCompile(`\s+`)
)

// mediaApplies reports whether a list of media queries applies to a window on a screen.
func mediaApplies(queries string) bool {
	return queries == "" || slices.ContainsFunc(split(queries, ','), mediaQuery)
}

func mediaQuery(query string) bool {
	not, all := false, true
	for _, word := range mediaAnd.Split(query, -1) {
		word = strings.TrimSpace(word)
		if kind := mediaKind.FindStringSubmatch(word); kind != nil {
			not = not || kind[1] == "not"
			all = all && (kind[2] == "screen" || kind[2] == "all")
		} else if mediaNot.MatchString(word) {
			all = all && !mediaFeature(word[3:])
		} else {
			all = all && slices.ContainsFunc(mediaOr.Split(word, -1), mediaFeature)
		}
	}
	return all != not
}

func mediaFeature(given string) bool {
	m := mediaInside.FindStringSubmatch(given)
	if m == nil {
		return true
	}
	inside := strings.TrimSpace(m[1])
	size := func(name string) float64 {
		if name == "width" {
			return windowWidth
		}
		return windowHeight
	}
	if r := mediaRange.FindStringSubmatch(inside); r != nil && r[2]+r[4] != "" {
		flip := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
		return (r[2] == "" || mediaCompare(size(r[3]), flip[r[2]], r[1])) && (r[4] == "" || mediaCompare(size(r[3]), r[4], r[5]))
	}
	if s := mediaSize.FindStringSubmatch(inside); s != nil {
		sign := map[string]string{"min-": ">=", "max-": "<=", "": "="}[s[1]]
		return mediaCompare(size(s[2]), sign, s[3])
	}
	plain := blanks.ReplaceAllString(inside, "")
	return plain == "display-mode:browser" || !otherMedia.MatchString(plain)
}

func mediaCompare(size float64, sign, value string) bool {
	other := length(value, reference{rootFont, unknown})
	switch {
	case !isKnown(other):
		return true
	case sign == "<":
		return size < other
	case sign == "<=":
		return size <= other
	case sign == ">":
		return size > other
	case sign == ">=":
		return size >= other
	}
	return size == other
}
