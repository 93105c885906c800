// Package render puts a summary out: for people on a terminal or in Markdown,
// for programs in JSON.
package render

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// Format is how a summary is put out.
type Format string

const (
	Text     Format = "text"
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// Formats are all of them.
var Formats = []Format{Text, Markdown, JSON}

// longList is the number of sources above which those that nothing was quoted
// from are counted, not listed.
const longList = 20

// listed tells which documents the list of sources shows, and how many it
// leaves out.
func listed(s *core.Summary) (show []int, left int) {
	for i, d := range s.Documents {
		if len(s.Documents) <= longList || d.Chosen > 0 {
			show = append(show, i)
		}
	}
	return show, len(s.Documents) - len(show)
}

// name is what a document is called: its title, else its source.
func name(d core.DocumentReport) string {
	if t := terminal.Safe(d.Title); t != "" {
		return t
	}
	return terminal.Safe(d.Source)
}

// share describes what the summary took from a document.
func share(d core.DocumentReport) string {
	plural := "s"
	if d.Sentences == 1 {
		plural = ""
	}
	return fmt.Sprintf("%d of %d sentence%s quoted, %.0f %% covered", d.Chosen, d.Sentences, plural, 100*d.Coverage)
}

func rest(left int) string {
	if left == 1 {
		return "and one more that nothing was quoted from"
	}
	return fmt.Sprintf("and %d more that nothing was quoted from", left)
}

// target is the address that a link to a source goes to; empty where the
// source is no file and no URL.
func target(source string) string {
	if u, err := url.Parse(source); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return u.String()
	}
	if n, ok := strings.CutPrefix(source, "document "); source == "" || source == "-" || ok && digits(n) {
		return "" // standard input, or one of a line of JSON Lines
	}
	return (&url.URL{Path: filepath.ToSlash(source)}).String()
}

// quoteTarget is target with, for a web page, a text fragment that makes the
// browser scroll to the quoted sentence.
func quoteTarget(source string, s cluster.Sentence) string {
	t := target(source)
	if !strings.HasPrefix(t, "http") {
		return t
	}
	words := strings.Fields(s.Text)
	const ends = 5 // words that name each end of a long sentence
	fragment := escapeFragment(strings.Join(words, " "))
	if len(words) > 2*ends {
		fragment = escapeFragment(strings.Join(words[:ends], " ")) + "," + escapeFragment(strings.Join(words[len(words)-ends:], " "))
	}
	if !strings.Contains(t, "#") {
		t += "#"
	}
	return t + ":~:text=" + fragment
}

// escapeFragment percent-encodes what a text directive gives a meaning to.
func escapeFragment(s string) string {
	return strings.NewReplacer("-", "%2D", "+", "%20", "(", "%28", ")", "%29", "'", "%27").Replace(url.QueryEscape(s))
}
