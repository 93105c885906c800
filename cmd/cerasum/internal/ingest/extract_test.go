package ingest

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
)

func TestProseOf(t *testing.T) {
	for _, c := range []struct{ name, in, title, out string }{
		{"soft and hard breaks", "One\ntwo.\nThree  \nfour\\\nfive.", "", "One two. Three\nfour\nfive.\n"},
		{"entities and escapes", `Tom \&amp; &quot;Jerry&quot; \*not\* &#8364;5 AT&T.`, "", `Tom &amp; "Jerry" *not* €5 AT&T.` + "\n"},
		{"links and images", "See [the *map*](x), ![pic](y) <https://e.org/z> and [ref].\n\n[ref]: /r", "", "See the map, https://e.org/z and ref.\n"},
		{"setext heading", "Big\n===\n\nText.", "Big", "Text.\n"},
		{"a heading alone stays", "# Only this", "Only this", "Only this\n"},
		{"a title below a text stays", "A text.\n\n# Big\n\nText.", "Big", "A text.\n\nBig\n\nText.\n"},
		{"a second level is no title", "## Big\n\nText.", "Big", "Big\n\nText.\n"},
		{"first heading", "Intro.\n\n## A `b` *c*\n\n# D", "A b c", "Intro.\n\nA b c\n\nD\n"},
		{"lists", "1. one\n2. two\n   - deep\n\n* loose\n\n* list", "", "one\ntwo\ndeep\nloose\nlist\n"},
		{"tasks and strikes", "- [x] done ~~gone~~", "", "done gone\n"},
		{"code", "Before.\n\n    indented code\n\n~~~\nfenced\n~~~\nAfter `span`.", "", "Before.\n\nindented code\n\nfenced\n\nAfter span.\n"},
		{"raw html", "<div>\nIn *a* div.\n</div>\n\n<script>\nvar x;\n</script>\n\nA<br>b <span>c</span>.", "", "In *a* div.\n\nA\nb c.\n"},
		{"footnote", "Text[^1].\n\n[^1]: The note.", "", "Text.\n\nThe note.\n"},
		{"yaml", "---\na: b\n---\nText.", "", "Text.\n"},
		{"toml", "+++\na = 1\n+++\n# T", "T", "T\n"},
		{"no front matter", "---\nJust a rule, never closed.", "", "Just a rule, never closed.\n"},
		{"crlf", "---\r\na: b\r\n---\r\n# T\r\n\r\nLine one\r\nline two.\r\n", "T", "Line one line two.\n"},
		{"empty", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if x := proseOf(c.in); x.title != c.title || x.text != c.out || x.warning != "" {
				t.Errorf("title %q, text %q, warning %q\nwant  %q,      %q", x.title, x.text, x.warning, c.title, c.out)
			}
		})
	}
}

func TestArticleOf(t *testing.T) {
	long := strings.Repeat("The river rose again, said the mayor, and the bridge was closed. ", 8)
	for _, c := range []struct{ name, in, title, has, lacks string }{
		{"article", "<html><head><title>T</title></head><body><nav><ul><li><a href='/'>Start page</a></ul></nav><article><p>" + long + "</p><p>" + long + "</p></article><footer><a href='/i'>Imprint</a></footer></body></html>", "T", "bridge was closed.\n\nThe river", "Imprint"},
		{"no article", "<h1>Head  line</h1><ul><li>one<li>two</ul>", "Head line", "one\ntwo\n", ""},
		{"captions", "<article><p>" + long + "</p><figure><img src=a><figcaption>The bridge. Photo: N. N.</figcaption></figure><p>" + long + "</p></article>", "", "closed.\n\nThe bridge. Photo: N. N.\n\nThe river", ""},
		{"footnote marks", "<article><p>" + long + "It is deep.<sup><a href=#1>[1]</a></sup> It holds 3 km<sup>3</sup>.</p></article>", "", "It is deep. It holds 3 km3.", "["},
		{"captions alone", "<figure><figcaption>A caption.</figcaption></figure>", "", "A caption.", ""},
		{"hidden", "<p>Seen.</p><p hidden>Not this.</p><p style='display: none'>Nor this.</p><p aria-hidden=true>Nor that.</p>", "", "Seen.", "this"},
		{"scripts", "<p>Seen.</p><script>var no;</script><style>p{no:1}</style><template>no</template>", "", "Seen.", "no"},
		{"noscript", "<p>Seen.</p><noscript><p>no</p></noscript>", "", "Seen.", "no"},
		{"cells", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "", "a\tb\nc\td\n", ""},
		{"inline", "<p>un<b>believ</b>able &amp; x<wbr>y &lt;z&gt;</p>", "", "unbelievable & xy <z>", ""},
		{"pre", "<pre>line one\nline  two</pre>", "", "line one\nline  two\n", ""},
		{"svg title", "<svg><title>icon</title></svg><h2>Right</h2><p>x.", "Right", "x.", "icon"},
		{"empty", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := articleOf(c.in, nil)
			if x.title != c.title || !strings.Contains(x.text, c.has) || c.lacks != "" && strings.Contains(x.text, c.lacks) {
				t.Errorf("title %q, text %q, warning %q", x.title, x.text, x.warning)
			}
		})
	}
}

// TestFlatten holds the reading without a tree against the one with it.
func TestFlatten(t *testing.T) {
	page := "<html><head><title>A &amp; B</title><style>no</style></head><body><h1>Head</h1><p>One <b>two</b><br>three.<script>no()</script><ul><li>four<li>five</ul><table><tr><td>6<td>7</table></body></html>"
	title, text := flatten(page)
	if want := "Head\n\nOne two\nthree.\n\nfour\nfive\n\n6\t7\n"; title != "A & B" || text != want {
		t.Errorf("title %q, text %q", title, text)
	}
	if x := articleOf(strings.Repeat("<i>", 600)+page, nil); x.text != text || x.title != title || x.warning == "" {
		t.Errorf("%+v", x)
	}
}

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"a.txt", "<html>", Text}, {"A.MD", "", Markdown}, {"a.md.gz", "", Markdown}, {"x/a.HTM", "", HTML},
		{"a.jsonl.gz", "", JSONL}, {"a.ndjson", "", JSONL}, {"-", " <!DOCTYPE HTML>", HTML}, {"-", "\xef\xbb\xbf<html lang=en>", HTML},
		{"-", `{"id":1,"documents":[]}`, JSONL}, {"-", `{"other":1}`, Text}, {"notes", "plain", Text}, {"a.log", "", Text},
	} {
		if got := formatOf(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.head, got, c.want)
		}
	}
}

// inTime fails the test when work hangs.
func inTime(t *testing.T, work func() extracted) extracted {
	t.Helper()
	x, err := (&Loader{Patience: 10 * time.Second}).within(t.Context(), func(context.Context, time.Duration) (extracted, error) { return work(), nil })
	if err != nil {
		t.Fatalf("it hangs: %v", err)
	}
	return x
}

// FuzzHTML: any page gives valid text without tags' traces of a crash, both
// with a tree and without.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>One.<p>Two.", "<!doctype html><title>x</title><article><h1>y</h1><p>z", "<table><td><table><tr><div>",
		"<svg><title>a</title><foreignObject><p>b", "<script>if (a<b) x()</script>c", "<pre>\n a\n\nb</pre>&shy;&#0;&#x110000;&nbsp;",
		"<a><b><a><i></b>", "<noscript><style></noscript>x", "<frameset><frame>", "<select><option>x", "<p hidden><!--", "\xff\xfe<",
		"<template><p>a</template><math><annotation-xml encoding='text/html'><p>b", `<script type="application/ld+json">{"@type":"Article","headline":"h"}</script><p>x`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if !utf8.ValidString(page) {
			page = strings.ToValidUTF8(page, "\ufffd") // as decode leaves it
		}
		x := inTime(t, func() extracted { return articleOf(page, nil) })
		if strings.Contains(x.warning, "failed") {
			t.Logf("readability gave up: %s", x.warning)
		}
		checkBlocks(t, x)
		title, text := flatten(page)
		for _, s := range []string{x.title, x.text, title, text} {
			if !utf8.ValidString(s) {
				t.Fatalf("not UTF-8: %q", s)
			}
		}
		if strings.Contains(text, "\n\n\n") || strings.Contains(x.text, "\n\n\n") {
			t.Fatalf("more than one blank line: %q, %q", x.text, text)
		}
	})
}

// FuzzMarkdown: any source gives valid text.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n\nb *c* `d`", "---\n---\n", "- a\n  - b\n\n> c\n> > d", "|a|b|\n|-|-|\n|c|d|", "[^1]\n\n[^1]: x", "<div>\n*a*\n</div>", "a\\\nb  \nc", "[a]: b\n[a]", "term\n: def", "&#0;&bogus;\\&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		source = strings.ToValidUTF8(source, "\ufffd")
		x := inTime(t, func() extracted { return proseOf(source) })
		checkBlocks(t, x)
		if !utf8.ValidString(x.text) || !utf8.ValidString(x.title) || strings.Contains(x.title, "\n") {
			t.Fatalf("%+v", x)
		}
	})
}

// FuzzPlain: any text gives blocks that the core accepts.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"A title\n\nA text.", "- a\n- b\n  c\n\nx", "```\na\n\n```b", "a\tb\n1\t2", "> q\r\n> r\r\n", "[1] x\n\nFig. 2: y", "1. a", "\u2028\u00a0\n#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkBlocks(t, inTime(t, func() extracted { return extracted{text: text, blocks: plainBlocks(text)} }))
	})
}

// checkBlocks fails the test if the core refuses the blocks.
func checkBlocks(t *testing.T, x extracted) {
	t.Helper()
	if err := core.Prepare(t.Context(), []core.Document{{Text: x.text, Blocks: x.blocks, Date: x.date, Language: "en"}}); err != nil {
		t.Fatal(err)
	}
}

// FuzzDecode: any bytes give valid text without NUL, or an error.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"plain", "\xff\xfea\x00", "\xfe\xff\x00a", "a\x00b\x00", "\xe9t\xe9", "\x1b$B@n\x1b(B", "\xef\xbb\xbf", "\x82\xa0\x82\xa2", "<meta charset=utf-7>\xff", "\xff\xfe\x00\x00", "\x00\x00\xfe\xff\x00\x11\x00\x00"} {
		f.Add([]byte(s), "", false)
		f.Add([]byte(s), "shift_jis", true)
	}
	f.Fuzz(func(t *testing.T, data []byte, declared string, isHTML bool) {
		text, _, err := decode(data, charsets{declared: declared, html: isHTML})
		if err == nil && (!utf8.ValidString(text) || strings.Contains(text, "\x00")) {
			t.Fatalf("%q gives %q", data, text)
		}
	})
}
