package disagreements

import (
	"math"
	"strings"
	"unicode/utf8"
)

// digitOf returns the value of a digit: ASCII, full width, Arabic, Persian, Devanagari
// or Bengali.
func digitOf(r rune) (int, bool) {
	for _, zero := range [...]rune{'0', '０', '٠', '۰', '०', '০'} {
		if r >= zero && r <= zero+9 {
			return int(r - zero), true
		}
	}
	return 0, false
}

// spacedThousands are languages that separate thousands by a plain space too.
const spacedThousands = " bg cs es et fi fr hu it lv no pl pt ru sk sv uk "

// readDigits reads the number in digits at the start of s, and returns its value and
// its length in bytes, or false if it is no plain number. Three digits behind a
// separator are thousands: "3.400" and "3,400" are both 3400.
func readDigits(s, language string) (value float64, size int, ok bool) {
	var groups []int // digits of each
	var numbers []float64
	decimal := -1 // index of the group of decimals
	for {
		digits, n := 0, 0.0
		for size < len(s) {
			r, w := utf8.DecodeRuneInString(s[size:])
			d, is := digitOf(r)
			if !is {
				break
			}
			n = 10*n + float64(d)
			digits++
			size += w
		}
		groups, numbers = append(groups, digits), append(numbers, n)
		r, w := utf8.DecodeRuneInString(s[size:])
		next, _ := utf8.DecodeRuneInString(s[size+w:])
		if _, is := digitOf(next); !is || w == 0 {
			break
		}
		switch r {
		case '.', ',', '٫', '٬', '．', '，', '\'', '’':
		case ' ':
			if !strings.Contains(spacedThousands, " "+language+" ") || !threeDigits(s[size+w:]) || groups[0] > 3 || groups[len(groups)-1] != 3 && len(groups) > 1 {
				goto done
			}
		case '\u00a0', '\u202f', '\u2009':
			if !threeDigits(s[size+w:]) {
				goto done
			}
		default:
			goto done
		}
		size += w
	}
done:
	thousands := groups[0] <= 3 && numbers[0] != 0
	for i, g := range groups[1:] {
		if g != 3 || !thousands {
			if i+2 < len(groups) {
				return 0, size, false
			}
			decimal = i + 1
		}
	}
	value = numbers[0]
	for i := 1; i < len(groups); i++ {
		if i == decimal {
			value += numbers[i] / math.Pow10(groups[i])
		} else {
			value = value*1000 + numbers[i]
		}
	}
	return value, size, groups[0] > 0
}

// threeDigits reports whether s begins with three digits and no more.
func threeDigits(s string) bool {
	n := 0
	for _, r := range s {
		if _, is := digitOf(r); !is {
			break
		}
		n++
	}
	return n == 3
}

// multiplier returns the factor that a character of Chinese, Japanese or Korean
// behind a number stands for, or 0.
func multiplier(r rune) float64 {
	switch r {
	case '十', '拾':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	case '万', '萬', '만':
		return 1e4
	case '亿', '億', '억':
		return 1e8
	case '兆', '조':
		return 1e12
	}
	return 0
}

// readCharacters reads a number in Chinese characters at the start of s: "三", "十四",
// "二十一", "三千五百". One character alone is a number only before another that is no
// such character; the caller checks that a counted thing follows.
func readCharacters(s string) (value float64, size int) {
	total, section, unit := 0.0, 0.0, 0.0
	for size < len(s) {
		r, w := utf8.DecodeRuneInString(s[size:])
		m := multiplier(r)
		i := strings.IndexRune("一二三四五六七八九", r)
		switch {
		case i >= 0:
			unit = float64(i/3 + 1)
		case r == '两' || r == '兩':
			unit = 2
		case r == '〇' || r == '零':
			unit = 0
		case m >= 1e4 && size > 0:
			total += (section + unit) * m
			section, unit = 0, 0
		case m > 0 && m < 1e4:
			section += max(unit, 1) * m
			unit = 0
		default:
			return total + section + unit, size
		}
		size += w
	}
	return total + section + unit, size
}

// significant returns the number of significant digits of a value.
func significant(v float64) int {
	if v == 0 {
		return 1
	}
	n := 0
	for v != math.Trunc(v) && n < 4 {
		v *= 10
		n++
	}
	v = math.Round(v)
	digits := 0
	trailing := true
	for v >= 1 {
		d := math.Mod(v, 10)
		v = math.Floor(v / 10)
		if d != 0 {
			trailing = false
		}
		if !trailing {
			digits++
		}
	}
	return digits
}

// rounded returns v with n significant digits.
func rounded(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	step := math.Pow(10, math.Floor(math.Log10(v))+1-float64(n))
	return math.Round(v/step) * step
}

// step returns the unit of the last significant digit: 10 for 60, 100 for 1200.
func step(v float64) float64 {
	if v == 0 {
		return 1
	}
	return math.Pow(10, math.Floor(math.Log10(v))+1-float64(significant(v)))
}
