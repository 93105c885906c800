package core

import (
	"strings"
	"testing"
)

// TestEditorQuotesTheEvent: in any order of the documents the summary opens with the
// event, and holds no filler, no leaning sentence and nothing twice.
func TestEditorQuotesTheEvent(t *testing.T) {
	documents := []Document{
		{Language: "en", Date: "2026-04-20", Text: "By Dilys Farrant, local democracy reporter\n\nThe council votes on Tuesday on whether to shut Quay Road to through traffic.\n\nWe all know how this will go. It will be tight.\n\nSign up for our weekly newsletter."},
		{Language: "en", Date: "2026-04-21", Text: "BRACKWELL (NNW) — Brackwell borough council voted 14 to 11 on Tuesday to close Quay Road, the town's main harbour street, to through traffic in an 18-month trial.\n\nBuses, emergency vehicles and deliveries before 10 a.m. will be exempt from the closure. But it is not the end. He said that he would appeal.\n\nSign up for our weekly newsletter."},
		{Language: "en", Date: "2026-04-22", Text: "Quay Road in Brackwell will be closed to through traffic for 18 months, the borough council decided on Tuesday by 14 votes to 11.\n\nThe council has set aside £1.3 million for cameras, planters and wider pavements on Quay Road.\n\nWhat happens next?"},
	}
	for range documents {
		documents = append(documents[1:], documents[0])
		s, err := Summarize(t.Context(), documents, Options{Budget: Budget{60, Words}})
		if err != nil {
			t.Fatal(err)
		}
		if first := s.Sentences[0].Text; !strings.Contains(first, "14") || !strings.Contains(first, "Quay Road") {
			t.Errorf("opens with %q", first)
		}
		for _, not := range []string{"newsletter", "What happens next", "He said", "BRACKWELL", "By Dilys", "We all know"} {
			if strings.Contains(s.Text, not) {
				t.Errorf("quotes %q: %q", not, s.Text)
			}
		}
		if strings.Count(s.Text, "14") != 1 {
			t.Errorf("the vote is told twice, or not: %q", s.Text)
		}
		if !strings.Contains(s.Text, "£1.3 million") {
			t.Errorf("the cost is missing: %q", s.Text)
		}
	}
}

// TestOpensWithTheEventOfTheTitles: what several titles name is the event, though a
// background piece has the sentence that an editor would rather quote.
func TestOpensWithTheEventOfTheTitles(t *testing.T) {
	documents := []Document{
		{Language: "en", Title: "Twelve rescued after ferry Merrow runs aground", Date: "2026-05-02", Text: "Twelve people were rescued on Saturday when the ferry Merrow ran aground on the Skelling rocks in thick fog, the coastguard said.\n\nTwo of them were treated for broken bones. Nobody is missing.\n\nThe Merrow sails between Port Anvil and the island of Hask four times a day."},
		{Language: "en", Title: "The inspector who counted rust", Date: "2026-05-05", Text: "An inspector warned the Hask Line fourteen months ago that the radar of its oldest ship failed every third week.\n\nThe 40-page report, drawn up by Lena Orrin after a voyage in February last year, lists 21 defects and asks for a second officer on every night crossing.\n\nThe line says that it mended eleven of them and planned the rest for the autumn."},
		{Language: "en", Title: "Ferry Merrow aground: service to Hask suspended", Date: "2026-05-03", Text: "Ferries to Hask will not sail before Thursday while divers look at the hull of the Merrow, which ran aground on Saturday.\n\nThe Hask Line chartered a supply boat for food and medicine."},
		{Language: "en", Title: "A night on the rocks", Date: "2026-05-06", Text: "Oona Pell, 71, sang to the children until the lifeboat came.\n\nShe had crossed to Hask every Saturday for forty years, with bread for her sister and newspapers for the harbour master."},
	}
	s, err := Summarize(t.Context(), documents, Options{Budget: Budget{60, Words}})
	if err != nil {
		t.Fatal(err)
	}
	if first := s.Sentences[0].Text; !strings.Contains(first, "ran aground") {
		t.Errorf("opens with %q", first)
	}
}

// TestOneDeathToll: of an event that two agencies tell in other words, one death toll is
// quoted.
func TestOneDeathToll(t *testing.T) {
	documents := []Document{
		{Language: "en", Text: "A strong earthquake triggered landslides in the border region of Teshna early on Sunday, killing at least 237 people, officials said.\n\nThe quake, which registered 6.5, destroyed the bridge that links the towns of Orvik and Sedla.\n\nThe army sent 640 soldiers with tents and blankets to the region on Monday."},
		{Language: "en", Text: "Rescuers searched through debris on Monday for victims of the earthquake that ravaged a third of Teshna, where at least 650 deaths had been counted by noon.\n\nAftershocks and rain hampered the helicopters, which had to leave two villages without water and food.\n\nThe Red Cross asked for help in finding shelter for 40,000 people who lost their homes."},
	}
	s, err := Summarize(t.Context(), documents, Options{Budget: Budget{80, Words}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Text, "237") == strings.Contains(s.Text, "650") {
		t.Errorf("want one death toll: %q", s.Text)
	}
}

// TestGaps: a sentence that lost a formula is not quoted, and text whose marks all have
// spaces before them is read as it is.
func TestGaps(t *testing.T) {
	const page = `A Hermitian matrix is a square matrix that equals its own conjugate transpose. Its conjugate transpose is denoted by , although in quantum mechanics the same mark means the complex conjugate only. Hermitian matrices are named after Charles Hermite, who showed in 1855 that they have real eigenvalues. They are fundamental to the quantum theory of matrix mechanics, which Werner Heisenberg, Max Born and Pascual Jordan created in 1925. A matrix is Hermitian if and only if .`
	for _, words := range []int{20, 40, 60} {
		s, err := Summarize(t.Context(), []Document{{Text: page, Title: "Hermitian matrix", Language: "en"}}, Options{Budget: Budget{words, Words}})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.Text, " ,") || strings.Contains(s.Text, " .") || s.Text == "" {
			t.Errorf("%d words: %q", words, s.Text)
		}
	}
	tokenized := strings.NewReplacer(",", " ,", ".", " .").Replace(strings.ReplaceAll(page, "by , although", "by a dagger, although"))
	s, err := Summarize(t.Context(), []Document{{Text: tokenized, Language: "en"}}, Options{Budget: Budget{40, Words}})
	if err != nil || !strings.HasPrefix(s.Text, "A Hermitian matrix is") {
		t.Errorf("%v: tokenized: %q", err, s.Text)
	}
}

// TestFill: with Fill the budget is used up, and the summary without it is no longer.
func TestFill(t *testing.T) {
	for _, words := range []int{40, 100, 300} {
		o := Options{Budget: Budget{words, Words}}
		plain := mustSummarize(t, large(4, 40), o)
		o.Fill = true
		filled := mustSummarize(t, large(4, 40), o)
		if filled.Used < words-15 || filled.Used > words || plain.Used > words || len(plain.Sentences) == 0 {
			t.Errorf("%d words: used %d, filled %d", words, plain.Used, filled.Used)
		}
	}
}

// TestContextOfQuotes: a quote that leans on the sentence before it says so, unless that
// is quoted, too.
func TestContextOfQuotes(t *testing.T) {
	documents := []Document{{Language: "en", Text: "The mayor of Varn, Ines Dahl, resigned on Monday over the flood. She said that she had failed the town. The vote is in May."}}
	s, err := Summarize(t.Context(), documents, Options{Method: "lead", Budget: Budget{2, Sentences}})
	if err != nil || len(s.Sentences) != 2 || len(s.Sentences[1].Context) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	session, err := Open(t.Context(), documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.standing()[0]; got[1].On != 1 || got[0].On != 0 {
		t.Errorf("leans %+v", got)
	}
	j := &job{Session: session}
	if got := j.context(Ref{Document: 0, Sentence: 1}, nil); len(got) != 1 || got[0] != (Ref{Document: 0, Sentence: 0}) {
		t.Errorf("context %v", got)
	}
}

// An encyclopedia entry is opened by its definition, even a long one that other sentences
// would cover better.
func TestDefinition(t *testing.T) {
	text := "Skarvik Ness (Norn: Skarvanes) is a headland in the far north of the Teshna Isles. " +
		"The headland comprises two main ridges, the Outer Ness and the Inner Ness, and around 60 smaller rocks and stacks. "
	for _, part := range []string{"northern", "eastern", "southern", "western"} {
		text += "Along the " + part + " shore of Skarvik Ness the cliffs of red sandstone rise some 200 metres above the sea, and colonies of puffins, gannets and guillemots breed on the ledges between May and August. " +
			"The " + part + " lighthouse of the headland was built by the Commissioners of Northern Lights in the nineteenth century, and its keepers lived with their families in the cottages beside the tower. " +
			"A footpath leads from the " + part + " harbour to the peat bogs of the Inner Ness, where crofters of the nearby villages cut fuel for the winter until a road was built across the moor. " +
			"Boats of the " + part + " fishery land herring, cod and mackerel in the harbour below the cliffs, and the catch is sold on the quay to merchants of the larger islands and of the mainland. " +
			"Geologists of the university have mapped the " + part + " ridge of the Ness since the nineteenth century, and found fossils of fishes in the red sandstone of its cliffs and quarries. "
	}
	s, err := Summarize(t.Context(), []Document{{Title: "Skarvik Ness - Encyclopedia of the Isles", Text: text}}, Options{Budget: Budget{100, Words}})
	if err != nil {
		t.Fatal(err)
	}
	if first := s.Sentences[0].Text; !strings.HasPrefix(first, "Skarvik Ness (Norn") {
		t.Errorf("the summary begins with %q", first)
	}
}
