package main

import "github.com/spf13/cobra"

func (a *app) trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train the parts that learn",
		Long:  "Train the parts that learn, from corpora on this machine.",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trainEncoderCommand(), a.trainCentroidCommand(), a.trainSalienceCommand())
	return cmd
}
