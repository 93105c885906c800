package disagreements

import (
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// TestLanguages finds one figure of two reports in each language that has a vocabulary.
func TestLanguages(t *testing.T) {
	for _, c := range []struct{ language, a, b, first, second string }{
		{"en", "Twelve people were killed in the fire at the Corder hotel.", "Police said 15 people died in the fire at the Corder hotel.", "Twelve people", "15 people"},
		{"es", "Doce personas murieron en el incendio del hotel Corder.", "La policía dijo que 15 personas murieron en el incendio del hotel Corder.", "Doce personas", "15 personas"},
		{"pt", "Doze pessoas morreram no incêndio do hotel Corder.", "A polícia disse que 15 pessoas morreram no incêndio do hotel Corder.", "Doze pessoas", "15 pessoas"},
		{"fr", "Vingt-deux personnes sont mortes dans l'incendie de l'hôtel Corder.", "L'incendie de l'hôtel Corder a fait 15 morts, selon la police.", "Vingt-deux personnes", "15 morts"},
		{"de", "Zweiundzwanzig Menschen starben beim Brand im Hotel Corder.", "Beim Brand im Hotel Corder starben laut Polizei 15 Menschen.", "Zweiundzwanzig Menschen", "15 Menschen"},
		{"it", "Ventidue persone sono morte nell'incendio dell'albergo Corder.", "Nell'incendio dell'albergo Corder sono morte 15 persone, dice la polizia.", "Ventidue persone", "15 persone"},
		{"nl", "Twaalf mensen zijn gewond geraakt bij de brand in hotel Corder.", "Volgens de politie zijn bij de brand in hotel Corder 15 mensen gewond.", "Twaalf mensen", "15 mensen"},
		{"ru", "При пожаре в гостинице «Кордер» погибли двадцать два человека.", "Полиция сообщила, что при пожаре в гостинице «Кордер» погибли 15 человек.", "двадцать два человека", "15 человек"},
		{"uk", "Під час пожежі в готелі «Кордер» загинули дванадцять людей.", "Поліція повідомила, що під час пожежі в готелі «Кордер» загинули 15 людей.", "дванадцять людей", "15 людей"},
		{"pl", "W pożarze hotelu Corder zginęło dwanaście osób.", "Policja podała, że w pożarze hotelu Corder zginęło 15 osób.", "dwanaście osób", "15 osób"},
		{"tr", "Corder otelindeki yangında on iki kişi öldü.", "Polis, Corder otelindeki yangında 15 kişi öldü dedi.", "on iki kişi", "15 kişi"},
		{"ar", "قتل ١٢ شخصا في حريق فندق كوردر بالمدينة.", "قالت الشرطة إن 15 شخصا قتلوا في حريق فندق كوردر.", "١٢ شخصا", "15 شخصا"},
		{"hi", "कॉर्डर होटल में आग लगने से बारह लोगों की मौत हो गई।", "पुलिस के अनुसार कॉर्डर होटल में आग लगने से 15 लोगों की मौत हुई।", "बारह लोगों", "15 लोगों"},
		{"vi", "Vụ cháy khách sạn Corder làm 12 người chết.", "Cảnh sát cho biết vụ cháy khách sạn Corder làm 15 người chết.", "12 người", "15 người"},
		{"zh", "科德酒店火灾造成十二人死亡。", "警方表示，科德酒店火灾造成15人死亡。", "十二人", "15人"},
		{"ja", "コーダーホテルの火災で１２人が死亡した。", "警察によると、コーダーホテルの火災で15人が死亡した。", "１２人", "15人"},
		{"ko", "코더 호텔 화재로 12명이 숨졌다.", "경찰은 코더 호텔 화재로 15명이 숨졌다고 밝혔다.", "12명", "15명"},
		{"sv", "Branden på hotell Corder skadade 12 gäster i natten.", "Branden på hotell Corder skadade 15 gäster, enligt polisen.", "12 gäster", "15 gäster"},
	} {
		var documents []cluster.Document
		for _, s := range []string{c.a, c.b} {
			documents = append(documents, cluster.Document{Text: s, Language: c.language, Sentences: text.Split(s, c.language)})
		}
		list, deaths := Find(documents)
		if hurt := c.language == "nl" || c.language == "sv"; !hurt && len(deaths) != 2 || hurt && len(deaths) != 0 {
			t.Errorf("%s: deaths in %v", c.language, deaths)
		}
		if len(list) != 1 || len(list[0].Values) != 2 || list[0].Values[0].Text != c.first || list[0].Values[1].Text != c.second {
			t.Errorf("%s: got %+v", c.language, list)
			continue
		}
		t.Logf("%s: %s", c.language, list[0].What)
	}
}
