package options

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
)

// sample is a valid value of an option, as a flag and as a bridge message.
type sample struct {
	flag string
	tree any
	want any // of the field
}

func samples(t *testing.T, i *Info) []sample {
	t.Helper()
	number := func(f float64) *float64 { return &f }
	switch i.Kind() {
	case Text:
		return []sample{{"x y", "x y", "x y"}}
	case Choice:
		var list []sample
		for _, v := range i.Values {
			list = append(list, sample{v, v, v})
		}
		return list
	case Boolean:
		return []sample{{"true", true, true}, {"1", true, true}}
	case Integer:
		return []sample{{"1", 1.0, 1}, {"17", 17.0, 17}, {"1000000000", 1e9, 1_000_000_000}}
	case Number:
		return []sample{{"0", 0.0, number(0)}, {"0.25", 0.25, number(0.25)}, {"1", 1.0, number(1)}}
	case Budget:
		return []sample{
			{"100", map[string]any{"words": 100.0}, core.Budget{Amount: 100, Unit: core.Words}}, {"5s", map[string]any{"sentences": 5.0}, core.Budget{Amount: 5, Unit: core.Sentences}},
			{"600c", map[string]any{"characters": 600.0}, core.Budget{Amount: 600, Unit: core.Characters}}, {"230p", map[string]any{"paperWords": 230.0}, core.Budget{Amount: 230, Unit: core.PaperWords}},
			{"1000000000", map[string]any{"words": 1e9}, core.Budget{Amount: 1_000_000_000, Unit: core.Words}},
		}
	case Tags:
		return []sample{{"pt-BR", []any{"pt-BR"}, []string{"pt-BR"}}, {"en, de,und", []any{"en", "de", "und"}, []string{"en", "de", "und"}}}
	case Vector:
		return []sample{{"", []float32{1, -0.5}, []float32{1, -0.5}}, {"", []any{1.0, -0.5}, []float32{1, -0.5}}}
	case Weights:
		w := centroid.NewWeights[float32](2, 3, true)
		w.Data[1] = 0.5
		return []sample{{"", map[string]any{"dimensions": 2.0, "positions": 3.0, "interpolation": true, "data": w.Data}, w}}
	}
	t.Fatalf("%s: no samples of kind %s", i.Name, i.Kind())
	return nil
}

// valueOf returns the value of the option's field.
func valueOf(i *Info, o *core.Options) any { return reflect.ValueOf(i.Field(o)).Elem().Interface() }

func TestEveryOptionIsReadAsFlagAndAsTree(t *testing.T) {
	for _, i := range List() {
		for _, s := range samples(t, &i) {
			var parsed, decoded core.Options
			err := i.Parse(&parsed, s.flag)
			if i.NoFlag == "" {
				if err != nil || !reflect.DeepEqual(valueOf(&i, &parsed), s.want) {
					t.Errorf("%s %q: %v, %v", i.Name, s.flag, valueOf(&i, &parsed), err)
				}
			} else if !errors.Is(err, core.ErrOption) {
				t.Errorf("%s, no flag, was read from one: %v", i.Name, err)
			}
			if err := i.Decode(&decoded, s.tree); err != nil || !reflect.DeepEqual(valueOf(&i, &decoded), s.want) {
				t.Errorf("%s %v: %v, %v", i.Name, s.tree, valueOf(&i, &decoded), err)
			}
			all, err := core.DecodeOptions(map[string]any{i.Name: s.tree})
			if err != nil || !reflect.DeepEqual(all, decoded) {
				t.Errorf("%s %v among all: %+v, %v", i.Name, s.tree, all, err)
			}
			// Through JSON, as a server reads it.
			var tree any
			raw, err := json.Marshal(s.tree)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &tree); err != nil {
				t.Fatal(err)
			}
			var again core.Options
			if err := i.Decode(&again, tree); err != nil || !reflect.DeepEqual(valueOf(&i, &again), s.want) {
				t.Errorf("%s %s: %v, %v", i.Name, raw, valueOf(&i, &again), err)
			}
			// Only this option was set, and decoding null keeps its value.
			for _, other := range List() {
				if set := !reflect.ValueOf(other.Field(&decoded)).Elem().IsZero(); set != (other.Name == i.Name) {
					t.Errorf("%s sets %s", i.Name, other.Name)
				}
			}
			if err := i.Decode(&decoded, nil); err != nil || !reflect.DeepEqual(valueOf(&i, &decoded), s.want) {
				t.Errorf("%s null: %v, %v", i.Name, valueOf(&i, &decoded), err)
			}
		}
	}
}

// TestDeclarations: the declarations of options are true.
func TestDeclarations(t *testing.T) {
	methods := slices.Clone(unlisted)
	for _, m := range core.Methods() {
		methods = append(methods, m.Name)
	}
	letters := map[string]bool{}
	list := List()
	if got := list[0].Values; !slices.Equal(append(slices.Clone(unlisted), got...), methods) {
		t.Errorf("methods %q", got)
	}
	for _, i := range list {
		for _, m := range i.Methods {
			if !slices.Contains(methods, m) {
				t.Errorf("%s: there is no method %q", i.Name, m)
			}
		}
		if i.Requires != "" && !slices.ContainsFunc(list, func(o Info) bool { return o.Name == i.Requires }) {
			t.Errorf("%s: there is no option %q", i.Name, i.Requires)
		}
		if i.Help == "" || strings.HasSuffix(i.Help, ".") || i.Short != "" && letters[i.Short] {
			t.Errorf("%s: help %q, short %q", i.Name, i.Help, i.Short)
		}
		letters[i.Short] = true
		if i.Methods != nil && len(i.Methods) == len(methods) {
			t.Errorf("%s: all methods use it", i.Name)
		}
		if flag := i.Flag(); flag != strings.ToLower(flag) || strings.ReplaceAll(flag, "-", "") != strings.ToLower(i.Name) {
			t.Errorf("%s: flag %q", i.Name, flag)
		}
		if i.Default != "" {
			var o core.Options
			if err := i.Parse(&o, i.Default); err != nil {
				t.Errorf("%s: default %q: %v", i.Name, i.Default, err)
			}
		}
		if i.UsedBy("") != i.UsedBy("auto") {
			t.Errorf("%s: the empty method is not auto", i.Name)
		}
	}
	if b, err := core.ParseBudget(list[1].Default); err != nil || b != core.DefaultBudget {
		t.Errorf("default budget %v, %v", b, err)
	}
	var weight core.Options
	for _, i := range list {
		if i.Name == "queryWeight" {
			if err := i.Parse(&weight, i.Default); err != nil || *weight.QueryWeight != core.DefaultQueryWeight {
				t.Errorf("default query weight: %v", err)
			}
		}
	}
}

// TestUnlistedMethods: these are methods, and no other is unlisted in the core's error.
func TestUnlistedMethods(t *testing.T) {
	for _, name := range unlisted {
		if m, err := core.Method(name); err != nil || m.Name != name {
			t.Errorf("%s: %v", name, err)
		}
		if slices.ContainsFunc(core.Methods(), func(m core.MethodInfo) bool { return m.Name == name }) {
			t.Errorf("%s is listed", name)
		}
	}
}

// TestTexts: a record of options gives them again, and an unknown name is refused.
func TestTexts(t *testing.T) {
	for _, i := range List() {
		for _, s := range samples(t, &i) {
			if i.NoFlag != "" {
				continue
			}
			var o core.Options
			if err := i.Decode(&o, s.tree); err != nil {
				t.Fatal(err)
			}
			texts := Texts(&o)
			again, err := ParseAll(texts)
			if err != nil || len(texts) != 1 || !reflect.DeepEqual(again, o) {
				t.Errorf("%v: %+v, %v; want %+v", texts, again, err, o)
			}
		}
	}
	for want, texts := range map[string]map[string]string{
		"size: unknown option":                                      {"size": "3", "n": "x"},
		`n: want a whole number, got "x"`:                           {"n": "x"},
		"patience: want a whole number from 1 to 1000000000, got 0": {"patience": "0"},
		"queryEmbedding: cannot be given as text":                   {"queryEmbedding": "1"},
	} {
		if _, err := ParseAll(texts); !errors.Is(err, core.ErrOption) || err.Error() != want {
			t.Errorf("%v: want %q, got %v", texts, want, err)
		}
	}
}

// TestFor: options that the method does not use are dropped, the others stay.
func TestFor(t *testing.T) {
	for _, m := range core.Methods() {
		for _, i := range List() {
			if i.Name == "method" {
				continue
			}
			var o core.Options
			if err := i.Decode(&o, samples(t, &i)[0].tree); err != nil {
				t.Fatal(err)
			}
			want := core.Options{Method: m.Name}
			if i.UsedBy(m.Name) {
				want = o
				want.Method = m.Name
			}
			if got := For(o, m.Name); !reflect.DeepEqual(got, want) {
				t.Errorf("%s for %s: %+v, want %+v", i.Name, m.Name, got, want)
			}
		}
	}
}

// TestListIsTheCallersOwn: changing the list does not change the declarations.
func TestListIsTheCallersOwn(t *testing.T) {
	for _, i := range List() {
		for k := range i.Values {
			i.Values[k] = "?"
		}
		for k := range i.Methods {
			i.Methods[k] = "?"
		}
	}
	for _, i := range List() {
		if slices.Contains(i.Values, "?") || slices.Contains(i.Methods, "?") {
			t.Errorf("%s: values %q, methods %q", i.Name, i.Values, i.Methods)
		}
	}
}

func TestBadFlags(t *testing.T) {
	bad := map[string][]string{
		"method":         {"best", "", "oracle"},
		"budget":         {"", "x", "0", "-1s", "1.5", "9223372036854775807c", "9223372036854775807", "1000000001p", "5 s"},
		"order":          {"", "Rank"},
		"fill":           {"", "yes", "2"},
		"queryWeight":    {"", "x", "1.01", "-0.01", "NaN", "Inf"},
		"denseWeight":    {"2", "half"},
		"licence":        {"", "GPL"},
		"quoteLanguages": {"", "en,", "?", "english_", "en de"},
		"quoteOthers":    {"", "always"},
		"n":              {"0", "-1", "1.5", "1e3", "", "1000000001", "99999999999999999999"},
		"beamWidth":      {"0"},
		"patience":       {"-3"},
		"preselect":      {"first"},
	}
	for _, i := range List() {
		for _, s := range bad[i.Name] {
			var option *core.OptionError
			if err := i.Parse(&core.Options{}, s); !errors.As(err, &option) || !strings.HasPrefix(option.Name, i.Name) || option.Message == "" {
				t.Errorf("%s %q: %v", i.Name, s, err)
			}
		}
		delete(bad, i.Name)
	}
	if len(bad) > 0 {
		t.Errorf("no options %v", bad)
	}
}
