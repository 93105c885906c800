package lexical

// askingWords lists, by language, the words of a request that say what to do but not
// about what, and the words that describe a text or its readers. They are stemmed like
// the words of a question. Question words are stop words. A slice, as a map would be filled by
// code that makes the page's program larger.
var askingWords = []struct{ tag, request, text string }{
	{
		"en",
		"discuss discussion describe description explain explanation summarize summarise summary outline identify determine specify include including give provide list mention tell show detail information example overview think thought opinion say said talk short brief briefly simple plain word sentence please",
		"article text note written document page website webpage blog post news newspaper newsletter review transcript excerpt passage audience reader beginner layman expert developer jargon guide manual",
	},
	{
		"de",
		"diskutiere erörtere beschreibe beschreiben beschreibung erkläre erklären erläutere erläutern zusammenfassen zusammenfassung fasse zusammen nenne nennen gib liste bestimme erwähne einschließlich information beispiel überblick meinung kurz knapp einfach wort wörter satz sätze bitte",
		"artikel text texte dokument seite webseite blog beitrag nachrichten zeitung newsletter bewertung bewertungen protokoll auszug publikum leser leserin anfänger laie experte entwickler fachjargon reiseführer ratgeber handbuch",
	},
	{
		"es",
		"discute discutir describe describir descripción explica explicar explicación resume resumir resumen indica indicar identifica identificar menciona incluye incluir incluyendo enumera da información ejemplo detalle opinión opina piensa dice breve brevemente corto sencillo palabra frase favor",
		"artículo texto documento página sitio web blog entrada noticia periódico boletín reseña transcripción fragmento público lector lectora principiante experto desarrollador jerga guía manual",
	},
	{
		"fr",
		"discute discuter discutez décris décrire décrivez description explique expliquer expliquez explication résume résumer résumez résumé indique indiquer indiquez identifie identifier mentionne inclure incluant énumère donne donner donnez information exemple détail opinion pense penser dit bref brièvement court simple mot phrase",
		"article texte document page site web blog billet journal nouvelles bulletin transcription extrait public lecteur lectrice débutant expert développeur jargon guide manuel",
	},
	{
		"it",
		"discuti discutere descrivi descrivere descrizione spiega spiegare spiegazione riassumi riassumere riassunto indica indicare identifica identificare menziona includi includere elenca dai informazione esempio dettaglio opinione pensa dice breve brevemente corto semplice parola frase favore",
		"articolo testo documento pagina sito web blog post notizia giornale bollettino recensione trascrizione estratto pubblico lettore lettrice principiante esperto sviluppatore gergo guida manuale",
	},
	{
		"nl",
		"bespreek bespreken beschrijf beschrijven beschrijving leg uitleg uitleggen verklaar vat samenvatten samenvatting samen noem noemen geef geven bepaal vermeld inclusief informatie voorbeeld overzicht mening denkt kort beknopt eenvoudig woord woorden zin zinnen",
		"artikel tekst document pagina website blog bericht nieuws krant nieuwsbrief recensie transcript fragment publiek lezer beginner leek expert ontwikkelaar jargon gids handleiding",
	},
	{
		"pt",
		"discuta discutir descreva descrever descrição explique explicar explicação resuma resumir resumo indique indicar identifique identificar mencione inclua incluir incluindo enumere dê informação exemplo detalhe opinião pensa diz breve brevemente curto simples palavra frase favor",
		"artigo texto documento página site web blogue blog publicação notícia jornal boletim resenha transcrição excerto público leitor leitora principiante iniciante especialista programador desenvolvedor jargão guia manual",
	},
	{
		"ru",
		"обсуди обсудите опиши опишите описание объясни объясните объяснение изложи резюмируй резюме перечисли перечислите укажи укажите назови назовите расскажи расскажите приведи включая информация пример подробность мнение думает кратко коротко просто слово слова предложение пожалуйста",
		"статья текст документ страница сайт блог пост новости газета рассылка отзыв расшифровка отрывок аудитория читатель новичок начинающий специалист разработчик жаргон путеводитель руководство",
	},
	{
		"tr",
		"tartış tartışın tanımla anlat anlatın açıkla açıklayın açıklama özetle özetleyin özet belirt belirtin listele sırala ver bilgi örnek ayrıntı görüş düşünüyor kısa kısaca basit sözcük kelime cümle lütfen",
		"makale yazı metin belge sayfa site blog gönderi haber gazete bülten inceleme döküm alıntı kitle okur okuyucu acemi uzman geliştirici jargon rehber kılavuz",
	},
}

// askingIn returns the words of a language, none if they are not known.
func askingIn(tag string) (request, text string) {
	for _, words := range askingWords {
		if words.tag == tag {
			return words.request, words.text
		}
	}
	return "", ""
}
