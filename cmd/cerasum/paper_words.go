package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/spf13/pflag"
)

// addPaperBudget adds the flag --budget of the commands that measure against
// references, which count words as the published experiments do.
func addPaperBudget(fs *pflag.FlagSet, to *int, value int, help string) {
	*to = value
	fs.VarP((*paperWords)(to), "budget", "b", help+" in the paper's words: runs of letters, digits and _")
}

// paperWords is a budget in the paper's words as a pflag.Value: "100p", or "100".
type paperWords int

// String is the form that core.ParseBudget reads.
func (w *paperWords) String() string {
	if *w == 0 {
		return ""
	}
	return strconv.Itoa(int(*w)) + "p"
}

// Set parses the text of the flag.
func (w *paperWords) Set(s string) error {
	b, err := core.ParseBudget(strings.TrimSuffix(strings.TrimSpace(s), "p") + "p")
	if err != nil {
		var option *core.OptionError
		if errors.As(err, &option) {
			return errors.New("want a number of the paper's words like 100p, got " + strconv.Quote(s))
		}
		return err
	}
	*w = paperWords(b.Amount)
	return nil
}

// Type is what the help calls the value.
func (w *paperWords) Type() string { return "length" }

// evaluatedBudget is a budget as a pflag.Value that counts the paper's words if it
// has no unit.
type evaluatedBudget core.Budget

// String is the form that core.ParseBudget reads.
func (b *evaluatedBudget) String() string {
	if *b == (evaluatedBudget{}) {
		return ""
	}
	return core.Budget(*b).String()
}

// Set parses the text of the flag.
func (b *evaluatedBudget) Set(s string) error {
	s = strings.TrimSpace(s)
	if _, err := strconv.Atoi(s); err == nil {
		s += "p"
	}
	budget, err := core.ParseBudget(s)
	if err != nil {
		var option *core.OptionError
		if errors.As(err, &option) {
			return errors.New(option.Message)
		}
		return err
	}
	*b = evaluatedBudget(budget)
	return nil
}

// Type is what the help calls the value.
func (b *evaluatedBudget) Type() string { return "length" }
