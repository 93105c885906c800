package main

import (
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
		Short: "List, download, check, score and remove models",
		Long: `Sentence encoders come with the program (default), or from a model hub: any
sentence-transformers export with a tokenizer.json and an ONNX file. They are
named by a hub id, owner/name or owner/name@revision, or by the short names that
"cerasum models list" shows.

A model is downloaded once, into cerasum/models in the user's cache folder. It is
used only when every file is there whole; a download that was cut goes on where
it was. Files are checked by SHA-256 where it is known, and can be checked again
with "cerasum models verify". Nothing is sent but requests for the files by name.
The environment variable ` + hub.BaseURLVariable + ` names another hub than ` + hub.DefaultBaseURL + `.

Weights for methods cera and cerai come with the program too: --weights takes
their names. So do the experts that salience, the default method, goes by; they
are listed for their licences. --licence free keeps to free ones.`,
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
	format := "text"
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the models that are here, and those known",
		Example: "  cerasum models list --format json",
		Args:    noArgs,
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
			for _, m := range list {
				if err := a.printModel(m); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", format, "text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// printModel writes what a person wants to know of a model.
func (a *app) printModel(m hub.Model) error {
	name := m.ID
	if m.Name != "" {
		name = m.Name + " (" + m.ID + ")"
	}
	facts := []string{string(m.State), bytesText(m.Bytes)}
	switch {
	case m.State == hub.BuiltIn:
		facts[0] = "part of the program, what method " + m.Method + " learned"
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
		facts = append(facts, "learned from "+strings.Join(m.Corpora, "; "))
	}
	if m.Free {
		facts = append(facts, "free corpora alone")
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
	for _, line := range terminal.Wrap(strings.Join(facts, ", "), a.out.Width-4) {
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

// bytesText is a size for people: decimal units, as hubs and disks are sold.
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
		Short: "Download models, or the rest of them",
		Long: `Download models that are not here yet, and print their folders. What a branch
like "main" is may change on the hub; a model that is here stays as it is until
it is removed and pulled again.`,
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
	fs.StringVar(&o.Revision, "revision", "", "branch, tag or commit (default: that of the known list, or main)")
	fs.StringVar(&o.BaseURL, "base-url", "", "the hub (default: "+hub.BaseURLVariable+", or "+hub.DefaultBaseURL+")")
	fs.StringVar(&o.Variant, "variant", "", "another ONNX file: its path, or what follows onnx/model_")
	fs.DurationVar(&o.Timeout, "timeout", 6*time.Hour, "give up after this long")
	fs.StringVar(&show, "progress", show, "auto, always or never")
	complete(cmd, "progress", "auto", "always", "never")
	return cmd
}

// resolveModel finds a model, downloading it with progress where it is not
// here.
func (a *app) resolveModel(ctx context.Context, name string, o hub.Options) (string, error) {
	o.Progress = func(file string, loaded, total int64) {
		text := path.Base(file) + " " + bytesText(loaded)
		if total >= 0 {
			text += " of " + bytesText(total)
		}
		a.progress.show("downloading "+terminal.Safe(name)+": "+text, 0, 0)
	}
	o.Waiting = func() { a.warn(name + ": waiting for another cerasum that downloads it") }
	dir, err := hub.Resolve(ctx, name, o)
	if err != nil && ctx.Err() != nil {
		return "", hinted{err, "what has been downloaded is kept: the same command goes on with it"}
	}
	return dir, err
}

// modelArgs wants the name of a model at least.
func modelArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(hinted{errors.New("no model named"), "run \"cerasum models list\" for those known; a hub id is owner/name"})
	}
	return nil
}

func (a *app) modelsRemoveCommand() *cobra.Command {
	var o hub.Options
	cmd := &cobra.Command{
		Use:     "rm ID...",
		Aliases: []string{"remove"},
		Short:   "Remove downloaded models, whole or partial",
		Long: `Remove what is here of models: every revision and variant, unless one is chosen
by --revision, --variant or ID@revision.`,
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
	cmd.Flags().StringVar(&o.Revision, "revision", "", "only this branch, tag or commit")
	cmd.Flags().StringVar(&o.Variant, "variant", "", "only this variant")
	return cmd
}

func (a *app) modelsVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [ID]...",
		Short: "Check the files of models against their SHA-256",
		Long: `Read every file of the named models and weights, or of all that are here and of
those shipped (the encoder: default), and compare its SHA-256 with that of the day when it came. The exit
code is 1 where a file is not as it was.`,
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

// reportCheck says how a model is.
func (a *app) reportCheck(c hub.Check) error {
	name := c.Model.ID
	if c.Model.Revision != "" {
		name += "@" + c.Model.Revision
	}
	if c.Model.Name != "" && c.Model.State == hub.Shipped {
		name = c.Model.Name
	}
	if len(c.Problems) == 0 {
		_, err := fmt.Fprintf(a.stdout, "%s: %d files, as they should be\n", terminal.Safe(name), c.Files)
		return err
	}
	for _, p := range c.Problems {
		a.reportBad(fmt.Errorf("%s: %w", name, p))
	}
	return nil
}
