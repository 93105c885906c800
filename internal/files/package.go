package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"
)

// archive is a ZIP file, of which at most so much is unpacked.
type archive struct {
	files map[string]*zip.File
	names []string // in their order
	left  int64
}

func openArchive(data []byte, most int) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, problem(Damaged, "%v", err)
	}
	if len(z.File) > most {
		return nil, problem(TooMany, "")
	}
	a := &archive{files: map[string]*zip.File{}, left: min(MaxUnpacked, max(freely, maxRatio*int64(len(data))))}
	for _, f := range z.File {
		if _, twice := a.files[f.Name]; !twice && !strings.HasSuffix(f.Name, "/") {
			a.files[f.Name] = f
			a.names = append(a.names, f.Name)
		}
	}
	return a, nil
}

// has reports whether there is a member.
func (a *archive) has(name string) bool { return a.files[name] != nil }

// under reports whether there is a member in a folder.
func (a *archive) under(folder string) bool {
	for _, name := range a.names {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

// read unpacks a member. Sizes in the archive's directory are not trusted.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, problem(Damaged, "without %s", name)
	}
	if f.Flags&1 != 0 {
		return nil, problem(Encrypted, "")
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, problem(Method, "%s", name)
	}
	if err != nil {
		return nil, problem(Damaged, "%s: %v", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, a.left+1))
	if int64(len(data)) > a.left {
		return nil, problem(TooLarge, "%s", name)
	}
	if err != nil {
		return nil, problem(Damaged, "%s: %v", name, err)
	}
	a.left -= int64(len(data))
	return data, nil
}

// optional is read for members that may be missing or damaged.
func (a *archive) optional(name string) []byte {
	if !a.has(name) {
		return nil
	}
	data, err := a.read(name)
	if err != nil {
		return nil
	}
	return data
}

// readPackage reads a ZIP file, which may be a document.
func readPackage(data []byte, name string, decode Decoder) (Content, error) {
	a, err := openArchive(data, maxEntries)
	if err != nil {
		return Content{}, err
	}
	if read := documentIn(a, name, decode); read != nil {
		d, err := read()
		return one(d, err)
	}
	if ext := extension(name); packed[ext] && ext != ".zip" {
		return Content{}, problem(Damaged, "an archive, but not a %s file", strings.ToUpper(ext[1:]))
	}
	var c Content
	if err := c.members(a, "", decode); err != nil {
		return Content{}, err
	}
	if len(c.Members) == 0 {
		return Content{}, problem(NoFiles, "")
	}
	return c, nil
}

// documentIn returns the reader of the document that an archive of a name is; nil if it
// is none.
func documentIn(a *archive, name string, decode Decoder) func() (Document, error) {
	refuse := func(p Problem) func() (Document, error) {
		return func() (Document, error) { return Document{}, problem(p, "") }
	}
	kind := strings.TrimSpace(string(a.optional("mimetype")))
	const open = "application/vnd.oasis.opendocument."
	switch {
	case strings.HasPrefix(kind, open+"spreadsheet"):
		return refuse(Spreadsheet)
	case strings.HasPrefix(kind, open+"presentation"), strings.HasPrefix(kind, open+"graphics"):
		return refuse(Presentation)
	case a.has("META-INF/container.xml"), kind == "application/epub+zip":
		return func() (Document, error) { return readBook(a, decode) }
	case strings.HasPrefix(kind, open), a.has("content.xml") && a.has("META-INF/manifest.xml"):
		return func() (Document, error) { return readOpenDocument(a, decode) }
	case a.has("[Content_Types].xml"), a.has("word/document.xml"):
		main := mainPart(a, decode)
		switch {
		case strings.HasPrefix(main, "xl/"), a.under("xl/"):
			return refuse(Spreadsheet)
		case strings.HasPrefix(main, "ppt/"), a.under("ppt/"):
			return refuse(Presentation)
		}
		switch extension(name) {
		case ".docx", ".docm", ".dotx":
		default:
			if !a.has(main) {
				return nil // any archive
			}
		}
		return func() (Document, error) { return readWord(a, main, decode) }
	case a.has("Index/Document.iwa"), a.has("Index.zip"), a.has("index.apxl"), a.has("index.xml") && a.under("QuickLook/"):
		return refuse(Pages)
	}
	return nil
}

func one(d Document, err error) (Content, error) {
	if err != nil {
		return Content{}, err
	}
	return Content{Documents: []Document{d}}, nil
}

// members adds the files of an archive in order of their names, without hidden ones, and
// those of the archives in it.
func (c *Content) members(a *archive, folder string, decode Decoder) error {
	sort.Strings(a.names)
	for _, name := range a.names {
		if isHidden(name) {
			continue
		}
		if len(c.Members) == MaxMembers {
			return problem(TooMany, "")
		}
		shown := folder + strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), "\\", "/")
		data, err := a.read(name)
		var e *Error
		if errors.As(err, &e) && e.Problem == TooLarge {
			return err
		}
		if err == nil && bytes.HasPrefix(data, []byte(zipped)) {
			inner, bad := openArchive(data, maxEntries)
			if err = bad; err == nil {
				// What it unpacks to counts for both.
				inner.left = min(inner.left, a.left)
				before := inner.left
				document := documentIn(inner, name, decode) != nil
				if !document && folder == "" {
					err = c.members(inner, shown+"/", decode)
				}
				a.left -= before - inner.left
				switch {
				case document:
				case folder != "":
					err = problem(Nested, "")
				case err != nil:
					return err
				default:
					continue
				}
			}
		}
		c.Members = append(c.Members, Member{Name: shown, Data: data, Err: err})
	}
	return nil
}

// isHidden reports files that systems add to archives, and those that folders hide.
func isHidden(name string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(name, "\\", "/"), "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" || part == "Thumbs.db" || part == "desktop.ini" {
			return true
		}
	}
	return false
}

// refuseCompound says what a compound file is: the format of Office until 2003, and of
// encrypted files since. The names of its streams are in UTF-16.
func refuseCompound(data []byte, _ string, _ Decoder) (Content, error) {
	has := func(name string) bool {
		wide := make([]byte, 0, 2*len(name))
		for i := range len(name) {
			wide = append(wide, name[i], 0)
		}
		return bytes.Contains(data, wide)
	}
	switch {
	case has("EncryptedPackage"):
		return Content{}, problem(Encrypted, "")
	case has("__substg1.0_"):
		return Content{}, problem(Outlook, "")
	case has("WordDocument"):
		return Content{}, problem(Old, "")
	case has("PowerPoint Document"):
		return Content{}, problem(Presentation, "")
	case has("Workbook"), has("Book"):
		return Content{}, problem(Spreadsheet, "")
	}
	return Content{}, problem(Damaged, "not a document of Word")
}
