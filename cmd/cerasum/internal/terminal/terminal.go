// Package terminal detects the capabilities of a terminal and formats text for
// it.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// DefaultWidth is the width in columns of a terminal that does not tell its own.
const DefaultWidth = 80

// maxWidth keeps lines readable on a wide screen.
const maxWidth = 100

// Terminal describes a stream's capabilities. The zero value is a file or a pipe.
type Terminal struct {
	// Interactive is set for a terminal.
	Interactive bool
	// Color is set if colour escape sequences are supported and enabled.
	Color bool
	// Width in columns; 0 in a file or a pipe, whose reader wraps lines or is a
	// program.
	Width int
}

// Of examines a stream: only an *os.File can be a terminal. NO_COLOR, if set, and
// TERM=dumb turn colour off.
func Of(stream any) Terminal {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return Terminal{}
	}
	t := Terminal{Interactive: true, Width: DefaultWidth}
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

// Paint applies a style to s if colour is enabled.
func (t Terminal) Paint(style Style, s string) string {
	if !t.Color {
		return s
	}
	return string(style) + s + reset
}
