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

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/models"
	"github.com/spf13/cobra"
)

// commit is set by the build with -ldflags "-X main.commit=…"; the suffix
// modifiedMark says that the working tree had changes.
var commit string

const modifiedMark = "-modified"

// origin identifies the source of the program.
type origin struct {
	Commit   string `json:"commit"` // "unknown" if not recorded
	Modified bool   `json:"modified"`
	// Module is the version installed by "go install", if no commit is known; a
	// version that is not a release ends with its commit.
	Module string `json:"module,omitempty"`
}

const unknownCommit = "unknown"

// originOf uses the commit set by the build, then Go's build info: the commit of
// the repository, or the module's version.
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

// String fits on one line: the commit is shortened to twelve digits as Go does.
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

// short returns the start of a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// about describes the program, as JSON.
type about struct {
	Version string `json:"version"`
	origin
	Go       string       `json:"go"`
	Platform string       `json:"platform"`
	Runtime  string       `json:"runtime"` // of the encoder
	Encoder  *aboutModel  `json:"encoder"` // null if built without one
	Weights  []aboutModel `json:"weights"`
}

// aboutModel is a shipped encoder, weights of CeRA or CeRAI, or a compiled-in
// model.
type aboutModel struct {
	Name       string   `json:"name"`
	Method     string   `json:"method,omitempty"` // that uses it; none for the encoder
	Dimensions int      `json:"dimensions,omitempty"`
	Licence    string   `json:"licence"`
	Languages  []string `json:"languages,omitempty"`
	File       string   `json:"file"` // in the repository, with the tensors
	SHA256     string   `json:"sha256"`
}

func aboutThis() (about, error) {
	a := aboutBuild()
	var unused error
	if a.Runtime, unused = encoder.Runtime(); unused != nil {
		a.Runtime += fmt.Sprintf(" (%v)", unused)
	}
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

// take finds the file with the tensors among those of a model.
func (m *aboutModel) take(files []models.File) error {
	for _, f := range files {
		if base := path.Base(f.Path); base == "encoder.onnx" || base == "model.safetensors" {
			m.File, m.SHA256 = path.Join("models", f.Path), f.SHA256
			return nil
		}
	}
	return fmt.Errorf("the shipped manifest.json: %s has no model", m.Name)
}

// aboutBuild describes the program without its models.
func aboutBuild() about {
	info, _ := debug.ReadBuildInfo()
	return about{
		Version: core.Version, origin: originOf(commit, info),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Weights: []aboutModel{},
	}
}

// firstLine is the output of --version and the first line of "version".
func (a about) firstLine() string {
	return fmt.Sprintf("cerasum %s (%s, %s %s)\n", a.Version, a.origin, a.Go, a.Platform)
}

// String lists the models line by line, for people.
func (a about) String() string {
	s := a.firstLine() + encoderLine()
	if a.Encoder != nil {
		s += ", SHA-256 " + short(a.Encoder.SHA256)
	}
	s += "\nruntime: " + a.Runtime + "\n"
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
		Short: "Print the version and the shipped models",
		Long: `Print the version, the commit that the program was built from, the Go version and
platform, the shipped encoder, what runs it (onnxruntime, whose library "make cli" puts
beside the program, or Go), and the shipped weights; models with their licence and the
start of the SHA-256 of their file. "cerasum --version" prints only the first line.`,
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
	cmd.Flags().StringVarP(&format, "format", "f", format, "output format: text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// writeJSON writes indented JSON without escaping <.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
