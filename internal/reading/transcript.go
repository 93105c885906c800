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
	// longestName is the length in bytes of the longest name of a speaker, speakerNameWords
	// that in words: "Eluned Morgan AM", "User Interface Designer".
	longestName, speakerNameWords = 48, 5
)

// Transcript reports whether a document is the transcript of a conversation: many lines
// begin with one of a few speakers, as in "Anna: ".
func Transcript(d *cluster.Document) bool {
	turns, names := 0, map[string]bool{}
	for line := range strings.Lines(d.Text) {
		if name, n := speaker(line); n > 0 {
			turns++
			names[name] = true
		}
	}
	return turns >= leastTurns && float64(turns) >= turnShare*float64(len(d.Sentences)) && turns >= turnsEach*len(names)
}

// speaker returns the name of the speaker at the start of a line and the length of what names
// them: "Project Manager: ", "[10:31] SPEAKER_01: ", "张三：", or all of "Ann Lee 0:03".
func speaker(line string) (name string, n int) {
	n = stamp(line)
	rest, _, _ := strings.Cut(line[n:], "\n")
	at := strings.IndexAny(rest[:min(len(rest), longestName)], ":：")
	if at <= 0 {
		return "", 0
	}
	_, size := utf8.DecodeRuneInString(rest[at:])
	if name = strings.TrimRight(rest, "0123456789:()[] \r"); len(name) < at && len(name) < len(strings.TrimRight(rest, ": \r")) {
		n += len(rest)
	} else if name = rest[:at]; size > 1 || strings.HasPrefix(rest[at+1:], " ") {
		n += at + size
	} else {
		return "", 0 // "10:30"
	}
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > speakerNameWords || utf8.RuneCountInString(name) == 1 { // "Q: "
		return "", 0
	}
	if first := firstRune(words[0]); !unicode.IsUpper(first) && !unicode.Is(unicode.Lo, first) {
		return "", 0
	}
	return name, n
}

// stamp returns the length of a time stamp at the start of a line, with what follows it:
// "00:12:03 ", "[10:31] ", "12/03/24, 10:31 - ".
func stamp(line string) int {
	n := strings.IndexFunc(line, func(r rune) bool { return !strings.ContainsRune("0123456789:.,/-–[]() ", r) })
	if n <= 0 || !strings.Contains(line[:n], ":") {
		return 0
	}
	return n
}

// trimFillers trims a time stamp, a line that only names the speaker, and "Um, so" and the
// like from the start of a sentence of a transcript.
func (e *editor) trimFillers(p *part) {
	line, _, more := strings.Cut(p.text, "\n")
	switch _, n := speaker(line); {
	case !p.opens || n == 0: // "10:30 is fine."
	case n < len(line):
		p.cutStart(stamp(line))
	case more:
		p.cutStart(n)
	default:
		p.drop = true
		return
	}
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
	// charactersOfWord is how many characters a word has in a language without spaces.
	charactersOfWord = 2
	// mostBreaks is the largest number of breaks that counts.
	mostBreaks = 4
)

// talk is how a sentence of a transcript is spoken.
type talk struct {
	breaks   int     // hesitations, repeated words, and words begun twice
	pointing float64 // share of words that are pronouns or demonstratives
}

func talkOf(sentence, language string) (s talk) {
	words := wordsOf(language)
	of := words.of
	var last [3]string // words before, the nearest first
	n, pointing := 0, 0
	_, start := speaker(sentence)
	if words.unspaced {
		n = words.each(sentence[start:], func(c class) {
			if c&(pronoun|demonstrative) != 0 {
				pointing++
			}
		}) / charactersOfWord
		if language == "th" {
			n /= 2
		}
	}
	for word := range strings.FieldsFuncSeq(sentence[start:], notInWord) {
		word = words.fold(word)
		if words.unspaced {
			// Counted above.
		} else if n++; of[word]&(pronoun|demonstrative) != 0 {
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
