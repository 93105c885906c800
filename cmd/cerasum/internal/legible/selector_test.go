package legible

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

func parsePage(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestSelectors compares selectors with those of cascadia, where it has them.
func TestSelectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	var markup func(depth int) string
	markup = func(depth int) string {
		if depth == 0 || r.IntN(5) == 0 {
			return "text "
		}
		name := pick("u", "b", "i", "b class=x", "i class='x y'", "u id=z class=y")
		var b strings.Builder
		fmt.Fprintf(&b, "<%s>", name)
		for range r.IntN(5) {
			b.WriteString(markup(depth - 1))
		}
		fmt.Fprintf(&b, "</%s>", name[:1])
		return b.String()
	}
	for range 300 {
		root := parsePage(t, "<!doctype html>"+markup(6)+markup(5)+markup(4))
		s := newSelectors(root)
		for range 5 {
			one := ""
			for i := range 1 + r.IntN(5) {
				if i > 0 {
					one += pick(" ", " > ", "+", " ~ ")
				}
				one += pick("u", "b", "i", ".x", ".y", "b.x", "*", "[id]", `[class="x y"]`, "u:first-child", ":last-child", "i:nth-child(2n + 1)", ":nth-last-child(-n + 2)", ":nth-of-type(2)", ".x:nth-last-of-type(odd)", ":only-child", ":only-of-type", "b:first-of-type", ":last-of-type", ":empty", ":not(.x)", ":not(.x b, i > *)", ":has(.x)", ":root *")
			}
			fast, err := s.complex(one)
			if err != nil {
				t.Fatalf("%s: %v", one, err)
			}
			naive, err := cascadia.Parse(one)
			if err != nil {
				t.Fatalf("%s: %v", one, err)
			}
			if w := naive.Specificity(); fast.rank != w[0]*1e6+w[1]*1e3+w[2] {
				t.Errorf("%s: specificity %d, want %v", one, fast.rank, w)
			}
			for n := root; n != nil; n = following(n, root) {
				if n.Type == html.ElementNode && fast.matches(n) != naive.Match(n) {
					t.Fatalf("%s matches <%s>: %v", one, n.Data, fast.matches(n))
				}
			}
		}
	}
}

// TestDeepSelectors: how many elements are looked at hardly grows with the depth of a page
// of as many elements (eight times and more before), and with siblings only as their number.
func TestDeepSelectors(t *testing.T) {
	const elements = 4000
	chains := func(depth int) string {
		var b strings.Builder
		for i := range depth {
			fmt.Fprintf(&b, "<div class=c%d>", i%50)
		}
		return strings.Repeat(b.String()+"The river rose."+strings.Repeat("</div>", depth), elements/depth)
	}
	wide := func(n int) string { return "<div>" + strings.Repeat("<div class=c1>a</div>", n) + "</div>" }
	for name, rule := range map[string]string{
		"descendants": ".y div div div .c%[1]d{color:red}",
		"children":    ".y > div > div div > div > div div > .c%[1]d{color:red}",
		"siblings":    ".y%[1]d ~ .c%[1]d, .y + div ~ div + .c%[1]d{color:red}",
		"pseudos":     ".c%[1]d:not(.y%[1]d div > div *):is(.y div *, .y > *):nth-child(2n + 1){color:red}",
		"has":         ".c%[1]d:has(div > .y%[1]d), .c%[1]d:has(~ .y div){color:red}",
		"scopes":      "@scope (.y%[1]d) to (.z){.c%[1]d{color:red}}",
	} {
		var sheet strings.Builder
		for i := range 100 {
			fmt.Fprintf(&sheet, rule+"\n", i%50)
		}
		looked := func(page string) int {
			root := parsePage(t, page)
			rules := newRules([]string{sheet.String()}, root)
			for n := root; n != nil; n = following(n, root) {
				if n.Type == html.ElementNode {
					rules.of(n)
				}
			}
			return rules.selectors.looked
		}
		if shallow, deep := looked(chains(50)), looked(chains(400)); deep > 3*shallow {
			t.Errorf("%s: looks at %d elements 50 deep, %d 400 deep", name, shallow, deep)
		}
		if narrow, broad := looked(wide(elements/8)), looked(wide(elements)); broad > 12*narrow {
			t.Errorf("%s: looks at %d of %d siblings, %d of %d", name, narrow, elements/8, broad, elements)
		}
	}
}

// TestSelectorLimits: same selectors as in web/demo/tests/selectors.test.mjs.
func TestSelectorLimits(t *testing.T) {
	within := func(depth int, inside string) string {
		return strings.Repeat(":is(", depth) + inside + strings.Repeat(")", depth)
	}
	siblings := func(n int, last string) string { return strings.Repeat("*~", n-1) + last }
	steps := func(n int) string { return siblings(n, "p") }
	items := strings.Repeat("q,", 20_000)
	for _, one := range []struct {
		name, sheet string
		found       bool
	}{
		{"steps", steps(256) + "{color:red}", true},
		{"more steps", steps(257) + "{color:red}", false},
		{"steps within each other", ":is(" + siblings(128, "i") + ")~" + steps(127) + "{color:red}", true},
		{"more steps within each other", ":is(" + siblings(128, "i") + ")~" + steps(128) + "{color:red}", false},
		{"steps of nested rules", siblings(128, "i") + "{&~" + steps(127) + "{color:red}}", true},
		{"more steps of nested rules", siblings(128, "i") + "{&~" + steps(128) + "{color:red}}", false},
		{"more steps, not forgiven", ":is(p," + steps(257) + "){color:red}", false},
		{"another selector in a list", "p," + steps(257) + "{color:red}", true},
		{"parentheses", within(64, "p") + "{color:red}", true},
		{"more parentheses", within(65, "p") + "{color:red}", false},
		{"more parentheses, not forgiven", ":is(p," + within(64, "p") + "){color:red}", false},
		{"parentheses, read before", within(40, "p") + "{top:0}" + within(25, within(40, "p")) + "{color:red}", false},
		{"long list", items + "p{color:red}", true},
		{"long nested lists", items + "div{" + items + "p{color:red}}", true},
		{"long list with marks", items + "div{" + strings.Repeat("& q,", 20_000) + "& p{color:red}}", true},
		{"marks within each other", "div{" + strings.Repeat(":is(&){", 60) + "& p{color:red}" + strings.Repeat("}", 61), true},
		{"many marks within each other", "div{" + strings.Repeat("&"+strings.Repeat(":is(&)", 1000)+"{", 60) + "& p{color:red}" + strings.Repeat("}", 61), true},
		{"many scopes", "@scope (div){" + strings.Repeat("@scope ("+strings.Repeat(":scope", 1000)+"){", 60) + "p{color:red}" + strings.Repeat("}", 61), true},
		{"a mark in a string", `div{[title="&"]{color:red}}`, true},
		{"a mark in a scope", "div{@scope (&){p{color:red}}}", true},
		{"many simple selectors", strings.Repeat(":is(p)", 20_000) + strings.Repeat("[title]", 20_000) + "{color:red}", true},
	} {
		root := parsePage(t, "<!doctype html><div>"+strings.Repeat("<i></i>", 300)+`<p title="&">a</p></div>`)
		rules, found := newRules([]string{one.sheet}, root), false
		for n := root; n != nil; n = following(n, root) {
			if n.Type == html.ElementNode {
				for _, rule := range rules.of(n) {
					found = found || n.Data == "p" && rule.normal[0].name == "color"
				}
			}
		}
		if found != one.found {
			t.Errorf("%s: found %v", one.name, found)
		}
	}
}
