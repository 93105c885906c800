package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// readNormalizer returns nil for null.
func readNormalizer(path string, raw json.RawMessage) (normalizer, error) {
	if isNull(raw) {
		return nil, nil
	}
	name, err := typeOf(path, raw)
	if err != nil {
		return nil, err
	}
	switch name {
	case "Sequence":
		var c struct{ Normalizers json.RawMessage }
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		items, err := list(path+".normalizers", c.Normalizers)
		if err != nil {
			return nil, err
		}
		var all []normalizer
		for i, item := range items {
			n, err := readNormalizer(fmt.Sprintf("%s.normalizers[%d]", path, i), item)
			if err != nil {
				return nil, err
			}
			if n != nil {
				all = append(all, n)
			}
		}
		return fuse(all), nil
	case "BertNormalizer":
		var c struct {
			CleanText          bool  `json:"clean_text"`
			HandleChineseChars bool  `json:"handle_chinese_chars"`
			Lowercase          bool  `json:"lowercase"`
			StripAccents       *bool `json:"strip_accents"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		accents := c.Lowercase
		if c.StripAccents != nil {
			accents = *c.StripAccents
		}
		return bert{clean: c.CleanText, ideographs: c.HandleChineseChars, lowercase: c.Lowercase, accents: accents}, nil
	case "Precompiled":
		return precompiled{}, nil
	case "NFC":
		return form(norm.NFC), nil
	case "NFD":
		return form(norm.NFD), nil
	case "NFKC":
		return form(norm.NFKC), nil
	case "NFKD":
		return form(norm.NFKD), nil
	case "Lowercase":
		return lowercase{}, nil
	case "StripAccents":
		return stripAccents{}, nil
	case "Strip":
		var c struct {
			Left  bool `json:"strip_left"`
			Right bool `json:"strip_right"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		return strip{left: c.Left, right: c.Right}, nil
	case "Prepend":
		var c struct{ Prepend *string }
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		if c.Prepend == nil {
			return nil, fieldError(path+".prepend", "missing")
		}
		return prepend(*c.Prepend), nil
	case "Replace":
		return readReplace(path, raw)
	}
	return nil, fieldError(path+".type", "unknown %q", name)
}

// readReplace reads a replacement, which is a normalizer and a pre-tokenizer.
func readReplace(path string, raw json.RawMessage) (normalizer, error) {
	var c struct {
		Pattern json.RawMessage
		Content string
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	p, err := readPattern(path+".pattern", c.Pattern)
	if err != nil {
		return nil, err
	}
	t, err := newTemplate(c.Content)
	if err != nil {
		return nil, fieldError(path+".content", "%w", err)
	}
	return replaceString{old: p.text, new: t.fill(p.text)}, nil
}

// pattern is what a component looks for: a string or a regular expression.
type stringPattern struct{ text string }

func readPattern(path string, raw json.RawMessage) (stringPattern, error) {
	var c struct{ String, Regex *string }
	if len(raw) == 0 {
		return stringPattern{}, fieldError(path, "missing")
	}
	if err := decode(path, raw, &c); err != nil {
		return stringPattern{}, err
	}
	if c.Regex != nil {
		return stringPattern{}, fieldError(path+".Regex", "not supported")
	}
	if c.String == nil {
		return stringPattern{}, fieldError(path, "want a String or a Regex")
	}
	return stringPattern{*c.String}, nil
}

// template is the text that takes the place of a match, with JavaScript's
// signs in it: $& is the match, $$ a dollar.
type template []string // between two of them the match is written

func newTemplate(content string) (template, error) {
	t := template{""}
	for {
		i := strings.IndexByte(content, '$')
		if i < 0 || i+1 == len(content) {
			break
		}
		last := &t[len(t)-1]
		*last += content[:i]
		switch content[i+1] {
		case '$':
			*last += "$"
		case '&':
			t = append(t, "")
		case '`', '\'':
			return nil, fmt.Errorf("%q is not supported: it stands for the text around the match", content[i:i+2])
		default:
			*last += "$"
			content = content[i+1:]
			continue
		}
		content = content[i+2:]
	}
	t[len(t)-1] += content
	return t, nil
}

func (t template) fill(match string) string { return strings.Join(t, match) }
