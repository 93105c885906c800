package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/spf13/cobra"
)

func (a *app) methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "methods",
		Short:   "List the summarization methods",
		Example: "  cerasum methods",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, m := range core.Methods() {
				indent := strings.Repeat(" ", 4)
				body := strings.Join(a.out.Lines(m.Description+" "+useOfEmbeddings(m), len(indent)), "\n"+indent)
				if _, err := fmt.Fprintf(a.stdout, "%s: %s\n%s%s\n", a.out.Paint(terminal.Bold, m.Name), m.Title, indent, body); err != nil {
					return err
				}
			}
			_, err := fmt.Fprintf(a.stdout, "\n%s\n", encoderLine())
			return err
		},
	}
}

// useOfEmbeddings describes when a method uses embeddings.
func useOfEmbeddings(m core.MethodInfo) string {
	switch {
	case m.AcrossLanguages:
		return "Embeddings: for documents in several languages, and with a query."
	case m.Weights == core.WeightsRequired:
		return "Embeddings: always. Weights: shipped, or --weights."
	case m.Embeddings == core.EmbeddingsRequired:
		return "Embeddings: always."
	case m.Embeddings == core.EmbeddingsOptional:
		return "Embeddings: always, unless --encoder is lexical."
	case m.Query:
		return "Embeddings: with a query."
	}
	return "Embeddings: none."
}

// encoderLine describes the shipped encoder.
func encoderLine() string {
	_, about, err := shipped()
	if errors.Is(err, errNoEncoder) {
		return "encoder: none shipped"
	}
	if err != nil {
		return "encoder: " + err.Error()
	}
	line := fmt.Sprintf("encoder: %s, %d dimensions, licence %s", about.Name, about.Dimensions, about.Licence)
	if n := len(about.Languages); n > 0 {
		line += fmt.Sprintf(", %d languages", n)
	}
	return line
}
