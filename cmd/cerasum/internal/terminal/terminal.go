// Package terminal finds out what the other end of a stream can show, and lays
// text out for it.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// DefaultWidth is the width in columns where nothing tells another.
const DefaultWidth = 80

// maxWidth keeps lines readable on a wide screen.
const maxWidth = 100

// Terminal is what a stream can show. The zero value is a file or a pipe.
type Terminal struct {
	// Interactive says that a person watches.
	Interactive bool
	// Color says that escape sequences for it are understood and wanted.
	Color bool
	// Width in columns.
	Width int
}

// Of looks at a stream: only an *os.File can be a terminal. NO_COLOR, set to
// anything, and TERM=dumb turn colour off.
func Of(stream any) Terminal {
	t := Terminal{Width: DefaultWidth}
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return t
	}
	t.Interactive = true
	t.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		t.Width = min(w, maxWidth)
	}
	return t
}

// Style is an SGR escape sequence.
type Style string

const (
	Bold   Style = "\x1b[1m"
	Dim    Style = "\x1b[2m"
	Red    Style = "\x1b[31m"
	Cyan   Style = "\x1b[36m"
	Yellow Style = "\x1b[33m"

	reset = "\x1b[0m"
)

// Paint puts s in a style, where there is colour.
func (t Terminal) Paint(style Style, s string) string {
	if !t.Color {
		return s
	}
	return string(style) + s + reset
}
