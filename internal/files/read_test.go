package files

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/archivetest"
)

func asUTF8(data []byte, _ string) (string, error) { return string(data), nil }

// textIn reads a file of one document, and returns its text or HTML.
func textIn(t *testing.T, name, data string) string {
	t.Helper()
	content, err := Read([]byte(data), name, asUTF8)
	if err != nil {
		t.Fatal(err)
	}
	if len(content.Documents) != 1 {
		t.Fatalf("%d documents, want one", len(content.Documents))
	}
	d := content.Documents[0]
	return d.Text + strings.Join(d.Pages, "")
}

// expect checks that a text has some parts, and others not: those after "-".
func expect(t *testing.T, got string, parts ...string) {
	t.Helper()
	want := true
	for _, part := range parts {
		if part == "-" {
			want = false
		} else if strings.Contains(got, part) != want {
			t.Errorf("contains %q is %v in\n%s", part, !want, got)
		}
	}
}

// zipOf packs files, of which names and contents take turns.
func zipOf(t *testing.T, files ...string) string { return string(archivetest.Zip(t, files...)) }
