package hub

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/models"
)

func TestBuiltIn(t *testing.T) {
	o := Options{CacheDir: t.TempDir()}
	all, err := List(o)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for name := range compiledIn {
		i := slices.IndexFunc(all, func(m Model) bool { return m.ID == name })
		if i < 0 {
			t.Errorf("%s is not listed", name)
			continue
		}
		listed++
		if m := all[i]; m.State != BuiltIn || m.Method != "salience" && m.Method != "editor" || m.Bytes == 0 || m.Licence == "" || m.Free != (name != "salience-multinews") || len(m.Corpora) == 0 {
			t.Errorf("%+v", m)
		}
		checks, err := Verify(t.Context(), name, o)
		if err != nil || len(checks) != 1 || checks[0].Files != 1 || len(checks[0].Problems) > 0 {
			t.Errorf("%s: %+v, %v", name, checks, err)
		}
	}
	if n := len(slices.DeleteFunc(all, func(m Model) bool { return m.State != BuiltIn })); n != listed {
		t.Errorf("%d are listed, %d known", n, listed)
	}
	for want, b := range map[string]models.BuiltIn{
		"x.bin: missing from the program":                         {Name: "x", Path: "x.bin"},
		"internal/salience/multinews.bin in the program: got SHA": {Name: "salience-multinews", Path: "internal/salience/multinews.bin", SHA256: "00"},
	} {
		if p := errors.Join(checkBuiltIn([]models.BuiltIn{b}, "")[0].Problems...); !errors.Is(p, ErrDamaged) || !strings.Contains(p.Error(), want) {
			t.Errorf("%v, want %q", p, want)
		}
	}
}
