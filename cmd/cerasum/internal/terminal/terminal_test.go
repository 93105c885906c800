package terminal

import (
	"bytes"
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		cols int
		want []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"  spaces   between  ", 80, []string{"spaces between"}},
		{"averyveryverylongword x", 5, []string{"averyveryverylongword", "x"}},
		{"川は夜に氾濫した。", 8, []string{"川は夜に", "氾濫し", "た。"}},
		{"川は「夜」に", 6, []string{"川は", "「夜」", "に"}},
		{"e\u0301e\u0301 e\u0301e\u0301", 5, []string{"e\u0301e\u0301 e\u0301e\u0301"}},
		{"one two\u00a0[1]", 9, []string{"one", "two [1]"}},
		{"川は夜に。\u00a0[1]", 8, []string{"川は夜", "に。 [1]"}},
		{"", 10, nil},
	} {
		if got := Wrap(c.in, c.cols); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.in, c.cols, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	for width, want := range map[int][]string{0: {"one two [1]"}, 9: {"one", "two [1]"}} {
		if got := (Terminal{Width: width}).Lines("one two\u00a0[1]", 0); !slices.Equal(got, want) {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

func TestSafe(t *testing.T) {
	if got, want := Safe("a\u202eb\u2067\u2069\u200f c\u3164\u2800d"), "ab c d"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Safe("a\U000e0049\U000e007f b\ufff9c\ufffb\U000e0100\U000e0101"), "a bc"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const kept = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f 葛\U000e0100"
	if got, want := Safe(kept+"\U000e0101"), kept; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Safe("a\x1b[31m\n\tb\u009bc\x00 "), "a\ufffd[31m b\ufffdc\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestColor(t *testing.T) {
	if got := Of(&bytes.Buffer{}); got.Interactive || got.Color || got.Width != 0 {
		t.Errorf("a buffer is %+v", got)
	}
	if got := (Terminal{}).Paint(Bold, "x"); got != "x" {
		t.Errorf("%q", got)
	}
	if got := (Terminal{Color: true}).Paint(Bold, "x"); got != "\x1b[1mx\x1b[0m" {
		t.Errorf("%q", got)
	}
}
