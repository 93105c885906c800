package legible

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// No window has a size where a file is read. Same rules as web/demo/src/read/hidden/length.ts.
const (
	windowWidth  = 1280 // CSS pixels
	windowHeight = 800
	rootFont     = 16
)

// unknown is a length that cannot be told.
var unknown = math.NaN()

func isKnown(v float64) bool { return !math.IsNaN(v) }

// or returns v if it is known.
func or(v, otherwise float64) float64 {
	if isKnown(v) {
		return v
	}
	return otherwise
}

var (
	units     = map[string]float64{"px": 1, "pt": 4. / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6}
	fontUnits = map[string]float64{"em": 1, "ex": 0.5, "ch": 0.5, "cap": 0.7, "ic": 1, "lh": 1.2}
	portUnit  = regexp.MustCompile(`^[sldc]?(?:v|q)(w|h|i|b|min|max)$`)
)

// reference is what relative units refer to, in pixels.
type reference struct {
	font    float64
	percent float64 // unknown if there is none
}

func (ref reference) unit(name string) float64 {
	switch {
	case name == "":
		return 1
	case name == "%":
		return ref.percent / 100
	case units[name] != 0:
		return units[name]
	case fontUnits[name] != 0:
		return fontUnits[name] * ref.font
	case strings.HasPrefix(name, "r") && fontUnits[name[1:]] != 0:
		return fontUnits[name[1:]] * rootFont
	}
	if m := portUnit.FindStringSubmatch(name); m != nil {
		if m[1] == "h" || m[1] == "b" || m[1] == "min" {
			return windowHeight / 100
		}
		return windowWidth / 100.
	}
	return unknown
}

var lengthToken = regexp.MustCompile(`^\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)|(-?[a-z-]*\()|([-+*/(),]))`)

// maxCalls limits nested parentheses.
const maxCalls = 32

// length returns the pixels of a length, or the value of a number: also of calc(),
// min(), max() and clamp(). It is unknown for keywords and lengths that cannot be computed.
func length(s string, ref reference) float64 {
	p := lengths{rest: strings.TrimSpace(s), ref: ref}
	if v := p.sum(); p.rest == "" && !math.IsInf(v, 0) {
		return v
	}
	return unknown
}

// lengths parses a length.
type lengths struct {
	rest  string
	depth int
	ref   reference
}

func (p *lengths) peek() byte {
	if s := strings.TrimLeft(p.rest, " \t\n\r\f"); s != "" {
		return s[0]
	}
	return 0
}

func (p *lengths) operator() { p.rest = strings.TrimLeft(p.rest, " \t\n\r\f")[1:] }

func (p *lengths) sum() float64 {
	total := p.product()
	for isKnown(total) {
		switch p.peek() {
		case '+':
			p.operator()
			total += p.product()
		case '-':
			p.operator()
			total -= p.product()
		default:
			return total
		}
	}
	return total
}

func (p *lengths) product() float64 {
	total := p.term()
	for isKnown(total) {
		switch p.peek() {
		case '*':
			p.operator()
			total *= p.term()
		case '/':
			p.operator()
			total /= p.term()
		default:
			return total
		}
	}
	return total
}

func (p *lengths) term() float64 {
	m := lengthToken.FindStringSubmatch(p.rest)
	if m == nil {
		return unknown
	}
	p.rest = p.rest[len(m[0]):]
	if m[1] != "" {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return unknown
		}
		return v * p.ref.unit(m[2])
	}
	kind := m[3] + m[4]
	if p.depth++; !strings.HasSuffix(kind, "(") || p.depth > maxCalls {
		return unknown
	}
	var all []float64
	for {
		v := p.sum()
		if !isKnown(v) {
			return unknown
		}
		all = append(all, v)
		end := p.peek()
		if end != ')' && end != ',' {
			return unknown
		}
		p.operator()
		if end == ')' {
			break
		}
	}
	p.depth--
	switch {
	case kind == "min(" || kind == "max(":
		v := all[0]
		for _, w := range all {
			if kind == "min(" {
				v = min(v, w)
			} else {
				v = max(v, w)
			}
		}
		return v
	case kind == "clamp(" && len(all) == 3:
		return max(all[0], min(all[1], all[2]))
	case kind == "abs(":
		return math.Abs(all[0])
	case kind == "calc(" || kind == "-webkit-calc(" || kind == "(":
		return all[0]
	}
	return unknown
}

// split returns the parts of a value that blanks or commas separate, outside of
// parentheses and brackets.
func split(s string, separator byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		ends := i == len(s)
		if !ends {
			switch s[i] {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
			ends = depth <= 0 && (s[i] == separator || separator == ' ' && strings.IndexByte("\t\n\r\f", s[i]) >= 0)
		}
		if ends {
			if part := strings.TrimSpace(s[start:i]); part != "" || separator != ' ' && s != "" {
				parts = append(parts, part)
			}
			start = i + 1
		}
	}
	return parts
}

// call returns a function's name and arguments, empty for none.
func call(s string) (name, inside string) {
	if open := strings.IndexByte(s, '('); open > 0 && strings.HasSuffix(s, ")") {
		return s[:open], s[open+1 : len(s)-1]
	}
	return "", ""
}

// at returns a part, empty if there are fewer.
func at(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return ""
}
