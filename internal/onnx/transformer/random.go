package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing/fstest"
)

// randomBERT describes a BERT of the given size whose tokens are letters.
func randomBERT(layers, width int) *description {
	heads := 1
	for width/heads > 32 && width%(2*heads) == 0 {
		heads *= 2
	}
	return &description{
		modules: []module{
			{0, "0", "", "sentence_transformers.models.Transformer"},
			{1, "1", "1_Pooling", "sentence_transformers.models.Pooling"},
			{2, "2", "2_Normalize", "sentence_transformers.models.Normalize"},
		},
		transformer: ".",
		config: config{
			ModelType: "bert", Vocabulary: len(letters()), Width: width, Inner: 4 * width, Layers: layers, Heads: heads,
			Positions: 128, Types: 2, Activation: "gelu", Epsilon: 1e-12, PositionType: "absolute",
		},
		pooling:   pooling{Width: width, Mean: true},
		normalize: true,
	}
}

// letters is a vocabulary of word pieces of one character, enough for any text
// in Latin letters.
func letters() []string {
	v := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
	for c := '!'; c <= '~'; c++ {
		if c >= 'A' && c <= 'Z' { // the tokenizer lower-cases them
			continue
		}
		v = append(v, string(c))
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
			v = append(v, "##"+string(c))
		}
	}
	return v
}

// tokenizer returns the tokenizer.json of the letters.
func tokenizer() ([]byte, error) {
	type object = map[string]any
	vocabulary := object{}
	for id, token := range letters() {
		vocabulary[token] = id
	}
	var added []object
	for id, token := range letters()[:4] {
		added = append(added, object{"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	sequence := func(id string) object { return object{"Sequence": object{"id": id, "type_id": 0}} }
	special := func(id string) object { return object{"SpecialToken": object{"id": id, "type_id": 0}} }
	named := func(token string, id int) object {
		return object{"id": token, "ids": []int{id}, "tokens": []string{token}}
	}
	return json.MarshalIndent(object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":    object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"post_processor": object{
			"type":           "TemplateProcessing",
			"single":         []object{special("[CLS]"), sequence("A"), special("[SEP]")},
			"pair":           []object{special("[CLS]"), sequence("A"), special("[SEP]"), sequence("B"), special("[SEP]")},
			"special_tokens": object{"[CLS]": named("[CLS]", 2), "[SEP]": named("[SEP]", 3)},
		},
		"decoder": object{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": object{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary,
		},
	}, "", " ")
}

// randomModel creates a sentence-transformers folder for a description, with
// normally distributed weights. The result is deterministic in the seed.
func randomModel(d *description, seed uint64) (fs.FS, error) {
	folder := fstest.MapFS{}
	add := func(name string, v any) error {
		b, err := json.MarshalIndent(v, "", "  ")
		folder[name] = &fstest.MapFile{Data: b}
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	tensors := map[string]matrix{}
	d.config.shapes(func(name string, centre, spread float64, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		m := matrix{shape, make([]float32, n)}
		for i := range m.values {
			m.values[i] = float32(centre + spread*r.NormFloat64())
		}
		tensors[name] = m
	})
	var weights, projection bytes.Buffer
	if err := encodeSafetensors(&weights, tensors); err != nil {
		return nil, err
	}
	folder[weightsName] = &fstest.MapFile{Data: weights.Bytes()}
	tokens, err := tokenizer()
	if err != nil {
		return nil, err
	}
	folder["tokenizer.json"] = &fstest.MapFile{Data: tokens}
	for name, v := range map[string]any{
		"config.json":               d.config.file(),
		"modules.json":              d.modules,
		"1_Pooling/config.json":     d.pooling,
		"sentence_bert_config.json": map[string]any{"max_seq_length": d.config.Positions - d.config.firstPosition(), "do_lower_case": false},
	} {
		if err := add(name, v); err != nil {
			return nil, err
		}
	}
	if d.dense != nil {
		if err := add(d.densePath+"/config.json", d.dense); err != nil {
			return nil, err
		}
		weight, bias := make([]float32, d.dense.Out*d.dense.In), make([]float32, d.dense.Out)
		for i := range weight {
			weight[i] = float32(r.NormFloat64() / math.Sqrt(float64(d.dense.In)))
		}
		for i := range bias {
			bias[i] = float32(r.NormFloat64() / 10)
		}
		if err := encodeSafetensors(&projection, map[string]matrix{
			"linear.weight": {[]int{d.dense.Out, d.dense.In}, weight}, "linear.bias": {[]int{d.dense.Out}, bias},
		}); err != nil {
			return nil, err
		}
		folder[d.densePath+"/"+weightsName] = &fstest.MapFile{Data: projection.Bytes()}
	}
	return folder, nil
}

// file is the content of config.json: DistilBERT has names of its own.
func (c config) file() map[string]any {
	if c.ModelType == "distilbert" {
		return map[string]any{
			"model_type": c.ModelType, "vocab_size": c.Vocabulary, "dim": c.Width, "hidden_dim": c.Inner, "n_layers": c.Layers,
			"n_heads": c.Heads, "max_position_embeddings": c.Positions, "activation": c.Activation, "pad_token_id": c.Padding,
		}
	}
	return map[string]any{
		"model_type": c.ModelType, "vocab_size": c.Vocabulary, "hidden_size": c.Width, "intermediate_size": c.Inner,
		"num_hidden_layers": c.Layers, "num_attention_heads": c.Heads, "max_position_embeddings": c.Positions,
		"type_vocab_size": c.Types, "hidden_act": c.Activation, "layer_norm_eps": c.Epsilon,
		"position_embedding_type": "absolute", "pad_token_id": c.Padding,
	}
}

// shapes returns the name and shape of every tensor, with a mean and standard
// deviation that keep the values of a random model in the range of a trained
// one.
func (c config) shapes(tensor func(name string, centre, spread float64, shape ...int)) {
	linear := func(name string, out, in int) {
		tensor(name+".weight", 0, 1/math.Sqrt(float64(in)), out, in)
		tensor(name+".bias", 0, 0.1, out)
	}
	norm := func(name string) {
		tensor(name+".weight", 1, 0.1, c.Width)
		tensor(name+".bias", 0, 0.1, c.Width)
	}
	tensor(wordsName, 0, 1, c.Vocabulary, c.Width)
	tensor("embeddings.position_embeddings.weight", 0, 0.3, c.Positions, c.Width)
	if c.Types > 0 {
		tensor("embeddings.token_type_embeddings.weight", 0, 0.3, c.Types, c.Width)
	}
	norm("embeddings.LayerNorm")
	n := c.names()
	for i := range c.Layers {
		at := fmt.Sprintf(n.layer, i)
		for _, name := range []string{n.query, n.key, n.value, n.output} {
			linear(at+name, c.Width, c.Width)
		}
		norm(at + n.attentionNorm)
		linear(at+n.inner, c.Inner, c.Width)
		linear(at+n.outer, c.Width, c.Inner)
		norm(at + n.outputNorm)
	}
}
