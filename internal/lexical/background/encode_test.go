package main

import "testing"

// The same bytes are read back by TestReadTable of internal/lexical.
func TestEncode(t *testing.T) {
	got := string(encode([]entry{
		{"aa", []share{{"car", 3}, {"ca", 24}}},
		{"bb", []share{{"é", 7}}},
	}))
	want := "\x02\x02aa\x02\x05\x02bb\x01\x03" + "\x00\x02\x00" + "\x03\x18\x07" + "car\x00\x00" + "\xc3\xa9\x00"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShares(t *testing.T) {
	l := &language{}
	l[news] = frequency{sentences: 3500, df: map[string]int{"common": 2000, "once": 1, "twice": 2}}
	l[everyday] = frequency{sentences: 50000, df: map[string]int{"common": 25000, "talk": 5000, "rare": 50}}
	want := []share{
		{"common", 2}, // (2000 + 250) / 4000 = 2^-0.83
		{"talk", 13},  // (0 + 50) / 4000 = 2^-6.3
		{"twice", 22}, // 2 / 4000 = 2^-11
	}
	got := l.shares(mostTerms)
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
	if got := l.shares(1); len(got) != 1 || got[0].term != "common" {
		t.Errorf("the commonest term is %v", got)
	}
	l[news].sentences, l[everyday].sentences = 1000, 1999
	if got := l.shares(mostTerms); got != nil {
		t.Errorf("too few sentences, yet %v", got)
	}
}
