package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/files"
	"github.com/cerasum/cerasum/internal/spelling"
)

// hinted is an error with a line of advice.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// usageError is an error in the command line, independent of the inputs.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(err error) error { return usageError{err} }

// unknown refuses a name and suggests a similar one.
func unknown(what, name string, known []string) error {
	hint := "want one of " + strings.Join(known, ", ")
	if near := spelling.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return hinted{fmt.Errorf("unknown %s %q", what, name), hint}
}

// fail reports an error and returns the exit code.
func (a *app) fail(err error) int {
	a.say(err)
	var u usageError
	if errors.As(err, &u) || errors.Is(err, core.ErrOption) {
		return exitUsage
	}
	return exitFailed
}

// reportBad reports an input that could not be used.
func (a *app) reportBad(err error) {
	a.bad++
	a.say(err)
}

// say prints an error on one line and its hint on another.
func (a *app) say(err error) {
	a.progress.clear()
	fmt.Fprintf(a.stderr, "cerasum: %s\n", a.err.Paint(terminal.Red, terminal.Safe(err.Error())))
	if hint := hintFor(err); hint != "" {
		fmt.Fprintf(a.stderr, "  hint: %s\n", terminal.Safe(hint))
	}
}

// warn prints a warning unless --quiet is set.
func (a *app) warn(message string) {
	if a.quiet {
		return
	}
	a.progress.clear()
	fmt.Fprintf(a.stderr, "cerasum: warning: %s\n", terminal.Safe(message))
}

func hintFor(err error) string {
	var h hinted
	switch {
	case errors.As(err, &h):
		return h.hint
	case errors.Is(err, core.ErrNoText):
		return "check that the inputs contain text; --input-format sets their format"
	case errors.As(err, new(*files.Error)):
		return "" // says itself what to do
	case errors.Is(err, ingest.ErrBinary):
		return "convert the file to text, HTML, Word (DOCX) or PDF first"
	case errors.Is(err, ingest.ErrScanned):
		return "run text recognition (OCR) on it first, for example with ocrmypdf"
	case errors.Is(err, pdfium.ErrLocked):
		return "save it without a password first"
	case errors.Is(err, ingest.ErrNoRecords):
		return "use --input-format text to summarize it as text"
	case errors.Is(err, ingest.ErrMixed):
		return "run cerasum once per kind"
	case errors.Is(err, ingest.ErrEncoding):
		return "use a name like utf-8, windows-1251, iso-8859-2, shift_jis or gb18030"
	case errors.Is(err, ingest.ErrTooLarge):
		return "split it into several documents"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: free some space"
	case errors.Is(err, ingest.ErrNotFound):
		return "check the name; web addresses begin with http:// or https://"
	case errors.Is(err, fs.ErrNotExist):
		return "check the name"
	}
	return ""
}
