package lexical

import (
	"context"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// document is one document in a language with the given sentences.
func document(language string, sentences ...string) cluster.Document {
	d := cluster.Document{Language: language}
	for _, s := range sentences {
		d.Sentences = append(d.Sentences, cluster.Sentence{Text: s})
	}
	return d
}

func analyze(t testing.TB, documents ...cluster.Document) *Analysis {
	t.Helper()
	a, err := Analyze(context.Background(), &cluster.Cluster{Documents: documents})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// tokens formats sentence k as its terms, stop words with a star.
func tokens(a *Analysis, k int) string {
	var out []string
	for _, id := range a.Sentences[k] {
		s := a.Terms[id].Text
		if a.Terms[id].Stop {
			s += "*"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, language, sentence, want string }{
		{"empty", "en", "", ""},
		{"punctuation alone", "en", " … — “!?” ", ""},
		{"English", "en", "The runners' plans were running late.", "the* runner plan were* run late"},
		{"possessive", "en", "John's and O’Neill’s dogs aren’t hers", "john and* o'neil dog aren't* hers*"},
		{"hyphen", "en", "a well-known actor", "a* well known actor"},
		{"country, not pronoun", "en", "The US told us, and the U.S. did too", "the* us told us and* the* us did* too*"},
		{"acronyms of stop words", "en", "Who runs the WHO?", "who* run the* who"},
		{"all in capitals", "en", "DO NOT ASK WHO RUNS", "do* not* ask who* run"},
		{"figures", "en", "1,250,000 of 3.5 and 2024", "1250000 of* 3.5 and* 2024"},
		{"decimal comma", "de", "1.250.000 und 3,5", "1250000 und* 3.5"},
		{"Arabic-Indic digits", "ar", "١٢٬٣٤٥ ٣٫٥", "12345 3.5"},
		{"Devanagari digits", "hi", "२०२४", "2024"},
		{"full width", "en", "ＣＯＶＩＤ １９", "covid 19"},
		{"decomposed", "es", "cafe\u0301s", "cafes"},
		{"composed", "es", "cafés", "cafes"},
		{"soft hyphen and joiner", "en", "govern\u00adment\u200d", "govern"},
		{"French elisions", "fr", "L’homme qu'il a vu jusqu'à l'été, aujourd'hui", "homm il* a* vu à* été* aujourd'hui"},
		{"Italian elisions", "it", "L'uomo dell'anno sull'isola", "uom anno isol"},
		{"Catalan elisions", "ca", "L'home vol comprar-se'n", "home vol comprar se*"},
		{"Spanish", "es", "Las elecciones presidenciales", "las* eleccion presidencial"},
		{"Portuguese with a region", "pt-BR", "As eleições presidenciais", "as* eleiçõ presidenc"},
		{"German", "de", "Die Häuser der Straße sind groß", "die* haus der* strass sind* gross"},
		{"Dutch", "nl", "De huizen van Anna's ouders", "de* huiz van* anna ouder"},
		{"Norwegian, written as nb", "nb", "Husene er store", "hus er* stor"},
		{"Turkish dotless i", "tr", "İSTANBUL'un IŞIKLARI yanıyor", "istan ışık yanıy"},
		{"Turkish dotted capital, decomposed", "tr", "I\u0307stanbul", "istan"},
		{"dotted capital elsewhere", "en", "İstanbul", "istanbul"},
		{"Russian ё", "ru", "Ещё ёлки, Ещё елки", "еще* елк еще* елк"},
		{"Latin in Cyrillic", "ru", "Компании Google", "компан googl"},
		{"Polish endings", "pl", "Prezydenta z prezydentem", "prezy z* prezy"},
		{"no cut through a figure", "pl", "1234567", "1234567"},
		{"Greek capitals", "el", "Η ΚΥΒΕΡΝΗΣΗ, η κυβέρνησης", "η* κυβερ η* κυβερ"},
		{"Finnish endings", "fi", "hallituksen ja hallitukselle", "halli ja* halli"},
		{"Hungarian endings", "hu", "a kormány és a kormánynak", "a* kormá és* a* kormá"},
		{"Hebrew gershayim", "he", "צה\"ל של", "צה\"ל של*"},
		{"Persian with Arabic letters", "fa", "می\u200cروم كتاب", "میروم کتاب"},
		{"Vietnamese, decomposed", "vi", "Vie\u0323\u0302t Nam", "việt nam"},
		{"Hindi vowel signs", "hi", "किसानों की मदद", "किसानों की* मदद"},
		{"Chinese", "zh", "中国经济增长3.5%，GDP。", "中国 国经 经济 济增 增长 3.5 gdp"},
		{"Chinese stop words", "zh", "我们这样的人", "我们* 们这* 这样* 样的 的人"},
		{"traditional Chinese stop words", "zh-Hant", "我們", "我們*"},
		{"one character", "zh", "(山)", "山"},
		{"Japanese scripts apart", "ja", "東京のラーメン店", "東京 の* ラー ーメ メン 店"},
		{"Japanese long vowel in Hiragana", "ja", "らーめん", "らー* ーめ* めん*"},
		{"Thai", "th", "กำลัง 10", "กำลั ลัง 10"},
		{"Khmer", "km", "កម្ពុជា", "កម្ពុ ម្ពុជា"},
		{"Myanmar", "my", "မြန်မာ", "မြန် န်မ မာ"},
		{"Lao", "lo", "ລາວ", "ລາ າວ"},
		{"Romanian, with commas and cedillas", "ro", "alegerile și națiunile, alegerile şi naţiunile", "aleger şi* naţiun aleger şi* naţiun"},
		{"Ukrainian function words", "uk", "в місті на річці і не за", "в* місті на* річці і* не* за*"},
		{"Croatian function words", "hr", "i u gradu na rijeci", "i* u* gradu na* rijec"},
		{"Korean", "ko", "서울에서 온 BTS", "서울 울에 에서 온 bts"},
		{"unknown language", "xx", "The runners' Plans", "the runners plans"},
		{"no language", "", "The runners", "the runners"},
		{"emoji", "en", "👍🏽 fine 🇫🇷 👨‍👩‍👧", "fine"},
		{"right to left with Latin", "ar", "شركة Google", "شرك googl"},
		{"invalid UTF-8 and NUL", "en", "cats\xffdogs\x00birds\xf0\x9f", "cat dog bird"},
		{"invalid end of Han", "zh", "山川\xd2", "山川"},
		{"abbreviation", "en", "A.I. at www.example.org", "ai at* www.example.org"},
	} {
		a := analyze(t, document(c.language, c.sentence))
		if got := tokens(a, 0); got != c.want {
			t.Errorf("%s: %s %q:\n got %s\nwant %s", c.name, c.language, c.sentence, got, c.want)
		}
	}
}

func TestTermsAreShared(t *testing.T) {
	a := analyze(t,
		document("en", "Berlin votes", "The dogs die"),
		document("de", "Berlin wählt", "Die Hunde"))
	want := []string{"berlin vote", "the* dog die", "berlin wahlt", "die* hund"}
	for k := range want {
		if got := tokens(a, k); got != want[k] {
			t.Errorf("sentence %d: %s, want %s", k, got, want[k])
		}
	}
	if a.Sentences[0][0] != a.Sentences[2][0] {
		t.Error("the name is not the same term in both languages")
	}
	// Romanian texts have either mark below the letter, as have texts on Romania.
	city := analyze(t, document("en", "Chișinău votes"), document("ro", "Chișinău votează"), document("ro", "Chişinău votează"))
	if city.Sentences[0][0] != city.Sentences[1][0] || city.Sentences[1][0] != city.Sentences[2][0] {
		t.Error("the city is not one term")
	}
	if a.Sentences[1][2] == a.Sentences[3][0] {
		t.Error("the English verb and the German article are the same term")
	}
}

func TestAnalyzeStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Analyze(ctx, &cluster.Cluster{Documents: []cluster.Document{document("en", "One.")}}); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestStopWordLists(t *testing.T) {
	for tag, word := range map[string]string{
		"ar": "في", "bg": "на", "ca": "amb", "cs": "že", "da": "og", "de": "und", "el": "και",
		"en": "the", "es": "los", "fa": "از", "fi": "että", "fr": "les", "he": "של", "hi": "के",
		"hr": "sam", "hu": "hogy", "id": "yang", "it": "che", "ja": "から", "nl": "het", "no": "ikke",
		"pl": "się", "pt": "uma", "ro": "este", "ru": "что", "sk": "alebo", "sv": "och", "th": "และ",
		"tr": "için", "uk": "що", "vi": "của", "zh": "的",
	} {
		l := lookUp(tag)
		folded, _ := fold(word, tag)
		if !l.isStop(folded) {
			t.Errorf("%s: %q is not a stop word", tag, word)
		}
		if n := len(l.stops); n < 30 || n > 1000 {
			t.Errorf("%s: %d stop words", tag, n)
		}
	}
}

func TestPrimary(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "en", "pt-BR": "pt", "zh_Hant": "zh", "NN": "no", "nb": "no", "nob": "no", "no": "no", "iw": "he", "in": "id", "eng": "en",
		"": "", "und": "", "#": "", "e n": "",
	} {
		if got := primary(tag); got != want {
			t.Errorf("primary(%q) = %q, want %q", tag, got, want)
		}
	}
}
