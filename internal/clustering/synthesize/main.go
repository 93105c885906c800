// Command synthesize makes a large corpus of documents, to measure "cerasum cluster" with.
// It invents them, in an invented language, or multiplies those of clusters:
//
//	go run ./internal/clustering/synthesize -documents 1000000 > million.jsonl
//	go run ./internal/clustering/synthesize -times 8 train.jsonl.gz > million.jsonl
//
// Of clusters, every document is repeated; in each repetition, words that few documents have, such as
// names, are replaced with others, the same ones in all documents. So common words
// become more frequent as the corpus grows, and names do not: events of different
// repetitions share only what different events of the original do, and a
// document has as many near ones in its topic as in a corpus of that size. Documents
// have the fields id, text and event, and are shuffled within each repetition.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"regexp"
)

// rare is the number of documents up to which a word is replaced.
const rare = 100

var word = regexp.MustCompile(`\p{L}+`)

type document struct{ event, text string }

func main() {
	log.SetFlags(0)
	log.SetPrefix("synthesize: ")
	invented := flag.Int("documents", 0, "number of documents to invent")
	times := flag.Int("times", 1, "number of repetitions of the documents of clusters")
	flag.Parse()
	if *invented > 0 && flag.NArg() == 0 {
		out := bufio.NewWriter(os.Stdout)
		if err := errors.Join(invent(out, *invented), out.Flush()); err != nil {
			log.Fatal(err)
		}
		return
	}
	if flag.NArg() != 1 || *times < 1 {
		log.Fatal("usage: synthesize -documents N, or synthesize [-times N] clusters.jsonl.gz")
	}
	documents, err := read(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	df := map[string]int{}
	for _, d := range documents {
		seen := map[string]bool{}
		for _, w := range word.FindAllString(d.text, -1) {
			if !seen[w] {
				seen[w] = true
				df[w]++
			}
		}
	}
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	random := rand.New(rand.NewPCG(1, 1))
	for round := range *times {
		// Letters, so that a word with them is one word.
		suffix := string(rune('a'+round/26%26)) + string(rune('a'+round%26))
		random.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		for i, d := range documents {
			text := d.text
			if round > 0 {
				text = word.ReplaceAllStringFunc(text, func(w string) string {
					if df[w] <= rare {
						return w + suffix
					}
					return w
				})
			}
			err := lines.Encode(map[string]string{"id": fmt.Sprintf("%d-%d", round, i), "event": fmt.Sprintf("%d-%s", round, d.event), "text": text})
			if err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// read reads clusters whose documents are texts.
func read(name string) (documents []document, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := json.NewDecoder(z)
	for n := 1; lines.More(); n++ {
		var c struct{ Documents []string }
		if err := lines.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s: cluster %d: %w", name, n, err)
		}
		for _, text := range c.Documents {
			documents = append(documents, document{fmt.Sprint(n), text})
		}
	}
	return documents, nil
}
