// Command background counts how common terms are in general text and writes
// the table that internal/lexical embeds.
//
//	go run ./internal/lexical/background -data DIR -out internal/lexical/background.bin
//
// DIR holds corpora that may be redistributed, in these files:
//
//	parallel/ntrex.jsonl.gz    NTREX: a sentence a line, a key per language
//	parallel/ud-pud.jsonl.gz   Parallel Universal Dependencies, same form
//	parallel/tatoeba.tsv.gz    Tatoeba: language, language, sentence, sentence
//	orangesum_fr/train.jsonl.gz  OrangeSum: French articles in "documents"
//
// Terms are those of internal/lexical itself, so the table is written anew
// whenever the analysis changes. The output depends on the input alone.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("background: ")
	data := flag.String("data", "", "folder of the corpora")
	out := flag.String("out", "internal/lexical/background.bin", "file to write")
	flag.Parse()
	if err := run(context.Background(), *data, *out); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, data, out string) error {
	counts := counts{}
	for _, name := range []string{"ntrex.jsonl.gz", "ud-pud.jsonl.gz"} {
		if err := readParallel(filepath.Join(data, "parallel", name), counts.add(ctx, news)); err != nil {
			return err
		}
	}
	if err := readArticles(filepath.Join(data, "orangesum_fr", "train.jsonl.gz"), "fr", counts.add(ctx, news)); err != nil {
		return err
	}
	if err := readPairs(filepath.Join(data, "parallel", "tatoeba.tsv.gz"), counts.add(ctx, everyday)); err != nil {
		return err
	}
	if err := counts.flush(ctx); err != nil {
		return err
	}

	tags := make([]string, 0, len(counts))
	for tag := range counts {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	var table []entry
	for _, tag := range tags {
		l := counts[tag]
		most := fewerTerms
		if slices.Contains(widest, tag) {
			most = mostTerms
		}
		terms := l.shares(most)
		if len(terms) == 0 {
			continue
		}
		table = append(table, entry{tag, terms})
		fmt.Fprintf(os.Stderr, "%s: %d news and %d everyday sentences, %d terms\n",
			tag, l[news].sentences, l[everyday].sentences, len(terms))
	}
	return os.WriteFile(out, encode(table), 0o644)
}
