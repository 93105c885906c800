package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) modelsScoreCommand() *cobra.Command {
	var f encoderFlags
	var retrieval, sts []string
	var output string
	cmd := &cobra.Command{
		Use:   "score [MODEL]",
		Short: "Score an encoder on translation retrieval and similarity",
		Long: `Score an encoder: how many sentences of a language find their translation among
all of another one (--retrieval, JSON Lines with a text for each language), and
the rank correlation of its cosines with people's judgement of sentence pairs
(--sts, lines of score TAB sentence TAB sentence). Files may be gzip. The result
is Markdown.`,
		Example: "  cerasum models score --retrieval flores.jsonl.gz --sts stsb-en-test.tsv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Errorf("unexpected argument %q: want one model", args[1]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(retrieval)+len(sts) == 0 {
				return usage(errors.New("want --retrieval or --sts"))
			}
			if len(args) > 0 {
				f.name = args[0]
			}
			s, err := readScoring(retrieval, sts)
			if err != nil {
				return err
			}
			out, err := openOutput(output, a.stdout)
			if err != nil {
				return err
			}
			defer out.discard()
			m, err := a.openEncoder(cmd.Context(), f)
			if err != nil {
				return err
			}
			defer m.Close()
			table, err := s.markdown(cmd.Context(), m)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(out, "%s, %d dimensions\n\n%s", m.Name(), m.Dimensions(), table); err != nil {
				return err
			}
			return out.commit()
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&retrieval, "retrieval", nil, "parallel sentences (repeatable)")
	flags.StringArrayVar(&sts, "sts", nil, "judged sentence pairs (repeatable)")
	flags.StringVarP(&output, "output", "o", "", "write to this file, whole or not at all (default: standard output)")
	f.add(cmd)
	return cmd
}
