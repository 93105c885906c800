package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/hub"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/spf13/cobra"
)

func (a *app) modelsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, download, verify, score and remove models",
		Long: `Sentence encoders are shipped with the program (default) or come from a model hub:
any sentence-transformers export with a tokenizer.json and an ONNX file. They are
named by a hub id, owner/name or owner/name@revision, or by the short names that
"cerasum models list" shows.

A model is downloaded once, into cerasum/models in the user's cache folder, and is
used only when all its files are complete; interrupted downloads resume. Files are
checked against their SHA-256 where it is known, and again by "cerasum models
verify". The only requests sent are for these files, by name.
The environment variable ` + hub.BaseURLVariable + ` selects a hub other than ` + hub.DefaultBaseURL + `,
followed by the servers to which that hub redirects downloads, separated by spaces:
"https://hub.example https://*.files.example".

Weights for methods cera and cerai are shipped too; --weights takes their names. The
experts of method salience are listed with their licences. Weights and experts for
non-commercial use are used only with --licence any.`,
		Example: `  cerasum models list
  cerasum models pull multilingual-e5-small
  cerasum models verify`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage(unknown("command", args[0], []string{"list", "pull", "rm", "score", "verify"}))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.modelsListCommand(), a.modelsPullCommand(), a.modelsRemoveCommand(), a.modelsVerifyCommand(), a.modelsScoreCommand())
	return cmd
}

func (a *app) modelsListCommand() *cobra.Command {
	format, long := "text", false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List installed and known models",
		Example: `  cerasum models list
  cerasum models list --long
  cerasum models list --format json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := oneOf("format", format, []string{"text", "json"})
			if err != nil {
				return err
			}
			list, err := hub.List(hub.Options{})
			if err != nil {
				return err
			}
			if f == "json" {
				return writeJSON(a.stdout, list)
			}
			if !long {
				return a.printModels(list)
			}
			for _, m := range list {
				if err := a.printModel(m); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&long, "long", false, "also show training corpora, languages, revisions and folders")
	cmd.Flags().StringVarP(&format, "format", "f", format, "output format: text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// printModels prints a table of the models, whose lines are cut in a terminal.
func (a *app) printModels(list []hub.Model) error {
	rows := [][]string{{"NAME", "FOR", "STATE", "SIZE", "LICENCE"}}
	for _, m := range list {
		name := cmp.Or(m.Name, m.ID)
		if m.Name == "" && m.Revision != "" {
			name += "@" + m.Revision
		}
		use := "any method"
		if m.Method != "" {
			use = "method " + m.Method
		}
		rows = append(rows, []string{terminal.Safe(name), use, string(m.State), bytesText(m.Bytes), terminal.Safe(cmp.Or(m.Licence, "not stated"))})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Columns(cell))
		}
	}
	const size = 3 // the column that is aligned to the right
	for k, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-terminal.Columns(cell))
			if i == size {
				cell, pad = pad+cell, ""
			}
			line.WriteString(cell + pad + "  ")
		}
		text := a.out.Cut(strings.TrimRight(line.String(), " "), 0)
		if k == 0 {
			text = a.out.Paint(terminal.Bold, text)
		}
		if _, err := fmt.Fprintln(a.stdout, text); err != nil {
			return err
		}
	}
	if a.out.Interactive {
		_, err := fmt.Fprintln(a.stdout, "\n\"cerasum models list --long\" shows all details.")
		return err
	}
	return nil
}

// printModel prints all about a model for people.
func (a *app) printModel(m hub.Model) error {
	name := m.ID
	if m.Name != "" {
		name = m.Name + " (" + m.ID + ")"
	}
	facts := []string{string(m.State), bytesText(m.Bytes)}
	switch {
	case m.State == hub.BuiltIn:
		facts[0] = "part of the program, expert of method " + m.Method
	case m.Method != "":
		facts = append([]string{"weights for method " + m.Method + " with " + m.Encoder}, facts...)
	}
	if m.State == hub.Available {
		facts[1] = "about " + facts[1]
	}
	if m.Dimensions > 0 {
		facts = append(facts, fmt.Sprintf("%d dimensions", m.Dimensions))
	}
	if m.Licence == "" {
		m.Licence = "not stated"
	}
	facts = append(facts, "licence "+m.Licence)
	if len(m.Corpora) > 0 {
		facts = append(facts, "trained on "+strings.Join(m.Corpora, "; "))
	}
	if m.Free {
		facts = append(facts, "free corpora only")
	}
	if m.Languages != "" {
		facts = append(facts, m.Languages)
	}
	if m.Revision != "" {
		facts = append(facts, "revision "+m.Revision)
	}
	if m.Variant != "" {
		facts = append(facts, "variant "+m.Variant)
	}
	text := a.out.Paint(terminal.Bold, terminal.Safe(name)) + "\n"
	for _, line := range a.out.Lines(strings.Join(facts, ", "), 4) {
		text += "    " + terminal.Safe(line) + "\n"
	}
	if m.Problem != "" {
		text += "    " + a.out.Paint(terminal.Red, terminal.Safe(m.Problem)) + "\n"
	}
	if m.Folder != "" {
		text += "    " + terminal.Safe(m.Folder) + "\n"
	}
	_, err := fmt.Fprint(a.stdout, text)
	return err
}

// bytesText formats a size in decimal units.
func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e7:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

func (a *app) modelsPullCommand() *cobra.Command {
	var o hub.Options
	show := "auto"
	cmd := &cobra.Command{
		Use:   "pull ID...",
		Short: "Download models, resuming partial downloads",
		Long: `Download models that are not installed, and print their folders. A branch such as
"main" may change on the hub; an installed model stays as it is until it is
removed and downloaded again.`,
		Example: `  cerasum models pull minilm
  cerasum models pull sentence-transformers/all-MiniLM-L6-v2 --variant quint8_avx2
  cerasum models pull intfloat/multilingual-e5-small --base-url https://hub.example.org`,
		Args: modelArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			show, err := oneOf("progress", show, []string{"auto", "always", "never"})
			if err != nil {
				return err
			}
			if o.Timeout <= 0 {
				return usage(fmt.Errorf("--timeout %v: want more than 0", o.Timeout))
			}
			a.progress.on = !a.quiet && (show == "always" || show == "auto" && a.err.Interactive)
			for _, id := range args {
				dir, err := a.resolveModel(cmd.Context(), id, o)
				if err != nil {
					return err
				}
				a.progress.clear()
				if _, err := fmt.Fprintln(a.stdout, dir); err != nil {
					return err
				}
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Revision, "revision", "", "branch, tag or commit (default: the listed one, or main)")
	fs.StringVar(&o.BaseURL, "base-url", "", "base URL of the hub (default: "+hub.BaseURLVariable+", or "+hub.DefaultBaseURL+")")
	fs.StringVar(&o.Variant, "variant", "", "another ONNX file: its path, or the part of its name after onnx/model_")
	fs.DurationVar(&o.Timeout, "timeout", 6*time.Hour, "time limit for a download")
	fs.StringVar(&show, "progress", show, "show progress: auto (on a terminal), always or never")
	complete(cmd, "progress", "auto", "always", "never")
	return cmd
}

// resolveModel finds a model, and downloads it with progress if it is not
// installed.
func (a *app) resolveModel(ctx context.Context, name string, o hub.Options) (string, error) {
	o.Progress = func(file string, loaded, total int64) {
		text := path.Base(file) + " " + bytesText(loaded)
		if total >= 0 {
			text += " of " + bytesText(total)
		}
		a.progress.show("downloading "+terminal.Safe(name)+": "+text, 0, 0)
	}
	o.Waiting = func() { a.warn("waiting for another process to download " + name) }
	dir, err := hub.Resolve(ctx, name, o)
	if err != nil && ctx.Err() != nil {
		return "", hinted{err, "the partial download is kept: run the same command to resume"}
	}
	return dir, err
}

// modelArgs requires at least one model.
func modelArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(hinted{errors.New("no model given"), "run \"cerasum models list\" for known models; a hub id is owner/name"})
	}
	return nil
}

func (a *app) modelsRemoveCommand() *cobra.Command {
	var o hub.Options
	cmd := &cobra.Command{
		Use:     "rm ID...",
		Aliases: []string{"remove"},
		Short:   "Remove downloaded models, complete or partial",
		Long: `Remove all revisions and variants of downloaded models, or those selected with
--revision, --variant or ID@revision.`,
		Example: "  cerasum models rm minilm",
		Args:    modelArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, id := range args {
				removed, err := hub.Remove(cmd.Context(), id, o)
				for _, m := range removed {
					if !a.quiet {
						fmt.Fprintf(a.stderr, "cerasum: removed %s (%s)\n", terminal.Safe(m.Folder), bytesText(m.Bytes))
					}
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Revision, "revision", "", "branch, tag or commit to remove (default: all)")
	cmd.Flags().StringVar(&o.Variant, "variant", "", "variant to remove (default: all)")
	return cmd
}

func (a *app) modelsVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [ID]...",
		Short: "Check the files of models against their SHA-256",
		Long: `Read every file of the named models and weights, by default all installed and
shipped ones (the shipped encoder is "default"), and compare its SHA-256 with the
recorded one. The exit code is 1 if any file has changed.`,
		Example: "  cerasum models verify",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{""}
			}
			for _, id := range args {
				checks, err := hub.Verify(cmd.Context(), id, hub.Options{})
				if err != nil {
					return err
				}
				for _, c := range checks {
					if err := a.reportCheck(c); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}

// reportCheck prints the result for a model.
func (a *app) reportCheck(c hub.Check) error {
	name := c.Model.ID
	if c.Model.Revision != "" {
		name += "@" + c.Model.Revision
	}
	if c.Model.Name != "" && c.Model.State == hub.Shipped {
		name = c.Model.Name
	}
	if len(c.Problems) == 0 {
		_, err := fmt.Fprintf(a.stdout, "%s: %s verified\n", terminal.Safe(name), plural(c.Files, "file"))
		return err
	}
	for _, p := range c.Problems {
		a.reportBad(fmt.Errorf("%s: %w", name, p))
	}
	return nil
}
