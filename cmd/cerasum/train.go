package main

import "github.com/spf13/cobra"

func (a *app) trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train encoders, centroid weights and the models of the default method",
		Long: `Train encoders, centroid weights and the models of the default method from local
corpora.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trainEncoderCommand(), a.trainCentroidCommand(), a.trainSalienceCommand(), a.trainStandingCommand(), a.trainEditorCommand())
	return cmd
}
