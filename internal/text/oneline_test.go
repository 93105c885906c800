package text

import (
	"encoding/json"
	"os"
	"testing"
)

func TestOneLine(t *testing.T) {
	data, err := os.ReadFile("testdata/one-line.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]string
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if got := OneLine(c[0]); got != c[1] {
			t.Errorf("OneLine(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
