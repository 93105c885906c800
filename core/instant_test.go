package core

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// Headings, captions and bylines share words with the text below them, but are not
// quoted if the document has sentences.
func TestNoHeadingsAreQuoted(t *testing.T) {
	for _, method := range []string{"salience", "instant"} {
		t.Run(method, func(t *testing.T) { quotesNoHeadings(t, method) })
	}
}

func quotesNoHeadings(t *testing.T, method string) {
	prose := []string{
		"Harlow bridge closes after inspection finds cracks",
		"The Harlow bridge was closed to all traffic on Monday after inspectors found cracks in two of its girders.",
		"The Harlow bridge cracks, seen from the northern bank",
		"Engineers expect that the repairs of the Harlow bridge will take six weeks in all.",
		"The inspection was the first since the bridge was last renewed in 1998.",
	}
	notes := []string{
		"Harlow bridge closes after inspection finds cracks",
		"Repairs of the Harlow bridge take six weeks",
		"First inspection of the bridge since it was renewed",
		"Drivers are asked to use the tunnel.",
	}
	quote := func(lines []string, words int) string {
		t.Helper()
		c := &cluster.Cluster{Documents: []cluster.Document{{Text: strings.Join(lines, "\n\n"), Language: "en"}}}
		s, err := Summarize(context.Background(), c.Documents, Options{Method: method, Budget: Budget{Amount: words, Unit: Words}})
		if err != nil {
			t.Fatal(err)
		}
		return s.Text
	}
	got := quote(prose, 60)
	for _, i := range []int{0, 2} {
		if strings.Contains(got, prose[i]) {
			t.Errorf("quoted the heading %q", prose[i])
		}
	}
	for _, i := range []int{1, 3, 4} {
		if !strings.Contains(got, prose[i]) {
			t.Errorf("there was room for %q, got %q", prose[i], got)
		}
	}
	// Notes consist of such lines: in notes they are quoted.
	if got := quote(notes, 100); got != strings.Join(notes, "\n") {
		t.Errorf("notes: got %q", got)
	}
	// A document that is only a heading still has a summary.
	if got := quote(prose[:1], 60); got != prose[0] {
		t.Errorf("heading alone: got %q", got)
	}
}

// TestHugeDocumentDoesNotCrowdOutTheOthers: a document of thousands of nearly equal
// sentences beside two short reports.
func TestHugeDocumentDoesNotCrowdOutTheOthers(t *testing.T) {
	sentences := 20000
	if testing.Short() {
		sentences = 4000
	}
	c := flood()
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, "On Monday the river Ola rose and flooded the town of Varn, gauge %d said. ", i)
	}
	c.Documents = append(c.Documents[:2], cluster.Document{Source: "log.txt", Text: b.String()})
	for _, method := range []string{"salience", "instant"} {
		s := mustSummarize(t, c, Options{Method: method, Budget: Budget{Amount: 60, Unit: Words}})
		if s.Documents[0].Chosen+s.Documents[1].Chosen < 2 || s.Used < 40 {
			t.Errorf("%s used %d of 60 words: %q", method, s.Used, s.Text)
		}
	}
}
