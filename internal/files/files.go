// Package files reads the files that hold documents in a format of some program:
// Word, OpenDocument, Rich Text, e-books, mail, subtitles, tables of texts, and
// archives of these. It turns each into documents of HTML or plain text, which the
// readers of these take on: those of the command line program, and those of the page,
// for which wasm/files is this package.
//
// Start with [Read]. Nothing here trusts its input: what a file unpacks to is limited
// in size, number and depth, and entities that a file declares are not expanded.
package files

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Document is one document of a file.
type Document struct {
	// Title as the document states it, else its first heading; empty if it has neither.
	Title string
	// Source is an address that the file states, or the name of the file and, if the file
	// says more, who wrote the document or which one it is.
	Source string
	// Date in ISO 8601; empty if unknown.
	Date string
	// Pages are HTML, whose blocks in their order are the document. If there are none,
	// Text is the document, as plain text.
	Pages []string
	Text  string
}

// Member is a file in an archive or attached to a mail, which is to be read as any other file.
type Member struct {
	Name string
	Data []byte
	// Err says why the member cannot be read.
	Err error
}

// Content is what a file holds: documents, and the members of an archive or the files
// attached to mails.
type Content struct {
	Documents []Document
	Members   []Member
	// Left counts the documents beyond the limit.
	Left int
	// Unread counts the documents that cannot be read, and Reason says why the first of
	// them cannot.
	Unread int
	Reason error
}

// Decoder converts text to UTF-8. The label names the encoding; it is empty where
// the file does not say.
type Decoder func(data []byte, label string) (string, error)

// The limits of what a file may hold.
const (
	// MaxUnpacked is the number of bytes that the members of an archive may have in
	// total, or what is read of a document.
	MaxUnpacked = 64 << 20
	// MaxDocuments is the number of documents that are read of a file.
	MaxDocuments = 1000
	// MaxMembers is the number of files in an archive.
	MaxMembers = 1000

	// freely is how much any archive may unpack to; beyond it, maxRatio times its size.
	freely   = 8 << 20
	maxRatio = 200
	// maxEntries is the number of entries of a document that is an archive.
	maxEntries = 20_000
	maxDepth   = 256
)

// Problem is the reason why a file cannot be read.
type Problem string

// The problems; the page has a text for each.
const (
	Damaged      Problem = "damaged"
	Encrypted    Problem = "encrypted"
	Protected    Problem = "protected"
	Old          Problem = "old"
	Spreadsheet  Problem = "spreadsheet"
	Presentation Problem = "presentation"
	Pages        Problem = "pages"
	Outlook      Problem = "outlook"
	TooLarge     Problem = "unpacked"
	TooMany      Problem = "members"
	TooDeep      Problem = "deep"
	Nested       Problem = "nested"
	Method       Problem = "method"
	NoTexts      Problem = "noTexts"
	NoWords      Problem = "noWords"
	NoFiles      Problem = "noFiles"
)

var explanations = map[Problem]string{
	Damaged:      "damaged or incomplete, or not what its name says",
	Encrypted:    "encrypted: open it with its password and save a copy without one",
	Protected:    "protected by digital rights management (DRM): its text cannot be read",
	Old:          "a Word file in the old format (.doc): save it as .docx or PDF first",
	Spreadsheet:  "a spreadsheet: save the texts as CSV first",
	Presentation: "a presentation: save it as PDF first",
	Pages:        "a file of Apple's Pages, Numbers or Keynote: export it as Word or PDF first",
	Outlook:      "an Outlook message (.msg): save it as .eml first",
	TooLarge:     "too large when unpacked",
	TooMany:      fmt.Sprintf("an archive with more than %d files", MaxMembers),
	TooDeep:      fmt.Sprintf("elements nested more than %d deep", maxDepth),
	Nested:       "packed again inside an archive or mail: unpack it first",
	Method:       "compressed by a method that is not supported: pack it again as a plain ZIP file",
	NoTexts:      "no column of texts found: name it \"text\" in the first row",
	NoWords:      "no text found",
	NoFiles:      "an archive without files",
}

// Error says why a file cannot be read.
type Error struct {
	Problem Problem
	// Detail is where or what exactly; it may be empty.
	Detail string
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return explanations[e.Problem]
	}
	return explanations[e.Problem] + " (" + e.Detail + ")"
}

// Refused reports whether the problem is the file's format, which is not supported.
func (e *Error) Refused() bool {
	switch e.Problem {
	case Old, Spreadsheet, Presentation, Pages, Outlook:
		return true
	}
	return false
}

func problem(p Problem, detail string, args ...any) error {
	return &Error{p, fmt.Sprintf(detail, args...)}
}

// reader reads one format.
type reader func(data []byte, name string, decode Decoder) (Content, error)

// texts are the formats that only the extension of a file tells.
var texts = map[string]reader{
	".eml": readMail, ".mbox": readMailbox, ".mbx": readMailbox,
	".vtt": readSubtitles, ".srt": readSubtitles,
	".csv": readTable, ".tsv": readTable, ".tab": readTable,
}

// packed are the extensions of formats that their first bytes tell, unless they are
// damaged.
var packed = map[string]bool{".docx": true, ".docm": true, ".dotx": true, ".odt": true, ".ott": true, ".epub": true, ".rtf": true, ".zip": true}

const (
	zipped   = "PK\x03\x04"
	emptyZip = "PK\x05\x06"
	compound = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	richText = `{\rtf`
	webVTT   = "WEBVTT"
)

// Handles reports whether a file of a name with these first bytes is one for [Read].
// web/demo/src/read/encoding.ts does the same.
func Handles(name string, head []byte) bool {
	for _, start := range []string{zipped, emptyZip, compound, richText} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	if isSignature(head) {
		return false
	}
	ext := extension(name)
	return texts[ext] != nil || packed[ext] || bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte(webVTT))
}

// isSignature reports whether data begins as a format of other readers, whatever its
// name is.
func isSignature(head []byte) bool {
	for _, start := range []string{"%PDF-", "\x89PNG", "GIF8", "\xff\xd8\xff"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return false
}

// Read returns what a file holds. Its errors are of type [*Error].
func Read(data []byte, name string, decode Decoder) (Content, error) {
	read := readerOf(data, name)
	content, err := read(data, name, decode)
	if err != nil {
		return Content{}, err
	}
	kept := content.Documents[:0]
	for _, d := range content.Documents {
		if strings.TrimSpace(d.Text) == "" && len(d.Pages) == 0 {
			continue
		}
		// Encoded words of mails are bytes, whatever encoding they state.
		d.Title = oneLine(strings.ToValidUTF8(d.Title, "\ufffd"))
		d.Source = sourceOf(name, strings.ToValidUTF8(d.Source, "\ufffd"))
		kept = append(kept, d)
	}
	content.Documents = kept
	if len(kept) == 0 && len(content.Members) == 0 {
		return Content{}, problem(NoWords, "")
	}
	return content, nil
}

func readerOf(data []byte, name string) reader {
	ext := extension(name)
	has := func(start string) bool { return bytes.HasPrefix(data, []byte(start)) }
	switch {
	case has(zipped), has(emptyZip):
		return readPackage
	case has(compound):
		return refuseCompound
	case has(richText):
		return readRichText
	case texts[ext] != nil:
		return texts[ext]
	case packed[ext]:
		return func([]byte, string, Decoder) (Content, error) {
			return Content{}, problem(Damaged, "not a %s file", strings.ToUpper(ext[1:]))
		}
	case has(webVTT), has("\xef\xbb\xbf" + webVTT):
		return readSubtitles
	}
	return func([]byte, string, Decoder) (Content, error) {
		return Content{}, problem(Damaged, "in none of the formats of this package")
	}
}

// extension returns the extension of a name in lower case, before that of gzip or zstd.
func extension(name string) string {
	return path.Ext(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst"))
}

// textOf decodes a text in its declared encoding.
func textOf(data []byte, label string, decode Decoder) (string, error) {
	switch strings.ToLower(label) {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968", "unknown-8bit", "8bit":
		// Programs say so of texts in other encodings, too.
		label = ""
	}
	s, err := decode(data, label)
	if err != nil && label != "" {
		s, err = decode(data, "")
	}
	if err != nil {
		return "", problem(Damaged, "%v", err)
	}
	return strings.TrimPrefix(s, "\ufeff"), nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sourceOf returns the source of a document of a file.
func sourceOf(name, own string) string {
	switch {
	case own == "":
		return name
	case strings.HasPrefix(own, "https://"), strings.HasPrefix(own, "http://"):
		return own
	}
	return name + " (" + own + ")"
}
