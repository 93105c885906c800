package main

import "github.com/spf13/cobra"

func (a *app) trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train encoders, centroid weights and salience experts",
		Long:  "Train encoders, centroid weights and salience experts from local corpora.",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trainEncoderCommand(), a.trainCentroidCommand(), a.trainSalienceCommand())
	return cmd
}
