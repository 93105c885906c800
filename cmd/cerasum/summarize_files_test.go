package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSummarizeFiles: files of other programs are documents like others, and those that
// cannot be read are named with the reason.
func TestSummarizeFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"made-wehr.docx", "mutt.mbox", "mac-hidden.zip", "pandas.csv", "broken-slides.pptx"} {
		data, err := os.ReadFile("internal/ingest/testdata/files/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	got := cli(t, nil, "summarize", "--method", "instant", "-f", "json", "-b", "3s", dir).
		want(t, exitOK, "skipped: "+in("broken-slides.pptx")+": not text: a presentation: save it as PDF first")
	var titles, sources []string
	for _, d := range parse(t, got.stdout).Documents {
		titles = append(titles, d.Title)
		sources = append(sources, d.Source)
	}
	wantTitles := []string{"a.srt", "[list] Fwd: the tide gauge", "Das Wehr am Mühlbach", "One", "Two", "The mill", "The road"}
	wantSources := []string{
		in("mac-hidden.zip/talk/a.srt"), in("mac-hidden.zip/talk/b.eml (editor@example.org)"), in("made-wehr.docx"), in("mutt.mbox (A)"), in("mutt.mbox (B)"),
		"https://example.org/mill", "https://example.org/road",
	}
	if !slices.Equal(titles, wantTitles) || !slices.Equal(sources, wantSources) {
		t.Errorf("got %q from %q, want %q from %q", titles, sources, wantTitles, wantSources)
	}
	for name, reason := range map[string]string{
		"broken-password.docx": "encrypted: open it with its password and save a copy without one",
		"broken-crc.docx":      "damaged or incomplete, or not what its name says (word/document.xml: zip: checksum error)",
		"some-unreadable.zip":  "/cut.docx: damaged or incomplete",
	} {
		cli(t, nil, "summarize", "internal/ingest/testdata/files/"+name).want(t, exitFailed, name, reason)
	}
}
