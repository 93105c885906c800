package tokenizer

import (
	"encoding/json"

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
		all, err := sequence(path, "normalizers", raw, readNormalizer)
		if err != nil {
			return nil, err
		}
		fused, err := fuse(all)
		if err != nil {
			return nil, fieldError(path+".normalizers", "%w", err)
		}
		return fused, nil
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
		var c struct {
			Prepend *string `json:"prepend"`
		}
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
