// Choices makes the corpus of what editors quote: it draws documents, writes the sheets that
// editors label, and collects their labels. It trains the models of method editor on them.
//
//	go run ./research/choices draw -data DATA/free -out documents.jsonl
//	go run ./research/choices draw -sets -data DATA/free -out sets.jsonl
//	go run ./research/choices sheet -documents documents.jsonl -from 0 -count 40 > sheet-000.md
//	go run ./research/choices collect -documents documents.jsonl labels-*.txt > choices.jsonl
//	go run ./research/choices agree choices.jsonl second.jsonl
//	go run ./research/choices join > development.jsonl
//	go run ./research/choices train -out internal/reading/editor.forest
//
// An editor's line is "id | E 1,3 | G 2,6 | N 0,7", with the numbers of sentences; in sheets of
// several documents the numbers have the letter of their document, as in A0 and C12.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// document is one text of an item.
type document struct {
	Title string `json:"title,omitempty"`
	Date  string `json:"date,omitempty"`
	Text  string `json:"text"`
}

// span is [document, start, end] in UTF-16 units.
type span [3]int

// item is what one editor reads at a time: a document, or several on one event.
type item struct {
	ID       string `json:"id"`
	Corpus   string `json:"corpus"`
	Set      string `json:"set,omitempty"`
	Language string `json:"language"`
	Genre    string `json:"genre"`
	Source   string `json:"source,omitempty"`
	Licence  string `json:"licence"`
	// From lists the ids of a set's documents in the corpus.
	From      []string   `json:"from,omitempty"`
	Documents []document `json:"documents,omitempty"`
	Extract   []span     `json:"extract,omitempty"`
	Good      []span     `json:"good,omitempty"`
	Never     []span     `json:"never,omitempty"`
	// Read lists all sentences that the editor saw.
	Read []span `json:"read,omitempty"`

	part    string // training, development or test; "" if left out of both
	first   bool   // all of its file are for training
	noNever bool   // the editor did not say what is never to be quoted
}

func main() {
	log := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "choices:", err)
			os.Exit(1)
		}
	}
	if len(os.Args) < 2 {
		log(errors.New("want draw, sheet, collect, agree, join or train"))
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	data := flags.String("data", "", "folder with the free corpora")
	out := flags.String("out", "", "file to write")
	sets := flags.Bool("sets", false, "draw sets of two to eight documents")
	subjectsToo := flags.Bool("subjects", false, "draw sets of documents on one subject")
	documents := flags.String("documents", "research/choices/documents.jsonl.gz", "the drawn documents")
	var from sources
	flags.StringVar(&from.sets, "set-documents", "research/choices/sets.jsonl.gz", "the drawn sets")
	flags.StringVar(&from.subjects, "subject-documents", "research/choices/subjects.jsonl.gz", "the drawn sets on one subject")
	flags.StringVar(&from.labels, "labels", "research/choices", "folder with the editors' choices")
	flags.StringVar(&from.papers, "papers", "", "training part of ScisummNet")
	flags.StringVar(&from.meetings, "meetings", "", "training part of QMSum")
	part := flags.String("part", development, "part of the corpus to join")
	at := flags.Int("from", 0, "first document of the sheet")
	count := flags.Int("count", 40, "documents of the sheet")
	seed := flags.Uint64("seed", 1, "for the draw")
	bare := flags.Bool("bare", false, "collect without the documents: spans, no text")
	flags.Parse(os.Args[2:])
	from.documents = *documents
	switch os.Args[1] {
	case "draw", "train":
		if *out == "" {
			log(errors.New("want -out FILE"))
		}
	}
	switch os.Args[1] {
	case "draw":
		if *subjectsToo {
			log(drawSubjects(*data, *out, *seed))
		} else if *sets {
			log(drawSets(*data, *out, *seed))
		} else {
			log(draw(*data, *out, *seed))
		}
	case "sheet":
		items, err := read(*documents)
		log(err)
		items = items[min(*at, len(items)):min(*at+*count, len(items))]
		log(splitAll(items))
		log(sheet(os.Stdout, items))
	case "join":
		log(join(os.Stdout, from, *part))
	case "train":
		log(train(context.Background(), from, *out))
	case "agree":
		log(agree(os.Stdout, flags.Args()))
	case "collect":
		items, err := read(*documents)
		log(err)
		log(splitAll(items))
		log(collect(os.Stdout, items, flags.Args(), *bare))
	default:
		log(fmt.Errorf("unknown command %s", os.Args[1]))
	}
}

func read(path string) ([]*item, error) {
	var items []*item
	err := eachLine(path, func(d *json.Decoder) error {
		one := new(item)
		err := d.Decode(one)
		if err == nil {
			items = append(items, one)
		}
		return err
	})
	return items, err
}

// eachLine calls f to decode each line of a file, until it returns an error. io.EOF is none.
func eachLine(path string, f func(*json.Decoder) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := io.Reader(file)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for d := json.NewDecoder(in); ; {
		if err := f(d); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// leftOut are corpora that are not free enough, or kept for evaluation.
var leftOut = []string{"debian_news_opl", "xquad", "masc", "parlspeech_sample", "gcdt_zh", "senate_clusters"}

const (
	// leastSentences and mostSentences are those of a document that is drawn.
	leastSentences, mostSentences = 6, 90
	// ofLanguage is the number of documents up to which a language has all that are there; of
	// more, it has so many and power of the rest.
	ofLanguage, power = 150, 0.85
	// translated is the number of documents of a language from which on it does without
	// those that are there in other languages, too.
	translated = 400
)

// draw chooses documents of all languages, corpora and sets, in random order.
func draw(folder, out string, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 0))
	byLanguage := map[string]map[string][]*item{}
	if err := eachCorpus(folder, "", func(corpus string, rows []row) {
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			if byLanguage[r.Lang] == nil {
				byLanguage[r.Lang] = map[string][]*item{}
			}
			byLanguage[r.Lang][corpus] = append(byLanguage[r.Lang][corpus], &item{
				ID: r.ID, Corpus: corpus, Set: r.Set, Language: r.Lang, Genre: r.Genre, Source: r.Source, Licence: r.Licence,
				Documents: []document{{r.Title, r.Date, r.Text}},
			})
		}
	}); err != nil {
		return err
	}
	var drawn []*item
	for _, corpora := range byLanguage {
		all := 0
		for _, items := range corpora {
			all += len(items)
		}
		if all > translated {
			all = 0
			for corpus, items := range corpora {
				items = slices.DeleteFunc(items, func(one *item) bool { return strings.HasPrefix(one.Set, "par:") })
				corpora[corpus] = items
				all += len(items)
			}
		}
		want := min(all, ofLanguage)
		if all > want {
			want += int(math.Pow(float64(all-want), power))
		}
		drawn = append(drawn, spread(corpora, want)...)
	}
	return write(out, drawn, random, mostSentences)
}

// write splits the items into sentences, leaves out those that are too short or too long (of a
// set, first its last documents), and writes the rest in random order.
func write(out string, drawn []*item, random *rand.Rand, most int) error {
	slices.SortFunc(drawn, func(a, b *item) int {
		// Two documents of a corpus may have one id.
		return cmp.Or(strings.Compare(a.Corpus+a.ID, b.Corpus+b.ID), strings.Compare(a.Documents[0].Text, b.Documents[0].Text))
	})
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	w, n, ids := json.NewEncoder(f), 0, map[string]int{}
	w.SetEscapeHTML(false)
	for _, one := range drawn {
		if err := one.split(); err != nil {
			return fmt.Errorf("%s: %w", one.ID, err)
		}
		for len(one.Documents) > 2 && len(one.Read) > most {
			one.Documents = one.Documents[:len(one.Documents)-1]
			one.From = one.From[:min(len(one.From), len(one.Documents))]
			one.Read = slices.DeleteFunc(one.Read, func(s span) bool { return s[0] == len(one.Documents) })
		}
		if len(one.Read) < leastSentences || len(one.Read) > most {
			continue
		}
		// Two parts of a corpus may number their documents alike.
		if ids[one.ID]++; ids[one.ID] > 1 {
			one.ID += fmt.Sprintf("~%d", ids[one.ID])
		}
		if err := w.Encode(one); err != nil {
			return err
		}
		n++
	}
	fmt.Fprintf(os.Stderr, "%d drawn\n", n)
	return f.Close()
}

// spread takes so many items, in turn from all corpora.
func spread(corpora map[string][]*item, want int) []*item {
	names := make([]string, 0, len(corpora))
	for name := range corpora {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []*item
	for at := 0; len(out) < want; at++ {
		any := false
		for _, name := range names {
			if at < len(corpora[name]) && len(out) < want {
				any = true
				out = append(out, corpora[name][at])
			}
		}
		if !any {
			break
		}
	}
	return out
}

// row is a line of a corpus: a document or, in setsOnly, a set.
type row struct {
	ID, Set, Lang, Language, Genre, Title, Date, Text, Source, Licence string
	Documents                                                          []document
}

func corpusOf(path string) ([]row, error) {
	var rows []row
	err := eachLine(path, func(d *json.Decoder) error {
		var r row
		err := d.Decode(&r)
		if err == nil && (r.Text != "" || r.Documents != nil) {
			rows = append(rows, r)
		}
		return err
	})
	return rows, err
}

// eachCorpus calls f with each corpus of a folder but those left out; also is one that is not.
func eachCorpus(folder, also string, f func(corpus string, rows []row)) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl.gz"))
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("%s: no corpora (%v)", folder, err)
	}
	for _, path := range paths {
		corpus := strings.TrimSuffix(filepath.Base(path), ".jsonl.gz")
		if corpus != also && slices.Contains(leftOut, corpus) {
			continue
		}
		rows, err := corpusOf(path)
		if err != nil {
			return err
		}
		f(corpus, rows)
	}
	return nil
}

// split fills in Read, as the program splits the documents.
func (one *item) split() error {
	var documents []core.Document
	for _, d := range one.Documents {
		documents = append(documents, core.Document{Title: d.Title, Text: d.Text, Language: one.Language})
	}
	if err := core.Prepare(context.Background(), documents); err != nil {
		return err
	}
	one.Read = nil
	for i, d := range documents {
		for _, s := range d.Sentences {
			one.Read = append(one.Read, span{i, s.StartUTF16, s.EndUTF16})
		}
	}
	return nil
}

// splitAll splits the items of a file that does not list their sentences.
func splitAll(items []*item) error {
	for _, one := range items {
		if one.Read == nil {
			if err := one.split(); err != nil {
				return fmt.Errorf("%s: %w", one.ID, err)
			}
		}
	}
	return nil
}

// names returns the name of each sentence of Read on the sheet.
func (one *item) names() []string {
	names, last, n := make([]string, len(one.Read)), -1, 0
	for k, s := range one.Read {
		if s[0] != last {
			last, n = s[0], 0
		}
		names[k] = strconv.Itoa(n)
		if len(one.Documents) > 1 {
			names[k] = string(rune('A'+s[0])) + names[k]
		}
		n++
	}
	return names
}

func sheet(out io.Writer, items []*item) error {
	w := bufio.NewWriter(out)
	for _, one := range items {
		names := one.names()
		fmt.Fprintf(w, "### %s\n", one.ID)
		last := -1
		for k, s := range one.Read {
			d := one.Documents[s[0]]
			if s[0] != last {
				last = s[0]
				label := ""
				if len(one.Documents) > 1 {
					label = fmt.Sprintf("[%c] ", 'A'+s[0])
				}
				fmt.Fprintf(w, "%stitle: %s (%s; %s; %s)\n", label, d.Title, one.Language, one.Genre, d.Date)
			}
			fmt.Fprintf(w, "%s. %s\n", names[k], strings.Join(strings.Fields(utf16Slice(d.Text, s[1], s[2])), " "))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// utf16Slice returns the text from start to end in UTF-16 units.
func utf16Slice(text string, start, end int) string {
	at, from := 0, len(text)
	for i, r := range text {
		if at == start {
			from = i
		}
		if at >= end {
			return text[min(from, i):i]
		}
		at++
		if r > 0xffff {
			at++
		}
	}
	return text[min(from, len(text)):]
}

// collect writes the items with their labels. Errors name the file, line and list.
func collect(out io.Writer, items []*item, files []string, bare bool) error {
	byID := map[string]*item{}
	for _, one := range items {
		byID[one.ID] = one
	}
	w, seen := json.NewEncoder(out), map[string]string{}
	w.SetEscapeHTML(false)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			at := fmt.Sprintf("%s:%d", path, n+1)
			parts := strings.Split(line, "|")
			id := strings.TrimSpace(parts[0])
			one := byID[id]
			switch {
			case one == nil:
				return fmt.Errorf("%s: unknown id %q", at, id)
			case seen[id] != "":
				return fmt.Errorf("%s: %s has a line already: %s", at, id, seen[id])
			}
			seen[id] = at
			labelled := *one
			if err := labelled.label(parts[1:]); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			if bare {
				labelled.Documents, labelled.Read = nil, nil
			}
			if err := w.Encode(&labelled); err != nil {
				return err
			}
		}
	}
	return nil
}

// label reads the lists of an editor's line.
func (one *item) label(lists []string) error {
	names, taken := one.names(), map[string]string{}
	for _, list := range lists {
		kind, rest, _ := strings.Cut(strings.TrimSpace(list), " ")
		target := map[string]*[]span{"E": &one.Extract, "G": &one.Good, "N": &one.Never}[kind]
		if target == nil {
			return fmt.Errorf("list %q: want E, G or N", kind)
		}
		for name := range strings.SplitSeq(rest, ",") {
			name = strings.TrimSpace(name)
			if name == "" {
				continue
			}
			k := slices.Index(names, name)
			if k < 0 {
				return fmt.Errorf("%s: no sentence %s", kind, name)
			}
			if taken[name] != "" {
				return fmt.Errorf("%s: sentence %s is in %s already", kind, name, taken[name])
			}
			taken[name] = kind
			*target = append(*target, one.Read[k])
		}
	}
	if len(one.Extract) == 0 {
		return errors.New("list E: empty")
	}
	if share := float64(len(one.Extract)) / float64(len(one.Read)); share > 0.6 {
		return fmt.Errorf("list E: %.0f %% of the sentences", 100*share)
	}
	return nil
}
