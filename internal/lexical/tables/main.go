// Command tables packs a word list of internal/lexical, stopwords.txt or events.txt, into the
// table that it embeds, stopwords.bin or events.bin, which compresses better.
//
//	go run ./internal/lexical/tables -dir internal/lexical stopwords
//	go run ./internal/lexical/tables -dir internal/lexical events
//
// Event words are packed as terms of internal/lexical itself (stems, or pairs of characters),
// so that table is written anew whenever the analysis or the stop words change.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("tables: ")
	dir := flag.String("dir", "internal/lexical", "folder of the lists and the tables")
	flag.Parse()
	name := flag.Arg(0)
	pack := tables[name]
	if pack == nil {
		log.Fatalf("want the name of a list, stopwords or events, not %q", name)
	}
	list, err := os.ReadFile(filepath.Join(*dir, name+".txt"))
	var table []byte
	if err == nil {
		table, err = pack(context.Background(), read(string(list)))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*dir, name+".bin"), table, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// tables are the names of the lists and how they are packed.
var tables = map[string]func(context.Context, []language) ([]byte, error){"stopwords": packStops, "events": packEvents}

// language is a line of a list.
type language struct {
	tag   string
	words []string
}

func read(list string) (languages []language) {
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			languages = append(languages, language{fields[0], fields[1:]})
		}
	}
	return languages
}

// packStops returns the table that internal/lexical/stopwords.go describes.
func packStops(_ context.Context, languages []language) ([]byte, error) {
	return lexical.FrontCode(len(languages), func(i int) (tag string, terms []string, levels []byte) {
		words := slices.Clone(languages[i].words)
		slices.Sort(words)
		return languages[i].tag, slices.Compact(words), nil
	}), nil
}

// packEvents returns the table that internal/lexical/events.go describes.
func packEvents(ctx context.Context, languages []language) ([]byte, error) {
	var table []byte
	for _, l := range languages {
		terms, err := l.terms(ctx)
		if err != nil {
			return nil, err
		}
		hashes := make([]uint32, len(terms))
		for i, term := range terms {
			hashes[i] = lexical.EventHash(term, len(terms))
		}
		slices.Sort(hashes)
		var deltas []byte
		last := uint32(0)
		for _, h := range hashes {
			deltas = binary.AppendUvarint(deltas, uint64(h-last))
			last = h
		}
		table = append(append(table, byte(len(l.tag))), l.tag...)
		table = binary.AppendUvarint(table, uint64(len(terms)))
		table = binary.AppendUvarint(table, uint64(len(deltas)))
		table = append(table, deltas...)
	}
	return table, nil
}

// terms returns the different terms of the words.
func (l language) terms(ctx context.Context) ([]string, error) {
	d := cluster.Document{Language: l.tag}
	for _, w := range l.words {
		d.Sentences = append(d.Sentences, cluster.Sentence{Text: w})
	}
	a, err := lexical.Analyze(ctx, &cluster.Cluster{Documents: []cluster.Document{d}})
	if err != nil {
		return nil, err
	}
	var terms []string
	for _, t := range a.Terms {
		terms = append(terms, t.Text)
	}
	slices.Sort(terms)
	return slices.Compact(terms), nil
}
