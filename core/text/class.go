package text

// Classes of ASCII characters, as bits.
const (
	lower = 1 << iota
	upper
	digit
	underscore
	blank     // space and what trims like it: controls, tab, line breaks
	lineBreak // LF, VT, FF, CR
	terminal  // . ! ?

	letter       = lower | upper
	alphanumeric = letter | digit
)

// class holds the classes of the bytes below 0x80; the others have none.
var class = [256]uint8{
	'_': underscore, '.': terminal, '!': terminal, '?': terminal, ' ': blank, 0x7f: blank,
}

func init() {
	for c := range ' ' {
		class[c] = blank
	}
	for c := '\n'; c <= '\r'; c++ {
		class[c] |= lineBreak
	}
	for c := range 26 {
		class['a'+c], class['A'+c] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		class[c] = digit
	}
}
