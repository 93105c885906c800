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

// TestSectioned: half of several documents have two headings or more.
func TestSectioned(t *testing.T) {
	guide := document([2]string{"heading", "Before"}, [2]string{"", "Wash the beans."}, [2]string{"heading", "After"}, [2]string{"", "Dry them."})
	post := document([2]string{"heading", "News"}, [2]string{"", "The shop moved."})
	for name, c := range map[string]struct {
		documents []cluster.Document
		want      Kind
	}{
		"guides":         {[]cluster.Document{*guide, *guide}, Sectioned},
		"half":           {[]cluster.Document{*guide, *post}, Sectioned},
		"a third":        {[]cluster.Document{*guide, *post, *post}, Several},
		"one":            {[]cluster.Document{*guide}, Single},
		"one, and empty": {[]cluster.Document{*guide, {}}, Single},
	} {
		if got := KindOf(c.documents, nil); got != c.want {
			t.Errorf("%s: kind %d, want %d", name, got, c.want)
		}
	}
}

// TestLeads: probabilities add up to 1 in each document, and the first of two like sentences
// is more likely.
func TestLeads(t *testing.T) {
	features, odds, first := make([]float32, 5*Inputs), []float64{1, 1, 1, -40, 800}, []int{0, 3, 3, 5}
	for k := range 3 {
		features[k*Inputs+slices.Index(InputNames(), "log-position")] = float32(k)
	}
	for _, kind := range []Kind{Single, Sectioned} {
		lead := Leads(features, odds, kind, first)
		if sum := lead[0] + lead[1] + lead[2]; sum < 0.999 || sum > 1.001 || lead[0] <= lead[1] || lead[1] <= lead[2] || lead[4] < 0.999 {
			t.Errorf("kind %d: %v", kind, lead)
		}
	}
	if lead := Leads(features, odds, Several, first); slices.Max(lead) != 0 {
		t.Errorf("several: %v", lead)
	}
}
