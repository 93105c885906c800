package encoder

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// poolMode is a method of pooling token vectors.
type poolMode int

// In the order in which sentence-transformers concatenates them.
const (
	poolCLS poolMode = iota
	poolMax
	poolMean
)

// pooling combines the token vectors into one vector.
type pooling struct {
	file           string
	modes          []poolMode // at least one
	width          int        // of a token's vector; 0: unknown
	excludesPrompt bool
}

// readPooling reads the configuration of a Pooling module.
func (f *folder) readPooling(name string) (*pooling, error) {
	var c map[string]any
	ok, err := f.read(name, &c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, f.wrap(name, errNotThere)
	}
	p := &pooling{file: name}
	for _, key := range []string{"word_embedding_dimension", "embedding_dimension"} {
		if v, ok := c[key]; ok && v != nil {
			n, isNumber := v.(float64)
			if !isNumber || n < 1 || n > 1<<20 || n != math.Trunc(n) {
				return nil, f.bad(name, "%s: want a number of dimensions, got %v", key, v)
			}
			p.width = int(n)
		}
	}
	if v, ok := c["include_prompt"].(bool); ok {
		p.excludesPrompt = !v
	}
	set := map[string]bool{}
	for key, v := range c {
		if mode, isMode := strings.CutPrefix(key, "pooling_mode_"); isMode && v == true {
			set[mode] = true
		}
	}
	// Newer versions write one member with names such as "mean" or "cls+mean".
	switch v := c["pooling_mode"].(type) {
	case string:
		for mode := range strings.SplitSeq(v, "+") {
			set[mode] = true
		}
	case []any:
		for _, mode := range v {
			set[fmt.Sprint(mode)] = true
		}
	}
	for _, known := range []struct {
		mode  poolMode
		names [2]string
	}{{poolCLS, [2]string{"cls_token", "cls"}}, {poolMax, [2]string{"max_tokens", "max"}}, {poolMean, [2]string{"mean_tokens", "mean"}}} {
		if set[known.names[0]] || set[known.names[1]] {
			p.modes = append(p.modes, known.mode)
			delete(set, known.names[0])
			delete(set, known.names[1])
		}
	}
	for mode := range set {
		return nil, f.bad(name, "pooling mode: want cls_token, max_tokens or mean_tokens, got %q", mode)
	}
	if len(p.modes) == 0 {
		return nil, f.bad(name, "pooling mode: none set")
	}
	return p, nil
}

// pool computes the vector of one text. hidden is tokens × width, of which the
// first n tokens belong to the text; dst has width numbers per mode. Without
// tokens it is all zeros.
func (p *pooling) pool(dst, hidden []float32, n, width int) {
	clear(dst)
	if n == 0 {
		return
	}
	for i, mode := range p.modes {
		to := dst[i*width : (i+1)*width]
		switch mode {
		case poolCLS:
			copy(to, hidden[:width])
		case poolMax:
			copy(to, hidden[:width])
			for t := 1; t < n; t++ {
				for d, v := range hidden[t*width : (t+1)*width] {
					// Also true for NaN, which must propagate.
					if !(v <= to[d]) {
						to[d] = v
					}
				}
			}
		case poolMean:
			for t := range n {
				for d, v := range hidden[t*width : (t+1)*width] {
					to[d] += v
				}
			}
			for d := range to {
				to[d] /= float32(n)
			}
		}
	}
}

// step is a module after the pooling.
type step interface {
	// check refuses input vectors of an unsupported width, and returns the width of
	// the output.
	check(width int) (int, error)
	// apply returns the vector after the step; it may change v.
	apply(v []float32) []float32
}

// normalize scales vectors to unit length; zeros stay zeros.
type normalize struct{}

func (normalize) check(width int) (int, error) { return width, nil }

func (normalize) apply(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return v
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return v
}

// dense is a layer, activation(weight·v + bias).
type dense struct {
	file       string
	in, out    int
	weight     []float32 // out × in, row-major
	bias       []float32 // out; nil: none
	activation func(float64) float64
}

// activations by the last part of their class name.
var activations = map[string]func(float64) float64{
	"Identity": func(x float64) float64 { return x },
	"Tanh":     math.Tanh,
	"ReLU":     func(x float64) float64 { return max(x, 0) },
	"Sigmoid":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
}

// readDense reads the configuration and the weights of a Dense module.
func (f *folder) readDense(dir string) (*dense, error) {
	name := path.Join(dir, "config.json")
	var c struct {
		In         int     `json:"in_features"`
		Out        int     `json:"out_features"`
		Bias       *bool   `json:"bias"`
		Activation *string `json:"activation_function"`
	}
	ok, err := f.read(name, &c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, f.wrap(name, errNotThere)
	}
	const most = 1 << 16
	if c.In < 1 || c.In > most || c.Out < 1 || c.Out > most {
		return nil, f.bad(name, "in_features %d, out_features %d: want 1 to %d", c.In, c.Out, most)
	}
	d := &dense{file: f.path(name), in: c.In, out: c.Out, activation: math.Tanh} // the module's default
	if c.Activation != nil {
		class := (*c.Activation)[strings.LastIndexByte(*c.Activation, '.')+1:]
		if d.activation = activations[class]; d.activation == nil {
			return nil, f.bad(name, "activation_function: want Identity, Tanh, ReLU or Sigmoid, got %q", *c.Activation)
		}
	}
	file := path.Join(dir, "model.safetensors")
	tensors, err := f.readSafetensors(file)
	if err != nil {
		return nil, err
	}
	take := func(name string, shape ...int) ([]float32, error) {
		t, ok := tensors[name]
		if !ok {
			return nil, f.bad(file, "no tensor %q", name)
		}
		if fmt.Sprint(t.Shape) != fmt.Sprint(shape) {
			return nil, f.bad(file, "tensor %q: want the shape %v of config.json, got %v", name, shape, t.Shape)
		}
		return t.Data, nil
	}
	if d.weight, err = take("linear.weight", d.out, d.in); err != nil {
		return nil, err
	}
	if c.Bias == nil || *c.Bias {
		if d.bias, err = take("linear.bias", d.out); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *dense) check(width int) (int, error) {
	if width != d.in {
		return 0, fmt.Errorf("%s: %w: in_features is %d, but its input has %d dimensions", d.file, ErrFolder, d.in, width)
	}
	return d.out, nil
}

func (d *dense) apply(v []float32) []float32 {
	out := make([]float32, d.out)
	for o := range out {
		sum := 0.0
		for i, w := range d.weight[o*d.in : (o+1)*d.in] {
			sum += float64(w) * float64(v[i])
		}
		if d.bias != nil {
			sum += float64(d.bias[o])
		}
		out[o] = float32(d.activation(sum))
	}
	return out
}
