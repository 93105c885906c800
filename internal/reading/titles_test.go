package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func TestTitleWords(t *testing.T) {
	for s, want := range map[string][]string{
		"27 hurt as barrier collapse ends Semi-finals": {"hurt", "barrie", "collap", "ends", "semi", "finals"},
		"Жители ÉTAIENT là":                            {"жители", "étaien"},
		"沚阳学校，供餐":                                      {"沚阳", "阳学", "学校", "供餐"},
		"":                                             nil,
	} {
		var got []string
		titleWords(s, func(w string) { got = append(got, w) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestCommonTitles: words that only one title has do not count, and words of many titles
// count more.
func TestCommonTitles(t *testing.T) {
	c := readTitles([]cluster.Document{
		{Title: "Semi-final halted after barrier gives way"},
		{Title: "Barrier collapse: final abandoned"},
		{Title: "Final to be replayed, final of finals"},
		{},
	})
	for sentence, want := range map[string]float64{
		"A barrier gave way at the final.": 1,   // final 3 times, barrier twice
		"The FINAL will be replayed.":      0.6, // once a sentence
		"The barriers were rusty.":         0.4,
		"Nobody was hurt.":                 0,
	} {
		if got := c.share(sentence); got != want {
			t.Errorf("%q: got %v, want %v", sentence, got, want)
		}
	}
	alone := readTitles([]cluster.Document{{Title: "Barrier collapse"}})
	if got := alone.share("A barrier collapsed."); got != 0 {
		t.Errorf("one title: got %v", got)
	}
}

// The names of files have words in common that tell nothing.
func TestFileNamesAreNoTitles(t *testing.T) {
	for _, sources := range [][2]string{{"news/tunnel-1.txt", "news/tunnel-2.txt"}, {"tunnel-1.md", `C:\news\tunnel-2.md`}} {
		for _, titles := range [][2]string{{"tunnel-1.txt", "tunnel-2.txt"}, {"tunnel-1.md", "tunnel-2.md"}, {"tunnel-1", "tunnel-2"}} {
			c := readTitles([]cluster.Document{{Source: sources[0], Title: titles[0]}, {Source: sources[1], Title: titles[1]}})
			names := strings.HasSuffix(sources[0], titles[0]) || !strings.Contains(titles[0], ".")
			if got := c.share("A train burned in the tunnel."); (got == 0) != names {
				t.Errorf("%q with titles %q: %v", sources, titles, got)
			}
		}
	}
	c := readTitles([]cluster.Document{{Source: "https://a.test/1.html", Title: "Tunnel fire"}, {Source: "https://b.test/tunnel", Title: "After the tunnel fire"}})
	if c.share("A fire in the tunnel.") == 0 {
		t.Error("real titles have words in common")
	}
}

func TestDefines(t *testing.T) {
	for _, c := range []struct {
		title, sentence string
		want            bool
	}{
		{"New Zealand", "New Zealand (Māori: Aotearoa) is an island country.", true},
		{"New Zealand - Wikipedia", "New Zealand is an island country.", true},
		{"Mercury (planet)", "Mercury is the first planet from the Sun.", true},
		{"Sourdough bread", "In baking, sourdough bread is a bread made by long fermentation.", true},
		{"İstanbul – Vikipedi", "İstanbul, Türkiye'nin en kalabalık şehridir.", true},
		{"北京市 - 维基百科", "北京市，简称京，是中华人民共和国的首都。", true},
		{"Rat", "A bureaucrat is a member of a bureaucracy.", false},
		{"Rat", "A bureaucrat fed a rat.", true},
		{"Town votes to close Quay Road", "The town voted on Tuesday.", false},
		{"Rome", "Romeo loves Juliet.", false},
		{"Rome", "Rome is a city.", true},
		{"", "The town voted on Tuesday.", false},
	} {
		if got := Defines(c.title, c.sentence); got != c.want {
			t.Errorf("Defines(%q, %q) = %v", c.title, c.sentence, got)
		}
	}
}
