package faults

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Edges at the beginning of a quote.
var (
	// LONDON (AP) -- , Berlin (dpa) – , MADRID, 4 abr (EFE).- , _.
	agencyDateline = regexp.MustCompile(`^[^.!?()（）"“„«]{0,60}[(（][^()（）]{2,30}[)）]\s*[.:]?\s?(?:--+|[—–_=:-])\s*`)
	// PARIS, 3 mars — , МОСКВА, 5 апр – . The first word is in capital letters.
	capitalsDateline = regexp.MustCompile(`^\p{Lu}[\p{Lu}.'’-]{2,}(?:[ /]\p{Lu}[\p{Lu}.'’-]+){0,3}((?:,\s?[\p{L}\p{N}. ]{2,30}){0,2})\s*\.?\s?(--+|[—–]|\s[-_])\s+`)
	// 新华社北京4月1日电, （记者张三）, 【東京＝山田】, (서울=연합뉴스) 홍길동 기자 =
	easternDateline = regexp.MustCompile(`^(?:[^，。,.]{0,16}(?:社|网|網|报|報|局)[^，。,.]{0,20}[电電讯訊](?:[（(][^）)]*[）)])?|【[^】]{1,30}】|[(（\[][^)）\]]{0,20}[=＝][^)）\]]{1,20}[)）\]](?:[^=]{0,16} 기자\s*=)?|[（(][^）)]{0,4}记者[^）)]{0,12}[）)])\s*`)
	// •, -, 1., 1), a), (iv)
	listMark     = regexp.MustCompile(`^(?:[-*+•·▪◦‣–►■□●○✓→>#]+\s+|[•▪◦‣►■●○✓→]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\)\s+|[①-⑳])`)
	numberedMark = regexp.MustCompile(`^\d{1,2}\.\s+`)
	// ^ a b, [3], ¹
	footnoteBefore = regexp.MustCompile(`^(?:[↑^†‡]\s*(?:[a-z]\s)*|\[\d{1,3}\]\s*|[¹²³⁰-⁹]+\s*)`)
	deskCode       = regexp.MustCompile(`^(?:&[A-Z]{2};|(?i:eds:|attn |[a-z]{2,4}-[a-z]{2,8}-[a-z-]+:?\s|update \d+\s?-+|correct(?:s|ion) ))`)
)

// Edges at the end of a quote.
var (
	footnoteAfter = regexp.MustCompile(`\s*(?:\[(?:\d{1,3}|[a-z]|note \d+|citation needed|[^\]]{0,12}\?)\]|[¹²³⁰-⁹]+|[†‡↑])+\s*$`)
	// … said. (AFP), … 完。（张三）
	creditAfter = regexp.MustCompile(`[.!?…。！？।][”»"’']*\s*[(（\[/][^()（）\[\]]{1,40}[)）\]/]?\s*$`)
	// (Photo: J. Doe/AP), © 2020 Reuters, via Getty Images
	photoAfter = regexp.MustCompile(`(?:[(（][^()（）]*(?:\p{L}/\s?\p{Lu}|©|(?i:getty images|shutterstock|reuters|associated press))[^()（）]*[)）]|(?i:©\s?.{0,40}|\(c\)\s?\d{4}.{0,40}|getty images|shutterstock|ap photo.{0,30}|all rights reserved))\.?\s*$`)
	// … . — Reuters
	agencyAfter = regexp.MustCompile(`[.!?…]["”»]?\s*(?:--+|[—–-])\s*\p{Lu}[\p{L}. ]{1,24}$`)
)

// ordinalDot are languages in which "3." is an ordinal: "3. Mai".
const ordinalDot = " de cs da nb fi hu pl tr "

// maxEdges is the number of edges at the beginning of a quote that are looked for.
const maxEdges = 4

// trimEdges returns s without what is no part of its sentence at either end, and
// whether there is any.
func trimEdges(s string, w *words, language string) (core string, edges bool) {
	core = s
	for range maxEdges {
		n := edgeBefore(core, w, language)
		if n == 0 {
			break
		}
		core, edges = core[n:], true
	}
	for _, e := range []*regexp.Regexp{footnoteAfter, photoAfter, agencyAfter} {
		if at := e.FindStringIndex(core); at != nil {
			if e == agencyAfter { // begins with the terminal mark
				_, size := utf8.DecodeRuneInString(core[at[0]:])
				at[0] += size
			}
			core, edges = core[:at[0]], true
		}
	}
	if at := creditAfter.FindStringIndex(core); at != nil {
		_, size := utf8.DecodeRuneInString(core[at[0]:])
		core, edges = core[:at[0]+size], true
	}
	return strings.TrimSpace(core), edges
}

// edgeBefore returns the length in bytes of one edge at the beginning of s.
func edgeBefore(s string, w *words, language string) int {
	for _, e := range []*regexp.Regexp{easternDateline, agencyDateline, listMark, footnoteBefore, deskCode} {
		if e == listMark && dialogue(s) {
			continue
		}
		if at := e.FindStringIndex(s); at != nil && at[1] > 0 {
			return at[1]
		}
	}
	if !strings.Contains(ordinalDot, " "+language+" ") {
		if at := numberedMark.FindStringIndex(s); at != nil {
			return at[1]
		}
	}
	if at := capitalsDateline.FindStringSubmatchIndex(s); at != nil {
		// A name before an apposition: "NATO – founded in 1949 – said".
		if at[2] != at[3] || !strings.Contains(s[at[1]:], strings.TrimSpace(s[at[4]:at[5]])+" ") {
			return at[1]
		}
	}
	set, end := w.opening(s, language)
	if set[label] && firstWord(s) {
		rest := strings.TrimLeft(s[end[label]:], " \u00a0")
		if r, size := utf8.DecodeRuneInString(rest); r == ':' || r == '：' {
			return len(s) - len(rest) + size + spaces(rest[size:])
		}
	}
	if set[byline] {
		return authors(s, end[byline])
	}
	return 0
}

func firstWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wordRune(r)
}

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " \u00a0")) }

// authors returns the end of two to four capitalized words after the word of a byline,
// if they are in capital letters or no sentence goes on after them, else 0.
func authors(s string, at int) int {
	end, n, capitals := at, 0, true
	for _, t := range tokens(s[at:], 4) {
		word := s[at+t.start : at+t.end]
		r, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(r) || strings.TrimSpace(s[end:at+t.start]) != "" {
			break
		}
		end, n = at+t.end, n+1
		capitals = capitals && word == strings.ToUpper(word)
	}
	if n < 2 {
		return 0
	}
	rest := strings.TrimSpace(s[end:])
	last, _ := utf8.DecodeLastRuneInString(rest)
	if capitals || rest == "" || strings.ContainsAny(rest[:1], "|\n/") || rest[0] == ',' && !terminal(last) {
		return end
	}
	return 0
}
