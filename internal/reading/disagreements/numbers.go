package disagreements

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isNumeral(c rune) bool {
	return strings.ContainsRune("一二两兩三四五六七八九十百千", c)
}

// digits reads the number in digits at item i and returns the item behind it.
func (r *reader) digits(i int, l *line) int {
	it := &r.items[i]
	value, size, ok := readDigits(r.text[it.start:], r.language)
	m := mention{first: i, start: it.start, end: it.start + size, value: value}
	next := i + 1
	for next < len(r.items) && r.items[next].start < m.end {
		next++
	}
	m.last = next
	if before, n := utf8.DecodeLastRuneInString(r.text[:it.start]); n > 0 {
		letter, _ := utf8.DecodeLastRuneInString(r.text[:it.start-n])
		switch {
		case unicode.IsLetter(before) && !it.unspaced && before < 0x2E80,
			strings.ContainsRune("#№/:.第", before),
			before == '-' && unicode.IsLetter(letter),
			before == '.' && unicode.IsLetter(letter):
			ok = false
		case strings.ContainsRune("$€£¥₽₺₹₩", before):
			m.kind, m.unit = money, string(before)
			m.start -= n
		case before == ' ' && strings.ContainsRune("$€£¥₽₺₹₩", letter):
			m.kind, m.unit = money, string(letter)
			m.start -= n + utf8.RuneLen(letter)
		case before == '%' || before == '٪':
			m.kind = percent
		}
	}
	// What is attached: units, ordinals, times.
	rest := r.text[m.end:]
	attached := rest
	if k := strings.IndexFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) || c >= 0x2E80 }); k >= 0 {
		attached = rest[:k]
	}
	if attached != "" && !strings.HasPrefix(attached, "ال") && r.language != "ko" {
		switch a := strings.ToLower(attached); a {
		case "m", "mn", "bn", "b", "tn", "k":
			if m.kind != money {
				ok = ok && (a == "m" || a == "k")
				m.unit = a
				break
			}
			switch a[0] {
			case 'k':
				m.value *= 1e3
			case 'm':
				m.value *= 1e6
			case 'b':
				m.value *= 1e9
			default:
				m.value *= 1e12
			}
		case "km", "kg", "cm", "mm", "g", "mw", "gw", "kw", "mph", "ft", "lb", "lbs", "kph", "ha", "t":
			m.unit = a
		case "€":
		default:
			ok = false
		}
		m.end += len(attached)
		for m.last < len(r.items) && r.items[m.last].start < m.end {
			m.last++
		}
		rest = r.text[m.end:]
	}
	if m.unit != "" && strings.HasPrefix(rest, "/") && m.last < len(r.items) {
		m.unit += "/" + r.items[m.last].folded
		m.end = r.items[m.last].end
		m.last++
		rest = r.text[m.end:]
	}
	if colon, ok2 := strings.CutPrefix(strings.TrimLeft(rest, " "), ":"); ok2 { // "2: 12 a.m."
		d, _ := utf8.DecodeRuneInString(strings.TrimLeft(colon, " "))
		if _, is := digitOf(d); is {
			ok = false
		}
	}
	if colon, ok2 := strings.CutSuffix(strings.TrimRight(r.text[:it.start], " "), ":"); ok2 {
		d, _ := utf8.DecodeLastRuneInString(strings.TrimRight(colon, " "))
		if _, is := digitOf(d); is {
			ok = false
		}
	}
	c, w := utf8.DecodeRuneInString(rest)
	following, _ := utf8.DecodeRuneInString(rest[min(w, len(rest)):])
	_, digitFollows := digitOf(following)
	switch {
	case c == '/' || c == ':' && digitFollows, c == 'º', c == 'ª', c == '°' && following != 'C':
		ok = false
	case c == '.' && digitFollows:
		ok = false
	case c == '.' && following == ' ' && strings.Contains(" de tr fi da no cs pl hu hr sk sl et ", " "+r.language+" ") && m.last < len(r.items):
		ok = false // an ordinal
	case c == '\'' || c == '’':
		if r.language == "tr" {
			r.skipSuffix(&m)
		} else {
			ok = false
		}
	}
	if value >= 1500 && value <= 2100 && size == 4 && m.unit == "" && m.kind == count && !r.countsPeople(m.last) {
		l.years = append(l.years, int(value))
		ok = false
	}
	if ok && r.calendar(&m, l) {
		r.add(m)
		return m.last
	}
	if ok {
		r.multiply(&m)
		ok = r.unit(&m)
	}
	if ok && r.named(i, &m) {
		ok = false
	}
	if !ok {
		m.kind = ignored
	}
	r.add(m)
	return m.last
}

// skipSuffix reads a Turkish suffix behind an apostrophe. Those of the numbers
// themselves make parts of others: "14'ü".
func (r *reader) skipSuffix(m *mention) {
	if m.last < len(r.items) {
		m.end = r.items[m.last].end
		m.last++
		m.mods |= rolePart
	}
}

// countsPeople reports whether the item at i is a word for people, or a unit of money
// or length: a number of four digits before it is no year.
func (r *reader) countsPeople(i int) bool {
	if i >= len(r.items) || r.items[i].gap != space {
		return false
	}
	it := &r.items[i]
	return it.role&(roleWho|roleVote|rolePercent|roleTime) != 0 || currencyOf(it.folded) != ""
}

// calendar reads a date of a month and a day, or skips what is part of one, and
// reports whether m is one.
func (r *reader) calendar(m *mention, l *line) bool {
	if m.kind != count || m.unit != "" {
		return false
	}
	c, w := utf8.DecodeRuneInString(r.text[m.end:])
	if m.last < len(r.items) && r.items[m.last].unspaced && r.items[m.last].start == m.end {
		next, _ := utf8.DecodeRuneInString(r.text[m.end+w:])
		switch {
		case c == '月' || c == '월':
			m.kind = ignored
			return true
		case c == '日' || c == '일' && next != '간':
			m.kind = ignored
			l.dates = append(l.dates, int(m.value))
			return true
		case (c == '时' || c == '時' || c == '시') && next != '間' && next != '간',
			c == '분' && next != '간', c == '分' && next != '钟' && next != '間' && next != '之',
			strings.ContainsRune("年년点點號号岁歳세期届回次楼层階位度", c) && next != '間':
			if c == '位' && (r.language == "zh") || c == '度' && next == '\u0000' {
				return false
			}
			if c == '年' {
				l.years = append(l.years, int(m.value))
			}
			m.kind = ignored
			return true
		}
		return false
	}
	if m.value < 1 || m.value > 31 || m.value != float64(int(m.value)) {
		return false
	}
	month, at := 0, -1
	for _, k := range []int{m.last, m.last + 1, m.first - 1} {
		if k < 0 || k >= len(r.items) || k == m.last+1 && !r.items[m.last].stop && r.items[m.last].folded != "of" {
			continue
		}
		if r.items[k].folded == "may" && !r.items[k].capital {
			continue
		}
		if n := r.items[k].month; n > 0 {
			month, at = n, k
			break
		}
	}
	if month == 0 {
		return false
	}
	m.kind, m.value = date, 100*float64(month)+m.value
	l.dates = append(l.dates, int(m.value))
	if at >= m.last {
		m.last = at + 1
	} else {
		m.first = at
	}
	m.start, m.end = min(m.start, r.items[at].start), max(m.end, r.items[at].end)
	return true
}

// multiply reads the words and characters behind m that multiply it.
func (r *reader) multiply(m *mention) {
	total := 0.0
	for m.end < len(r.text) {
		c, w := utf8.DecodeRuneInString(r.text[m.end:])
		k := multiplier(c)
		if k == 0 {
			break
		}
		total, m.value = total+m.value*k, 0
		m.end += w
		if v, size, ok := readDigits(r.text[m.end:], r.language); ok && size > 0 {
			m.value = v
			m.end += size
		} else {
			break
		}
	}
	m.value += total
	for m.last < len(r.items) && r.items[m.last].start < m.end {
		m.last++
	}
	for m.last < len(r.items) && r.items[m.last].gap == space && !r.items[m.last].unspaced {
		k := r.items[m.last].number
		if k < 1000 && !(k == 100 && r.items[m.first].folded == "") {
			break
		}
		m.value *= k
		m.end = r.items[m.last].end
		m.last++
	}
}

// characters reads a number in Chinese characters at item i.
func (r *reader) characters(i int) int {
	it := &r.items[i]
	value, size := readCharacters(r.text[it.start:])
	m := mention{first: i, last: i + 1, start: it.start, end: it.start + size, value: value}
	for m.last < len(r.items) && r.items[m.last].start < m.end {
		m.last++
	}
	c, _ := utf8.DecodeRuneInString(r.text[m.end:])
	before, _ := utf8.DecodeLastRuneInString(r.text[:m.start])
	if value < 2 || before == '第' || !strings.ContainsRune("人名艘架辆台栋户棟隻头頭元円%％", c) {
		return m.last
	}
	if r.unit(&m) {
		r.add(m)
	}
	return m.last
}

// words reads a number in words at item i.
func (r *reader) words(i int) int {
	it := &r.items[i]
	m := mention{first: i, last: i + 1, start: it.start, end: it.end}
	total, section := 0.0, it.number
	if section >= 1000 {
		section, total = 0, section
		if strings.HasSuffix(it.folded, "s") || r.language != "es" && r.language != "pt" && r.language != "fr" && r.language != "tr" && r.language != "it" && r.language != "de" {
			m.kind = ignored // "millions of", "thousand" alone
		}
	}
	last := it.number
	for m.last < len(r.items) {
		k, at := m.last, &r.items[m.last]
		n := at.number
		if n == 0 && at.role&roleAnd != 0 && k+1 < len(r.items) && joins(at.folded) && last >= 20 && r.items[k+1].number > 0 && r.items[k+1].number < last {
			k++
			n = r.items[k].number
		}
		if n == 0 || r.items[k].gap != space {
			break
		}
		switch {
		case n >= 1000:
			total += max(section, 1) * n
			section = 0
		case n == 100 && section > 1 && section < 100:
			section *= 100
		case n == 20 && section == 4 && r.language == "fr": // quatre-vingts
			section, n = 80, 80
		case n < last && (last >= 20 || last == 10 && (r.language == "tr" || r.language == "fr")):
			section += n
		default:
			n = 0
		}
		if n == 0 {
			break
		}
		last = n
		m.last, m.end = k+1, r.items[k].end
	}
	m.value = total + section
	if m.value == 1 && (m.last >= len(r.items) || r.items[m.last].stop) {
		m.kind = ignored // "one of", "one that"
	}
	if m.kind != ignored && !r.unit(&m) {
		m.kind = ignored
	}
	r.add(m)
	return m.last
}

// joins reports whether a conjunction joins the parts of a number.
func joins(word string) bool {
	switch word {
	case "and", "y", "e", "et", "und", "en", "و":
		return true
	}
	return false
}

// named reports whether the number at item i is part of a name: "Route 66", "Road 14".
func (r *reader) named(i int, m *mention) bool {
	if i == 0 || m.kind != count || m.unit != "" || r.items[i].gap != space {
		return false
	}
	before := &r.items[i-1]
	if before.unspaced || before.mention >= 0 || before.role != 0 && before.role != roleMay || before.stop || before.month > 0 || before.day > 0 {
		return false
	}
	c, _ := utf8.DecodeRuneInString(r.text[before.start:])
	if !unicode.IsUpper(c) || m.last < len(r.items) && r.items[m.last].gap == space && r.items[m.last].role&(roleWho|roleFates|roleVote) != 0 {
		return false
	}
	// German nouns are names only where nothing is counted.
	if r.language == "de" || i == 1 {
		return m.last >= len(r.items) || r.items[m.last].gap != space || r.items[m.last].stop
	}
	return true
}
