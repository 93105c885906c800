package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// module is one entry of modules.json.
type module struct {
	Idx  int    `json:"idx"`
	Name string `json:"name"`
	Path string `json:"path"`
	Type string `json:"type"`
}

// kind is the last part of the type: Transformer, Pooling, Dense, Normalize.
func (m module) kind() string { return m.Type[strings.LastIndexByte(m.Type, '.')+1:] }

// description is the content of a model's configuration files.
type description struct {
	modules     []module
	transformer string // folder of the transformer's files
	config      config
	pooling     pooling
	dense       *dense // nil if the model has none
	densePath   string
	normalize   bool
}

// config is config.json of BERT and related models, with BERT's names.
type config struct {
	ModelType    string  `json:"model_type"`
	Vocabulary   int     `json:"vocab_size"`
	Width        int     `json:"hidden_size"`
	Inner        int     `json:"intermediate_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Activation   string  `json:"hidden_act"`
	Epsilon      float64 `json:"layer_norm_eps"`
	PositionType string  `json:"position_embedding_type"`
	Padding      int     `json:"pad_token_id"`
}

// distilNames are DistilBERT's names of the same fields.
type distilNames struct {
	Width      int    `json:"dim"`
	Inner      int    `json:"hidden_dim"`
	Layers     int    `json:"n_layers"`
	Heads      int    `json:"n_heads"`
	Activation string `json:"activation"`
}

type pooling struct {
	Width     int  `json:"word_embedding_dimension"`
	CLS       bool `json:"pooling_mode_cls_token"`
	Mean      bool `json:"pooling_mode_mean_tokens"`
	Max       bool `json:"pooling_mode_max_tokens"`
	SqrtLen   bool `json:"pooling_mode_mean_sqrt_len_tokens"`
	Weighted  bool `json:"pooling_mode_weightedmean_tokens"`
	LastToken bool `json:"pooling_mode_lasttoken"`
}

type dense struct {
	In         int    `json:"in_features"`
	Out        int    `json:"out_features"`
	Bias       bool   `json:"bias"`
	Activation string `json:"activation_function"`
}

// readJSON reads a file of a model; errors name it.
func readJSON(source fs.FS, name string, into any) error {
	b, err := fs.ReadFile(source, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// describe reads the configuration files of a model. What the graph does not
// support is an error.
func describe(source fs.FS) (*description, error) {
	d := &description{}
	if err := readJSON(source, "modules.json", &d.modules); err != nil {
		return nil, err
	}
	var kinds []string
	for _, m := range d.modules {
		kinds = append(kinds, m.kind())
		dir := path.Clean(m.Path)
		if !fs.ValidPath(dir) {
			return nil, fmt.Errorf("modules.json: want a path inside the model's folder, got %q", m.Path)
		}
		switch m.kind() {
		case "Transformer":
			d.transformer = dir
		case "Pooling":
			if err := d.readPooling(source, path.Join(dir, "config.json")); err != nil {
				return nil, err
			}
		case "Dense":
			d.densePath = dir
			d.dense = &dense{Bias: true, Activation: "torch.nn.modules.activation.Tanh"}
			if err := readJSON(source, path.Join(dir, "config.json"), d.dense); err != nil {
				return nil, err
			}
		case "Normalize":
			d.normalize = true
		}
	}
	switch strings.Join(kinds, " ") {
	case "Transformer Pooling", "Transformer Pooling Normalize", "Transformer Pooling Dense", "Transformer Pooling Dense Normalize":
	default:
		return nil, fmt.Errorf("modules.json: want Transformer, Pooling, and optionally Dense and Normalize, in this order, got %q", kinds)
	}
	name := path.Join(d.transformer, "config.json")
	if err := readJSON(source, name, &d.config); err != nil {
		return nil, err
	}
	if d.config.ModelType == "distilbert" {
		var own distilNames
		if err := readJSON(source, name, &own); err != nil {
			return nil, err
		}
		c := &d.config
		c.Width, c.Inner, c.Layers, c.Heads, c.Activation = own.Width, own.Inner, own.Layers, own.Heads, own.Activation
		c.Epsilon, c.Types = 1e-12, 0
	}
	if err := d.config.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if d.pooling.Width != d.config.Width {
		return nil, fmt.Errorf("pooling: word_embedding_dimension is %d, but hidden_size is %d", d.pooling.Width, d.config.Width)
	}
	if d.dense != nil && d.dense.In != d.config.Width {
		return nil, fmt.Errorf("%s: in_features is %d, but hidden_size is %d", path.Join(d.densePath, "config.json"), d.dense.In, d.config.Width)
	}
	return d, nil
}

func (d *description) readPooling(source fs.FS, name string) error {
	p := &d.pooling
	if err := readJSON(source, name, p); err != nil {
		return err
	}
	if p.SqrtLen || p.Weighted || p.LastToken {
		return fmt.Errorf("%s: unsupported pooling mode: want cls, mean or max", name)
	}
	modes := 0
	for _, on := range []bool{p.CLS, p.Mean, p.Max} {
		if on {
			modes++
		}
	}
	if modes != 1 {
		return fmt.Errorf("%s: want one pooling mode, got %d", name, modes)
	}
	return nil
}

func (c *config) check() error {
	switch c.ModelType {
	case "bert", "distilbert", "roberta", "xlm-roberta", "camembert":
	default:
		return fmt.Errorf("unsupported model_type %q: want bert, distilbert, roberta, xlm-roberta or camembert", c.ModelType)
	}
	if c.PositionType != "" && c.PositionType != "absolute" {
		return fmt.Errorf("unsupported position_embedding_type %q: want absolute", c.PositionType)
	}
	for _, n := range []struct {
		name  string
		value int
	}{
		{"vocab_size", c.Vocabulary}, {"hidden_size", c.Width}, {"intermediate_size", c.Inner},
		{"num_hidden_layers", c.Layers}, {"num_attention_heads", c.Heads}, {"max_position_embeddings", c.Positions},
	} {
		if n.value < 1 || n.value > 1<<24 {
			return fmt.Errorf("%s is %d", n.name, n.value)
		}
	}
	if c.Width%c.Heads != 0 {
		return fmt.Errorf("hidden_size %d is not a multiple of num_attention_heads %d", c.Width, c.Heads)
	}
	if !(c.Epsilon > 0 && c.Epsilon < 1) {
		return fmt.Errorf("layer_norm_eps is %v", c.Epsilon)
	}
	if c.Types < 0 || c.Padding < 0 || c.firstPosition() >= c.Positions {
		return fmt.Errorf("invalid pad_token_id %d or type_vocab_size %d", c.Padding, c.Types)
	}
	switch c.Activation {
	case "gelu", "gelu_new", "relu":
	default:
		return fmt.Errorf("unsupported hidden_act %q: want gelu, gelu_new or relu", c.Activation)
	}
	return nil
}

// firstPosition is the row of the first token in the table of positions:
// RoBERTa and related models skip those up to the padding id.
func (c *config) firstPosition() int {
	switch c.ModelType {
	case "roberta", "xlm-roberta", "camembert":
		return c.Padding + 1
	}
	return 0
}
