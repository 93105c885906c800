package reading

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// edit splits and edits documents, and checks the offsets of every sentence.
func edit(t *testing.T, language string, texts ...string) []cluster.Document {
	t.Helper()
	documents := make([]cluster.Document, len(texts))
	fresh := make([]int, len(texts))
	for i, s := range texts {
		documents[i] = cluster.Document{Text: s, Language: language, Sentences: text.Split(s, language)}
		fresh[i] = i
	}
	Edit(documents, fresh)
	for _, d := range documents {
		checkOffsets(t, &d)
	}
	return documents
}

func checkOffsets(t *testing.T, d *cluster.Document) {
	t.Helper()
	units := utf16.Encode([]rune(d.Text))
	end := 0
	for _, s := range d.Sentences {
		if s.Start < end || d.Text[s.Start:s.End] != s.Text {
			t.Errorf("sentence %q is not at [%d:%d]", s.Text, s.Start, s.End)
		}
		if got := string(utf16.Decode(units[s.StartUTF16:s.EndUTF16])); got != s.Text {
			t.Errorf("UTF-16 offsets hold %q, want %q", got, s.Text)
		}
		end = s.End
	}
}

// quotable returns the sentences that may be quoted.
func quotable(d cluster.Document) []string {
	var out []string
	for _, s := range d.Sentences {
		if !s.Unquotable {
			out = append(out, s.Text)
		}
	}
	return out
}

// news is what the tests put below a line, so that a document is left.
var news = map[string]string{
	"en": "The council voted 14 to 11 on Tuesday to close Quay Road to through traffic.\n\nThe trial will last for 18 months and cost about a million pounds.\n\nBuses and deliveries are exempt from the closure, the council said.",
	"de": "Der Stadtrat hat am Dienstag beschlossen, die Hafenstraße für den Durchgangsverkehr zu sperren.\n\nDer Versuch dauert 18 Monate und kostet etwa eine Million Euro.\n\nBusse und Lieferwagen sind nach Angaben der Stadt ausgenommen.",
	"fr": "Le conseil municipal a voté mardi la fermeture de la rue du Port à la circulation.\n\nL'essai durera 18 mois et coûtera environ un million d'euros.\n\nLes bus et les livraisons sont exemptés, selon la mairie.",
	"es": "El ayuntamiento votó el martes el cierre de la calle del Puerto al tráfico.\n\nLa prueba durará 18 meses y costará cerca de un millón de euros.\n\nLos autobuses y los repartos quedan exentos, según el consistorio.",
	"pt": "A câmara municipal votou na terça-feira o fecho da rua do Porto ao trânsito.\n\nO ensaio dura 18 meses e custa cerca de um milhão de euros.\n\nOs autocarros e as entregas ficam isentos, segundo a autarquia.",
	"it": "Il consiglio comunale ha votato martedì la chiusura di via del Porto al traffico.\n\nLa prova durerà 18 mesi e costerà circa un milione di euro.\n\nGli autobus e le consegne sono esenti, secondo il comune.",
	"ro": "Consiliul local a votat marți închiderea străzii Portului pentru traficul de tranzit.\n\nProba va dura 18 luni și va costa aproximativ un milion de euro.\n\nAutobuzele și livrările sunt scutite, potrivit primăriei.",
	"ru": "Городской совет во вторник проголосовал за закрытие Портовой улицы для транзитного движения.\n\nИспытание продлится 18 месяцев и обойдётся примерно в миллион рублей.\n\nАвтобусы и доставка, по словам мэрии, под запрет не попадают.",
	"tr": "Belediye meclisi salı günü Liman Caddesi'nin trafiğe kapatılmasını oyladı.\n\nDeneme 18 ay sürecek ve yaklaşık bir milyon liraya mal olacak.\n\nBelediyeye göre otobüsler ve teslimat araçları muaf tutulacak.",
	"zh": "市议会周二投票决定关闭码头路，禁止过境车辆通行。\n\n试验为期十八个月，费用约为一百万元。\n\n市政府表示，公交车和送货车辆不受影响。",
	"ja": "市議会は火曜日、埠頭通りの通過交通を禁止することを可決した。\n\n試行は18か月間で、費用は約1億円となる。\n\n市によると、バスと配送車は対象外となる。",
	"ko": "시의회는 화요일 부두로의 통과 교통을 막기로 의결했다.\n\n시범 운영은 18개월이며 비용은 약 10억 원이다.\n\n시에 따르면 버스와 배달 차량은 예외이다.",
	"ar": "صوت المجلس البلدي يوم الثلاثاء على إغلاق شارع الميناء أمام حركة المرور العابرة.\n\nستستمر التجربة 18 شهرا وتكلف نحو مليون جنيه.\n\nوقالت البلدية إن الحافلات وسيارات التوصيل مستثناة من القرار.",
	"hi": "नगर परिषद ने मंगलवार को बंदरगाह मार्ग को यातायात के लिए बंद करने का निर्णय लिया।\n\nयह परीक्षण 18 महीने चलेगा और इस पर लगभग दस लाख रुपये खर्च होंगे।\n\nपरिषद के अनुसार बसों और सामान पहुंचाने वाले वाहनों को छूट दी गई है।",
	"vi": "Hội đồng thành phố hôm thứ Ba đã bỏ phiếu đóng đường Cảng đối với xe quá cảnh.\n\nCuộc thử nghiệm kéo dài 18 tháng và tốn khoảng một triệu đồng.\n\nXe buýt và xe giao hàng được miễn, theo thành phố.",
	"nl": "De gemeenteraad stemde dinsdag voor het afsluiten van de Havenstraat voor doorgaand verkeer.\n\nDe proef duurt 18 maanden en kost ongeveer een miljoen euro.\n\nBussen en leveringen zijn volgens de gemeente vrijgesteld.",
	"pl": "Rada miasta zagłosowała we wtorek za zamknięciem ulicy Portowej dla ruchu tranzytowego.\n\nPróba potrwa 18 miesięcy i będzie kosztować około miliona złotych.\n\nAutobusy i dostawy są zwolnione, podał ratusz.",
	"uk": "Міська рада у вівторок проголосувала за закриття Портової вулиці для транзитного руху.\n\nВипробування триватиме 18 місяців і коштуватиме близько мільйона гривень.\n\nАвтобуси та доставка, за словами мерії, під заборону не підпадають.",
}

func TestTrimmedStarts(t *testing.T) {
	for _, c := range []struct{ language, cut, sentence string }{
		{"en", "WASHINGTON (AP) -- ", "The Senate passed the bill on Monday."},
		{"en", "BRACKWELL (NNW) — ", "Borough councillors voted 14 to 11 on Tuesday."},
		{"en", "FORT LEWIS, Wash. (AP) -- ", "A retired general who pleaded guilty was fined on Wednesday."},
		{"en", "JERUSALEM, February 8 (Xinhua) -- ", "Three students were injured in clashes."},
		{"en", "PORT SOVRIN, Kestria, June 18 (Continental Press) - ", "Negotiators were deadlocked on Thursday."},
		{"en", "Feb. 23, 2015 -- ", "A new study may offer a way to stop the rise of allergies."},
		{"en", "NEW YORK _ ", "The jury returned after four hours."},
		{"en", "(CNN) - ", "The administration is increasing the fee."},
		{"en", "Update: ", "We have changed the score of the phone from 8 to 7."},
		{"en", "BREAKING: ", "Two people died when a bridge collapsed in the north."},
		{"en", "EXCLUSIVE - ", "The minister knew of the report for two years."},
		{"en", "a0536 ", "The river rose by two metres within an hour."},
		{"en", "r i BC-Quake-Toll 05-11 0423 ", "The toll of the earthquake rose to 120 on Friday."},
		{"en", "a) ", "The driver must hold a valid licence."},
		{"en", "[12] ", "The tower was shut down on Wednesday evening."},
		{"fr", "PARIS, 3 mai (AFP) - ", "Le Sénat a adopté le texte mardi soir."},
		{"fr", "PORT-BRÉVEC, 11 mars (AL) — ", "Un incendie s’est déclaré mardi soir à bord du ferry."},
		{"de", "Harmsfeld (nna) - ", "In einem Chemiewerk ist eine Flüssigkeit ausgetreten."},
		{"de", "BERLIN (dpa/bb) – ", "Der Bundestag hat am Freitag über das Gesetz beraten."},
		{"es", "SAN TELMO DEL LLANO, 2 mar (Pacífica) — ", "La región decretó este lunes la emergencia hídrica."},
		{"es", "Madrid, 3 may (EFE).- ", "El Congreso aprobó este martes la ley de vivienda."},
		{"pt", "Vila Serena, 09 fev 2026 (Lusíria) – ", "Os mergulhadores retiraram hoje os corpos do rio."},
		{"it", "(ANSA) - ROMA, 03 MAG - ", "Il Senato ha approvato martedì il disegno di legge."},
		{"pl", "Warszawa (PAP) - ", "Sejm przyjął we wtorek ustawę o ochronie rzek."},
		{"ru", "ШУРМАНСК, 10 февраля (Норд-Информ) — ", "Три человека погибли при взрыве на шахте."},
		{"ru", "НОРГИНСК, 21 апреля («Спорт-Курьер») — ", "Касловский «Литейщик» впервые выиграл кубок."},
		{"uk", "КИЇВ, 3 травня (Укрінформ) – ", "Верховна Рада ухвалила закон у вівторок."},
		{"tr", "KIZDERE (KHA) — ", "İlçede çarşamba günü bir deprem meydana geldi."},
		{"zh", "新华社北京3月3日电（记者 顾闻舟）", "今年第一号台风在海南沿海登陆。"},
		{"zh", "（新华社北京3月3日电）", "今年第一号台风在海南沿海登陆。"},
		{"zh", "本报讯（记者 佟小满） ", "通往镇上的三条公路全部中断。"},
		{"ja", "【北京時事】", "中国の国会に当たる全人代が５日開幕した。"},
		{"ja", "[東京 3日 ロイター] - ", "日銀は政策金利を据え置いた。"},
		{"ko", "(서울=연합뉴스) 홍길동 기자 = ", "정부는 화요일 새 대책을 발표했다."},
		{"ar", "القاهرة (رويترز) - ", "قالت الحكومة يوم الثلاثاء إنها ستراجع القانون."},
		{"hi", "नयी दिल्ली, तीन मई (भाषा) ", "सरकार ने मंगलवार को नया कानून पेश किया।"},
		{"vi", "(TTXVN) - ", "Quốc hội đã thông qua luật vào thứ Ba."},
	} {
		d := edit(t, c.language, c.cut+c.sentence+"\n\n"+news[c.language])[0]
		if got := d.Sentences[0].Text; got != c.sentence {
			t.Errorf("%s: first sentence is %q, want %q", c.language, got, c.sentence)
		}
	}
}

func TestTrimmedEnds(t *testing.T) {
	for _, c := range []struct{ language, sentence, cut string }{
		{"en", "The tower had never been inspected.", "[12][13]"},
		{"en", "The tower had never been inspected.", "²"},
		{"en", "The two leaders will meet again in June.", " (Reporting by Ann Lee; editing by P. Osei)"},
		{"en", "The two leaders will meet again in June.", " — Reuters"},
		{"en", "The two leaders will meet again in June.", " (AP)"},
		{"en", "Hundreds lined the streets of the capital on Sunday.", " (Photo: Jan Ruddle)"},
		{"en", "The two leaders will meet again in June.", " Read more"},
		{"de", "Die Reaktion steht noch aus.", "[3]"},
		{"de", "Hunderte säumten am Sonntag die Straßen der Stadt.", " (Foto: J. Rudel)"},
		{"vi", "Quốc hội đã thông qua luật vào thứ Ba.", " (Ảnh: TTXVN)"},
	} {
		d := edit(t, c.language, c.sentence+c.cut+"\n\n"+news[c.language])[0]
		if got := d.Sentences[0].Text; got != c.sentence {
			t.Errorf("%s %q: first sentence is %q, want %q", c.language, c.cut, got, c.sentence)
		}
		if got := d.Sentences[1].Text; !strings.HasPrefix(news[c.language], got) {
			t.Errorf("%s %q: second sentence is %q", c.language, c.cut, got)
		}
	}
}

// What looks like an edge and is none stays.
func TestUntouched(t *testing.T) {
	for _, c := range []struct{ language, sentence string }{
		{"en", "By Wednesday there was mains power again, but no drinking water."},
		{"en", "By Monday Mr Smith had left the country."},
		{"en", "Hannah Merrow (9) - who wore the scarf - went home on Monday."},
		{"en", "The Associated Press (AP) reported the accident first."},
		{"en", "The flat has an area of 80 m²"},
		{"en", "On May 3, 2015 — the day of the match — it rained."},
		{"en", "In 2015 — Lehmann was 30 — the firm had 40 employees."},
		{"en", "NATO - the alliance - has 32 members."},
		{"en", "More than 900 firefighters are on the ground."},
		{"en", "Update of the software fails on older phones."},
		{"en", "Live music returned to the square on Friday."},
		{"en", "The regulator fined the site for its cookie notice."},
		{"en", "Subscribe to the share offering, the bank told investors, and the price will double."},
		{"en", "The newsletter has two million subscribers, the company said."},
		{"en", "Follow the money, the prosecutor told the jury."},
		{"en", "And we must not design our policies with a cookie cutter."},
		{"en", "Photographs show the damage."},
		{"ja", "広告費は昨年の二倍に増えた。"},
		{"en", "Share prices of our largest banks fell on Monday."},
		{"en", "Support for the party here is strong."},
		{"en", "Email alerts were triggered as the limit approached."},
		{"en", "Facebook was fined by the regulator on Monday."},
		{"en", "1. FC Brackwell won the cup on Saturday."},
		{"de", "3. Mai 2020 war der Tag der Eröffnung."},
		{"de", "Von der Leyen hat die Reform am Dienstag vorgestellt."},
		{"de", "Das Gericht verurteilte den Betreiber wegen der Cookies auf seiner Seite."},
		{"de", "Folgen des Streiks sind auch hier zu spüren."},
		{"de", "Hier wird abends kostenlos Suppe verteilt."},
		{"de", "Jetzt ist das Abonnement teurer geworden."},
		{"fr", "Par ailleurs, la mairie prévoit une deuxième phase."},
		{"fr", "Les abonnés à la lettre d'information sont deux fois plus nombreux."},
		{"es", "Por otra parte, el consistorio prevé una segunda fase."},
		{"es", "Sigue cerrado el canal de Suez."},
		{"pt", "Entre os feridos está um jornalista da nossa região."},
		{"pt", "Recebe 700 euros por mês e vive com a mãe."},
		{"it", "Leggi più severe proteggeranno i nostri mari."},
		{"ar", "شارك الوزير فيديو على فيسبوك يوم الاثنين."},
		{"hi", "मंत्री ने यहां स्वीकार किया कि योजना में देरी हुई है।"},
		{"ko", "우리 정부는 올해 협정에 가입했다."},
		{"vi", "Nhận thông báo của công an, gia đình đã rời khỏi nhà."},
		{"zh", "我们接受了这个条件。"},
		{"ja", "アプリの登録者は百万人を超えた。"},
		{"tr", "Uygulama bu yıl beş okulda başlayacak."},
		{"es", "El regulador multó a la web por sus cookies."},
		{"ru", "От наводнения пострадали три района области."},
		{"ru", "Подписка на газету подорожала вдвое."},
		{"zh", "电影的主角是一名记者。"},
		{"zh", "三、四年前，这里还是一片稻田。"},
		{"ja", "アプリの利用者は昨年の二倍に増えた。"},
	} {
		d := edit(t, c.language, news[c.language]+"\n\n"+c.sentence)[0]
		got := quotable(d)
		if !slices.Contains(got, c.sentence) {
			t.Errorf("%s: %q is not among %q", c.language, c.sentence, got)
		}
	}
}

// Lines that are no sentences go.
func TestDroppedLines(t *testing.T) {
	for _, c := range []struct{ language, line string }{
		{"en", "By Dilys Farrant, local democracy reporter"},
		{"en", "By Marguerite Hale and Ben Osei"},
		{"en", "By Theo Marchetti."},
		{"en", "Pictured: protesters outside the Guildhall on Tuesday evening. Photo: Jan Ruddle"},
		{"en", "Photo: Volunteers shovel mud. (Kardia Post/M. Reiss)"},
		{"en", "ATTN: editors, subscribers please note the embargo."},
		{"en", "Update 16:40: Adds army helicopters. More to follow."},
		{"en", "Read more: Six streets that changed for good"},
		{"en", "Was this page helpful?"},
		{"en", "© Atlantic Wire 2026"},
		{"de", "Von Antje Dierksmeyer"},
		{"de", "Foto: Jubel vor dem Rathaus (Archiv)"},
		{"de", "Lesen Sie auch: Wärmepumpe oder Fernwärme?"},
		{"fr", "Par Soizic Arvenn"},
		{"fr", "À lire aussi : Notre dossier spécial sur les liaisons maritimes."},
		{"es", "Por Nuria Setién | Valdehoz"},
		{"es", "Actualizado el 11 de marzo a las 18.00 horas"},
		{"pt", "Leia também: Marés da semana"},
		{"it", "Leggi anche: Dieci strade che sono cambiate"},
		{"nl", "Lees ook: Tien straten die veranderden"},
		{"ro", "Citește și: Șase străzi care s-au schimbat"},
		{"ro", "Citeşte şi: Şase străzi care s-au schimbat"},
		{"ru", "Читайте также: Цены на уголь снижаются третий месяц подряд"},
		{"ru", "Лидия Горохова, фото автора"},
		{"uk", "Читайте також: Десять вулиць, що змінилися"},
		{"pl", "Czytaj także: Dziesięć ulic, które się zmieniły"},
		{"tr", "İLGİLİ HABER: Plajlarda mavi bayrak sevinci"},
		{"tr", "Hülya Serttaş"},
		{"zh", "责任编辑：伏晓　校对：冉冉"},
		{"zh", "本报记者 佟小满 摄"},
		{"ja", "関連記事：変わった六つの通り"},
		{"ko", "관련기사: 달라진 거리 여섯 곳"},
		{"ar", "اقرأ أيضا: ستة شوارع تغيرت"},
		{"hi", "यह भी पढ़ें: छह सड़कें जो बदल गईं"},
		{"vi", "Xem thêm: Sáu con đường đã thay đổi"},
	} {
		d := edit(t, c.language, c.line+"\n\n"+news[c.language])[0]
		if got := d.Sentences[0].Text; !strings.HasPrefix(news[c.language], got) {
			t.Errorf("%s: %q left %q", c.language, c.line, got)
		}
	}
}

// A document of nothing but furniture keeps it, unquotable.
func TestNothingLeft(t *testing.T) {
	d := edit(t, "en", "Accept all cookies to continue.")[0]
	if len(d.Sentences) != 1 || !d.Sentences[0].Unquotable {
		t.Errorf("sentences are %+v", d.Sentences)
	}
}

// TestCaptions: a caption with its credit, without a line break or a full stop before the
// sentence that follows it.
func TestCaptions(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"vi", "Biểu tình tại Orvik (Ảnh: Trần An) Tại cuộc họp báo sáng 23/10, lãnh đạo phe đối lập cho biết sẽ có 40.000 người tham gia.", "Tại cuộc họp báo sáng 23/10, lãnh đạo phe đối lập cho biết sẽ có 40.000 người tham gia."},
		{"vi", "Người dân Orvik đi biểu tình sáng nay - Ảnh: Reuters Theo hãng tin Reuters, cuộc biểu tình sẽ kéo dài ba ngày.", "Theo hãng tin Reuters, cuộc biểu tình sẽ kéo dài ba ngày."},
		{"vi", "Bữa ăn của học sinh Orvik - Ảnh: Văn An Ngày 1-11, ông Lê An cho biết đoàn kiểm tra đã đến trường.", "Ngày 1-11, ông Lê An cho biết đoàn kiểm tra đã đến trường."},
		{"en", "The march in Orvik (Photo: Ann Tench) On Monday some 40,000 people walked to the harbour, police said.", "On Monday some 40,000 people walked to the harbour, police said."},
		{"en", "The march (photo: Ann Tench) drew some 40,000 people to the harbour on Monday, police said.", "The march (photo: Ann Tench) drew some 40,000 people to the harbour on Monday, police said."},
		{"en", "The march in Orvik — Photo: Ann Tench On Monday some 40,000 people walked to the harbour.", "The march in Orvik — Photo: Ann Tench On Monday some 40,000 people walked to the harbour."},
		{"vi", "Tàu của hải quân Orvik rời cảng Ảnh: AFP Theo hãng tin AFP, ba tàu đã rời cảng sáng nay.", "Theo hãng tin AFP, ba tàu đã rời cảng sáng nay."},
		{"vi", "Đội Orvik vô địch Ảnh: MINH HÒA Sau ba trận thua, đội Orvik đã thắng trận cuối cùng.", "Sau ba trận thua, đội Orvik đã thắng trận cuối cùng."},
		{"vi", "Cảnh sát tại hiện trường (Ảnh AP) Lehmann đã rời khỏi thành phố từ mùa hè năm ngoái.", "Lehmann đã rời khỏi thành phố từ mùa hè năm ngoái."},
		{"vi", "Bữa ăn của học sinh Orvik - Ảnh: Nguyễn Văn An Ông Lê Minh Tâm, hiệu trưởng, cho biết đoàn kiểm tra đã đến trường.", "Ông Lê Minh Tâm, hiệu trưởng, cho biết đoàn kiểm tra đã đến trường."},
		{"vi", "[Đường đến Orvik bị đóng] Hội đồng thành phố hôm thứ Ba đã thông qua dự án xây cầu.", "Hội đồng thành phố hôm thứ Ba đã thông qua dự án xây cầu."},
		{"vi", "Ảnh chụp cho thấy Orvik trước và sau trận lũ hôm thứ Ba.", "Ảnh chụp cho thấy Orvik trước và sau trận lũ hôm thứ Ba."},
		{"en", "[The road to Orvik is closed] The council voted on Tuesday to build a bridge.", "The council voted on Tuesday to build a bridge."},
		{"en", "[The Orvik Post (OP) Names Its Editors] The council voted on Tuesday to build a bridge.", "[The Orvik Post (OP) Names Its Editors] The council voted on Tuesday to build a bridge."},
		{"en", "(as in Tench and Merrow [1995]) The council of Orvik took another road on Tuesday.", "(as in Tench and Merrow [1995]) The council of Orvik took another road on Tuesday."},
		{"en", "[The mayor of Orvik] has been in office for eleven years and will not stand again.", "[The mayor of Orvik] has been in office for eleven years and will not stand again."},
		{"en", "Protesters in Orvik Photo: Reuters The march on Monday was the largest in ten years, police said.", "The march on Monday was the largest in ten years, police said."},
		{"en", "His message to the Photo: Ann Tench Archive was that all pictures had been lost in the fire.", "His message to the Photo: Ann Tench Archive was that all pictures had been lost in the fire."},
		{"en", "Orvik (CNN)The council voted on Tuesday to close Quay Road to through traffic.", "The council voted on Tuesday to close Quay Road to through traffic."},
		{"en", "Why it matters: The road is the only one that leads from the town to the harbour.", "The road is the only one that leads from the town to the harbour."},
	} {
		d := edit(t, c.language, c.text+"\n\n"+news[c.language])[0]
		if got := d.Sentences[0].Text; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestCredits: a credit in running text at the start of a sentence. The name ends where the
// sentence begins; where that cannot be told, the sentence goes.
func TestCredits(t *testing.T) {
	const before = "Hội đồng Orvik đã họp sáng nay. "
	for _, c := range []struct{ credit, sentence string }{
		{"Ảnh: AFP ", "Tuy nhiên các báo cáo cho biết thiệt hại không đáng kể."},
		{"Ảnh: AFP/TTXVN ", "Bộ trưởng Lehmann cho biết thiệt hại không đáng kể."},
		{"Ảnh: Trần An/TTXVN ", "Phó Thủ tướng Lehmann cho biết thiệt hại không đáng kể."},
		{"Ảnh: Trần An - TTXVN ", "Tại cuộc họp, ông Lehmann cho biết thiệt hại không đáng kể."},
		{"Ảnh: Minh An ", "Bung hết sức trong trận thứ hai nhưng vẫn thua."},
		{"Ảnh: Đ.An ", "Ông Lehmann cho biết thiệt hại không đáng kể."},
		{"Ảnh: Minh An ", "Tùy theo quy mô, dự án được chia thành ba nhóm."},
		{"Ảnh: TT ", "Ngay ở trận đầu, đội Orvik đã gặp khó khăn."},
		{"Ảnh: orvik.com ", "Ông Lehmann cho biết thiệt hại không đáng kể."},
		{"Ảnh: KCNA ", "KCNA dẫn lời ban thư ký cho biết đàm phán đã kết thúc."},
		{"Ảnh: Minh An ", "UBND thành phố Orvik đã thành lập ban chỉ đạo."},
		{"Ảnh: Minh An ", "“Mặc dù trời mưa, chúng tôi vẫn ra khơi”, ông Lehmann nói."},
		{"Ảnh minh họa: Anh Tâm ", "Tương tự những năm trước, đánh giá dựa trên mười hạng mục."},
		{"Ảnh minh họa ", "Nhóm thanh tra của thành phố Orvik đã xác nhận thiệt hại."},
		{"Ảnh tư liệu ", "Hãng tàu Orvik cho biết đã hoãn bốn chuyến."},
		{"", "Ảnh tư liệu Orvik Lehmann được trưng bày tại bảo tàng thành phố."},
		{"Ảnh: Minh An Orvik, thành phố cảng, đã thông qua dự án hôm thứ Ba.", ""},
		{"Ảnh: Lao động Có những ý kiến đề nghị nâng thời hạn xét tặng.", ""},
	} {
		got := quotable(edit(t, "vi", before+c.credit+c.sentence+"\n\n"+news["vi"])[0])[1]
		want := c.sentence
		if want == "" {
			want, _, _ = strings.Cut(news["vi"], "\n")
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", c.credit, got, want)
		}
	}
}

// TestLinks: links to other reports, which no full stop ends.
func TestLinks(t *testing.T) {
	const closed = "Hội đồng Orvik đã họp sáng nay."
	first, _, _ := strings.Cut(news["vi"], "\n")
	for _, c := range []struct{ text, want string }{
		{">> Cầu Orvik bị đóng >> Chợ Orvik mở cửa Hội đồng thành phố đã họp sáng nay.", first},
		{closed + " >> Cầu Orvik bị đóng Hội đồng thành phố đã thông qua dự án.", closed},
		{"Chợ Orvik mở cửa >> Cầu Orvik bị đóng Hội đồng thành phố đã thông qua dự án.", first},
		{"Công thức x>>2 chia một số cho bốn trong máy tính.", "Công thức x>>2 chia một số cho bốn trong máy tính."},
	} {
		d := edit(t, "vi", c.text+"\n\n"+news["vi"])[0]
		if got := d.Sentences[0].Text; got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
		if got := d.Sentences[1].Text; !strings.HasPrefix(news["vi"], got) && !strings.Contains(news["vi"], "\n"+got) {
			t.Errorf("%q: second sentence is %q", c.text, got)
		}
	}
	const speaker = ">> Good morning, the council of Orvik has met today."
	if got := edit(t, "en", speaker+"\n\n"+news["en"])[0].Sentences[0].Text; got != speaker {
		t.Errorf("got %q, want %q", got, speaker)
	}
}

// Acknowledgements of papers are no content.
func TestAcknowledgements(t *testing.T) {
	d := edit(t, "en", news["en"]+"\n\nThe author thanks Ann Tench for serving as the second judge.\n\nThis work was supported by the Council of Brackwell.")[0]
	for _, s := range d.Sentences {
		if strings.Contains(s.Text, "author thanks") || strings.Contains(s.Text, "was supported") {
			t.Errorf("%q is a sentence", s.Text)
		}
	}
}
