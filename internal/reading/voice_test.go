package reading

import "testing"

func TestVoice(t *testing.T) {
	const author, address, announce = 1, 2, 4
	for _, test := range []struct {
		language, sentence string
		want               int
	}{
		{"en", "We present a method.", author},
		{"en", "This leads us to a result.", author},
		{"en", "The results of THIS WORK are new.", author},
		{"zh", "本文提出一种方法。", author},
		{"en", "The US election was close.", 0},
		{"en", "US officials met.", 0},
		{"en", "The bus was late.", 0},
		{"en", "I've been using email since the early 1990s.", address},
		{"en", "You’ll need a second screen.", address},
		{"en", "World War I ended in 1918.", 0},
		{"en", "Many of us have noticed that ideas come in the shower.", author | announce},
		{"en", "Of those, many people left.", 0},
		{"en", "Here’s a look at three of the results.", announce},
		{"en", "The store is described below.", announce},
		{"en", "Temperatures fell below zero.", 0},
		{"en", "The mine collapsed.", 0},
		{"de", "Ich habe das Gerät eine Woche lang benutzt.", address},
		{"fr", "La plupart d’entre les autres dorment trop peu.", announce},
		{"fr", "J’ai testé le téléphone.", address},
		{"ru", "Как показано ниже, цены растут.", announce},
		{"ru", "Температура опустилась ниже нуля.", 0},
		// Words of other languages.
		{"fr", "Le président du conseil régional a voté contre.", 0},
		{"en", "The EU agreed on new sanctions.", 0},
		{"it", "Ma il governo ha deciso.", 0},
		{"cs", "Vláda je proti.", 0},
		{"es", "El mes pasado llovió.", 0},
		{"en", "Queen Elizabeth I died in 1603.", 0},
		{"en", "John J. Smith resigned.", 0},
		{"xx", "", 0},
	} {
		got := 0
		v := voiceOf(test.sentence, test.language)
		for i, b := range []bool{v.author, v.address, v.announce} {
			if b {
				got |= 1 << i
			}
		}
		if got != test.want {
			t.Errorf("%q: got %b, want %b", test.sentence, got, test.want)
		}
	}
}

// TestStatements: what pages say of themselves and around the matter.
func TestStatements(t *testing.T) {
	for _, test := range []struct {
		language, sentence string
		narrates, points   bool
		states, hedges     int
	}{
		{"en", "By default, the server will require a new key.", false, false, 4, 0},
		{"en", "For more information, see the section above.", false, true, 0, 0},
		{"en", "I was told that it might rain.", true, false, 0, 2},
		{"en", "The mine collapsed.", false, false, 0, 0},
		{"de", "Der Dienst ermöglicht neue Abfragen, siehe oben.", false, true, 2, 0},
		{"fr", "Par exemple, j’ai pensé que cela pourrait aider.", true, true, 0, 1},
		{"es", "La herramienta permite crear un nuevo informe.", false, false, 2, 0},
		{"ja", "新しいサーバーです。", false, false, 1, 0},
		{"ja", "例えば、私は彼女がそう言ったと思った。", true, true, 0, 2},
		{"zh", "我觉得他说的可能是真的。", true, false, 0, 3},
		{"hi", "शायद मैं नहीं जानता था।", true, false, 0, 2},
		{"ar", "مثلًا، قال إنه سعيد جدًّا.", false, true, 0, 2},
		{"zh", "你们需要新的钥匙。", false, false, 2, 0},
		{"sv", "Jag trodde att det kanske var för sent.", true, false, 0, 3},
		{"pl", "Na przykład nowy serwer wymaga klucza.", false, true, 2, 0},
		{"ro", "Aș spune că știe.", false, false, 0, 2},
		{"ro", "Aş spune că ştie.", false, false, 0, 2},
		{"xx", "新しいサーバーです。", false, false, 0, 0},
		// At the end of the text.
		{"ja", "新しいサーバーだった", false, false, 1, 1},
		{"th", "ราคาควร", false, false, 1, 0},
		// Within other words.
		{"zh", "事故出现在山区，他们认真的工作。", false, false, 0, 0},
	} {
		v := voiceOf(test.sentence, test.language)
		if v.narrates != test.narrates || v.points != test.points || v.states != test.states || v.hedges != test.hedges {
			t.Errorf("%q: got %+v", test.sentence, v)
		}
	}
}
