package reading

import (
	"strings"
	"testing"
)

// calls are lines that pages show beside their articles, by language.
var calls = map[string][]string{
	"en": {"Sign up for our morning newsletter", "Accept all cookies to continue", "Get our newsletter in your inbox", "Follow us on Facebook", "Download our app", "Learn more about our newsletter", "Subscribe for $1 a week and support local reporting"},
	"de": {"Abonnieren Sie unseren Morgen-Newsletter", "Melden Sie sich für unseren Newsletter an", "Akzeptieren Sie alle Cookies, um fortzufahren", "Alle Cookies akzeptieren, um fortzufahren", "Folgen Sie uns auf Facebook"},
	"fr": {"Inscrivez-vous à notre newsletter du matin", "Abonnez-vous à notre lettre d'information", "Acceptez tous les cookies pour continuer", "Accepter tous les cookies pour continuer", "Suivez-nous sur Facebook"},
	"es": {"Suscríbase a nuestro boletín matinal", "Regístrate para recibir nuestro boletín matutino", "Acepte todas las cookies para continuar", "Aceptar todas las cookies para continuar", "Síguenos en Facebook"},
	"pt": {"Assine a nossa newsletter da manhã", "Inscreva-se na nossa newsletter matinal", "Aceite todos os cookies para continuar", "Aceitar todos os cookies para continuar", "Siga-nos no Facebook"},
	"it": {"Iscriviti alla nostra newsletter del mattino", "Registrati alla nostra newsletter", "Accetta tutti i cookie per continuare", "Seguici su Facebook"},
	"nl": {"Meld je aan voor onze ochtendnieuwsbrief", "Schrijf je in voor onze nieuwsbrief", "Accepteer alle cookies om door te gaan", "Volg ons op Facebook"},
	"pl": {"Zapisz się na nasz poranny newsletter", "Zaakceptuj wszystkie pliki cookie, aby kontynuować", "Śledź nas na Facebooku"},
	"ru": {"Подпишитесь на нашу утреннюю рассылку", "Подписывайтесь на наш канал", "Примите все файлы cookie, чтобы продолжить", "Принять все файлы cookie, чтобы продолжить"},
	"uk": {"Підпишіться на нашу ранкову розсилку", "Прийміть усі файли cookie, щоб продовжити", "Підписуйтесь на наш канал"},
	"tr": {"Sabah bültenimize abone olun", "Sabah bültenimize kaydolun", "Devam etmek için tüm çerezleri kabul edin", "Bizi Facebook'ta takip edin"},
	"zh": {"订阅我们的早间通讯", "注册我们的晨间新闻简报", "接受所有Cookie以继续", "请接受所有Cookie以继续", "下载我们的应用"},
	"ja": {"朝のニュースレターに登録してください", "朝のニュースレターにご登録ください", "続けるにはすべてのクッキーを受け入れてください", "続行するにはすべてのCookieを受け入れてください"},
	"ko": {"아침 뉴스레터를 구독하세요", "아침 뉴스레터에 가입하세요", "계속하려면 모든 쿠키를 허용하세요", "계속하려면 모든 쿠키를 수락하세요"},
	"ar": {"اشترك في نشرتنا الصباحية", "سجل في نشرتنا الإخبارية الصباحية", "اقبل جميع ملفات تعريف الارتباط للمتابعة"},
	"hi": {"हमारे सुबह के न्यूज़लेटर की सदस्यता लें", "हमारे मॉर्निंग न्यूज़लेटर के लिए साइन अप करें", "जारी रखने के लिए सभी कुकीज़ स्वीकार करें"},
	"vi": {"Đăng ký nhận bản tin buổi sáng của chúng tôi", "Chấp nhận tất cả cookie để tiếp tục"},
}

// A call is no content: at the head or the end, on a line or in a paragraph of its own,
// closed or not, with and without capitals, in one document.
func TestCalls(t *testing.T) {
	same := func(s string) string { return s }
	for language, lines := range calls {
		stop := "."
		if language == "zh" || language == "ja" {
			stop = "。"
		}
		for _, line := range lines {
			for _, form := range []struct {
				name      string
				line, doc func(string) string
				end, gap  string
			}{
				{"paragraph", same, same, "", "\n\n"},
				{"closed paragraph", same, same, stop, "\n\n"},
				{"line", same, same, "", "\n"},
				{"closed line", same, same, stop, "\n"},
				{"sentence", same, same, stop, " "},
				{"capitals", strings.ToUpper, same, "", "\n\n"},
				{"small letters", strings.ToLower, same, "", "\n\n"},
				{"all in small letters", same, strings.ToLower, "", "\n\n"},
				{"all in small letters, line", same, strings.ToLower, "", "\n"},
				{"all in small letters, closed", same, strings.ToLower, stop, "\n"},
			} {
				call := form.line(line + form.end)
				for _, doc := range []string{call + form.gap + news[language], news[language] + form.gap + call} {
					d := edit(t, language, form.doc(doc))[0]
					if len(d.Sentences) != 3 {
						t.Errorf("%s, %s: %d sentences are left of %q", language, form.name, len(d.Sentences), form.doc(doc))
					}
				}
			}
		}
	}
}

// A line that several documents of a site share is no content, whatever it says.
func TestRepeatedLines(t *testing.T) {
	texts := []string{
		"The council voted on Tuesday to close Quay Road.\n\nThe trial will last for 18 months.\n\nBuses are exempt from it.",
		"Traders have threatened to sue the council over the closure.\n\nThey met on Monday evening.\n\nNo date has been set for a hearing.",
		"A survey found that most residents are in favour.\n\nIt asked 1,200 people in May.\n\nHalf of them own a car.",
		"The school has measured the air for four years.\n\nThe limit was exceeded in each of them.\n\nPupils built the sensors.",
	}
	for _, line := range []string{"Lemons Belong in Every Kitchen", "Quality takes time and a steady hand."} {
		for _, atHead := range []bool{true, false} {
			shared := make([]string, len(texts))
			for i, s := range texts {
				shared[i] = s + "\n\n" + line
				if atHead {
					shared[i] = line + "\n\n" + s
				}
			}
			for i, d := range edit(t, "en", shared...) {
				if len(d.Sentences) != 3 || !strings.Contains(texts[i], d.Sentences[0].Text) {
					t.Errorf("%q: document %d has %d sentences", line, i, len(d.Sentences))
				}
			}
		}
	}
	// Copies of a report share all of it, updates of it their background.
	for _, d := range edit(t, "en", texts[0], texts[0], texts[0], texts[0]) {
		if len(d.Sentences) != 3 {
			t.Errorf("a copy has %d sentences", len(d.Sentences))
		}
	}
	background := "\n\nThe street carries some 9,400 vehicles a day."
	for _, d := range edit(t, "en", texts[0]+background, texts[1]+background, texts[2], texts[3]) {
		if len(d.Sentences) < 3 {
			t.Errorf("an update has %d sentences", len(d.Sentences))
		}
	}
	updates := edit(t, "en", texts[0]+background, texts[1]+background, texts[2], texts[3])
	if n := len(updates[0].Sentences); n != 4 {
		t.Errorf("an update has %d sentences, want 4", n)
	}
}
