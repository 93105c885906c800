package core

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// flood returns a small self-written cluster: two reports of one event and one about
// something else.
func flood() *cluster.Cluster {
	return &cluster.Cluster{Documents: []cluster.Document{
		{Source: "a.txt", Title: "Ola floods Varn", Text: "The river Ola rose three metres on Monday and flooded the town of Varn. About 400 people left their homes in the night. The mayor, Ines Dahl, said that the dam above the town held. Schools stay closed until Thursday. A bakery gave away bread."},
		{Source: "b.txt", Title: "Varn under water", Text: "Varn is under water after the river Ola burst its banks on Monday. About 400 people left their homes in the night! The dam above Varn held, said mayor Ines Dahl. Rain is expected to stop on Wednesday."},
		{Source: "c.txt", Title: "Elsewhere", Text: "The handball team of Norby won the cup in Lund. Its captain thanked the fans."},
	}}
}

// checkSummary checks the properties of every summary.
func checkSummary(t *testing.T, documents []Document, s *Summary) {
	t.Helper()
	if s.Used > s.Budget.Amount != s.OverBudget {
		t.Errorf("used %d of %v, over budget %v", s.Used, s.Budget, s.OverBudget)
	}
	gain := 0.0
	seen := map[cluster.Ref]bool{}
	for _, q := range s.Sentences {
		doc := documents[q.Document].Text
		if doc[q.Start:q.End] != q.Text {
			t.Errorf("%v: bytes %d..%d are not %q", q.Ref, q.Start, q.End, q.Text)
		}
		if units := utf16.Encode([]rune(doc)); string(utf16.Decode(units[q.StartUTF16:q.EndUTF16])) != string([]rune(q.Text)) {
			t.Errorf("%v: UTF-16 units %d..%d are not %q", q.Ref, q.StartUTF16, q.EndUTF16, q.Text)
		}
		if seen[q.Ref] {
			t.Errorf("%v is quoted twice", q.Ref)
		}
		seen[q.Ref] = true
		gain += q.Gain
		for i, m := range q.Similar {
			if m.Document == q.Document || m.Cosine < similarFrom || m.Cosine > 1 || i > 0 && m.Cosine > q.Similar[i-1].Cosine {
				t.Errorf("%v: similar %v", q.Ref, q.Similar)
			}
		}
	}
	if math.Abs(gain-s.Score) > 1e-9 {
		t.Errorf("gains add up to %v, the score is %v", gain, s.Score)
	}
	chosen := 0
	for i, d := range s.Documents {
		chosen += d.Chosen
		if d.Sentences != len(documents[i].Sentences) || !(d.Coverage >= 0 && d.Coverage <= 1) {
			t.Errorf("document %d: %+v", i, d)
		}
	}
	if chosen != len(s.Sentences) {
		t.Errorf("%d sentences, documents count %d", len(s.Sentences), chosen)
	}
	checkAttention(t, s)
}

func TestSummaryQuotesWhatDocumentsShare(t *testing.T) {
	c := flood()
	s := mustSummarize(t, c, Options{Budget: Budget{30, Words}})
	if !strings.Contains(s.Text, "400 people") || strings.Contains(s.Text, "handball") || strings.Contains(s.Text, "bakery") {
		t.Errorf("got %q", s.Text)
	}
	if strings.Count(s.Text, "400 people") != 1 {
		t.Errorf("the same sentence is quoted twice: %q", s.Text)
	}
	for _, q := range s.Sentences {
		if strings.Contains(q.Text, "400 people") && (len(q.Similar) != 1 || q.Similar[0].Sentence != 1 || q.Similar[0].Cosine < nearDuplicate) {
			t.Errorf("the near-duplicate is not listed as similar to %q: %v", q.Text, q.Similar)
		}
	}
	if s.Documents[2].Coverage >= s.Documents[1].Coverage {
		t.Errorf("coverage of the odd document is not the lowest: %+v", s.Documents)
	}
	if s.Documents[0].Language != "en" {
		t.Errorf("language %q", s.Documents[0].Language)
	}
}

func TestBudgetUnits(t *testing.T) {
	for _, m := range Methods() {
		for _, budget := range []string{"1", "9", "12", "25w", "1000", "1s", "3s", "50s", "90c", "10c", "5000c", "9p", "30p"} {
			b, err := ParseBudget(budget)
			if err != nil {
				t.Fatal(err)
			}
			s := mustSummarize(t, flood(), Options{Method: m.Name, Budget: b})
			if b.Unit == PaperWords && !s.OverBudget && text.CountWords(s.Text) != s.Used {
				t.Errorf("%s %s: %d words, used %d", m.Name, budget, text.CountWords(s.Text), s.Used)
			}
			if b.Unit == Characters && !s.OverBudget && text.CountCharacters(s.Text) > b.Amount {
				t.Errorf("%s %s: %d characters", m.Name, budget, text.CountCharacters(s.Text))
			}
			if b.Unit == Sentences && len(s.Sentences) != min(b.Amount, 10) && len(s.Sentences) != b.Amount && b.Amount < 5 && m.Name != "auto" && m.Name != "editor" {
				t.Errorf("%s %s: %d sentences", m.Name, budget, len(s.Sentences))
			}
		}
	}
}

func TestOverBudgetQuotesTheNearestSentence(t *testing.T) {
	s := mustSummarize(t, flood(), Options{Budget: Budget{2, Words}})
	if !s.OverBudget || len(s.Sentences) != 1 || s.Used <= 2 {
		t.Errorf("%+v", s)
	}
}

func TestOrder(t *testing.T) {
	byDocument := mustSummarize(t, flood(), Options{Budget: Budget{4, Sentences}, Order: OrderDocument})
	byRank := mustSummarize(t, flood(), Options{Budget: Budget{4, Sentences}, Order: OrderRank})
	for i := 1; i < len(byDocument.Sentences); i++ {
		if a, b := byDocument.Sentences[i-1].Ref, byDocument.Sentences[i].Ref; a.Document > b.Document || a.Document == b.Document && a.Sentence >= b.Sentence {
			t.Errorf("not in reading order: %q", byDocument.Text)
		}
	}
	if len(byRank.Sentences) != len(byDocument.Sentences) || byRank.Score != byDocument.Score {
		t.Errorf("another choice by rank: %q and %q", byRank.Text, byDocument.Text)
	}
	for _, q := range byRank.Sentences[1:] {
		if q.Gain > byRank.Sentences[0].Gain {
			t.Errorf("the first by rank does not gain most: %+v", byRank.Sentences)
		}
	}
}

func TestOptionsAreRefusedByName(t *testing.T) {
	for want, o := range map[string]Options{
		`method: want auto, editor, salience, instant, multilingual, mean, hybrid, cera, cerai, position, bs+gs, bs, gholipour, lamsiyah, rossiello, radev, lexrank, textrank, concepts, mmr or lead, got "best"`: {Method: "best"},
		`order: want story, document or rank, got "random"`:                             {Order: "random"},
		"budget: want 1 to 1000000000 words, got 0":                                     {Budget: Budget{0, Words}},
		"budget: want 1 to 1000000000 sentences, got -3":                                {Budget: Budget{-3, Sentences}},
		`budget: want the unit words, sentences, characters or paperWords, got "lines"`: {Budget: Budget{3, "lines"}},
		"n: want a whole number from 1 to 1000000000, got -1":                           {Method: "lead", N: -1},
		"beamWidth: want a whole number from 1 to 1000000000, got -2":                   {BeamWidth: -2},
		"patience: want a whole number from 1 to 1000000000, got -3":                    {Patience: -3},
		`preselect: want n_first, n_best or all, got "some"`:                            {Preselect: "some"},
		"method: oracle requires references":                                            {Method: "oracle"},
		"references: want at least one sentence":                                        {Method: "oracle", References: []string{"", "…"}},
	} {
		_, err := Summarize(context.Background(), flood().Documents, o)
		if !errors.Is(err, ErrOption) || err.Error() != want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	c := flood()
	c.Documents[1].Language = "English!"
	if _, err := Summarize(context.Background(), c.Documents, Options{}); !errors.Is(err, ErrOption) || err.Error() != `documents[1].language: want a language tag like en or pt-BR, got "English!"` {
		t.Errorf("got %v", err)
	}
	c.Documents[1].Language = "EN-gb"
	if s := mustSummarize(t, c, Options{}); s.Documents[1].Language != "en" {
		t.Errorf("language %q", s.Documents[1].Language)
	}
}

func TestParseBudget(t *testing.T) {
	for in, want := range map[string]Budget{"100": {100, Words}, " 7w": {7, Words}, "5s": {5, Sentences}, "600c": {600, Characters}, "230p": {230, PaperWords}} {
		if got, err := ParseBudget(in); err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "s", "5x", "-1", "0", "0s", "1.5", "99999999999999999999", "9223372036854775807c", "9223372036854775807", "1000000001s"} {
		if got, err := ParseBudget(in); !errors.Is(err, ErrOption) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, b := range []Budget{{100, Words}, {5, Sentences}, {600, Characters}, {230, PaperWords}} {
		if got, err := ParseBudget(b.String()); err != nil || got != b {
			t.Errorf("%v: %v, %v", b, got, err)
		}
	}
}

func TestNothingToSummarize(t *testing.T) {
	for name, c := range map[string]*cluster.Cluster{
		"no documents": {},
		"empty":        {Documents: []cluster.Document{{Text: ""}}},
		"white space":  {Documents: []cluster.Document{{Text: " \n\t\u00a0\u2003"}, {Text: "\r\n"}}},
		"no word":      {Documents: []cluster.Document{{Text: "… — !!! \x00\x01"}}},
	} {
		if _, err := Summarize(context.Background(), c.Documents, Options{}); !errors.Is(err, ErrNoText) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStrangeText: every method returns a valid summary, whatever the text is.
func TestStrangeText(t *testing.T) {
	long := 20000
	if testing.Short() {
		long = 4000
	}
	for name, docs := range map[string][]string{
		"one sentence":        {"Only this was said."},
		"one word":            {"Word"},
		"stop words alone":    {"To be or not to be. It was what it was."},
		"invalid UTF-8":       {"The dam \xff\xfe held on Monday. \xc3 Rain stopped on Tuesday.", "The dam held\x80."},
		"NUL":                 {"The dam\x00held on Monday.\x00 Rain stopped."},
		"right to left":       {"ارتفع منسوب النهر ثلاثة أمتار يوم الاثنين. غادر نحو 400 شخص منازلهم.", "הנהר עלה בשלושה מטרים ביום שני. כארבע מאות תושבים עזבו את בתיהם."},
		"emoji":               {"🌊🌊 The river rose 👨‍👩‍👧‍👦 on Monday 🇵🇹. 🙂🙂🙂 The dam held 🧱!"},
		"no spaces":           {"星期一河水上涨了三米。大约四百人离开了家园。市长说大坝没有决口。", "川は月曜日に三メートル上昇した。約四百人が家を離れた。"},
		"Thai":                {"แม่น้ำเพิ่มสูงขึ้นสามเมตรในวันจันทร์ ประชาชนราวสี่ร้อยคนออกจากบ้าน"},
		"the same everywhere": {"The dam held. Rain stopped.", "The dam held. Rain stopped.", "The dam held. Rain stopped."},
		"long without a stop": {strings.Repeat("word and more ", long)},
		"wrapped":             {"The river rose three metres on Monday and flooded\nthe town of Varn. About 400 people left their\nhomes in the night.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &cluster.Cluster{}
			for _, d := range docs {
				c.Documents = append(c.Documents, cluster.Document{Text: d})
			}
			for _, m := range Methods() {
				s := mustSummarize(t, c, Options{Method: m.Name, Budget: Budget{40, Words}})
				if len(s.Sentences) == 0 || s.Text == "" || strings.Count(s.Text, "\n") != len(s.Sentences)-1 {
					t.Errorf("%s: %q", m.Name, s.Text)
				}
			}
		})
	}
}

func TestSameAnswerAgain(t *testing.T) {
	first := mustSummarize(t, flood(), Options{})
	for range 5 {
		if again := mustSummarize(t, flood(), Options{}); fmt.Sprint(again) != fmt.Sprint(first) {
			t.Fatalf("first %v, then %v", first, again)
		}
	}
	c := flood()
	mustSummarize(t, c, Options{})
	if prepared := mustSummarize(t, c, Options{}); prepared.Text != first.Text {
		t.Errorf("a prepared cluster gives %q, not %q", prepared.Text, first.Text)
	}
}

// large returns a cluster of generated sentences, about 12 words each.
func large(documents, sentences int) *cluster.Cluster {
	nouns := strings.Fields("river dam mayor town school bridge storm budget council harbor train union museum senate forest factory engine market signal treaty")
	verbs := strings.Fields("closed opened flooded rebuilt visited sold praised blocked crossed measured")
	c := &cluster.Cluster{}
	seed := uint32(1)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	for d := range documents {
		var b strings.Builder
		for range sentences {
			fmt.Fprintf(&b, "The %s of the %s %s %d of the %ss near the %s in %d. ",
				nouns[next(len(nouns))], nouns[next(len(nouns))], verbs[next(len(verbs))], next(500), nouns[next(len(nouns))], nouns[next(len(nouns))], 1900+next(120))
		}
		c.Documents = append(c.Documents, cluster.Document{Source: fmt.Sprint(d), Text: b.String()})
	}
	return c
}

func TestLargeClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	for name, c := range map[string]*cluster.Cluster{
		"5,000 documents":  large(5000, 4),
		"10 MB of text":    large(1, 160000),
		"20 long articles": large(20, 400),
	} {
		t.Run(name, func(t *testing.T) {
			stages := map[string]bool{}
			s := mustSummarize(t, c, Options{Budget: Budget{200, Words}, Fill: true, Progress: func(stage string, done, total int) {
				if done < 0 || done > total {
					t.Errorf("%s: %d of %d", stage, done, total)
				}
				stages[stage] = true
			}})
			if s.Used < 150 || !stages["split"] || !stages["encode"] || !stages["select"] {
				t.Errorf("used %d of 200, stages %v", s.Used, stages)
			}
		})
	}
}

func TestCancelling(t *testing.T) {
	for _, stage := range []string{"split", "encode", "select"} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Summarize(ctx, large(50, 40).Documents, Options{Progress: func(s string, _, _ int) {
			if s == stage {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in %s: %v", stage, err)
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if _, err := Summarize(ctx, flood().Documents, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past its deadline: %v", err)
	}
}

// BenchmarkSummarize runs everything: splitting, encoding, selection, report.
func BenchmarkSummarize(b *testing.B) {
	for _, method := range []string{"salience", "instant"} {
		for _, n := range []int{100, 1000, 10000} {
			c := large(n/25, 25)
			b.Run(fmt.Sprintf("%s/%d", method, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := Summarize(context.Background(), c.Documents, Options{Method: method}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestANumberDoesNotHideARepetition: sentences that differ in one rare word are
// near-duplicates, although that word dominates their TF-IDF vectors.
func TestANumberDoesNotHideARepetition(t *testing.T) {
	c := &cluster.Cluster{}
	for i, n := range []int{17, 23, 31} {
		c.Documents = append(c.Documents, cluster.Document{Text: fmt.Sprintf(
			"On Monday the river Ola rose and flooded the old town of Varn, gauge %d said. %s",
			n, []string{"Schools stay closed.", "A bakery gave away its bread.", "The dam held, said the mayor."}[i])})
	}
	for _, method := range []string{"auto", "mean", "position"} {
		s := mustSummarize(t, c, Options{Method: method, Budget: Budget{40, Words}})
		if n := strings.Count(s.Text, "river Ola"); n != 1 {
			t.Errorf("%s: said %d times: %q", method, n, s.Text)
		}
		for _, q := range s.Sentences {
			if strings.Contains(q.Text, "river Ola") && len(q.Similar) != 2 {
				t.Errorf("%s: similar to %q: %v", method, q.Text, q.Similar)
			}
		}
	}
}
