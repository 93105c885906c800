package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/spf13/cobra"
)

// queryFlags are what a summary is to lean towards, as typed.
type queryFlags struct {
	text   string
	weight float64
}

func (f *queryFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.text, "query", "Q", "", "what you want to know of the documents: the summary leans towards it")
	fs.Float64Var(&f.weight, "query-weight", core.DefaultQueryWeight, "how far, 0 (not at all) to 1 (nothing else counts)")
}

// take puts the query into the options of a method, which it refuses where the
// method would leave it alone.
func (f *queryFlags) take(cmd *cobra.Command, o *core.Options) error {
	given, weighted := cmd.Flags().Changed("query"), cmd.Flags().Changed("query-weight")
	switch {
	case weighted && !given:
		return usage(hinted{fmt.Errorf("--query-weight %v without a query", f.weight), "add --query TEXT"})
	case !given:
		return nil
	case strings.TrimSpace(f.text) == "":
		return usage(fmt.Errorf("--query is empty"))
	case !slices.Contains(queried(), o.Method):
		return usage(hinted{fmt.Errorf("--query: method %s looks at no query", o.Method), "these do: " + strings.Join(queried(), ", ")})
	case !(f.weight >= 0 && f.weight <= 1):
		return usage(fmt.Errorf("--query-weight %v: want 0 to 1", f.weight))
	}
	o.Query = f.text
	if weighted {
		o.QueryWeight = &f.weight
	}
	return nil
}

// queried lists the methods that support a query.
func queried() (names []string) {
	for _, m := range core.Methods() {
		if m.Query {
			names = append(names, m.Name)
		}
	}
	return names
}
