package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// wrappedGolden holds wrapped texts in which ¦ marks every boundary that Split must
// find. All were written for this test.
var wrappedGolden = []struct{ name, language, text string }{
	{"mail", "en", `Dear Anna,

¦thank you for the minutes of the meeting in March.¦ I have read what
Peter Lindqvist and Maria Solberg wrote about the ferry, and I agree
with them.¦ On Monday the council of Harbour Bay will discuss it with
Northern Lines, the company that has run the old boats since
September.¦ You wrote:

¦> The new ferry is too large for the pier at
¦> Lower Sands, and nobody has asked the
¦> Harbour Office.

¦That was true last year, but the pier has been rebuilt, and the
Harbour Office has agreed.¦ Could you send me the plan?¦ Mine is from
January.

¦Best wishes
¦Thomas
--
¦Thomas Berg
¦Harbour Bay Sailing Club
¦12 Quay Street, Harbour Bay
`},
	{"newswire", "en", `   HARBOUR BAY (Reuters) - Opposition leaders Prince Anton of
Westmark and Sam Oxley, citing threats by the government to arrest
opposition figures, said on Friday that they would not return
before the new parliament meets.
   ¦The president's Harbour Party holds 64 of the 122 seats in the
National Assembly, which is not enough to form a cabinet without the
Royal League.¦ Talks began in August.¦ In a letter to the old
King Edmund, the two said that they wanted a meeting with him in
his house by the lake, as two of his ministers had proposed
in May.
   ¦Officials in the capital did not comment.
`},
	{"rfc", "en", `
Lindqvist & Berg             Informational                     [Page 3]

¦2.  Terminology

   ¦The key words "MUST" and "SHOULD" in this document are to be read as
   described in Section 1.¦ A Ferry is a boat that carries Passengers, and
   a Pier is a place where it MAY stop.¦ Every Pier has one Harbour
   Office.

¦2.1.  Messages

   ¦A message has three fields, which a Ferry sends to the Harbour Office
   of the Pier when it leaves:

   ¦Field       Size    Meaning of the field in every message that is sent
   ¦Name        16      The name of the Ferry, in capitals, without spaces
   ¦Departure    8      The time of departure in seconds since midnight UTC

   ¦1.  The Ferry sends the message to the Harbour Office, which checks the
       Name and the Departure.
   ¦2.  The Harbour Office answers within ten seconds.
   ¦3.  The Ferry leaves
`},
	{"verse in a mail", "en", `I found this in a book that my grandmother left me when we moved to
Harbour Bay, and I would like to know who wrote it.¦ Nobody in the
library has seen it before, and Mrs. Oxley, who has lived on the
islands since the war and knows more verse by heart than anyone
else, has asked everyone about it.

   ¦The boats come home when evening falls,
   ¦And all the harbour lights are low,
   ¦And from the quay my mother calls
   ¦The names of those she used to know

¦Do you recognise it?
`},
	{"verse", "en", `The boats come home when evening falls on us,
¦And all the harbour lights are burning low,
¦And from the quay I hear my mother call
¦The names of all the men she used to know

¦The nets are dry, the tide is on the turn,
¦And in the kitchen someone lights the fire
¦For those who went, and those who will return
`},
	{"addresses", "en", `The office has moved, and letters that you send to the old address on
Quay Street in the last week of the month may not arrive in time, or
not at all, because nobody will be there to take them in before the
next month.¦ From the first of June, please write to
Harbour Bay at the address below, and not to the one in old
Westmark, which is closed.

¦Northern Lines Limited
¦Customer Service
¦Upper Pier 7
¦Harbour Bay HB2 4QX
`},
	{"list", "en", `Before you sail, please check the following, and ask a member of the
crew if anything is missing:

¦- There is a life jacket for everyone on board, and a smaller one for
  Children under twelve
¦- The boat has enough fuel to reach the island and to come back from
  Lower Sands
¦- Somebody on land knows where you go
¦* The radio works
`},
	{"list without a margin", "en", `This is what we took with us when we left Harbour Bay for the
Islands in the north, where it is cold even in summer and where
Shops are few:
¦- bread
¦- two warm blankets
¦- a map
`},
	{"german", "de", `Der Ausschuss für Verkehr hat am Dienstag über die neue Brücke
Beraten, die den Hafen mit der Altstadt verbinden soll.¦ Nach dem
Vorschlag der Stadt kostet der Bau rund vierzig Millionen Euro, von
denen das Land die Hälfte trägt.¦ Kritiker wie Prof. Huber sagen, der
Verkehr in der Altstadt nehme dadurch zu.¦ Das Gremium tagt wieder am
5. Mai in der Aula der Schule.¦ Bis dahin sollen die Bürgerinnen und
Bürger ihre Meinung sagen.
`},
	{"turkish", "tr", `Belediye meclisi salı günü limanı eski kente bağlayacak yeni
Köprü için toplandı.¦ Başkan Ayşe Yılmaz'ın önerisine göre yapım
Kırk milyon liraya mal olacak ve yarısını devlet ödeyecek.¦ Karşı
çıkanlar trafiğin artacağını söylüyor.¦ Toplantıda konuşan Prof.
Mehmet Kaya, köprünün öteki büyük kentlerdeki, örneğin
Ankara'daki gibi dar olmasını istedi.¦ Meclis mayısta yeniden
toplanacak.
`},
	{"chinese", "zh", `老港口城市的议会星期二开会，讨论连接港口和老城的新桥，这座桥自
从去年夏天的洪水以后就一直关闭着。¦根据市政府的建议，建桥要花四
千万元，其中一半由国家负担，另一半由市民负担。¦“这样做好吗？”
他问。¦没有人回答他的问题，因为大厅里的大多数人是从北方的
岛屿坐船来的，希望在天黑以前回家。
¦市长最后说下次会议将在五月举行。
`},
	{"thai", "th", `สภาเมืองท่าเก่าประชุมกันเมื่อวันอังคารเพื่อหารือเรื่องสะพานใหม่ที่จ
ะเชื่อมท่าเรือกับเมืองเก่าซึ่งปิดมาตั้งแต่น้ำท่วมเมื่อฤดูร้อนปีที่แล้วแล
ะไม่มีใครถามว่าทำไมเพราะคนส่วนใหญ่ในห้องนั่งเรือมาจากเกาะทางเหนือและอยา
กกลับบ้านก่อนมืด
`},
	{"a sentence a line", "en", `The council met on Tuesday to talk about the new bridge in the harbour.
¦Nobody asked why it was closed.
¦The mayor of the town said that it was not safe, and that it would cost a lot.
¦Most people had come by boat.
¦They wanted to be home before dark, and so the meeting was short.
`},
	{"headlines", "en", `Council of Harbour Bay to vote on new bridge in May
¦Ferry to Lower Sands cancelled again after storm
¦Northern Lines reports loss
¦Prince Anton of Westmark calls for talks in Geneva
¦Harbour Bay wins the cup of the Northern League
`},
	{"three lines", "en", `Harbour Bay
¦The council met.
¦Nobody came
`},
}

func TestSplitWrapped(t *testing.T) {
	for _, g := range wrappedGolden {
		var want, got []string
		for piece := range strings.SplitSeq(g.text, "¦") {
			want = append(want, strings.TrimSuffix(strings.TrimSpace(strings.Trim(strings.TrimSpace(piece), "->* ")), "\n--"))
		}
		doc := strings.ReplaceAll(g.text, "¦", "")
		for _, s := range Split(doc, g.language) {
			got = append(got, s.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", g.name, got, want)
		}
		checkSplit(t, doc, g.language)
		if crlf := Split(strings.ReplaceAll(doc, "\n", "\r\n"), g.language); len(crlf) != len(got) {
			t.Errorf("%s: %d sentences with CR LF, %d with LF", g.name, len(crlf), len(got))
		}
	}
}

// TestSplitWrappedProperties checks the properties of every result on random
// sequences of lines of all kinds.
func TestSplitWrappedProperties(t *testing.T) {
	var lines []string
	for _, g := range wrappedGolden {
		lines = append(lines, strings.SplitAfter(strings.ReplaceAll(g.text, "¦", ""), "\n")...)
	}
	lines = append(lines, odd...)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var doc strings.Builder
		for range random.IntN(30) {
			doc.WriteString(lines[random.IntN(len(lines))])
			if random.IntN(8) == 0 {
				doc.WriteByte('\n')
			}
		}
		checkSplit(t, doc.String(), "en")
	}
}
