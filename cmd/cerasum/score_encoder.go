package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/train/encoder"
)

// scoring holds the data that encoders are scored on.
type scoring struct {
	retrieval []namedParallel
	sts       []namedSimilarity
}

type namedParallel struct {
	name string
	*encoder.Parallel
}

type namedSimilarity struct {
	name string
	*encoder.Similarity
}

func readScoring(retrieval, sts []string) (*scoring, error) {
	s := &scoring{}
	for _, path := range retrieval {
		c, err := corpusOf(path)
		if err != nil {
			return nil, err
		}
		p, err := encoder.ReadParallel(c)
		if err != nil {
			return nil, err
		}
		s.retrieval = append(s.retrieval, namedParallel{shortName(path), p})
	}
	for _, path := range sts {
		c, err := corpusOf(path)
		if err != nil {
			return nil, err
		}
		r, err := c.Open()
		if err != nil {
			return nil, err
		}
		x, err := encoder.ReadSimilarity(path, r)
		r.Close()
		if err != nil {
			return nil, err
		}
		s.sts = append(s.sts, namedSimilarity{shortName(path), x})
	}
	return s, nil
}

func shortName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// pivotOf returns the language that all others are paired with: English, if
// present.
func pivotOf(languages []string) string {
	if slices.Contains(languages, "en") {
		return "en"
	}
	return languages[0]
}

// markdown returns a table of the scores.
func (s *scoring) markdown(ctx context.Context, e encoder.Embedder) (string, error) {
	var b strings.Builder
	for _, p := range s.retrieval {
		languages := p.Languages()
		to := pivotOf(languages)
		var pairs [][2]string
		for _, l := range languages {
			if l != to {
				pairs = append(pairs, [2]string{l, to}, [2]string{to, l})
			}
		}
		more := [2]string{"pt", "ru"}
		both := slices.Contains(languages, "pt") && slices.Contains(languages, "ru")
		if both {
			pairs = append(pairs, more)
		}
		share, err := p.Retrieval(ctx, e, pairs)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s: %d sentences; accuracy in %% of retrieving the translation among all sentences of the other language.\n\n", p.name, len(p.Texts[to]))
		fmt.Fprintf(&b, "| | into %s | from %s |\n| --- | ---: | ---: |\n", to, to)
		var into, from float64
		for _, l := range languages {
			if l == to {
				continue
			}
			x, y := 100*share[[2]string{l, to}], 100*share[[2]string{to, l}]
			into, from = into+x, from+y
			fmt.Fprintf(&b, "| %s | %.1f | %.1f |\n", l, x, y)
		}
		n := float64(len(languages) - 1)
		fmt.Fprintf(&b, "| mean | %.1f | %.1f |\n\n", into/n, from/n)
		if focus := []string{"es", "fr", "pt", "ru", "tr", "de", "it"}; to == "en" {
			sum, n := 0.0, 0
			for _, l := range focus {
				if slices.Contains(languages, l) {
					sum += share[[2]string{l, to}]
					n++
				}
			}
			if n > 0 {
				fmt.Fprintf(&b, "Mean of %s into en: %.1f.", strings.Join(focus, " "), 100*sum/float64(n))
			}
			if both {
				fmt.Fprintf(&b, " pt into ru: %.1f.", 100*share[more])
			}
			b.WriteString("\n\n")
		}
	}
	if len(s.sts) > 0 {
		b.WriteString("Rank correlation (Spearman) with human judgement of similarity.\n\n| | |\n| --- | ---: |\n")
		for _, x := range s.sts {
			r, err := x.Spearman(ctx, e)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "| %s | %.3f |\n", x.name, r)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// noteScores logs the scores on one line.
func (a *app) noteScores(ctx context.Context, s *scoring, e encoder.Embedder) error {
	var parts []string
	for _, p := range s.retrieval {
		languages := p.Languages()
		to := pivotOf(languages)
		var pairs [][2]string
		for _, l := range languages {
			if l != to {
				pairs = append(pairs, [2]string{l, to})
			}
		}
		share, err := p.Retrieval(ctx, e, pairs)
		if err != nil {
			return err
		}
		sum := 0.0
		for _, x := range share {
			sum += x
		}
		parts = append(parts, fmt.Sprintf("%s into %s %.1f %%", p.name, to, 100*sum/float64(len(pairs))))
	}
	for _, x := range s.sts {
		r, err := x.Spearman(ctx, e)
		if err != nil {
			return err
		}
		parts = append(parts, fmt.Sprintf("%s %.3f", x.name, r))
	}
	if len(parts) > 0 {
		a.note("  %s", strings.Join(parts, ", "))
	}
	return nil
}
