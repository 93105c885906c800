package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Axis is a parameter of the search and the values to try.
type Axis struct {
	Name   string // n, B or T
	Values []int
}

// searched says which axes a method has. The others do not search.
var searched = map[string]string{"mean": "nBT", "position": "nBT", "bs": "nB", "bs+gs": "nBT", "oracle": "nBT"}

// ParseAxis reads "n=1,3,5".
func ParseAxis(s string) (Axis, error) {
	name, list, ok := strings.Cut(s, "=")
	if !ok || (name != "n" && name != "B" && name != "T") {
		return Axis{}, fmt.Errorf("%w: grid %q: want n=…, B=… or T=… with numbers like n=1,3,5", ErrOptions, s)
	}
	a := Axis{Name: name}
	for v := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil || n < 1 {
			return Axis{}, fmt.Errorf("%w: grid %s: %q: want a number from 1", ErrOptions, name, v)
		}
		if slices.Contains(a.Values, n) {
			return Axis{}, fmt.Errorf("%w: grid %s: %d is there twice", ErrOptions, name, n)
		}
		a.Values = append(a.Values, n)
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
			if !strings.Contains(searched[m.Options.Method], a.Name) {
				continue
			}
			var longer []Method
			for _, l := range list {
				for _, v := range a.Values {
					with := l
					with.Name = fmt.Sprintf("%s %s=%d", l.Name, a.Name, v)
					switch a.Name {
					case "n":
						with.Options.N = v
					case "B":
						with.Options.BeamWidth = v
					case "T":
						with.Options.Candidates = v
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
