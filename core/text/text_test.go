package text

import "testing"

func TestSplitOffsets(t *testing.T) {
	doc := "One sentence. Два 😀 слова!\nThree"
	got := Split(doc, "")
	if len(got) != 3 {
		t.Fatalf("got %d sentences, want 3: %v", len(got), got)
	}
	for _, s := range got {
		if doc[s.Start:s.End] != s.Text {
			t.Errorf("doc[%d:%d] = %q, want %q", s.Start, s.End, doc[s.Start:s.End], s.Text)
		}
	}
	if last := got[2]; last.StartUTF16 != 28 || last.EndUTF16 != 33 {
		t.Errorf("UTF-16 offsets %d..%d, want 28..33", last.StartUTF16, last.EndUTF16)
	}
}
