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
		Long: `Score an encoder on translation retrieval, the share of sentences whose nearest
neighbour in another language is their translation (--retrieval, JSON Lines with a
text per language), and on semantic similarity, the rank correlation of its
cosines with human judgements of sentence pairs (--sts, lines of score TAB
sentence TAB sentence). Files may be gzipped. The output is Markdown.`,
		Example: "  cerasum models score --retrieval flores.jsonl.gz --sts stsb-en-test.tsv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(fmt.Errorf("want one model, got another argument %q", args[1]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(retrieval)+len(sts) == 0 {
				return usage(errors.New("no data given: want --retrieval or --sts"))
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
	flags.StringArrayVar(&retrieval, "retrieval", nil, "file of parallel sentences (repeatable)")
	flags.StringArrayVar(&sts, "sts", nil, "file of judged sentence pairs (repeatable)")
	flags.StringVarP(&output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	f.add(cmd)
	return cmd
}
