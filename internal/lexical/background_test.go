package lexical

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/snowballstem"
)

// TestBackgroundOrder asks the table what any speaker knows.
func TestBackgroundOrder(t *testing.T) {
	for tag, words := range map[string][]string{
		"en": {"the", "people", "government", "zygote"},
		"es": {"de", "gobierno", "zigoto"},
		"fr": {"de", "gouvernement", "zygote"},
		"de": {"die", "regierung", "zygote"},
		"ru": {"в", "правительство", "зигота"},
		"tr": {"bir", "hükümet", "zigot"},
		"pl": {"w", "ludzi", "zygota"},
		"hi": {"के", "सरकार", "युग्मनज"},
		"ar": {"في", "الحكومة", "زيجوت"},
	} {
		l := lookUp(tag)
		last := 1.0
		for _, w := range words {
			folded, _ := fold(w, tag)
			if !l.isStop(folded) {
				folded = l.stem(snowballstem.NewEnv(""), folded)
			}
			p := l.background(folded)
			if p >= last {
				t.Errorf("%s: %q has %g, not less than the word before, %g", tag, w, p, last)
			}
			last = p
		}
		if last != floor {
			t.Errorf("%s: the rarest word has %g, want the floor %g", tag, last, floor)
		}
	}
}

func TestBackgroundLanguages(t *testing.T) {
	for tag := range strings.FieldsSeq("ar bg ca cs da de el en es fa fi fr gl he hi hu id it ja ko nl no pl pt ro ru sv tr uk vi zh") {
		table := readTable(tag)
		if table == nil {
			t.Errorf("%s has no table", tag)
			continue
		}
		if n := len(table.level); n < 450 {
			t.Errorf("%s: only %d terms", tag, n)
		}
		for term, level := range table.level {
			if level >= Levels || term == "" {
				t.Errorf("%s: %q has level %d", tag, term, level)
			}
		}
	}
	if readTable("xx") != nil || readTable("") != nil {
		t.Error("a language that is not there has a table")
	}
}

// The terms of the table must be those that Analyze makes: a table that was
// counted before the analysis changed has stems that no text gives.
func TestBackgroundFitsAnalysis(t *testing.T) {
	for _, c := range []struct{ language, sentence string }{
		{"en", "The president said that many people in the country work for the government."},
		{"es", "El presidente dijo que mucha gente del país trabaja para el gobierno."},
		{"fr", "Le président a dit que l'économie du pays dépend aujourd'hui du gouvernement."},
		{"tr", "Bakan, ülkede birçok kişinin hükümet için çalıştığını söyledi."},
		{"uk", "Президент сказав, що багато людей у країні працюють для уряду."},
		{"zh", "总统表示，中国政府今年的经济工作。"},
	} {
		a := analyze(t, document(c.language, c.sentence))
		listed := 0
		for _, term := range a.Terms {
			if term.Background > floor {
				listed++
			}
		}
		if 2*listed < len(a.Terms) {
			t.Errorf("%s: only %d of %d everyday terms are in the table", c.language, listed, len(a.Terms))
		}
	}
}

// TestReadTable reads the bytes that internal/lexical/background's test writes.
func TestReadTable(t *testing.T) {
	defer func(s string) { backgroundTable = s }(backgroundTable)
	backgroundTable = "\x02\x02aa\x02\x05\x02bb\x01\x03" + "\x00\x02\x00" + "\x03\x18\x07" + "car\x00\x00" + "\xc3\xa9\x00"
	if got := readTable("aa").level; len(got) != 2 || got["car"] != 3 || got["ca"] != 24 {
		t.Errorf("aa: %v", got)
	}
	if got := readTable("bb").level; len(got) != 1 || got["é"] != 7 {
		t.Errorf("bb: %v", got)
	}
	l := &language{table: readTable("aa")}
	if got, want := l.background("ca"), 1.0/4096; math.Abs(got-want) > 1e-12 {
		t.Errorf("level 24 is %g, want %g", got, want)
	}
}

func TestCompositionsAreTriples(t *testing.T) {
	for _, c := range compositions {
		letters := []rune(c.pairs)
		if len(letters)%2 != 0 || !slices.IsSortedFunc(compositions[:], func(a, b struct {
			mark  rune
			pairs string
		}) int {
			return int(a.mark - b.mark)
		}) {
			t.Fatalf("mark %U is broken", c.mark)
		}
	}
}
