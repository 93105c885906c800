package core

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// covering lists the methods that quote everything that fits.
var covering = []string{"auto", "editor", "salience", "instant", "multilingual"}

// TestAllThatFits: a text within the budget is its own summary. Headings, lines
// without a word and repetitions are left out.
func TestAllThatFits(t *testing.T) {
	all := Budget{200, Words}
	for name, test := range map[string]struct {
		documents []string
		language  string
		budget    Budget
		want      string
	}{
		"one short sentence":    {[]string{"Done."}, "en", all, "Done."},
		"English":               {[]string{"Meeting moved to Monday. Bring laptops. The room on the second floor is booked until five."}, "en", all, "Meeting moved to Monday.\nBring laptops.\nThe room on the second floor is booked until five."},
		"French":                {[]string{"Réunion lundi. Prière d'apporter les portables. La salle du deuxième étage est réservée jusqu'à cinq heures. Merci !"}, "fr", all, "Réunion lundi.\nPrière d'apporter les portables.\nLa salle du deuxième étage est réservée jusqu'à cinq heures.\nMerci !"},
		"Russian":               {[]string{"Встреча в понедельник. Возьмите ноутбуки. Комната на втором этаже занята до пяти часов."}, "ru", all, "Встреча в понедельник.\nВозьмите ноутбуки.\nКомната на втором этаже занята до пяти часов."},
		"Turkish":               {[]string{"Toplantı pazartesiye kaldı. Bilgisayarlarınızı getirin. İkinci kattaki oda saat beşe kadar dolu."}, "tr", all, "Toplantı pazartesiye kaldı.\nBilgisayarlarınızı getirin.\nİkinci kattaki oda saat beşe kadar dolu."},
		"Chinese":               {[]string{"会议改期。请带电脑。二楼的房间五点以前都有人使用。"}, "zh", all, "会议改期。\n请带电脑。\n二楼的房间五点以前都有人使用。"},
		"Arabic":                {[]string{"تأجل الاجتماع. أحضروا الحواسيب. الغرفة في الطابق الثاني محجوزة حتى الخامسة."}, "ar", all, "تأجل الاجتماع.\nأحضروا الحواسيب.\nالغرفة في الطابق الثاني محجوزة حتى الخامسة."},
		"to the word":           {[]string{"Meeting moved to Monday. Bring laptops."}, "en", Budget{6, Words}, "Meeting moved to Monday.\nBring laptops."},
		"to the character":      {[]string{"Meeting moved to Monday. Bring laptops."}, "en", Budget{39, Characters}, "Meeting moved to Monday.\nBring laptops."},
		"to the sentence":       {[]string{"Meeting moved to Monday. Bring laptops."}, "en", Budget{2, Sentences}, "Meeting moved to Monday.\nBring laptops."},
		"repeated":              {[]string{"Rain stopped. The dam held.", "The dam held! The mayor thanked all who had helped.", "Rain stopped. Rain stopped."}, "en", all, "Rain stopped.\nThe dam held.\nThe mayor thanked all who had helped."},
		"nearly repeated":       {[]string{"Rain stopped. About 400 people left their homes in the night.", "Some 400 people left their homes in the night. The dam held."}, "en", all, "Rain stopped.\nAbout 400 people left their homes in the night.\nThe dam held."},
		"alike in one document": {[]string{"The flight to Rome leaves at nine. The flight to Oslo leaves at nine. Room 1 is closed. Room 2 is closed."}, "en", all, "The flight to Rome leaves at nine.\nThe flight to Oslo leaves at nine.\nRoom 1 is closed.\nRoom 2 is closed."},
		"alike and short":       {[]string{"The dam held. Did we win?", "The dam did not hold. They won."}, "en", all, "The dam held.\nDid we win?\nThe dam did not hold.\nThey won."},
		"repetitions do not count": {[]string{"Rain stopped. The dam held.", "The dam held. Rain stopped.", "Rain stopped. The dam held."}, "en", Budget{5, Words},
			"Rain stopped.\nThe dam held."},
		"headings":                      {[]string{"Team meeting\n\nMeeting moved to Monday. Bring laptops.\n\nRoom\n\nThe room on the second floor is booked until five. …"}, "en", all, "Meeting moved to Monday.\nBring laptops.\nThe room on the second floor is booked until five."},
		"without a full stop":           {[]string{"Meeting moved to Monday. Bring laptops. Room two is booked until five"}, "en", all, "Meeting moved to Monday.\nBring laptops.\nRoom two is booked until five"},
		"a heading and short sentences": {[]string{"Team meeting\n\nMeeting moved to Monday. Bring laptops."}, "en", all, "Meeting moved to Monday.\nBring laptops."},
		"notes":                         {[]string{"Milk\n\nBread and butter\n\nApples from the market"}, "en", all, "Milk\nBread and butter\nApples from the market"},
	} {
		c := &cluster.Cluster{}
		for _, d := range test.documents {
			c.Documents = append(c.Documents, Document{Text: d, Language: test.language})
		}
		for _, method := range covering {
			s := mustSummarize(t, c, Options{Method: method, Budget: test.budget, Order: OrderDocument})
			if strings.Replace(s.Text, "Some", "About", 1) != test.want || s.OverBudget {
				t.Errorf("%s, %s: got %q", name, method, s.Text)
			}
			byRank := mustSummarize(t, c, Options{Method: method, Budget: test.budget, Order: OrderRank})
			if len(byRank.Sentences) != len(s.Sentences) || byRank.Score != s.Score {
				t.Errorf("%s, %s: another choice by rank: %q", name, method, byRank.Text)
			}
		}
	}
}

// TestShortSentencesFillTheBudget: if all longer sentences fit, short ones fill the
// rest of the budget, those nearest to the centroid first.
func TestShortSentencesFillTheBudget(t *testing.T) {
	const long = "The dam above the town of Varn held all night."
	c := &cluster.Cluster{Documents: []Document{{Language: "en", Text: "Nobody slept. " + long + " Schools stay closed. The dam held."}}}
	for _, method := range []string{"auto", "salience", "instant"} {
		for words, want := range map[int]string{
			18: "Nobody slept.\n" + long + "\nSchools stay closed.\nThe dam held.",
			15: "Nobody slept.\n" + long + "\nThe dam held.",
			14: long + "\nThe dam held.",
			12: "Nobody slept.\n" + long,
			11: long,
		} {
			s := mustSummarize(t, c, Options{Method: method, Budget: Budget{words, Words}, Order: OrderDocument})
			if s.Text != want {
				t.Errorf("%s, %d words: got %q, want %q", method, words, s.Text, want)
			}
		}
	}
}

// TestAllThatFitsInSeveralLanguages: a sentence and its translation are a
// repetition.
func TestAllThatFitsInSeveralLanguages(t *testing.T) {
	c := ferry()
	for i, short := range []string{" Nobody died.", " O bar fechou.", " Es schneite."} {
		c.Documents[i].Text += short
	}
	o := meanings(t, c, 0.1)
	o.Budget = Budget{500, Words}
	s := mustSummarize(t, c, o)
	if saidTwice(s) != 0 || len(s.Sentences) != 6 {
		t.Errorf("want each of 6 sentences in one language, got %q", s.Text)
	}
}

// TestTitlesAreNotQuoted: titles, opened for method headline, are not sentences of the
// text, however large the budget is.
func TestTitlesAreNotQuoted(t *testing.T) {
	documents := []Document{{Title: "Varn is under water", Text: "The river rose. The dam held.", Language: "en"}}
	s, err := Open(t.Context(), documents, OpenOptions{Titles: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"auto", "salience", "instant"} {
		summary, err := s.Summarize(t.Context(), Options{Method: method, Budget: Budget{200, Words}})
		if err != nil {
			t.Fatal(err)
		}
		if summary.Text != "The river rose.\nThe dam held." {
			t.Errorf("%s: %q", method, summary.Text)
		}
	}
}

// TestPublishedMethodsKeepTheirCandidates: concepts leaves out short sentences, as
// its authors do.
func TestPublishedMethodsKeepTheirCandidates(t *testing.T) {
	c := &cluster.Cluster{Documents: []Document{{Language: "en", Text: "Rain stopped. The dam above the town of Varn held all night."}}}
	s := mustSummarize(t, c, Options{Method: "concepts", Budget: Budget{200, Words}})
	if strings.Contains(s.Text, "Rain") {
		t.Errorf("got %q", s.Text)
	}
}

// TestSplitSpeechInLongSummaries: a summary of much of a text, made to cover it, may have
// parts of quotations; one of the default method, or of a longer text, does not.
func TestSplitSpeechInLongSummaries(t *testing.T) {
	report := "The council of Varn met on Monday to discuss the dam above the town. The repairs will cost four million and take two years. "
	speech := "“The dam of Varn is old,” the mayor said. “The repairs of the dam cannot wait. The council has put off the repairs twice.” "
	for _, test := range []struct {
		method string
		fill   bool
		text   string
		want   bool
	}{
		{"salience", false, report + speech, true},
		{"instant", false, report + speech, true},
		{"auto", true, report + speech, true},
		{"auto", false, report + speech, false},
		{"salience", false, report + speech + strings.Repeat(strings.ReplaceAll(report, "Varn", "Lund"), 6), false},
	} {
		c := &cluster.Cluster{Documents: []Document{{Language: "en", Text: test.text}}}
		s := mustSummarize(t, c, Options{Method: test.method, Fill: test.fill, Budget: Budget{38, Words}})
		if got := strings.Contains(s.Text, "cannot wait") || strings.Contains(s.Text, "put off"); got != test.want {
			t.Errorf("%s, fill %v, %d bytes: got %q", test.method, test.fill, len(test.text), s.Text)
		}
	}
}

// TestSalienceOfHalfTheText: where the summary is about half of several documents,
// salience selects as instant does; not of one document, nor of longer ones.
func TestSalienceOfHalfTheText(t *testing.T) {
	list := shipped(t, "en")
	for _, test := range []struct {
		documents []Document
		share     float64
		licence   string
		same      bool
	}{
		{list, 0.5, LicenceFree, true},
		{list, 0.5, LicenceAny, false},
		{list, 0.4, LicenceFree, false},
		{list[:1], 0.5, LicenceFree, false},
		{[]Document{list[0], {Text: " "}}, 0.5, LicenceFree, false},
	} {
		words := 0
		for _, d := range test.documents {
			words += text.CountWords(d.Text)
		}
		o := Options{Method: "salience", Licence: test.licence, Budget: Budget{int(test.share * float64(words)), PaperWords}}
		salience := mustSummarize(t, &cluster.Cluster{Documents: test.documents}, o)
		o.Method, o.Licence = "instant", ""
		instant := mustSummarize(t, &cluster.Cluster{Documents: test.documents}, o)
		if same := salience.Score == instant.Score; same != test.same {
			t.Errorf("%d documents, %g of the text, licence %s: as instant: %v", len(test.documents), test.share, test.licence, same)
		}
	}
}
