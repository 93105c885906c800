package models

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/salience"
)

// TestAllBuiltIn: the manifest tells of what is in this program.
func TestAllBuiltIn(t *testing.T) {
	list, err := AllBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	free := map[string]bool{}
	for _, b := range list {
		free[b.SHA256] = b.Free
		if len(b.Corpora) == 0 || b.Licence == "" || !strings.HasPrefix(b.Path, "internal/") ||
			!slices.ContainsFunc(core.Methods(), func(m core.MethodInfo) bool { return m.Name == b.Method }) {
			t.Errorf("%+v", b)
		}
	}
	// The models of the default method are those of internal/reading.
	for _, path := range []string{"internal/reading/editor.forest", "internal/reading/standing.weights"} {
		data, err := os.ReadFile("../" + path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if !free[hex.EncodeToString(sum[:])] {
			t.Errorf("%s is not listed as free", path)
		}
	}
	// Licence "free" keeps to the general expert.
	for name, test := range map[string]struct {
		expert *salience.Expert
		free   bool
	}{"long-budget": {salience.LongBudget(), false}, "general": {salience.General(), true}} {
		sum := sha256.Sum256(salience.Encode(test.expert))
		if is, listed := free[hex.EncodeToString(sum[:])]; !listed || is != test.free {
			t.Errorf("the %s expert: listed %v, free %v, want %v", name, listed, is, test.free)
		}
	}
}
