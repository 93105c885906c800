package core

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func TestBlocksOfDocuments(t *testing.T) {
	doc := Document{Text: "Ferry 🚢 sinks\n\nIt sank on Monday.\nNobody was hurt\n\nPhoto: N. N.", Date: "2026-04-21"}
	find := func(s string, kind BlockKind) Block {
		i := strings.Index(doc.Text, s)
		return Block{Start: i, End: i + len(s), Kind: kind}
	}
	doc.Blocks = []Block{find("Ferry 🚢 sinks", cluster.Heading), find("Photo: N. N.", cluster.Caption)}
	s, err := Open(context.Background(), []Document{doc}, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"It sank on Monday."}; !slices.Equal(s.Texts(), want) {
		t.Errorf("got %q, want %q", s.Texts(), want)
	}
	for _, c := range []struct {
		change func(*Document)
		want   string
	}{
		{func(d *Document) { d.Blocks = []Block{{Start: 0, End: 100, Kind: 0}} }, "documents[0].blocks[0]: want offsets from 0 to 66, the length of the text in bytes, got 0 and 100"},
		{func(d *Document) { d.Blocks = []Block{{Start: -1, End: 3, Kind: 0}} }, "documents[0].blocks[0]: want offsets from 0 to 66, the length of the text in bytes, got -1 and 3"},
		{func(d *Document) { d.Blocks = []Block{{Start: 3, End: 3, Kind: 0}} }, "documents[0].blocks[0]: want a start before the end, got 3 and 3"},
		{func(d *Document) { d.Blocks = []Block{{Start: 0, End: 4, Kind: 0}, {Start: 3, End: 5, Kind: 0}} }, "documents[0].blocks[1]: start: want at least 4, the end of the previous block, got 3"},
		{func(d *Document) { d.Blocks = []Block{{Start: 0, End: 8, Kind: 0}} }, "documents[0].blocks[0]: offsets must not split a character, got 0 and 8"},
		{func(d *Document) { d.Blocks = []Block{{Start: 0, End: 5, Kind: 99}} }, "documents[0].blocks[0]: want a kind of block, got 99"},
		{func(d *Document) { d.Date = "2026-13-01" }, `documents[0].date: want a date like 2026-04-21 or 2026-04-21T17:30:00Z, got "2026-13-01"`},
	} {
		bad := doc
		c.change(&bad)
		if _, err := Open(context.Background(), []Document{bad}, OpenOptions{}); err == nil || err.Error() != c.want || !errors.Is(err, ErrOption) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestDecodeBlocks: offsets in UTF-16 units become bytes; the errors are in the
// fixtures of the bridge.
func TestDecodeBlocks(t *testing.T) {
	text := "a🚢é\xffz"
	var tree any
	if err := json.Unmarshal([]byte(`[[0, 3, "heading"], [3, 5, "code"], [5, 6, "navigation"]]`), &tree); err != nil {
		t.Fatal(err)
	}
	blocks, err := DecodeBlocks(text, tree)
	if want := []Block{{Start: 0, End: 5, Kind: cluster.Heading}, {Start: 5, End: 8, Kind: cluster.Code}, {Start: 8, End: 9, Kind: cluster.Navigation}}; err != nil || !slices.Equal(blocks, want) {
		t.Errorf("got %v, %v, want %v", blocks, err, want)
	}
}

// FuzzDecodeBlocks: what is decoded is accepted.
func FuzzDecodeBlocks(f *testing.F) {
	f.Add("a🚢é\xffz", `[[0, 3, "heading"], [3, 5, "code"]]`)
	f.Add("", `[]`)
	f.Add("abc", `[[0, 1e300, "code"]]`)
	f.Fuzz(func(t *testing.T, text, blocks string) {
		var tree any
		if json.Unmarshal([]byte(blocks), &tree) != nil {
			return
		}
		if decoded, err := DecodeBlocks(text, tree); err == nil {
			if err := checkBlocks("documents[0]", text, decoded); err != nil {
				t.Fatal(err)
			}
		}
	})
}
