package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// FuzzEdit: whatever the text and its language, what is left of its sentences is in it, in
// their order, and is the same each time; and every sentence can be judged.
func FuzzEdit(f *testing.F) {
	for tag, s := range news {
		f.Add(tag, "", s)
	}
	for _, s := range []string{
		"“We won. It took years,” Moira Tench said.", "\"…”, “…“ und »…«", "ב\"א\" צה\"ל ארה“ב", "و\"نعم\" قال", "``We won.'' 7\" 'Tis",
		"ANN: Um, so we we order it.\nBEN: Yes.\n", "(Photo: A. B.) On Monday, \xff\xfe", "WASHINGTON (AP) — The", "By Jane Doe\n\nRead also: x", "Home · News | ©", "0 \u0651",
	} {
		for _, tag := range []string{"en", "de", "he", "ar", "zh", "ja", "th", "tr", "vi", ""} {
			f.Add(tag, s, s)
		}
	}
	f.Fuzz(func(t *testing.T, tag, title, s string) {
		if len(s) > 1<<14 {
			t.Skip("too long to be quick")
		}
		s = strings.ToValidUTF8(s, "\ufffd")
		run := func() []cluster.Document {
			d := cluster.Document{Title: title, Text: s, Language: tag, Sentences: text.Split(s, tag)}
			documents := []cluster.Document{d, {Text: title, Language: tag, Sentences: text.Split(title, tag)}}
			Edit(documents, []int{0})
			return documents
		}
		documents := run()
		checkOffsets(t, &documents[0])
		var sentences []string
		for _, sentence := range documents[0].Sentences {
			sentences = append(sentences, sentence.Text)
			voiceOf(sentence.Text, tag)
			talkOf(sentence.Text, tag)
			lookAt(sentence.Text)
			if share := wordsIn(title, sentence.Text); !(share >= 0 && share <= 1) {
				t.Errorf("%q has %v of the title", sentence.Text, share)
			}
		}
		for i, l := range Standing(sentences, tag) {
			if !(l.Alone >= 0 && l.Alone <= 1 && l.Introduced >= l.Alone && l.Introduced <= 1) || l.On < 0 || l.On > min(i, 2) {
				t.Errorf("%q: %+v", sentences[i], l)
			}
		}
		if again := run(); !slices.Equal(documents[0].Sentences, again[0].Sentences) {
			t.Error("other sentences the second time")
		}
	})
}
