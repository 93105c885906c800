package disagreements

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unit reads the unit behind m, and whether m is an amount of something.
func (r *reader) unit(m *mention) bool {
	c, w := utf8.DecodeRuneInString(r.text[m.end:])
	next, nw := utf8.DecodeRuneInString(r.text[min(m.end+w, len(r.text)):])
	if c == ' ' || c == '\u00a0' || c == '\u202f' {
		c, w = next, w+nw
	}
	switch {
	case c == '%' || c == '٪' || c == '％':
		m.kind = percent
		m.end += w
		return true
	case strings.ContainsRune("€$£₽₺₹₩", c):
		m.kind, m.unit = money, string(c)
		m.end += w
		return true
	}
	if m.last < len(r.items) && r.items[m.last].unspaced {
		c, w := utf8.DecodeRuneInString(r.text[m.end:])
		switch {
		case c == '元' || c == '円' || c == '원':
			m.kind, m.unit, m.end = money, "¥", m.end+w
			return true
		case strings.HasPrefix(r.text[m.end:], "美元"), strings.HasPrefix(r.text[m.end:], "ドル"), strings.HasPrefix(r.text[m.end:], "달러"):
			m.kind, m.unit, m.end = money, "$", m.end+6
			return true
		case strings.HasPrefix(r.text[m.end:], "欧元"), strings.HasPrefix(r.text[m.end:], "ユーロ"), strings.HasPrefix(r.text[m.end:], "유로"):
			m.kind, m.unit = money, "€"
			return true
		}
		if m.unit == "" && r.items[m.last].start == m.end {
			m.unit = string(c)
			if c == '个' || c == '個' || c == '多' || c == '余' {
				if c != '个' && c != '個' {
					m.mods |= roleLeast
				}
				if d, _ := utf8.DecodeRuneInString(r.text[m.end+w:]); unicode.IsLetter(d) {
					m.unit = string(d)
				}
			}
			if m.unit == "名" || m.unit == "位" {
				m.unit = "人"
			}
		}
		return true
	}
	for k := m.last; k < min(m.last+2, len(r.items)) && r.items[k].gap == space && m.kind != money; k++ {
		it := &r.items[k]
		if it.role&rolePercent != 0 {
			m.kind, m.end, m.last = percent, it.end, k+1
			return true
		}
		if u := currencyOf(it.folded); u != "" {
			m.kind, m.unit, m.end, m.last = money, u, it.end, k+1
			return true
		}
	}
	if k := m.first - 1; k >= 0 && r.language == "tr" && r.items[k].role&rolePercent != 0 {
		m.kind, m.start = percent, r.items[k].start
		return true
	}
	if m.last < len(r.items) {
		switch f := r.items[m.last].folded; f {
		case "pm", "am", "p.m", "a.m", "uhr", "o'clock":
			return false
		case "km", "m", "kg", "kilometers":
			if strings.HasPrefix(r.text[r.items[m.last].end:], "/") && m.last+1 < len(r.items) {
				m.unit = f + "/" + r.items[m.last+1].folded
				m.end = r.items[m.last+1].end
				m.last += 2
			}
		}
	}
	return true
}

// currencyOf returns the symbol of a currency's name, or "".
func currencyOf(word string) string {
	for _, c := range [...]struct{ stem, symbol string }{
		{"dollar", "$"}, {"dólar", "$"}, {"dolar", "$"}, {"доллар", "$"}, {"долар", "$"}, {"دولار", "$"}, {"डॉलर", "$"},
		{"euro", "€"}, {"евро", "€"}, {"євро", "€"}, {"يورو", "€"}, {"avro", "€"},
		{"pound", "£"}, {"фунт", "£"}, {"рубл", "₽"}, {"rubel", "₽"}, {"lira", "₺"}, {"rupee", "₹"}, {"रुपये", "₹"}, {"yuan", "¥"}, {"yen", "¥"},
	} {
		if strings.HasPrefix(word, c.stem) && len(word) <= len(c.stem)+6 {
			if c.stem == "euro" && word != "euro" && word != "euros" && word != "euron" || c.stem == "yen" && word != "yen" {
				continue
			}
			return c.symbol
		}
	}
	return ""
}
