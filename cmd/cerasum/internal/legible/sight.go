// Package legible tells what a reader could see of an HTML page, by its own style
// sheets and attributes. Start with [DropHidden].
package legible

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Sight is what is known of an element whose content may be visible.
type Sight struct {
	// shown reports whether its own text is visible; that of descendants may be
	// visible anyway.
	shown       bool
	visible     bool
	opacity     float64
	font        float64 // CSS pixels, before it is scaled
	scale       float64
	adjusted    float64 // what font-size-adjust makes of the font's size, at most 1
	blur        float64 // of its letters, in CSS pixels
	filter      *filter // what filters make of its colours
	back        bool    // it is turned away, and what is in it turns with it
	ink         ink
	fill        string  // what fills the letters in place of their colour
	ground      []color // one, or those of a gradient; nil for pictures, which may have any
	filled      *[]color
	shadow      string
	strokeWidth string
	strokeColor string
	indented    bool // out of the window
	spacing     float64
	disguised   bool
	dark        bool // color scheme
	scope       *scope
}

// ink is a colour that may not be known.
type ink struct {
	color
	known bool
}

// Sights tells what a reader could see of a page that has not been laid out, by its
// own style sheets and style attributes. Same rules as web/demo/src/read/hidden/sight.ts.
type Sights struct {
	rules     *rules
	dark      bool
	variables variables
	quirks    bool // there is no DOCTYPE
	known     map[declaration][]declaration
	// shadows are the names of the slots in the shadow trees that elements declare.
	shadows map[*html.Node]map[string]bool
}

const (
	maxStyleValue = 10_000 // bytes, with variables
	// maxGround limits the colours of a gradient that are looked at: each element of a
	// deep page has its own.
	maxGround = 16
	// CSS pixels: what begins so far to the left of the window, or above it, and
	// whose size is unknown, is out of it.
	outsideX, outsideY, outsideFloat = 500, 300, 2000
	// farAway is to the right of the window, or below it, where nobody scrolls to.
	farAway = 5000
	// minSpacing, of the font: letters that are closer lie on top of each other.
	minSpacing = -0.5
	// boxSize is that of a box whose size is unknown.
	boxSize = 300
)

var (
	darkScheme  = regexp.MustCompile(`(?i)\bdark\b`)
	lightScheme = regexp.MustCompile(`(?i)\blight\b`)
)

func isDark(scheme string) bool {
	return darkScheme.MatchString(scheme) && !lightScheme.MatchString(scheme)
}

func isCSS(mediaType string) bool {
	return mediaType == "" || strings.EqualFold(mediaType, "text/css")
}

// following returns the node after n within root, in the order of the document; what is in
// a template is not in the page.
func following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && !(n.Type == html.ElementNode && n.Data == "template") {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// canHost matches the elements that can have a shadow tree; custom elements have a hyphen.
var canHost = regexp.MustCompile(`^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$|^[a-z][^-]*-`)

// New reads the style sheets of a page.
func New(root *html.Node) *Sights {
	var sheets []string
	var language string
	s := &Sights{quirks: true, known: map[declaration][]declaration{}, shadows: map[*html.Node]map[string]bool{}}
	for n := root; n != nil; n = following(n, root) {
		switch {
		case n.Type == html.DoctypeNode:
			s.quirks = false
		case n.Type != html.ElementNode:
		case n.Data == "style" && n.FirstChild != nil && isCSS(attr(n, "type")) && mediaApplies(strings.ToLower(strings.TrimSpace(attr(n, "media")))):
			sheets = append(sheets, n.FirstChild.Data)
		case n.Data == "template" && n.Parent != nil && canHost.MatchString(n.Parent.Data) && (attr(n, "shadowrootmode") == "open" || attr(n, "shadowrootmode") == "closed"):
			if s.shadows[n.Parent] == nil {
				s.shadows[n.Parent] = slotsIn(n)
			}
		case n.Data == "meta" && strings.EqualFold(attr(n, "name"), "color-scheme"):
			s.dark = isDark(attr(n, "content"))
		case n.Data == "meta" && strings.EqualFold(attr(n, "http-equiv"), "content-language") && !strings.Contains(attr(n, "content"), ","):
			language = strings.TrimSpace(attr(n, "content"))
		}
	}
	if s.rules = newRules(sheets, root); s.rules.marked {
		mark(root, language)
	}
	return s
}

// DropHidden removes from a page what no reader sees, templates among it. Other elements
// of which `skipped` is true stay as they are.
func DropHidden(root *html.Node, skipped map[string]bool) {
	s := New(root)
	// Rules depend on siblings: nothing is removed before all have been matched.
	var hidden []*html.Node
	var visit func(n *html.Node, in *Sight)
	visit = func(n *html.Node, in *Sight) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				if in != nil && !in.shown && strings.TrimSpace(c.Data) != "" {
					hidden = append(hidden, c)
				}
			case c.Type == html.ElementNode && c.Data == "template":
				hidden = append(hidden, c) // Readability would take it for a part of the page
			case c.Type != html.ElementNode || skipped[c.Data]:
			default:
				if inside := s.Enter(c, in); inside != nil {
					visit(c, inside)
				} else {
					hidden = append(hidden, c)
				}
			}
		}
	}
	visit(root, nil)
	for _, n := range hidden {
		if n.Type == html.TextNode {
			n.Data = " "
		} else {
			n.Parent.RemoveChild(n)
		}
	}
	// What is left is visible whatever its style attribute looks like.
	for n := range root.Descendants() {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			return a.Key == "style" || a.Key == languageMark || a.Key == directionMark
		})
	}
}

// style returns the value of a property, empty if there is none.
type style map[string]string

// Enter returns what an element shows within another, or as the root; nil if nothing.
// Elements must be entered in the order of the document.
func (s *Sights) Enter(n *html.Node, above *Sight) *Sight {
	st, scope := s.style(n, above)
	out := above
	if out == nil {
		out = rootSight(s.dark || isDark(st["color-scheme"]))
	}
	dark := out.dark
	if scheme := st["color-scheme"]; above != nil && scheme != "" && !globalValue.MatchString(scheme) {
		dark = isDark(scheme)
	}
	if dark {
		st.dropSchemed()
	}
	// A page that hides all of itself waits for its scripts: nothing of it can be
	// seen beside what is hidden.
	all := n.Data == "html" || n.Data == "body"
	if !all && (undisplayed(n, st["display"]) || s.unslotted(n) || st["content-visibility"] == "hidden") {
		return nil
	}
	opacity := 1.0
	if !all {
		opacity = out.opacity * amount(st["opacity"])
	}
	blur := out.blur
	var own *filter // of the page as a whole, its background is filtered with it
	if !all {
		own = out.filter.with(st["filter"])
	}
	for _, one := range split(st["filter"], ' ') {
		switch name, inside := call(one); name {
		case "opacity":
			opacity *= amount(inside)
		case "blur":
			blur = math.Hypot(blur, or(length(inside, reference{out.font, unknown}), 0))
		}
	}
	if opacity < minOpacity {
		return nil
	}
	font := fontSize(st["font-size"], out.font)
	if st["zoom"] != "" {
		font *= amount(st["zoom"])
	}
	scale, back := 1.0, false
	if !all {
		factor, turned := st.scale()
		scale, back = out.scale*factor, turned != out.back
		if scale == 0 || back && st["backface-visibility"] == "hidden" || st.away(font) || st.clipped(font) || st.masked() {
			return nil
		}
	}
	c := colorOf(st["color"], out.ink, out.ink)
	in := &Sight{
		opacity: opacity, font: font, scale: scale, blur: blur, filter: own, back: back && st["transform-style"] == "preserve-3d", ink: c, scope: scope,
		visible: out.visible, ground: st.ground(c, out.ground, own), filled: st.filledBy(c, above),
		fill: cmp.Or(st["-webkit-text-fill-color"], out.fill), shadow: cmp.Or(st["text-shadow"], out.shadow),
		strokeWidth: cmp.Or(st["-webkit-text-stroke-width"], out.strokeWidth), strokeColor: cmp.Or(st["-webkit-text-stroke-color"], out.strokeColor),
		adjusted: out.adjusted, indented: out.indented, spacing: out.spacing, disguised: out.disguised, dark: dark,
	}
	if v := st["font-size-adjust"]; v != "" {
		// A font's small letters have about half its height. Keywords change nothing.
		parts := split(v, ' ')
		in.adjusted = min(1, or(2*length(parts[len(parts)-1], reference{rootFont, unknown}), 1))
	}
	if v := st["visibility"]; v != "" {
		in.visible = v != "hidden" && v != "collapse"
	}
	if v := st["text-indent"]; v != "" {
		indent := length(at(split(v, ' '), 0), reference{font, windowWidth})
		in.indented = indent <= -outsideX || indent >= windowWidth
	}
	if v := st["letter-spacing"]; v != "" {
		in.spacing = or(length(v, reference{font, unknown}), 0)
	}
	if v := st["-webkit-text-security"]; v != "" {
		in.disguised = v != "none"
	}
	in.shown = in.visible && !in.indented && !in.disguised && font*scale*in.adjusted >= minFont && blur <= maxBlur*font && in.spacing > minSpacing*max(font, 1) && in.inked()
	return in
}

// Shown reports whether the element's own text is visible.
func (in *Sight) Shown() bool { return in == nil || in.shown }

func rootSight(dark bool) *Sight {
	r := &Sight{shown: true, visible: true, opacity: 1, font: rootFont, scale: 1, adjusted: 1, ink: ink{color{0, 0, 0, 1}, true}, ground: []color{{255, 255, 255, 1}}, shadow: "none"}
	if dark {
		r.dark = true
		r.ink.color, r.ground[0] = color{255, 255, 255, 1}, color{18, 18, 18, 1}
	}
	return r
}

// style returns the values that a document declares for an element: by attributes,
// rules and its style.
func (s *Sights) style(n *html.Node, above *Sight) (style, *scope) {
	found := s.rules.of(n)
	declared := hints(n)
	var own declarations
	if text := attr(n, "style"); text != "" {
		own = inlineStyle(text)
	}
	for _, r := range found {
		declared = append(declared, r.normal...)
	}
	declared = append(declared, own.normal...)
	slices.SortStableFunc(found, func(a, b rule) int { return b.layer.compare(a.layer) })
	for _, r := range found {
		declared = append(declared, r.important...)
	}
	declared = append(declared, own.important...)

	var outer *scope
	if above != nil {
		outer = above.scope
	}
	scope := s.variables.enter(declared, outer)
	st := style{}
	for _, d := range declared {
		if !strings.HasPrefix(d.name, "--") {
			for _, one := range s.longhands(d) {
				st[one.name] = one.value
			}
		}
	}
	return st, scope
}

// longhands returns the properties that a declaration sets, none if it is invalid.
func (s *Sights) longhands(d declaration) []declaration {
	varies := variable.MatchString(d.value)
	if found, ok := s.known[d]; ok && !varies {
		return found
	}
	value := s.variables.substituted(d.value)
	valid := validDeclaration(d.name, value, s.quirks)
	if !valid && varies {
		// It is invalid too late for another declaration to count.
		valid, value = true, "unset"
	}
	var found []declaration
	if valid && value != "revert" && value != "revert-layer" {
		found = longhands(d.name, value)
		for i := range found {
			found[i].resolve()
		}
	}
	if !varies {
		s.known[d] = found
	}
	return found
}

// inherited are the properties that children inherit, except color and font-size.
var inherited = names("visibility font-size-adjust text-indent letter-spacing text-shadow -webkit-text-security -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-stroke-color")

// initial holds initial values.
var initial = map[string]string{"background-color": "transparent", "font-size-adjust": "none", "text-shadow": "none", "-webkit-text-security": "none", "-webkit-text-fill-color": "currentcolor", "-webkit-text-stroke-color": "currentcolor"}

// resolve replaces the keywords that all properties have: "" is the parent's value.
func (d *declaration) resolve() {
	switch {
	case (d.value == "inherit" || d.value == "unset") && inherited[d.name]:
		d.value = ""
	case d.value == "initial" && initial[d.name] != "":
		d.value = initial[d.name]
	}
}

var sixDigits = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)

// hints are what browsers do by attributes and names, before all rules.
func hints(n *html.Node) []declaration {
	var found []declaration
	add := func(name, given string) {
		if sixDigits.MatchString(given) {
			given = "#" + given
		}
		if given != "" {
			found = append(found, declaration{name, strings.TrimSpace(given)})
		}
	}
	switch n.Data {
	case "a":
		if attr(n, "href") != "" {
			add("color", "#0000ee")
		}
	case "mark":
		add("background-color", "yellow")
		add("color", "black")
	case "font":
		add("color", attr(n, "color"))
	case "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th":
		if n.Data == "body" {
			add("color", attr(n, "text"))
		}
		add("background-color", attr(n, "bgcolor"))
		if attr(n, "background") != "" {
			add("background-image", "url()")
		}
	}
	return found
}

var propertyAliases = map[string]string{
	"-webkit-backface-visibility": "backface-visibility", "-webkit-transform-style": "transform-style",
	"-webkit-filter": "filter", "-webkit-transform": "transform", "-webkit-clip-path": "clip-path", "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size", "-webkit-mask": "mask",
	"-webkit-background-clip": "background-clip", "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom", "margin-inline-start": "margin-left",
	"margin-block-start": "margin-top", "inline-size": "width", "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
}

var (
	anyImage = regexp.MustCompile(`\b(?:url|image-set|element|paint|cross-fade|[a-z-]*gradient)\(`)
	picture  = regexp.MustCompile(`(?:url|image-set|element|paint|cross-fade)\(`)
)

// longhands returns the properties that a declaration sets.
func longhands(name, value string) []declaration {
	if alias := propertyAliases[name]; alias != "" {
		name = alias
	}
	parts := split(value, ' ')
	second := at(parts, 1)
	if second == "" {
		second = at(parts, 0)
	}
	sides := func(prefix string) []declaration {
		right, bottom := second, at(parts, 0)
		if len(parts) > 2 {
			bottom = parts[2]
		}
		left := right
		if len(parts) > 3 {
			left = parts[3]
		}
		return []declaration{{prefix + "top", at(parts, 0)}, {prefix + "right", right}, {prefix + "bottom", bottom}, {prefix + "left", left}}
	}
	switch name {
	case "inset":
		return sides("")
	case "margin", "padding":
		return sides(name + "-")
	case "inset-inline":
		return []declaration{{"left", at(parts, 0)}, {"right", second}}
	case "inset-block":
		return []declaration{{"top", at(parts, 0)}, {"bottom", second}}
	case "margin-inline":
		return []declaration{{"margin-left", at(parts, 0)}}
	case "overflow":
		return []declaration{{"overflow-x", at(parts, 0)}, {"overflow-y", second}}
	case "font":
		if globalValue.MatchString(value) {
			return []declaration{{"font-size", value}, {"font-size-adjust", value}}
		}
		for _, part := range parts {
			if part = at(split(part, '/'), 0); isFontSize(part) {
				return []declaration{{"font-size", part}, {"font-size-adjust", "none"}}
			}
		}
		return []declaration{{"font-size", "medium"}, {"font-size-adjust", "none"}} // a system font
	case "background":
		image, clip, plain := "none", "border-box", "transparent"
		if anyImage.MatchString(value) {
			image = value
			layers := split(value, ',')
			for _, part := range split(layers[len(layers)-1], ' ') {
				if _, ok := parseColor(part); ok {
					plain = part
					break
				}
			}
		} else {
			for _, part := range parts {
				if _, ok := parseColor(part); ok || part == "currentcolor" {
					plain = part
					break
				}
			}
		}
		if slices.Contains(parts, "text") {
			clip = "text"
		}
		return []declaration{{"background-color", plain}, {"background-image", image}, {"background-clip", clip}}
	case "mask":
		return []declaration{{"mask-image", value}}
	case "-webkit-text-stroke":
		width, color := "0", "currentcolor"
		if globalValue.MatchString(value) {
			width, color = value, value
		} else {
			for _, part := range parts {
				if isStrokeWidth(part) {
					width = part
				} else {
					color = part
				}
			}
		}
		return []declaration{{name + "-width", width}, {name + "-color", color}}
	}
	return []declaration{{name, value}}
}

func undisplayed(n *html.Node, display string) bool {
	if display == "none" || has(n, "hidden") {
		return true
	}
	switch n.Data {
	case "meter", "progress":
		return true // what they hold is for browsers without them
	case "rp", "noembed", "noframes":
		return display == ""
	}
	return display == "" && (n.Data == "dialog" && !has(n, "open") || has(n, "popover"))
}

// unslotted reports whether the children of an element, or an element in its parent, are
// not shown, since a shadow tree takes their place.
func (s *Sights) unslotted(n *html.Node) bool {
	if slots, ok := s.shadows[n]; ok && len(slots) == 0 {
		return true
	}
	slots, ok := s.shadows[n.Parent]
	return ok && !slots[attr(n, "slot")]
}

// slotsIn returns the names of the slots in the template of a shadow tree.
func slotsIn(template *html.Node) map[string]bool {
	slots := map[string]bool{}
	for n := range template.Descendants() {
		if n.Type == html.ElementNode && n.Data == "slot" {
			slots[attr(n, "name")] = true
		}
	}
	return slots
}

// amount returns a number or a percentage, at least 0; 1 for none.
func amount(s string) float64 { return max(0, or(length(s, reference{rootFont, 1}), 1)) }

// filter is what filters make of a colour: functions with what they are called with, each
// before the next.
type filter struct {
	name string
	by   float64
	next *filter
	n    int // how many there are
}

// maxFilters limits the functions of filters within each other: further ones do not count.
const maxFilters = 32

// with adds a filter within others. One with a function whose colours cannot be told, such
// as sepia(), does not count.
func (f *filter) with(value string) *filter {
	found := f
	for _, one := range slices.Backward(split(value, ' ')) {
		name, inside := call(one)
		by := amount(inside)
		switch {
		case name == "opacity" || name == "blur":
			continue
		case name == "invert" || name == "grayscale":
			by = min(1, by)
		case name == "brightness" || name == "contrast" || name == "saturate" && by <= 1:
		default:
			return f
		}
		n := 1
		if found != nil {
			n += found.n
		}
		if n > maxFilters {
			return f
		}
		found = &filter{name, by, found, n}
	}
	return found
}

func (f *filter) of(c color) color {
	for ; f != nil; f = f.next {
		light := 0.2126*c.r + 0.7152*c.g + 0.0722*c.b
		for _, v := range []*float64{&c.r, &c.g, &c.b} {
			switch f.name {
			case "brightness":
				*v *= f.by
			case "contrast":
				*v = (*v-127.5)*f.by + 127.5
			case "invert":
				*v += f.by * (255 - 2**v)
			case "grayscale":
				*v += f.by * (light - *v)
			case "saturate":
				*v = light + f.by*(*v-light)
			}
			*v = min(255, max(0, *v))
		}
	}
	return c
}

var fontSizes = map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48, "initial": 16, "smaller": -1, "larger": -1}

func fontSize(s string, outer float64) float64 {
	switch s {
	case "smaller":
		return outer / 1.2
	case "larger":
		return outer * 1.2
	}
	if v := fontSizes[s]; v != 0 {
		return v
	}
	return max(0, or(length(s, reference{outer, outer}), outer))
}

var angle = regexp.MustCompile(`^(-?[\d.]+)(deg|turn|rad|grad)$`)

// scale returns how much larger than its layout an element is drawn, at most 1, and
// whether it is turned to show its back.
func (st style) scale() (factor float64, back bool) {
	factor = 1
	times := func(values ...string) {
		for _, v := range values {
			factor = min(factor, factor*math.Abs(or(length(v, reference{rootFont, 1}), 1)))
		}
	}
	turned := func(s string) {
		m := angle.FindStringSubmatch(strings.TrimSpace(s))
		if m == nil {
			return
		}
		degrees := length(m[1], reference{}) * map[string]float64{"deg": 1, "turn": 360, "rad": 180 / math.Pi, "grad": 0.9}[m[2]]
		cos := math.Cos(degrees * math.Pi / 180)
		if math.Abs(cos) < 0.02 {
			factor = 0
		}
		back = back != (cos < 0)
	}
	if s := st["scale"]; s != "none" {
		parts := split(s, ' ')
		times(parts[:min(2, len(parts))]...)
	}
	for _, one := range split(st["transform"], ' ') {
		name, inside := call(one)
		given := split(inside, ',')
		switch name {
		case "scale", "scale3d":
			times(given[:min(2, len(given))]...)
		case "scalex", "scaley":
			times(at(given, 0))
		case "rotatex", "rotatey":
			turned(at(given, 0))
		case "matrix":
			v := func(i int) float64 { return length(at(given, i), reference{rootFont, unknown}) }
			if det := v(0)*v(3) - v(1)*v(2); isKnown(det) {
				factor *= min(1, math.Abs(det))
			}
		}
	}
	if r := split(st["rotate"], ' '); at(r, 0) == "x" || at(r, 0) == "y" {
		turned(at(r, 1))
	}
	return factor, back
}

// away reports whether an element lies outside of the window where nobody scrolls to.
func (st style) away(font float64) bool {
	pixels := func(v string, percent float64) float64 { return length(v, reference{font, percent}) }
	position := st["position"]
	floats := position == "absolute" || position == "fixed"
	x, y := or(pixels(st["margin-left"], unknown), 0), or(pixels(st["margin-top"], unknown), 0)
	moved := false
	move := func(dx, dy float64) {
		if isKnown(dx) && dx != 0 {
			x, moved = x+dx, true
		}
		if isKnown(dy) && dy != 0 {
			y, moved = y+dy, true
		}
	}
	t := split(st["translate"], ' ')
	move(pixels(at(t, 0), unknown), pixels(at(t, 1), unknown))
	for _, one := range split(st["transform"], ' ') {
		name, inside := call(one)
		given := split(inside, ',')
		v := func(i int) float64 { return pixels(at(given, i), unknown) }
		switch name {
		case "translate", "translate3d":
			move(v(0), v(1))
		case "translatex":
			move(v(0), unknown)
		case "translatey":
			move(unknown, v(0))
		case "matrix":
			move(v(4), v(5))
		}
	}
	if floats || position == "relative" {
		left, right := pixels(st["left"], windowWidth), pixels(st["right"], windowWidth)
		top, bottom := pixels(st["top"], windowHeight), pixels(st["bottom"], windowHeight)
		if isKnown(left) {
			move(left, unknown)
		} else if position == "relative" || right > windowWidth || right < 0 || position == "fixed" && right == windowWidth {
			move(-right, unknown)
		}
		if isKnown(top) {
			move(unknown, top)
		} else if position == "relative" || bottom > farAway || bottom < 0 || position == "fixed" && bottom >= windowHeight {
			move(unknown, -bottom)
		}
	}
	wide, high := float64(outsideFloat), float64(outsideFloat)
	switch {
	case floats:
		wide, high = outsideX, outsideY
	case moved:
		wide, high = windowWidth, windowHeight
	}
	wide, high = or(pixels(st["width"], unknown), wide), or(pixels(st["height"], unknown), high)
	if position == "fixed" && (x >= windowWidth || y >= windowHeight) {
		return true // it does not scroll
	}
	return x < 0 && x+wide < minSize || y < 0 && y+high < minSize || moved && x > farAway || floats && st["top"] == "" && y > outsideY
}

var clipSides = regexp.MustCompile(`[\s,]+`)

// clipped reports whether an element is clipped to nothing.
func (st style) clipped(font float64) bool {
	ref := reference{font, unknown}
	if name, inside := call(st["clip"]); name == "rect" && (st["position"] == "absolute" || st["position"] == "fixed") {
		sides := clipSides.Split(strings.TrimSpace(inside), -1)
		side := func(i int) float64 { return length(at(sides, i), ref) }
		if side(1)-or(side(3), 0) < minSize || side(2)-or(side(0), 0) < minSize {
			return true
		}
	}
	if emptyPath(st["clip-path"], font) {
		return true
	}
	size := func(name string, percent float64) float64 {
		if st[name] == "0%" {
			return 0
		}
		return or(length(st[name], ref), percent)
	}
	padding := func(name string) float64 {
		if strings.ContainsAny(st[name], "123456789") {
			return size(name, minSize)
		}
		return size(name, 0)
	}
	none := func(own, most, one, other string) bool {
		return min(size(own, math.Inf(1)), size(most, math.Inf(1)))+padding(one)+padding(other) < minSize
	}
	cuts := func(overflow string) bool {
		switch overflow {
		case "hidden", "clip", "auto", "scroll", "overlay":
			return true
		}
		return false
	}
	contained := strings.Contains(st["contain"], "paint") || st["contain"] == "strict" || st["contain"] == "content"
	return (contained || cuts(st["overflow-x"]) || cuts(st["overflow-y"])) && (none("width", "max-width", "padding-left", "padding-right") || none("height", "max-height", "padding-top", "padding-bottom"))
}

var (
	pathBox   = regexp.MustCompile(`\)\s+[a-z]+-box$`)
	pathRound = regexp.MustCompile(`\bround\b.*$`)
	pathAt    = regexp.MustCompile(`\bat\b.*$`)
)

// emptyPath reports whether a clip-path leaves nothing of a box.
func emptyPath(path string, font float64) bool {
	shape, inside := call(pathBox.ReplaceAllString(path, ")"))
	pixels := func(s string) float64 { return length(s, reference{font, boxSize}) }
	switch shape {
	case "inset", "rect", "xywh":
		parts := split(pathRound.ReplaceAllString(inside, ""), ' ')
		side := func(i, otherwise int) float64 {
			if i >= len(parts) {
				i = otherwise
			}
			return pixels(at(parts, i))
		}
		top, right, bottom := side(0, 0), side(1, 0), side(2, 0)
		left := side(3, min(1, len(parts)-1))
		if shape == "inset" {
			return boxSize-or(left, 0)-or(right, 0) < minSize || boxSize-or(top, 0)-or(bottom, 0) < minSize
		}
		if shape == "rect" {
			return or(right, boxSize)-or(left, 0) < minSize || or(bottom, boxSize)-or(top, 0) < minSize
		}
		return or(bottom, boxSize) < minSize || or(left, boxSize) < minSize
	case "circle", "ellipse":
		return slices.ContainsFunc(split(pathAt.ReplaceAllString(inside, ""), ' '), func(radius string) bool { return pixels(radius) < minSize/2 })
	case "polygon":
		least, most := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, point := range split(inside, ',') {
			if point == "nonzero" || point == "evenodd" {
				continue
			}
			for axis := range least {
				v := pixels(at(split(point, ' '), axis))
				least[axis], most[axis] = min(least[axis], v), max(most[axis], v)
			}
		}
		return most[0]-least[0] < minSize || most[1]-least[1] < minSize
	}
	return false
}

var noMask = regexp.MustCompile(`^0(?:px|%)?(?: |$)|^\S+ 0(?:px|%)?$`)

// masked reports whether a mask leaves nothing: pictures cannot be told.
func (st style) masked() bool {
	if noMask.MatchString(st["mask-size"]) {
		return true
	}
	image := st["mask-image"]
	if !strings.Contains(image, "gradient(") {
		return false
	}
	found, ok := painted(image)
	return ok && len(found) > 0 && !slices.ContainsFunc(found, func(c color) bool { return c.a >= minOpacity })
}

// schemed matches colours that depend on the colour scheme.
var schemed = regexp.MustCompile(`light-dark\(|\b(?:canvas|canvastext|field|fieldtext|window|windowtext|menu|menutext|infobackground|infotext|appworkspace|activecaption|inactivecaption|captiontext|scrollbar)\b|^initial$`)

// dropSchemed replaces what depends on the colour scheme by colours and pictures that are
// not known: parseColor has those of the light scheme.
func (st style) dropSchemed() {
	for _, name := range []string{"color", "background-color", "background-image", "text-shadow", "-webkit-text-fill-color", "-webkit-text-stroke-color"} {
		switch {
		case !schemed.MatchString(st[name]):
		case name == "background-image":
			if st[name] != "initial" {
				st[name] = "url()"
			}
		default:
			st[name] = "accentcolor"
		}
	}
}

// colorOf returns a colour; current is that of the text, otherwise what it is
// without one.
func colorOf(s string, current, otherwise ink) ink {
	switch s {
	case "", "inherit", "unset":
		return otherwise
	case "currentcolor":
		return current
	case "initial":
		return ink{color{0, 0, 0, 1}, true}
	}
	c, ok := parseColor(s)
	return ink{c, ok}
}

// painted returns the colours of gradients; ok is false for pictures.
func painted(image string) (found []color, ok bool) {
	if picture.MatchString(image) {
		return nil, false
	}
	for _, layer := range split(image, ',') {
		for _, gradient := range split(layer, ' ') {
			_, inside := call(gradient)
			for _, stop := range split(inside, ',') {
				for _, part := range split(stop, ' ') {
					if c, ok := parseColor(part); ok {
						found = append(found, c)
					}
				}
			}
		}
	}
	return found, true
}

func (st style) ground(c ink, below []color, f *filter) []color {
	if st["background-clip"] == "text" {
		return below
	}
	ground := below
	switch plain := colorOf(st["background-color"], c, ink{color{}, true}); {
	case !plain.known:
		return nil
	case plain.a >= 1:
		ground = []color{f.of(plain.color)}
	case plain.a > 0:
		ground = nil
		for _, lower := range below {
			ground = append(ground, f.of(plain.color).over(lower))
		}
	}
	image := st["background-image"]
	if image == "" || image == "none" {
		return ground
	}
	colors, ok := painted(image)
	if !ok || ground == nil {
		return nil
	}
	if len(colors) == 0 {
		return ground
	}
	ground = ground[:min(4, len(ground))]
	most := min(len(colors), maxGround/len(ground))
	var mixed []color
	for i := range most {
		for _, lower := range ground {
			mixed = append(mixed, f.of(colors[i*len(colors)/most]).over(lower))
		}
	}
	return mixed
}

// filledBy returns the background that fills the letters, nil for none; a nil slice
// is a picture.
func (st style) filledBy(c ink, above *Sight) *[]color {
	if st["background-clip"] != "text" {
		if above == nil {
			return nil
		}
		return above.filled
	}
	var colors []color
	if image := st["background-image"]; image != "" && image != "none" {
		colors, _ = painted(image)
	} else if plain := colorOf(st["background-color"], c, ink{color{}, true}); plain.known {
		colors = []color{plain.color}
	}
	return &colors
}

// inked reports whether letters differ from what is behind them.
func (in *Sight) inked() bool {
	letters := in.ink
	if in.fill != "" {
		letters = colorOf(in.fill, in.ink, in.ink)
	}
	legible := func(c ink) bool {
		if !c.known {
			return true
		}
		if c.a < minOpacity {
			return false
		}
		return in.ground == nil || slices.ContainsFunc(in.ground, func(below color) bool { return distinct(in.filter.of(c.color), below) })
	}
	if legible(letters) {
		return true
	}
	if in.filled != nil {
		if *in.filled == nil || slices.ContainsFunc(*in.filled, func(c color) bool { return legible(ink{c, true}) }) {
			return true
		}
	}
	ref := reference{in.font, unknown}
	if (strokeKeyword.MatchString(in.strokeWidth) || length(in.strokeWidth, ref) > 0) && legible(colorOf(in.strokeColor, in.ink, in.ink)) {
		return true
	}
	if in.shadow == "none" || in.shadow == "" {
		return false
	}
	return slices.ContainsFunc(split(in.shadow, ','), func(shadow string) bool {
		given, near := "", true
		for _, part := range split(shadow, ' ') {
			if v := length(part, ref); isKnown(v) {
				near = near && math.Abs(v) <= 10
			} else if given == "" {
				given = part
			}
		}
		return near && legible(colorOf(given, in.ink, in.ink))
	})
}

// attr returns an attribute, empty if there is none.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}
