package reading

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

// Source is the input of [ReadFeatures] for N sentences.
type Source struct {
	Cluster  *cluster.Cluster
	Analysis *lexical.Analysis
	// Texts of the sentences, and their lengths in words.
	Texts []string
	Words []int
	// Mean and Central are each sentence's cosine to the mean of all, and to a
	// centroid in which early and central sentences weigh more.
	Mean, Central []float64
	// Salience has the word pairs of the sentences and how many documents agree on
	// them.
	Salience *salience.Features
	// Leans is the probability that a sentence leans on what precedes it.
	Leans []float64
}

// inputNames names the inputs of a sentence by itself, in their order.
var inputNames = [...]string{
	// Position of the sentence in its document.
	"first", "undated-first", "log-position", "undated-position", "long-position", "log-to-end", "off-middle",
	// Form.
	"starts-line", "closed", "heading", "log-words", "long", "unusual-length", "relative-length", "overlong",
	// What it says: cosines and agreement, standardized over the cluster.
	"mean", "central", "support", "density", "rank-in-document", "rank",
	// Standing alone.
	"leans", "next-leans", "opens-quotation", "quotation", "unbalanced", "question", "colon", "exclamation",
	// Content.
	"numbers", "capitals", "two-capitals", "names", "stop-words", "rarity", "events", "title", "titles", "symbols", "gap", "citation", "authors", "addresses", "announces", "points", "states", "hedges", "narrates", "commas", "pointing",
	// Where it stands among the blocks of its document.
	"opens-section", "section-title", "block-quotation",
	// How a sentence of a transcript is spoken; 0 in other documents.
	"rambling", "breaks",
	// Its document.
	"recency", "document-central", "document-support", "document-length", "share",
}

// ReadFeatures computes the inputs of the model: N×Inputs. They do not depend on
// the budget.
func ReadFeatures(s *Source) []float32 {
	f := newFeatureReader(s)
	out := make([]float32, len(s.Texts)*Inputs)
	for k := range s.Texts {
		for i, v := range f.sentence(k) {
			out[k*Inputs+i] = float32(v)
		}
	}
	f.surroundings(out)
	return out
}

// featureReader holds what the inputs of several sentences share.
type featureReader struct {
	*Source
	mean, central, support, density []float64 // standardized
	rank                            []float64 // of central in the cluster, 0..1
	rankInDocument                  []float64
	usual                           float64 // median of log words
	documents                       []documentFeatures
	present                         float64 // documents with sentences
	dated                           bool    // the documents have different dates
	titles                          commonTitles
	events                          []float64 // log1p of event words, less the mean of the language
}

type documentFeatures struct {
	rows             []int
	prose            bool
	spaced           bool // marks have spaces before them, as in tokenized text
	transcript       bool
	positions        []position
	recency          float64
	central, support float64 // standardized
	length           float64
	share            float64
}

// longDocument is the number of sentences of a long document.
const longDocument = 60

func newFeatureReader(s *Source) *featureReader {
	n := len(s.Texts)
	f := &featureReader{Source: s, titles: readTitles(s.Cluster.Documents), mean: salience.Standardize(s.Mean), central: salience.Standardize(s.Central), documents: make([]documentFeatures, len(s.Cluster.Documents))}
	weight := s.Salience.Support()
	support, density := make([]float64, n), make([]float64, n)
	for k, pairs := range s.Salience.Of {
		sum := 0.0
		for _, m := range pairs {
			sum += weight[m]
		}
		support[k] = math.Sqrt(sum)
		density[k] = sum / float64(max(5, s.Words[k]))
	}
	f.support, f.density = salience.Standardize(support), salience.Standardize(density)
	lengths := make([]float64, n)
	total := 0
	for k, w := range s.Words {
		lengths[k] = math.Log(float64(max(1, w)))
		total += w
		d := &f.documents[s.Analysis.Refs[k].Document]
		d.rows = append(d.rows, k)
		d.share += float64(w)
	}
	f.usual = median(lengths)
	f.readEvents()
	f.rank, f.rankInDocument = make([]float64, n), make([]float64, n)
	rankTo(f.rank, indices(n), s.Central)
	f.readDocuments(support, float64(max(1, total)))
	return f
}

// readEvents counts the different event words of each sentence. Counts are compared within
// a language, as the tables of languages differ.
func (f *featureReader) readEvents() {
	f.events = make([]float64, len(f.Texts))
	sum, count := map[string]float64{}, map[string]float64{}
	for k, terms := range f.Analysis.Sentences {
		var seen []int32
		for _, t := range terms {
			if f.Analysis.Terms[t].Event && !slices.Contains(seen, t) {
				seen = append(seen, t)
			}
		}
		f.events[k] = math.Log1p(float64(len(seen)))
		language := f.language(k)
		sum[language] += f.events[k]
		count[language]++
	}
	for k := range f.events {
		language := f.language(k)
		f.events[k] -= sum[language] / count[language]
	}
}

func (f *featureReader) language(k int) string {
	return f.Cluster.Documents[f.Analysis.Refs[k].Document].Language
}

func (f *featureReader) readDocuments(support []float64, total float64) {
	recency := recencies(f.Cluster.Documents)
	n := len(f.documents)
	central, supports, length := make([]float64, n), make([]float64, n), make([]float64, n)
	var present []int
	for i := range f.documents {
		d := &f.documents[i]
		d.recency = recency[i]
		f.dated = f.dated || recency[i] != 0.5
		d.share /= total
		if len(d.rows) == 0 {
			continue
		}
		present = append(present, i)
		rankTo(f.rankInDocument, d.rows, f.Central)
		closed, gaps := 0, 0
		best := []float64{0, 0, 0}
		for _, k := range d.rows {
			if text.Closed(f.Texts[k]) {
				closed++
			}
			if hasGap(f.Texts[k]) {
				gaps++
			}
			if at := slices.Index(best, slices.Min(best)); support[k] > best[at] {
				best[at] = support[k]
			}
		}
		d.prose = 2*closed > len(d.rows)
		d.spaced = 2*gaps > len(d.rows)
		d.transcript = Transcript(&f.Cluster.Documents[i])
		d.positions = positionsOf(&f.Cluster.Documents[i])
		central[i], supports[i], length[i] = f.Central[d.rows[0]], best[0]+best[1]+best[2], math.Log(float64(len(d.rows)))
	}
	f.present = float64(len(present))
	for _, x := range []struct {
		from []float64
		to   func(*documentFeatures) *float64
	}{
		{central, func(d *documentFeatures) *float64 { return &d.central }},
		{supports, func(d *documentFeatures) *float64 { return &d.support }},
		{length, func(d *documentFeatures) *float64 { return &d.length }},
	} {
		values := make([]float64, len(present))
		for at, i := range present {
			values[at] = x.from[i]
		}
		for at, v := range salience.Standardize(values) {
			*x.to(&f.documents[present[at]]) = v
		}
	}
}

func (f *featureReader) sentence(k int) [baseInputs]float64 {
	ref, sentence := f.Analysis.Refs[k], f.Texts[k]
	d := &f.documents[ref.Document]
	at := float64(ref.Sentence)
	words := float64(max(1, f.Words[k]))
	log, closed := math.Log(words), text.Closed(sentence)
	english := log - wordiness(f.language(k))
	startsLine := f.startsLine(ref)
	look := lookAt(sentence)
	voice := voiceOf(sentence, f.Cluster.Documents[ref.Document].Language)
	spoken, rambling := talkOf(sentence, f.Cluster.Documents[ref.Document].Language), 0.0
	if !d.transcript {
		spoken.breaks = 0
	} else {
		rambling = max(0, words-ramble) / ramble
	}
	position := d.positions[ref.Sentence]
	stop, rarity, content := 0.0, 0.0, 0.0
	for _, t := range f.Analysis.Sentences[k] {
		term := &f.Analysis.Terms[t]
		if term.Stop {
			stop++
			continue
		}
		content++
		rarity -= math.Log(term.Background + 1e-6)
	}
	first := one(ref.Sentence == 0)
	length := float64(len(d.rows))
	offMiddle := (2*at + 1 - length) / length // -1..1
	return [baseInputs]float64{
		first, first * one(!f.dated), math.Log1p(at), math.Log1p(at) * one(!f.dated), math.Log1p(at) * one(len(d.rows) >= longDocument), math.Log1p(length - 1 - at), offMiddle * offMiddle,
		one(startsLine), one(closed), one(d.prose && words < 15 && !closed && startsLine), english, max(0, english-math.Log(15)), math.Abs(log - f.usual - 0.3), log - f.usual, max(0, log-f.usual-0.6),
		f.mean[k], f.central[k], f.support[k], f.density[k], f.rankInDocument[k], f.rank[k],
		f.Leans[k], f.nextLeans(k), one(look.opensQuotation), one(look.quotation), one(look.unbalanced), one(look.question), one(look.colon), one(look.exclamation),
		min(4, float64(look.numbers)), float64(look.capitals) / words, one(look.capitals >= 2), min(3, float64(look.names)), stop / max(1, stop+content), rarity / max(1, content), f.events[k], wordsIn(f.Cluster.Documents[ref.Document].Title, sentence), f.titles.share(sentence), one(look.symbols), one(!d.spaced && hasGap(sentence)), one(citation(sentence)), one(voice.author), one(voice.address && !look.quotation), one(voice.announce), one(voice.points), min(3, float64(voice.states)), float64(voice.hedges) / words, one(voice.narrates), float64(look.commas) / words, spoken.pointing,
		one(position.opens), wordsIn(position.heading, sentence), one(position.quoted),
		rambling, float64(spoken.breaks),
		d.recency, d.central, d.support, d.length, math.Log(max(0.05, d.share*f.present)),
	}
}

// nextLeans is the probability that the sentence after the k-th in its document leans
// on it.
func (f *featureReader) nextLeans(k int) float64 {
	if k+1 == len(f.Texts) || f.Analysis.Refs[k+1].Document != f.Analysis.Refs[k].Document {
		return 0
	}
	return f.Leans[k+1]
}

// wordsIn is the share, in 0..1, of the words of a title that a sentence has; in scripts
// without spaces, and in Korean, of its pairs of characters. The rest of a very long title does
// not count.
func wordsIn(title, sentence string) float64 {
	title = title[:min(len(title), longTitle)]
	sentence = strings.ToLower(sentence)
	count, found := 0, 0
	look := func(w string) {
		count++
		if strings.Contains(sentence, w) {
			found++
		}
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(title), notLetter) {
		start, pair, letters := 0, 0, 0 // of a word, of a pair; letters since start
		for at, r := range w {
			if !paired(r) {
				letters++
				continue
			}
			if letters >= 4 {
				look(w[start:at])
			}
			end := at + utf8.RuneLen(r)
			if letters == 0 && at > 0 {
				look(w[pair:end])
			}
			start, pair, letters = end, at, 0
		}
		if letters >= 4 {
			look(w[start:])
		}
	}
	return float64(found) / float64(max(1, count))
}

// longTitle is a length in bytes that hardly any title exceeds.
const longTitle = 1000

// paired reports whether words of a script are compared by pairs of characters.
func paired(r rune) bool { return r >= 0x2e80 || r >= 0x0e00 && r < 0x0e80 }

func notLetter(r rune) bool { return !isWord(r) }

// wordiness is the logarithm of the number of words of a language for one word of English,
// where it is far from 0: the mean over the sentences of 90 articles of NTREX-128.
func wordiness(language string) float64 {
	switch language {
	case "th": // a few sentences of our own
		return 1.3
	case "ja":
		return 0.66
	case "zh":
		return 0.5
	case "vi":
		return 0.33
	case "hi":
		return 0.2
	case "tr", "he":
		return -0.2
	case "fi", "ko":
		return -0.3
	}
	return 0
}

// startsLine reports whether a sentence begins a line of its document.
func (f *featureReader) startsLine(ref cluster.Ref) bool {
	d := &f.Cluster.Documents[ref.Document]
	before := strings.TrimRight(d.Text[:min(d.Sentences[ref.Sentence].Start, len(d.Text))], " \t\u00a0\u3000")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r")
}

// looks is what the characters of a sentence show.
type looks struct {
	opensQuotation, quotation, unbalanced, question, colon, exclamation, symbols bool
	numbers, capitals, names, commas                                             int
}

func lookAt(sentence string) looks {
	var l looks
	sentence = strings.TrimSpace(sentence)
	marks, word := 0, 0
	inWord, inNumber, capital, before := false, false, false, false
	var last rune
	for at, r := range sentence {
		switch r {
		case '“', '«', '„', '「', '『', '"', '”', '»', '」', '』':
			// Whether a mark opens or closes differs between languages.
			if !isInner(sentence, at) {
				l.opensQuotation = l.opensQuotation || at == 0
				l.quotation = true
				marks++
			}
		case '‘':
			if at == 0 && strings.Contains(sentence, "’") {
				l.opensQuotation, l.quotation = true, true
			}
		case '·':
			// Within a word in Catalan and French, between the names of a person in Chinese.
			next, _ := utf8.DecodeRuneInString(sentence[at+len("·"):])
			l.symbols = l.symbols || !unicode.IsLetter(last) || !unicode.IsLetter(next) || unicode.IsLower(last) && unicode.IsUpper(next)
		case '|', '©', '@', '►', '•':
			l.symbols = true
		case '!', '！':
			l.exclamation = true
		case ',', '，', '、', '،':
			if !inNumber {
				l.commas++
			}
		}
		letter, digit := unicode.IsLetter(r), unicode.IsDigit(r)
		if digit && !inNumber {
			l.numbers++
		}
		inNumber = digit || inNumber && (r == '.' || r == ',')
		if letter && !inWord {
			word++
			before, capital = capital, unicode.IsUpper(r)
			if capital && word > 1 {
				l.capitals++
				if before && last == ' ' {
					l.names++
				}
			}
		}
		inWord = letter || inWord && (r == '\'' || r == '’' || r == '-' || r == '.')
		last = r
	}
	l.unbalanced = marks%2 == 1
	end := strings.TrimRight(sentence, "\"”»」』')")
	l.question = strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, "؟") || strings.HasSuffix(end, "\u037e") || strings.HasSuffix(end, ";") && greek(end[:len(end)-1])
	l.colon = strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：") || strings.HasSuffix(end, "…") || strings.HasSuffix(end, "...")
	l.symbols = l.symbols || strings.Contains(sentence, "http")
	return l
}

// greek reports whether s ends with two Greek letters: one alone may be a symbol.
func greek(s string) bool {
	for range 2 {
		r, size := utf8.DecodeLastRuneInString(s)
		if r < 0x0370 || r >= 0x0400 {
			return false
		}
		s = s[:len(s)-size]
	}
	return true
}

// hasGap reports whether a comma or a full stop stands after a space, or parentheses are
// empty: a formula or picture was lost there, as in "is denoted by , where". If most
// sentences of a document are like this, its text is tokenized.
func hasGap(sentence string) bool {
	for at := range len(sentence) {
		before, after := sentence[:at], sentence[at+1:]
		if after != "" && after[0] != ' ' {
			continue
		}
		switch sentence[at] {
		case ',', '.':
			ellipsis := strings.HasPrefix(after, " .") || strings.HasSuffix(before, ". ")
			if strings.HasSuffix(before, " ") && !ellipsis {
				return true
			}
		case ')':
			if strings.HasSuffix(before, "( ") || strings.HasSuffix(before, " (") {
				return true
			}
		}
	}
	return false
}

// citation reports whether a sentence cites: "(Horvath et al., 2011)", "[12]".
func citation(sentence string) bool {
	for at := strings.IndexAny(sentence, "(["); at >= 0; {
		inside := sentence[at+1:]
		end := strings.IndexAny(inside, ")]")
		if end < 0 {
			return false
		}
		if text := inside[:end]; sentence[at] == '[' && text != "" && strings.Trim(text, "0123456789, –-") == "" || year(text) {
			return true
		}
		next := strings.IndexAny(inside[end:], "([")
		if next < 0 {
			return false
		}
		at += 1 + end + next
	}
	return false
}

// year reports whether s ends in a year with a name before it: "Horvath 2011".
func year(s string) bool {
	s = strings.TrimRight(s, "abc")
	if len(s) < 8 || strings.Trim(s[len(s)-4:], "0123456789") != "" {
		return false
	}
	before := s[:len(s)-4]
	r, _ := utf8.DecodeRuneInString(before)
	return (s[len(s)-4] == '1' || s[len(s)-4] == '2') && unicode.IsUpper(r) && strings.ContainsAny(before, " ,") && !unicode.IsDigit(rune(s[len(s)-5]))
}

// recencies ranks the documents by date: 0 for the oldest, 1 for the newest, ½
// where no date is known.
func recencies(documents []cluster.Document) []float64 {
	var dates []string
	for _, d := range documents {
		if len(d.Date) >= 4 {
			dates = append(dates, d.Date)
		}
	}
	slices.Sort(dates)
	dates = slices.Compact(dates)
	out := make([]float64, len(documents))
	for i, d := range documents {
		out[i] = 0.5
		if at, ok := slices.BinarySearch(dates, d.Date); ok && len(dates) > 1 {
			out[i] = float64(at) / float64(len(dates)-1)
		}
	}
	return out
}

// rankTo sets for each of the rows the share of rows with a value not above its own.
func rankTo(dst []float64, rows []int, value []float64) {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b int) int {
		switch {
		case value[a] < value[b]:
			return -1
		case value[a] > value[b]:
			return 1
		}
		return 0
	})
	for i, k := range sorted {
		dst[k] = float64(i+1) / float64(len(sorted))
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
