package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cerasum/cerasum/internal/salience"
	"github.com/spf13/cobra"
)

// expertFlags name files of experts that method salience uses instead of the
// shipped ones.
type expertFlags struct{ general, long string }

func (f *expertFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.general, "expert", "", "salience expert, a file written by \"cerasum train salience\" (default: shipped)")
	flags.StringVar(&f.long, "expert-long", "", "salience expert for several documents with a budget of more than a third of their words, a file written by \"cerasum train salience\" (default: shipped, if the licence permits)")
}

// load reads the experts; nil means the shipped ones. methods are those in use.
func (f *expertFlags) load(methods []string, licence string) (*salience.Experts, error) {
	if f.general == "" && f.long == "" {
		return nil, nil
	}
	general, err := readExpert(f.general)
	if err != nil {
		return nil, err
	}
	long, err := readExpert(f.long)
	if err != nil {
		return nil, err
	}
	e, err := salience.DecodeExperts(general, long, methods, licence)
	switch {
	case errors.Is(err, salience.ErrExpert):
		return nil, hinted{err, "create one with \"cerasum train salience\""}
	case err != nil:
		return nil, usage(err)
	}
	return e, nil
}

// maxExpert limits the bytes read; the largest expert is smaller.
const maxExpert = 1 << 16

// readExpert reads a file; nil if the path is empty.
func readExpert(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // opened for reading only
	return io.ReadAll(io.LimitReader(file, maxExpert))
}

// describeExperts identifies the given experts, one line each.
func describeExperts(e *salience.Experts) (lines []string) {
	if e == nil {
		return nil
	}
	for _, part := range []struct {
		name   string
		expert *salience.Expert
	}{{"general", e.General}, {"long-budget", e.LongBudget}} {
		if part.expert != nil {
			lines = append(lines, fmt.Sprintf("%s expert of salience (sha256 %.12x)", part.name, sha256.Sum256(salience.Encode(part.expert))))
		}
	}
	return lines
}
