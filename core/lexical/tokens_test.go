package lexical

import (
	"context"
	"fmt"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func TestDump(t *testing.T) {
	for _, x := range [][2]string{
		{"en", "The US and the U.N. told us that John's 1,250 “runners” don't fear O’Neill’s well-known 3.5% plan."},
		{"en", "LET US PRAY"},
		{"en", "Who runs the WHO? It is not IT."},
		{"fr", "L’homme d'aujourd'hui qu'il a vu jusqu'à l'été 2,5"},
		{"it", "L'uomo dell'anno sull'isola c'è quest'opera"},
		{"ca", "L'home d'avui vol comprar-se'n i compra'l"},
		{"tr", "İSTANBUL'un IŞIKLARI Ankara'da yanıyor, İzmir"},
		{"tr", "I\u0307STANBUL"},
		{"de", "Die Häuser der Straße sind groß z.B. hier"},
		{"pt-BR", "As eleições presidenciais aconteceram"},
		{"ru", "Ещё ёлки и моложёжные COVID-19 Google"},
		{"el", "Η ΚΥΒΕΡΝΗΣΗ και η κυβέρνηση"},
		{"zh", "中国的经济增长3.5%，GDP超过2024年。"},
		{"ja", "東京のラーメン店でコンピューターを使った。らーめん"},
		{"th", "กำลังเดินทางไปกรุงเทพฯ 2024"},
		{"ko", "대통령은 서울에서 말했다"},
		{"hi", "सरकार ने किसानों की मदद की २०२४"},
		{"ar", "أعلنت الحكومة ١٢٬٣٤٥ والحكومة"},
		{"fa", "می‌خواهم كتاب ۱۲۳"},
		{"he", "ממשלת ישראל צה\"ל"},
		{"pl", "Prezydenta i prezydentem rządu"},
		{"vi", "Thu\u031b\u0309 Việt Nam Vie\u0323\u0302t"},
		{"", "Plain text's Words 👍🏽 🇫🇷 \x00 a\xffb \xf0\x9f"},
		{"my", "မြန်မာနိုင်ငံ"}, {"km", "ព្រះរាជាណាចក្រកម្ពុជា"},
		{"en", "ＣＯＶＩＤ－１９ cafe\u0301 naïve A.I. e.g. www.example.org user_name"},
	} {
		c := &cluster.Cluster{Documents: []cluster.Document{{Language: x[0], Sentences: []cluster.Sentence{{Text: x[1]}}}}}
		a, err := Analyze(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Print(x[0], ": ")
		for _, id := range a.Sentences[0] {
			q := a.Terms[id]
			s := ""
			if q.Stop {
				s = "*"
			}
			fmt.Printf("%s%s ", q.Text, s)
		}
		fmt.Println()
	}
}
