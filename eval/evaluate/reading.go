package evaluate

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/eval/internal/faults"
	"github.com/cerasum/cerasum/eval/rouge"
)

// Reading counts what a program can see of how a summary reads: its quotes, and those
// with each fault. A quote may have several; Any counts those with at least one. The
// rules are in docs/reading.md.
type Reading struct {
	Quotes    int `json:"quotes"`
	Leaning   int `json:"leaning"`
	Fragments int `json:"fragments"`
	Speech    int `json:"speech"`
	Questions int `json:"questions"`
	Edges     int `json:"edges"`
	// Repeats are quotes whose ROUGE-2 F1 with an earlier quote of the summary is
	// [RepeatedF1] or more.
	Repeats int `json:"repeats"`
	Any     int `json:"any"`
	// Unused is the share of the budget that is not used, in 0..1.
	Unused float64 `json:"unused"`
	// First is the share of the content words of the references' first sentences that
	// the first quote has, in 0..1: the mean over the references.
	First float64 `json:"first"`
}

// RepeatedF1 is the ROUGE-2 F1 from which one of two quotes counts as a repetition. In
// the pairs of summaries of DUC 2002 just above it, half say the same thing twice.
const RepeatedF1 = 0.15

// add adds the counts and shares of another summary.
func (r *Reading) add(o *Reading) {
	r.Quotes += o.Quotes
	r.Leaning += o.Leaning
	r.Fragments += o.Fragments
	r.Speech += o.Speech
	r.Questions += o.Questions
	r.Edges += o.Edges
	r.Repeats += o.Repeats
	r.Any += o.Any
	r.Unused += o.Unused
	r.First += o.First
}

// faultCounter counts the faults of summaries. It is not safe for concurrent use.
type faultCounter struct{ scorer *rouge.Scorer }

func newFaultCounter() *faultCounter {
	return &faultCounter{rouge.NewScorer(rouge.Options{Unicode: true})}
}

// passage is a sentence of a summary and what the counter knows about it.
type passage struct {
	text  string
	place faults.Place
	// follows: the sentence before it in the summary precedes it in its document, too.
	follows bool
	// whole is the text of all sentences that follow each other around it.
	whole string
}

// summary counts the faults of a summary of documents by their references (as lines).
func (r *faultCounter) summary(s *core.Summary, documents []cluster.Document, references [][]string) *Reading {
	list := make([]passage, len(s.Sentences))
	for i, q := range s.Sentences {
		d := &documents[q.Document]
		start, end := paragraph(d.Text, q.Start, q.End)
		list[i] = passage{
			text:    q.Text,
			place:   faults.Place{Language: d.Language, Before: d.Text[start:q.Start], After: d.Text[q.End:end], Uncased: uncased(sentencesOf(d))},
			follows: i > 0 && follows(&s.Sentences[i-1], &s.Sentences[i], d.Text),
			whole:   q.Text,
		}
	}
	for from, to := 0, 0; from < len(list); from = to {
		for to = from + 1; to < len(list) && list[to].follows; to++ {
		}
		first, last := &s.Sentences[from], &s.Sentences[to-1]
		for i := from; i < to; i++ {
			list[i].whole = documents[first.Document].Text[first.Start:last.End]
		}
	}
	out := r.count(list)
	out.Unused = float64(max(0, s.Budget.Amount-s.Used)) / float64(max(1, s.Budget.Amount))
	if len(s.Sentences) > 0 {
		for _, lines := range references {
			if len(lines) > 0 {
				out.First += covered(lines[0], s.Sentences[0].Text) / float64(len(references))
			}
		}
	}
	return out
}

// lines counts the faults of a text by a person, without documents.
func (r *faultCounter) lines(lines []string, language string) *Reading {
	list := make([]passage, len(lines))
	place := faults.Place{Language: language, Uncased: uncased(slices.Values(lines))}
	whole := strings.Join(lines, " ")
	for i, line := range lines {
		list[i] = passage{text: line, place: place, follows: i > 0, whole: whole}
	}
	return r.count(list)
}

func (r *faultCounter) count(list []passage) *Reading {
	out := &Reading{Quotes: len(list)}
	for i := range list {
		p := &list[i]
		found := faults.Find(p.text, p.place)
		if p.follows {
			found &^= faults.Leaning // what it leans on is quoted before it
		}
		if found&faults.Speech != 0 && p.whole != p.text && faults.Find(p.whole, faults.Place{Language: p.place.Language})&faults.Speech == 0 {
			found &^= faults.Speech // it is quoted whole, over several sentences
		}
		repeats := r.repeats(list[:i], p)
		for _, c := range []struct {
			to *int
			is bool
		}{
			{&out.Leaning, found&faults.Leaning != 0}, {&out.Fragments, found&faults.Fragment != 0},
			{&out.Speech, found&faults.Speech != 0}, {&out.Questions, found&faults.Question != 0},
			{&out.Edges, found&faults.Edge != 0}, {&out.Repeats, repeats}, {&out.Any, repeats || found != 0},
		} {
			if c.is {
				*c.to++
			}
		}
	}
	return out
}

// repeats reports whether p repeats one of the passages before it. Where tokens are
// characters or, in Vietnamese, syllables, four of them stand for a pair of words.
func (r *faultCounter) repeats(before []passage, p *passage) bool {
	metric := rouge.ROUGE2
	if faults.Unspaced(p.place.Language) || p.place.Language == "vi" {
		metric = rouge.ROUGE4
	}
	for i := range before {
		// An error is about lines of more than 32,768 tokens: they are not compared.
		if s, err := r.scorer.Score([]string{faults.Said(p.text)}, [][]string{{faults.Said(before[i].text)}}); err == nil && s[metric].F1 >= RepeatedF1 {
			return true
		}
	}
	return false
}

// paragraph returns the line of the text that holds start to end.
func paragraph(text string, start, end int) (from, to int) {
	from = strings.LastIndexByte(text[:start], '\n') + 1
	to = len(text)
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		to = end + i
	}
	return from, to
}

// follows reports whether b comes right after a in their document.
func follows(a, b *core.Quote, text string) bool {
	return a.Document == b.Document && a.End <= b.Start && strings.TrimSpace(text[a.End:b.Start]) == ""
}

// uncased reports whether a third or more of the sentences of a text in a script with
// case do not begin with a capital letter, as in corpora that are partly in lower case.
func uncased(sentences iter.Seq[string]) bool {
	lower, upper := 0, 0
	for s := range sentences {
		i := strings.IndexFunc(s, unicode.IsLetter)
		if i < 0 {
			continue
		}
		switch r, _ := utf8.DecodeRuneInString(s[i:]); {
		case unicode.IsLower(r):
			lower++
		case unicode.IsUpper(r):
			upper++
		}
	}
	return 2*lower > upper
}

// sentencesOf yields the texts of a document's sentences.
func sentencesOf(d *cluster.Document) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range d.Sentences {
			if !yield(d.Sentences[i].Text) {
				return
			}
		}
	}
}

// covered returns the share of the content words of a that b has, in 0..1.
func covered(a, b string) float64 {
	want, has := faults.Content(a), faults.Content(b)
	n := 0
	for w := range want {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(want)))
}

// readingCaption describes the table of faults in a paragraph.
func (r *Report) readingCaption() string {
	return fmt.Sprintf("Reading, counted by program per 100 quotes: leaning openers; fragments; speech that does not balance its quotation marks or name its speaker; questions; datelines, bylines, list marks and credits at either end; repeats of an earlier quote (R2-F ≥ %.2f); any of these. Unused: mean percentage of the budget. First: mean percentage of the content words of the reference's first sentence that the first quote has. The last row is the first reference itself.", RepeatedF1)
}

// readingCells returns the table of faults, header first.
func (r *Report) readingCells() [][]string {
	rows := [][]string{{"method", "quotes", "leaning", "fragments", "speech", "questions", "edges", "repeats", "any", "unused", "first"}}
	add := func(name string, c *Reading, unused, first string) {
		row := []string{name, fmt.Sprint(c.Quotes)}
		for _, n := range []int{c.Leaning, c.Fragments, c.Speech, c.Questions, c.Edges, c.Repeats, c.Any} {
			row = append(row, fmt.Sprintf("%.1f", 100*float64(n)/float64(max(1, c.Quotes))))
		}
		rows = append(rows, append(row, unused, first))
	}
	for i := range r.Rows {
		c := &r.Rows[i].Reading
		add(r.Rows[i].Method, c, fmt.Sprintf("%.1f", 100*c.Unused), fmt.Sprintf("%.1f", 100*c.First))
	}
	add("(reference)", &r.ReferenceReading, "–", "–")
	return rows
}
