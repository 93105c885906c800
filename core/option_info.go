package core

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
)

// OptionInfo declares one option of a summary.
type OptionInfo struct {
	// Name is the option's name in JSON and JavaScript: "queryWeight". Its flag
	// is --query-weight; Short is the one-letter flag, or empty.
	Name, Short string
	// Help is one sentence for people, without a full stop.
	Help string
	// Min and Max bound a number.
	Min, Max float64
	// Default in the syntax of a flag; empty: none, or it depends on the
	// method.
	Default string
	// Values of a choice; those of "method" are the names of [Methods].
	Values []string
	// Requires names an option that must be set too.
	Requires string
	// NoFlag is the reason why there is no flag; empty: there is one.
	NoFlag string

	// Field returns a pointer to the option's field in Options.
	Field func(*Options) any
	// usedBy says whether a method uses the option; nil: all do.
	usedBy func(*method) bool
}

// OptionList lists the options of a summary, "method" first.
func OptionList() []OptionInfo {
	list := slices.Clone(declared)
	for k := range list {
		list[k].Values = slices.Clone(list[k].Values)
	}
	return list
}

// UsedBy reports whether a method uses the option; an empty name means "auto".
func (i *OptionInfo) UsedBy(method string) bool {
	m, err := lookUpMethod(method)
	return err == nil && (i.usedBy == nil || i.usedBy(m))
}

// Decode sets the option from a tree: a string, a bool, a float64, a map, a
// []float32 or, from JSON, a []any of numbers or strings. Nil leaves the option unset.
func (i *OptionInfo) Decode(o *Options, v any) (err error) {
	if v == nil {
		return nil
	}
	switch to := i.Field(o).(type) {
	case *string:
		s, ok := v.(string)
		if !ok {
			return typeError(i.Name, "a string", v)
		}
		*to = s
	case *bool:
		b, ok := v.(bool)
		if !ok {
			return typeError(i.Name, "a boolean", v)
		}
		*to = b
	case *int:
		*to, err = wholeNumber(i.Name, v, i.Min, i.Max)
	case **float64:
		f, ok := v.(float64)
		if !ok {
			return typeError(i.Name, "a number", v)
		}
		*to = &f
	case *Budget:
		*to, err = decodeBudget(v)
	case *[]string:
		*to, err = decodeTags(i.Name, v)
	case *[]float32:
		*to, err = Floats(i.Name, v)
	case **centroid.Weights[float32]:
		*to, err = decodeWeights(i.Name, v)
	}
	if err != nil {
		return err
	}
	return i.check(o, true)
}

// check refuses a value out of range; given says that the option was set, so
// that an explicit 0 or "" is refused where it is out of range.
func (i *OptionInfo) check(o *Options, given bool) error {
	switch v := i.Field(o).(type) {
	case *string:
		if i.Values != nil && (given || *v != "") && !slices.Contains(i.Values, *v) {
			return optionError(i.Name, "want %s, got %q", OneOf(i.Values), *v)
		}
	case *int:
		if (given || *v != 0) && !(float64(*v) >= i.Min && float64(*v) <= i.Max) {
			return optionError(i.Name, "want a whole number from %d to %d, got %d", int(i.Min), int(i.Max), *v)
		}
	case **float64:
		if *v != nil && !(**v >= i.Min && **v <= i.Max) {
			return optionError(i.Name, "want a number from %v to %v, got %v", i.Min, i.Max, **v)
		}
	case *[]string:
		_, err := languageCodes(i.Name, *v)
		return err
	case *Budget:
		if given || *v != (Budget{}) {
			return v.check()
		}
	}
	return nil
}

// isSet says whether the option differs from the zero value.
func (i *OptionInfo) isSet(o *Options) bool {
	switch v := i.Field(o).(type) {
	case *string:
		return *v != ""
	case *bool:
		return *v
	case *int:
		return *v != 0
	case **float64:
		return *v != nil
	case *Budget:
		return *v != (Budget{})
	case *[]string:
		return len(*v) > 0
	case *[]float32:
		return *v != nil
	case **centroid.Weights[float32]:
		return *v != nil
	}
	return false
}

// Check refuses, by name, values out of range, options that the method does not
// use, and options without those that they require. [Session.Summarize] checks
// what depends on the documents, such as the dimensions of embeddings.
func (o *Options) Check() error {
	m, err := lookUpMethod(o.Method)
	if err != nil {
		return err
	}
	for _, i := range OptionList() {
		if err := i.check(o, false); err != nil {
			return err
		}
		switch {
		case !i.isSet(o):
		case !i.UsedBy(m.Name):
			return optionError(i.Name, "not supported by method %s", m.Name)
		case i.Requires != "" && !isSet(o, i.Requires):
			return optionError(i.Name, "requires %s", i.Requires)
		}
	}
	if m == &oracle && len(o.References) == 0 {
		return optionError("method", "oracle requires references")
	}
	return o.checkExperts()
}

// isSet says whether the named option is set.
func isSet(o *Options, name string) bool {
	for _, i := range declared {
		if i.Name == name {
			return i.isSet(o)
		}
	}
	panic("core: no option " + name)
}

// DecodeOptions reads options from a tree: a map of names to values for
// [OptionInfo.Decode]. Unknown names are errors. [Options.Check] checks what
// depends on several options.
func DecodeOptions(tree map[string]any) (Options, error) {
	var o Options
	for _, name := range sortedKeys(tree) {
		if !isDeclared(name) {
			return o, optionError(name, "unknown option")
		}
	}
	for k := range declared {
		if err := declared[k].Decode(&o, tree[declared[k].Name]); err != nil {
			return o, err
		}
	}
	return o, nil
}

func isDeclared(name string) bool {
	return slices.ContainsFunc(declared, func(i OptionInfo) bool { return i.Name == name })
}

// decodeWeights reads {dimensions, positions, interpolation, data}.
func decodeWeights(name string, v any) (*centroid.Weights[float32], error) {
	o, ok := v.(map[string]any)
	if !ok {
		return nil, typeError(name, "an object", v)
	}
	for _, field := range sortedKeys(o) {
		if !slices.Contains([]string{"dimensions", "positions", "interpolation", "data"}, field) {
			return nil, optionError(name+"."+field, "unknown field: want dimensions, positions, interpolation or data")
		}
	}
	interpolation, ok := o["interpolation"].(bool)
	if !ok {
		return nil, typeError(name+".interpolation", "a boolean", o["interpolation"])
	}
	data, err := Floats(name+".data", o["data"])
	if err != nil {
		return nil, err
	}
	dimensions, err := wholeNumber(name+".dimensions", o["dimensions"], 1, maxDimensions)
	if err != nil {
		return nil, err
	}
	positions, err := wholeNumber(name+".positions", o["positions"], 1, maxDimensions)
	if err != nil {
		return nil, err
	}
	w, err := centroid.ViewWeights(dimensions, positions, interpolation, data)
	if err != nil {
		return nil, optionError(name, "%s", err.Error())
	}
	return w, nil
}

// decodeTags reads an array of strings.
func decodeTags(name string, v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, typeError(name, "an array of language tags", v)
	}
	tags := make([]string, len(list))
	for k, tag := range list {
		if tags[k], ok = tag.(string); !ok {
			return nil, typeError(indexed(name, k), "a string", tag)
		}
	}
	return tags, nil
}

// Floats converts a []float32 or a []any of numbers. Its errors are about the option
// with that name.
func Floats(name string, v any) ([]float32, error) {
	switch v := v.(type) {
	case []float32:
		return v, nil
	case []any:
		list := make([]float32, len(v))
		for k, x := range v {
			f, ok := x.(float64)
			if !ok {
				return nil, typeError(name+"["+strconv.Itoa(k)+"]", "a number", x)
			}
			list[k] = float32(f)
		}
		return list, nil
	}
	return nil, typeError(name, "an array of numbers (in JavaScript a Float32Array)", v)
}

// wholeNumber reads a whole number in a range.
func wholeNumber(name string, v any, least, most float64) (int, error) {
	f, ok := v.(float64)
	if !ok {
		return 0, typeError(name, "a whole number", v)
	}
	if f != math.Trunc(f) {
		return 0, shapeError(name, "want a whole number from %d to %d, got %s", int(least), int(most), formatNumber(f))
	}
	if f < least || f > most {
		return 0, optionError(name, "want a whole number from %d to %d, got %s", int(least), int(most), formatNumber(f))
	}
	return int(f), nil
}

// formatNumber writes whole numbers out: 2000000000, not 2e+09.
func formatNumber(f float64) string {
	if math.Abs(f) < 1<<53 && f == math.Trunc(f) {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// TypeName names the JavaScript type of a decoded value, for error messages.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	case []float32:
		return "a Float32Array"
	case []byte:
		return "a Uint8Array"
	case map[string]any:
		return "an object"
	}
	return "a value of an unknown type"
}

// OneOf lists names in prose: "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func sortedKeys[V any](o map[string]V) []string {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
