package text

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
)

// checkSplit checks the properties of every result: sentences are in order, do not
// overlap, are trimmed, contain a word, and have exact offsets in bytes and UTF-16
// units; no word is outside of them.
func checkSplit(t *testing.T, doc, language string) {
	t.Helper()
	at, units := 0, 0
	gap := func(end int) {
		g := doc[at:end]
		if strings.ContainsFunc(g, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			t.Fatalf("%s: %q between two sentences has a word", language, g)
		}
		units += len(utf16.Encode([]rune(g)))
	}
	for i, s := range Split(doc, language) {
		if s.Start < at || s.End <= s.Start || s.End > len(doc) || doc[s.Start:s.End] != s.Text {
			t.Fatalf("%s: sentence %d is %d..%d after %d, text %q", language, i, s.Start, s.End, at, s.Text)
		}
		if !hasWord(s.Text) || strings.TrimSpace(s.Text) != s.Text {
			t.Fatalf("%s: sentence %d, %q, has no word or is not trimmed", language, i, s.Text)
		}
		gap(s.Start)
		if s.StartUTF16 != units {
			t.Fatalf("%s: sentence %d starts at unit %d, want %d", language, i, s.StartUTF16, units)
		}
		units += len(utf16.Encode([]rune(s.Text)))
		if s.EndUTF16 != units {
			t.Fatalf("%s: sentence %d ends at unit %d, want %d", language, i, s.EndUTF16, units)
		}
		at = s.End
	}
	gap(len(doc))
}

// odd holds texts that a careless splitter would handle wrongly.
var odd = []string{
	"", " ", "\n\n\t\r\n", "...", "?!?!", ".a.b.c.", "\x00", "a\x00b. \x00C\x00.", "\xff\xfe. A\xff. \xf0\x9f. B",
	"\xe2\x80", "A.\xe2", "😀. 👩‍👩‍👧‍👦! Text 🇩🇪. e\u0301. E\u0301.", "\u202eאבג. דהו.\u202c abc. D", "\ufeff", "____. ____", "١٢٣. ٤٥٦.",
	"((((((((((. ))))))))). ]]]]", `"""""". """""""`, ". . . . . . A . . . B", "A.\r\n\r\nB.\rC.\r\r\nD", "[1][2][3]. [", "a.[", "a.[]", "«».«»",
	"2. 3. 4. V. X. i. j.", "z. B. d. h. u. a. o. Ä.", "и т. д. и т. п. А. Б. В.", "1.\n2.\n3.\n", "# \n# #", "- - - -", "•••", "《。《！》？", "“。”“！", "।।।",
	"İ. ı. ẞ. ﬁ. ǅ. ª. º. ᾼ.", strings.Repeat("é", 40) + ". B", strings.Repeat("a.", 60) + " B",
}

func TestSplitProperties(t *testing.T) {
	for _, g := range golden {
		checkSplit(t, strings.ReplaceAll(g.text, "|", ""), g.language)
		checkSplit(t, g.text, "")
	}
	for _, doc := range odd {
		for _, l := range languages {
			checkSplit(t, doc, l.tag)
		}
		checkSplit(t, doc, "")
		checkSplit(t, doc, "no such language")
	}
	// Every cut of a text, through characters too.
	doc := odd[11] + " " + golden[0].text + "\n“他说。”" + golden[14].text
	for i := range doc {
		checkSplit(t, doc[i:], "en")
		checkSplit(t, doc[:i], "de")
	}
}

// TestSplitLinear gives Split long texts that a splitter with unlimited lookaround
// would read repeatedly: eight times the text may take eight times as long, not
// sixty-four times.
func TestSplitLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: make test-slow")
	}
	const size = 1 << 17
	for _, piece := range []string{
		"a", "a ", ".", ". ", ".(", ". (", "(.", "((", "\"", ".\"", ". \"", ".)", ".[", ".[a", "1.", "1. ", "A. ", "a. ", "z. B. ", " . . .", "…", "…“", "?", "!) ", "。", "。「", "「。」", "《", "。《", "《。",
		"\n", ".\n", "a\n", "a.\n", "- a\n", "a b c d e f g h i j k l m n o p q r s t u v\n", "the house on the hill of the old town by the lake in the north of\n", "  the house   of the hill of the old town by the lake in the north\n", "> a\n", "）\n", "。\n”", "\u200b", ".\u200b", "\xff", ".\xff", "é", "é.", "́", "a.́", "_", "._", "'.'", "a-", "-a.", "Mr. ", "р. ", "है. ", "۔", "#", "> ", "\u2028", "*.* ",
	} {
		run := func(n int) time.Duration {
			doc := strings.Repeat(piece, n/len(piece))
			start := time.Now()
			Split(doc, "de")
			return time.Since(start)
		}
		// The best of several runs, repeated if other programs kept the machine busy.
		short, long := time.Hour, time.Hour
		for range 12 {
			short, long = min(short, run(size/8)), min(long, run(size))
			if long <= 24*short || long < 200*time.Millisecond {
				break
			}
		}
		if long > 24*short && long > 200*time.Millisecond {
			t.Errorf("%q: %v for %d bytes, %v for %d", piece, short, size/8, long, size)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, g := range golden {
		f.Add(strings.ReplaceAll(g.text, "|", ""), g.language)
	}
	for _, doc := range odd {
		f.Add(doc, "")
	}
	f.Fuzz(func(t *testing.T, doc, language string) {
		checkSplit(t, doc, language)
		if n := CountWords(doc); n != countWordsNaive(doc) {
			t.Fatalf("CountWords(%q) = %d, want %d", doc, n, countWordsNaive(doc))
		}
		if n := CountSegments(doc); n != countSegmentsNaive(doc) {
			t.Fatalf("CountSegments(%q) = %d, want %d", doc, n, countSegmentsNaive(doc))
		}
		if n := CountCharacters(doc); n != countCharactersNaive(doc) {
			t.Fatalf("CountCharacters(%q) = %d, want %d", doc, n, countCharactersNaive(doc))
		}
	})
}

// prose holds texts of one language, for the benchmarks.
var prose = map[string]string{
	"en":    "The council of the old harbour town met on Tuesday to talk about the new bridge, which Mr. Smith of Acme Inc. had planned since Jan. 5. “It will cost $3.5 billion,” she said. Nobody asked why. Most of the people in the room had come by boat, e.g. from the islands in the north, and wanted to be home before dark.\n\n",
	"ru":    "Совет старого портового города собрался во вторник, чтобы обсудить новый мост, который А. С. Иванов задумал ещё в 1998 г. в столице. «Он обойдётся в 3,5 млрд руб.», — сказала она. Никто не спросил почему. Большинство людей в зале приплыло на лодках с северных островов и хотело вернуться домой до темноты.\n\n",
	"zh":    "老港口城市的议会星期二开会，讨论史密斯先生从一月五日起计划的新桥。“要花三十五亿元，”她说。没有人问为什么。大厅里的大多数人是从北方的岛屿坐船来的，希望在天黑以前回家。\n\n",
	"mixed": "The council met on Tuesday. Le conseil s'est réuni mardi à l'hôtel de ville. Der Rat tagte am 5. Mai über die neue Brücke. Совет собрался во вторник. 议会星期二开会。अधिवेशन मंगलवार को हुआ। اجتمع المجلس يوم الثلاثاء. 市議会は火曜日に開かれた。 Belediye meclisi salı günü toplandı. 😀\n\n",
}

func BenchmarkSplit(b *testing.B) {
	for _, tag := range []string{"en", "ru", "zh", "mixed"} {
		benchmarkSplit(b, tag, tag, strings.Repeat(prose[tag], (1<<20)/len(prose[tag])))
	}
	each := len(Split(prose["en"], "en"))
	for _, n := range []int{100, 1000, 10000} {
		benchmarkSplit(b, fmt.Sprintf("en/%d", n), "en", strings.Repeat(prose["en"], n/each))
	}
}

func benchmarkSplit(b *testing.B, name, tag, doc string) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			Split(doc, tag)
		}
	})
}
