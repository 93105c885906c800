package ingest

import (
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// part is a block of extracted text.
type part struct {
	kind cluster.Kind
	text string
}

// together reports whether blocks of a kind that follow each other are on
// consecutive lines; others have a blank line between them.
func together(k cluster.Kind) bool {
	return k == cluster.ListItem || k == cluster.TableRow
}

// join returns the text of parts, which ends with a line break, and its blocks.
// web/common/read/parts.ts does the same, without the line break.
func join(parts []part) (string, []cluster.Block) {
	if len(parts) == 0 {
		return "", nil
	}
	var b strings.Builder
	blocks := make([]cluster.Block, 0, len(parts))
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('\n')
			if !together(p.kind) || parts[i-1].kind != p.kind {
				b.WriteByte('\n')
			}
		}
		start := b.Len()
		b.WriteString(p.text)
		blocks = append(blocks, cluster.Block{Start: start, End: b.Len(), Kind: p.kind})
	}
	b.WriteByte('\n')
	return b.String(), blocks
}
