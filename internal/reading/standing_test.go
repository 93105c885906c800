package reading_test

import (
	"testing"

	"github.com/cerasum/cerasum/internal/reading"
)

// An introduction, then sentences that lean on it and sentences that do not.
var standing = []struct {
	language, introduction string
	leans, alone           []string
}{
	{
		"en", "Brackwell borough council leader Miriam Stote opened a new bus station on Monday.",
		[]string{
			"He was taken to hospital with a broken leg.",
			"But a new report calls that into question.",
			"The latter opened three years later at twice the cost.",
			"Both presidents said they would meet again in the spring.",
			"That broke down overall to 40 per cent for the north and 60 for the south.",
			"Another was built near the harbour in 1998.",
			"Two days later, it was closed again.",
			"As a result, the price of tickets will rise by 4 per cent.",
			"“It will be tight.",
			"“We had no other choice,” she said.",
			"Such a plan would cost more than the town can pay.",
			"It would cost about £900,000.",
			"The next day, the station stood empty.",
			"Her deputy disagreed with most of the plan.",
			"This is why the project was delayed until June.",
		},
		[]string{
			"BRACKWELL borough council voted 14 to 11 on Tuesday to close Quay Road to through traffic for 18 months.",
			"A survey by the Harbour Traders' Association found 38 of the 57 businesses on Quay Road against the closure.",
			"Bernard Sloane, who chairs the Harbour Traders' Association, says the closure will cost shops on the street a fifth of their customers.",
			"Air monitors outside St Aldhelm's primary school have recorded nitrogen dioxide above the legal limit in each of the past four years.",
			"This week the government in Lisbon approved a plan to build 26,000 homes on public land by 2030.",
			"The United Nations said on Friday that more than 2 million people in Sudan have left their homes since April.",
		},
	},
	{
		"es", "La alcaldesa de Torrealba, Inés Maldonado, inauguró el lunes una nueva estación.",
		[]string{
			"Aseguró que las obras terminarán en mayo.", "Pero un nuevo informe lo pone en duda.", "Este último costó el doble de lo previsto.",
			"Ambos presidentes se reunirán de nuevo en primavera.", "Al día siguiente, la estación volvió a cerrar.", "Él no quiso hacer declaraciones.",
			"Fueron trasladados a un hospital de la capital.", "Su segundo no está de acuerdo con el plan.",
		},
		[]string{
			"El Ayuntamiento de Torrealba aprobó el martes por 14 votos contra 11 cerrar al tráfico la calle del Muelle durante 18 meses.",
			"Este año el Gobierno de Portugal construirá 26.000 viviendas en terrenos públicos, según el ministro Paulo Reis.",
		},
	},
	{
		"pt", "A presidente da Câmara de Vila Serena, Inês Prado, inaugurou na segunda-feira uma nova estação.",
		[]string{
			"Afirmou que as obras terminam em maio.", "Mas um novo relatório põe isso em dúvida.", "Ambos os presidentes voltarão a encontrar-se na primavera.",
			"No dia seguinte, a estação voltou a fechar.", "Ele não quis prestar declarações.", "Foi levada para um hospital da capital.",
		},
		[]string{"A Câmara de Vila Serena aprovou na terça-feira, por 14 votos contra 11, fechar ao trânsito a Rua do Cais durante 18 meses."},
	},
	{
		"fr", "La maire de Port-Sérigny, Claire Aubert, a inauguré lundi une nouvelle gare.",
		[]string{
			"Il a été transporté à l'hôpital.", "Mais un nouveau rapport met cela en doute.", "Ce dernier a coûté deux fois plus cher que prévu.",
			"Les deux présidents se reverront au printemps.", "Le lendemain, la gare a fermé de nouveau.", "C'est la raison du retard.", "Son adjoint n'est pas d'accord avec le projet.",
		},
		[]string{
			"Le conseil municipal de Port-Sérigny a voté mardi, par 14 voix contre 11, la fermeture de la rue du Quai à la circulation pendant 18 mois.",
			"Cette semaine, le gouvernement portugais a approuvé la construction de 26 000 logements sur des terrains publics.",
			"En Écosse et au Royaume-Uni, plus de 2 000 personnes ont été évacuées depuis lundi, selon la protection civile.",
		},
	},
	{
		"de", "Die Bürgermeisterin von Hafenau, Miriam Stolte, eröffnete am Montag einen neuen Bahnhof.",
		[]string{
			"Er wurde in ein Krankenhaus gebracht.", "Doch ein neuer Bericht stellt das in Frage.", "Letzterer kostete doppelt so viel wie geplant.",
			"Beide Präsidenten wollen sich im Frühjahr wieder treffen.", "Am nächsten Tag blieb der Bahnhof geschlossen.", "Dieser Plan kostet mehr, als die Stadt zahlen kann.", "Deshalb steigen die Preise um vier Prozent.",
		},
		[]string{
			"Der Stadtrat von Hafenau hat am Dienstag mit 14 zu 11 Stimmen beschlossen, die Kaistraße 18 Monate lang für den Durchgangsverkehr zu sperren.",
			"Dieses Jahr baut die portugiesische Regierung nach Angaben von Minister Paulo Reis 26.000 Wohnungen auf öffentlichem Grund.",
		},
	},
	{
		"it", "La sindaca di Porto Sereno, Chiara Alberti, ha inaugurato lunedì una nuova stazione.",
		[]string{"Ha detto che i lavori finiranno a maggio.", "Ma un nuovo rapporto lo mette in dubbio.", "Quest'ultimo è costato il doppio del previsto.", "Entrambi i presidenti si rivedranno in primavera.", "Il giorno dopo la stazione ha chiuso di nuovo."},
		[]string{"Il consiglio comunale di Porto Sereno ha approvato martedì, con 14 voti contro 11, la chiusura al traffico di via del Molo per 18 mesi.", "Dopo una serie di terremoti nel sud del Giappone, lunedì più di 16.000 persone sono state evacuate dalla città di Palu."},
	},
	{
		"nl", "Burgemeester Mirjam Stolk van Havenstad opende maandag een nieuw station.",
		[]string{"Hij werd naar een ziekenhuis gebracht.", "Maar een nieuw rapport trekt dat in twijfel.", "Beide presidenten willen elkaar in het voorjaar weer ontmoeten.", "De volgende dag bleef het station dicht.", "Daarom stijgen de prijzen met vier procent."},
		[]string{"De gemeenteraad van Havenstad heeft dinsdag met 14 tegen 11 stemmen besloten de Kadestraat 18 maanden te sluiten voor doorgaand verkeer."},
	},
	{
		"ru", "Глава города Приморска Мария Столярова открыла в понедельник новый вокзал.",
		[]string{"Он заявил, что работы закончатся в мае.", "Однако новый доклад ставит это под сомнение.", "Оба президента встретятся снова весной.", "На следующий день вокзал снова закрыли.", "Это решение обойдётся городу в 4 миллиона рублей.", "Добавил, что денег в бюджете нет."},
		[]string{"Городской совет Приморска во вторник 14 голосами против 11 решил закрыть Набережную улицу для сквозного движения на 18 месяцев."},
	},
	{
		"uk", "Голова міста Приморська Марія Столярова відкрила в понеділок новий вокзал.",
		[]string{"Він заявив, що роботи завершаться в травні.", "Однак нова доповідь ставить це під сумнів.", "Обидва президенти зустрінуться знову навесні.", "Наступного дня вокзал знову закрили."},
		[]string{"Міська рада Приморська у вівторок 14 голосами проти 11 вирішила закрити Набережну вулицю для наскрізного руху на 18 місяців."},
	},
	{
		"pl", "Burmistrz Portowa Maria Stolarska otworzyła w poniedziałek nowy dworzec.",
		[]string{"On został przewieziony do szpitala.", "Powiedział, że prace zakończą się w maju.", "Jednak nowy raport podaje to w wątpliwość.", "Obaj prezydenci spotkają się ponownie wiosną.", "Następnego dnia dworzec znowu zamknięto."},
		[]string{"Rada miejska Portowa zdecydowała we wtorek 14 głosami przeciw 11 o zamknięciu ulicy Nabrzeżnej dla ruchu przelotowego na 18 miesięcy."},
	},
	{
		"tr", "Limanköy Belediye Başkanı Meryem Soylu pazartesi günü yeni bir istasyon açtı.",
		[]string{"Bu karar kente 4 milyon liraya mal olacak.", "Ancak yeni bir rapor bunu sorguluyor.", "Her iki başkan da ilkbaharda yeniden görüşecek.", "Ertesi gün istasyon yeniden kapandı.", "Ayrıca bilet fiyatları yüzde dört artacak.", "O, çalışmaların mayısta biteceğini söyledi."},
		[]string{"Limanköy Belediye Meclisi salı günü 11'e karşı 14 oyla Rıhtım Caddesi'ni 18 ay boyunca transit trafiğe kapatma kararı aldı."},
	},
	{
		"zh", "港城市市长李明星期一为一座新车站揭幕。",
		[]string{"他说，工程将于五月完工。", "但一份新的报告对此提出质疑。", "后者的费用是预算的两倍。", "两人将在春天再次会面。", "第二天，车站再次关闭。", "该计划的费用超出了全市的承受能力。", "此外，票价将上涨百分之四。"},
		[]string{"港城市议会星期二以14票对11票通过决议，将码头路对过境车辆关闭18个月。"},
	},
	{
		"ja", "港町市の佐藤美和市長は月曜日、新しい駅の開業式に出席した。",
		[]string{"それは予算の二倍の費用がかかった。", "しかし、新しい報告書はこれに疑問を投げかけている。", "彼は五月に工事が終わると述べた。", "その後、駅は再び閉鎖された。", "同社は来年も値上げする方針だ。", "このため、運賃は四パーセント上がる。"},
		[]string{"港町市議会は火曜日、埠頭通りを18カ月間通過車両に対して閉鎖する議案を14対11の賛成多数で可決した。"},
	},
	{
		"ko", "항구시 김미란 시장은 월요일 새 역을 열었다.",
		[]string{"그는 공사가 5월에 끝난다고 말했다.", "그러나 새 보고서는 이에 의문을 제기한다.", "이에 따라 요금은 4퍼센트 오른다.", "다음 날 역은 다시 문을 닫았다.", "두 사람은 봄에 다시 만날 예정이다."},
		[]string{"항구시 의회는 화요일 부두길을 18개월 동안 통과 차량에 폐쇄하는 안을 14대 11로 통과시켰다."},
	},
	{
		"ar", "افتتحت رئيسة بلدية الميناء مريم سالم يوم الاثنين محطة جديدة.",
		[]string{"وأضاف أن الأعمال ستنتهي في مايو.", "لكن تقريرا جديدا يشكك في ذلك.", "هذا القرار سيكلف المدينة أربعة ملايين.", "وفي اليوم التالي أغلقت المحطة من جديد.", "كلاهما سيلتقي مجددا في الربيع."},
		[]string{"وقال رئيس الوزراء البرتغالي يوم الاثنين في لشبونة إن الحكومة ستبني 26 ألف منزل على أراض عامة بحلول عام 2030.", "صوت مجلس بلدية الميناء يوم الثلاثاء بأغلبية 14 صوتا مقابل 11 على إغلاق شارع الرصيف أمام حركة المرور لمدة 18 شهرا."},
	},
	{
		"hi", "बंदरनगर की महापौर मीरा शर्मा ने सोमवार को नए स्टेशन का उद्घाटन किया।",
		[]string{"उन्होंने कहा कि काम मई में पूरा होगा।", "लेकिन एक नई रिपोर्ट इस पर सवाल उठाती है।", "दोनों राष्ट्रपति वसंत में फिर मिलेंगे।", "अगले दिन स्टेशन फिर बंद हो गया।"},
		[]string{"बंदरनगर नगर परिषद ने मंगलवार को 11 के मुकाबले 14 मतों से घाट रोड को 18 महीनों के लिए बंद करने का फैसला किया।"},
	},
	{
		"vi", "Thị trưởng thành phố Cảng, bà Lê Minh, hôm thứ Hai khánh thành một nhà ga mới.",
		[]string{"Ông cho biết công trình sẽ hoàn thành vào tháng Năm.", "Tuy nhiên, một báo cáo mới nghi ngờ điều đó.", "Cả hai tổng thống sẽ gặp lại nhau vào mùa xuân.", "Ngày hôm sau, nhà ga lại đóng cửa.", "Trong đó, bốn triệu là tiền vay của thành phố.", "Cùng ngày, nhà ga cũ đóng cửa.", "Kế hoạch này tốn hơn số tiền mà thành phố có."},
		[]string{"Hội đồng thành phố Cảng hôm thứ Ba đã bỏ phiếu với tỷ lệ 14 trên 11 để đóng cửa đường Bến Tàu trong 18 tháng."},
	},
}

func TestStanding(t *testing.T) {
	for _, c := range standing {
		for _, s := range c.leans {
			if l := reading.Standing([]string{c.introduction, s}, c.language)[1]; l.Alone >= 0.5 || l.On != 1 {
				t.Errorf("%s: %q: alone %.2f, on %d, want less than 0.5, on 1", c.language, s, l.Alone, l.On)
			}
		}
		for _, s := range append(c.alone, c.introduction) {
			if l := reading.Standing([]string{c.introduction, s}, c.language)[1]; s != c.introduction && l.Alone <= 0.7 {
				t.Errorf("%s: %q: alone %.2f, want more than 0.7", c.language, s, l.Alone)
			} else if s == c.introduction {
				if l := reading.Standing([]string{s}, c.language)[0]; l.Alone <= 0.6 || l.On != 0 {
					t.Errorf("%s: %q: alone %.2f, on %d, want more than 0.6, on 0", c.language, s, l.Alone, l.On)
				}
			}
		}
	}
}
