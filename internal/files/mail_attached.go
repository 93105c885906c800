package files

import (
	"bytes"
	"mime"
	"net/textproto"
	"path"
	"strings"
)

// attachments are what is attached to the mails of a file: mails, which become documents
// of their own, and other files.
type attachments struct {
	mails []Document
	files []Member
	// documents counts the mails of the whole file that are read, and left those beyond
	// the limit.
	documents, left int
	// room is the number of bytes that the archives among them may still unpack to.
	room int64
}

// silent are the kinds of attachments that are part of how mails are sent: signatures,
// keys, visiting cards, invitations.
var silent = map[string]bool{
	"application/pgp-signature": true, "application/pkcs7-signature": true, "application/x-pkcs7-signature": true,
	"application/pgp-keys": true, "application/ics": true, "text/calendar": true, "text/vcard": true, "text/x-vcard": true,
}

// attachment reports whether a part is a file that is attached, and returns its name.
// Pictures and texts are part of the mail unless it says otherwise.
func (t *parts) attachment(h textproto.MIMEHeader, media string, params map[string]string) (name string, ok bool) {
	disposition, more, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	name = more["filename"]
	if name == "" {
		name = params["name"]
	}
	if decoded, err := t.words.DecodeHeader(name); err == nil {
		name = decoded
	}
	name = oneLine(strings.ToValidUTF8(path.Base(strings.ReplaceAll(name, "\\", "/")), "\ufffd"))
	kind, _, _ := strings.Cut(media, "/")
	switch {
	case kind == "multipart" || strings.Contains(media, "pkcs7-mime"):
		return "", false
	case disposition == "attachment" || media == "message/rfc822":
	case kind == "text" || kind == "image" || name == "" || name == ".":
		return "", false
	}
	if name == "" || name == "." {
		name = "attachment" + map[string]string{"text/plain": ".txt", "text/html": ".html", "application/pdf": ".pdf"}[media]
	}
	return name, true
}

// attach adds a file. What is wrong with it is no reason to refuse its mail.
func (t *parts) attach(name, media, charset string, h textproto.MIMEHeader, body []byte, depth int) {
	a := t.attached
	data, err := transferred(h.Get("Content-Transfer-Encoding"), body)
	if err != nil {
		err = problem(Damaged, "%v", err)
	}
	ext := extension(name)
	switch {
	case silent[media] || len(a.files) == MaxMembers:
		return
	case err != nil:
	case media == "message/rfc822", ext == ".eml":
		if depth >= maxPartDepth {
			err = problem(Nested, "")
			break
		}
		var d Document
		if d, err = message(data, t.decode, a, depth+1); err == nil {
			if a.documents < MaxDocuments {
				a.documents++
				a.mails = append(a.mails, d)
			} else {
				a.left++
			}
			return
		}
	case ext == ".mbox", ext == ".mbx":
		// Mails in mails in mails have no end.
		err = problem(Nested, "")
	case bytes.HasPrefix(data, []byte(zipped)):
		archive, bad := openArchive(data, maxEntries)
		if err = bad; err != nil {
			break
		}
		archive.left = min(archive.left, a.room)
		before := archive.left
		var c Content
		document := documentIn(archive, name, t.decode) != nil
		if !document {
			err = c.members(archive, name+"/", t.decode)
		}
		if e, ok := err.(*Error); ok && e.Problem == TooLarge {
			archive.left = 0
		}
		// What was unpacked in vain counts, too.
		a.room -= before - archive.left
		if document || err != nil {
			break
		}
		for _, m := range c.Members {
			switch extension(m.Name) {
			case ".eml", ".mbox", ".mbx":
				m.Err = problem(Nested, "")
			}
			if len(a.files) < MaxMembers {
				a.files = append(a.files, m)
			}
		}
		return
	case media == "text/plain" || media == "text/html":
		if s, bad := textOf(data, charset, t.decode); bad == nil {
			data = []byte(s)
		}
	}
	a.files = append(a.files, Member{Name: name, Data: data, Err: err})
}
