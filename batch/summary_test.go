package batch

import (
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// TestNewSummary: offsets are in UTF-16 units, and empty lists are not null.
func TestNewSummary(t *testing.T) {
	documents := []core.Document{{Text: "🚢 It left. It sank.", Sentences: []core.Sentence{
		{Text: "🚢 It left.", End: 13, EndUTF16: 11},
		{Text: "It sank.", Start: 14, End: 22, StartUTF16: 12, EndUTF16: 20},
	}}}
	s := &core.Summary{
		Method: "lead",
		Sentences: []core.Quote{
			{Ref: core.Ref{Document: 0, Sentence: 1}, Sentence: documents[0].Sentences[1], Context: []core.Ref{{Document: 0, Sentence: 0}}},
			{Ref: core.Ref{Document: 0, Sentence: 0}, Sentence: documents[0].Sentences[0]},
		},
		Disagreements: []core.Disagreement{{What: "state", Update: true, Values: []core.DisagreementValue{
			{Value: "left", Span: cluster.Span{Document: 0, Start: 8, End: 12, StartUTF16: 6, EndUTF16: 10}},
			{Value: "sank", Span: cluster.Span{Document: 0, Start: 17, End: 21, StartUTF16: 15, EndUTF16: 19}},
		}}},
	}
	line, err := Marshal(NewSummary(nil, s, documents, false))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"text":"","method":"lead","overBudget":false,"sentences":[` +
		`{"text":"It sank.","document":0,"sentence":1,"start":12,"end":20,"score":0,"gain":0,"similar":[],"context":[{"document":0,"sentence":0,"start":0,"end":11}]},` +
		`{"text":"🚢 It left.","document":0,"sentence":0,"start":0,"end":11,"score":0,"gain":0,"similar":[],"context":[]}],"documents":[],` +
		`"disagreements":[{"what":"state","update":true,"values":[{"value":"left","document":0,"start":6,"end":10},{"value":"sank","document":0,"start":15,"end":19}]}]}` + "\n"
	if string(line) != want {
		t.Errorf("got  %s\nwant %s", line, want)
	}
	s.Sentences, s.Disagreements = nil, nil
	if line, err = Marshal(NewSummary(nil, s, nil, false)); err != nil || string(line) != `{"text":"","method":"lead","overBudget":false,"sentences":[],"documents":[],"disagreements":[]}`+"\n" {
		t.Errorf("%s, %v", line, err)
	}
}
