package files

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestMailListFooter(t *testing.T) {
	got := textIn(t, "a.eml", "From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>The body.</p>\n"+
		"--x\nContent-Type: text/plain\n\n"+strings.Repeat("_", 47)+"\nList mailing list\n--x\nContent-Type: text/plain\n\nOne <more>\n--x--\n")
	expect(t, got, "The body.", "One &lt;more&gt;", "-", "mailing list")
}

func TestMailProseWithFields(t *testing.T) {
	for _, text := range []string{
		"You are invited.\n\nDate: Saturday 5 May\n   Town hall, at six\n   doors open at five\n\nCome early.\n",
		"You are invited.\n\nDate: Saturday 5 May\nTo: all\nSubject: a feast\n\nCome early.\n",
	} {
		expect(t, textIn(t, "a.eml", "From: a\n\n"+text), "invited", "Saturday", "Come early")
	}
	expect(t, textIn(t, "a.eml", "From: a\n\nMine.\n\nFrom: b\nDate: Monday\nSubject: other\n\nNot mine.\n"), "Mine", "-", "Not mine")
}

func TestMailCutOff(t *testing.T) {
	const start = "From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nThe first part.\n"
	expect(t, textIn(t, "a.eml", start), "The first part")
	expect(t, textIn(t, "a.eml", start+"--x\nContent-Type: text/plain\n\nThe second"), "The first part", "The second")
	expect(t, textIn(t, "a.eml", start+"--x\nContent-"), "The first part")
}

func TestMailQuotedPrintable(t *testing.T) {
	got := textIn(t, "a.eml", "From: a\nContent-Transfer-Encoding: quoted-printable\n\nA =C3=A4 =\r\njoined, a=b =ZZ \x01, "+strings.Repeat("long ", 2000)+"\nThe end=2E=\n")
	expect(t, got, "A ä joined, a=b =ZZ", "The end.")
}

func TestMailboxUnread(t *testing.T) {
	content, err := Read([]byte("From a@b Thu Jan  1 10:00:00 2026\nFrom: a\n\nRead.\n\nFrom here to 2026 it went on.\n\n"+
		"From a@b Thu Jan  1 10:00:00 2026\nFrom: a\nContent-Type: multipart/encrypted\n\n\n"+
		"From a@b Thu Jan  1 10:00:00 2026\nno mail\n"), "a.mbox", asUTF8)
	if err != nil {
		t.Fatal(err)
	}
	if len(content.Documents) != 1 || !strings.Contains(content.Documents[0].Text, "it went on") {
		t.Errorf("%+v, want one mail", content.Documents)
	}
	if content.Unread != 2 || content.Reason == nil || !strings.HasPrefix(content.Reason.Error(), "encrypted") {
		t.Errorf("%d unread: %v, want 2: encrypted", content.Unread, content.Reason)
	}
}

// TestMailQuotations is slow if each quotation looks back past all blank lines.
func TestMailBlankLines(t *testing.T) {
	got := textIn(t, "a.eml", "From: a\n\nMine.\n"+strings.Repeat("\n>\n", 3)+"End.")
	if got != "Mine.\n\nEnd." {
		t.Errorf("%q", got)
	}
}

func TestMailHeaderNotUTF8(t *testing.T) {
	content, err := Read([]byte("From: =?UTF-8?Q?J=ED?= <a@b>\nSubject: =?UTF-8?Q?R=EDo?=\n\nText.\n"), "a.eml", asUTF8)
	if err != nil {
		t.Fatal(err)
	}
	if d := content.Documents[0]; d.Title != "R\ufffdo" || d.Source != "a.eml (J\ufffd)" {
		t.Errorf("%q of %q", d.Title, d.Source)
	}
}

// mailWith returns a mail with attachments, whose names and contents take turns.
func mailWith(attached ...string) string {
	var b strings.Builder
	b.WriteString("From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nThe text.\n")
	for i := 0; i < len(attached); i += 2 {
		fmt.Fprintf(&b, "--x\nContent-Disposition: attachment; filename=%s\nContent-Transfer-Encoding: base64\n\n%s\n", attached[i], base64.StdEncoding.EncodeToString([]byte(attached[i+1])))
	}
	return b.String() + "--x--\n"
}

func TestMailAttachedLimits(t *testing.T) {
	// Archives that unpack to too much have unpacked a lot before they are refused.
	bomb := zipOf(t, "a.txt", strings.Repeat("a", freely+1))
	a := &attachments{room: MaxUnpacked}
	if _, err := message([]byte(mailWith("a.zip", bomb, "b.zip", bomb)), asUTF8, a, 0); err != nil {
		t.Fatal(err)
	}
	var e *Error
	if len(a.files) != 2 || !errors.As(a.files[1].Err, &e) || e.Problem != TooLarge {
		t.Errorf("%+v", a.files)
	}
	if a.room != MaxUnpacked-2*freely {
		t.Errorf("room for %d bytes, want %d", a.room, MaxUnpacked-2*freely)
	}
	// Without room nothing is unpacked.
	a = &attachments{}
	if _, err := message([]byte(mailWith("a.zip", zipOf(t, "a.txt", "Text."))), asUTF8, a, 0); err != nil {
		t.Fatal(err)
	}
	if len(a.files) != 1 || !errors.As(a.files[0].Err, &e) || e.Problem != TooLarge || a.room != 0 {
		t.Errorf("%+v, room for %d bytes", a.files, a.room)
	}
}

func TestMailboxAttachedMails(t *testing.T) {
	var attached []string
	for range 150 {
		attached = append(attached, "a.eml", "From: b\n\nAttached.\n")
	}
	mail := "From a@b Thu Jan  1 10:00:00 2026\n" + mailWith(attached...) + "\n"
	content, err := Read([]byte(strings.Repeat(mail, 8)), "a.mbox", asUTF8)
	if err != nil {
		t.Fatal(err)
	}
	// Six mails and what is attached to them, the seventh with 93, and the eighth not at all.
	if len(content.Documents) != MaxDocuments || content.Left != 7*151-MaxDocuments+1 {
		t.Errorf("%d documents, %d left", len(content.Documents), content.Left)
	}
}
