package reading

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// turns joins n lines that begin with the given labels in turn.
func turns(n int, labels ...string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sthe pump of house %d is broken. We order another one.\n", labels[i%len(labels)], i)
	}
	return b.String()
}

func split(s, language string) *cluster.Document {
	return &cluster.Document{Text: s, Language: language, Sentences: text.Split(s, language)}
}

func TestTranscript(t *testing.T) {
	var distinct []string
	for i := range 60 {
		distinct = append(distinct, fmt.Sprintf("Step %d: ", i))
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"meeting":           {turns(45, "Project Manager: ", "Ann: ", "Bo: "), true},
		"captions":          {turns(45, "SPEAKER_01: ", "SPEAKER_02: "), true},
		"Chinese":           {strings.Repeat("周敏：今天主要定两件事。我们开始。\n郭凯：好，那就先说取件失败的问题。\n", 25), true},
		"short interview":   {turns(30, "Ann: ", "Bo: "), false},
		"questions":         {turns(60, "Q: ", "A: "), false},
		"numbered steps":    {turns(60, distinct...), false},
		"times":             {turns(60, "10:30 ", "11:00 "), false},
		"small letters":     {turns(60, "note: ", "warning: "), false},
		"long labels":       {turns(60, "What the council of the town said: ", "What the mayor of the town said: "), false},
		"within paragraphs": {strings.ReplaceAll(turns(60, "Ann: ", "Bo: "), "\n", " "), false},
		"mostly prose":      {turns(40, "Ann: ", "Bo: ") + strings.Repeat("The town has a new pump.\n", 600), false},
		"empty":             {"", false},
	} {
		if got := Transcript(split(c.text, "en")); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFillers: what opens a sentence of a transcript and says nothing is not quoted, and the
// spans stay exact. Other documents keep it.
func TestFillers(t *testing.T) {
	const said = "Ann: Um, the old one leaks. Um, so, we order the new pump on Monday. Well, uh – it costs 300 euros. So what? Yeah. However, the mayor agrees. 10:30 is fine with him.\n"
	want := []string{"Ann: Um, the old one leaks.", "we order the new pump on Monday.", "it costs 300 euros.", "So what?", "Yeah.", "However, the mayor agrees.", "10:30 is fine with him."}
	for _, spoken := range []bool{true, false} {
		all := said
		if spoken {
			all += turns(45, "Ann: ", "Bo: ")
		}
		documents := []cluster.Document{*split(all, "en")}
		Edit(documents, []int{0})
		var got []string
		for _, s := range documents[0].Sentences[:len(want)] {
			if s.Text != documents[0].Text[s.Start:s.End] {
				t.Errorf("%q is at %d–%d", s.Text, s.Start, s.End)
			}
			got = append(got, s.Text)
		}
		if same := fmt.Sprint(got) == fmt.Sprint(want); same != spoken {
			t.Errorf("transcript %v: %q", spoken, got)
		}
	}
	german := []cluster.Document{*split("Ann: Fertig. Ähm, also, na ja, wir bestellen die neue Pumpe.\n"+turns(45, "Ann: ", "Bo: "), "de")}
	Edit(german, []int{0})
	if got := german[0].Sentences[1].Text; got != "wir bestellen die neue Pumpe." {
		t.Errorf("%q", got)
	}
}

func TestTalk(t *testing.T) {
	for text, want := range map[string]float64{"日本的资本成本基本稳定。": 0, "土耳其应该降息。": 0, "他们没有来。": 1. / 3} {
		if got := talkOf(text, "zh").pointing; got != want {
			t.Errorf("%q: pointing %v, want %v", text, got, want)
		}
	}
	for sentence, want := range map[string]talk{
		"Ann: We order the new pump on Monday.":      {},
		"Um, we we order the the new pump, uh, now.": {breaks: 4},
		"It's a p pump and we we are we are late.":   {breaks: 3, pointing: 0.1},
		"That is what they said of it.":              {pointing: 3. / 7},
	} {
		got := talkOf(sentence, "en")
		if got.breaks != want.breaks || max(got.pointing-want.pointing, want.pointing-got.pointing) > 0.03 {
			t.Errorf("%q: %+v, want %+v", sentence, got, want)
		}
	}
}

// TestStamps: programs that transcribe meetings and chats write time stamps, and some name the
// speaker on a line of its own. Neither is quoted.
func TestStamps(t *testing.T) {
	for name, form := range map[string]string{
		"captions": "00:00:%02d %s: the pump of house %d is broken.\n",
		"brackets": "[10:%02d] %s: the pump of house %d is broken.\n",
		"chat":     "12/03/24, 10:%02d - %s: the pump of house %d is broken.\n",
		"alone":    "%[2]s Meier   0:%02[1]d\nThe pump of house %[3]d is broken.\n\n",
	} {
		var b strings.Builder
		for i := range 45 {
			fmt.Fprintf(&b, form, i, []string{"Ann", "Bo"}[i%2], i)
		}
		documents := []cluster.Document{*split(b.String(), "en")}
		if !Transcript(&documents[0]) {
			t.Errorf("%s: no transcript", name)
		}
		Edit(documents, []int{0})
		if !Transcript(&documents[0]) {
			t.Errorf("%s: no transcript after editing", name)
		}
		want := map[bool]string{true: "The pump of house 7 is broken.", false: "Bo: the pump of house 7 is broken."}[name == "alone"]
		if got := documents[0].Sentences[7].Text; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
