package tokenizer

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestLower(t *testing.T) {
	for text, want := range map[string]string{
		"":             "",
		"already":      "already",
		"ABC abc":      "abc abc",
		"ÄÖÜ ẞ":        "äöü ß",
		"İI":           "i\u0307i",
		"ΟΔΟΣ":         "οδος",
		"Σ":            "σ",
		"ΑΣΑ ΑΣ ΑΣ":    "ασα ας ας",
		"ΑΣ.Α ΑΣ. Σ.":  "ασ.α ας. σ.",
		"ΑΣ\u0301":     "ας\u0301",
		"Α\u0301Σ":     "α\u0301ς",
		"1Σ AΣ ʰΣ":     "1σ aς ʰσ",
		"\U00010400 Ა": "\U00010428 ა",
	} {
		if got := lower(text); got != want {
			t.Errorf("lower(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestCompose compares the slow algorithm with the library where both apply, and checks
// that no joiner is inserted into long runs of marks.
func TestCompose(t *testing.T) {
	for _, f := range []norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD} {
		for _, text := range append(lines[string](t, "testdata/sentences.jsonl"), "각힣ᄀ\u1161\u11a8", "\u0344\u0f73", "\u09c7\u0300\u09be", "a\u05b0\u0301\u05b0") {
			if hasLongMarks(f, text) {
				continue
			}
			if got, want := composeSlowly(f, text), f.String(text); got != want {
				t.Errorf("form %d of %+q: got %+q, want %+q", f, text, got, want)
			}
		}
		long := "é" + strings.Repeat("\u0301\u0323", 30)
		if got := compose(f, long); strings.ContainsRune(got, 0x34f) {
			t.Errorf("form %d of a long run: %+q", f, got)
		}
		if got := compose(norm.NFD, compose(f, long)); got != compose(norm.NFD, long) {
			t.Errorf("form %d of a long run is another text: %+q", f, got)
		}
	}
}

// all returns what a pattern matches in a text.
func all(t *testing.T, source, text string) []string {
	t.Helper()
	e, _, err := parseRegex(source)
	if err != nil {
		t.Fatalf("%q: %v", source, err)
	}
	p, err := compile(e)
	if err != nil {
		t.Fatalf("%q: %v", source, err)
	}
	var out []string
	(&pattern{program: p}).each(text, func(start, end int) { out = append(out, text[start:end]) })
	return out
}

// TestRegex checks what Go's own regular expressions cannot express.
func TestRegex(t *testing.T) {
	for _, c := range []struct {
		source, text string
		want         []string
	}{
		{`\s+(?!\S)|\s+`, "a   b  ", []string{"  ", " ", "  "}},
		{`(?<=\d),(?=\d)`, "1,2,a,3", []string{","}},
		{`(?<!ab)c`, "abc bc c", []string{"c", "c"}},
		{`(?<=(?:ab|x)+)c`, "ababc yc xc", []string{"c", "c"}},
		{`(?=.*z)[a-c]+`, "abc z ab", []string{"abc"}},
		{`a++b`, "aaab", []string{"aaab"}},
		{`(?>a|ab)c`, "abc", []string{"abc"}},
		{`a{2}+`, "aaaaa", []string{"aaaa"}},
		{`a{,2}b`, "aaab", []string{"aab"}},
		{`a{b}{2`, "a{b}{2", []string{"a{b}{2"}},
		{`(?i:ab[c-d])e`, "ABDe abCE abce", []string{"ABDe", "abce"}},
		{`[[:alpha:]&&[^aeiou]]+`, "hello étude", []string{"h", "ll", "ét", "d"}},
		{`[a-c-]+`, "a-b d", []string{"a-b"}},
		{`[]a]+`, "a]b", []string{"a]"}},
		{`[^]a]+`, "a]b", []string{"b"}},
		{`\bx\b`, "x xx éx x", []string{"x", "x"}},
		{`^.`, "ab\ncd", []string{"a", "c"}},
		{`.$`, "ab\ncd", []string{"b", "d"}},
		{`\A.|.\z`, "ab\ncd", []string{"a", "d"}},
		{`b\Z`, "b\nb\n", []string{"b"}},
		{`\p{Han}+|\p{Script=Greek}+|\P{L}`, "日本αβ1a", []string{"日本", "αβ", "1"}},
		{`[^(\s|[.,])]+`, "a(b|c.", []string{"a", "b", "c"}},
		{`\x41|\x{1F600}|\u0042`, "A😀B", []string{"A", "😀", "B"}},
		{``, "é1", []string{"", "", ""}},
		{`a*?`, "aa", []string{"", "", ""}},
		{`(?:a*)*b`, "aab", []string{"aab"}},
		{`(?:|a)+`, "aa", []string{"aa", ""}},
	} {
		if got := all(t, c.source, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s in %q: got %q, want %q", c.source, c.text, got, c.want)
		}
	}
}

// TestRegexTwin compares with Go's regular expressions, which prefer the same match, on
// expressions that both support.
func TestRegexTwin(t *testing.T) {
	text := "aab abba cabbage  bbb\n12 a1b2 éa日b "
	for _, source := range []string{
		`a`, `a|ab`, `ab|a`, `(?:a|b)+`, `(?:ab|a|b)*?b`, `a{2,}|b{2}`, `a{1,2}?b`, `[^ab]+`, `\pL+`, `\p{L}+|\p{N}`, `[a-b]+[^a-b]?`,
		`(?:a?b)+`, `(?:a+b+)+|c`, `.*b`, `.+?b`, `(?:(?:a|b)(?:a|b))+`, `(?:\n|\p{Zs})+`, `(?:a*b?)+c`, `b?a?b?`, `[é日]`,
	} {
		want := regexp.MustCompile(strings.ReplaceAll(source, `\pL`, `\p{L}`)).FindAllString(text, -1)
		got := all(t, strings.ReplaceAll(source, `\pL`, `\p{L}`), text)
		// Go leaves out an empty match right after another match.
		notEmpty := func(list []string) []string {
			return slices.DeleteFunc(list, func(s string) bool { return s == "" })
		}
		if !slices.Equal(notEmpty(got), notEmpty(want)) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

// TestLookTwin compares lookarounds with and without remembered forks, on nested loops
// whose bodies may be empty.
func TestLookTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 {
			return []string{"a", "a*", "b", "b?", "c"}[random.IntN(5)]
		}
		x, y := expression(depth-1), expression(depth-1)
		switch random.IntN(8) {
		case 0, 1:
			return "(?:" + x + y + ")*"
		case 2:
			return "(?:" + x + ")+?" + y
		case 3:
			return "(?:" + x + "|" + y + ")"
		case 4:
			return "(?:" + x + ")?" + y
		case 5:
			return "(?=" + x + ")" + y
		case 6:
			return "(?<!" + x + "c)" + y
		}
		return x + y
	}
	found, missed := 0, 0
	for range 3000 {
		source := expression(1 + random.IntN(4))
		e, _, err := parseRegex(source)
		if err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		for _, behind := range []bool{false, true} {
			p, err := compile(&expr{op: exprLook, behind: behind, children: []*expr{e}})
			if err != nil {
				t.Fatalf("%q: %v", source, err)
			}
			look := p.code[len(p.code)-1].look
			b := make([]byte, random.IntN(12))
			for i := range b {
				b[i] = "aabc"[random.IntN(4)]
			}
			text := string(b)
			m := look.begin(text)
			m.reached = cleared(m.reached, look.forks*(len(text)+1))
			for range 2 * (len(text) + 1) {
				at := random.IntN(len(text) + 1)
				fresh := look.begin(text)
				_, want := look.match(fresh, text, at)
				look.end(fresh)
				if got := look.reaches(m, text, at); got != want {
					t.Fatalf("%q (behind: %t) in %q at %d: got %t, want %t", source, behind, text, at, got, want)
				}
				if want {
					found++
				} else {
					missed++
				}
			}
			look.end(m)
		}
	}
	if found < 1000 || missed < 1000 {
		t.Errorf("%d found, %d missed: the test tests less than it says", found, missed)
	}
}

// TestRegexTime runs expressions on which plain backtracking takes exponential time.
func TestRegexTime(t *testing.T) {
	text := strings.Repeat("a", 20000)
	for _, source := range []string{`(?:a+)+b`, `(?:a|a)*b`, `(?:a*)*(?:a*)*b`, `a*a*a*a*b`, `(?=(?:a+)+b)a`} {
		if got := all(t, source, text[:2000]); len(got) != 0 {
			t.Errorf("%s: %d matches", source, len(got))
		}
	}
	for _, source := range []string{`(?=(?:a+)+b)a`, `(?!(?:a|aa)+b)b`, `(?<=b(?:a+)+)a`, `(?=(?=(?:a|aa)+b)a+b)a`} {
		if got := all(t, source, text); len(got) != 0 {
			t.Errorf("%s: %d matches", source, len(got))
		}
	}
	if got := all(t, `a+`, text); len(got) != 1 || got[0] != text {
		t.Errorf("a+: %d matches", len(got))
	}
}

func TestRegexRefused(t *testing.T) {
	for _, source := range []string{
		`(`, `)`, `a)`, `[`, `[a`, `[]`, `[b-a]`, `[\w-z]`, `[a&&]`, `[[:foo:]]`, `[[.a.]]`, `\`, `[\`, `*`, `a**`, `a{3,2}`, `a{2000}`,
		`(?:a{1000}){1000}`, `(a)\1`, `\k<a>`, `(?<a`, `(?i)a`, `(?x:a)`, `\p{Foo}`, `\p{gc=Foo}`, `\x{110000}`, `\x{}`, `\q`, `(?=a)*`, `\01`,
		strings.Repeat("(", 300) + strings.Repeat(")", 300), strings.Repeat("[", 300) + "a" + strings.Repeat("]", 300),
	} {
		e, _, err := parseRegex(source)
		if err == nil {
			_, err = compile(e)
		}
		if err == nil {
			t.Errorf("%.20q is not refused", source)
		}
	}
}
