package core_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// reports holds the reports of one event by two newspapers.
var reports = []core.Document{
	{Source: "morning.txt", Text: "The lighthouse of Sandvik opens to visitors in May. Its stairs had been closed for two years. Tickets are sold in the harbour."},
	{Source: "evening.txt", Text: "It was a long wait. From May visitors can climb the lighthouse of Sandvik again. The keeper's house next to the lighthouse becomes a café."},
}

// One summary: documents and options in, sentences and their places out.
func ExampleSummarize() {
	summary, err := core.Summarize(context.Background(), reports, core.Options{
		Budget: core.Budget{Amount: 20, Unit: core.Words},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Text)
	for _, q := range summary.Sentences {
		fmt.Printf("%s, bytes %d to %d\n", reports[q.Document].Source, q.Start, q.End)
	}
	fmt.Printf("%s: %d of %v words\n", summary.Method, summary.Used, summary.Budget)
	// Output:
	// From May visitors can climb the lighthouse of Sandvik again.
	// The keeper's house next to the lighthouse becomes a café.
	// evening.txt, bytes 20 to 80
	// evening.txt, bytes 81 to 139
	// editor: 20 of 20 words
}

// A session splits and analyses the documents once. Each summary is then selection
// alone.
func ExampleSession() {
	ctx := context.Background()
	session, err := core.Open(ctx, reports, core.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	for _, o := range []core.Options{
		{Budget: core.Budget{Amount: 1, Unit: core.Sentences}},
		{Budget: core.Budget{Amount: 120, Unit: core.Characters}},
		{Budget: core.Budget{Amount: 1, Unit: core.Sentences}, Query: "Where do I get tickets?"},
	} {
		summary, err := session.Summarize(ctx, o)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n\n", summary.Text)
	}
	// Output:
	// From May visitors can climb the lighthouse of Sandvik again.
	//
	// From May visitors can climb the lighthouse of Sandvik again.
	// The keeper's house next to the lighthouse becomes a café.
	//
	// Tickets are sold in the harbour.
}

// Embeddings from any encoder: row k belongs to text k of the session. This toy
// encoder knows three words in two languages; a real one is a model.
func ExampleSession_Embed() {
	meanings := [][]string{{"lighthouse", "farol"}, {"visitors", "visitantes"}, {"café", "cafeteria"}}
	encode := func(text string) []float32 {
		row := make([]float32, len(meanings))
		for i, words := range meanings {
			for _, word := range words {
				if strings.Contains(strings.ToLower(text), word) {
					row[i] = 1
				}
			}
		}
		return row
	}

	documents := append(reports[1:], core.Document{
		Source: "tarde.txt", Text: "O farol de Sandvik abre aos visitantes em maio. A casa do faroleiro será uma cafeteria.",
	})
	ctx := context.Background()
	session, err := core.Open(ctx, documents, core.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	if session.WantsEmbeddings("auto", false) { // the documents are in several languages
		e := core.Embeddings{Dimensions: len(meanings)}
		for _, text := range session.Texts() {
			e.Data = append(e.Data, encode(text)...)
		}
		if err := session.Embed(e); err != nil {
			log.Fatal(err)
		}
	}
	summary, err := session.Summarize(ctx, core.Options{Budget: core.Budget{Amount: 2, Unit: core.Sentences}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Method)
	fmt.Println(summary.Text)
	for _, q := range summary.Sentences {
		for _, similar := range q.Similar {
			fmt.Printf("%s says it too: %s\n", documents[similar.Document].Source, session.Documents()[similar.Document].Sentences[similar.Sentence].Text)
		}
	}
	// Output:
	// editor
	// From May visitors can climb the lighthouse of Sandvik again.
	// The keeper's house next to the lighthouse becomes a café.
	// tarde.txt says it too: O farol de Sandvik abre aos visitantes em maio.
	// tarde.txt says it too: A casa do faroleiro será uma cafeteria.
}

// An option that is refused is named.
func ExampleOptionError() {
	weight := 0.5
	_, err := core.Summarize(context.Background(), reports, core.Options{QueryWeight: &weight})
	fmt.Println(err)
	// Output: queryWeight: requires query
}
