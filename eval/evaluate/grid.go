package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// Axis is a search parameter and the values to try.
type Axis struct {
	Name   string // n, B, T or W
	Values []float64
}

// searched lists the axes of each search method. W, in addition, applies to all
// methods that use embeddings.
var searched = map[string]string{"mean": "nBT", "hybrid": "nBT", "position": "nBT", "bs": "nB", "bs+gs": "nBT", "oracle": "nBT"}

// has reports whether a method has an axis.
func has(method, axis string) bool {
	if axis == "W" {
		return embeddingUse(method) != core.EmbeddingsNone
	}
	return strings.Contains(searched[method], axis)
}

// ParseAxis parses "n=1,3,5", or dense weights as in "W=0,0.3,1".
func ParseAxis(s string) (Axis, error) {
	name, list, ok := strings.Cut(s, "=")
	if !ok || !slices.Contains([]string{"n", "B", "T", "W"}, name) {
		return Axis{}, fmt.Errorf("%w: grid: want numbers like n=1,3,5 for n, B or T, or weights like W=0,0.3, got %q", ErrOptions, s)
	}
	a := Axis{Name: name}
	for v := range strings.SplitSeq(list, ",") {
		v = strings.TrimSpace(v)
		x, err := strconv.ParseFloat(v, 64)
		if name == "W" {
			if err != nil || !(x >= 0 && x <= 1) {
				return Axis{}, fmt.Errorf("%w: grid %s: want a weight from 0 to 1, got %q", ErrOptions, name, v)
			}
		} else {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return Axis{}, fmt.Errorf("%w: grid %s: want at least 1, got %q", ErrOptions, name, v)
			}
			x = float64(n)
		}
		if slices.Contains(a.Values, x) {
			return Axis{}, fmt.Errorf("%w: grid %s: duplicate value %v", ErrOptions, name, x)
		}
		a.Values = append(a.Values, x)
	}
	return a, nil
}

// Grid returns a method for each combination of values, the last axis fastest. A
// method without some axis (bs has no T) is not repeated along it; one without any
// of them is an error.
func Grid(methods []Method, axes []Axis) ([]Method, error) {
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return a.Name == b.Name }) {
			return nil, fmt.Errorf("%w: grid: duplicate axis %s", ErrOptions, a.Name)
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
