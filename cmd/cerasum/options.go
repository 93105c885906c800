package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/spf13/cobra"
)

// optionFlags are the options of a summary as flags. Package core declares them.
type optionFlags struct {
	options core.Options
	given   []options.Info
	// queries: the input has queries of its own, so that --query is not required.
	queries bool
}

// add registers a flag for each option of core but those in without.
func (f *optionFlags) add(cmd *cobra.Command, without ...string) {
	for _, info := range options.List() {
		if info.NoFlag != "" || slices.Contains(without, info.Name) {
			continue
		}
		fs := cmd.Flags()
		flag := fs.VarPF(&optionValue{info, f}, info.Flag(), info.Short, flagHelp(info))
		if info.Kind() == options.Boolean {
			flag.NoOptDefVal = "true" // without a value
		}
		if info.Values != nil {
			complete(cmd, info.Flag(), completions(info)...)
		}
		if info.Kind() == options.Tags {
			complete(cmd, info.Flag(), core.Languages()...)
		}
		if info.Kind() == options.Budget {
			complete(cmd, info.Flag(), "100\twords", "5s\tsentences", "600c\tcharacters", "230p\tthe paper's words")
		}
	}
}

// flagHelp is the help of an option with the syntax of its flag.
func flagHelp(info options.Info) string {
	switch {
	case info.Name == "method":
		return "method that chooses the sentences; \"cerasum methods\" lists them"
	case info.Name == "denseWeight":
		return info.Help + " (default: the method's own)"
	case info.Kind() == options.Budget:
		return info.Help + " (100, 5s, 600c or 230p)"
	case info.Kind() == options.Tags:
		return info.Help + " (en,pt; default: all)"
	case info.Kind() == options.Choice && info.Default == "":
		return info.Help + " (" + core.OneOf(info.Values) + "; default: any)"
	case info.Kind() == options.Choice:
		return info.Help + " (" + core.OneOf(info.Values) + ")"
	}
	return info.Help
}

// methodInfo describes a method; the zero value if there is none of that name.
func methodInfo(name string) core.MethodInfo {
	m, _ := core.Method(name)
	return m
}

// completions lists the values of a choice, methods with their titles.
func completions(info options.Info) []string {
	if info.Name != "method" {
		return info.Values
	}
	var methods []string
	for _, m := range core.Methods() {
		methods = append(methods, m.Name+"\t"+m.Title)
	}
	return methods
}

// check refuses invalid combinations of flags, before any input is read. methods
// are those that the options are for; each flag must be used by one of them.
func (f *optionFlags) check(methods ...string) error {
	for _, info := range f.given {
		if info.Name == "query" && strings.TrimSpace(f.options.Query) == "" {
			return usage(errors.New("--query: want text, got an empty string"))
		}
		if info.Requires != "" && !f.has(info.Requires) && !(f.queries && info.Requires == "query") {
			return usage(fmt.Errorf("--%s requires --%s", info.Flag(), options.Flag(info.Requires)))
		}
		if !slices.ContainsFunc(methods, info.UsedBy) {
			var others []string
			for _, m := range core.Methods() {
				if info.UsedBy(m.Name) {
					others = append(others, m.Name)
				}
			}
			hint := "methods that do: " + strings.Join(others, ", ")
			return usage(hinted{fmt.Errorf("method %s does not support --%s", strings.Join(methods, ", "), info.Flag()), hint})
		}
	}
	return nil
}

// byFlag names the flag of an option that does not suit the documents.
func byFlag(err error) error {
	var option *core.OptionError
	if !errors.As(err, &option) {
		return err
	}
	for _, info := range options.List() {
		if info.Name == option.Name && info.NoFlag == "" {
			return &core.OptionError{Name: "--" + info.Flag(), Message: option.Message, WrongType: option.WrongType}
		}
	}
	return err
}

// has reports whether the flag of an option was given.
func (f *optionFlags) has(name string) bool {
	return slices.ContainsFunc(f.given, func(i options.Info) bool { return i.Name == name })
}

// optionValue is one option as a pflag.Value.
type optionValue struct {
	info options.Info
	to   *optionFlags
}

// String is the value in effect, which the help shows as the default.
func (v *optionValue) String() string {
	if v.to == nil {
		return ""
	}
	if text := v.info.Text(&v.to.options); text != "" {
		return text
	}
	return v.info.Default
}

// Set parses the text of the flag.
func (v *optionValue) Set(s string) error {
	if v.info.Kind() == options.Choice && !slices.Contains(v.info.Values, s) {
		return unknown("value", s, v.info.Values)
	}
	if err := v.info.Parse(&v.to.options, s); err != nil {
		var option *core.OptionError
		if errors.As(err, &option) {
			return errors.New(option.Message)
		}
		return err
	}
	if !v.to.has(v.info.Name) {
		v.to.given = append(v.to.given, v.info)
	}
	return nil
}

// Type is what the help calls the value.
func (v *optionValue) Type() string {
	switch v.info.Kind() {
	case options.Boolean:
		return "bool"
	case options.Integer:
		return "int"
	case options.Number:
		return "float"
	case options.Budget:
		return "length"
	}
	return "string"
}
