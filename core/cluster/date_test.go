package cluster

import "testing"

func TestDates(t *testing.T) {
	for _, s := range []string{"2026-04-21", "2026-04-21T17:30Z", "2026-04-21T17:30:00Z", "2026-04-21T17:30:00.125+05:30", "2026-04-21T17:30-03:00"} {
		if !IsDate(s) {
			t.Errorf("%s is refused", s)
		}
	}
	for _, s := range []string{"2026", "2026-4-21", "2026-04-32", "2026-04-21T", "2026-04-21T17:30", "2026-04-21 17:30Z", "2026-04-21T17:30:00", "2026-04-21T25:00Z", "2026-04-21T17:30+0530", "+026-04-21", "21 April 2026"} {
		if IsDate(s) {
			t.Errorf("%s is accepted", s)
		}
	}
}
