package ingest

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/text"
)

// TestPages summarizes real pages in 100 words: at most one quote in a hundred is of
// a table, a caption, code, a reference or navigation, and at most three do not end
// as sentences do where the page has prose.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(reference.Path(t, "data/pages"), "*", "source.html"))
	if err != nil || len(pages) < 70 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	quotes, other, open := 0, 0, 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		source, _, err := decode(data, charsets{html: true})
		if err != nil {
			t.Fatal(err)
		}
		x := articleOf(source, &url.URL{Scheme: "http", Host: "fakehost"})
		name := filepath.Base(filepath.Dir(page))
		session, err := core.Open(context.Background(), []core.Document{{Title: x.title, Text: x.text, Blocks: x.blocks, Date: x.date}}, core.OpenOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		summary, err := session.Summarize(context.Background(), core.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// Some pages have lists only, or no full stops.
		closed, sentences := 0, session.Documents()[0].Sentences
		for _, s := range sentences {
			if text.Closed(s.Text) {
				closed++
			}
		}
		for _, q := range summary.Sentences {
			quotes++
			kind := kindAt(x.blocks, q.Start)
			if kind != cluster.Paragraph && kind != cluster.BlockQuotation && kind != cluster.ListItem {
				other++
				t.Logf("%s: %s: %q", name, kind, q.Text)
			}
			if 2*closed > len(sentences) && !text.Closed(q.Text) {
				open++
				t.Logf("%s: open: %q", name, q.Text)
			}
		}
	}
	t.Logf("%d quotes of %d pages: %d not of prose, %d without an end", quotes, len(pages), other, open)
	if 100*other > quotes || 100*open > 3*quotes {
		t.Errorf("of %d quotes %d are not of prose, %d have no end", quotes, other, open)
	}
}

func kindAt(blocks []cluster.Block, at int) cluster.Kind {
	for _, b := range blocks {
		if b.Start <= at && at < b.End {
			return b.Kind
		}
	}
	return cluster.Paragraph
}
