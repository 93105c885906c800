package text

import (
	"strings"
	"testing"
)

func TestClosed(t *testing.T) {
	for _, s := range []string{
		"The bridge is closed.", "“Why?”", "He left (at noon).", "It is deep.[1][12]", "So it is said.[citation needed]",
		"Oui ! »", "今天下雨。", "「明日行こう。」", "كيف حالك؟", "आज बारिश हुई।", "And so on…", `he said, "yes. "`,
	} {
		if !Closed(s) {
			t.Errorf("Closed(%q) = false", s)
		}
	}
	for _, s := range []string{
		"", " ", "Bridge closes after inspection", "By Jane Doe", "Photo: Agency", "as follows:", "Harbour [edit]", "“", "[1]", "a, b,",
		"a. b]", "[No. 12]",
	} {
		if Closed(s) {
			t.Errorf("Closed(%q) = true", s)
		}
	}
	// A row of closing marks is read once.
	if Closed("x" + strings.Repeat("]", 1<<22)) {
		t.Error("closing marks alone are no end")
	}
}
