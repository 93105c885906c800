package batch

import (
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

func TestParseBlocks(t *testing.T) {
	r, err := Parse([]byte(`{"documents":[{"blocks":[[0,2,"heading"],[3,9,"paragraph"]],"text":"🚢 It sank.","date":"2026-04-21"}]}`), "", true)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Documents[0]
	want := []core.Block{{Start: 0, End: 4, Kind: cluster.Heading}, {Start: 5, End: 11, Kind: cluster.Paragraph}}
	if !slices.Equal(d.Blocks, want) || d.Date != "2026-04-21" {
		t.Errorf("got %+v", d)
	}
	for line, want := range map[string]string{
		`{"documents":["a",{"text":"It sank.","blocks":[[0,9,"code"]]}]}`: `documents[1].blocks[0]: end: want at most 8, the length of the text in UTF-16 units, got 9`,
		`{"documents":[{"text":"It sank.","blocks":{}}]}`:                 `documents[0].blocks: want an array of blocks, got an object`,
		`{"documents":[{"text":"It sank.","blocks":[[0,2,"title"]]}]}`:    `documents[0].blocks[0][2]: want paragraph, heading, listItem, tableRow, caption, code, blockQuotation, reference, metadata or navigation, got "title"`,
		`{"documents":[{"text":"It sank.","date":3}]}`:                    `documents[0].date: want a string, got a number`,
	} {
		if _, err := Parse([]byte(line), "", true); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}
