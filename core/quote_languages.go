package core

import (
	"slices"
	"strings"
)

// supporting returns which rows Options.QuoteLanguages keeps from being quoted; nil
// without that option. It is an [ErrOption] if there is no sentence in these languages.
//
// These rows are not candidates, but count in everything else: the centroid, word pairs,
// the networks, the graphs of LexRank and TextRank, disagreements, similar sentences. A
// reader who chooses a language expects to read it, so facts found only in another one
// are left out, unless Options.QuoteOthers allows what no sentence in the chosen languages
// translates. Without embeddings, only translations in parallel documents are known.
func (j *job) supporting() ([]bool, error) {
	codes, err := languageCodes("quoteLanguages", j.options.QuoteLanguages)
	if err != nil || len(codes) == 0 {
		return nil, err
	}
	chosen := func(k int) bool {
		return slices.Contains(codes, norwegian(j.cluster.Documents[j.refs[k].Document].Language))
	}
	rows := indices(len(j.refs))
	if !slices.ContainsFunc(rows, chosen) {
		return nil, optionError("quoteLanguages", "no document is in %s; the documents are in %s", named(codes), named(j.languages()))
	}
	support := make([]bool, len(rows))
	for k := range support {
		support[k] = !chosen(k)
	}
	if j.options.QuoteOthers != OthersUntranslated {
		return support, nil
	}
	across := j.translations()
	for k := range support {
		if !support[k] {
			continue
		}
		support[k] = false
		across.of(k, func(row int, _ float64) {
			// A sentence that cannot be quoted takes no other's place.
			if chosen(row) && j.sayable(row) {
				support[k] = true
			}
		})
	}
	return support, nil
}

// sayable reports whether row k can be quoted within the budget.
func (j *job) sayable(k int) bool {
	return j.words[k] > 0 && !j.title(k) && !j.cluster.At(j.refs[k]).Unquotable && j.measure.cost[k] <= j.measure.budget
}

// supports reports whether row k only supports what is quoted.
func (j *job) supports(k int) bool { return j.support != nil && j.support[k] }

// languages lists the languages of the documents with sentences, in alphabetical order.
func (s *Session) languages() []string {
	var codes []string
	for i := range s.cluster.Documents {
		if d := &s.cluster.Documents[i]; len(d.Sentences) > 0 && !slices.Contains(codes, d.Language) {
			codes = append(codes, d.Language)
		}
	}
	slices.Sort(codes)
	return codes
}

// named lists codes for an error: "en, pt, und".
func named(codes []string) string {
	list := slices.Clone(codes)
	for i, code := range list {
		if code == "" {
			list[i] = "und"
		}
	}
	return strings.Join(list, ", ")
}
