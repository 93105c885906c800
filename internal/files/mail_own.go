package files

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// What programs for mail write before the text of another mail, in the languages of
// the page and of many users.
var (
	// original begins a mail that is answered, and all that follows is of others.
	original = regexp.MustCompile(`(?i)^\s*(?:-{3,}|_{3,})\s*(?:original message|original appointment|ursprüngliche nachricht|mensaje original|message d'origine|message original|mensagem original|messaggio originale|oorspronkelijk bericht|исходное сообщение)\s*(?:-{3,}|_{3,})\s*$`)
	// forwarded begins a mail that is passed on.
	forwarded = regexp.MustCompile(`(?i)^\s*(?:-{3,}\s*(?:forwarded message|weitergeleitete nachricht|mensaje reenviado|message transféré|mensagem encaminhada|messaggio inoltrato|пересылаемое сообщение)\s*-{3,}|begin forwarded message:|anfang der weitergeleiteten nachricht:|inicio del mensaje reenviado:|début du message réexpédié :|início da mensagem reencaminhada:)\s*$`)
	// field is a line of a header in a text.
	field = regexp.MustCompile(`(?i)^\s*\*?(?:from|sent|to|cc|bcc|date|subject|reply-to|von|gesendet|an|datum|betreff|de|enviado(?: el| em)?|para|fecha|data|asunto|assunto|envoyé|à|objet|da|inviato|a|oggetto|от|дата|кому|тема)\s?[:：]\*?\s`)
	// from is the field of the sender.
	from = regexp.MustCompile(`(?i)^\s*\*?(?:from|von|de|da|от)\s?[:：]`)
	// sent is the signature of a telephone.
	sent = regexp.MustCompile(`(?i)^\s*(?:sent from my |sent from (?:outlook|yahoo|proton|mail for)|get outlook for |von meinem .{2,30} gesendet|enviado desde mi |enviado do meu |enviado a partir do |envoyé de mon |envoyé depuis |inviato da(?:l mio)? |отправлено с )`)
	// scrubbed begins what archives of lists write in place of attachments.
	scrubbed = regexp.MustCompile(`^-{10,} next part -{10,}\s*$`)
	// rule separates the footer of a mailing list.
	rule = regexp.MustCompile(`^\s*_{30,}\s*$`)
)

// wroteWords are at the end of the line before a quoted mail, in lower case.
var wroteWords = []string{
	"wrote", "writes", "schrieb", "escribió", "escribio", "a écrit", "escreveu", "ha scritto", "schreef", "skrev", "kirjoitti", "napisał", "написал", "пишет",
	"yazdı", "写道", "书写", "のメッセージ",
}

// maxAfter is the number of bytes after these words, an address for instance.
const maxAfter = 80

// isWrote reports whether a line introduces a quoted mail.
func isWrote(line string) bool {
	line = strings.TrimSpace(line)
	if !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "：") {
		return false
	}
	end := strings.ToLower(line[max(0, len(line)-maxAfter):])
	return slices.ContainsFunc(wroteWords, func(word string) bool { return strings.Contains(end, word) })
}

const (
	// maxSignature is the number of lines of a signature without the usual space, or of
	// the footer of a list.
	maxSignature = 12
	// maxIntroduction is the number of characters that introduce a quoted mail.
	maxIntroduction = 300
)

// ownText returns the text that the sender of a mail wrote: without quoted mails,
// their headers, and signatures.
func ownText(s string) string {
	lines := strings.Split(s, "\n")
	var own []string
	blank := true // nothing is the sender's so far
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		trimmed := strings.TrimSpace(line)
		left := len(lines) - i - 1
		switch {
		case strings.HasPrefix(trimmed, ">"):
			own = withoutIntroduction(own)
			continue
		case line == "-- ", strings.HasPrefix(line, "---") && scrubbed.MatchString(line), trimmed == "--" && left <= maxSignature, left <= maxSignature && rule.MatchString(line):
			return strings.Join(own, "\n")
		case left <= maxSignature && sent.MatchString(line):
			return strings.Join(own, "\n")
		case !marks(trimmed):
		case original.MatchString(line), isHeader(lines[i:]):
			if !blank && !forwarded.MatchString(line) {
				return strings.Join(own, "\n")
			}
			i += header(lines[i:]).lines - 1
			continue
		case forwarded.MatchString(line):
			i += header(lines[i:]).lines - 1
			continue
		case isWrote(line) && left > 0 && introduces(lines[i+1:]):
			own = withoutIntroduction(append(own, line))
			continue
		}
		if trimmed == "" && len(own) > 0 && strings.TrimSpace(own[len(own)-1]) == "" {
			continue // so that looking back past blank lines takes no time
		}
		own = append(own, line)
		blank = blank && trimmed == ""
	}
	return strings.Join(own, "\n")
}

// marks reports whether a line could be one that comes before another mail: they have a
// colon, or begin with a rule.
func marks(line string) bool {
	return strings.ContainsAny(line, ":：") || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "___")
}

// introduces reports whether a quotation follows.
func introduces(lines []string) bool {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			return strings.HasPrefix(l, ">")
		}
	}
	return false
}

// withoutIntroduction removes the paragraph at the end if it introduces a quoted mail.
func withoutIntroduction(own []string) []string {
	end := len(own)
	for end > 0 && strings.TrimSpace(own[end-1]) == "" {
		end--
	}
	if end == 0 || !isWrote(own[end-1]) {
		return own
	}
	start := end
	for start > 0 && end-start < 4 && strings.TrimSpace(own[start-1]) != "" {
		start--
	}
	paragraph := strings.Join(own[start:end], " ")
	if start == end || utf8.RuneCountInString(paragraph) > maxIntroduction || !isWrote(paragraph) {
		return own
	}
	// Some programs break the line; what comes before may be of the sender.
	for at := end - 1; at >= start; at-- {
		if strings.ContainsAny(own[at], "0123456789@<") || at == end-1 {
			start = at
			continue
		}
		start = at + 1
		break
	}
	return own[:start]
}

// minFields is the number of fields of a header: fewer are the sender's, a date and a
// place for instance.
const minFields = 3

// isHeader reports whether lines begin with the header of another mail: its sender and
// two more fields.
func isHeader(lines []string) bool {
	if !field.MatchString(lines[0]) {
		return false
	}
	h := header(lines)
	return h.fields >= minFields && h.sender
}

// quotedHeader is the header of another mail in a text.
type quotedHeader struct {
	lines  int // with the line and blank lines before it
	fields int
	sender bool // one is the sender
}

func header(lines []string) (h quotedHeader) {
	i := 0
	if original.MatchString(lines[0]) || forwarded.MatchString(lines[0]) {
		for i = 1; i < len(lines) && strings.TrimSpace(lines[i]) == ""; i++ {
		}
	}
	for i < len(lines) && field.MatchString(lines[i]) {
		h.fields++
		h.sender = h.sender || from.MatchString(lines[i])
		for i++; i < len(lines) && (strings.HasPrefix(lines[i], " ") || strings.HasPrefix(lines[i], "\t")) && strings.TrimSpace(lines[i]) != ""; i++ {
		}
	}
	h.lines = max(i, 1)
	return h
}

var (
	// others are the classes and ids of elements with another mail, or a signature.
	others = regexp.MustCompile(`^(?:gmail_quote(?:_container)?|gmail_attr|gmail_signature|moz-cite-prefix|moz-signature|moz-forward-container-header|yahoo_quoted|protonmail_quote|protonmail_signature_block|zmail_extra|tutanota_quote|WordSection1Quote|ms-outlook-mobile-signature|Signature|AppleMailSignature|x_gmail_quote|OutlookMessageHeader)$`)
	// rest are the ids of elements from which all is of another mail.
	rest = regexp.MustCompile(`^(?:x_)*(?:divRplyFwdMsg|appendonsend|stopSpelling|OLK_SRC_BODY_SECTION|reply-intro)$`)
)

// ownPage is [ownText] for HTML. If a mail is nothing but one that is passed on, it is
// that.
func ownPage(s string) string {
	z := html.NewTokenizer(strings.NewReader(s))
	var b strings.Builder
	within, depth := "", 0 // the element that is left out, and those of its name
	last, shown := "", false
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := string(z.Raw())
		switch kind {
		case html.StartTagToken:
			t := z.Token()
			last = t.Data
			if depth > 0 {
				if t.Data == within {
					depth++
				}
				continue
			}
			is := roleOf(t)
			if is == ofRest && shown {
				return b.String()
			}
			if is == ofOthers {
				within, depth = t.Data, 1
				continue
			}
		case html.TextToken:
			if depth == 0 && last != "style" && last != "script" && last != "title" && strings.TrimSpace(html.UnescapeString(raw)) != "" {
				shown = true
			}
		case html.EndTagToken:
			last = ""
			name, _ := z.TagName()
			if depth > 0 {
				if string(name) == within {
					depth--
				}
				continue
			}
		}
		if depth == 0 {
			b.WriteString(raw)
		}
	}
	if !shown {
		return s
	}
	return b.String()
}

const (
	ofSender = iota
	ofOthers
	ofRest
)

func roleOf(t html.Token) int {
	for _, a := range t.Attr {
		switch a.Key {
		case "type":
			if t.Data == "blockquote" && strings.EqualFold(a.Val, "cite") {
				return ofOthers
			}
		case "id", "class":
			for name := range strings.FieldsSeq(a.Val) {
				if rest.MatchString(name) {
					return ofRest
				}
				if others.MatchString(name) {
					return ofOthers
				}
			}
		}
	}
	return ofSender
}
