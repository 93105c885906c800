package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	bases := map[string]string{}
	// A later list replaces, the first base counts, and what is no token or
	// has three letters is left out.
	for _, list := range []string{"better good well\noxen ox\n\n", "ran run\nattorneys_general attorney_general\nco-eds co-ed\n", "better well\nomens omen\n"} {
		if err := read(strings.NewReader(list), bases); err != nil {
			t.Fatal(err)
		}
	}
	got, err := encode(bases)
	if err != nil {
		t.Fatal(err)
	}
	if want := "abetter awell\naomens e\nbxen c\n"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBadList(t *testing.T) {
	if err := read(strings.NewReader("oxen ox\nalone\n"), map[string]string{}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
	if _, err := encode(map[string]string{strings.Repeat("x", 40): strings.Repeat("x", 39)}); err == nil {
		t.Error("a form too long for the table is written")
	}
}
