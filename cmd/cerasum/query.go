package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/spf13/cobra"
)

// queryFlags are the flags of the query, as given.
type queryFlags struct {
	text   string
	weight float64
}

func (f *queryFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.text, "query", "Q", "", "what you want to know of the documents: the summary leans towards it")
	fs.Float64Var(&f.weight, "query-weight", core.DefaultQueryWeight, "how far, 0 (not at all) to 1 (nothing else counts)")
}

// take adds the query to the options; a method that does not support one is an
// error.
func (f *queryFlags) take(cmd *cobra.Command, o *core.Options) error {
	given, weighted := cmd.Flags().Changed("query"), cmd.Flags().Changed("query-weight")
	switch {
	case weighted && !given:
		return usage(hinted{errors.New("--query-weight requires --query"), "add --query TEXT"})
	case !given:
		return nil
	case strings.TrimSpace(f.text) == "":
		return usage(fmt.Errorf("--query: want text, got an empty string"))
	case !slices.Contains(queried(), o.Method):
		return usage(hinted{fmt.Errorf("method %s does not support --query", o.Method), "methods that do: " + strings.Join(queried(), ", ")})
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
