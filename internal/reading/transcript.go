package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

const (
	// leastTurns is the number of turns from which on a document is a transcript; printed
	// interviews have fewer, and their sentences are written ones.
	leastTurns = 40
	// turnShare is the least share of its sentences that begin a turn.
	turnShare = 0.08
	// turnsEach is the mean number of turns of a speaker.
	turnsEach = 4
	// longestName is the length in bytes of the longest name of a speaker, speakerNameWords that
	// in words: "Eluned Morgan AM", "User Interface Designer".
	longestName, speakerNameWords = 48, 5
)

// Transcript reports whether a document is the transcript of a conversation: many lines
// begin with one of a few speakers, as in "Anna: ".
func Transcript(d *cluster.Document) bool {
	turns, names, end := 0, map[string]bool{}, 0
	for _, s := range d.Sentences {
		before := d.Text[end:s.Start]
		if end == 0 || strings.Contains(before, "\n") {
			if n := speaker(s.Text); n > 0 {
				turns++
				names[s.Text[:n]] = true
			}
		}
		end = s.End
	}
	return turns >= leastTurns && float64(turns) >= turnShare*float64(len(d.Sentences)) && turns >= turnsEach*len(names)
}

// speaker returns the length of the name of a speaker and its colon at the start of a line:
// "Project Manager: ", "SPEAKER_01: ", "张三：".
func speaker(line string) int {
	at := strings.IndexAny(line[:min(len(line), longestName)], ":：")
	if at <= 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(line[at:])
	if size == 1 && !strings.HasPrefix(line[at+1:], " ") {
		return 0 // "10:30"
	}
	words := strings.Fields(line[:at])
	if first := firstRune(words[0]); !unicode.IsUpper(first) && !unicode.IsTitle(first) && !unicode.Is(unicode.Lo, first) || len(words) > speakerNameWords {
		return 0
	}
	return at + size
}

// trimFillers trims "Um, so" and the like from the start of a sentence of a transcript.
func (e *editor) trimFillers(p *part) {
	for {
		n := e.prefixLength(p.text, &e.words.filler)
		if n == 0 {
			n = strings.IndexFunc(p.text, func(r rune) bool { return !unicode.IsLetter(r) })
			if n <= 0 || !slices.Contains(hesitations, strings.ToLower(p.text[:n])) {
				return
			}
		}
		rest := strings.TrimLeft(p.text[n:], " ,.;–—-…")
		if length(rest) < leastRest {
			return
		}
		p.cutStart(len(p.text) - len(rest))
	}
}

// hesitations are sounds of people who think while they speak, in any language.
var hesitations = strings.Fields("um umm uh uhm eh ehm er erm hm hmm mm hum äh ähm öh öhm euh э эм")

const (
	// ramble is the number of words from which on spoken sentences are hard to follow.
	ramble = 25
	// mostBreaks is the largest number of breaks that counts.
	mostBreaks = 4
)

// talk is how a sentence of a transcript is spoken.
type talk struct {
	breaks   int     // hesitations, repeated words, and words begun twice
	pointing float64 // share of words that are pronouns or demonstratives
}

func talkOf(sentence, language string) (s talk) {
	of := wordsOf(language).of
	var last [3]string // words before, the nearest first
	n, pointing := 0, 0
	for word := range strings.FieldsFuncSeq(sentence[speaker(sentence):], func(r rune) bool { return !unicode.IsLetter(r) }) {
		n++
		word = strings.ToLower(word)
		if of[word]&(pronoun|demonstrative) != 0 {
			pointing++
		}
		switch {
		case slices.Contains(hesitations, word), word == last[0], word == last[1] && last[0] == last[2],
			len(last[0]) == 1 && strings.HasPrefix(word, last[0]) && of[last[0]] == 0 && !strings.Contains("adimost", last[0]):
			s.breaks++
		}
		last = [3]string{word, last[0], last[1]}
	}
	s.breaks, s.pointing = min(s.breaks, mostBreaks), float64(pointing)/float64(max(1, n))
	return s
}
