package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/archivetest"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// floods tells the same event in several languages.
var floods = map[string]string{
	"en": "The river burst its banks on Wednesday night. Two villages were cut off by the water. The mayor said the dam was never inspected.",
	"es": "El río se desbordó el miércoles por la noche. Dos pueblos quedaron aislados por el agua. ¿Cuándo volverán los vecinos a sus casas?",
	"fr": "La rivière a débordé mercredi soir. Deux villages ont été coupés du monde par l'eau. Le maire a déclaré que la digue n'avait pas été contrôlée.",
	"pt": "O rio transbordou na noite de quarta-feira. Duas aldeias ficaram isoladas pela água. A barragem não foi inspecionada, disse o autarca.",
	"ru": "Река вышла из берегов в среду вечером. Две деревни отрезаны водой. Мэр сказал, что плотину никогда не проверяли.",
	"tr": "Nehir çarşamba akşamı taştı. İki köyün sakinleri evlerini terk etti. Şiddetli yağış bütün gece sürdü.",
	"pl": "Rzeka wystąpiła z brzegów w środę wieczorem. Mieszkańcy dwóch wsi opuścili domy. Tamy nigdy nie sprawdzano, powiedział wójt.",
	"ja": "川は水曜日の夜に氾濫した。二つの村の住民は家を離れた。ダムは一度も点検されていなかったと町長は述べた。",
	"zh": "河水在星期三晚上决堤。两个村庄的居民离开了家园。镇长说，大坝从未接受过检查。",
	"ko": "수요일 밤에 강이 범람했다. 두 마을의 주민들이 집을 떠났다. 시장은 댐이 점검된 적이 없다고 말했다.",
	"ar": "فاض النهر مساء الأربعاء. غادر سكان القريتين منازلهم. قال العمدة إن السد لم يُفحص قط.",
	"he": "הנהר עלה על גדותיו ביום רביעי בערב. תושבי שני הכפרים עזבו את בתיהם. ראש העיר אמר שהסכר מעולם לא נבדק.",
}

func TestLanguages(t *testing.T) {
	for language, text := range floods {
		t.Run(language, func(t *testing.T) {
			path := file(t, "a.txt", []byte(text))
			a := cli(t, nil, "summarize", "-f", "json", "-b", "1s", path).want(t, exitOK)
			p := parse(t, a.stdout)
			if len(p.Sentences) != 1 || p.Documents[0].Sentences != 3 {
				t.Errorf("%d of %d sentences quoted, want 1 of 3", len(p.Sentences), p.Documents[0].Sentences)
			}
			if p.Documents[0].Text != text {
				t.Errorf("text is %q", p.Documents[0].Text)
			}
			a = cli(t, nil, "summarize", "-f", "json", "-l", language+"-Latn", path).want(t, exitOK)
			if p := parse(t, a.stdout); p.Documents[0].Language != language {
				t.Errorf("language is %q", p.Documents[0].Language)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	for _, c := range []struct {
		name, language string
		encoding       encoding.Encoding
		mark           string
		asked          string // --encoding, where a guess cannot be had
		warning        string
	}{
		{"utf-8", "ru", encoding.Nop, "", "", ""},
		{"utf-8 marked", "ru", encoding.Nop, "\xef\xbb\xbf", "", ""},
		{"utf-16le marked", "ru", utf16le, "\xff\xfe", "", ""},
		{"utf-16be marked", "ar", utf16be, "\xfe\xff", "", ""},
		{"utf-16le", "en", utf16le, "", "", "UTF-16LE"},
		{"utf-16be", "fr", utf16be, "", "", "UTF-16BE"},
		{"windows-1251", "ru", charmap.Windows1251, "", "", "windows-1251"},
		{"koi8-r", "ru", charmap.KOI8R, "", "", "koi8-r"},
		{"ibm866", "ru", charmap.CodePage866, "", "", "ibm866"},
		{"latin-1 es", "es", charmap.ISO8859_1, "", "", "windows-1252"},
		{"latin-1 fr", "fr", charmap.ISO8859_1, "", "", "windows-1252"},
		{"latin-1 pt", "pt", charmap.ISO8859_1, "", "", "windows-1252"},
		{"windows-1254", "tr", charmap.Windows1254, "", "", "windows-1254"},
		{"windows-1250", "pl", charmap.Windows1250, "", "", "windows-1250"},
		{"iso-8859-2", "pl", charmap.ISO8859_2, "", "", "iso-8859-2"},
		{"windows-1256", "ar", charmap.Windows1256, "", "", "windows-1256"},
		{"shift_jis", "ja", japanese.ShiftJIS, "", "", "shift_jis"},
		{"euc-jp", "ja", japanese.EUCJP, "", "", "euc-jp"},
		{"iso-2022-jp", "ja", japanese.ISO2022JP, "", "", "iso-2022-jp"},
		{"gb18030", "zh", simplifiedchinese.GB18030, "", "", "gb2312"},
		{"euc-kr", "ko", korean.EUCKR, "", "", "euc-kr"},
		{"asked", "ru", charmap.CodePage855, "", "ibm855", "unknown"},
		{"asked koi8-u", "ru", charmap.KOI8U, "", "koi8-u", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := c.encoding.NewEncoder().String(floods[c.language])
			if err != nil {
				t.Fatal(err)
			}
			path := file(t, "a.txt", []byte(c.mark+data))
			args := []string{"summarize", "-f", "json", path}
			if c.asked != "" {
				args = append(args, "--encoding", c.asked)
			}
			if c.warning == "unknown" {
				cli(t, nil, args...).want(t, exitUsage, "unknown encoding")
				return
			}
			a := cli(t, nil, args...).want(t, exitOK, c.warning)
			if c.warning == "" && a.stderr != "" {
				t.Errorf("unexpected warning: %s", a.stderr)
			}
			if p := parse(t, a.stdout); p.Documents[0].Text != floods[c.language] {
				t.Errorf("read as %q", p.Documents[0].Text)
			}
		})
	}
}

func TestHTMLCharset(t *testing.T) {
	page, err := charmap.KOI8R.NewEncoder().String(`<html><head><meta charset="koi8-r"><title>Река</title></head><body><p>` + floods["ru"] + `</p></body></html>`)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, cli(t, nil, "summarize", "-f", "json", file(t, "a.html", []byte(page))).want(t, exitOK).stdout)
	if p.Documents[0].Title != "Река" || strings.TrimSpace(p.Documents[0].Text) != floods["ru"] {
		t.Errorf("title %q, text %q", p.Documents[0].Title, p.Documents[0].Text)
	}
	// A declaration that is plainly false.
	page = `<html><head><meta charset="iso-8859-1"></head><body><p>` + floods["ru"] + `</p></body></html>`
	a := cli(t, nil, "summarize", "-f", "json", file(t, "a.html", []byte(page))).want(t, exitOK, "read as UTF-8")
	if p := parse(t, a.stdout); strings.TrimSpace(p.Documents[0].Text) != floods["ru"] {
		t.Errorf("text %q", p.Documents[0].Text)
	}
}

func TestBadInput(t *testing.T) {
	good := floods["en"]
	long := "The " + strings.Repeat("very ", 200) + "long sentence does not end."
	for _, c := range []struct {
		name   string
		data   string
		args   string
		code   int
		stderr string
		check  func(*testing.T, parsed)
	}{
		{"empty", "", "", exitFailed, "nothing to summarize", nil},
		{"white space", " \n\t \r\n ", "", exitFailed, "nothing to summarize", nil},
		{"no words", "... !!! ---", "", exitFailed, "nothing to summarize", nil},
		{"one sentence", "Only this.", "", exitOK, "", func(t *testing.T, p parsed) {
			if p.Text != "Only this." || p.OverBudget {
				t.Errorf("%+v", p)
			}
		}},
		{"no full stop", "only this", "", exitOK, "", func(t *testing.T, p parsed) {
			if p.Text != "only this" {
				t.Errorf("%+v", p)
			}
		}},
		{"over budget", long, "-b 10", exitOK, "no sentence fits the budget of 10 words", func(t *testing.T, p parsed) {
			if p.Text != long || !p.OverBudget {
				t.Errorf("overBudget is %v", p.OverBudget)
			}
		}},
		{"longer than one that fits", long + " Short one.", "-b 10", exitOK, "", func(t *testing.T, p parsed) {
			if p.Text != "Short one." || p.OverBudget {
				t.Errorf("%q, overBudget %v", p.Text, p.OverBudget)
			}
		}},
		{"binary", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08", "", exitFailed, "image/png", nil},
		{"controls", strings.Repeat("a\x01\x02", 300), "", exitFailed, "control characters", nil},
		{"NUL", "A text.\x00 And more.", "", exitFailed, "NUL at byte 7", nil},
		{"PDF", "%PDF-1.7\nabc", "", exitFailed, "damaged PDF", nil},
		{"invalid UTF-8", "Die Größe der Flüsse wächst. Bad \xff byte here. Über Nacht stieg das Wasser.", "", exitOK, "1 bad bytes replaced", func(t *testing.T, p parsed) {
			if !strings.Contains(p.Documents[0].Text, "Bad \ufffd byte") {
				t.Errorf("%q", p.Documents[0].Text)
			}
		}},
		{"right to left", "\u202b" + floods["he"] + "\u202c", "-b 2s", exitOK, "", func(t *testing.T, p parsed) {
			if len(p.Sentences) != 2 {
				t.Errorf("%d sentences", len(p.Sentences))
			}
		}},
		{"emoji", "The 👩‍👩‍👧‍👦 family left. 🚒 came at 5 o'clock 🎉! All 𝒮afe now. 🙂", "-b 3s", exitOK, "", func(t *testing.T, p parsed) {
			if len(p.Sentences) == 0 {
				t.Error("no sentences")
			}
		}},
		{"line ends", strings.ReplaceAll(good, ". ", ".\r\n\r\n"), "", exitOK, "", nil},
		{"broken gzip", "\x1f\x8b\x08\x00 this is not gzip", "", exitFailed, "cerasum: ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, "in.txt", []byte(c.data))
			a := cli(t, nil, append([]string{"summarize", "-f", "json", path}, strings.Fields(c.args)...)...).want(t, c.code, c.stderr)
			if c.code != exitOK {
				if a.stdout != "" {
					t.Errorf("stdout: %q", a.stdout)
				}
				if c.stderr != "nothing to summarize" && !strings.Contains(a.stderr, path) {
					t.Errorf("the error does not name the file: %s", a.stderr)
				}
				return
			}
			p := parse(t, a.stdout)
			if c.check != nil {
				c.check(t, p)
			}
		})
	}
}

// TestTenMegabytes: two with -short.
func TestTenMegabytes(t *testing.T) {
	size := 10 << 20
	if testing.Short() {
		size = 2 << 20
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Report %d says that the river rose by %d centimetres near village %d. ", i, i%97, i%1013)
	}
	p := parse(t, cli(t, nil, "summarize", "-f", "json", "-b", "50", file(t, "a.txt", []byte(b.String()))).want(t, exitOK).stdout)
	if len(p.Sentences) == 0 || p.OverBudget {
		t.Errorf("%d sentences", len(p.Sentences))
	}
	if p.Documents[0].Text != b.String() {
		t.Error("the text changed")
	}
}

func TestManyDocuments(t *testing.T) {
	dir, n := t.TempDir(), 5000
	if testing.Short() {
		n = 1000
	}
	for i := range n {
		text := fmt.Sprintf("Station %d saw the river rise on day %d. The bridge at mile %d held.", i, i%31, i%211)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := cli(t, nil, "summarize", "-b", "40", dir).want(t, exitOK)
	if !strings.Contains(a.stdout, "more without quotes") || strings.Count(a.stdout, "\n") > 60 {
		t.Errorf("the list of sources: %.500s", a.stdout)
	}
}

func TestDeepMarkup(t *testing.T) {
	const depth = 100_000
	for name, c := range map[string]struct{ data, has string }{
		"divs.html":    {strings.Repeat("<div>", depth) + floods["en"] + strings.Repeat("</div>", depth), "512"},
		"open.html":    {"<!doctype html>" + strings.Repeat("<b><i><table>", depth) + floods["en"], ""},
		"quotes.md":    {strings.Repeat(">", depth) + " " + floods["en"], "nested"},
		"lists.md":     {strings.Repeat("- ", depth) + floods["en"], "nested"},
		"links.md":     {strings.Repeat("[", depth) + "\n\n" + floods["en"], ""},
		"arrays.jsonl": {`{"documents":` + strings.Repeat("[", depth), ":1: "},
	} {
		t.Run(name, func(t *testing.T) {
			a := cli(t, nil, "summarize", "-f", "json", "-b", "20s", file(t, name, []byte(c.data)))
			if strings.HasSuffix(name, ".jsonl") {
				a.want(t, exitFailed, c.has)
				return
			}
			a.want(t, exitOK, c.has)
			if p := parse(t, a.stdout); !strings.Contains(p.Documents[0].Text, "Two villages were cut off by the water.") {
				t.Error("the text got lost")
			}
		})
	}
}

func TestGoesOnAfterBadFile(t *testing.T) {
	good := file(t, "good.txt", []byte(floods["en"]))
	bad := file(t, "bad.txt", []byte("x\x00y"))
	missing := filepath.Join(t.TempDir(), "missing.txt")
	a := cli(t, nil, "summarize", "-f", "json", good, bad, missing).want(t, exitFailed, bad+": not text", missing+": no such file", "hint: check the name; web addresses")
	if p := parse(t, a.stdout); len(p.Documents) != 1 {
		t.Errorf("%d documents", len(p.Documents))
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"b/z.txt": "Zebra crossed the river.", "b/a.md": "# Heading\n\nApes left the village.", "a.txt": "Ants ate the bread.",
		".hidden/x.txt": "Hidden text.", ".dot.txt": "Hidden too.", "pic.bin": "\x00\x01\x02",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(dir, "circle")); err != nil {
		t.Fatal(err)
	}
	a := cli(t, nil, "summarize", "-f", "json", dir).want(t, exitOK, "warning: skipped: "+filepath.Join(dir, "pic.bin"))
	var got []string
	for _, d := range parse(t, a.stdout).Documents {
		got = append(got, d.Title)
	}
	if want := "a.txt Heading z.txt"; strings.Join(got, " ") != want {
		t.Errorf("documents %v, want %s", got, want)
	}
	if a := cli(t, nil, "summarize", "-q", "-f", "json", dir).want(t, exitOK); a.stderr != "" {
		t.Errorf("quiet, but: %s", a.stderr)
	}
	empty := t.TempDir()
	cli(t, nil, "summarize", empty).want(t, exitFailed, "no files found", "nothing to summarize")
}

func TestJSONLines(t *testing.T) {
	lines := strings.Join([]string{
		`{"id":"one","documents":["The dam broke.",{"text":"The mayor left.","title":"T","source":"s.txt","language":"en"}]}`,
		`{"id":7,"documents":["Only this."]}`,
		``,
		`{"documents":[]}`,
		`{"documents":["x"],"documents":["y"]}`,
		`{"documents":[],"Documents":["y"]}`,
		`{"documents":[{"txt":"x"}]}`,
		`{"documents":["a b.",5]}`,
		`{"documents":[{"text":null}]}`,
		`{"documents":[{"text":"x","language":"!!"}]}`,
		`{"id":true,"documents":["x"]}`,
		`{"id":"cut`,
		`["x"]`,
		`{"documents":["x"]} {"documents":["y"]}`,
		"{\"documents\":[\"latin \xe9t\xe9\"]}",
		`{"documents":["Last line here."],"references":["A dataset has these."]}`,
	}, "\n")
	wants := []string{
		":4: nothing to summarize", ":5: documents: duplicate field", ":6: nothing to summarize",
		":7: documents[0].text: missing",
		":8: documents[1]: want a text or an object with a text, got a number",
		":9: documents[0].text: want a string, got null", `:10: documents[0].language`,
		":11: id: want a string or a number", ":12: invalid JSON", ":13: want an object, got an array",
		":14: trailing data", ":15: unreadable line: invalid UTF-8 at byte 22 (0xe9)",
		`warning: ignored field "Documents" in 1 record: did you mean "documents"?`,
		`warning: ignored field "documents[].txt" in 1 record: did you mean "documents[].text"?`,
	}
	zipped := archivetest.Gzip(t, []byte(lines))
	for name, a := range map[string]answer{
		"file":  cli(t, nil, "summarize", "-f", "json", file(t, "c.jsonl", []byte(lines))),
		"gzip":  cli(t, nil, "summarize", "-f", "json", file(t, "c.ndjson.gz", zipped)),
		"stdin": cli(t, strings.NewReader(lines), "summarize", "-f", "json"),
		"asked": cli(t, bytes.NewReader(zipped), "summarize", "-f", "json", "--input-format", "jsonl", "-"),
	} {
		t.Run(name, func(t *testing.T) {
			a.want(t, exitFailed, wants...)
			if n := strings.Count(a.stderr, "cerasum: "); n != len(wants) {
				t.Errorf("%d messages, want %d:\n%s", n, len(wants), a.stderr)
			}
			out := strings.Split(strings.TrimSpace(a.stdout), "\n")
			if len(out) != 3 {
				t.Fatalf("%d lines, want 3", len(out))
			}
			first, second, last := parse(t, out[0]), parse(t, out[1]), parse(t, out[2])
			if first.ID != "one" || second.ID != 7.0 || last.ID != nil {
				t.Errorf("ids %v, %v, %v", first.ID, second.ID, last.ID)
			}
			if d := first.Documents[1]; d.Title != "T" || d.Source != "s.txt" || d.Language != "en" || d.Text != "The mayor left." {
				t.Errorf("%+v", d)
			}
			if last.Text != "Last line here." {
				t.Errorf("last: %q", last.Text)
			}
		})
	}
	mixed := cli(t, nil, "summarize", file(t, "c.jsonl", []byte(`{"documents":["x"]}`)), file(t, "a.txt", []byte("A text."))).want(t, exitFailed, "cannot combine", "hint: ")
	if mixed.stdout != "" {
		t.Errorf("stdout: %q", mixed.stdout)
	}
}

func TestOutput(t *testing.T) {
	in := file(t, "a.txt", []byte(floods["en"]))
	dir := t.TempDir()
	out := filepath.Join(dir, "summary.txt")
	if err := os.WriteFile(out, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	// A failure leaves the file alone.
	cli(t, nil, "summarize", "-o", out, filepath.Join(dir, "missing")).want(t, exitFailed)
	if b, err := os.ReadFile(out); err != nil || string(b) != "before" {
		t.Fatalf("%q, %v", b, err)
	}
	a := cli(t, nil, "summarize", "-o", out, in).want(t, exitOK)
	b, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(b), "Sources\n") || a.stdout != "" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files left, %v", len(left), err)
	}
	cli(t, nil, "summarize", "-o", dir, in).want(t, exitFailed, "is a folder")
	cli(t, nil, "summarize", "-o", filepath.Join(dir, "no", "such"), in).want(t, exitFailed, "cannot write "+filepath.Join(dir, "no", "such"), "name a file in an existing")
}

func TestStandardInput(t *testing.T) {
	for _, c := range []struct{ args, data, title, text string }{
		{"", "A plain text.", "standard input", "A plain text."},
		{"-", "A plain text.", "standard input", "A plain text."},
		{"", "<!DOCTYPE html><title>Page</title><body><p>A page's text.", "Page", "A page's text.\n"},
		{"--input-format markdown -", "# Head\n\nSome *text*.", "Head", "Some text.\n"},
		{"--input-format text -", "# Not *markdown*.", "standard input", "# Not *markdown*."},
	} {
		p := parse(t, cli(t, strings.NewReader(c.data), append([]string{"summarize", "-f", "json"}, strings.Fields(c.args)...)...).want(t, exitOK).stdout)
		if d := p.Documents[0]; d.Title != c.title || d.Text != c.text || d.Source != "-" {
			t.Errorf("%q: %+v", c.args, d)
		}
	}
	cli(t, failing{}, "summarize", "-").want(t, exitFailed, "disk on fire")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

// TestNoEscapes makes sure that no document can send escape sequences to the
// terminal, nor a line of its own into Markdown.
func TestNoEscapes(t *testing.T) {
	text := "The \x1b[31mred\x1b[0m river\nrose <b>high</b>.\x07 # Not a [heading](x) here."
	path := file(t, "a.txt", []byte(text))
	for _, format := range []string{"text", "markdown"} {
		a := cli(t, nil, "summarize", "-f", format, path).want(t, exitOK)
		if strings.ContainsAny(a.stdout, "\x1b\x07") || !utf8.ValidString(a.stdout) {
			t.Errorf("%s: %q", format, a.stdout)
		}
		if format == "markdown" && strings.Contains(a.stdout, "<b>") && !strings.Contains(a.stdout, `\<b\>`) {
			t.Errorf("%q", a.stdout)
		}
	}
}

func TestProgress(t *testing.T) {
	path := file(t, "a.txt", []byte(floods["en"]))
	if a := cli(t, nil, "summarize", "--progress", "always", path).want(t, exitOK, "split"); !strings.HasSuffix(a.stderr, "\r\x1b[K") {
		t.Errorf("the progress line stays: %q", a.stderr)
	}
	if a := cli(t, nil, "summarize", path).want(t, exitOK); a.stderr != "" {
		t.Errorf("progress without a terminal: %q", a.stderr)
	}
}
