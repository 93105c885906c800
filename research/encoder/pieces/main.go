// Pieces chooses the pieces that the languages need: characters of their scripts, then by
// the largest share of tokens in any language, or three times the mean share, until there
// are enough. Its input is lines "language TAB text"; its output the pieces, one a line,
// for research/encoder/import.
//
//	go run ./research/encoder/pieces -vocabulary full/vocabulary.bin -keep 128000 < languages.tsv > pieces.txt
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/unigram"
)

const (
	// smoothing is added to the tokens of a language, so that a few texts do not decide.
	smoothing = 20_000
	// meanWeight is the weight of the mean share beside the largest.
	meanWeight = 3
	// fewest is the number of tokens below which a language does not count.
	fewest = 900
)

func main() {
	file := flag.String("vocabulary", "", "vocabulary with all pieces")
	keep := flag.Int("keep", 128_000, "number of pieces")
	flag.Parse()
	if err := run(*file, *keep, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pieces:", err)
		os.Exit(1)
	}
}

func run(file string, keep int, in io.Reader, out io.Writer) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	v, err := unigram.ReadVocabulary(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	t, err := unigram.New(v)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	counts := map[string][]int{} // tokens of each piece, by language
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	var ids []int32
	for n := 1; lines.Scan(); n++ {
		language, text, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return fmt.Errorf("standard input:%d: want a language, a tab and a text", n)
		}
		if counts[language] == nil {
			counts[language] = make([]int, t.Size())
		}
		ids = t.Append(ids[:0], text)
		for _, id := range ids {
			counts[language][id]++
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	need, totals := needs(counts, t.Size())
	kept := make([]bool, t.Size())
	left := keep - unigram.Unknown - 1
	take := func(id int) {
		if left > 0 && !kept[id] && id > unigram.Unknown {
			kept[id] = true
			left--
		}
	}
	for id, p := range v.Pieces {
		if alone := strings.TrimPrefix(p, "▁"); utf8.RuneCountInString(alone) <= 1 && (alone == "" || need[id] > 0 || common(alone)) {
			take(id)
		}
	}
	order := make([]int, t.Size())
	for id := range order {
		order[id] = id
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(need[b], need[a]) })
	for _, id := range order {
		if need[id] > 0 {
			take(id)
		}
	}
	w := bufio.NewWriter(out)
	for id, p := range v.Pieces {
		if kept[id] {
			fmt.Fprintln(w, p)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(counts)) {
		lost := 0
		for id, n := range counts[language] {
			if !kept[id] {
				lost += n
			}
		}
		fmt.Fprintf(os.Stderr, "%s: %.2f %% of %d tokens are split further\n", language, 100*float64(lost)/float64(max(totals[language], 1)), totals[language])
	}
	return w.Flush()
}

// needs returns how much each piece is needed, and the tokens of each language.
func needs(counts map[string][]int, size int) ([]float64, map[string]int) {
	need, mean, totals, languages := make([]float64, size), make([]float64, size), map[string]int{}, 0
	for _, language := range slices.Sorted(maps.Keys(counts)) {
		of := counts[language]
		for _, n := range of {
			totals[language] += n
		}
		if totals[language] < fewest {
			continue
		}
		languages++
		for id, n := range of {
			share := float64(n) / float64(totals[language]+smoothing)
			need[id] = max(need[id], share)
			mean[id] += share
		}
	}
	for id := range need {
		need[id] = max(need[id], meanWeight*mean[id]/float64(max(languages, 1)))
	}
	return need, totals
}

// common reports whether a character is of a script whose letters are all kept: Latin,
// Greek, Cyrillic, Hebrew, Arabic, and those of India and Thailand.
func common(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r < 0x700 || r >= 0x900 && r < 0xe80
}
