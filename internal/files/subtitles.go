package files

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// cue is a line or two on the screen.
type cue struct {
	start, end time.Duration
	lines      []said
}

// said is a line and its speaker, if it names one.
type said struct{ speaker, text string }

const (
	// pause is the silence after which a paragraph begins.
	pause = 3 * time.Second
	// frame is how long a frame of a film is shown: nobody reads a cue that is gone before.
	frame = 40 * time.Millisecond
	// longParagraph is the number of characters after which one begins at the next end
	// of a sentence, and longStretch that after which one begins where no sentence ends.
	longParagraph = 500
	longStretch   = 400
	// maxRolling is the number of lines on the screen of captions that roll.
	maxRolling = 8
)

var (
	timing     = regexp.MustCompile(`^\s*(\d{1,4}:)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})\s*-->\s*(\d{1,4}:)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`)
	voice      = regexp.MustCompile(`<v(?:\.[^ \t>]*)?[ \t]+([^>]+)>`)
	anyTag     = regexp.MustCompile(`</?[A-Za-z0-9:.][^<>]*>|\{\\[^}]*\}`)
	capitals   = regexp.MustCompile(`^(?:>>+\s*)?([\p{Lu}][\p{Lu}\p{M}\p{N}.'’ -]{1,40})(?:\s*\([^)]*\))?[:：]\s+(\S.*)$`)
	name       = regexp.MustCompile(`^(\p{Lu}[\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{M}\p{N}.'’()-]+){0,4})[:：]\s+(\S.*)$`)
	chevrons   = regexp.MustCompile(`^>>+\s*`)
	dash       = regexp.MustCompile(`^[-–—]\s*(\S.*)$`)
	soundsOnly = regexp.MustCompile(`^(?:[\[(（【][^\])）】]*[\])）】]|[♪♫#].*|.*[♪♫])$`)
	sound      = regexp.MustCompile(`[\[【][^\]】]{1,60}[\]】]`)
	ending     = regexp.MustCompile(`[.!?…。！？।؟۔][)"'”’»]*$`)
)

// readSubtitles reads the words of a film or a talk: WebVTT and SubRip. They are one
// document, whose paragraphs are what one speaker says without a pause.
func readSubtitles(data []byte, file string, decode Decoder) (Content, error) {
	s, err := textOf(data, "", decode)
	if err != nil {
		return Content{}, err
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	var d Document
	isVTT := strings.HasPrefix(s, webVTT)
	if !isVTT && extension(file) == ".vtt" {
		return Content{}, problem(Damaged, "it does not begin with WEBVTT")
	}
	if isVTT {
		first, rest, _ := strings.Cut(s, "\n")
		d.Title = strings.TrimLeft(strings.TrimPrefix(first, webVTT), " \t-–—:")
		s = rest
	}
	cues := cuesOf(s)
	if len(cues) == 0 {
		return Content{}, problem(Damaged, "it has no times of subtitles")
	}
	cues = shownCues(cues)
	nameSpeakers(cues)
	d.Text = transcript(cues)
	return one(d, nil)
}

// cuesOf returns the cues in their order in the file.
func cuesOf(s string) []cue {
	lines := strings.Split(s, "\n")
	var cues []cue
	for i := 0; i < len(lines); i++ {
		m := timing.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		c := cue{start: at(m[1:5]), end: at(m[5:9])}
		speaker := ""
		// A line of blanks does not end a cue: programs that make captions roll write some.
		for i++; i < len(lines) && lines[i] != ""; i++ {
			if timing.MatchString(lines[i]) {
				// No blank line between the cues: before the times is their number.
				i--
				if n := len(c.lines); n > 0 && strings.Trim(c.lines[n-1].text, "0123456789") == "" {
					c.lines = c.lines[:n-1]
				}
				break
			}
			var text said
			if text, speaker = lineOf(lines[i], speaker); text.text != "" {
				c.lines = append(c.lines, text)
			}
		}
		cues = append(cues, c)
	}
	return cues
}

// shownCues leaves out the words of cues that are not on the screen for a frame of a
// film, unless the file states no times.
func shownCues(cues []cue) []cue {
	kept := slices.DeleteFunc(slices.Clone(cues), func(c cue) bool { return c.end-c.start < frame })
	if len(kept) == 0 {
		return cues
	}
	// Captions that roll are on the screen for a moment between their lines.
	others := map[string]bool{}
	for _, c := range kept {
		for _, l := range c.lines {
			others[l.text] = true
		}
	}
	return slices.DeleteFunc(cues, func(c cue) bool {
		return c.end-c.start < frame && slices.ContainsFunc(c.lines, func(l said) bool { return !others[l.text] })
	})
}

// nameSpeakers finds the speakers of transcripts in which most cues begin with one, as
// programs for meetings write them.
func nameSpeakers(cues []cue) {
	n, all := 0, 0
	for _, c := range cues {
		if len(c.lines) > 0 {
			all++
			if name.MatchString(c.lines[0].text) {
				n++
			}
		}
	}
	if n < 2 || 2*n < all {
		return
	}
	for _, c := range cues {
		if len(c.lines) == 0 {
			continue
		}
		if m := name.FindStringSubmatch(c.lines[0].text); m != nil {
			c.lines[0] = said{m[1], m[2]}
		}
	}
}

// at returns the time of hours, minutes, seconds and milliseconds.
func at(m []string) time.Duration {
	number := func(s string) (n time.Duration) {
		for _, c := range strings.TrimSuffix(s, ":") {
			n = 10*n + time.Duration(c-'0')
		}
		return n
	}
	return number(m[0])*time.Hour + number(m[1])*time.Minute + number(m[2])*time.Second + number(m[3])*time.Millisecond
}

// lineOf returns the words of a line. The speaker is that of the last line of the cue,
// and stays until another is named.
func lineOf(line, speaker string) (said, string) {
	if m := voice.FindAllStringSubmatch(line, -1); m != nil {
		speaker = oneLine(html.UnescapeString(m[len(m)-1][1]))
	}
	text := oneLine(html.UnescapeString(anyTag.ReplaceAllString(line, "")))
	text = strings.Map(func(r rune) rune {
		if r == '\u200b' || r == '\u200e' || r == '\u200f' || r == '\ufeff' {
			return -1
		}
		return r
	}, text)
	if soundsOnly.MatchString(text) {
		return said{}, speaker
	}
	text = oneLine(sound.ReplaceAllString(text, " "))
	if m := capitals.FindStringSubmatch(text); m != nil {
		speaker, text = oneLine(m[1]), m[2]
	} else if chevrons.MatchString(text) {
		speaker, text = "—", chevrons.ReplaceAllString(text, "") // another one
	} else if m := dash.FindStringSubmatch(text); m != nil {
		speaker, text = "—", m[1]
	}
	return said{speaker, text}, speaker
}

// transcript joins the cues to paragraphs. What rolls over the screen is in several
// cues: it is said once.
func transcript(cues []cue) string {
	var b strings.Builder
	var paragraph []byte
	var before []said // the lines of the cue before
	var ended time.Duration
	speaker, stretch := "", 0
	end := func() {
		if len(paragraph) > 0 {
			b.Write(paragraph)
			b.WriteString("\n\n")
		}
		paragraph, stretch = nil, 0
	}
	for _, c := range cues {
		lines := c.lines
		for i := range before[:min(len(before), maxRolling)] {
			if same(lines, before[i:]) {
				lines = lines[len(before)-i:]
				break
			}
		}
		if len(lines) == len(c.lines) && len(lines) > 0 {
			lines = rolled(lines, before)
		}
		if len(c.lines) > 0 {
			before = c.lines
		}
		if len(lines) == 0 {
			ended = max(ended, c.end)
			continue
		}
		if len(paragraph) > 0 && c.start-ended >= pause {
			end()
		}
		for _, l := range lines {
			another := l.speaker == "—" || l.speaker != "" && l.speaker != speaker
			if another || stretch == 0 && len(paragraph) > longParagraph || stretch > longStretch {
				end()
			}
			if l.speaker != "" && l.speaker != "—" && l.speaker != speaker {
				paragraph = append(paragraph, l.speaker+": "...)
			}
			if l.speaker != "" {
				speaker = strings.TrimPrefix(l.speaker, "—")
			}
			if len(paragraph) > 0 && spaced(paragraph, l.text) && !bytes.HasSuffix(paragraph, []byte(": ")) {
				paragraph = append(paragraph, ' ')
			}
			paragraph = append(paragraph, l.text...)
			if stretch += len(l.text); ending.MatchString(l.text) {
				stretch = 0
			}
		}
		ended = max(ended, c.end)
	}
	end()
	return strings.TrimSpace(b.String())
}

// same reports whether lines begin with those that were on the screen before.
func same(lines, before []said) bool {
	if len(before) > len(lines) {
		return false
	}
	for i := range before {
		if lines[i].text != before[i].text {
			return false
		}
	}
	return true
}

// rolled removes from the first line what was on the screen before, of captions that
// appear word by word.
func rolled(lines, before []said) []said {
	if len(before) == 0 || len(lines) != len(before) {
		return lines
	}
	last := len(lines) - 1
	for i := range last {
		if lines[i].text != before[i].text {
			return lines
		}
	}
	more, ok := strings.CutPrefix(lines[last].text, before[last].text)
	if !ok || more != "" && !strings.HasPrefix(more, " ") {
		return lines
	}
	if more = strings.TrimSpace(more); more == "" {
		return nil
	}
	return []said{{lines[last].speaker, more}}
}

// spaced reports whether a space is between the words of two lines: not between
// characters of scripts without spaces.
func spaced(before []byte, after string) bool {
	last, _ := utf8.DecodeLastRune(before)
	first, _ := utf8.DecodeRuneInString(after)
	return !unspaced(last) || !unspaced(first)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}
