package text

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"
)

// TestDetectAccuracy measures Detect on FLORES, which the profiles were not trained
// on, for single sentences and for five in a row.
func TestDetectAccuracy(t *testing.T) {
	texts := readParallel(t, "eval/flores-devtest-a.jsonl.gz")
	tags := make([]string, 0, len(texts))
	for tag := range texts {
		tags = append(tags, tag)
	}
	sort.Strings(tags)
	var table strings.Builder
	table.WriteString("\n| language | 1 sentence | 5 sentences | mistaken for |\n| --- | ---: | ---: | --- |\n")
	var right, all [2]int
	for _, tag := range tags {
		var ok, n [2]int
		wrong := map[string]int{}
		for k, size := range []int{1, 5} {
			for part := range sliceChunks(texts[tag], size) {
				got := Detect(strings.Join(part, " "))
				n[k]++
				if got == tag {
					ok[k]++
				} else {
					wrong[got]++
				}
			}
			right[k] += ok[k]
			all[k] += n[k]
		}
		fmt.Fprintf(&table, "| %s | %.4f | %.4f | %s |\n", tag, float64(ok[0])/float64(n[0]), float64(ok[1])/float64(n[1]), strings.Trim(fmt.Sprint(wrong), "map[]"))
	}
	one, five := float64(right[0])/float64(all[0]), float64(right[1])/float64(all[1])
	fmt.Fprintf(&table, "| all | %.4f | %.4f | |\n", one, five)
	t.Log(table.String())
	if one < 0.98 || five < 0.995 {
		t.Errorf("accuracy %.4f by one sentence and %.4f by five, want 0.98 and 0.995", one, five)
	}
}

func TestDetect(t *testing.T) {
	long := strings.Repeat("Der Rat der alten Hafenstadt traf sich am Dienstag. ", 100)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n\t", ""},
		{"123 456 !?", ""},
		{"ok", ""},
		{"\xff\xfe\x00", ""},
		{"The council met on Tuesday to talk about the bridge.", "en"},
		{"El consejo se reunió el martes para hablar del puente.", "es"},
		{"Le conseil s'est réuni mardi pour parler du pont.", "fr"},
		{"O conselho reuniu-se na terça-feira para falar da ponte.", "pt"},
		{"Совет собрался во вторник, чтобы обсудить мост.", "ru"},
		{"Рада зібралася у вівторок, щоб обговорити міст.", "uk"},
		{"Съветът се събра във вторник, за да обсъди моста.", "bg"},
		{"Belediye meclisi köprüyü görüşmek için salı günü toplandı.", "tr"},
		{"Der Rat traf sich am Dienstag, um über die Brücke zu reden.", "de"},
		{"Il consiglio si è riunito martedì per parlare del ponte.", "it"},
		{"اجتمع المجلس يوم الثلاثاء لمناقشة الجسر.", "ar"},
		{"شورا روز سه\u200cشنبه برای گفتگو درباره پل تشکیل جلسه داد.", "fa"},
		{"کونسل کا اجلاس منگل کو ہوا جس میں پل پر بات کی گئی۔", "ur"},
		{"परिषद की बैठक मंगलवार को हुई।", "hi"},
		{"议会星期二开会讨论那座桥。", "zh"},
		{"市議会は火曜日に橋について話し合った。", "ja"},
		{"シーザー", "ja"},
		{"시의회는 화요일에 다리에 대해 논의했다.", "ko"},
		{"Το συμβούλιο συνεδρίασε την Τρίτη.", "el"},
		{"המועצה התכנסה ביום שלישי.", "he"},
		{"สภาประชุมกันเมื่อวันอังคาร", "th"},
		// The language of most of the text.
		{long + "The council met on Tuesday.", "de"},
		{"The council met on Tuesday. " + long, "de"},
		{"The council of the old town met to talk about the bridge (議会, совет, συμβούλιο).", "en"},
		{"Совет собрался во вторник, сообщил портал news.example.com, чтобы обсудить мост.", "ru"},
	} {
		if got := Detect(c.text); got != c.want {
			t.Errorf("Detect(%.60q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestMaybeIn(t *testing.T) {
	for _, c := range []struct {
		text, tag string
		want      bool
	}{
		// Detected as Romanian, Polish, nothing, French.
		{"Great product!", "en", true},
		{"Nice quality", "en", true},
		{"Super comfy", "en", true},
		{"Restaurant La Bella Napoli serves excellent pizza margherita and tiramisu.", "en", true},
		{"Der Rat traf sich am Dienstag, um über die Brücke zu reden.", "en", false},
		{"Das Paket kam erst nach drei Wochen bei uns an.", "en", false},
		{"Рада зібралася у вівторок, щоб обговорити міст.", "ru", false},
		{"Рада", "ru", true},
		// Another script.
		{"Рада", "en", false},
		{"Great product!", "ru", false},
		{"こんにちは世界", "en", false},
		{"東京都知事選挙", "ja", true},
		{"東京都知事選挙", "ko", false},
		// Languages that are not detected.
		{"Goeie produk!", "af", true},
		{"Die raad het Dinsdag vergader om oor die brug en die nuwe skool in die dorp te praat.", "af", false},
		{"کونسل کا اجلاس منگل کو ہوا", "fa", false},
		{"پل", "ur", false},
		{"شورا تشکیل جلسه داد", "ur", true},
		{strings.Repeat("Great product! ", 100), "ro", false},
		{"", "en", false},
	} {
		if got := MaybeIn(c.text, c.tag); got != c.want {
			t.Errorf("MaybeIn(%.60q, %s) = %v (detected: %q)", c.text, c.tag, got, Detect(c.text))
		}
	}
}

// TestUncertainLanguages measures how often a text in English, French, German or Russian
// is taken for another language with certainty, and how often a text of another language
// passes for it, on the first words of the sentences of FLORES.
func TestUncertainLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("detects 50,000 texts: make test-slow")
	}
	texts := readParallel(t, "eval/flores-devtest-a.jsonl.gz")
	var table strings.Builder
	table.WriteString("\n| language | words | refused | de | es | fr | nl | pt | ru | zh |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	passes := func(s, tag string) bool {
		got := Detect(s)
		return got == "" || got == tag || MaybeIn(s, tag)
	}
	for _, tag := range []string{"en", "fr", "de", "ru"} {
		for _, words := range []int{2, 3, 5, 8, 12, 99} {
			share := func(of string) float64 {
				n := 0
				for _, s := range texts[of] {
					fields := strings.Fields(s)
					if passes(strings.Join(fields[:min(words, len(fields))], " "), tag) {
						n++
					}
				}
				return float64(n) / float64(len(texts[of]))
			}
			refused := 1 - share(tag)
			fmt.Fprintf(&table, "| %s | %d | %.4f |", tag, words, refused)
			for _, other := range []string{"de", "es", "fr", "nl", "pt", "ru", "zh"} {
				wrong := 0.0
				if other != tag {
					wrong = share(other)
				}
				if words >= 12 && wrong > 0.03 {
					t.Errorf("%.4f of %s with %d words pass for %s", wrong, other, words, tag)
				}
				fmt.Fprintf(&table, " %.3f |", wrong)
			}
			table.WriteString("\n")
			if refused > 0.01 {
				t.Errorf("%.4f of %s with %d words are refused", refused, tag, words)
			}
		}
	}
	t.Log(table.String())
}

func TestDetectIsQuickAndSteady(t *testing.T) {
	doc := strings.Repeat(prose["mixed"], (10<<20)/len(prose["mixed"]))
	want := Detect(doc)
	start := time.Now()
	for range 5 {
		if got := Detect(doc); got != want {
			t.Fatalf("Detect gave %q, then %q", want, got)
		}
	}
	// Reading all of the text would take a minute: the limit detects that.
	if d := time.Since(start) / 5; d > 5*time.Second && !testing.Short() {
		t.Errorf("10 MB took %v", d)
	}
	for _, s := range odd {
		if tag := Detect(s); tag != "" && !slices.Contains(Languages(), tag) {
			t.Errorf("Detect(%q) = %q, which Languages does not list", s, tag)
		}
	}
}

func TestProfiles(t *testing.T) {
	for script, p := range profiles {
		p.unpack()
		if want := len(p.tags) * len(p.row); want != len(p.weights) {
			t.Errorf("%s: %d weights, want %d", script, len(p.weights), want)
		}
	}
	if tags := Languages(); len(tags) < 30 || !slices.IsSorted(tags) {
		t.Errorf("Languages() = %v", tags)
	}
}

func BenchmarkDetect(b *testing.B) {
	for _, tag := range []string{"en", "ru", "zh"} {
		doc := strings.Repeat(prose[tag], (1<<20)/len(prose[tag]))
		b.Run(tag, func(b *testing.B) {
			for b.Loop() {
				Detect(doc)
			}
		})
	}
}
