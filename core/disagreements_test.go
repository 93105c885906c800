package core

import "testing"

func TestDisagreements(t *testing.T) {
	documents := []Document{
		{Title: "Nine yachts", Text: "A fire at Selby marina destroyed three yachts early on Wednesday, the harbour master said. Nobody was hurt."},
		{Text: "Two yachts were destroyed by a fire at Selby marina before dawn on Wednesday. It took two hours to put it out."},
	}
	s, err := Open(t.Context(), documents, OpenOptions{Titles: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is from the cache, and the first was changed
		summary, err := s.Summarize(t.Context(), Options{Method: "lead", Budget: Budget{40, Words}})
		if err != nil {
			t.Fatal(err)
		}
		if len(summary.Disagreements) != 1 {
			t.Fatalf("got %+v, want one disagreement", summary.Disagreements)
		}
		d := summary.Disagreements[0]
		if d.What != "yachts" || d.Update || len(d.Values) != 2 || d.Values[0].Value != "three yachts" || d.Values[1].Value != "Two yachts" {
			t.Errorf("got %+v", d)
		}
		for _, v := range d.Values {
			if got := documents[v.Document].Text[v.Start:v.End]; got != v.Value {
				t.Errorf("span is %q, value %q", got, v.Value)
			}
		}
		summary.Disagreements[0].Values[0].Value = "changed"
	}
}
