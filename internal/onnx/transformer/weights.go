package main

import (
	"fmt"
	"math"
	"strings"
)

// weights are the weights of an encoder by function. Matrices are out×in, as in
// the file.
type weights struct {
	words     matrix // vocabulary×width
	positions matrix // positions×width
	types     matrix // types×width; empty if the model has none
	norm      layerNorm
	layers    []layer
}

type linear struct{ weight, bias matrix }

type layerNorm struct{ scale, shift matrix }

type layer struct {
	query, key, value, output linear
	attentionNorm             layerNorm
	inner, outer              linear
	outputNorm                layerNorm
}

// layerNames are the names of the tensors of a layer, which differ between
// model families.
type layerNames struct {
	layer                                    string // with one %d
	query, key, value, output, attentionNorm string
	inner, outer, outputNorm                 string
}

var bertNames = layerNames{
	layer: "encoder.layer.%d.",
	query: "attention.self.query", key: "attention.self.key", value: "attention.self.value",
	output: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
	inner: "intermediate.dense", outer: "output.dense", outputNorm: "output.LayerNorm",
}

var distilBERTNames = layerNames{
	layer: "transformer.layer.%d.",
	query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin",
	output: "attention.out_lin", attentionNorm: "sa_layer_norm",
	inner: "ffn.lin1", outer: "ffn.lin2", outputNorm: "output_layer_norm",
}

func (c *config) names() layerNames {
	if c.ModelType == "distilbert" {
		return distilBERTNames
	}
	return bertNames
}

// picker looks up tensors by name and keeps the first error: a missing tensor
// or a wrong shape.
type picker struct {
	tensors map[string]matrix
	prefix  string
	err     error
}

func (p *picker) take(name string, shape ...int) matrix {
	if p.err != nil {
		return matrix{}
	}
	m, ok := p.tensors[p.prefix+name]
	if !ok {
		p.err = fmt.Errorf("no tensor %q", p.prefix+name)
		return m
	}
	if fmt.Sprint(m.shape) != fmt.Sprint(shape) {
		p.err = fmt.Errorf("tensor %q has shape %v, but config.json requires %v", p.prefix+name, m.shape, shape)
		return m
	}
	for _, v := range m.values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			p.err = fmt.Errorf("tensor %q contains %v", p.prefix+name, v)
			return m
		}
	}
	return m
}

func (p *picker) linear(name string, out, in int) linear {
	return linear{p.take(name+".weight", out, in), p.take(name+".bias", out)}
}

func (p *picker) layerNorm(name string, width int) layerNorm {
	// Files converted from old checkpoints have gamma and beta.
	if _, old := p.tensors[p.prefix+name+".gamma"]; old {
		return layerNorm{p.take(name+".gamma", width), p.take(name+".beta", width)}
	}
	return layerNorm{p.take(name+".weight", width), p.take(name+".bias", width)}
}

const wordsName = "embeddings.word_embeddings.weight"

// pickWeights finds the encoder's weights among the tensors of a file. Some
// files prefix each name with the model family ("bert.embeddings…").
func pickWeights(tensors map[string]matrix, c *config) (*weights, error) {
	p := &picker{tensors: tensors}
	if _, ok := tensors[wordsName]; !ok {
		for _, family := range []string{"bert.", "distilbert.", "roberta.", "model."} {
			if _, ok := tensors[family+wordsName]; ok {
				p.prefix = family
			}
		}
	}
	w := &weights{
		words:     p.take(wordsName, c.Vocabulary, c.Width),
		positions: p.take("embeddings.position_embeddings.weight", c.Positions, c.Width),
		norm:      p.layerNorm("embeddings.LayerNorm", c.Width),
	}
	if c.Types > 0 {
		w.types = p.take("embeddings.token_type_embeddings.weight", c.Types, c.Width)
	}
	n := c.names()
	for i := range c.Layers {
		at := strings.Replace(n.layer, "%d", fmt.Sprint(i), 1)
		w.layers = append(w.layers, layer{
			query:         p.linear(at+n.query, c.Width, c.Width),
			key:           p.linear(at+n.key, c.Width, c.Width),
			value:         p.linear(at+n.value, c.Width, c.Width),
			output:        p.linear(at+n.output, c.Width, c.Width),
			attentionNorm: p.layerNorm(at+n.attentionNorm, c.Width),
			inner:         p.linear(at+n.inner, c.Inner, c.Width),
			outer:         p.linear(at+n.outer, c.Width, c.Inner),
			outputNorm:    p.layerNorm(at+n.outputNorm, c.Width),
		})
	}
	return w, p.err
}

// pickDense finds the weights of a Dense module.
func pickDense(tensors map[string]matrix, d *dense) (linear, error) {
	p := &picker{tensors: tensors}
	l := linear{weight: p.take("linear.weight", d.Out, d.In)}
	if d.Bias {
		l.bias = p.take("linear.bias", d.Out)
	}
	return l, p.err
}
