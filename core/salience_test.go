package core

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

var update = flag.Bool("update", false, "write testdata/salience.txt anew")

// choices holds the selections of method salience on another machine: one line per
// cluster and budget.
//
//go:embed testdata/salience.txt
var choices string

func of(texts ...string) *cluster.Cluster {
	c := &cluster.Cluster{}
	for _, t := range texts {
		c.Documents = append(c.Documents, cluster.Document{Text: t})
	}
	return c
}

// nearlyTheSame returns documents of sentences that differ in a number.
func nearlyTheSame(documents, sentences int, kinds ...string) *cluster.Cluster {
	var texts []string
	for d := range documents {
		var b strings.Builder
		for i := range sentences {
			fmt.Fprintf(&b, kinds[(i+d)%len(kinds)]+" ", d*sentences+i)
		}
		texts = append(texts, b.String())
	}
	return of(texts...)
}

var kinds = []string{
	"On Monday the river Ola rose and flooded the town of Varn, gauge %d said.",
	"About 400 people left their homes in the night, the mayor of ward %d told us.",
	"The dam above the town held, although water ran over it at gate %d for hours.",
	"Schools and shops stay closed until Thursday while cellar %d is pumped out.",
	"The government promised money for those who lost their homes in street %d.",
}

// spaceless are reports of one event, in scripts that put no space between words:
// two that share a sentence, and one about something else.
var spaceless = map[string][]string{
	"zh": {
		"星期一河水上涨了三米，淹没了瓦恩镇。大约四百人在夜里离开了家园。市长说镇上方的大坝没有决口。学校关闭到星期四。",
		"瓦恩镇被洪水淹没。大约四百人在夜里离开了家园！市长说，大坝没有决口。预计星期三雨会停。",
		"北方队赢得了手球杯。队长感谢了球迷。",
	},
	"ja": {
		"月曜日に川の水位が三メートル上がり、ヴァルンの町が浸水した。夜のうちに約四百人が家を離れた。町の上にあるダムは持ちこたえたと町長は述べた。学校は木曜日まで休みになる。",
		"ヴァルンの町は水に浸かっている。夜のうちに約四百人が家を離れた。ダムは持ちこたえたと町長は言った。雨は水曜日に止む見込みだ。",
		"北のチームがハンドボールの杯を取った。主将はファンに感謝した。",
	},
	"th": {
		"แม่น้ำเพิ่มสูงขึ้นสามเมตรในวันจันทร์และท่วมเมืองวาร์น\n\nประชาชนราวสี่ร้อยคนออกจากบ้านในตอนกลางคืน\n\nเขื่อนเหนือเมืองยังคงอยู่ นายกเทศมนตรีกล่าว\n\nโรงเรียนปิดจนถึงวันพฤหัสบดี",
		"เมืองวาร์นอยู่ใต้น้ำ\n\nประชาชนราวสี่ร้อยคนออกจากบ้านในตอนกลางคืน\n\nนายกเทศมนตรีกล่าวว่าเขื่อนยังคงอยู่\n\nคาดว่าฝนจะหยุดในวันพุธ",
		"ทีมแฮนด์บอลทางเหนือชนะถ้วยรางวัล\n\nกัปตันขอบคุณแฟน ๆ",
	},
}

// sharedInSpaceless is the sentence that the first two reports share.
var sharedInSpaceless = map[string]string{"zh": "大约四百人在夜里离开了家园", "ja": "夜のうちに約四百人が家を離れた", "th": "ประชาชนราวสี่ร้อยคนออกจากบ้านในตอนกลางคืน"}

func TestSalienceReadsScriptsWithoutSpaces(t *testing.T) {
	for language, texts := range spaceless {
		for _, b := range []string{"60w", "2s", "60c"} {
			budget, err := ParseBudget(b)
			if err != nil {
				t.Fatal(err)
			}
			c := of(texts...)
			s := mustSummarize(t, c, Options{Method: "salience", Budget: budget})
			if s.Method != "salience" || s.Documents[0].Language != language || s.OverBudget {
				t.Errorf("%s %s: method %s, language %q", language, b, s.Method, s.Documents[0].Language)
			}
			if strings.Count(s.Text, sharedInSpaceless[language]) != 1 || s.Documents[2].Chosen > s.Documents[0].Chosen {
				t.Errorf("%s %s: %q", language, b, s.Text)
			}
		}
	}
}

// TestSalienceInEveryLanguage: whatever the given language of a text, which determines
// stems and stop words, the summary quotes what the reports share.
func TestSalienceInEveryLanguage(t *testing.T) {
	languages := append(text.Languages(), "tlh", "")
	if len(languages) < 30 {
		t.Fatalf("%d languages", len(languages))
	}
	for _, language := range languages {
		c := flood()
		for d := range c.Documents {
			c.Documents[d].Language = language
		}
		s := mustSummarize(t, c, Options{Method: "salience", Budget: Budget{30, Words}})
		if s.Method != "salience" || strings.Count(s.Text, "400 people") != 1 || s.OverBudget {
			t.Errorf("%q: %s %q", language, s.Method, s.Text)
		}
	}
}

// TestSalienceFillsTheBudget: if the documents say more than fits.
func TestSalienceFillsTheBudget(t *testing.T) {
	c := large(6, 25)
	for b, least := range map[Budget]int{
		{100, Words}: 85, {300, Words}: 285, {7, Sentences}: 7, {600, Characters}: 510, {230, PaperWords}: 215, {1, Sentences}: 1,
	} {
		s := mustSummarize(t, c, Options{Method: "salience", Budget: b})
		if s.Used < least || s.Used > b.Amount || s.Method != "salience" {
			t.Errorf("%v: %s used %d", b, s.Method, s.Used)
		}
	}
	// One document.
	if s := mustSummarize(t, large(1, 40), Options{Method: "salience", Budget: Budget{80, Words}}); s.Used < 65 || s.Documents[0].Chosen != len(s.Sentences) {
		t.Errorf("one document: used %d", s.Used)
	}
}

// TestSalienceOfRepetitiveTexts: like instant, salience says each thing once, even if
// much of the budget is left.
func TestSalienceOfRepetitiveTexts(t *testing.T) {
	for n := 1; n <= len(kinds); n++ {
		for _, method := range []string{"salience", "instant"} {
			s := mustSummarize(t, nearlyTheSame(4, 40, kinds[:n]...), Options{Method: method, Budget: Budget{300, Words}})
			if len(s.Sentences) != n {
				t.Errorf("%s: %d sentences of %d kinds: %q", method, len(s.Sentences), n, s.Text)
			}
		}
	}
	// Sentences that differ in more than a number are different: the budget is filled.
	s := mustSummarize(t, large(4, 40), Options{Method: "salience", Budget: Budget{300, Words}})
	if s.Used < 285 {
		t.Errorf("used %d of 300 words", s.Used)
	}
}

// TestExpertsByLicence: the long-budget expert, which is not free, is used only with
// --licence any, and for several documents of which the budget is more than a third.
func TestExpertsByLicence(t *testing.T) {
	for _, test := range []struct {
		documents int
		ratio     float64 // of the text to the budget
		licence   string
		long      bool // the long-budget expert is used
	}{
		{4, 1.5, LicenceAny, true},
		{4, 2.3, LicenceAny, true},
		{4, 10, LicenceAny, false},
		{1, 1.5, LicenceAny, false},
		{4, 1.5, "", false},
		{4, 1.5, LicenceFree, false},
		{4, 2.3, "", false},
		{4, 10, LicenceFree, false},
		{1, 1.5, "", false},
	} {
		c := large(test.documents, 25)
		total := 0
		mustSummarize(t, c, Options{})
		for _, d := range c.Documents {
			total += text.CountSegments(d.Text)
		}
		o := Options{Method: "salience", Budget: Budget{int(float64(total) / test.ratio), Words}, Licence: test.licence}
		before := rated(t, c, o)
		o.Experts = &salience.Experts{General: salience.LongBudget()}
		if long := rated(t, c, o) == before; long && !test.long {
			t.Errorf("%d documents, ratio %v, licence %q: the long-budget expert is used", test.documents, test.ratio, test.licence)
		}
		o.Experts = &salience.Experts{LongBudget: salience.General()}
		if o.Licence == LicenceAny && (rated(t, c, o) != before) != test.long {
			t.Errorf("%d documents, ratio %v: the long-budget expert is used: %v, want %v", test.documents, test.ratio, !test.long, test.long)
		}
	}
}

// TestSalienceAttention: the weight of a sentence is that with instant times
// e^(sharpness · its log-odds).
func TestSalienceAttention(t *testing.T) {
	for name, c := range map[string]*cluster.Cluster{"flood": flood(), "one sentence": of("Only this was said."), "large": large(3, 12)} {
		o := Options{Method: "salience", Budget: Budget{60, Words}}
		got := attentionOf(mustSummarize(t, c, o))
		o.Method = "instant"
		plain := attentionOf(mustSummarize(t, c, o))
		f, _, err := mustOpen(t, c).SalienceFeatures(o.Budget)
		if err != nil {
			t.Fatal(err)
		}
		p := salience.Predict(f, salience.General(), nil, 0)
		want := make([]float64, len(plain))
		for k, z := range p.Sentence {
			want[k] = plain[k] * math.Exp(salienceDefaults.sharpness*z)
		}
		scaleToOne(want)
		sum := 0.0
		for k := range want {
			sum += got[k]
			if math.Abs(got[k]-want[k]) > 1e-12 || !(got[k] > 0) {
				t.Errorf("%s, sentence %d: attention %v, want %v", name, k, got[k], want[k])
			}
		}
		if math.Abs(sum-1) > 1e-12 || len(got) > 1 && slices.Equal(got, plain) {
			t.Errorf("%s: attention %v adds up to %v", name, got, sum)
		}
	}
}

// TestSalienceChoosesTheSameEverywhere compares with selections made natively; it also
// runs under js/wasm, where package math has other code. Run it with -update after a
// change of the method or of its experts.
func TestSalienceChoosesTheSameEverywhere(t *testing.T) {
	var b strings.Builder
	for _, test := range []struct {
		name string
		make func() *cluster.Cluster
	}{
		{"flood", flood}, {"ferry", ferry},
		{"large 3×20", func() *cluster.Cluster { return large(3, 20) }},
		{"large 10×40", func() *cluster.Cluster { return large(10, 40) }},
		{"large 1×300", func() *cluster.Cluster { return large(1, 300) }},
		// Many ties.
		{"one kind", func() *cluster.Cluster { return nearlyTheSame(4, 30, kinds[0]) }},
		{"three kinds", func() *cluster.Cluster { return nearlyTheSame(5, 12, kinds[:3]...) }},
		{"five kinds", func() *cluster.Cluster { return nearlyTheSame(3, 50, kinds...) }},
		{"the same thrice", func() *cluster.Cluster {
			c := large(1, 20)
			return of(c.Documents[0].Text, c.Documents[0].Text, c.Documents[0].Text)
		}},
		{"zh", func() *cluster.Cluster { return of(spaceless["zh"]...) }},
		{"ja", func() *cluster.Cluster { return of(spaceless["ja"]...) }},
		{"th", func() *cluster.Cluster { return of(spaceless["th"]...) }},
	} {
		c := test.make()
		for _, budget := range []string{"12", "60", "250", "4s", "400c", "90p"} {
			for _, licence := range []string{"", LicenceAny} {
				o := Options{Method: "salience", Licence: licence, Order: OrderDocument}
				var err error
				if o.Budget, err = ParseBudget(budget); err != nil {
					t.Fatal(err)
				}
				s := mustSummarize(t, c, o)
				fmt.Fprintf(&b, "%s, %s %s:", test.name, budget, licence)
				for _, q := range s.Sentences {
					fmt.Fprintf(&b, " %d.%d", q.Document, q.Ref.Sentence)
				}
				b.WriteByte('\n')
			}
		}
	}
	if *update {
		if err := os.WriteFile("testdata/salience.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(choices, "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// TestSalienceOfAList: sentences of one pattern are not all repetitions.
func TestSalienceOfAList(t *testing.T) {
	places := []string{"harbour", "market", "bridge", "school", "mill", "tower", "station", "garden"}
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("On day %d the %s of Nessel was repaired by %d people, who were paid %d crowns.", i, places[i%8], i*7919%1000, i*104729%5000))
	}
	s, err := Summarize(t.Context(), []Document{{Text: strings.Join(lines, "\n")}}, Options{Method: "salience"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Sentences) < 3 {
		t.Errorf("%d sentences: %s", len(s.Sentences), s.Text)
	}
}
