package reading

import (
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// document returns a document of blocks, a sentence each but for headings.
func document(blocks ...[2]string) *cluster.Document {
	d := &cluster.Document{}
	kinds := map[string]cluster.Kind{"heading": cluster.Heading, "quotation": cluster.BlockQuotation}
	for _, b := range blocks {
		start := len(d.Text)
		d.Text += b[1]
		d.Blocks = append(d.Blocks, cluster.Block{Start: start, End: len(d.Text), Kind: kinds[b[0]]})
		if b[0] != "heading" {
			d.Sentences = append(d.Sentences, cluster.Sentence{Start: start, End: len(d.Text)})
		}
		d.Text += "\n\n"
	}
	return d
}

func TestPositionsOf(t *testing.T) {
	d := document([2]string{"", "Bridges age."}, [2]string{"heading", "Inspection"}, [2]string{"quotation", "We look twice a year."},
		[2]string{"", "Divers help."}, [2]string{"heading", "Repair"}, [2]string{"heading", "Steel"}, [2]string{"", "Rust is removed."})
	want := []position{{}, {"Inspection", true, true}, {"Inspection", false, false}, {"Steel", true, false}}
	if got := positionsOf(d); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	d.Blocks = nil // plain text
	if got := positionsOf(d); !slices.Equal(got, make([]position, 4)) {
		t.Errorf("without blocks: got %+v", got)
	}
}
