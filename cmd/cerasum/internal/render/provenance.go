package render

import (
	"net"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
)

// What follows keeps a title or an address from passing for another's.
// web/common/shown.ts does the same; their tests read the same cases.

// name returns the title of a document, or its source.
func name(d core.DocumentReport) string {
	if t := terminal.Safe(d.Title); t != "" {
		return t
	}
	return source(d.Source)
}

// title returns the title of a document, in quotation marks, and its source, or the
// source alone.
func title(d core.DocumentReport) string {
	src := source(d.Source)
	t := terminal.Safe(d.Title)
	switch {
	case t == "" || t == src:
		return src
	case src == "-" || src == "":
		return quoted(t)
	}
	return quoted(t) + " <" + src + ">"
}

var (
	quotationMarks = strings.NewReplacer(`"`, "'", "“", "'", "”", "'", "„", "'", "‟", "'", "«", "'", "»", "'", "＂", "'")
	numbered       = regexp.MustCompile(`\[(\p{N}+)\]`)
)

// quoted puts a title in quotation marks that it cannot close, without what looks like
// the number of a source.
func quoted(title string) string {
	return `"` + numbered.ReplaceAllString(quotationMarks.Replace(terminal.Safe(title)), "($1)") + `"`
}

var address = regexp.MustCompile(`(?is)^(https?):[\\/]*([^\\/?#]*)(.*)$`)

// source returns where a document is from: of an address the host in ASCII, so that
// letters of another script do not pass for it, without the user name, which could pass
// for a host, and without blanks. The name of a file is shown without what looks like
// the number of a source.
func source(s string) string {
	s = terminal.Safe(s)
	parts := address.FindStringSubmatch(s)
	if parts == nil {
		return numbered.ReplaceAllString(s, "($1)")
	}
	authority := parts[2][strings.LastIndexByte(parts[2], '@')+1:]
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		host, port = authority, ""
	}
	if !strings.HasPrefix(host, "[") && net.ParseIP(host) == nil {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			ascii = url.PathEscape(host)
		}
		host = ascii
	} else if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	if port != "" {
		host += ":" + port
	}
	return strings.ToLower(parts[1]) + "://" + host + strings.ReplaceAll(parts[3], " ", "%20")
}
