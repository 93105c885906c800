package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// Axis is a parameter of the search and the values to try.
type Axis struct {
	Name   string // n, B, T or W
	Values []float64
}

// searched says which axes a method has, besides W, which all have that look
// at embeddings. The others do not search.
var searched = map[string]string{"mean": "nBT", "hybrid": "nBT", "position": "nBT", "bs": "nB", "bs+gs": "nBT", "oracle": "nBT"}

// has says whether a method has an axis.
func has(method, axis string) bool {
	if axis == "W" {
		return embeddingUse(method) != core.EmbeddingsNone
	}
	return strings.Contains(searched[method], axis)
}

// ParseAxis reads "n=1,3,5", or "W=0,0.3,1": dense weights.
func ParseAxis(s string) (Axis, error) {
	name, list, ok := strings.Cut(s, "=")
	if !ok || !slices.Contains([]string{"n", "B", "T", "W"}, name) {
		return Axis{}, fmt.Errorf("%w: grid %q: want n=…, B=… or T=… with numbers like n=1,3,5, or W=… with weights like W=0,0.3", ErrOptions, s)
	}
	a := Axis{Name: name}
	for v := range strings.SplitSeq(list, ",") {
		v = strings.TrimSpace(v)
		x, err := strconv.ParseFloat(v, 64)
		if name == "W" {
			if err != nil || !(x >= 0 && x <= 1) {
				return Axis{}, fmt.Errorf("%w: grid %s: %q: want a weight from 0 to 1", ErrOptions, name, v)
			}
		} else {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return Axis{}, fmt.Errorf("%w: grid %s: %q: want a number from 1", ErrOptions, name, v)
			}
			x = float64(n)
		}
		if slices.Contains(a.Values, x) {
			return Axis{}, fmt.Errorf("%w: grid %s: %v is there twice", ErrOptions, name, x)
		}
		a.Values = append(a.Values, x)
	}
	return a, nil
}

// Grid makes a method of each combination of values, the last axis fastest. A
// method that does not have an axis (bs has no T) is not repeated along it;
// one that has none of them is refused.
func Grid(methods []Method, axes []Axis) ([]Method, error) {
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return a.Name == b.Name }) {
			return nil, fmt.Errorf("%w: grid %s is there twice", ErrOptions, a.Name)
		}
	}
	var out []Method
	for _, m := range methods {
		list := []Method{m}
		for _, a := range axes {
			if !has(m.Options.Method, a.Name) {
				continue
			}
			var longer []Method
			for _, l := range list {
				for _, v := range a.Values {
					with := l
					with.Name = fmt.Sprintf("%s %s=%v", l.Name, a.Name, v)
					switch a.Name {
					case "n":
						with.Options.N = int(v)
					case "B":
						with.Options.BeamWidth = int(v)
					case "T":
						with.Options.Patience = int(v)
					case "W":
						with.Options.DenseWeight = &v
					}
					longer = append(longer, with)
				}
			}
			list = longer
		}
		if len(axes) > 0 && len(list) == 1 && list[0].Name == m.Name {
			return nil, fmt.Errorf("%w: grid: method %s has none of these parameters", ErrOptions, m.Name)
		}
		out = append(out, list...)
	}
	return out, nil
}
