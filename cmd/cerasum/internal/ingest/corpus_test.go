package ingest

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/reference"
)

// TestGuessCorpus reads translated news (NTREX-128), a few texts of one
// sentence and of three in each language and encoding, that says nothing of
// itself. With -v it prints a table; CERASUM_TEXTS=60 is the number of texts in
// docs/dependencies.md.
func TestGuessCorpus(t *testing.T) {
	most := 8
	if s := os.Getenv("CERASUM_TEXTS"); s != "" {
		var err error
		if most, err = strconv.Atoi(s); err != nil || most < 1 {
			t.Fatalf("CERASUM_TEXTS=%q: want a number", s)
		}
	}
	const western, central, cyrillic = "windows-1252 iso-8859-15 macintosh", "windows-1250 iso-8859-2", "windows-1251 iso-8859-5"
	encodings := map[string]string{
		"ca": western, "da": western, "de": western, "en": western, "es": western, "fi": western, "fr": western,
		"it": western, "nb": western, "nl": western, "pt": western, "sv": western,
		"cs": central, "hu": central, "pl": central, "ro": central, "tr": "windows-1254",
		"bg": cyrillic, "ru": cyrillic + " koi8-r ibm866 x-mac-cyrillic", "uk": "windows-1251 koi8-u",
		"el": "windows-1253 iso-8859-7", "he": "windows-1255 iso-8859-8", "ar": "windows-1256 iso-8859-6", "fa": "windows-1256",
		"ja": "shift_jis euc-jp iso-2022-jp", "ko": "euc-kr", "zh": "gb18030",
	}
	sentences := map[string][]string{}
	lines := bufio.NewScanner(reference.Open(t, "data/parallel/ntrex.jsonl.gz"))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row map[string]string
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		for language, s := range row {
			sentences[language] = append(sentences[language], s)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	// As people wrote with what their encodings have.
	cedilla := strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "Ş", "Ț", "Ţ")
	plain := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "–", "-", "—", "-", "…", "...")
	all, right := 0, 0
	for language, names := range encodings {
		for _, name := range strings.Fields(names) {
			e, err := lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 3} {
				n, good := 0, 0
				var text []string
				for _, s := range sentences[language] {
					if language == "ro" {
						s = cedilla.Replace(s)
					}
					if name != "gb18030" && !strings.HasPrefix(name, "windows") {
						s = plain.Replace(s)
					}
					if _, err := e.NewEncoder().String(s); err != nil {
						continue
					}
					if text = append(text, s); len(text) < size {
						continue
					}
					whole := strings.Join(text, "\n")
					text = nil
					data, err := e.NewEncoder().String(whole)
					if err != nil {
						t.Fatal(err)
					}
					if !hasHigh([]byte(data)) && name != "iso-2022-jp" {
						continue
					}
					n++
					if got, _, err := decode([]byte(data), charsets{}); err == nil && got == whole {
						good++
					}
					if n == most {
						break
					}
				}
				t.Logf("%s %-14s %d: %3d of %3d", language, name, size, good, n)
				if n == 0 {
					t.Errorf("%s has no text for %s", language, name)
				}
				all, right = all+n, right+good
			}
		}
	}
	t.Logf("%d of %d, %.1f %%", right, all, 100*float64(right)/float64(all))
	if float64(right) < 0.97*float64(all) {
		t.Errorf("%d of %d texts are read right, want 97 %%", right, all)
	}
}
