package files

import "testing"

// TestSubtitlesNeverShown leaves out words that are on the screen for no time.
func TestSubtitlesNeverShown(t *testing.T) {
	got := textIn(t, "a.srt", "1\n00:00:01,000 --> 00:00:03,000\nThe keeper lit them.\n\n"+
		"2\n00:00:03,000 --> 00:00:03,000\nNever.\n\n3\n00:00:09,000 --> 00:00:04,000\nBackwards.\n\n4\n00:00:04,000 --> 00:00:04,020\nA moment.\n\n"+
		"5\n00:00:05,000 --> 00:00:07,000\nAt dusk.\n")
	expect(t, got, "The keeper lit them.", "At dusk.", "-", "Never", "Backwards", "moment")
	// Where a program wrote no times, all is read.
	expect(t, textIn(t, "a.srt", "00:00:00,000 --> 00:00:00,000\nOne.\n\n00:00:00,000 --> 00:00:00,000\nTwo.\n"), "One.", "Two.")
}
