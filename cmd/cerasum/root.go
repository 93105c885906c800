package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // bad input, or the work failed
	exitUsage       = 2   // bad flag, argument or value
	exitInterrupted = 130 // the shells' code for Ctrl-C
)

// app is one run of the program with its streams.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	out, err       terminal.Terminal // capabilities of stdout and stderr
	bad            int               // inputs that could not be used
	quiet          bool
	progress       *progress
}

// run runs one command line, without the program's name, and returns the exit
// code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{
		stdin: stdin, stdout: stdout, stderr: stderr,
		out: terminal.Of(stdout), err: terminal.Of(stderr),
	}
	a.progress = &progress{w: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	a.progress.clear()
	switch {
	case errors.Is(err, errStopped):
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "cerasum: interrupted")
		if hint := hintFor(err); hint != "" {
			fmt.Fprintf(stderr, "  hint: %s\n", terminal.Safe(hint))
		}
		return exitInterrupted
	case err != nil:
		return a.fail(err)
	case a.bad > 0:
		return exitFailed
	}
	return exitOK
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "cerasum",
		Short: "Summarize many documents at once by quoting them",
		Long: `cerasum summarizes many documents at once by quoting them: a summary is the best
selection of the documents' own sentences within a budget, each with its source.
It runs locally and uses the network only to fetch URLs that you name.`,
		Example: `  cerasum summarize report.txt article.html notes.md
  cerasum summarize --budget 5s --format markdown news/
  cerasum serve`,
		Version:       core.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			slices.Sort(names)
			return usage(unknown("command", args[0], names))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate(aboutBuild().firstLine())
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print only errors to standard error")
	root.AddCommand(a.summarizeCommand(), a.explainCommand(), a.selectCommand(), a.centroidCommand(), a.rougeCommand(), a.embedCommand(), a.evaluateCommand(), a.batchCommand(), a.clusterCommand(), a.serveCommand(), a.trainCommand(), a.methodsCommand(), a.versionCommand())
	return root
}

// flagError suggests the flag that was perhaps meant.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		cause, hint := errors.Unwrap(invalid), "run \""+cmd.CommandPath()+" --help\" for the list of flags"
		var h hinted
		if errors.As(cause, &h) {
			hint = h.hint
		}
		return usage(hinted{fmt.Errorf("--%s: %w", invalid.GetFlag().Name, cause), hint})
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) || missing.GetSpecifiedShortnames() != "" {
		return usage(hinted{err, "run \"" + cmd.CommandPath() + " --help\" for the list of flags"})
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usage(unknown("flag", "--"+missing.GetSpecifiedName(), names))
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(hinted{fmt.Errorf("unexpected argument %q", args[0]), "run \"" + cmd.CommandPath() + " --help\" for usage"})
	}
	return nil
}

// oneOf returns the value if it is one of those allowed.
func oneOf[T ~string](flag, value string, allowed []T) (T, error) {
	names := make([]string, len(allowed))
	for i, v := range allowed {
		if string(v) == value {
			return v, nil
		}
		names[i] = string(v)
	}
	return "", usage(unknown("value for --"+flag, value, names))
}

// complete registers fixed values for shell completion.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("cerasum: no flag " + flag + " to complete: " + err.Error())
	}
}

// stringsOf converts named strings to plain ones.
func stringsOf[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
