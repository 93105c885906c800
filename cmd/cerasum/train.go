package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train centroid weights and the models of the default method",
		Long:  "Train centroid weights and the models of the default method from local corpora.",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trainCentroidCommand(), a.trainSalienceCommand(), a.trainStandingCommand())
	return cmd
}

// trainFlags are the flags of the commands that train on files and write one file.
type trainFlags struct {
	train []string
	trainOutput
}

func (f *trainFlags) add(flags *pflag.FlagSet, train, of string) {
	flags.StringArrayVar(&f.train, "train", nil, train+" (repeatable)")
	f.trainOutput.add(flags, "output file for "+of, "replace an existing output file")
}

func (f *trainFlags) check() error {
	if len(f.train) == 0 || f.out == "" {
		return usage(errors.New("want at least one --train, and --out"))
	}
	return f.refuse(f.out)
}

// trainOutput is the file or folder that a train command writes.
type trainOutput struct {
	out       string
	overwrite bool
}

func (o *trainOutput) add(flags *pflag.FlagSet, out, overwrite string) {
	flags.StringVarP(&o.out, "out", "o", "", out)
	flags.BoolVar(&o.overwrite, "overwrite", false, overwrite)
}

// refuse returns an error if a file would be replaced without --overwrite.
func (o *trainOutput) refuse(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !o.overwrite {
		return usage(hinted{fmt.Errorf("%s already exists", name), "use --overwrite to replace it"})
	}
	return nil
}

// trainFile reads a file name with settings: "FILE,lang=fr,skip=3". It calls set for
// each, the last first; set reports whether it knows the name. A comma that no setting
// follows belongs to the name of the file.
func trainFile(given string, set func(name, value string) (known bool, err error)) (path string, err error) {
	path = given
	for {
		at := strings.LastIndexByte(path, ',')
		if at < 0 {
			return path, nil
		}
		name, value, _ := strings.Cut(path[at+1:], "=")
		known, err := set(name, value)
		if err != nil {
			return "", usage(fmt.Errorf("--train %s: %s: %w", given, name, err))
		}
		if !known {
			return path, nil
		}
		path = path[:at]
	}
}

// atLeast reads a whole number of least or more.
func atLeast(least int, s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < least {
		return 0, fmt.Errorf("want a whole number of %d or more, got %q", least, s)
	}
	return n, nil
}

// noteEvery is the interval between reports where no progress line is shown, as
// in a log.
const noteEvery = time.Minute

// note prints a message to standard error.
func (a *app) note(format string, args ...any) {
	if a.quiet {
		return
	}
	a.progress.clear()
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// of returns "3 of 7", or "3" if the total is unknown.
func of(done, total int) string {
	if total == 0 {
		return strconv.Itoa(done)
	}
	return fmt.Sprintf("%d of %d", done, total)
}
