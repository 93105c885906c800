package legible

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
)

// declaration sets a property.
type declaration struct{ name, value string }

// declarations are those of a rule or an attribute, in their order.
type declarations struct{ normal, important []declaration }

// rule is one selector with its declarations.
type rule struct {
	declarations
	selector cascadia.Sel
	// rank is the specificity; rules of layers come before others.
	rank, order int
}

// rules are those of a document's own style sheets that may hide text, by the last
// part of their selectors. Same rules as web/demo/src/read/hidden/sheet.ts.
type rules struct {
	by    map[string][]rule
	order int
}

// readProperties are those that may hide text, or that others depend on.
var readProperties = names(`all display visibility opacity content-visibility filter -webkit-filter transform -webkit-transform translate scale rotate zoom
	position left top right bottom inset inset-inline inset-block inset-inline-start inset-inline-end inset-block-start inset-block-end margin margin-left margin-top margin-inline margin-inline-start margin-block-start
	width height max-width max-height inline-size block-size max-inline-size max-block-size padding padding-top padding-bottom padding-left padding-right
	overflow overflow-x overflow-y clip clip-path -webkit-clip-path mask -webkit-mask mask-image -webkit-mask-image mask-size -webkit-mask-size
	font font-size text-indent letter-spacing -webkit-text-security color -webkit-text-fill-color background background-color background-image
	background-clip -webkit-background-clip text-shadow -webkit-text-stroke -webkit-text-stroke-width -webkit-text-stroke-color color-scheme`)

func names(list string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(list) {
		m[name] = true
	}
	return m
}

// cssParser reads rules and declarations from the tokens of a style sheet, as CSS
// Syntax says, also nested ones.
type cssParser struct{ lexer *css.Lexer }

func newCSS(s string) *cssParser { return &cssParser{css.NewLexer(parse.NewInputString(s))} }

// item is a declaration, or a rule or at-rule with its block.
type item struct {
	prelude string
	colon   int // of a declaration, in prelude; -1 for none
	block   []item
	isBlock bool
}

// maxBlocks limits nested blocks.
const maxBlocks = 64

// items reads until the end of the block.
func (p *cssParser) items(depth int) []item {
	var found []item
	var b strings.Builder
	colon, open := -1, 0
	end := func() {
		if s := strings.TrimSpace(b.String()); s != "" {
			found = append(found, item{prelude: b.String(), colon: colon})
		}
		b.Reset()
		colon, open = -1, 0
	}
	for {
		kind, data := p.lexer.Next()
		switch kind {
		case css.ErrorToken:
			end()
			return found
		case css.CommentToken, css.CDOToken, css.CDCToken:
			continue
		case css.SemicolonToken:
			if open == 0 {
				end()
				continue
			}
		case css.LeftParenthesisToken, css.LeftBracketToken, css.FunctionToken:
			open++
		case css.RightParenthesisToken, css.RightBracketToken:
			open = max(0, open-1)
		case css.ColonToken:
			if colon < 0 {
				colon = b.Len()
			}
		case css.LeftBraceToken:
			if depth >= maxBlocks {
				b.Reset()
				continue
			}
			inside := p.items(depth + 1)
			// A custom property may have a block as its value.
			if !strings.HasPrefix(strings.TrimSpace(b.String()), "--") {
				found = append(found, item{prelude: b.String(), colon: -1, block: inside, isBlock: true})
			}
			b.Reset()
			colon, open = -1, 0
			continue
		case css.RightBraceToken:
			end()
			if depth > 0 {
				return found
			}
			continue
		case css.CustomPropertyNameToken, css.IdentToken:
		}
		b.Write(data)
	}
}

var important = regexp.MustCompile(`(?i)\s*!\s*important\s*$`)

func (d *declarations) add(i item) {
	if i.isBlock || i.colon < 0 {
		return
	}
	name := strings.TrimSpace(unescaped(i.prelude[:i.colon]))
	custom := strings.HasPrefix(name, "--")
	if !custom {
		if name = strings.ToLower(name); !readProperties[name] {
			return
		}
	}
	value := strings.TrimSpace(unescaped(i.prelude[i.colon+1:]))
	if plain := important.ReplaceAllString(value, ""); plain != value {
		d.important = append(d.important, declaration{name, plain})
	} else {
		d.normal = append(d.normal, declaration{name, value})
	}
}

var escape = regexp.MustCompile(`(?is)\\(?:([\da-f]{1,6})\s?|(.))`)

// unescaped returns a text without escapes: names and keywords need none.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escape.ReplaceAllStringFunc(s, func(s string) string {
		m := escape.FindStringSubmatch(s)
		if m[1] == "" {
			return m[2]
		}
		code, _ := strconv.ParseInt(m[1], 16, 32) // six digits at most
		return string(rune(code))
	})
}

// inlineStyle returns the declarations of a style attribute.
func inlineStyle(s string) declarations {
	var d declarations
	for _, i := range newCSS(s).items(1) {
		d.add(i)
	}
	return d
}

// newRules reads style sheets.
func newRules(sheets []string) *rules {
	r := &rules{by: map[string][]rule{}}
	for _, s := range sheets {
		r.read(newCSS(s).items(0), nil, false)
	}
	return r
}

func (r *rules) read(items []item, above []string, layered bool) {
	for _, i := range items {
		if !i.isBlock {
			continue
		}
		prelude := strings.TrimSpace(i.prelude)
		at, isAt := strings.CutPrefix(prelude, "@")
		if !isAt {
			r.rule(prelude, i.block, above, layered)
			continue
		}
		end := strings.IndexFunc(at, func(c rune) bool { return c == ' ' || c == '(' || c == '\t' || c == '\n' })
		if end < 0 {
			end = len(at)
		}
		name, query := strings.ToLower(at[:end]), strings.ToLower(strings.TrimSpace(at[end:]))
		switch name {
		case "media":
			if !mediaApplies(query) {
				continue
			}
		case "supports":
			if !supportsApplies(query) {
				continue
			}
		case "layer", "container", "scope":
		default:
			continue
		}
		r.block(i.block, above, layered || name == "layer")
	}
}

// block reads what is in an at-rule, which may stand in a rule.
func (r *rules) block(items []item, above []string, layered bool) {
	if above != nil {
		r.declare(items, above, layered)
	}
	r.read(items, above, layered)
}

// maxSelectors limits the selectors of a rule, with those of nested rules and :is()
// written out.
const maxSelectors = 256

func (r *rules) rule(prelude string, items []item, above []string, layered bool) {
	if !validSelector(prelude) {
		return
	}
	var selectors []string
	for _, own := range split(prelude, ',') {
		switch {
		case above == nil:
			selectors = append(selectors, own)
		case strings.Contains(own, "&"):
			for _, a := range above {
				selectors = append(selectors, strings.ReplaceAll(own, "&", a))
			}
		default:
			for _, a := range above {
				selectors = append(selectors, a+" "+own)
			}
		}
	}
	var plain []string
	for _, s := range selectors {
		if len(plain) > maxSelectors || len(s) > 10_000 {
			break
		}
		plain = append(plain, alternatives(s)...)
	}
	r.declare(items, plain, layered)
	r.read(items, plain, layered)
}

// declare adds the declarations in the block of a rule.
func (r *rules) declare(items []item, selectors []string, layered bool) {
	var d declarations
	for _, i := range items {
		d.add(i)
	}
	if len(d.normal)+len(d.important) == 0 {
		return
	}
	for _, s := range selectors {
		s = always.ReplaceAllString(s, "")
		if s == "" || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ">") {
			s += "*"
		}
		sel, err := cascadia.Parse(s)
		if err != nil {
			continue // a pseudo-element, or a state that no file is in: see validSelector
		}
		w := sel.Specificity()
		rank := w[0]*1e6 + w[1]*1e3 + w[2]
		if !layered {
			rank += 1e9
		}
		key := keyOf(s)
		r.by[key] = append(r.by[key], rule{declarations: d, selector: sel, rank: rank, order: r.order})
		r.order++
	}
}

// always are pseudo-classes that are taken to match: what depends on languages and on
// links is not checked.
var always = regexp.MustCompile(`:(?:lang|dir)\([^()]*\)|:(?:defined|any-link|link)\b`)

var isAny = regexp.MustCompile(`(?i):(?:is|where|matches|-webkit-any|-moz-any)\(`)

// alternatives writes out :is() and :where(), which cascadia does not have.
func alternatives(s string) []string {
	found := []string{s}
	for n := 0; n < len(found) && len(found) < maxSelectors; {
		s := found[n]
		m := isAny.FindStringIndex(s)
		if m == nil {
			n++
			continue
		}
		end, depth := m[1], 1
		for ; end < len(s) && depth > 0; end++ {
			switch s[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		start := strings.LastIndexAny(s[:m[0]], " >+~") + 1
		var written []string
		for _, one := range split(strings.TrimSuffix(s[m[1]:end], ")"), ',') {
			cut := strings.LastIndexAny(one, " >+~") + 1
			ancestors, last := one[:cut], one[cut:]
			tag := last[:len(last)-len(strings.TrimLeftFunc(last, isName))]
			written = append(written, s[:start]+ancestors+tag+s[start:m[0]]+last[len(tag):]+s[end:])
		}
		found = append(append(found[:n:n], written...), found[n+1:]...)
		if len(written) == 0 {
			continue
		}
	}
	if len(found) > maxSelectors {
		found = found[:maxSelectors]
	}
	return found
}

func isName(c rune) bool {
	return c == '-' || c == '_' || c == '*' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127
}

var inParentheses = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
var telling = regexp.MustCompile(`[#.]?[\w-]+`)

// keyOf is the most telling simple selector of the last compound.
func keyOf(s string) string {
	for plain := inParentheses.ReplaceAllString(s, ""); ; plain = inParentheses.ReplaceAllString(s, "") {
		if plain == s {
			break
		}
		s = plain
	}
	last := s[strings.LastIndexAny(s, " >+~")+1:]
	if i := strings.IndexByte(last, ':'); i >= 0 {
		last = last[:i]
	}
	key := "*"
	if strings.IndexFunc(last, func(c rune) bool { return c == '\\' || c > 127 }) >= 0 {
		return key
	}
	for _, part := range telling.FindAllString(last, -1) {
		if part[0] == '#' {
			return strings.ToLower(part)
		}
		if part[0] == '.' || key == "*" {
			key = strings.ToLower(part)
		}
	}
	return key
}

// of returns the rules that apply to an element, the strongest last.
func (r *rules) of(n *html.Node) []rule {
	if len(r.by) == 0 {
		return nil
	}
	keys := []string{"*", n.Data}
	if id := attr(n, "id"); id != "" {
		keys = append(keys, "#"+strings.ToLower(id))
	}
	for _, class := range strings.Fields(strings.ToLower(attr(n, "class"))) {
		if key := "." + class; !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	var found []rule
	for _, key := range keys {
		for _, one := range r.by[key] {
			if one.selector.Match(n) {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(a, b rule) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order)) })
	return found
}
