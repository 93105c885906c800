package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/models"
	"github.com/spf13/cobra"
)

// commit is what this program was built from: the build sets it, with
// -ldflags "-X main.commit=…"; modifiedMark at its end says that files differed.
var commit string

const modifiedMark = "-modified"

// origin is what a program was built from.
type origin struct {
	Commit   string `json:"commit"` // "unknown" where nothing tells it
	Modified bool   `json:"modified"`
	// Module is the version that "go install" took, where no commit is known; a
	// version that is no release ends with its commit.
	Module string `json:"module,omitempty"`
}

const unknownCommit = "unknown"

// originOf goes by what the build set, then by what Go wrote into the program
// by itself: the commit of the folder it was built in, or the module's version.
func originOf(set string, info *debug.BuildInfo) origin {
	if set != "" {
		hash, modified := strings.CutSuffix(set, modifiedMark)
		return origin{Commit: hash, Modified: modified}
	}
	o := origin{Commit: unknownCommit}
	if info == nil {
		return o
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			o.Commit = s.Value
		case "vcs.modified":
			o.Modified = s.Value == "true"
		}
	}
	if v := info.Main.Version; o.Commit == unknownCommit && v != "" && v != "(devel)" {
		o.Module = v
	}
	return o
}

// String is for one line: a commit in the twelve digits that Go uses too.
func (o origin) String() string {
	if o.Module != "" {
		return "module " + o.Module
	}
	s := "commit " + short(o.Commit)
	if o.Modified {
		s += ", modified"
	}
	return s
}

// short is the beginning of a hash, enough to tell it from others.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// about is all that there is to say of this program, as JSON.
type about struct {
	Version string `json:"version"`
	origin
	Go       string       `json:"go"`
	Platform string       `json:"platform"`
	Encoder  *aboutModel  `json:"encoder"` // null in a program built without one
	Weights  []aboutModel `json:"weights"`
}

// aboutModel is a shipped encoder, weights of CeRA or CeRAI, or networks that
// are compiled in.
type aboutModel struct {
	Name       string   `json:"name"`
	Method     string   `json:"method,omitempty"` // that goes by it; none for the encoder
	Dimensions int      `json:"dimensions,omitempty"`
	Licence    string   `json:"licence"`
	Languages  []string `json:"languages,omitempty"`
	File       string   `json:"file"` // in the repository, the one that holds the numbers
	SHA256     string   `json:"sha256"`
}

func aboutThis() (about, error) {
	a := aboutBuild()
	switch _, e, err := shipped(); {
	case errors.Is(err, errNoEncoder):
	case err != nil:
		return about{}, err
	default:
		m := aboutModel{Name: e.Name, Dimensions: e.Dimensions, Licence: e.Licence, Languages: e.Languages}
		if err := m.take(e.Files); err != nil {
			return about{}, err
		}
		a.Encoder = &m
	}
	weights, err := models.AllWeights()
	if err != nil {
		return about{}, err
	}
	for _, w := range weights {
		m := aboutModel{Name: w.Name, Method: w.Method, Dimensions: w.Dimensions, Licence: w.Licence}
		if err := m.take(w.Files); err != nil {
			return about{}, err
		}
		a.Weights = append(a.Weights, m)
	}
	builtIn, err := models.AllBuiltIn()
	for _, b := range builtIn {
		a.Weights = append(a.Weights, aboutModel{Name: b.Name, Method: b.Method, Licence: b.Licence, File: b.Path, SHA256: b.SHA256})
	}
	return a, err
}

// take finds the file that holds the numbers among those of a model.
func (m *aboutModel) take(files []models.File) error {
	for _, f := range files {
		if base := path.Base(f.Path); base == "model.onnx" || base == "model.safetensors" {
			m.File, m.SHA256 = path.Join("models", f.Path), f.SHA256
			return nil
		}
	}
	return fmt.Errorf("the shipped manifest.json: %s has no model", m.Name)
}

// aboutBuild tells of the program without its models.
func aboutBuild() about {
	info, _ := debug.ReadBuildInfo()
	return about{
		Version: core.Version, origin: originOf(commit, info),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Weights: []aboutModel{},
	}
}

// firstLine is the answer to --version, and begins that of "version".
func (a about) firstLine() string {
	return fmt.Sprintf("cerasum %s (%s, %s %s)\n", a.Version, a.origin, a.Go, a.Platform)
}

// String lists the models below each other, for people.
func (a about) String() string {
	s := a.firstLine() + encoderLine()
	if a.Encoder != nil {
		s += ", SHA-256 " + short(a.Encoder.SHA256)
	}
	s += "\n"
	if len(a.Weights) == 0 {
		return s + "weights: none shipped\n"
	}
	s += "weights:\n"
	for _, w := range a.Weights {
		s += fmt.Sprintf("  %s, method %s, licence %s, SHA-256 %s\n", w.Name, w.Method, w.Licence, short(w.SHA256))
	}
	return s
}

func (a *app) versionCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what the program carries",
		Long: `Print the version, the commit that the program was built from, Go and platform,
and the shipped encoder and weights, each with its licence and the beginning of
the SHA-256 of its file. "cerasum --version" prints the first line alone.`,
		Example: "  cerasum version\n  cerasum version --format json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := oneOf("format", format, []string{"text", "json"})
			if err != nil {
				return err
			}
			about, err := aboutThis()
			if err != nil {
				return err
			}
			if f == "json" {
				return writeJSON(a.stdout, about)
			}
			_, err = io.WriteString(a.stdout, about.String())
			return err
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", format, "text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// writeJSON writes a value as JSON for people and programs: indented, and with <
// as itself.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
