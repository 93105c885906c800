package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/unigram"
)

func TestRun(t *testing.T) {
	v := &unigram.Vocabulary{Pieces: []string{"<s>", "<pad>", "</s>", "<unk>", "a", "▁", "▁a"}, Scores: make([]float32, 7), Map: map[rune]string{}, Compose: map[[2]rune]rune{}}
	name := filepath.Join(t.TempDir(), "vocabulary.bin")
	if err := os.WriteFile(name, v.Append(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	// An empty line has no ids; the last line may lack its end.
	if err := run(name, strings.NewReader("a\n\nb"), &out); err != nil {
		t.Fatal(err)
	}
	ids := make([]int32, out.Len()/4)
	if err := binary.Read(&out, binary.LittleEndian, ids); err != nil {
		t.Fatal(err)
	}
	if want := []int32{1, 6, 0, 2, 5, 3}; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	if err := run(filepath.Join(t.TempDir(), "none"), strings.NewReader("a"), &out); err == nil {
		t.Error("a file that does not exist was read")
	}
}
