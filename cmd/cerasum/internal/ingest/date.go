package ingest

import (
	"regexp"

	"golang.org/x/net/html"
)

var (
	// published matches the names of meta elements with the date of publication.
	published = regexp.MustCompile(`(?i)^(?:(?:og:)?(?:article:)?published(?:_time)?|datePublished|date|pub-?date|publish-?date|dc(?:terms)?\.(?:date|issued|created)(?:\.issued)?|citation_(?:publication_)?date|parsely-pub-date|sailthru\.date)$`)
	linked    = regexp.MustCompile(`"datePublished"\s*:\s*"([^"]*)"`)
	written   = regexp.MustCompile(`^\s*(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?`)
)

// dateOf returns when a page was published, as far as it says so to programs: in a
// meta element, in linked data, or in the only time element of an article.
func dateOf(root *html.Node) string {
	var data, named, time string
	times := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "meta":
			for _, key := range []string{"property", "name", "itemprop"} {
				if named == "" && published.MatchString(attr(n, key)) {
					named = isoDate(attr(n, "content"))
				}
			}
		case "script":
			if m := linked.FindStringSubmatch(contentOf(n)); data == "" && attr(n, "type") == "application/ld+json" && m != nil {
				data = isoDate(m[1])
			}
		case "time":
			if times++; time == "" || attr(n, "itemprop") == "datePublished" {
				time = isoDate(attr(n, "datetime"))
			}
		}
	}
	switch {
	case named != "":
		return named
	case data != "":
		return data
	case times == 1:
		return time
	}
	return ""
}

// isoDate returns a date as core.Document has it, without a time whose zone is
// unknown; empty if s is no such date.
func isoDate(s string) string {
	m := written.FindStringSubmatch(s)
	if m == nil || m[2] < "01" || m[2] > "12" || m[3] < "01" || m[3] > "31" {
		return ""
	}
	date := m[1] + "-" + m[2] + "-" + m[3]
	zone := m[5]
	if zone == "" || m[4] > "24" {
		return date
	}
	if len(zone) == 5 {
		zone = zone[:3] + ":" + zone[3:]
	}
	return date + "T" + m[4] + zone
}
