package reading

import "github.com/cerasum/cerasum/core/cluster"

// position is where a sentence stands among the blocks of its document.
type position struct {
	heading string // of its section, or ""
	opens   bool   // is the first after its heading
	quoted  bool   // is in a block quotation
}

// positionsOf returns the position of each sentence of a document.
func positionsOf(d *cluster.Document) []position {
	positions := make([]position, len(d.Sentences))
	at, heading, opens := 0, "", false
	for k, s := range d.Sentences {
		for at < len(d.Blocks) && d.Blocks[at].End <= s.Start {
			if b := d.Blocks[at]; b.Kind == cluster.Heading {
				heading, opens = d.Text[b.Start:b.End], true
			}
			at++
		}
		positions[k] = position{heading, opens, at < len(d.Blocks) && d.Blocks[at].Start <= s.Start && d.Blocks[at].Kind == cluster.BlockQuotation}
		opens = false
	}
	return positions
}
