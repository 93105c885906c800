package text

import "strings"

//go:generate go run ./tags

// Tag reduces a language tag to the code that this project uses: ISO 639-1 in
// lower case if there is one. It accepts BCP 47 tags in any case, with hyphens or
// underscores, and three-letter codes: "pt-BR", "pt_BR" and "por" are "pt". "und",
// which means undetermined, is "". ok is false for a malformed tag.
func Tag(tag string) (code string, ok bool) {
	if len(tag) > 100 {
		return "", false
	}
	parts := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts)-1 != strings.Count(tag, "-")+strings.Count(tag, "_") {
		return "", false
	}
	for i, part := range parts {
		for _, r := range part {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
				return "", false
			}
		}
		if len(part) > 8 {
			return "", false
		}
	}
	switch code = strings.ToLower(parts[0]); len(code) {
	case 2:
		return current(code), true
	case 3:
		if code == "und" {
			return "", true
		}
		for at := 0; at < len(threeLetters); at += 5 {
			if threeLetters[at:at+3] == code {
				return current(threeLetters[at+3 : at+5]), true
			}
		}
		return code, true
	}
	return "", false
}

// current replaces the codes that ISO 639-1 has withdrawn.
func current(code string) string {
	switch code {
	case "iw":
		return "he"
	case "in":
		return "id"
	case "ji":
		return "yi"
	case "jw":
		return "jv"
	case "mo":
		return "ro"
	case "sh":
		return "sr"
	}
	return code
}
