// Package options is the list of the options of a summary for the surfaces that
// show it: flags, HTTP, generated files. Package core declares the options and
// checks their values; this package writes them as text.
package options

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
)

// Info describes an option.
type Info struct {
	core.OptionInfo
	// Methods that use the option; the others refuse it. Nil: all.
	Methods []string
}

// Kind of an option's value.
type Kind string

const (
	Text    Kind = "text"
	Choice  Kind = "choice"
	Boolean Kind = "boolean"
	Integer Kind = "integer"
	Number  Kind = "number"
	Budget  Kind = "budget"
	Tags    Kind = "language tags" // []string
	Vector  Kind = "vector"        // []float32
	Weights Kind = "weights"       // *centroid.Weights
)

// unlisted are the methods that core.Methods does not list.
var unlisted = []string{"oracle", "headline"}

// List lists the options of a summary, "method" first.
func List() []Info {
	var methods []string
	for _, m := range core.Methods() {
		methods = append(methods, m.Name)
	}
	var list []Info
	for _, o := range core.OptionList() {
		i := Info{OptionInfo: o}
		if i.Name == "method" {
			i.Values = slices.Clone(methods)
		}
		all := true
		for _, name := range slices.Concat(methods, unlisted) {
			if i.UsedBy(name) {
				i.Methods = append(i.Methods, name)
			} else {
				all = false
			}
		}
		if all {
			i.Methods = nil
		}
		list = append(list, i)
	}
	return list
}

// Kind is the kind of the option's value.
func (i *Info) Kind() Kind {
	switch i.Field(&core.Options{}).(type) {
	case *bool:
		return Boolean
	case *int:
		return Integer
	case **float64:
		return Number
	case *core.Budget:
		return Budget
	case *[]string:
		return Tags
	case *[]float32:
		return Vector
	case **centroid.Weights[float32]:
		return Weights
	}
	if i.Values != nil {
		return Choice
	}
	return Text
}

// Flag is the name of an option as a flag: "query-weight" for "queryWeight".
func Flag(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Flag is the option's name as a flag.
func (i *Info) Flag() string { return Flag(i.Name) }

// Parse sets the option from the text of a flag.
func (i *Info) Parse(o *core.Options, s string) error {
	bad := func(want string) error {
		return &core.OptionError{Name: i.Name, Message: "want " + want + ", got " + strconv.Quote(s)}
	}
	var value any = s
	switch i.Kind() {
	case Boolean:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return bad("true or false")
		}
		value = b
	case Integer:
		n, err := strconv.Atoi(s)
		if err != nil {
			return bad("a whole number")
		}
		value = float64(n)
	case Number:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return bad("a number")
		}
		value = f
	case Budget:
		b, err := core.ParseBudget(s)
		if err != nil {
			return err
		}
		value = map[string]any{string(b.Unit): float64(b.Amount)}
	case Tags:
		var tags []any
		for tag := range strings.SplitSeq(s, ",") {
			tags = append(tags, strings.TrimSpace(tag))
		}
		value = tags
	case Vector, Weights:
		return &core.OptionError{Name: i.Name, Message: "cannot be given as text"}
	}
	return i.Decode(o, value)
}

// Text is the option's value in the syntax of [Info.Parse]; empty if it is not
// set or has no textual form.
func (i *Info) Text(o *core.Options) string {
	field := reflect.ValueOf(i.Field(o)).Elem()
	if field.IsZero() {
		return ""
	}
	switch v := i.Field(o).(type) {
	case *string:
		return *v
	case *bool:
		return strconv.FormatBool(*v)
	case *int:
		return strconv.Itoa(*v)
	case **float64:
		return strconv.FormatFloat(**v, 'g', -1, 64)
	case *core.Budget:
		return v.String()
	case *[]string:
		return strings.Join(*v, ",")
	}
	return ""
}

// Texts returns the options that are set, by name, for a record of how a
// summary was made.
func Texts(o *core.Options) map[string]string {
	texts := map[string]string{}
	for _, i := range List() {
		if text := i.Text(o); text != "" {
			texts[i.Name] = text
		}
	}
	return texts
}

// ParseAll is the inverse of [Texts].
func ParseAll(texts map[string]string) (core.Options, error) {
	names := map[string]any{}
	for name := range texts {
		names[name] = nil
	}
	o, err := core.DecodeOptions(names) // refuses unknown names
	if err != nil {
		return o, err
	}
	for _, i := range List() {
		if text, ok := texts[i.Name]; ok {
			if err := i.Parse(&o, text); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// For returns a copy of the options with the given method, without the options
// that it does not use.
func For(o core.Options, method string) core.Options {
	o.Method = method
	for _, i := range core.OptionList() {
		if !i.UsedBy(method) {
			reflect.ValueOf(i.Field(&o)).Elem().SetZero()
		}
	}
	return o
}
