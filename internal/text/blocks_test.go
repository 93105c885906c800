package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// build joins parts into a text with blocks.
func build(parts ...any) (string, []cluster.Block) {
	var b strings.Builder
	var blocks []cluster.Block
	for i := 0; i < len(parts); i += 2 {
		start := b.Len()
		b.WriteString(parts[i+1].(string))
		blocks = append(blocks, cluster.Block{Start: start, End: b.Len(), Kind: parts[i].(cluster.Kind)})
		b.WriteString("\n")
	}
	return b.String(), blocks
}

func TestSplitBlocks(t *testing.T) {
	const p, h, li, tr, code, bq, ref = cluster.Paragraph, cluster.Heading, cluster.ListItem, cluster.TableRow, cluster.Code, cluster.BlockQuotation, cluster.Reference
	for _, c := range []struct {
		name, language string
		parts          []any
		want           []string
	}{
		{"blocks are not joined", "en", []any{p, "The gate broke on Friday night near the lower", p, "basin. Nobody was hurt in it at all, they said."}, []string{"basin.", "Nobody was hurt in it at all, they said."}},
		{"prose alone", "en", []any{h, "The gate broke.", p, "It broke on Friday. Nobody was hurt.", tr, "Upper\t23 barges.", code, "run().", bq, "We waited for ten years.", ref, "[1] Atlas, 1998."},
			[]string{"It broke on Friday.", "Nobody was hurt.", "We waited for ten years."}},
		{"items that are sentences", "en", []any{p, "There are three steps.", li, "A crane lifts the gate on Monday.", li, "Barges", li, "Boats no longer sink when two people row at once", li, "Go."},
			[]string{"There are three steps.", "A crane lifts the gate on Monday.", "Boats no longer sink when two people row at once"}},
		{"a list alone", "en", []any{h, "Colours", li, "Red", li, "Blue"}, []string{"Red", "Blue"}},
		{"notes", "en", []any{p, "Meeting notes", li, "buy milk", li, "fix the printer on floor two"}, []string{"Meeting notes", "buy milk", "fix the printer on floor two"}},
		{"a table alone", "en", []any{tr, "Red\t1", tr, "Blue\t2"}, []string{"Red\t1", "Blue\t2"}},
		{"a heading alone", "de", []any{h, "Nichts als eine Überschrift"}, []string{"Nichts als eine Überschrift"}},
		{"bylines", "es", []any{p, "Por Ana Ruiz", p, "La puerta de la esclusa se rompió el viernes por la noche."}, []string{"La puerta de la esclusa se rompió el viernes por la noche."}},
		{"prose without full stops", "zh", []any{p, "第二次造訪美樹發現到營區變了", h, "營地", p, "廣受歡迎的美樹營地有個很大特色"}, []string{"第二次造訪美樹發現到營區變了", "廣受歡迎的美樹營地有個很大特色"}},
		{"Hindi", "hi", []any{h, "बाँध टूटा", p, "बाँध शुक्रवार की रात टूट गया। कोई घायल नहीं हुआ।"}, []string{"बाँध शुक्रवार की रात टूट गया।", "कोई घायल नहीं हुआ।"}},
		{"a line break in a sentence", "en", []any{p, "A new bridge is planned for spring;\nits cost is unknown."}, []string{"A new bridge is planned for spring;\nits cost is unknown."}},
		{"wrapped lines", "en", []any{p, "The ferry was sold on Monday to a museum\nin the north. It had carried people and\ncattle for ninety years."},
			[]string{"The ferry was sold on Monday to a museum\nin the north.", "It had carried people and\ncattle for ninety years."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, blocks := build(c.parts...)
			var got []string
			for _, s := range SplitBlocks(doc, c.language, blocks) {
				if doc[s.Start:s.End] != s.Text || utf16Length(doc[:s.Start]) != s.StartUTF16 || utf16Length(doc[:s.End]) != s.EndUTF16 {
					t.Errorf("wrong offsets: %+v", s)
				}
				got = append(got, s.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestSplitBlocksGaps: text outside of the blocks is paragraphs, and without blocks
// nothing changes.
func TestSplitBlocksGaps(t *testing.T) {
	doc := "A title\nThe ferry left at noon. It was late.\nA caption"
	if got, want := SplitBlocks(doc, "en", nil), Split(doc, "en"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got := SplitBlocks(doc, "en", []cluster.Block{{Start: 0, End: 7, Kind: cluster.Heading}, {Start: 45, End: 54, Kind: cluster.Caption}})
	if len(got) != 2 || got[0].Text != "The ferry left at noon." || got[1].Text != "It was late." {
		t.Errorf("got %v", got)
	}
}

func FuzzSplitBlocks(f *testing.F) {
	f.Add("A title\nThe ferry left. It was late.\n- a\n- b c d e f g h i", 7, 30, uint8(2))
	f.Add("x", 0, 1, uint8(9))
	f.Fuzz(func(t *testing.T, doc string, start, end int, kind uint8) {
		if start < 0 || start >= end || end > len(doc) {
			return
		}
		blocks := []cluster.Block{{Start: start, End: end, Kind: cluster.Kind(kind % 10)}}
		at := 0
		for _, s := range SplitBlocks(doc, "en", blocks) {
			if s.Start < at || s.End > len(doc) || doc[s.Start:s.End] != s.Text || s.Start < start && s.End > start || s.Start < end && s.End > end {
				t.Fatalf("%+v", s)
			}
			at = s.End
		}
	})
}
