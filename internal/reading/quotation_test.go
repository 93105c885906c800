package reading

import (
	"slices"
	"strings"
	"testing"
)

func TestQuotations(t *testing.T) {
	for _, c := range []struct {
		name, language, text string
		want                 []string // the quotable sentences
	}{
		{"joined", "en", "“We won. It took years,” Moira Tench said.", []string{"“We won. It took years,” Moira Tench said."}},
		{"speaker and more", "en", "“Is it over?” Moira Tench said after the vote on Tuesday, adding that she would stay.", []string{"“Is it over?” Moira Tench said after the vote on Tuesday, adding that she would stay."}},
		{"no speaker after", "en", "“Is it over?” The government called elections in May, two years early.", []string{"The government called elections in May, two years early."}},
		{"full stop", "en", "Moira Tench said: “It is over.” The council asked the mayor on Tuesday to step down.", []string{"Moira Tench said: “It is over.”", "The council asked the mayor on Tuesday to step down."}},
		{"straight", "en", "\"We won. It took years,\" Moira Tench said.", []string{"\"We won. It took years,\" Moira Tench said."}},
		{"TeX", "en", "``We won. It took years,'' Moira Tench said.", []string{"``We won. It took years,'' Moira Tench said."}},
		{"speaker first", "en", "Moira Tench said: “We won. It took years.”", []string{"Moira Tench said: “We won. It took years.”"}},
		{"no speaker", "en", "The vote was close. “We won. It took years.”", []string{"The vote was close."}},
		{"one sentence", "en", "The vote was close. “It took us years.”", []string{"The vote was close."}},
		{"in a sentence", "en", "She called it “a rubber stamp” on Monday.", []string{"She called it “a rubber stamp” on Monday."}},
		{"unclosed", "en", "“We won the vote. The paper came out on Monday.", nil},
		{"closing mark alone", "en", "The vote was close. It took years,” she said.", []string{"The vote was close."}},
		{"inches", "en", "The board is 7\" wide. It is made of oak from the old pier.", []string{"The board is 7\" wide.", "It is made of oak from the old pier."}},
		{"apostrophes", "en", "The traders' shops are closed. It's the residents' turn now.", []string{"The traders' shops are closed.", "It's the residents' turn now."}},
		{"no space", "fr", "Le conseil a voté.\"Nous avons gagné\", a dit Moira Tench mardi.", nil},
		{"paragraph", "en", "“We won the vote.\n\nThe paper came out on Monday.", []string{"The paper came out on Monday."}},
		{"German", "de", "„Wir haben gewonnen. Es hat Jahre gedauert“, sagte Moira Tench.", []string{"„Wir haben gewonnen. Es hat Jahre gedauert“, sagte Moira Tench."}},
		{"German books", "de", "»Wir haben gewonnen. Es hat Jahre gedauert«, sagte Moira Tench.", []string{"»Wir haben gewonnen. Es hat Jahre gedauert«, sagte Moira Tench."}},
		{"French", "fr", "« Nous avons gagné. Il a fallu des années », a dit Moira Tench.", []string{"« Nous avons gagné. Il a fallu des années », a dit Moira Tench."}},
		{"Russian", "ru", "«Мы победили. На это ушли годы», — сказала Мойра Тенч.", []string{"«Мы победили. На это ушли годы», — сказала Мойра Тенч."}},
		{"Polish", "pl", "„Wygraliśmy. To trwało lata” – powiedziała Moira Tench.", []string{"„Wygraliśmy. To trwało lata” – powiedziała Moira Tench."}},
		{"Swedish", "sv", "”Vi vann. Det tog flera år”, sade Moira Tench.", []string{"”Vi vann. Det tog flera år”, sade Moira Tench."}},
		{"Chinese", "zh", "“我们赢了。花了很多年。”田女士在会上说。", []string{"“我们赢了。花了很多年。”田女士在会上说。"}},
		{"Japanese", "ja", "「あしたは休み。ゆっくり風呂に入ります」と蓮見は話した。", []string{"「あしたは休み。ゆっくり風呂に入ります」と蓮見は話した。"}},
		{"mixed marks", "it", "\"Abbiamo vinto. Ci sono voluti anni”, ha detto Moira Tench.", []string{"\"Abbiamo vinto. Ci sono voluti anni”, ha detto Moira Tench."}},
		{"the same mark twice", "he", "חבר פרלמנט אמר שהם חוששים ש“זה יתחרז עם שם אחר“.", []string{"חבר פרלמנט אמר שהם חוששים ש“זה יתחרז עם שם אחר“."}},
		{"after a prefix", "ar", "وصف الخبير الأجراس بأنها \"كنز ثقافي\" و\"أداة تاريخية\" يوم الاثنين.", []string{"وصف الخبير الأجراس بأنها \"كنز ثقافي\" و\"أداة تاريخية\" يوم الاثنين."}},
		{"speaker on both sides", "tr", "Moira Tench, \"Kazandık. Yıllar sürdü.\" dedi.", []string{"Moira Tench, \"Kazandık. Yıllar sürdü.\" dedi."}},
		{"surname on one side", "tr", "Tench, \"Yıllar süren bir çalışmanın sonunda kazandık.\" dedi.", []string{"Tench, \"Yıllar süren bir çalışmanın sonunda kazandık.\" dedi."}},
		{"nested in straight marks", "en", "\"I told him “no” and left the room,\" Moira Tench said on Monday.", []string{"\"I told him “no” and left the room,\" Moira Tench said on Monday."}},
		{"nested at the end", "en", "Moira Tench said, \"We call it the “Big One”.\"", []string{"Moira Tench said, \"We call it the “Big One”.\""}},
		{"nested, German", "de", "\"Das Stück „Faust“ ist gut\", sagte Moira Tench.", []string{"\"Das Stück „Faust“ ist gut\", sagte Moira Tench."}},
		{"nested, joined", "de", "\"Ich habe „nein“ gesagt. Dann ging ich\", sagte Moira Tench.", []string{"\"Ich habe „nein“ gesagt. Dann ging ich\", sagte Moira Tench."}},
		{"nested, Swedish", "sv", "\"Vi såg ”Hamlet” i går\", sade Moira Tench.", []string{"\"Vi såg ”Hamlet” i går\", sade Moira Tench."}},
		{"nested, Hebrew", "he", "\"ראינו את “המלט“ אתמול\", אמרה מוירה טנץ.", []string{"\"ראינו את “המלט“ אתמול\", אמרה מוירה טנץ."}},
		{"nested at the start", "en", "\"“Faust” is good,\" Moira Tench said on Monday.", []string{"\"“Faust” is good,\" Moira Tench said on Monday."}},
		{"nested at the start, German", "de", "\"„Faust“ ist gut\", sagte Moira Tench am Montag.", []string{"\"„Faust“ ist gut\", sagte Moira Tench am Montag."}},
		{"nested after an apostrophe", "fr", "\"Ce n’est pas l’“ami” du peuple\", a dit Moira Tench lundi.", []string{"\"Ce n’est pas l’“ami” du peuple\", a dit Moira Tench lundi."}},
		{"nested after a slash", "en", "\"We call it either/“or” here,\" Moira Tench said.", []string{"\"We call it either/“or” here,\" Moira Tench said."}},
		{"nested after a prefix", "he", "\"ראינו ב“הארץ“ אתמול\", אמרה מוירה טנץ.", []string{"\"ראינו ב“הארץ“ אתמול\", אמרה מוירה טנץ."}},
		{"nested, Chinese", "zh", "\"我说“不”，\"她周一在会上说。", []string{"\"我说“不”，\"她周一在会上说。"}},
		{"nested, tokenized", "en", "\" We call it “ Big One ” here , \" Moira Tench said on Monday .", []string{"\" We call it “ Big One ” here , \" Moira Tench said on Monday ."}},
		{"many", "en", strings.Repeat("\"a\", ", 150) + "were the words that Moira Tench said on Monday.", []string{strings.Repeat("\"a\", ", 150) + "were the words that Moira Tench said on Monday."}},
		{"ends before an acronym", "he", "זה נכון\", אמר דובר צה\"ל ביום שני. הדובר הודיע ביום שני כי שלושה חיילים נפצעו.", []string{"הדובר הודיע ביום שני כי שלושה חיילים נפצעו."}},
		{"acronym", "he", "צה\"ל הודיע ביום שני כי שלושה חיילים נפצעו. ארה“ב הודיעה ביום שני כי תשלח סיוע.", []string{"צה\"ל הודיע ביום שני כי שלושה חיילים נפצעו.", "ארה“ב הודיעה ביום שני כי תשלח סיוע."}},
		{"dialogue", "es", "—¿Y la niña del abrigo?\n\nLa mujer no contestó a la pregunta.", []string{"La mujer no contestó a la pregunta."}},
		{"dialogue with speaker", "ru", "— Мы победили, — сказала Мойра Тенч журналистам.", []string{"— Мы победили, — сказала Мойра Тенч журналистам."}},
	} {
		d := edit(t, c.language, c.text)[0]
		if got := quotable(d); !slices.Equal(got, c.want) {
			if c.name == "no space" { // the splitter decides where the sentences end
				continue
			}
			t.Errorf("%s: quotable are %q, want %q", c.name, got, c.want)
		}
	}
}

// TestManyQuotations: these took minutes where each quotation looked at all others, or each
// mark at a whole word.
func TestManyQuotations(t *testing.T) {
	for _, c := range []struct{ language, text string }{
		{"en", strings.Repeat(`a" b `, 40_000)},
		{"en", strings.Repeat(`"a" b `, 40_000)},
		{"en", strings.Repeat(`"a" `, 40_000)},
		{"en", strings.Repeat(`“A `, 40_000)},
		{"ar", strings.Repeat(`و"نعم `, 40_000)},
		{"he", `"` + strings.Repeat("ש", 200_000) + `" אמר.`},
		{"he", strings.Repeat(`שש"ש`, 40_000)},
		{"he", strings.Repeat(`ש"`, 40_000)},
	} {
		edit(t, c.language, c.text)
		Standing([]string{c.text, c.text}, c.language)
		lookAt(c.text)
	}
}

// A speaker is not quoted without the speech.
func TestLongSpeaker(t *testing.T) {
	s := "The vote was close."
	speaker := " Moira Tench said after the vote on Tuesday" + strings.Repeat(", in the hall of the town", 15) + "."
	d := edit(t, "en", s+" “Is it over?”"+speaker+" The trial starts in September.")[0]
	if got := quotable(d); !slices.Equal(got, []string{s, "The trial starts in September."}) {
		t.Errorf("quotable are %q", got)
	}
}

// A quotation too long to join is not quoted, and nothing beyond it is lost.
func TestLongQuotation(t *testing.T) {
	s := "The vote was close."
	speech := " “"
	for range 12 {
		speech += "We have argued about this street since I was at school. "
	}
	d := edit(t, "en", s+speech+"Let us try it,” Moira Tench said. The trial starts in September.")[0]
	if got := quotable(d); !slices.Equal(got, []string{s, "The trial starts in September."}) {
		t.Errorf("quotable are %q", got)
	}
}
