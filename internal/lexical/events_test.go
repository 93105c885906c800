package lexical

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// events returns the event terms of a text.
func events(t *testing.T, language, text string) (terms []string) {
	t.Helper()
	a, err := Analyze(t.Context(), &cluster.Cluster{Documents: []cluster.Document{{Language: language, Sentences: []cluster.Sentence{{Text: text}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range a.Terms {
		if term.Event {
			terms = append(terms, term.Text)
		}
	}
	return terms
}

// TestEvents: inflected words of news tell an event, and words of everyday life do not.
func TestEvents(t *testing.T) {
	for language, texts := range map[string][2]string{
		"en": {"The court convicted the attackers, who killed 12 people.", "He poured coffee and smiled at the cat on the table."},
		"es": {"El tribunal condenó a los atacantes, que mataron a 12 personas.", "Sirvió café y sonrió al gato sobre la mesa."},
		"fr": {"Le tribunal a condamné les auteurs de l'attentat, qui a tué 12 personnes.", "Il a versé du café et souri au chat sur la table."},
		"de": {"Das Gericht verurteilte die Täter, die zwölf Menschen getötet hatten.", "Er goss Kaffee ein und lächelte die Katze auf dem Tisch an."},
		"ru": {"Суд приговорил нападавших, которые убили 12 человек.", "Он налил кофе и улыбнулся кошке на столе."},
		"pl": {"Sąd skazał sprawców ataku, w którym zginęło 12 osób.", "Nalał kawy i uśmiechnął się do kota na stole."},
		"zh": {"法院判决袭击者有罪，袭击造成12人死亡。", "他倒了咖啡，对桌上的猫笑了笑。"},
		"ja": {"地震で12人が死亡し、警察は容疑者を逮捕した。", "彼はコーヒーをいれて猫に微笑んだ。"},
	} {
		if got := events(t, language, texts[0]); len(got) < 2 {
			t.Errorf("%s: of %q only %q tell an event", language, texts[0], got)
		}
		if got := events(t, language, texts[1]); len(got) > 0 {
			t.Errorf("%s: of %q, %q tell an event", language, texts[1], got)
		}
	}
	if got := events(t, "xx", "kill killed"); got != nil {
		t.Errorf("unknown language: %q", got)
	}
}

// TestEventLanguages: every language that is detected has event words, and few other words
// are taken for one.
func TestEventLanguages(t *testing.T) {
	for language := range strings.FieldsSeq("en es pt gl ca fr it ro de nl da no sv pl cs sk sl hr bg ru uk el tr ar he fa hi id vi hu fi et lv th zh ja ko") {
		l := lookUp(language)
		if len(l.events) < 170 {
			t.Errorf("%s has %d event terms", language, len(l.events))
		}
		wrong := 0
		for i := range 10000 {
			if l.isEvent("no word " + string(rune('0'+i%10)) + string(rune(0x4e00+i))) {
				wrong++
			}
		}
		if wrong > 150 {
			t.Errorf("%s: %d of 10000 other terms count as events", language, wrong)
		}
	}
}
