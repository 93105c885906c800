package ingest

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// paragraphs tell of one flood, each with letters that only some encodings have.
var paragraphs = map[string]string{
	"ca": "El riu va desbordar-se dimecres a la nit. La població va quedar aïllada; l'alcalde diu que la presa no s'havia revisat mai, i això és l'única raó.",
	"cs": "Řeka se ve středu večer vylila z břehů. Obyvatelé dvou vesnic opustili své domy. Hráz podle starosty nikdo nikdy neprověřil, ačkoli o tom už léta věděl.",
	"da": "Floden gik over sine bredder onsdag aften. Beboerne måtte forlade to landsbyer, og dæmningen er ifølge borgmesteren aldrig blevet efterset på 30 år.",
	"de": "Der Fluss trat am Mittwochabend über die Ufer. Zwei Dörfer waren abgeschnitten. Der Damm wurde laut Bürgermeister nie überprüft, obwohl es schon große Schäden gab.",
	"el": "Το ποτάμι υπερχείλισε το βράδυ της Τετάρτης. Άνθρωποι από δύο χωριά έφυγαν από τα σπίτια τους. Ο δήμαρχος είπε ότι το φράγμα δεν ελέγχθηκε ποτέ.",
	"en": "The river burst its banks on Wednesday night, near the café. Damage is put at £3 million. The mayor said the dam was never inspected – not once.",
	"es": "El río se desbordó el miércoles por la noche. Dos pueblos quedaron aislados por el agua. ¿Cuándo volverán los vecinos? Nadie lo sabe todavía, señaló el alcalde.",
	"fi": "Joki tulvi keskiviikkoiltana. Kahden kylän asukkaat lähtivät kodeistaan. Pormestarin mukaan patoa ei ollut koskaan tarkastettu, vaikka siitä oli sitä ennen puhuttu.",
	"fr": "La rivière a débordé mercredi soir. Deux villages ont été coupés du monde par les eaux. Où iront les habitants ? Le maire a déclaré que la digue n'avait pas été contrôlée.",
	"hu": "A folyó szerda este kilépett a medréből. Két falu lakói hagyták el otthonukat. A gátat a polgármester szerint sohasem ellenőrizték, pedig az erős esőzésekről tudtak.",
	"it": "Il fiume è straripato mercoledì sera. Due paesi sono rimasti isolati. La diga non è mai stata controllata, ha detto il sindaco: «Perché? Non si sa più».",
	"nb": "Elva gikk over sine bredder onsdag kveld. Innbyggerne i to landsbyer måtte forlate hjemmene sine. Demningen er aldri blitt undersøkt, sier ordføreren.",
	"nl": "De rivier trad woensdagavond buiten haar oevers. Twee dorpen waren geïsoleerd. Volgens de burgemeester is de dam nooit geïnspecteerd, en dat in één van de natste jaren.",
	"pl": "Rzeka wystąpiła z brzegów w środę wieczorem. Mieszkańcy dwóch wsi opuścili domy. Tamy nigdy nie sprawdzano, powiedział wójt, choć żądano tego od lat.",
	"pt": "O rio transbordou na noite de quarta-feira. Duas aldeias ficaram isoladas pela água. A barragem não foi inspecionada, disse o autarca, e não há explicações.",
	"ro": "Rîul a ieşit din matcă miercuri seara. Locuitorii a două sate şi-au părăsit casele. Primarul a declarat că barajul nu a fost verificat niciodată, deşi ştia de pericol.",
	"sv": "Floden svämmade över på onsdagskvällen. Invånarna i två byar lämnade sina hem. Dammen har enligt borgmästaren aldrig granskats, trots att många år har gått.",
	"tr": "Nehir çarşamba akşamı taştı. İki köyün sakinleri evlerini terk etti. Şiddetli yağış bütün gece sürdü. Belediye başkanı barajın hiç denetlenmediğini söyledi.",
	"bg": "Реката излезе от бреговете си в сряда вечерта. Жителите на две села напуснаха домовете си. Кметът каза, че язовирната стена никога не е била проверявана.",
	"ru": "Река вышла из берегов в среду вечером. Две деревни отрезаны водой. Мэр сказал, что плотину никогда не проверяли, хотя её построили полвека назад.",
	"uk": "Річка вийшла з берегів у середу ввечері. Мешканці двох сіл залишили свої домівки. Мер сказав, що греблю ніколи не перевіряли, хоча її збудували пів століття тому.",
	"ar": "فاض النهر مساء الأربعاء. غادر سكان القريتين منازلهم. قال العمدة إن السد لم يفحص قط، رغم التحذيرات.",
	"fa": "رودخانه شامگاه چهارشنبه طغيان کرد. مردم دو روستا خانه هاي خود را ترک کردند و به شهر رفتند.",
	"he": "הנהר עלה על גדותיו ביום רביעי בערב. תושבי שני הכפרים עזבו את בתיהם. ראש העיר אמר שהסכר מעולם לא נבדק.",
	"th": "แม่น้ำเอ่อล้นตลิ่งในคืนวันพุธ ชาวบ้านสองหมู่บ้านต้องออกจากบ้าน นายกเทศมนตรีกล่าวว่าเขื่อนไม่เคยได้รับการตรวจสอบ",
	"ja": "川は水曜日の夜に氾濫した。二つの村の住民は家を離れた。ダムは一度も点検されていなかったと町長は述べた。",
	"ko": "수요일 밤에 강이 범람했다. 두 마을의 주민들이 집을 떠났다. 시장은 댐이 점검된 적이 없다고 말했다.",
	"zh": "河水在星期三晚上决堤。两个村庄的居民离开了家园。镇长说，大坝从未接受过检查。",
}

// TestTerminalEscapes: ISO-2022-JP has no bytes beyond ASCII, so the escape sequences of
// a log that has some are not its.
func TestTerminalEscapes(t *testing.T) {
	const log = "Résumé déjà vu \x1b(B\x1b[m"
	if got, warning, err := decode([]byte(log), charsets{}); got != log || warning != "" || err != nil {
		t.Errorf("%q, %q, %v", got, warning, err)
	}
}

// TestGuess: what is written in an encoding and says nothing of it is read as it was.
func TestGuess(t *testing.T) {
	const western, central, cyrillic = "windows-1252 iso-8859-15 macintosh", "windows-1250 iso-8859-2", "windows-1251 iso-8859-5 x-mac-cyrillic"
	encodings := map[string]string{
		"ca": western, "da": western, "de": western, "en": "windows-1252 macintosh", "es": western, "fi": western, "fr": western,
		"it": western, "nb": western, "nl": western, "pt": western, "sv": western,
		"cs": central, "hu": central, "pl": central, "ro": central, "tr": "windows-1254",
		"bg": cyrillic, "ru": cyrillic + " koi8-r ibm866", "uk": cyrillic + " koi8-u",
		"el": "windows-1253 iso-8859-7", "he": "windows-1255 iso-8859-8", "ar": "windows-1256 iso-8859-6", "fa": "windows-1256", "th": "windows-874",
		"ja": "shift_jis euc-jp iso-2022-jp", "ko": "euc-kr", "zh": "gb18030 gbk",
	}
	var fixtures []guessFixture
	for _, language := range slices.Sorted(maps.Keys(paragraphs)) {
		text := paragraphs[language]
		if encodings[language] == "" {
			t.Errorf("%s is in no encoding", language)
		}
		for _, name := range strings.Fields(encodings[language]) {
			e, err := lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			data, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatalf("%s, %s: %v", language, name, err)
			}
			fixtures = append(fixtures, guessFixture{name, text, []byte(data)})
			for repeats, data := range map[string]string{"once": data, "beyond the sample": strings.Repeat(data+"\n", 1+(16<<10)/len(data))} {
				got, warning, err := decode([]byte(data), charsets{})
				if err != nil || !strings.Contains(warning, "a guess") {
					t.Errorf("%s, %s, %s: %q, %v", language, name, repeats, warning, err)
				}
				if first, _, _ := strings.Cut(got, "\n"); first != text {
					t.Errorf("%s, %s, %s: %s\n  %.90q\nwant\n  %.90q", language, name, repeats, warning, first, text)
				}
			}
		}
	}
	golden, err := json.MarshalIndent(fixtures, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden = append(golden, '\n')
	if *update {
		if err := os.WriteFile("testdata/encodings.json", golden, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("testdata/encodings.json"); err != nil || !bytes.Equal(got, golden) {
		t.Errorf("testdata/encodings.json is stale: run this test with -update (%v)", err)
	}
}

// guessFixture is a text in an encoding, for web/demo/tests/files.test.mjs.
type guessFixture struct {
	Encoding string `json:"encoding"`
	Text     string `json:"text"`
	Bytes    []byte `json:"bytes"`
}

// FuzzGuess: any bytes give valid text, or the error that they are none.
func FuzzGuess(f *testing.F) {
	f.Add([]byte("\x1b$B\x80"))
	f.Add([]byte("caf\xe9 \xff\xfe"))
	f.Add([]byte("~{<:Ky2;VS{NRTZ~}\x80"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, _, err := decode(data, charsets{})
		if err == nil && strings.ToValidUTF8(text, "") != text {
			t.Errorf("%q is no UTF-8", text)
		}
	})
}
