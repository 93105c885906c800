package legible

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	matches matches
	layer   layer
	rank    int // the specificity
	order   int
}

// rules are those of a document's own style sheets that may hide text, by the last
// part of their selectors. Same rules as web/demo/src/read/hidden/sheet.ts.
type rules struct {
	selectors *selectors
	by        map[string][]rule
	order     int
	// layers numbers the layers, by their full names, as they are first named.
	layers map[string]int
	// marked: some match by language or direction, see mark.
	marked bool
}

// place is where rules stand.
type place struct {
	// above is the selector of the rule around them, and own what it selects.
	above  string
	own    []selected
	layer  layer
	within string // the full name of the layer
	scope  matches
	// root is the selector of the elements that :scope matches.
	root string
}

// selected is a selector of a rule, with what keyOf returns.
type selected struct {
	selector
	key string
}

// layer holds the numbers of a layer and of those around it, the outermost first.
type layer []int

// compare orders layers, the strongest last: rules outside of inner layers are stronger.
func (l layer) compare(m layer) int {
	for i := range min(len(l), len(m)) {
		if l[i] != m[i] {
			return cmp.Compare(l[i], m[i])
		}
	}
	return cmp.Compare(len(m), len(l))
}

// Further layers, and those with longer full names in bytes, do not count.
const maxLayers, maxLayerName = 10_000, 1000

// in returns a place in a layer, which may be in others: a.b. Without a name it is
// another one each time.
func (r *rules) in(p place, name string) place {
	if name == "" {
		name = "#" + strconv.Itoa(len(r.layers))
	}
	if len(r.layers) >= maxLayers || len(p.within)+len(name) > maxLayerName {
		return p
	}
	p.layer = slices.Clip(p.layer)
	for part := range strings.SplitSeq(name, ".") {
		p.within += "." + part
		number, ok := r.layers[p.within]
		if !ok {
			number = len(r.layers)
			r.layers[p.within] = number
		}
		p.layer = append(p.layer, number)
	}
	return p
}

// readProperties are those that may hide text, or that others depend on.
var readProperties = names(`all display visibility opacity content-visibility filter -webkit-filter transform -webkit-transform translate scale rotate zoom
	position left top right bottom inset inset-inline inset-block inset-inline-start inset-inline-end inset-block-start inset-block-end margin margin-left margin-top margin-inline margin-inline-start margin-block-start
	width height max-width max-height inline-size block-size max-inline-size max-block-size padding padding-top padding-bottom padding-left padding-right
	overflow overflow-x overflow-y clip clip-path -webkit-clip-path mask -webkit-mask mask-image -webkit-mask-image mask-size -webkit-mask-size
	font font-size font-size-adjust text-indent letter-spacing -webkit-text-security color -webkit-text-fill-color background background-color background-image
	background-clip -webkit-background-clip backface-visibility -webkit-backface-visibility transform-style -webkit-transform-style contain text-shadow -webkit-text-stroke -webkit-text-stroke-width -webkit-text-stroke-color color-scheme`)

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
func newRules(sheets []string, root *html.Node) *rules {
	r := &rules{selectors: newSelectors(root), by: map[string][]rule{}, layers: map[string]int{}}
	for _, s := range sheets {
		r.read(newCSS(s).items(0), place{root: ":root"})
	}
	return r
}

var atRule = regexp.MustCompile(`(?s)^@([\w-]+)(.*)$`)

func (r *rules) read(items []item, p place) {
	for _, i := range items {
		prelude := strings.TrimSpace(i.prelude)
		m := atRule.FindStringSubmatch(prelude)
		if m == nil {
			if i.isBlock {
				r.rule(prelude, i.block, p)
			}
			continue
		}
		name, query := strings.ToLower(m[1]), strings.TrimSpace(m[2])
		if !i.isBlock {
			if name == "layer" {
				for _, one := range split(query, ',') {
					r.in(p, one)
				}
			}
			continue
		}
		in := p
		switch name {
		case "media":
			if !mediaApplies(strings.ToLower(query)) {
				continue
			}
		case "supports":
			if !supportsApplies(strings.ToLower(query)) {
				continue
			}
		case "scope":
			var ok bool
			if in, ok = r.scope(p, query); !ok {
				continue
			}
			r.declare(i.block, in)
			in.own = nil
		case "layer":
			in = r.in(p, query)
		case "container":
		default:
			continue
		}
		// An at-rule within a rule may hold declarations.
		if in.own != nil {
			r.declare(i.block, in)
		}
		r.read(i.block, in)
	}
}

// scope returns a place in @scope (roots) to (limits), with its roots as what a rule
// selects; false without roots.
func (r *rules) scope(p place, query string) (place, bool) {
	parts := split(query, ' ')
	if len(parts) != 1 && (len(parts) != 3 || !strings.EqualFold(parts[1], "to")) {
		return p, false
	}
	var found [2]matches
	nesting := cmp.Or(p.above, p.root)
	for i, part := range []string{parts[0], at(parts, 2)} {
		if found[i] = func(*html.Node) bool { return false }; part == "" {
			continue
		}
		inside, ok := strings.CutPrefix(part, "(")
		inside, closed := strings.CutSuffix(inside, ")")
		if !ok || !closed || !validSelector(inside) {
			return p, false
		}
		inside = plainEscapes(inside)
		nested, _ := marks(inside)
		inside = ":is(" + r.plain(inside, p.root, nesting) + ")"
		if i == 0 && p.above != "" && !nested {
			inside = p.above + " " + inside
		}
		one, err := r.selectors.complex(inside)
		if err != nil {
			return p, false
		}
		if found[i] = one.matches; i == 0 {
			p.root = r.selectors.give([]selector{one})
			p.own, nesting = []selected{{one, "*"}}, p.root
		}
	}
	p.above = ""
	p.scope = both(r.selectors.within(found[0], found[1]), p.scope)
	return p, true
}

func (r *rules) rule(prelude string, items []item, p place) {
	if !validSelector(prelude) {
		return
	}
	within := p
	within.own = nil
	var all []selector
	for _, text := range separate(plainEscapes(prelude)) {
		nested, scoped := marks(text)
		text = r.plain(text, p.root, cmp.Or(p.above, p.root))
		switch {
		case nested:
		case p.above != "":
			text = p.above + " " + text
		case p.scope != nil && !scoped:
			// What is not said of the root of a scope is within it.
			text = p.root + " " + text
		}
		one, err := r.selectors.complex(text)
		if err != nil {
			continue // a pseudo-element, or a state that no file is in: see validSelector
		}
		all, within.own = append(all, one), append(within.own, selected{one, keyOf(text)})
	}
	r.declare(items, within)
	if slices.ContainsFunc(items, func(i item) bool { return i.isBlock }) {
		within.above = r.selectors.give(all)
		r.read(items, within)
	}
}

// declare adds the declarations in the block of a rule, or in an at-rule in it.
func (r *rules) declare(items []item, p place) {
	var d declarations
	for _, i := range items {
		d.add(i)
	}
	if len(d.normal)+len(d.important) == 0 {
		return
	}
	for _, one := range p.own {
		r.by[one.key] = append(r.by[one.key], rule{declarations: d, matches: both(one.matches, p.scope), layer: p.layer, rank: one.rank, order: r.order})
		r.order++
	}
}

var (
	selectorEscape = regexp.MustCompile(`(?is)\\(?:([\da-f]{1,6})\s?|(.))(\s?)`)
	// Strings are left as they are.
	replaced = regexp.MustCompile(`(?i)"[^"]*"|'[^']*'|&|:(scope|any-link|link)\b|:(dir|lang)\(([^()"']*)\)`)
)

// plainEscapes writes a list of selectors without blanks, commas and other marks in
// escapes.
func plainEscapes(list string) string {
	return selectorEscape.ReplaceAllStringFunc(list, func(s string) string {
		m := selectorEscape.FindStringSubmatch(s)
		code, _ := strconv.ParseInt(m[1], 16, 32) // six digits at most
		if m[1] == "" {
			character, _ := utf8.DecodeRuneInString(m[2])
			code = int64(character)
		}
		// A blank after an escape belongs to it.
		return fmt.Sprintf(`\%06x`, code) + m[3] + m[3]
	})
}

// marks reports whether a list of selectors has & and :scope.
func marks(list string) (nested, scoped bool) {
	for _, s := range replaced.FindAllString(list, -1) {
		nested, scoped = nested || s == "&", scoped || strings.EqualFold(s, ":scope")
	}
	return nested, scoped
}

// plain writes a list of selectors without what cascadia does not have, with `nesting`
// for & and `root` for :scope.
func (r *rules) plain(list, root, nesting string) string {
	return replaced.ReplaceAllStringFunc(list, func(s string) string {
		if s == "&" {
			return nesting
		}
		m := replaced.FindStringSubmatch(s)
		switch strings.ToLower(m[1] + m[2]) {
		case "scope":
			return root
		case "link", "any-link":
			return "[href]"
		case "dir":
			r.marked = true
			return "[" + directionMark + "=" + strings.ToLower(strings.TrimSpace(m[3])) + "]"
		case "lang":
			// A language begins as it does: en-GB.
			r.marked = true
			return "[" + languageMark + "|=" + strings.ToLower(strings.TrimSpace(m[3])) + "]"
		}
		return s
	})
}

var (
	inBrackets = regexp.MustCompile(`\[[^\[\]]*\]`)
	telling    = regexp.MustCompile(`[#.]?[\w-]+`)
)

// keyOf is the most telling simple selector of the last compound.
func keyOf(s string) string {
	last := strings.TrimSpace(s)
	for end := scan(last, " \t\n\r\f>+~"); end < len(last); end = scan(last, " \t\n\r\f>+~") {
		last = last[end+1:]
	}
	last = inBrackets.ReplaceAllString(last[:scan(last, ":")], "")
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

// of returns the rules that apply to an element, the strongest last, for declarations
// that are not important.
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
			if one.matches(n) {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(a, b rule) int {
		return cmp.Or(a.layer.compare(b.layer), cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order))
	})
	return found
}

// languageMark and directionMark are attributes with the language and the direction of
// an element, for :lang() and :dir(). No page knows their names.
var (
	languageMark  = "lang-" + strconv.FormatUint(rand.Uint64(), 36)
	directionMark = "dir-" + strconv.FormatUint(rand.Uint64(), 36)
)

// mark sets languageMark and directionMark in a page whose rules match them. `language`
// is that of the page; dir="auto" counts as "ltr".
func mark(root *html.Node, language string) {
	for n := root; n != nil; n = following(n, root) {
		if n.Type != html.ElementNode {
			continue
		}
		own, direction := language, "ltr"
		if n.Parent != nil && n.Parent.Type == html.ElementNode {
			own, direction = attr(n.Parent, languageMark), attr(n.Parent, directionMark)
		}
		if has(n, "lang") {
			own = attr(n, "lang")
		} else if has(n, "xml:lang") {
			own = attr(n, "xml:lang")
		}
		if given := strings.ToLower(attr(n, "dir")); given == "rtl" || given == "ltr" || given == "auto" {
			direction = cmp.Or(strings.TrimPrefix(given, "auto"), "ltr")
		}
		n.Attr = append(n.Attr, html.Attribute{Key: languageMark, Val: strings.ToLower(own)}, html.Attribute{Key: directionMark, Val: direction})
	}
}
