package core

import (
	"slices"
	"testing"
)

// TestStory: the most important sentence opens, its document follows, then the others
// in the order of their dates if all are known, else as given.
func TestStory(t *testing.T) {
	var refs []Ref
	for document, sentences := range []int{2, 3, 1, 1} {
		for sentence := range sentences {
			refs = append(refs, Ref{Document: document, Sentence: sentence})
		}
	}
	for name, test := range map[string]struct {
		dates [4]string
		rank  []int // by rows
		want  []int
	}{
		"no dates":           {[4]string{}, []int{3, 0, 6, 2, 5, 4, 1}, []int{2, 3, 4, 0, 1, 5, 6}},
		"dates":              {[4]string{"2026-05-03", "2026-05-04", "2026-05-01T08:00:00Z", "2026-05-01"}, []int{3, 0, 6, 2, 5, 4, 1}, []int{2, 3, 4, 6, 5, 0, 1}},
		"one date missing":   {[4]string{"2026-05-03", "2026-05-04", "", "2026-05-01"}, []int{3, 0, 6, 2, 5, 4, 1}, []int{2, 3, 4, 0, 1, 5, 6}},
		"no quote undated":   {[4]string{"2026-05-03", "2026-05-04", "", "2026-05-01"}, []int{3, 0, 6}, []int{3, 6, 0}},
		"equal dates":        {[4]string{"2026-05-03", "2026-05-03", "2026-05-03", "2026-05-03"}, []int{6, 5, 0}, []int{6, 0, 5}},
		"one":                {[4]string{}, []int{4}, []int{4}},
		"none":               {[4]string{}, nil, nil},
		"the first document": {[4]string{}, []int{0, 6, 1}, []int{0, 1, 6}},
	} {
		c := of("", "", "", "")
		for i, d := range test.dates {
			c.Documents[i].Date = d
			c.Documents[i].Sentences = make([]Sentence, []int{2, 3, 1, 1}[i])
		}
		r := choice{}
		r.Rank = test.rank
		r.Rows = slices.Sorted(slices.Values(test.rank))
		j := &job{Session: &Session{cluster: c, refs: refs}}
		if got := j.story(r); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

// TestStoryOfLongDocuments: what leads up to the opening stays before it, and one document
// keeps its order.
func TestStoryOfLongDocuments(t *testing.T) {
	var refs []Ref
	for document, sentences := range []int{1, 7} {
		for sentence := range sentences {
			refs = append(refs, Ref{Document: document, Sentence: sentence})
		}
	}
	for _, test := range []struct{ rank, want []int }{
		{[]int{4, 1, 0}, []int{4, 1, 0}},
		{[]int{4, 3, 1, 0}, []int{3, 4, 1, 0}},
		{[]int{1, 0}, []int{1, 0}},
	} {
		c := of("", "")
		c.Documents[0].Sentences, c.Documents[1].Sentences = make([]Sentence, 1), make([]Sentence, 7)
		r := choice{}
		r.Rank, r.Rows = test.rank, slices.Sorted(slices.Values(test.rank))
		j := &job{Session: &Session{cluster: c, refs: refs, titles: 2}}
		if got := j.story(r); !slices.Equal(got, test.want) {
			t.Errorf("got %v, want %v", got, test.want)
		}
	}
	c := of("")
	c.Documents[0].Sentences = make([]Sentence, 7)
	j := &job{Session: &Session{cluster: c, refs: refs[1:], titles: 1}}
	for i := range j.refs {
		j.refs[i].Document = 0
	}
	r := choice{}
	r.Rank, r.Rows = []int{4, 1}, []int{1, 4}
	if got := j.story(r); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("one document: got %v", got)
	}
}

// TestStoryIsTheDefault: no order and "story" are the same.
func TestStoryIsTheDefault(t *testing.T) {
	o := Options{Budget: Budget{4, Sentences}}
	plain := mustSummarize(t, flood(), o)
	o.Order = OrderStory
	if story := mustSummarize(t, flood(), o); story.Text != plain.Text {
		t.Errorf("%q and %q", story.Text, plain.Text)
	}
	o.Order = OrderRank
	if byRank := mustSummarize(t, flood(), o); byRank.Sentences[0].Ref != plain.Sentences[0].Ref {
		t.Errorf("opens with %q, not with %q", plain.Sentences[0].Text, byRank.Sentences[0].Text)
	}
}
