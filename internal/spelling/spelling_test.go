package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"documents", "id", "date"}
	for name, want := range map[string]string{"documnets": "documents", "Documents": "documents", "document": "documents", "dat": "date", "name": "", "x": "", "": ""} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
