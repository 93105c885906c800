package text

import (
	"slices"
	"strings"
	"testing"
)

// golden holds texts in which | marks every boundary that Split must find. All
// were written for this test.
var golden = []struct{ language, text string }{
	// Titles, initials, acronyms, numbers.
	{"en", "U.S. Sen. John Smith said on Jan. 5 that No. 7 was safe.| He left."},
	{"en", "She was born in the U.S.| He was not."},
	{"en", "The U.S. Army and the U.N. Security Council met."},
	{"en", "J. K. Rowling and J.R.R. Tolkien wrote books.| Both sold well."},
	{"en", "Fruit, e.g. apples, i.e. food, costs $3.5 billion.| Really?!| Yes."},
	{"en", "Really?!| Yes.| No way!!| Fine..."},
	{"en", "Apple Inc. Chief Tim Cook met Dr. Jane Roe, Ph.D., in St. Louis.| They ate."},
	{"en", "Dozens work at Acme Corp.| The firm is old."},
	{"en", "We met at 5 p.m. Monday.| We met at 6 p.m.| Nobody came."},
	{"en", "“It is late.”| She stood up."},
	{"en", "“Is it late?” he asked.| “Yes!” she said."},
	{"en", "He said: “Go home.”| “Why?” she asked."},
	{"en", "\"Where were you?\" she asked.| \"We waited.\"| Nobody answered."},
	{"en", "He read it (twice.)| Then he slept.| (She did not.)| It rained."},
	{"en", "It cost 3.50 dollars in v2.1 of example.com.| Good."},
	{"en", "The bill rose to $4.| 300 people paid it."},
	{"en", "Take vitamin C.| Doctors agree."},
	{"en", "George W. Bush spoke.| So did I.| She listened."},
	{"en", "The bridge is old.[12]| It was closed.[a][3]| Trains stopped."},
	{"en", "Well … maybe.| Then again … no."},
	{"en", "Wait...| What was that?"},
	{"en", "He shouted: ‘Stop!’| Nobody did."},
	{"en", "She uses iOS.| iPhones sell well."},
	{"en", "See Fig. 3 and pp. 12–14, vol. II, of Smith et al. (1999).| It helps."},
	{"en", "Mr. and Mrs. Jones vs. Prof. Lee was on Dec. 24.| The court closed."},
	{"en", "1. Open the box.| 2. Close it."},
	{"en", "It ends here .| Next one starts ."},
	{"en", "They left the E.U.| But why?"},
	{"en", "the screen is great.| the battery is poor, e.g. at night.| i like it a lot though and would buy it again!"},
	{"en", "\"we leave at dawn. \"| \"i know why, \" he said."},
	{"en", "He wrote “we leave.”| “and then?” asked she."},
	{"en", "The mayor of the town said on monday that the old bridge by the river was \"not safe at all. \"| the council of the town will meet on tuesday to talk about it and about the price of the new one, which may be high, mr. smith said.| Nobody in the room asked him when that would be or why it was so late."},
	{"es", "El Sr. Gómez y la Dra. Ruiz viven en la Av. Central, núm. 5.| ¿Vienen hoy?| ¡Claro que sí!"},
	{"es", "Compró fruta, p. ej. peras, en EE. UU. el 3.5 % más cara.| Luego volvió."},
	{"es", "«¿Quién eres?», preguntó ella.| «Nadie.»| Se fue."},
	{"es", "Trabaja en Pérez S. A. desde 1990.| J. L. Borges no."},
	{"fr", "M. Dupont et Mme Roy ont vu le Dr. Blanc, art. 5, p. 12.| Ils sont partis."},
	{"fr", "« Viens-tu ? » demanda-t-elle.| « Oui. »| Il sortit."},
	{"fr", "J.-C. Rufin et J. Verne l'ont écrit vers 50 av. J.-C. environ.| Quel livre !| On le lit."},
	{"fr", "Elle aime l'art.| Lui préfère le sport, etc.| Et toi ?"},
	{"pt", "O Sr. Silva e a Dra. Costa moram na Av. Brasil, n.º 10.| Eles saíram."},
	{"pt", "O prof. A. C. Jobim disse: “Vamos!”| Ninguém foi."},
	{"pt", "Custa R$ 3,5 mil, p. ex. na loja do séc. XX.| É caro."},
	{"ru", "А. С. Пушкин родился в 1799 г. в Москве.| Он писал стихи."},
	{"ru", "Купили хлеб, сыр и т. д.| Потом ушли.| Цена — 3,5 млн руб. за дом."},
	{"ru", "«Кто там?» — спросил он.| Никто не ответил…| Тишина."},
	{"ru", "Он живёт на ул. Мира, д. 5, т.е. рядом.| См. рис. 3."},
	{"tr", "Dr. Ayşe Kaya 29 Ekim'de geldi.| 2. Dünya Savaşı 1945'te bitti."},
	{"tr", "Elma, armut vb. meyveler aldı.| T.C. Merkez Bankası açıkladı.| Bitti mi?"},
	{"tr", "“Nereye gidiyorsun?” diye sordu.| Prof. M. Yılmaz sustu."},
	{"de", "Am 5. Mai kam Dr. Meyer, z. B. mit Prof. K. Huber.| Der 2. Weltkrieg war vorbei."},
	{"de", "Er kaufte Brot, Käse usw.| Dann ging er.| Es war d. h. zu spät."},
	{"de", "„Wohin gehst du?“, fragte sie.| „Nach Hause.“| Er schwieg."},
	{"de", "Rom wurde 753 v. Chr. gegründet.| Das Fest (sic!) Ende Juni fiel aus."},
	{"de", "Das war am 31. Dezember 1999.| Danach kam Ludwig XIV. Anlauf zu Hilfe."},
	{"it", "Il sig. Rossi e la dott.ssa Bianchi vivono in v.le Roma, n. 5.| Sono felici."},
	{"it", "“Dove vai?” chiese lei.| “A casa.”| Poi tacque."},
	{"it", "Comprò mele, pere, ecc.| La spesa fu di 3,5 mln. di euro.| G. B. Vico lo disse."},
	{"nl", "Dhr. Jansen en mevr. De Vries wonen o.a. in Breda.| Zij lezen bijv. J. K. Rowling."},
	{"nl", "Hij ging vroeg weg.| ’s Avonds kwam hij terug.| ‘Waarom?’ vroeg zij."},
	{"nl", "Kaas, brood enz.| Daarna dronk hij 3.5 liter."},
	{"pl", "Prof. J. Kowalski mieszka przy ul. Długiej 5, m.in. z żoną.| Jest chory."},
	{"pl", "W 1920 r. Polska wygrała.| Kupił chleb, ser itd.| Potem wyszedł."},
	{"pl", "„Dokąd idziesz?” — zapytała.| Milczał."},
	{"uk", "Т. Г. Шевченко народився 1814 р. в селі.| Він писав вірші."},
	{"uk", "Купили хліб, сир і т. д.| Потім пішли."},
	{"uk", "«Хто там?» — спитав він.| Проф. Іван Франко мовчав."},
	{"cs", "Dne 5. května přišel dr. Novák, tj. můj soused.| Byl unaven."},
	{"cs", "Koupil chléb, sýr atd.| Potom odešel.| Viz str. 5."},
	{"cs", "„Kam jdeš?“ zeptala se.| Mlčel."},
	{"sv", "Dr. Berg bor bl.a. i Lund.| Hon läser t.ex. J. K. Rowling."},
	{"sv", "”Vart går du?” frågade hon.| Han teg.| Det hände kl. 5."},
	{"sv", "Han köpte bröd, ost osv.| Sedan gick han."},
	{"ar", "سافر د. أحمد إلى مصر.| هل عاد؟| نعم."},
	{"ar", "بلغ السعر 3.5 مليون دولار.| كان ذلك كثيرا!"},
	{"ar", "قال: \"أنا هنا.\"| ثم خرج."},
	{"fa", "او رفت.| آیا برگشت؟| نه."},
	{"hi", "डॉ. शर्मा दिल्ली में रहते हैं।| क्या वे आएँगे?| हाँ।"},
	{"hi", "यू.एस. की सेना आई।| ए. पी. जे. कलाम राष्ट्रपति थे।| वे चले गए।"},
	{"hi", "कीमत 3.5 करोड़ है।|फिर वह गया।"},
	{"vi", "TS. Nguyễn Văn A sống ở TP. Hồ Chí Minh.| Ông ấy có khỏe không?| Có."},
	{"vi", "Giá là 3.5 triệu đồng.| Họ mua cam, chuối, v.v.| Rồi họ về."},
	{"vi", "“Anh đi đâu?” cô hỏi.| Anh im lặng."},
	{"id", "Dr. Sari tinggal di Jl. Merdeka No. 5.| Ia membeli apel, jeruk, dll.| Lalu pulang."},
	{"id", "“Mau ke mana?” tanya Ibu.| Dia diam saja."},
	{"id", "Harganya Rp3.500.000.| H. M. Yusuf membayarnya."},
	{"zh", "他来了。|她走了！|为什么？|因为下雨。"},
	{"zh", "他说：“我累了。”|然后他睡了。"},
	{"zh", "“你是谁？”他问。|没人回答……"},
	{"zh", "价格是3.5亿元。|她读《你好！世界》很久。"},
	{"zh", "他走了。|「再見。」|天黑了。"},
	{"ja", "彼は来た。|彼女は「行こう。」と言った。|なぜ？|雨だから！"},
	{"ja", "値段は3.5億円です。|『本当？』と聞いた。|うん。"},
	{"ja", "終わった。|「始まる。」|次へ。"},
	{"ko", "그는 왔다.| 그녀는 갔다!| 왜?| 비가 왔으니까."},
	{"ko", "2016. 5. 3. 회의가 열렸다.| 가격은 3.5억 원이다."},
	{"ko", "그는 “가자.”라고 말했다.| 모두 웃었다."},
	{"el", "Ο κ. Παπαδόπουλος αγόρασε π.χ. μήλα.| Μετά έφυγε."},
	{"hu", "Dr. Kiss 2016. május 5. napján jött.| Vett almát, körtét stb.| Aztán elment."},
	{"fi", "Hän tuli 5. toukokuuta klo 12.30.| Sitten hän lähti jne.| Miksi?"},
	{"ur", "وہ آیا۔| وہ گیا۔| کیوں؟"},
	{"ka", "ის მოვიდა.| ის წავიდა."},
	{"am", "እሱ መጣ።| እሷ ሄደች።"},
	{"", "One here.| Two there!| Три здесь?| 四。|五。"},

	// Bills, courts, titles before names.
	{"en", "She wrote S. 757, S. Con. Res. 21, S.Res. 5 and H.R. 5297.| H. Con. Res. 21 failed.| It was S. 12.| The House voted."},
	{"en", "The FIRE Act (S. 1941) and Pub. L. No. 109-148 cite 98 F.3d 183 (5th Cir. 1996).| Both stand."},
	{"en", "Sec. Shalala, Secy. Rice and Sens. Roe and Doe met Rep. Poe under sec. 5 of the act.| Sen. Roe said no."},
	{"en", "SEN. ROE THANKS GOV. POE.| They met at the SEC.| The SEC. 2 report is out."},
	{"en", "It was signed by the ATTY.| The loss fell, 354,000 v. 305,000, in Roe v. Poe.| So did Charles V.| This is late."},
	{"tl", "Ayon kay Rep. Zoe Lofgren at Sen. Roe, wala ito.| Umalis siya."},
	{"ms", "Kes itu direkodkan pada 23 Jan. 2020 di Jl. Merdeka.| Lalu pulang."},
	{"da", "Det blev ændret vha. Django pr. 8. december.| Så gik han."},
	{"fi", "Kohteita ovat mm. Thaimaa ja Kiina.| Hän lähti."},
	{"es", "Trabaja en el equipo de RR. HH. de la empresa.| El equipo es nuevo."},
	{"de", "Sie findet vom 15.-22. August in Bonn statt.| Es kamen Parl. Staatssekretär Roth und Abg. Meyer."},
	{"th", "เขาเดินทาง 200 กม. ไปกับ เจมส์ โอ. แมคคินซีย์ ในปีค.ศ. 750 ที่ผ่านมา"},

	// Times of day.
	{"en", "We met at 8 p.m.| The doors were shut.| It ended at 8:00 p.m. Monday.| The bus left at 5:00 p.m. (2100 UTC) on time."},
	{"en", "2:15 p.m. Lunch at the lake"},

	// Labels: of headings, captions, list items.
	{"en", "Figure 1. Map of the island."},
	{"en", "SEC. 2. SHORT TITLE."},
	{"en", "2.1.3. Method of the study"},
	{"zh", "2.1. 研究方法"},
	{"en", "P.S. Your gift is safe.| I have 5.| You choose one.| See the table on page 3.| Map of the island."},
	{"ko", "네.| 갑니다."},

	// Brackets within a sentence.
	{"en", "Say how work is reviewed (Does it need tests? Who reads it?) and when.| It helps."},
	{"en", "(She did not see it.| It was dark.)"},
	{"en", "He came late (it was a holiday).| Nobody (or few) minded.| A list 1) is old.| So it goes."},
	{"en", "It burned lossy (bad) oil.| Nobody knew."},
	{"en", "The hall (lit. Flower Palace) burned.| It is gone."},
	{"fi", "Tämä on sekasisältö (engl. Mixed Content) sivulla.| Se estetään."},
	{"fr", "Le protocole (par ex. BIP150) est loin.| On attend."},
	{"tr", "Bu araçlar (ör. SemGrep) ücretsiz.| Bitti."},
	{"be", "Пакажыце гэта (ад англ. Work) у назве.| Добра."},
	{"ja", "彼は容疑者（20歳。ロシア出身）を見た。|夜だった。"},
	{"hi", "बताएँ कि योगदान कैसे हो (क्या जाँच चाहिए? कोई नमूना) और कब।| फिर देखें।"},

	// Numbers of footnotes, and spaces that are missing.
	{"en", "It was tried on adults.1,2| A trial followed.3–5| It worked (well).| The end.[12]:45| They left.10"},
	{"en", "It was closed. [12] [13]| Trains stopped. [a] few ran."},
	{"en", "It is in vitamins.3 and in No.3 Tomb, see Fig.1 The map."},
	{"en", "He went home.| The river rose.| It fell again."},
	{"en", "The mayor left the town.|The river rose?|This is new, fmt.Println and example.com here."},
	{"en", "We use window.Location, Node.Js and pages on X.Org 7.| They work."},
	{"fr", "Il arriva au bus.|Les autres attendaient."},

	// Lines.
	{"en", "The council thanked the mayor and, in his office, Sen.\n\nAllen, who left early in the day.| It was late."},
	{"en", "HARBOUR COUNCIL THANKS THE MAYOR OF THE OLD TOWN BY THE LAKE\n|The council thanked the mayor on Tuesday."},
	{"en", "The council went to the meeting with his Dr.\n\n|Jane Roe"},
	{"en", "They were sure that the note was from the CA.\n|Nobody had asked them for it."},
	{"en", "A heading without a mark\n\n|The text begins.| It goes on."},
	{"en", "Breaking news\n|The river rose by two metres on Monday."},
	{"en", "# Title\n|First words of the text."},
	{"en", "Title\n=====\n|First words of the text."},
	{"en", "Things to buy:\n|- apples\n|- pears and plums\n|* bread"},
	{"en", "Things to buy:\n|• apples\n|• pears"},
	{"en", "1. Open the box\n|2. Take it out\n|3. Close it"},
	{"en", "The committee met on Tuesday to talk about the new bridge over the\nriver, which had been closed since the flood, nobody asked Mr.\nSmith and others who knew it.| It will meet again."},
	{"en", "The committee met on Tuesday to talk about the new bridge over the\r\nriver, which had been closed since the flood.| It will meet again on\r\nFriday."},
	{"en", "One.\n|Two.\n|Three"},
	{"en", "First paragraph\u2029|Second one\u2028|Third line\u0085|Fourth"},
	{"en", "Page one\f|Page two"},
	{"en", "\ufeffStart here.\u00a0|And\u200b go on.\u200f| End."},
	{"de", "Der Ausschuss für die neue Brücke über den Fluss traf sich am\n5. Mai in Bonn.| Er tagte lange."},
	{"zh", "委员会星期二开会讨论河上的新桥，这座桥自从洪水以后就一直\n关闭着，没有人问过史密斯先生。|下次会议在星期五。"},
}

func TestSplitGolden(t *testing.T) {
	for _, g := range golden {
		doc := strings.ReplaceAll(g.text, "|", "")
		var want []string
		for piece := range strings.SplitSeq(g.text, "|") {
			a, b := trim(piece, 0, len(piece))
			want = append(want, strings.TrimRight(piece[a:b], "=\n"))
		}
		var got []string
		for _, s := range Split(doc, g.language) {
			got = append(got, s.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", g.language, got, want)
		}
	}
}
