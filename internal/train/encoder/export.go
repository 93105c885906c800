package encoder

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Card is the content of an encoder's model card, its README.
type Card struct {
	Name    string
	Licence string // of the weights
	Command string // that trained them
	Params  Params
	// Sources are the corpora with their licences, one line of Markdown each.
	Sources []string
	// Languages, with the number of sentences of each.
	Languages map[string]int
	// Scores are tables in Markdown.
	Scores string
}

// Export writes the encoder as a sentence-transformers export. create opens each
// file by its name.
func (s *Static) Export(card Card, create func(name string) (io.WriteCloser, error)) error {
	type object = map[string]any
	values := []struct {
		name  string
		value any
	}{
		{"config.json", object{
			"model_type": "static", "hidden_size": s.dims, "vocab_size": len(s.Scales),
			"max_position_embeddings": MaxTokens, "name": card.Name, "languages": card.known(),
		}},
		{"modules.json", []object{{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}}},
		{"sentence_bert_config.json", object{"max_seq_length": MaxTokens, "do_lower_case": false}},
		{"tokenizer_config.json", object{"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": Unknown, "model_max_length": MaxTokens}},
	}
	for _, v := range values {
		if err := write(create, v.name, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(v.value)
		}); err != nil {
			return err
		}
	}
	if err := write(create, "tokenizer.json", s.WriteTokenizer); err != nil {
		return err
	}
	if err := write(create, "README.md", card.write); err != nil {
		return err
	}
	return write(create, "model.onnx", func(w io.Writer) error {
		return s.WriteModel(w, map[string]string{"name": card.Name, "licence": card.Licence})
	})
}

func write(create func(string) (io.WriteCloser, error), name string, fill func(io.Writer) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	if err := fill(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fewSentences is the number of sentences below which a language is not learned.
const fewSentences = 500

// known returns the languages that the encoder learned, in alphabetical order.
func (c Card) known() []string {
	var list []string
	for l, n := range c.Languages {
		if n >= fewSentences {
			list = append(list, l)
		}
	}
	slices.Sort(list)
	return list
}

func (c Card) write(w io.Writer) error {
	var b strings.Builder
	// The front matter of a hub's model card, from which readers take the languages.
	fmt.Fprintf(&b, "---\nlicense: %s\npipeline_tag: sentence-similarity\nlanguage:\n", strings.ToLower(strings.ReplaceAll(c.Licence, " ", "-")))
	for _, l := range c.known() {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n", c.Name)
	fmt.Fprintf(&b, `A static multilingual sentence encoder: a table of %d word-piece vectors of %d
dimensions, one byte per number. The embedding of a text is the weighted sum of its
pieces, scaled to unit length; word order is ignored. It is trained to bring
translations together and other sentences apart.

Licence of the weights: %s. They were trained on these corpora:

`, c.Params.Pieces, c.Params.Dimensions, c.Licence)
	for _, s := range c.Sources {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	fmt.Fprintf(&b, "\nMade with\n\n```\n%s\n```\n\nwhich, with all hyperparameters, is `%s`.\n", c.Command, c.Params.Describe())
	type language struct {
		name string
		n    int
	}
	var list []language
	for l, n := range c.Languages {
		list = append(list, language{l, n})
	}
	slices.SortFunc(list, func(a, b language) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.name, b.name)
	})
	b.WriteString("\nSentences in training, by language:")
	for _, l := range list {
		fmt.Fprintf(&b, " %s %d", l.name, l.n)
	}
	b.WriteString(".\n")
	if c.Scores != "" {
		fmt.Fprintf(&b, "\n## Scores\n\n%s", c.Scores)
	}
	b.WriteString(`
## Limits

Word order and negation are lost: "the dog bites the man" and "the man bites the
dog" have the same embedding. In languages other than those above, embeddings
only reflect shared words, not translations.
`)
	_, err := io.WriteString(w, b.String())
	return err
}
