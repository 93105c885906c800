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

// expertFlags name experts of method salience to go by in the place of the
// shipped ones.
type expertFlags struct{ roomy, narrow string }

func (f *expertFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.roomy, "expert-roomy", "", "file of \"cerasum train salience\" that method salience goes by where the budget is half of the text or more (default: the shipped one)")
	flags.StringVar(&f.narrow, "expert-narrow", "", "the same for budgets of less than two sevenths; in between both count")
}

// load reads the experts; nil: the shipped ones. methods are those chosen.
func (f *expertFlags) load(methods []string, licence string) (*salience.Experts, error) {
	if f.roomy == "" && f.narrow == "" {
		return nil, nil
	}
	e := &salience.Experts{}
	for _, part := range []struct {
		flag, path string
		expert     **salience.Expert
	}{{"expert-roomy", f.roomy, &e.Roomy}, {"expert-narrow", f.narrow, &e.Narrow}} {
		if part.path == "" {
			continue
		}
		if !slices.Contains(methods, "salience") && !slices.Contains(methods, "auto") {
			return nil, usage(fmt.Errorf("--%s: only methods salience and auto go by it", part.flag))
		}
		if licence == core.LicenceFree {
			return nil, usage(fmt.Errorf("--%s with --licence free: %s does not say what it learned from", part.flag, part.path))
		}
		var err error
		if *part.expert, err = readExpert(part.path); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// maxExpert bounds the bytes that are read: those of the largest expert are
// fewer.
const maxExpert = 1 << 16

func readExpert(path string) (*salience.Expert, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // was read alone
	data, err := io.ReadAll(io.LimitReader(file, maxExpert))
	if err != nil {
		return nil, err
	}
	e, err := salience.Decode(string(data))
	if err != nil {
		return nil, hinted{fmt.Errorf("%s: %w", path, err), "\"cerasum train salience\" makes one"}
	}
	return e, nil
}

// describeExperts tells those given apart from others, a line for each.
func describeExperts(e *salience.Experts) (lines []string) {
	if e == nil {
		return nil
	}
	for _, part := range []struct {
		name   string
		expert *salience.Expert
	}{{"roomy", e.Roomy}, {"narrow", e.Narrow}} {
		if part.expert != nil {
			lines = append(lines, fmt.Sprintf("%s expert of salience (sha256 %.12x)", part.name, sha256.Sum256(salience.Encode(part.expert))))
		}
	}
	return lines
}
