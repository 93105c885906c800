// Package render writes summaries: for people as text or Markdown, for programs
// as JSON.
package render

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// Format is an output format.
type Format string

const (
	Text     Format = "text"
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// Formats lists all formats.
var Formats = []Format{Text, Markdown, JSON}

// longList is the number of sources above which those without quotes are counted
// instead of listed.
const longList = 20

// listed returns the documents shown in the list of sources, and the number left
// out.
func listed(s *core.Summary) (show []int, left int) {
	for i, d := range s.Documents {
		if len(s.Documents) <= longList || d.Chosen > 0 {
			show = append(show, i)
		}
	}
	return show, len(s.Documents) - len(show)
}

// share describes the part of a document that was quoted.
func share(d core.DocumentReport) string {
	plural := "s"
	if d.Sentences == 1 {
		plural = ""
	}
	return fmt.Sprintf("%d of %d sentence%s quoted, %.0f %% covered", d.Chosen, d.Sentences, plural, 100*d.Coverage)
}

func rest(left int) string {
	if left == 1 {
		return "and one more without quotes"
	}
	return fmt.Sprintf("and %d more without quotes", left)
}

// target returns the link address of a source; empty if the source is neither a
// file nor a URL.
func target(from string) string {
	if u, err := url.Parse(source(from)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return u.String()
	}
	if n, ok := strings.CutPrefix(from, "document "); from == "" || from == "-" || ok && digits(n) {
		return "" // standard input, or a document of a JSON Lines cluster
	}
	return (&url.URL{Path: filepath.ToSlash(from)}).String()
}

// quoteTarget is target with a text fragment for web pages, so that the browser
// scrolls to the quoted sentence.
func quoteTarget(from string, s cluster.Sentence) string {
	t := target(from)
	if !strings.HasPrefix(t, "http") {
		return t
	}
	words := strings.Fields(s.Text)
	const ends = 5 // words that identify each end of a long sentence
	fragment := escapeFragment(strings.Join(words, " "))
	if len(words) > 2*ends {
		fragment = escapeFragment(strings.Join(words[:ends], " ")) + "," + escapeFragment(strings.Join(words[len(words)-ends:], " "))
	}
	if !strings.Contains(t, "#") {
		t += "#"
	}
	return t + ":~:text=" + fragment
}

// escapeFragment percent-encodes the special characters of text directives.
func escapeFragment(s string) string {
	return strings.NewReplacer("-", "%2D", "+", "%20", "(", "%28", ")", "%29", "'", "%27").Replace(url.QueryEscape(s))
}
