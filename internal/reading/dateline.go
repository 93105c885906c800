package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// datelineBytes is the length of the longest dateline.
const datelineBytes = 130

// dateline returns the length of a dateline at the start of the k-th sentence, which
// starts a line, with its dash: "WASHINGTON (AP) --", "PARIS, 3 mai (AFP) -", "（新华社北
// 京3月3日电）"; 0 if there is none.
func (e *editor) dateline(s string, k int) int {
	if n := asianDateline(s); n > 0 {
		return n
	}
	head := s[:min(len(s), datelineBytes)]
	brackets := 0
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRuneInString(head[i:])
		n := 0
		switch r {
		case '(':
			brackets++
		case ')':
			brackets--
		case '-', '–', '—', '―', '_':
			n = dashAt(s, i)
		case '.':
			if strings.HasPrefix(s[i:], ".-") || strings.HasPrefix(s[i:], ".—") || strings.HasPrefix(s[i:], ".–") {
				n = dash(s[i:])
			}
		case '"', '“', '„', '«':
			if brackets == 0 { // in them it is the name of an agency or newspaper
				return e.agencyOnly(s)
			}
		case '!', '?', ';':
			return e.agencyOnly(s)
		}
		if n > 0 {
			before := strings.TrimSpace(s[:i])
			if e.place(before, s[i+n:], k) {
				return i + n
			}
			if r != '-' || !strings.ContainsAny(before, ",(") { // "NEW YORK, Jan. 5 — Reuters —"
				return e.agencyOnly(s)
			}
		}
		i += size
	}
	return e.agencyOnly(s)
}

// dashAt returns the length of the dash at s[i:] if it has space on both sides, or is an
// em dash after a bracket.
func dashAt(s string, i int) int {
	n := 0
	for n < 4 && i+n < len(s) {
		r, size := utf8.DecodeRuneInString(s[i+n:])
		if r != '-' && r != '–' && r != '—' && r != '―' && r != '_' {
			break
		}
		n += size
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+n:])
	if i+n == len(s) || blank(before) && blank(after) {
		return n
	}
	if (before == ')' || before == ']' || before == '/') && (blank(after) || s[i] != '-') || blank(before) && n > 1 && i+n < len(s) && s[i] != '_' {
		return n
	}
	return 0
}

// place reports whether s, which a dash follows, is a dateline: a place, and a date or
// an agency in brackets. Without brackets and date the place must be in capitals.
func (e *editor) place(s, rest string, k int) bool {
	rest = strings.TrimLeftFunc(rest, blank)
	if s == "" || rest == "" || length(s) > 14 {
		return false
	}
	head := k < 4
	if enclosed(s) { // "(ANSA) - ROMA", "(Dân trí) -"
		return head && length(s) <= 3 && capital(rest)
	}
	open, agency, after := bracketed(s)
	name := s
	if open >= 0 {
		name = strings.TrimSpace(s[:open])
	}
	known := open >= 0 && e.agency(agency)
	if !e.caseless && !capital(s) || !known && !capital(rest) {
		return false
	}
	city, _, _ := strings.Cut(name, ",")
	switch {
	case open >= 0 && len(after) > 0 && !strings.HasPrefix(strings.TrimSpace(after), ",") && !strings.ContainsFunc(after, unicode.IsDigit):
		return false
	case known:
		return length(name) <= 9
	case open >= 0 && shoutedStart(city):
		return length(agency) <= 4 || head && length(agency) <= 6
	case open >= 0:
		return head && length(agency) <= 3 && length(name) <= 7 && e.capitals(city) && !e.numbers(agency)
	case e.caseless:
		return false
	case onlyDate(name):
		return k < 2 && capital(rest)
	case strings.ContainsFunc(name, unicode.IsDigit) && !dated(name):
		return false
	case shoutedStart(city):
		return (head || dated(name)) && length(name) <= 9 && capitalWord(rest)
	case strings.Contains(name, ","):
		return k < 2 && dated(name) && length(name) <= 7 && e.capitals(city)
	}
	return false
}

// numbers reports whether s has digits only: "(53)" is an age.
func (e *editor) numbers(s string) bool {
	return !strings.ContainsFunc(s, unicode.IsLetter)
}

// onlyDate reports whether s is a date alone: "Feb. 23, 2015".
func onlyDate(s string) bool {
	words, numbers, year := 0, 0, false
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if strings.Trim(w, "0123456789") != "" {
			words++
			continue
		}
		numbers++
		year = year || len(w) == 4 && (w[:2] == "19" || w[:2] == "20")
	}
	return words <= 2 && numbers >= 2 && year
}

// dated reports whether a part of s after a comma has digits and letters: a number
// alone is an age.
func dated(s string) bool {
	_, rest, _ := strings.Cut(s, ",")
	return strings.ContainsFunc(rest, unicode.IsDigit) && strings.ContainsFunc(rest, unicode.IsLetter)
}

// capitals reports whether the words of a place have capitals, short ones aside. Where
// there are none, it is true.
func (e *editor) capitals(s string) bool {
	if e.caseless {
		return true
	}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' || r == '/' }) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) && len(w) > 5 {
			return false
		}
	}
	return true
}

// shoutedStart reports whether the first words of a place are in capitals.
func shoutedStart(s string) bool {
	if i := strings.IndexAny(s, "(0123456789"); i > 0 {
		s = s[:i]
	}
	upper, lower := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	return upper >= 2 && lower <= upper/4
}

// capitalWord reports whether s starts with a capital or a digit, after opening marks.
func capitalWord(s string) bool { return capital(s) }

// bracketed returns the position and content of the last brackets or slashes of a
// dateline, and what follows them; -1 if there are none.
func bracketed(s string) (open int, inside, after string) {
	for _, pair := range []string{"()", "//", "[]"} {
		j := strings.LastIndexByte(s, pair[1])
		if j <= 0 {
			continue
		}
		i := strings.LastIndexByte(s[:j], pair[0])
		if i > 0 && (pair != "//" || j == len(s)-1) {
			return i, strings.TrimSpace(s[i+1 : j]), s[j+1:]
		}
	}
	return -1, "", ""
}

// agency reports whether s names a news agency of the table, or the document's source.
func (e *editor) agency(s string) bool {
	f := strings.Trim(fold(s), "«»“”„\" ")
	if f == "" {
		return false
	}
	if e.source != "" && (containsWords(e.source, f) || containsWords(f, e.source)) {
		return true
	}
	for _, name := range strings.FieldsFunc(f, func(r rune) bool { return r == '/' || r == ',' || r == '-' }) {
		if e.words.agency.has(strings.TrimSpace(name)) {
			return true
		}
	}
	return false
}

// agencyOnly returns the length of a dateline that no dash ends: "नयी दिल्ली, तीन मई (भाषा)".
func (e *editor) agencyOnly(s string) int {
	head := s[:min(len(s), datelineBytes)]
	open := strings.IndexByte(head, '(')
	if open <= 0 {
		return 0
	}
	n := strings.IndexByte(head[open:], ')')
	if n < 0 || strings.IndexByte(head[:open], ',') < 0 || length(head[:open]) > 6 || strings.ContainsAny(head[:open], "“\"«") {
		return 0
	}
	f := fold(head[open+1 : open+n])
	if e.words.agency.has(f) && (shoutedStart(head[:strings.IndexByte(head, ',')]) || !strings.ContainsFunc(head[:open], unicode.IsUpper)) {
		end := open + n + 1
		return end + dash(strings.TrimLeft(s[end:], " ")) + (len(s[end:]) - len(strings.TrimLeft(s[end:], " ")))
	}
	return 0
}

// asianDateline returns the length of a Chinese, Japanese or Korean dateline:
// "新华社北京3月3日电（记者 …）", "【北京時事】", "[東京 3日 ロイター] -", "(서울=연합뉴스) 홍길동 기자 =".
func asianDateline(s string) int {
	first, size := utf8.DecodeRuneInString(s)
	switch first {
	case '【', '[', '［':
		closer := closing(first)
		if n := strings.Index(s[:min(len(s), 90)], closer); n > 0 && strings.ContainsFunc(s[:n], asian) {
			n += len(closer)
			rest := strings.TrimLeft(s[n:], " \u3000")
			switch {
			case strings.Contains(s[:n], "=") || strings.Contains(s[:n], "＝"):
				return n + koreanByline(s[n:])
			case first == '【':
				return n
			default:
				if d := dash(rest); d > 0 {
					return len(s) - len(rest) + d
				}
			}
		}
	case '(':
		if n := strings.IndexByte(s[:min(len(s), 60)], ')'); n > 0 && strings.Contains(s[:n], "=") && strings.ContainsFunc(s[:n], asian) {
			return n + 1 + koreanByline(s[n+1:])
		}
	case '（':
		n := strings.Index(s[:min(len(s), 120)], "）")
		if n > 0 && (strings.HasSuffix(s[:n], "电") || strings.HasSuffix(s[:n], "電") || strings.HasSuffix(s[:n], "讯") || strings.HasSuffix(s[:n], "訊")) {
			return n + len("）")
		}
	}
	if !unspaced(first) {
		return 0
	}
	// The agency, the place and the date, then 电 or 讯.
	limit := min(len(s), 90)
	for i := size; i < limit; {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '，', '。', '“', '：', ',':
			return 0
		case '电', '電', '讯', '訊':
			before := strings.TrimSuffix(s[:i], string(r))
			rest := strings.TrimLeftFunc(s[i:], blank)
			bracket := strings.HasPrefix(rest, "（") || strings.HasPrefix(rest, "(")
			if !bracket && rest == s[i:] && !strings.HasPrefix(rest, "：") {
				continue // 电 and 讯 begin many words
			}
			if last, _ := utf8.DecodeLastRuneInString(before); !strings.ContainsRune("日报報刊道", last) {
				continue
			}
			n := len(s) - len(strings.TrimPrefix(rest, "："))
			if bracket {
				closer := map[bool]string{true: "）", false: ")"}[strings.HasPrefix(rest, "（")]
				if j := strings.Index(rest[:min(len(rest), 150)], closer); j > 0 {
					n += j + len(closer)
				}
			}
			return n
		}
	}
	return 0
}

// koreanByline returns the length of " 홍길동 기자 = " at the start of s.
func koreanByline(s string) int {
	if n := strings.Index(s[:min(len(s), 60)], "= "); n >= 0 && (n == 0 || strings.Contains(s[:n], "기자") || strings.Contains(s[:n], "특파원") || strings.TrimSpace(s[:n]) == "") {
		return n + 2
	}
	return 0
}

// asian reports whether r is a Han, kana or Hangul character.
func asian(r rune) bool { return unspaced(r) && r >= 0x3000 || r >= 0xac00 && r <= 0xd7a3 }
