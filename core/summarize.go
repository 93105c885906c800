// Package core chooses sentences: many documents in, a quoted summary out.
//
// Start with [Summarize].
package core

import (
	"context"

	"github.com/cerasum/cerasum/core/cluster"
)

// MethodInfo describes a method to people.
type MethodInfo struct {
	Name, Title, Description string
}

// Methods lists what Options.Method takes, "auto" first.
func Methods() []MethodInfo {
	return []MethodInfo{
		{"auto", "Automatic", "The best method for what is loaded."},
	}
}

// Prepare fills in what is missing in the cluster: each document's language
// and its sentences. It changes c.
func Prepare(ctx context.Context, c *cluster.Cluster) error { panic("not yet") }

// Summarize quotes the sentences of the cluster that together say most of it
// within the budget. It prepares the cluster where that was not done.
func Summarize(ctx context.Context, c *cluster.Cluster, o Options) (*Summary, error) {
	panic("not yet")
}
