package core

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// tabs are documents about different things, as in the tabs of a browser. Each opens with
// what it is about.
var tabs = []Document{
	{Title: "Harbour bridge closed after inspection", Text: `Engineers closed the swing bridge at Port Anvil on Monday after divers found cracks in two of its four piers. The bridge carries 9,000 vehicles a day between the harbour and the ring road. Lorries are sent over the old toll road, which adds 40 minutes to a delivery. Mayor Lena Orrin said that a temporary ferry would start on Thursday. Repairs will cost about 12 million crowns, the engineers estimate. The cracks were caused by a barge that struck the bridge in March, according to the divers' report. Traders at the fish market asked the council for a lower rent while the bridge is shut. The council will vote on the request next week.`},
	{Title: "How sourdough works", Text: `Sourdough bread rises because wild yeast and bacteria ferment the dough for many hours. The bacteria make lactic and acetic acid, which give the bread its taste and keep mould away. A baker feeds the starter with flour and water every day. Warm kitchens speed up the yeast, while cold ones favour the acid. Rye flour contains more enzymes than wheat and feeds a starter faster. Most loaves need a hot oven with steam during the first ten minutes. Steam keeps the crust soft, so that the loaf can expand. A good crust cracks quietly while it cools on the rack.`},
	{Title: "Telescope finds water on distant planet", Text: `Astronomers have detected water vapour in the atmosphere of a planet that orbits a red dwarf star 120 light years away. The planet is eight times as heavy as the Earth and circles its star in 33 days. Light from the star passes through the atmosphere, where molecules absorb some wavelengths. The space telescope recorded spectra during four transits. Methane and carbon dioxide were found as well, the astronomers reported. Whether an ocean lies below the clouds is unknown. Stellar flares may have stripped lighter gases long ago. Further transits will be observed in spring.`},
	{Title: "Chess club wins league again", Text: `The chess club of Wick won the northern league for the third season in a row on Saturday. Grandmaster Ivo Pell beat the champion of Osmund in 61 moves with the black pieces. The club lost only one match, in November, when two players had influenza. Its youth team finished fourth, the best place since the club was founded in 1931. Sponsors paid for a coach who trains the juniors twice a week. The trophy will be shown in the library of Wick until the summer. Registration for beginners opens in September. A simultaneous exhibition against thirty opponents is planned for May.`},
}

func TestTopics(t *testing.T) {
	for _, budget := range []int{60, 100, 200} {
		s, err := Summarize(t.Context(), tabs, Options{Budget: Budget{budget, Words}})
		if err != nil {
			t.Fatal(err)
		}
		if s.Used > budget {
			t.Errorf("%d words of %d", s.Used, budget)
		}
		var order []int
		for _, q := range s.Sentences {
			order = append(order, q.Document)
		}
		if budget >= 100 {
			if got := slices.Compact(slices.Clone(order)); !slices.Equal(got, []int{0, 1, 2, 3}) {
				t.Errorf("%d words quote documents %v, want each, one after another: %q", budget, order, s.Text)
			}
			continue
		}
		if got := slices.Compact(slices.Clone(order)); len(got) < 2 {
			t.Errorf("%d words quote documents %v only", budget, order)
		}
	}
	s, err := Summarize(t.Context(), tabs, Options{Budget: Budget{100, Words}})
	if err != nil {
		t.Fatal(err)
	}
	for i, opens := range []string{"Engineers closed", "Sourdough bread rises", "Astronomers have detected", "The chess club of Wick won"} {
		if !strings.Contains(s.Text, opens) {
			t.Errorf("document %d: %q is not quoted: %q", i, opens, s.Text)
		}
	}
}

// TestTopicsShared: documents are divided only if no topic is that of most of them, and
// not where a question, filling or the whole text decides what is quoted.
func TestTopicsShared(t *testing.T) {
	report := Document{Text: strings.ReplaceAll(tabs[0].Text, "Engineers closed", "The council's engineers shut")}
	for name, c := range map[string]struct {
		documents []Document
		options   Options
		want      int
	}{
		"tabs":       {tabs, Options{}, 4},
		"pairs":      {[]Document{tabs[0], tabs[1], report, tabs[2]}, Options{}, 3},
		"stop words": {append(slices.Clone(tabs), Document{Language: "en", Text: "You are here."}), Options{}, 4},
		"an event":   {[]Document{tabs[0], tabs[1], report}, Options{}, 0},
		"one":        {tabs[:1], Options{}, 0},
		"a notice":   {[]Document{tabs[0], {Text: "We value your privacy. Choose what you allow. Some partners ask for consent. You can change it. Open the settings. Save them."}}, Options{}, 0},
		"a question": {tabs, Options{Query: "why is the bridge closed?"}, 0},
		"filled":     {tabs, Options{Fill: true}, 0},
		"languages":  {append([]Document{{Text: "O conselho fechou a ponte do porto na segunda-feira por causa de fendas em dois pilares, e os camiões vão pela antiga estrada."}}, tabs...), Options{}, 0},
	} {
		j := jobOf(t, &cluster.Cluster{Documents: c.documents}, c.options)
		parts, err := j.parts(context.Background())
		if err != nil || len(parts) != c.want {
			t.Errorf("%s: %d parts, want %d (%v)", name, len(parts), c.want, err)
		}
	}
	// What fits is quoted whole.
	s, err := Summarize(t.Context(), tabs, Options{Budget: Budget{1000, Words}})
	if err != nil || len(s.Sentences) != 32 {
		t.Errorf("%d sentences, want 32 (%v)", len(s.Sentences), err)
	}
}

// TestTopicsCancel: a context that has ended ends the division.
func TestTopicsCancel(t *testing.T) {
	j := jobOf(t, &cluster.Cluster{Documents: tabs}, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.parts(ctx); err == nil {
		t.Error("no error")
	}
	if parts, err := j.parts(t.Context()); err != nil || len(parts) != 4 {
		t.Errorf("afterwards %d parts (%v)", len(parts), err)
	}
}
