package reading_test

import (
	"bufio"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/cerasum/cerasum/internal/reading"
)

func TestContext(t *testing.T) {
	document := []string{
		"Brackwell borough council voted 14 to 11 on Tuesday to close Quay Road to through traffic for 18 months.",
		"But that decision was delayed.",
		"It will be made in May.",
		"They all agreed with it.",
		"A survey by the Harbour Traders' Association found 38 of the 57 businesses on Quay Road against the closure.",
	}
	leans := reading.Standing(document, "en")
	var got [][]int
	for i := range document {
		got = append(got, reading.Context(leans, i))
	}
	if want := [][]int{nil, {0}, {0, 1}, {1, 2}, nil}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestIntroduction(t *testing.T) {
	document := []string{
		"The vote was led by Graham Oduya, head of the opposition in the town of Brackwell since 2019.",
		"Rain fell on most of the northern provinces on Monday and on Tuesday of last week.",
		"Oduya said the new tram line would cost the town more than 40 million crowns by 2030.",
		"Mr Oduya also lives in Brackwell.",
		"Graham Oduya was elected mayor of Brackwell on Sunday with 54 per cent of all votes.",
	}
	leans := reading.Standing(document, "en")
	for i, want := range []int{-1, -1, 0, 0, -1} {
		if leans[i].Introduction != want {
			t.Errorf("sentence %d: introduced by %d, want %d", i, leans[i].Introduction, want)
		}
	}
	if l := leans[2]; l.Alone > 0.6 || l.Introduced < 0.8 {
		t.Errorf("a bare surname: alone %.2f, introduced %.2f", l.Alone, l.Introduced)
	}
}

// "This town" is that of a dispatch, wherever it stands; "this week" is not.
func TestPlaceOfADispatch(t *testing.T) {
	for _, c := range []struct{ language, leaning, other string }{
		{"en", "Torrential rain sent a flood surging through a narrow valley into this river town on Friday evening.", "Torrential rain sent a flood surging through a narrow valley into the river town of Orvik this week."},
		{"en", "Rescue workers from three states arrived here on Friday evening with dogs and heavy tools.", "Rescue workers from three states arrived in Orvik on Friday evening with dogs and heavy tools."},
		{"es", "Las lluvias torrenciales causaron el viernes una inundación del río en el valle y en esta ciudad.", "Las lluvias torrenciales causaron el viernes una inundación del río en el valle y en la ciudad de Orvik."},
		{"de", "Der Regen hat am Freitag den Fluss über die Ufer treten lassen und das Tal mit dieser Stadt überflutet.", "Der Regen hat am Freitag den Fluss über die Ufer treten lassen und das Tal mit der Stadt Orvik überflutet."},
	} {
		leans := reading.Standing([]string{c.leaning, c.other}, c.language)
		if leans[0].Alone > 0.8*leans[1].Alone {
			t.Errorf("%s: alone %.2f, other %.2f", c.language, leans[0].Alone, leans[1].Alone)
		}
		if !leans[0].Opener || leans[1].Opener {
			t.Errorf("%s: depends on what is around it: %v, other %v", c.language, leans[0].Opener, leans[1].Opener)
		}
	}
}

// What follows a quotation of several sentences is not part of it, whatever its marks.
func TestAfterQuotations(t *testing.T) {
	after := "Moira Tench was elected mayor of Brackwell on Sunday with 54 per cent of all votes."
	for _, quoted := range [][]string{
		{"“We won.", "It took years,” said Moira Tench of the Harbour Party on Monday."},
		{"„Wir haben gewonnen.", "Es hat Jahre gedauert“, sagte Moira Tench von der Hafenpartei am Montag."},
		{"\"Abbiamo vinto”, ha detto Moira Tench del partito del porto lunedì."},
		{"\"Das Stück „Faust“ ist gut.", "Es lief viele Jahre\", sagte Moira Tench von der Hafenpartei am Montag."},
		{"\"The play “Faust” is good.", "It ran for years,\" said Moira Tench of the Harbour Party on Monday."},
		{"« Nous avons vu \"Hamlet\" hier.", "C'était bien », a dit Moira Tench du parti du port lundi."},
		{"\"Nous avons vu « Hamlet » hier.", "C'était bien\", a dit Moira Tench du parti du port lundi."},
		{"\"I told him “no.", "Never” and left the room,\" Moira Tench of the Harbour Party said on Monday."},
		{"\"„Faust“ ist gut", "Er lief viele Jahre\", sagte Moira Tench von der Hafenpartei am Montag."},
		{"“We won.", "Moira Tench paid “$5 million” for the old mill of the Harbour Party on Monday."},
	} {
		leans := reading.Standing(append(quoted, after), "en")
		if l := leans[len(quoted)]; l.Alone < 0.6 {
			t.Errorf("after %q: alone %.2f", quoted, l.Alone)
		}
	}
}

// A person of whom only the age is told was named before.
func TestAged(t *testing.T) {
	for _, test := range []struct {
		language, sentence string
		leans              bool
	}{
		{"en", "The 44-year-old was taken to the district hospital with burns to both hands on Monday evening.", true},
		{"en", "The 44-year-old man died of his injuries in the district hospital on Monday evening.", true},
		{"en", "The 44-year-old Anna Weber was taken to the district hospital of Harmsfeld on Monday evening.", false},
		{"en", "The 200-year-old church of Harmsfeld burned down on Monday evening after a stroke of lightning.", false},
		{"en", "A 44-year-old operator of the plant was taken to the hospital of Harmsfeld on Monday evening.", false},
		{"de", "Die 78-Jährige steht in ihrer Küche in Süderdeich, das Fenster ist mit Klebeband abgedichtet.", true},
		{"de", "Die 50-Jährigen haben am Montag in Süderdeich gegen die Erhöhung des Alters demonstriert.", false},
		{"de", "Die 78-jährige Gerda Holt steht in der Küche in Süderdeich, das Fenster ist abgedichtet.", false},
		{"de", "Eine 78-Jährige aus Süderdeich ist am Montag nach dem Austritt von Säure im Werk gestorben.", false},
	} {
		leans := reading.Standing([]string{test.sentence, test.sentence}, test.language)
		if l := leans[1]; l.Opener != test.leans || test.leans && l.On != 1 {
			t.Errorf("%s: %+v, want leaning %v", test.sentence, l, test.leans)
		}
		if leans[0].Opener {
			t.Errorf("as the first: %s: %+v", test.sentence, leans[0])
		}
	}
}

// Bytes that are no text must not fail.
func TestStandingHostile(t *testing.T) {
	document := []string{"", " ", "\xff\xfe\x00", "“", "”””", "…", "1", strings.Repeat("“a ", 1000), "他", "이", "(", "A\u0301", "0 \u0651", "\u064b"}
	for _, language := range []string{"", "en", "zh", "ja", "ko", "th", "tr", "he", "nb", "xx", "e\n[en]\n"} {
		leans := reading.Standing(document, language)
		if len(leans) != len(document) {
			t.Fatalf("%q: %d leans", language, len(leans))
		}
		for i, l := range leans {
			if !(l.Alone >= 0 && l.Alone <= 1 && l.Introduced >= l.Alone && l.Introduced <= 1) || l.On < 0 || l.On > min(i, 2) {
				t.Errorf("%q: %q: %+v", language, document[i], l)
			}
		}
		if again := reading.Standing(document, language); !reflect.DeepEqual(leans, again) {
			t.Errorf("%q: another answer the second time", language)
		}
	}
}

// TestStandingTable checks that each language with stop words has a table, in the form
// in which words are looked up.
func TestStandingTable(t *testing.T) {
	table, err := os.ReadFile("standing.txt")
	if err != nil {
		t.Fatal(err)
	}
	classes := " pronoun this that when link other time verb ending clause article self title alone subject me address announce general point state hedge says place "
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' || line[0] == '[' {
			continue
		}
		name, list, _ := strings.Cut(line, " ")
		if !strings.Contains(classes, " "+name+" ") {
			t.Errorf("unknown class in %.40q", line)
		}
		seen := map[string]bool{}
		for _, word := range strings.Split(list, " ") {
			if word == "" || seen[word] {
				t.Errorf("%s: %q twice, or empty", name, word)
			}
			seen[word] = true
			if strings.ContainsFunc(word, unicode.IsUpper) {
				t.Errorf("%s: %q has a capital", name, word)
			}
		}
	}
	stops, err := os.Open("../lexical/stopwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer stops.Close()
	lines := bufio.NewScanner(stops)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		tag, _, _ := strings.Cut(lines.Text(), " ")
		if tag != "#" && !strings.Contains(string(table), "\n["+tag+"]\n") {
			t.Errorf("%s has stop words and no table", tag)
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// "This guide" means the document where its text begins, after titles; later it points back.
func TestBeginning(t *testing.T) {
	for _, c := range []struct {
		language, title, sentence string
		stands                    bool
	}{
		{"en", "Pumps", "This guide explains how the pump of a village well is repaired with simple tools.", true},
		{"en", "The pump of the village well was repaired in May.", "This guide explains how the pump of a village well is repaired with simple tools.", false},
		{"en", "Speech", "Here is a transcript of the speech by the mayor of Orvik on Thursday night.", false},
		{"fr", "La pompe", "Cette page décrit la réparation de la pompe d'un puits avec des outils simples.", true},
		{"de", "Die Pumpe", "Diese Anleitung beschreibt, wie die Pumpe eines Brunnens mit einfachem Werkzeug repariert wird.", true},
		{"es", "La bomba", "Esta guía explica cómo se repara la bomba de un pozo con herramientas sencillas.", true},
	} {
		if leans := reading.StandingOfSingle([]string{c.title, c.sentence}, c.language); leans[1].Opener == c.stands {
			t.Errorf("%q after %q: depends on what is around it: %v", c.sentence, c.title, leans[1].Opener)
		}
		if leans := reading.Standing([]string{c.title, c.sentence}, c.language); c.stands && !leans[1].Opener {
			t.Errorf("%q: stands in one of several documents", c.sentence)
		}
	}
}
