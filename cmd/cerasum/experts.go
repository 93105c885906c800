package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/spf13/cobra"
)

// expertFlags name files of experts that method salience uses instead of the
// shipped ones.
type expertFlags struct{ long, short string }

func (f *expertFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.long, "expert-long", "", "salience expert for budgets of at least half of the text, a file written by \"cerasum train salience\" (default: shipped)")
	flags.StringVar(&f.short, "expert-short", "", "salience expert for budgets below 2/7 of the text, a file written by \"cerasum train salience\" (default: shipped)")
}

// load reads the experts; nil means the shipped ones. methods are those in use.
func (f *expertFlags) load(methods []string, licence string) (*salience.Experts, error) {
	if f.long == "" && f.short == "" {
		return nil, nil
	}
	e := &salience.Experts{}
	for _, part := range []struct {
		flag, path string
		expert     **salience.Expert
	}{{"expert-long", f.long, &e.LongBudget}, {"expert-short", f.short, &e.ShortBudget}} {
		if part.path == "" {
			continue
		}
		if !slices.Contains(methods, "salience") && !slices.Contains(methods, "auto") {
			return nil, usage(fmt.Errorf("--%s: only methods salience and auto support it", part.flag))
		}
		if licence == core.LicenceFree {
			return nil, usage(fmt.Errorf("--%s with --licence free: %s does not state its training corpora", part.flag, part.path))
		}
		var err error
		if *part.expert, err = readExpert(part.path); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// maxExpert limits the bytes read; the largest expert is smaller.
const maxExpert = 1 << 16

func readExpert(path string) (*salience.Expert, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // opened for reading only
	data, err := io.ReadAll(io.LimitReader(file, maxExpert))
	if err != nil {
		return nil, err
	}
	e, err := salience.Decode(string(data))
	if err != nil {
		return nil, hinted{fmt.Errorf("%s: %w", path, err), "create one with \"cerasum train salience\""}
	}
	return e, nil
}

// describeExperts identifies the given experts, one line each.
func describeExperts(e *salience.Experts) (lines []string) {
	if e == nil {
		return nil
	}
	for _, part := range []struct {
		name   string
		expert *salience.Expert
	}{{"long-budget", e.LongBudget}, {"short-budget", e.ShortBudget}} {
		if part.expert != nil {
			lines = append(lines, fmt.Sprintf("%s expert of salience (sha256 %.12x)", part.name, sha256.Sum256(salience.Encode(part.expert))))
		}
	}
	return lines
}
