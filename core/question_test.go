package core

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/linalg"
)

// shipped reads a sample of the page.
func shipped(t *testing.T, name string) []Document {
	t.Helper()
	data, err := os.ReadFile("../web/demo/samples/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Documents []struct{ Text, Language string }
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	var list []Document
	for _, d := range s.Documents {
		list = append(list, Document{Text: d.Text, Language: d.Language})
	}
	return list
}

// contexts describe the text and its readers. They ask for nothing, although the samples
// contain a word or two of some of them.
var contexts = map[string][]string{
	"en": {
		"This is an article about markets.",
		"This article is intended for a tech-savvy audience.",
		"Summarize for a developer.",
		"Explain the text to a beginner, without jargon.",
		"A blog post about travel, food and people.",
		"The newsletter goes to engineers of a phone company every week.",
		"The reader lives in a big city and has two children.",
		"These are customer reviews of hotels and restaurants.",
		"Local news of last year, from a regional paper.",
		"Please summarize this page in plain words.",
		"Minutes of a meeting of the sales team.",
		"A travel guide for visitors who come by train.",
		"Written by a retired teacher for her grandchildren.",
		"This report is read by the board of a bank.",
		"Emails between two colleagues about work.",
		"The user is a nurse and reads on the phone at night.",
		"A science magazine for young people.",
		"Transcript of a radio programme about cooking.",
		"The audience knows little about politics.",
		"A letter to shareholders of a software firm.",
		"Posts from a gardening forum.",
		"Used in class by pupils of fifteen.",
		"I am a lawyer and need this for a client.",
		"Product descriptions of an online shop.",
		"Messages from a family chat.",
		"Wedding speech of a proud uncle.",
		"Notes of a doctor after a long night.",
		"Our customers are mostly farmers and fishermen.",
		"A bedtime story, told by a captain.",
		"Homework for the second year.",
	},
	"es": {
		"Este artículo trata de los mercados.",
		"Resume el texto para un desarrollador.",
		"Un blog de viajes, comida y vecinos.",
		"El lector vive en una gran ciudad y tiene poco tiempo.",
		"Un boletín semanal para los empleados de una empresa.",
	},
	"fr": {
		"Ceci est un article sur les marchés financiers.",
		"Résume le texte pour un développeur.",
		"Un blog de voyage et de cuisine, lu surtout par des étudiants.",
		"Le lecteur habite une grande ville et a peu de temps.",
		"Une lettre hebdomadaire pour les salariés d'une entreprise.",
	},
	"pt": {
		"Este é um artigo sobre mercados.",
		"Resuma o texto para um programador.",
		"Um blogue de viagens, comida e cidades.",
		"O leitor vive numa cidade grande e tem pouco tempo.",
	},
	"ru": {
		"Это статья о рынках.",
		"Изложи текст для разработчика.",
		"Блог о путешествиях, еде и людях.",
		"Читатель живёт в большом городе, у него мало времени.",
	},
	"tr": {
		"Bu, piyasalar hakkında bir makale.",
		"Metni bir geliştirici için özetle.",
		"Gezi, yemek ve insanlar üzerine bir blog.",
		"Okur büyük bir şehirde yaşıyor ve az zamanı var.",
	},
}

// TestContextDoesNotSteer: of what is quoted without a context, at least half is quoted
// with each (a quarter by instant), and 90 % with all of them together.
func TestContextDoesNotSteer(t *testing.T) {
	for name, language := range map[string]string{"en": "en", "en-long": "en", "es": "es", "fr": "fr", "pt": "pt", "ru": "ru", "tr": "tr", "mixed": "en"} {
		session := mustOpenDocuments(t, shipped(t, name))
		for _, method := range []string{"auto", "salience", "instant"} {
			all, same := 0, 0
			plain, err := session.Summarize(t.Context(), Options{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			for _, context := range contexts[language] {
				s, err := session.Summarize(t.Context(), Options{Method: method, Query: context})
				if err != nil {
					t.Fatal(err)
				}
				common := 0
				for _, q := range plain.Sentences {
					if strings.Contains(s.Text, q.Text) {
						common++
					}
				}
				all += len(plain.Sentences)
				same += common
				least := 2
				if method == "instant" {
					least = 4
				}
				if least*common < len(plain.Sentences) {
					t.Errorf("%s, %s, %q: %d of %d", name, method, context, common, len(plain.Sentences))
				}
			}
			if 10*same < 9*all {
				t.Errorf("%s, %s: %d of %d quotes are those without a context", name, method, same, all)
			}
		}
	}
}

// TestQuestionIsAnswered: a question about one side of the samples gets a summary with
// the answer.
func TestQuestionIsAnswered(t *testing.T) {
	for name, questions := range map[string]map[string]string{
		"en": {
			"How many people were treated in hospital?":                   "eleven people were treated",
			"Describe the warning that was sent to the phones.":           "automatic warning",
			"Discuss the cracks and what the council had done about them": "cracks",
			// The documents have one of the two words, which is no weak evidence in a question.
			"Why were the repairs delayed?": "epairs to the ",
		},
		"es": {
			"¿Cuánto costará el billete?":            "4,80 euros",
			"Explica las críticas de los sindicatos": "sindicatos",
		},
		"fr": {
			"Que deviennent les marchands ?":               "marchands de Vauclère quittent",
			"Décris l'état de conservation de la mosaïque": "exceptionnel",
			"Combien de temps durent les travaux ?":        "quatre mois",
		},
		"pt": {
			"Que apoios anunciou o governo?":     "12 milhões de euros",
			"O que aconteceu à aldeia submersa?": "Covelas",
		},
		"ru": {
			"Сколько стоит взрослый билет?":       "350 рублей",
			"Расскажи о нарушениях и прокуратуре": "36 миллионов",
		},
		"tr": {
			"Kütüphane nerede olacak?":  "kütüphane",
			"Köprü ne kadara mal oldu?": "1,3 milyar",
		},
		"mixed": {
			"Did any oil leak?": "oil",
		},
	} {
		session := mustOpenDocuments(t, shipped(t, name))
		for _, method := range []string{"auto", "salience", "instant"} {
			for query, want := range questions {
				s, err := session.Summarize(t.Context(), Options{Method: method, Query: query, Budget: Budget{Amount: 50, Unit: Words}})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(s.Text, want) {
					t.Errorf("%s, %s, %q: got %q", name, method, query, s.Text)
				}
			}
		}
	}
}

func mustOpenDocuments(t *testing.T, documents []Document) *Session {
	t.Helper()
	s, err := Open(t.Context(), documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestAnswerByEmbedding(t *testing.T) {
	document := Document{Language: "en", Text: "The ferry company published its report on Monday. The report says that trips were up by a tenth. Crews asked for longer breaks. Two engines failed in March, which kept the boat in the yard for a week. The next report is due in June."}
	for _, method := range []string{"auto", "editor", "salience", "instant"} {
		s, err := Open(context.Background(), []Document{document}, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if s.WantsEmbeddings(method, false) || !s.WantsEmbeddings(method, true) {
			t.Errorf("%s: wants embeddings %v, with a query %v", method, s.WantsEmbeddings(method, false), s.WantsEmbeddings(method, true))
		}
		rows := make([]float32, 2*len(s.Texts()))
		for k := range s.Texts() {
			rows[2*k] = 1
		}
		rows[2*3], rows[2*3+1] = 0.6, 0.8
		if err := s.Embed(Embeddings{Data: rows, Dimensions: 2}); err != nil {
			t.Fatal(err)
		}
		// No word of the question is one of the document's.
		o := Options{Method: method, Budget: oneSentence(), Query: "Pourquoi le bateau était-il immobile ?", QueryEmbedding: []float32{0, 1}}
		summary, err := s.Summarize(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(summary.Text, "Two engines") {
			t.Errorf("%s: got %q", method, summary.Text)
		}
		s.Close()
	}
}

// TestAnswerOpens: a summary opens with the answer, also of a single document.
func TestAnswerOpens(t *testing.T) {
	s := mustOpenDocuments(t, shipped(t, "en-long")[:1])
	const answer = 20
	rows := make([]float32, 3*len(s.Texts()))
	for k := range s.Texts() {
		rows[3*k], rows[3*k+2] = 1, float32(k%5)/10
	}
	rows[3*answer], rows[3*answer+1] = 0.6, 0.8
	if err := s.Embed(Embeddings{Data: rows, Dimensions: 3}); err != nil {
		t.Fatal(err)
	}
	// A Japanese question needs no question mark.
	for _, query := range []string{"Xyzzy?", "¿Xyzzy?", "船はなぜ動かなかったのですか。"} {
		for _, method := range []string{"auto", "salience", "instant"} {
			got, err := s.Summarize(t.Context(), Options{Method: method, Query: query, QueryEmbedding: []float32{0, 1, 0}})
			if err != nil {
				t.Fatal(err)
			}
			if first := got.Sentences[0].Ref.Sentence; first != answer || method == "auto" && len(got.Sentences) < 3 {
				t.Errorf("%s, %s: opens with sentence %d of %d", method, query, first, len(got.Sentences))
			}
		}
	}
}

// TestAnswerWithoutEmbedding: a sentence without embedding is as near to a question as a
// mean one, and nearer with its words.
func TestAnswerWithoutEmbedding(t *testing.T) {
	o := Options{Query: "Which?", QueryEmbedding: []float32{0, 1}}
	j := jobOf(t, flood(), o)
	j.dimensions, j.asked = 2, &linalg.Dense[float32]{Data: make([]float32, 2*len(j.refs)), Cols: 2}
	// The cosines are −0.8, −0.6 and 0; the other rows have none.
	copy(j.asked.Data, []float32{0.6, -0.8, 0.8, -0.6, 1, 0})
	near := j.nearness(nil, 0)
	for k, v := range near {
		if want := k == 2; (v == 1) != want || k != 2 && v != 0 {
			t.Errorf("row %d: %v", k, v)
		}
	}
	words := make([]float64, len(j.refs))
	words[5] = 1
	if near := j.nearness(words, 0.1); !(near[5] > 0 && near[5] < 1 && near[2] == 1 && near[4] == 0) {
		t.Errorf("with words: %v", near)
	}
	clear(j.asked.Data)
	if near := j.nearness(words, 0.1); near != nil {
		t.Errorf("without embeddings: %v", near)
	}
}
