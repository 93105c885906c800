package errorf

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestErrorfAgreesWithFmt(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"plain", nil},
		{"%w: budget %q: want %s", []any{io.EOF, "a\"b\x00ü", "one"}},
		{"%d of %d, %v and %v", []any{-3, 1 << 40, 0.1, "x"}},
		{"%v%v", []any{1e21, 7}},
	} {
		got, want := Errorf(c.format, c.args...), fmt.Errorf(c.format, c.args...)
		if got.Error() != want.Error() || errors.Is(got, io.EOF) != errors.Is(want, io.EOF) {
			t.Errorf("%q: %q, fmt says %q", c.format, got, want)
		}
	}
}

func TestErrorfPanicsForWhatItDoesNotKnow(t *testing.T) {
	for format, args := range map[string][]any{"%x": {1}, "%d": {"1"}, "%s": {}, "": {1}, "%v": {[]int{1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q of %v: no panic", format, args)
				}
			}()
			_ = Errorf(format, args...)
		}()
	}
}
