package legible

import (
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
)

// Browsers drop a declaration with an invalid value, and a rule with an invalid
// selector. Same rules as web/demo/src/read/hidden/valid.ts.

var (
	globalValue = regexp.MustCompile(`^(?:inherit|initial|unset|revert|revert-layer)$`)
	// A function's arguments are looked into where it hides text.
	mathCall = regexp.MustCompile(`^(?:-webkit-calc|calc|min|max|clamp|abs|sign|round|mod|rem|hypot|env|anchor|anchor-size|calc-size|fit-content|attr|if|random)\(`)
	number   = regexp.MustCompile(`^([-+]?(?:\d*\.)?\d+(?:e[-+]?\d+)?)(%|[a-z]*)$`)
	image    = regexp.MustCompile(`^(?:url|src|image|image-set|-webkit-image-set|element|-moz-element|paint|cross-fade|-webkit-cross-fade|light-dark|(?:-webkit-|-moz-)?(?:repeating-)?(?:linear|radial|conic)-gradient)\(`)
	function = regexp.MustCompile(`^(?:matrix|matrix3d|translate|translatex|translatey|translatez|translate3d|scale|scalex|scaley|scalez|scale3d|rotate|rotatex|rotatey|rotatez|rotate3d|skew|skewx|skewy|perspective)$`)
	filtered = regexp.MustCompile(`^(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|url)$`)
	shape    = regexp.MustCompile(`^(?:inset|rect|xywh|circle|ellipse|polygon|path|shape|url)$`)
	box      = regexp.MustCompile(`^(?:(?:border|padding|content|margin|fill|stroke|view)-box)$`)
	painting = regexp.MustCompile(`^(?:/|,|none|left|right|top|bottom|center|cover|contain|auto|repeat|repeat-x|repeat-y|no-repeat|space|round|scroll|fixed|local|text|no-clip|add|subtract|intersect|exclude|alpha|luminance|match-source|border-box|padding-box|content-box|border-area|margin-box|fill-box|stroke-box|view-box)$`)
)

// keywords are the values of a property besides lengths, numbers and functions.
var keywords = map[string]*regexp.Regexp{
	"display":               regexp.MustCompile(`^(?:none|contents|math|run-in|list-item|flow|(?:block|inline|flow-root|flex|grid|table|ruby)(?:-[a-z-]+)?(?: [a-z -]+)?|-webkit-[a-z-]+|-moz-[a-z-]+|-ms-[a-z-]+)$`),
	"visibility":            regexp.MustCompile(`^(?:visible|hidden|collapse)$`),
	"content-visibility":    regexp.MustCompile(`^(?:visible|hidden|auto)$`),
	"position":              regexp.MustCompile(`^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$`),
	"overflow-x":            regexp.MustCompile(`^(?:visible|hidden|clip|scroll|auto|overlay)$`),
	"background-clip":       regexp.MustCompile(`^(?:(?:border-box|padding-box|content-box|text|border-area)(?:\s*,\s*|$))+$`),
	"-webkit-text-security": regexp.MustCompile(`^(?:none|disc|circle|square)$`),
	"font-size":             regexp.MustCompile(`^(?:(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger|math)$`),
	"font-size-adjust":      regexp.MustCompile(`^(?:none|(?:(?:ex-height|cap-height|ch-width|ic-width|ic-height)\s+)?(?:from-font|(?:\d*\.)?\d+|calc\(.*\)))$`),
	"zoom":                  regexp.MustCompile(`^(?:normal|reset|document)$`),
	"letter-spacing":        regexp.MustCompile(`^normal$`),
	"text-indent":           regexp.MustCompile(`^(?:each-line|hanging)$`),
	"width":                 regexp.MustCompile(`^(?:auto|min-content|max-content|fit-content|stretch|-webkit-fill-available|-moz-available|-webkit-fit-content|intrinsic|min-intrinsic)$`),
	"max-width":             regexp.MustCompile(`^(?:none|min-content|max-content|fit-content|stretch|-webkit-fill-available|-moz-available|-webkit-fit-content)$`),
	"left":                  regexp.MustCompile(`^auto$`),
	"backface-visibility":   regexp.MustCompile(`^(?:visible|hidden)$`),
	"transform-style":       regexp.MustCompile(`^(?:flat|preserve-3d)$`),
	"contain":               regexp.MustCompile(`^(?:none|strict|content|(?:(?:inline-size|size|layout|style|paint)(?: |$))+)$`),
}

// validDeclaration reports whether a property can have a value. In quirks mode, lengths
// need no unit.
func validDeclaration(name, value string, quirks bool) bool {
	if value == "" || globalValue.MatchString(value) {
		return value != ""
	}
	parts := split(value, ' ')
	length := func(s string) bool { return isLength(s, quirks) }
	positive := func(s string) bool { return length(s) && s[0] != '-' }
	amount := func(s string) bool {
		return isLength(s, true) && (strings.HasSuffix(s, "%") || number.FindStringSubmatch(s) == nil || isNumber(s))
	}
	keyword := func(s string) bool { return keywords[name].MatchString(s) }
	several := func(most int, ok func(string) bool) bool {
		return len(parts) >= 1 && len(parts) <= most && !slices.ContainsFunc(parts, func(s string) bool { return !ok(s) })
	}
	either := func(one, other func(string) bool) func(string) bool {
		return func(s string) bool { return one(s) || other(s) }
	}
	if alias := propertyAliases[name]; alias != "" {
		name = alias
	}
	switch name {
	case "display", "visibility", "content-visibility", "position", "background-clip", "-webkit-text-security", "backface-visibility", "transform-style", "contain", "font-size-adjust":
		return keyword(value)
	case "overflow", "overflow-x", "overflow-y":
		most := 1
		if name == "overflow" {
			most = 2
		}
		name = "overflow-x"
		return several(most, keyword)
	case "opacity":
		return several(1, amount)
	case "zoom":
		return several(1, either(amount, keyword)) && value[0] != '-'
	case "font-size":
		return several(1, either(positive, keyword))
	case "letter-spacing":
		return several(1, either(length, keyword))
	case "text-indent":
		return several(3, either(length, keyword)) && slices.ContainsFunc(parts, length)
	case "left", "top", "right", "bottom", "margin-left", "margin-top":
		name = "left"
		return several(1, either(length, keyword))
	case "inset", "margin":
		name = "left"
		return several(4, either(length, keyword))
	case "inset-inline", "inset-block", "margin-inline":
		name = "left"
		return several(2, either(length, keyword))
	case "padding":
		return several(4, positive)
	case "padding-left", "padding-right", "padding-top", "padding-bottom":
		return several(1, positive)
	case "width", "height":
		name = "width"
		return several(1, either(positive, keyword))
	case "max-width", "max-height":
		name = "max-width"
		return several(1, either(positive, keyword))
	case "color", "background-color", "-webkit-text-fill-color", "-webkit-text-stroke-color":
		return several(1, isColor)
	case "-webkit-text-stroke-width":
		return several(1, isStrokeWidth)
	case "-webkit-text-stroke":
		return several(2, either(isStrokeWidth, isColor)) && (len(parts) == 1 || isStrokeWidth(parts[0]) != isStrokeWidth(parts[1]))
	case "transform":
		return value == "none" || several(len(parts), func(s string) bool { return isCall(s, function, true) })
	case "filter":
		return value == "none" || several(len(parts), func(s string) bool { return isCall(s, filtered, false) })
	case "clip-path":
		return value == "none" || several(2, func(s string) bool { return box.MatchString(s) || isCall(s, shape, false) })
	case "clip":
		_, inside := call(value)
		sides := strings.FieldsFunc(inside, func(c rune) bool { return c == ',' || c == ' ' })
		return value == "auto" || strings.HasPrefix(value, "rect(") && len(sides) == 4 && !slices.ContainsFunc(sides, func(s string) bool { return s != "auto" && !length(s) })
	case "scale":
		return value == "none" || several(3, amount)
	case "translate":
		return value == "none" || several(3, func(s string) bool { return isLength(s, false) })
	case "rotate":
		return value == "none" || several(4, func(s string) bool { return s == "x" || s == "y" || s == "z" || isArgument(s) })
	case "background-image", "mask-image", "background", "mask":
		return !slices.ContainsFunc(split(value, ','), func(layer string) bool {
			return layer == "" || slices.ContainsFunc(split(strings.ReplaceAll(layer, "/", " / "), ' '), func(s string) bool {
				return !(image.MatchString(s) || painting.MatchString(s) || !strings.Contains(name, "-") && (isLength(s, false) || isColor(s)))
			})
		})
	case "text-shadow":
		return value == "none" || !slices.ContainsFunc(split(value, ','), func(shadow string) bool {
			lengths := 0
			for _, s := range split(shadow, ' ') {
				if isLength(s, false) {
					lengths++
				} else if !isColor(s) {
					return true
				}
			}
			return lengths < 2 || lengths > 3
		})
	case "font":
		// A family follows the size.
		size := slices.IndexFunc(parts, func(s string) bool { return isFontSize(at(split(s, '/'), 0)) })
		return slices.Contains([]string{"caption", "icon", "menu", "message-box", "small-caption", "status-bar"}, value) || size >= 0 && size < len(parts)-1
	}
	return true
}

func isLength(s string, quirks bool) bool {
	if m := number.FindStringSubmatch(s); m != nil {
		return m[2] == "" && (quirks || length(m[1], reference{}) == 0) || m[2] != "" && (m[2] == "%" || isKnown(reference{rootFont, 1}.unit(m[2])))
	}
	return mathCall.MatchString(s) && closes(s[strings.IndexByte(s, '('):])
}

// isFontSize reports whether a part of a font is its size: a number alone is its weight.
func isFontSize(s string) bool {
	return keywords["font-size"].MatchString(s) && s != "math" || isLength(s, false) && s[0] != '-'
}

var strokeKeyword = regexp.MustCompile(`^(?:thin|medium|thick)$`)

func isStrokeWidth(s string) bool {
	return strokeKeyword.MatchString(s) || isLength(s, false) && s[0] != '-' && !strings.HasSuffix(s, "%")
}

func isColor(s string) bool {
	if _, ok := parseColor(s); ok || s == "currentcolor" || systemColor.MatchString(s) {
		return true
	}
	// What is in others is not looked into.
	return colorCall.MatchString(s) && closes(s[strings.IndexByte(s, '('):])
}

var (
	colorCall   = regexp.MustCompile(`^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|contrast-color|device-cmyk|attr|if|-internal-[a-z-]+)\(`)
	systemColor = regexp.MustCompile(`^(?:accentcolor|accentcolortext|activetext|buttonborder|buttonface|buttontext|canvas|canvastext|field|fieldtext|graytext|highlight|highlighttext|linktext|mark|marktext|selecteditem|selecteditemtext|visitedtext|-webkit-link|-webkit-text|-webkit-activelink)$`)
	angled      = regexp.MustCompile(`^(?:deg|rad|grad|turn)$`)
)

// isArgument reports whether an argument of a function is a number, a length, an angle,
// or calculated.
func isArgument(s string) bool {
	m := number.FindStringSubmatch(s)
	return isLength(s, true) || m != nil && angled.MatchString(m[2])
}

// isCall reports whether a value is a call of a function that matches, with arguments
// that isArgument takes if so required.
func isCall(s string, names *regexp.Regexp, numeric bool) bool {
	name, inside := call(s)
	if !names.MatchString(name) || !closes(s[len(name):]) {
		return false
	}
	arguments := split(inside, ',')
	return !numeric || len(arguments) > 0 && !slices.ContainsFunc(arguments, func(s string) bool { return !isArgument(s) && s != "none" })
}

var (
	pseudo        = regexp.MustCompile(`(::?)([a-zA-Z-][\w-]*)(\(?)`)
	pseudoClass   = regexp.MustCompile(`^(?:active|active-view-transition|active-view-transition-type|any-link|autofill|buffering|checked|default|defined|dir|disabled|empty|enabled|first|first-child|first-of-type|focus|focus-visible|focus-within|fullscreen|future|has|has-slotted|host|host-context|hover|in-range|indeterminate|invalid|is|lang|last-child|last-of-type|left|link|matches|modal|muted|not|nth-child|nth-last-child|nth-last-of-type|nth-of-type|only-child|only-of-type|open|optional|out-of-range|past|paused|picture-in-picture|placeholder-shown|playing|popover-open|read-only|read-write|required|right|root|scope|seeking|stalled|state|target|target-current|user-invalid|user-valid|valid|visited|volume-locked|where|-webkit-any|-webkit-any-link|-webkit-autofill|-webkit-full-screen|before|after|first-line|first-letter)$`)
	pseudoElement = regexp.MustCompile(`^(?:after|backdrop|before|checkmark|column|cue|details-content|file-selector-button|first-letter|first-line|grammar-error|highlight|marker|part|picker|picker-icon|placeholder|scroll-button|scroll-marker|scroll-marker-group|search-text|selection|slotted|spelling-error|target-text|view-transition|view-transition-[a-z-]+|-webkit-[\w-]+)$`)
	quoted        = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.`)
	isLanguage    = regexp.MustCompile(`^(?:--|-?[a-zA-Z_\x{80}-\x{10ffff}])[\w\x{80}-\x{10ffff}-]*$`)
	numbered      = regexp.MustCompile(`#-?\d`)
)

// validSelector reports whether browsers know a list of selectors: the last part of
// one may be a pseudo-element, or a state that no file is in.
func validSelector(list string) bool {
	return validSelectors(quoted.ReplaceAllStringFunc(list, func(s string) string {
		if s[0] == '\\' {
			return "a"
		}
		return `""`
	}), 0)
}

func validSelectors(list string, depth int) bool {
	parts := split(list, ',')
	return len(parts) > 0 && depth <= maxConditions && !slices.ContainsFunc(parts, func(s string) bool { return !validOne(s, depth) })
}

func validOne(s string, depth int) bool {
	var bare strings.Builder
	rest := strings.ReplaceAll(strings.TrimLeft(s, " >+~"), "&", ":is(*)")
	for {
		m := pseudo.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		before, name := rest[:m[0]], strings.ToLower(rest[m[4]:m[5]])
		if strings.Count(before, "[") > strings.Count(before, "]") {
			return false // a colon in an attribute needs quotation marks
		}
		bare.WriteString(before)
		if known := pseudoClass; rest[m[2]:m[3]] == "::" {
			known = pseudoElement
			if !known.MatchString(name) {
				return false
			}
		} else if !known.MatchString(name) {
			return false
		}
		if so := bare.String(); so == "" || strings.IndexByte(" >+~", so[len(so)-1]) >= 0 {
			bare.WriteByte('*')
		}
		rest = rest[m[1]:]
		if m[6] == m[7] {
			continue
		}
		end, open := 0, 1
		for ; end < len(rest) && open > 0; end++ {
			switch rest[end] {
			case '(':
				open++
			case ')':
				open--
			}
		}
		inside := strings.TrimSuffix(rest[:end], ")")
		if name == "lang" && !isLanguage.MatchString(strings.TrimSpace(inside)) {
			return false
		}
		if (name == "not" || name == "has") && !validSelectors(inside, depth+1) {
			return false
		}
		rest = rest[end:]
	}
	bare.WriteString(rest)
	if numbered.MatchString(bare.String()) {
		return false
	}
	_, err := cascadia.Parse(strings.TrimSpace(bare.String()))
	return err == nil
}
