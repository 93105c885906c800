package faults

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/text"
)

func (f Fault) String() string {
	var names []string
	for i, n := range []string{"leaning", "fragment", "speech", "question", "edge"} {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, "+")
}

// TestFind has quotes without faults, and some with each, by language.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		language, quote string
		want            Fault
	}{
		{"en", "The council voted 14 to 11 to close Quay Road on Tuesday.", 0},
		{"en", "But the council voted to close the road.", Leaning},
		{"en", "It was the 36th vote on the road.", Leaning},
		{"en", "This week the council votes on the road.", 0},
		{"en", "In addition, the council will pay for the buses.", Leaning},
		{"en", "Another vote is expected in June.", Leaning},
		{"en", "Butter prices rose by a third in May.", 0},
		{"en", "We will rebuild every house on the street.", Leaning},
		{"en", "“We will rebuild every house,” said Mayor Sunita Bell.", 0},
		{"en", "“We will rebuild every house,” she said.", Speech},
		{"en", "“We will rebuild every house.”", Speech},
		{"en", "“We will rebuild every house, said Mayor Sunita Bell.", Speech},
		{"en", "``We will rebuild every house,'' said Mayor Sunita Bell.", 0},
		{"en", "The film “Out of the Blue” opens in May.", 0},
		{"en", `The screen is 32" wide and costs nothing.`, 0},
		{"en", "Who voted for the closure of the road?", Question},
		{"en", "Feeling tired?", Question | Fragment},
		{"en", "Thank you.", Fragment},
		{"en", "closed the road to all traffic on Monday.", Fragment},
		{"en", "iPhone sales fell by a tenth in May.", 0},
		{"en", "Council votes to close harbour street", Fragment},
		{"en", "The council was about to vote when...", Fragment},
		{"en", "BRACKWELL (NNW) — The council voted to close the road.", Edge},
		{"en", "LONDON (AP) -- He has left the city for good.", Edge | Leaning},
		{"en", "PARIS, March 3 – The strike ended on Tuesday night.", Edge},
		{"en", "PARIS — The strike ended on Tuesday night.", Edge},
		{"en", "NATO — founded in 1949 — has 32 members now.", 0},
		{"en", "Update: The road is open to all traffic again.", Edge},
		{"en", "Editor's note: The road is open to all traffic again.", Edge},
		{"en", "Photo: Jan Ruddle", Edge | Fragment},
		{"en", "By Tom Penhallow", Edge | Fragment},
		{"en", "By Monday the road was open to all traffic.", 0},
		{"en", "• The road is open to all traffic again.", Edge},
		{"en", "2. The road is open to all traffic again.", Edge},
		{"en", "The road has been open since 1921.[3]", Edge},
		{"en", "The road is open to all traffic again. (Reuters)", Edge},
		{"en", "The World Health Organization (WHO) has 194 members.", 0},
		{"en", "The harbour road on Tuesday. © 2026 Northern Newswire", Edge},
		{"en", "The closure, he told the town's paper, lasts a year.", 0},
		{"en", "Project Manager: I want the yellow case for the remote.", 0},
		{"en", "Project Manager: So it is the yellow case for the remote.", Leaning},
		{"de", "Der Stadtrat stimmte am Dienstag für die Sperrung.", 0},
		{"de", "Das Unternehmen baut im Herbst eine neue Halle.", 0},
		{"de", "Das ist der dritte Versuch in zehn Jahren.", Leaning},
		{"de", "Allerdings fehlt dafür noch das Geld.", Leaning},
		{"de", "„Wir bauen alles wieder auf“, sagte er.", Speech},
		{"de", "„Wir bauen alles wieder auf“, sagte Bürgermeisterin Anna Weber.", 0},
		{"de", "Berlin (dpa) - Der Stadtrat stimmte für die Sperrung.", Edge},
		{"de", "1. FC Köln gewann das Spiel am Samstag.", 0},
		{"fr", "Le conseil a voté la fermeture de la rue mardi.", 0},
		{"fr", "Cette semaine, le conseil vote sur la rue.", 0},
		{"fr", "Il y a deux mois, la rue était encore ouverte.", 0},
		{"fr", "C'est la troisième fois en dix ans.", Leaning},
		{"fr", "Par ailleurs, la mairie paiera les bus.", Leaning},
		{"fr", "« Nous allons tout reconstruire ici », a déclaré la maire Anne Petit.", 0},
		{"fr", "« Nous allons tout reconstruire ici », a-t-il dit.", Speech},
		{"es", "El ayuntamiento votó el martes el cierre de la calle.", 0},
		{"es", "Sin embargo, el ayuntamiento votó el cierre de la calle.", Leaning},
		{"es", "Este martes el ayuntamiento votó el cierre de la calle.", 0},
		{"es", "Lo que pide el ayuntamiento es más tiempo.", 0},
		{"es", "Madrid, 4 abr (EFE).- El ayuntamiento votó el cierre.", Edge},
		{"es", "¿Quién votó por el cierre de la calle?", Question},
		{"pt", "A câmara votou na terça-feira o fecho da rua.", 0},
		{"pt", "Além disso, a câmara paga os autocarros.", Leaning},
		{"pt", "Ele saiu da cidade na terça-feira à noite.", Leaning},
		{"it", "Il consiglio ha votato martedì la chiusura della strada.", 0},
		{"it", "Tuttavia il consiglio ha votato la chiusura.", Leaning},
		{"nl", "De gemeenteraad stemde dinsdag voor de afsluiting.", 0},
		{"nl", "Daarnaast betaalt de gemeente de bussen.", Leaning},
		{"sv", "De anställda röstade för en strejk på tisdagen.", 0},
		{"sv", "Det är tredje gången på tio år.", Leaning},
		{"ru", "Совет проголосовал во вторник за закрытие улицы.", 0},
		{"ru", "Однако совет проголосовал за закрытие улицы.", Leaning},
		{"ru", "МОСКВА, 5 апр – Совет проголосовал за закрытие улицы.", Edge},
		{"ru", "— Мы всё построим заново, — сказал он.", Speech},
		{"ru", "— Мы всё построим заново, — сказал мэр Иван Петров.", 0},
		{"uk", "Рада проголосувала у вівторок за закриття вулиці.", 0},
		{"uk", "Водночас рада заплатить за автобуси.", Leaning},
		{"pl", "Rada zagłosowała we wtorek za zamknięciem ulicy.", 0},
		{"pl", "Jednak rada zagłosowała za zamknięciem ulicy.", Leaning},
		{"pl", "– Odbudujemy tu wszystko – powiedział burmistrz Jan Nowak.", 0},
		{"pl", "– Odbudujemy tu wszystko od nowa – powiedział.", Speech},
		{"tr", "Belediye meclisi salı günü caddeyi kapatma kararı aldı.", 0},
		{"tr", "Bu yıl belediye meclisi caddeyi kapatma kararı aldı.", 0},
		{"tr", "Ancak belediye meclisi caddeyi kapatma kararı aldı.", Leaning},
		{"vi", "Ông Nguyễn Văn An cho biết con đường đã đóng cửa.", 0},
		{"vi", "Ông cho biết con đường đã đóng cửa.", Leaning},
		{"ar", "صوّت المجلس البلدي يوم الثلاثاء على إغلاق الشارع.", 0},
		{"ar", "لكن المجلس البلدي صوّت على إغلاق الشارع.", Leaning},
		{"ar", "من صوّت على إغلاق الشارع يوم الثلاثاء؟", Question},
		{"hi", "नगर परिषद ने मंगलवार को सड़क बंद करने का फैसला किया।", 0},
		{"hi", "लेकिन नगर परिषद ने सड़क बंद करने का फैसला किया।", Leaning},
		{"hi", "इस साल नगर परिषद ने सड़क बंद करने का फैसला किया।", 0},
		{"he", `צה"ל הודיע ביום שלישי על סגירת הכביש.`, 0},
		{"el", "Πότε θα ανοίξει ξανά ο δρόμος;", Question},
		{"ko", "시의회는 화요일 부두 도로 폐쇄를 의결했다.", 0},
		{"ko", "그러나 시의회는 부두 도로 폐쇄를 의결했다.", Leaning},
		{"ko", "(서울=연합뉴스) 홍길동 기자 = 시의회는 화요일 부두 도로 폐쇄를 의결했다.", Edge},
		{"zh", "市议会星期二投票决定关闭码头路。", 0},
		{"zh", "但市议会星期二投票决定关闭码头路。", Leaning},
		{"zh", "也门市议会星期二投票决定关闭码头路。", 0},
		{"zh", "新华社北京4月1日电 市议会星期二投票决定关闭码头路。", Edge},
		{"zh", "“我们会重建这里的每一栋房子。”", Speech},
		{"zh", "“我们会重建这里的每一栋房子。”他说。", Speech},
		{"zh", "市长王芳说：“我们会重建这里的每一栋房子。”", 0},
		{"ja", "市議会は火曜日、埠頭通りの閉鎖を可決した。", 0},
		{"ja", "しかし市議会は埠頭通りの閉鎖を可決した。", Leaning},
		{"ja", "「すべての家を再建します」と市長は述べた。", 0},
		{"ja", "「すべての家を再建します。", Speech},
		{"ja", "【東京＝山田太郎】市議会は火曜日、埠頭通りの閉鎖を可決した。", Edge},
		{"th", "สภาเทศบาลลงมติปิดถนนท่าเรือเมื่อวันอังคาร", 0},
		{"th", "แต่สภาเทศบาลลงมติปิดถนนท่าเรือเมื่อวันอังคาร", Leaning},
	} {
		if got := Find(c.quote, Place{Language: c.language}); got != c.want {
			t.Errorf("%s: %s: got %q, want %q", c.language, c.quote, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	quote := "It was hopeless from the first day."
	p := Place{Language: "en", Before: "“We tried. ", After: " We left,” said Mayor Sunita Bell."}
	if got := Find(quote, p); got != Leaning|Speech {
		t.Errorf("within a quotation: %q", got)
	}
	p.Before = "We tried. "
	if got := Find(quote, p); got != Leaning {
		t.Errorf("a paragraph that does not balance: %q", got)
	}
	if got := Find("the council voted to close the road .", Place{Language: "en", Uncased: true}); got != 0 {
		t.Errorf("a corpus in lower case: %q", got)
	}
}

// TestLanguages holds the table to the languages that are detected.
func TestLanguages(t *testing.T) {
	for _, code := range text.Languages() {
		w := languages[code]
		if w == nil {
			t.Errorf("no words of %s", code)
			continue
		}
		for _, k := range []kind{third, first, lean, free, label} {
			if len(w[k]) == 0 && !(k == free && code == "id") {
				t.Errorf("%s: no words of kind %s", code, kindNames[k])
			}
		}
		for k := range kinds {
			for e := range w[k] {
				if e != strings.ToLower(e) || !Unspaced(code) && (strings.Count(e, "_") >= maxEntry || strings.ContainsFunc(e, func(r rune) bool { return r != '_' && r != '\u200c' && !wordRune(r) })) {
					t.Errorf("%s %s: bad entry %q", code, kindNames[k], e)
				}
			}
		}
	}
	for line := range strings.Lines(table) {
		head, _, _ := strings.Cut(line, ":")
		code, name, found := strings.Cut(head, " ")
		if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" && (!found || !slices.Contains(text.Languages(), code) || !slices.Contains(kindNames[:], name)) {
			t.Errorf("bad line %.40q", line)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"", "``", "LONDON (AP) -- He said \"no", "— a — b", "\xff\"\xff", "[1]", "1. ", "「」", "By A B"} {
		f.Add(s, "en")
		f.Add(s, "zh")
	}
	f.Fuzz(func(t *testing.T, s, language string) {
		Find(s, Place{Language: language, Before: s, After: s}) // must not panic
	})
}
