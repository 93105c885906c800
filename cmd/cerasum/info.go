package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/spf13/cobra"
)

func (a *app) methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "methods",
		Short:   "List the methods that --method takes",
		Example: "  cerasum methods",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, m := range core.Methods() {
				indent := strings.Repeat(" ", 4)
				body := strings.Join(terminal.Wrap(m.Description, a.out.Width-len(indent)), "\n"+indent)
				if _, err := fmt.Fprintf(a.stdout, "%s: %s\n%s%s\n", a.out.Paint(terminal.Bold, m.Name), m.Title, indent, body); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  cerasum version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("cerasum %s (%s %s/%s)", core.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
