package files

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxParts is the number of parts of a mail, which may be nested so deep.
const (
	maxParts     = 200
	maxPartDepth = 20
)

// readMail reads a mail: RFC 5322, and MIME (RFC 2045 to 2049).
func readMail(data []byte, _ string, decode Decoder) (Content, error) {
	// A file that programs for mail exported may begin with the line of a mailbox.
	if bytes.HasPrefix(data, []byte("From ")) {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	a := &attachments{room: MaxUnpacked, documents: 1}
	d, err := message(data, decode, a, 0)
	if err != nil {
		return Content{}, err
	}
	return Content{Documents: append([]Document{d}, a.mails...), Members: a.files, Left: a.left}, nil
}

var (
	// postmark begins a mail: a sender, and a date with the time and the year, which a
	// sentence that begins with "From" hardly has.
	postmark = regexp.MustCompile(`(?m)^From \S.*\b(?:\d{4}\b.*\b\d\d:\d\d|\d\d:\d\d.*\b\d{4}\b).*\r?$`)
	quotedAt = regexp.MustCompile(`(?m)^>(>*From )`)
)

// readMailbox reads the mails of a mailbox: RFC 4155, in the form mboxrd.
func readMailbox(data []byte, _ string, decode Decoder) (Content, error) {
	var starts [][]int
	for _, found := range postmark.FindAllIndex(data, -1) {
		before := bytes.TrimSuffix(data[:found[0]], []byte("\n"))
		if before = bytes.TrimSuffix(before, []byte("\r")); len(before) == 0 || before[len(before)-1] == '\n' {
			starts = append(starts, found)
		}
	}
	if len(starts) == 0 {
		return Content{}, problem(Damaged, "not a mailbox: no line begins with \"From \"")
	}
	var c Content
	a := &attachments{room: MaxUnpacked}
	for i, start := range starts {
		if a.documents >= MaxDocuments {
			c.Left = len(starts) - i
			break
		}
		a.documents++
		end := len(data)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		mail := bytes.TrimLeft(data[start[1]:end], "\r\n")
		d, err := message(quotedAt.ReplaceAll(mail, []byte("$1")), decode, a, 0)
		if err != nil {
			if c.Unread++; c.Reason == nil {
				c.Reason = err
			}
		} else {
			c.Documents = append(c.Documents, d)
		}
		c.Documents = append(c.Documents, a.mails...)
		a.mails = nil
	}
	if len(c.Documents) == 0 {
		return Content{}, c.Reason
	}
	c.Members = a.files
	c.Left += a.left
	return c, nil
}

// message returns a mail without what it quotes, and adds what is attached to it.
func message(data []byte, decode Decoder, attached *attachments, depth int) (Document, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return Document{}, problem(Damaged, "not a mail: %v", err)
	}
	if m.Header.Get("From") == "" && m.Header.Get("Subject") == "" && m.Header.Get("Date") == "" && m.Header.Get("Content-Type") == "" {
		return Document{}, problem(Damaged, "not a mail: it has neither a sender nor a subject")
	}
	words := &mime.WordDecoder{CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		s, err := textOf(raw, label, decode)
		return strings.NewReader(s), err
	}}
	header := func(name string) string {
		raw := m.Header.Get(name)
		s, err := words.DecodeHeader(raw)
		if err != nil {
			s = raw
		}
		if !isASCII(s) && s == raw {
			// Not as the standard has it, but programs do.
			if s, err = textOf([]byte(raw), "", decode); err != nil {
				return ""
			}
		}
		return oneLine(s)
	}
	d := Document{Title: header("Subject"), Source: sender(header("From"), words)}
	if t, err := m.Header.Date(); err == nil {
		d.Date = isoDate(t.Format(time.RFC3339))
	}
	t := parts{decode: decode, words: words, left: maxParts, attached: attached}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		return Document{}, problem(Damaged, "%v", err)
	}
	plain, page, err := t.part(textproto.MIMEHeader(m.Header), body, depth)
	if err != nil {
		return Document{}, err
	}
	if own := ownText(plain); strings.TrimSpace(own) != "" {
		d.Text = own
		return d, nil
	}
	// Where there is plain text, but none of the sender, there is none in the HTML.
	if strings.TrimSpace(plain) == "" && strings.TrimSpace(page) != "" {
		d.Pages = []string{ownPage(page)}
	}
	return d, nil
}

// sender returns the name of a sender, else the address.
func sender(from string, words *mime.WordDecoder) string {
	list, err := (&mail.AddressParser{WordDecoder: words}).ParseList(from)
	if err != nil || len(list) == 0 {
		name, _, _ := strings.Cut(from, "<")
		return strings.Trim(oneLine(name), `" `)
	}
	if list[0].Name != "" {
		return oneLine(list[0].Name)
	}
	return list[0].Address
}

// parts collects the texts of a mail.
type parts struct {
	decode   Decoder
	words    *mime.WordDecoder
	left     int
	attached *attachments
}

// part returns the plain text and the HTML of a part.
func (t *parts) part(h textproto.MIMEHeader, body []byte, depth int) (plain, page string, err error) {
	if t.left--; t.left < 0 || depth > maxPartDepth {
		return "", "", problem(TooDeep, "more than %d parts, or %d within each other", maxParts, maxPartDepth)
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && media == "" {
		media = "text/plain"
	}
	if name, ok := t.attachment(h, media, params); ok && depth > 0 {
		t.attach(name, media, params["charset"], h, body, depth)
		return "", "", nil
	}
	switch {
	case media == "multipart/encrypted", media == "application/pkcs7-mime" && params["smime-type"] != "signed-data", media == "application/x-pkcs7-mime":
		return "", "", problem(Encrypted, "")
	case strings.HasPrefix(media, "multipart/"):
		return t.all(media, params["boundary"], body, depth)
	case media != "text/plain" && media != "text/html":
		return "", "", nil
	}
	raw, err := transferred(h.Get("Content-Transfer-Encoding"), body)
	if err != nil {
		return "", "", problem(Damaged, "%v", err)
	}
	s, err := textOf(raw, params["charset"], t.decode)
	if err != nil {
		return "", "", err
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.HasPrefix(strings.TrimSpace(s), "-----BEGIN PGP MESSAGE-----") {
		return "", "", problem(Encrypted, "")
	}
	if media == "text/html" {
		return "", s, nil
	}
	if strings.EqualFold(params["format"], "flowed") {
		s = flowed(s, strings.EqualFold(params["delsp"], "yes"))
	}
	return s, "", nil
}

// parts returns the texts of a part that has parts.
func (t *parts) all(media, boundary string, body []byte, depth int) (plain, page string, err error) {
	if boundary == "" {
		return "", "", problem(Damaged, "parts without a boundary")
	}
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	seen := 0
	for {
		// Not NextPart: that decodes what it calls quoted-printable.
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(p)
		}
		if err != nil && len(content) == 0 {
			if seen == 0 {
				return "", "", problem(Damaged, "%v", err)
			}
			break // the mail is cut off, and this is what there is of it
		}
		seen++
		one, other, err := t.part(p.Header, content, depth+1)
		if err != nil {
			return "", "", err
		}
		if media == "multipart/alternative" {
			// The last is the best of those that can be shown.
			if strings.TrimSpace(one) != "" {
				plain = one
			}
			if other != "" {
				page = other
			}
			continue
		}
		if one != "" && plain != "" {
			plain += "\n\n"
		}
		if strings.TrimSpace(one) == "" && other != "" && plain != "" {
			// A text followed by HTML that is no alternative, but a footer, say.
			continue
		}
		if plain == "" && page != "" {
			// The text is no alternative to the HTML before it, but what a mailing list
			// adds, say.
			for paragraph := range strings.SplitSeq(ownText(one), "\n\n") {
				if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
					page += "\n<p>" + escape(paragraph) + "</p>"
				}
			}
			one = ""
		}
		plain += one
		page += other
		if media != "multipart/mixed" && media != "multipart/digest" && seen == 1 {
			break // the root of related parts, or what is signed
		}
	}
	return plain, page, nil
}

// transferred undoes the encoding for transfer.
func transferred(encoding string, body []byte) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "quoted-printable":
		return unquoted(body), nil
	case "base64":
		clean := bytes.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\r\n", r) {
				return -1
			}
			return r
		}, body)
		clean = bytes.TrimRight(clean, "=")
		raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
		n, err := base64.RawStdEncoding.Decode(raw, clean)
		if err != nil && n == 0 {
			return nil, fmt.Errorf("base64: %w", err)
		}
		return raw[:n], nil
	}
	return body, nil
}

// unquoted decodes quoted-printable (RFC 2045, section 6.7). What is not encoded as it
// should be stands for itself: the reader of Go's library ends there, and at long lines.
func unquoted(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for line := range bytes.SplitAfterSeq(body, []byte("\n")) {
		text, ends := bytes.CutSuffix(line, []byte("\n"))
		text = bytes.TrimRight(text, " \t\r")
		if soft, ok := bytes.CutSuffix(text, []byte("=")); ok {
			text, ends = soft, false
		}
		for len(text) > 0 {
			if text[0] == '=' && len(text) > 2 {
				if n, err := strconv.ParseUint(string(text[1:3]), 16, 8); err == nil {
					out, text = append(out, byte(n)), text[3:]
					continue
				}
			}
			out, text = append(out, text[0]), text[1:]
		}
		if ends {
			out = append(out, '\n')
		}
	}
	return out
}

// flowed joins the lines of a paragraph: RFC 3676.
func flowed(s string, delete bool) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if rest, ok := strings.CutPrefix(line, " "); ok {
			line = rest // stuffed
		}
		soft := strings.HasSuffix(line, " ") && line != "-- "
		if soft && delete {
			line = line[:len(line)-1]
		}
		b.WriteString(line)
		if !soft {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
