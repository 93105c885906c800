// Questions writes a part of the questions for "cerasum evaluate --use-query --editor": a
// cluster for each question, of its one document, and a choice, whose extract is the sentence
// with the answer.
//
//	go run ./research/questions research/questions/test.jsonl.gz questions.jsonl answers.jsonl
//
// With -another, only questions in another language than the document.
package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"unicode/utf16"
)

func main() {
	another := flag.Bool("another", false, "only questions in another language than the document")
	flag.Parse()
	if err := write(flag.Args(), *another); err != nil {
		fmt.Fprintln(os.Stderr, "questions:", err)
		os.Exit(1)
	}
}

func write(paths []string, another bool) error {
	if len(paths) != 3 {
		return errors.New("want three files: a part, the clusters and the choices to write")
	}
	part, err := os.Open(paths[0])
	if err != nil {
		return err
	}
	defer part.Close()
	text, err := gzip.NewReader(part)
	if err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	var out [2]*os.File
	for i := range out {
		if out[i], err = os.Create(paths[1+i]); err != nil {
			return err
		}
		defer out[i].Close()
	}
	clusters, choices := json.NewEncoder(out[0]), json.NewEncoder(out[1])
	for lines := json.NewDecoder(text); ; {
		var d struct {
			ID, Title, Language string
			Sentences           []string
			Questions           []struct {
				Question, Language, Answer string
				Sentence                   int
			}
		}
		if err := lines.Decode(&d); err == io.EOF {
			return errors.Join(out[0].Close(), out[1].Close())
		} else if err != nil {
			return fmt.Errorf("%s: %w", paths[0], err)
		}
		body, at, spans := "", 0, make([][3]int, len(d.Sentences))
		for k, s := range d.Sentences {
			n := len(utf16.Encode([]rune(s)))
			spans[k] = [3]int{0, at, at + n}
			body, at = body+s+"\n", at+n+1
		}
		for n, q := range d.Questions {
			if another && q.Language == d.Language {
				continue
			}
			id := fmt.Sprintf("%s %d", d.ID, n)
			document := map[string]string{"text": body, "title": d.Title, "language": d.Language}
			// evaluate wants a reference, which does not matter here.
			err := clusters.Encode(map[string]any{"id": id, "documents": []any{document}, "query": q.Question, "references": []string{q.Answer}})
			if err == nil {
				err = choices.Encode(map[string]any{"id": id, "extract": [][3]int{spans[q.Sentence]}, "good": [][3]int{}, "never": [][3]int{}})
			}
			if err != nil {
				return err
			}
		}
	}
}
