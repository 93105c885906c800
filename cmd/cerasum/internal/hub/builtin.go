package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/models"
)

// compiledIn maps names in manifest.json to the files compiled into the program.
var compiledIn = map[string]func(path string) string{
	"salience-general":   func(string) string { return string(salience.Encode(salience.General())) },
	"salience-multinews": func(string) string { return string(salience.Encode(salience.LongBudget())) },
	"editor":             reading.BuiltIn,
	"standing":           reading.BuiltIn,
}

func builtInModel(b models.BuiltIn) Model {
	return Model{
		ID: b.Name, State: BuiltIn, Bytes: b.Bytes, Licence: b.Licence, Method: b.Method, Free: b.Free, Corpora: b.Corpora,
		Files: []File{{Path: b.Path, Bytes: b.Bytes, SHA256: b.SHA256}},
	}
}

// checkBuiltIn checks the compiled-in model of a name, or all of them.
func checkBuiltIn(list []models.BuiltIn, name string) (checks []Check) {
	for _, b := range list {
		if name != "" && name != b.Name {
			continue
		}
		c := Check{Model: builtInModel(b), Files: 1}
		if contents, ok := compiledIn[b.Name]; !ok {
			c.Problems = append(c.Problems, fmt.Errorf("%w: %s: missing from the program", ErrDamaged, b.Path))
		} else if sum := sha256.Sum256([]byte(contents(b.Path))); hex.EncodeToString(sum[:]) != b.SHA256 {
			c.Problems = append(c.Problems, fmt.Errorf("%w: %s in the program: got SHA-256 %x, want %s", ErrDamaged, b.Path, sum, b.SHA256))
		}
		checks = append(checks, c)
	}
	return checks
}

// isBuiltIn reports whether a name is that of a compiled-in model.
func isBuiltIn(list []models.BuiltIn, name string) bool {
	return slices.ContainsFunc(list, func(b models.BuiltIn) bool { return b.Name == name })
}
