package lexical

import "testing"

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Why were the repairs delayed?": true,
		"Why? Because.":                 true,
		"\"Why?\" he asked":             true,
		"为什么？因为":                        true,
		"لماذا؟":                        true,
		"Ինչո՞ւ":                        true,
		"Γιατί καθυστέρησαν οι επισκευές;":                            true,
		"Γιατί καθυστέρησαν οι επισκευές\u037e":                       true,
		"Discuss the delay; then the cost.":                           false,
		"the delay;":                                                  false,
		"From https://site/news?id=7 for visitors who come by train.": false,
		"": false,
	} {
		if got := Asks(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
