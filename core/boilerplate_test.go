package core

import (
	"context"
	"strings"
	"testing"
)

// Four articles share a call to act. No method quotes it, though all documents agree
// on it.
func TestBoilerplateIsNotQuoted(t *testing.T) {
	articles := map[string][4]string{
		"en": {
			"The council voted 14 to 11 on Tuesday to close Quay Road to through traffic. The trial will last for 18 months. Buses and deliveries are exempt.",
			"Traders on Quay Road threatened to sue the council over the closure. They fear for a fifth of their custom. A meeting is planned for Monday.",
			"Air monitors on Quay Road have recorded nitrogen dioxide above the limit for four years. The school at its end has 230 pupils. Many have asthma.",
			"The closure of Quay Road will start on 7 September, the council said. Cameras are being installed. Drivers face a fine of 70 pounds.",
		},
		"de": {
			"Der Stadtrat hat am Dienstag die Sperrung der Hafenstraße beschlossen. Der Versuch dauert 18 Monate. Busse sind ausgenommen.",
			"Händler an der Hafenstraße drohen der Stadt wegen der Sperrung mit einer Klage. Sie fürchten um ihren Umsatz. Am Montag ist ein Treffen geplant.",
			"An der Hafenstraße wird der Grenzwert seit vier Jahren überschritten. Die Schule am Ende der Straße hat 230 Schüler. Viele haben Asthma.",
			"Die Sperrung der Hafenstraße beginnt am 7. September, teilte die Stadt mit. Kameras werden eingebaut. Fahrern droht ein Bußgeld.",
		},
		"fr": {
			"Le conseil municipal a voté mardi la fermeture de la rue du Port. L'essai durera 18 mois. Les bus sont exemptés.",
			"Les commerçants de la rue du Port menacent de poursuivre la mairie. Ils craignent pour leur clientèle. Une réunion est prévue lundi.",
			"Rue du Port, la limite de pollution est dépassée depuis quatre ans. L'école au bout de la rue compte 230 élèves. Beaucoup ont de l'asthme.",
			"La fermeture de la rue du Port commencera le 7 septembre, selon la mairie. Des caméras sont installées. Les contrevenants risquent une amende.",
		},
		"es": {
			"El ayuntamiento votó el martes el cierre de la calle del Puerto. La prueba durará 18 meses. Los autobuses quedan exentos.",
			"Los comerciantes de la calle del Puerto amenazan con demandar al ayuntamiento. Temen perder clientes. El lunes habrá una reunión.",
			"En la calle del Puerto se supera el límite de contaminación desde hace cuatro años. La escuela tiene 230 alumnos. Muchos tienen asma.",
			"El cierre de la calle del Puerto comenzará el 7 de septiembre, según el ayuntamiento. Se instalan cámaras. Habrá multas para los conductores.",
		},
		"ru": {
			"Городской совет во вторник проголосовал за закрытие Портовой улицы. Испытание продлится 18 месяцев. Автобусы под запрет не попадают.",
			"Торговцы Портовой улицы грозят подать на город в суд. Они боятся потерять покупателей. Встреча назначена на понедельник.",
			"На Портовой улице норма загрязнения превышена четвёртый год. В школе в конце улицы учатся 230 детей. У многих астма.",
			"Портовую улицу закроют 7 сентября, сообщили в мэрии. Там устанавливают камеры. Водителям грозит штраф.",
		},
		"zh": {
			"市议会周二投票决定关闭码头路。试验为期十八个月。公交车不受影响。",
			"码头路的商户威胁要起诉市政府。他们担心失去五分之一的顾客。双方定于周一会面。",
			"码头路的空气污染连续四年超标。路口的学校有230名学生。其中不少人患有哮喘。",
			"市政府表示，码头路将于9月7日关闭。目前正在安装摄像头。违规司机将被罚款。",
		},
	}
	calls := map[string][]string{
		"en": {"Sign up for our morning newsletter", "Accept all cookies to continue."},
		"de": {"Melden Sie sich für unseren Newsletter an", "Akzeptieren Sie alle Cookies, um fortzufahren."},
		"fr": {"Abonnez-vous à notre lettre du matin", "Acceptez tous les cookies pour continuer."},
		"es": {"Suscríbete a nuestro boletín de la mañana", "Acepta todas las cookies para continuar."},
		"ru": {"Подпишитесь на нашу утреннюю рассылку", "Примите все файлы cookie, чтобы продолжить."},
		"zh": {"订阅我们的早间通讯", "接受所有Cookie以继续。"},
	}
	sources := []string{"", "https://news.example/a", "Harbour News"}
	for language, texts := range articles {
		for i, call := range calls[language] {
			for _, atHead := range []bool{true, false} {
				for _, lower := range []bool{true, false} {
					documents := make([]Document, len(texts))
					for d, s := range texts {
						s += "\n\n" + call
						if atHead {
							s = call + "\n\n" + texts[d]
						}
						if lower {
							s = strings.ToLower(s)
						}
						documents[d] = Document{Text: s, Source: sources[(i+len(language))%len(sources)]}
					}
					for _, method := range []string{"auto", "salience", "instant", "concepts", "lead", "bs+gs"} {
						s, err := Summarize(context.Background(), documents, Options{Method: method, Budget: Budget{Amount: 60, Unit: Words}})
						if err != nil {
							t.Fatal(err)
						}
						if strings.Contains(strings.ToLower(s.Text), strings.ToLower(strings.TrimRight(call, ".。"))) {
							t.Errorf("%s %s (head %v, lower %v) quotes %q", language, method, atHead, lower, s.Text)
						}
					}
				}
			}
		}
	}
}
