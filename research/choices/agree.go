package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// agreement counts the quotes of second editors by where the first has them.
type agreement struct{ items, quotes, extract, good, never float64 }

func (a *agreement) add(first, second *item) {
	a.items++
	for _, s := range second.Extract {
		a.quotes++
		switch {
		case slices.Contains(first.Extract, s):
			a.extract++
		case slices.Contains(first.Good, s):
			a.good++
		case slices.Contains(first.Never, s):
			a.never++
		}
	}
}

// leastOfGroup is the number of items from which on a genre or language is printed.
const leastOfGroup = 15

// agree prints how far the extracts of second editors agree with the labels of the first, in
// all and by genre and language. The last path is that of the second editors.
func agree(out io.Writer, paths []string) error {
	if len(paths) < 2 {
		return fmt.Errorf("want files of choices and, last, one of second choices")
	}
	byID := map[string]*item{}
	for _, path := range paths[:len(paths)-1] {
		items, err := read(path)
		if err != nil {
			return err
		}
		for _, one := range items {
			byID[one.ID] = one
		}
	}
	seconds, err := read(paths[len(paths)-1])
	if err != nil {
		return err
	}
	groups := map[string]*agreement{}
	for _, second := range seconds {
		first := byID[second.ID]
		if first == nil {
			return fmt.Errorf("%s: no first choices", second.ID)
		}
		kind := "documents"
		if second.From != nil || second.Corpus == setsOnly {
			kind = "sets"
		}
		for _, name := range []string{kind, kind + ", genre " + second.Genre, kind + ", language " + second.Language} {
			if groups[name] == nil {
				groups[name] = &agreement{}
			}
			groups[name].add(first, second)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if a := groups[name]; a.items >= leastOfGroup {
			fmt.Fprintf(out, "%-36s %4.0f: extract %4.1f, or good %5.1f, never %3.1f %% of %4.0f quotes\n", name, a.items, 100*a.extract/a.quotes, 100*(a.extract+a.good)/a.quotes, 100*a.never/a.quotes, a.quotes)
		}
	}
	return nil
}
