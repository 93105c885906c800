package disagreements

import "testing"

func TestReadDigits(t *testing.T) {
	for _, c := range []struct {
		text, language string
		value          float64
		size           int
	}{
		{"14 people", "en", 14, 2},
		{"3,400 cars", "en", 3400, 5},
		{"3.400 carros", "pt", 3400, 5},
		{"1.234.567", "de", 1234567, 9},
		{"1,234.5", "en", 1234.5, 7},
		{"3,4 млрд", "ru", 3.4, 3},
		{"0.375", "en", 0.375, 5},
		{"12 000 personnes", "fr", 12000, 6},
		{"12 300 people", "en", 12, 2},
		{"1 340 сотрудникам", "ru", 1340, 5},
		{"12\u00a0000", "fr", 12000, 7},
		{"１２人", "ja", 12, 6},
		{"١٢ شخصا", "ar", 12, 4},
		{"14.", "en", 14, 2},
	} {
		if v, size, ok := readDigits(c.text, c.language); !ok || v != c.value || size != c.size {
			t.Errorf("%q: got %v of %d bytes, %v; want %v of %d", c.text, v, size, ok, c.value, c.size)
		}
	}
}

func TestReadCharacters(t *testing.T) {
	for text, want := range map[string]float64{
		"三人": 3, "十四": 14, "二十一人": 21, "两百": 200, "三千五百": 3500, "五万": 50000, "三万二千": 32000,
	} {
		if got, _ := readCharacters(text); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           float64
	}{
		{"en", "twenty-one people", 21},
		{"en", "three hundred and twelve people", 312},
		{"en", "two thousand five hundred people", 2500},
		{"fr", "quatre-vingt-dix personnes", 90},
		{"fr", "soixante-douze personnes", 72},
		{"fr", "dix-sept personnes", 17},
		{"es", "treinta y dos personas", 32},
		{"es", "veintitrés personas", 23},
		{"de", "siebenundvierzig Menschen", 47},
		{"nl", "vijfendertig mensen", 35},
		{"it", "quarantotto persone", 48},
		{"tr", "yirmi üç kişi", 23},
		{"ru", "сорок два человека", 42},
		{"en", "1.3 million people", 1.3e6},
		{"de", "2,5 Milliarden Menschen", 2.5e9},
		{"zh", "46.3亿人", 4.63e9},
		{"ja", "1億2000万人", 1.2e8},
	} {
		r := newReader()
		r.use(c.language)
		r.read(0, 0, c.text)
		if len(r.mentions) != 1 || r.mentions[0].value != c.want {
			t.Errorf("%s: %q: got %+v, want %v", c.language, c.text, r.mentions, c.want)
		}
	}
}

// TestNoNumbers has digits and words that count nothing.
func TestNoNumbers(t *testing.T) {
	for _, c := range [][2]string{
		{"en", "One of them met at 5:20 on the 14th."},
		{"en", "The crew of Flight 370 took Route 66."},
		{"en", "It opened in 2019."},
		{"en", "The score was 3/4."},
		{"en", "They need 10 to 15 minutes."},
		{"de", "Am 3. Tag kam er um 18.30 Uhr."},
		{"fr", "À 18h30, l'A7 rouvre."},
		{"zh", "9月12日3时40分"},
		{"ja", "第14回は2026年"},
	} {
		r := newReader()
		r.use(c[0])
		r.read(0, 0, c[1])
		for _, m := range r.mentions {
			t.Errorf("%s: %q: got %q as %v", c[0], c[1], c[1][m.start:m.end], m.value)
		}
	}
}

func TestCompatible(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		mods role // of the smaller
		want bool
	}{
		{14, 14, 0, true},
		{14, 16, 0, false},
		{15, 16, roleAbout, true},
		{9, 11, roleLeast, false},
		{897412, 900000, 0, true},
		{60000, 61300, roleLeast, true},
		{120, 200, 0, false},
		{1.3e6, 1.5e6, 0, false},
		{6294, 6300, 0, true},
		{6300, 8500, 0, false},
		{500, 900, roleLeast, true},
	} {
		if got := compatible(&mention{value: c.a, mods: c.mods}, &mention{value: c.b}); got != c.want {
			t.Errorf("%v, %v: got %v", c.a, c.b, got)
		}
	}
}
