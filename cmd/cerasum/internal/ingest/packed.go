package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/files"
	"github.com/cerasum/cerasum/internal/records"
)

// found is a document of a file, or a file of an archive or documents of a mailbox that
// cannot be read.
type found struct {
	extracted
	source string
	err    error
}

// titleOf returns the title of a document that has none: what names its source, as in the
// page.
func titleOf(name string, src *source) string {
	switch {
	case name == src.name:
		return src.title
	case strings.Contains(name, "://"):
		return name
	}
	return path.Base(name)
}

// packed reads an input in one of the formats of package files. Files of an archive that
// cannot be read are reported and left out.
func (l *Loader) packed(ctx context.Context, src *source) ([]cluster.Document, error) {
	data, err := readAll(src, src.max)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.shown(), err)
	}
	// Of an address, what is after the path does not name the file.
	name := src.name
	if src.url != nil {
		name = src.url.Path
	}
	var all []found
	// What is abandoned ends with the file of the archive that it is reading.
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = l.within(ctx, func(_ context.Context, patience time.Duration) (extracted, error) {
		var err error
		all, err = l.unpack(within, data, name, patience)
		return extracted{}, err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.shown(), err)
	}
	var docs []cluster.Document
	for _, f := range all {
		if rest, ok := strings.CutPrefix(f.source, name); ok {
			f.source = src.name + rest
		}
		switch {
		case errors.Is(f.err, ErrBinary):
			l.Warn("skipped: " + f.source + ": " + f.err.Error())
		case f.err != nil:
			l.Bad(fmt.Errorf("%s: %w", f.source, f.err))
		default:
			docs = append(docs, l.documentOf(f.extracted, f.source, f.source, titleOf(f.source, src)))
		}
	}
	return docs, nil
}

// unpack extracts the documents of a file of a name.
func (l *Loader) unpack(ctx context.Context, data []byte, name string, patience time.Duration) ([]found, error) {
	guessed := ""
	content, err := files.Read(data, name, func(data []byte, label string) (string, error) {
		if label != "" {
			e, err := lookup(label)
			if err != nil {
				return "", err
			}
			text, _ := decodeAs(e, data)
			return text, nil
		}
		text, warning, err := decode(data, charsets{user: l.Encoding})
		guessed = cmp.Or(guessed, warning)
		return text, err
	})
	if err != nil {
		return nil, refusal(err)
	}
	var all []found
	for _, d := range content.Documents {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := found{source: d.Source, extracted: extracted{title: d.Title, date: d.Date, text: d.Text, decoding: guessed}}
		guessed = ""
		if len(d.Pages) == 0 {
			f.blocks = plainBlocks(d.Text)
		} else {
			var parts []part
			for _, page := range d.Pages {
				parts = append(parts, partsOfPage(page)...)
			}
			f.text, f.blocks = join(parts)
		}
		all = append(all, f)
	}
	if content.Left > 0 && len(all) > 0 {
		all[0].warning = fmt.Sprintf("only the first %d of %d documents were read", files.MaxDocuments, files.MaxDocuments+content.Left)
	}
	if content.Unread > 0 {
		all = append(all, found{source: name, err: unread{content.Unread, content.Reason}})
	}
	for _, m := range content.Members {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, l.member(ctx, m, name+"/"+m.Name, patience)...)
	}
	return all, nil
}

// member extracts the documents of a file of an archive; name is that of both.
func (l *Loader) member(ctx context.Context, m files.Member, name string, patience time.Duration) []found {
	fail := func(err error) []found { return []found{{source: name, err: err}} }
	if m.Err != nil {
		return fail(refusal(m.Err))
	}
	// A file within it would be unpacked beyond the limits of the archive.
	if compression := records.Compression(m.Data); compression != "" {
		return fail(&files.Error{Problem: files.Nested, Detail: compression})
	}
	src := &source{name: name, format: formatOf(m.Name, m.Data[:min(len(m.Data), 4096)])}
	switch src.format {
	case Packed:
		all, err := l.unpack(ctx, m.Data, name, patience)
		if err != nil {
			return fail(err)
		}
		return all
	case JSON, JSONL:
		return fail(fmt.Errorf("%w: JSON in an archive: unpack it first", ErrBinary))
	}
	if src.format == PDF {
		if err := pdfium.Start(); err != nil {
			return fail(err)
		}
	}
	x, err := l.extract(ctx, m.Data, src, patience)
	return []found{{extracted: x, source: name, err: err}}
}

// unread is the error for documents of a file that cannot be read.
type unread struct {
	count  int
	reason error // of the first
}

func (u unread) Unwrap() error { return u.reason }

func (u unread) Error() string {
	if u.count == 1 {
		return "1 of its documents cannot be read: " + u.reason.Error()
	}
	return fmt.Sprintf("%d of its documents cannot be read; the first: %v", u.count, u.reason)
}

// refusal marks the problems that are the format of a file, which a walk through a
// folder skips.
func refusal(err error) error {
	var e *files.Error
	if errors.As(err, &e) && e.Refused() {
		return fmt.Errorf("%w: %w", ErrBinary, err)
	}
	return err
}

// partsOfPage returns the blocks of HTML that is part of a document: all that is visible.
func partsOfPage(page string) []part {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		_, text := flatten(page)
		var parts []part
		for line := range strings.SplitSeq(text, "\n\n") {
			if !isBlank(line) {
				parts = append(parts, part{text: strings.TrimSpace(line)})
			}
		}
		return parts
	}
	legible.DropHidden(root, silent)
	markBlocks(root)
	return blocksOf(root)
}
