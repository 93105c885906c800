package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/models"
	"github.com/spf13/cobra"
)

// encoderFlags are the flags of the commands that embed.
type encoderFlags struct {
	name    string // as given with --encoder
	library string
}

// named reports whether the user asked for an encoder.
func (f *encoderFlags) named() bool { return f.name != "" || f.library != "" }

// mayEmbed reports whether a method ever uses embeddings; [core.Session.WantsEmbeddings]
// says whether it does for certain documents.
func mayEmbed(m core.MethodInfo) bool { return m.Embeddings != core.EmbeddingsNone || m.Query }

// defaultEncoder is the name of the shipped encoder.
const defaultEncoder = "default"

const encoderForms = "\"default\" (shipped) or a folder with a sentence-transformers export"

func (f *encoderFlags) add(cmd *cobra.Command, more ...string) {
	cmd.Flags().StringVar(&f.library, "ort-library", "", "onnxruntime library that runs the shipped encoder (default: the one beside the program, else pure Go)")
	complete(cmd, "encoder", append(more, defaultEncoder)...)
}

// errNoEncoder reports a program built without the shipped encoder.
var errNoEncoder = errors.New("this program was built without an encoder")

// shippedEncoder is the encoder's entry in models/manifest.json.
type shippedEncoder struct {
	Name       string        `json:"name"`
	Dimensions int           `json:"dimensions"`
	Licence    string        `json:"licence"`
	Languages  []string      `json:"languages"`
	Files      []models.File `json:"files"`
}

// shipped returns the folder and the manifest entry of the shipped encoder.
func shipped() (fs.FS, *shippedEncoder, error) {
	files, err := models.Encoder()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, hinted{errNoEncoder, "name a folder with a sentence-transformers export with --encoder"}
	}
	if err != nil {
		return nil, nil, err
	}
	raw, err := models.Manifest()
	if err != nil {
		return nil, nil, fmt.Errorf("the shipped manifest.json: %w", err)
	}
	var manifest struct {
		Encoder *shippedEncoder `json:"encoder"`
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return nil, nil, fmt.Errorf("the shipped manifest.json: %w", err)
	}
	if manifest.Encoder == nil || manifest.Encoder.Name == "" {
		return nil, nil, errors.New("the shipped manifest.json: encoder.name: missing")
	}
	return files, manifest.Encoder, nil
}

// openEncoder opens the encoder of the flags; an empty name is the shipped one.
func openEncoder(f encoderFlags) (*encoder.Model, error) {
	m, err := findEncoder(f)
	if errors.Is(err, encoder.ErrLibrary) {
		return nil, hinted{err, "name an onnxruntime library, or omit --ort-library to use the one beside the program, or pure Go"}
	}
	return m, err
}

func findEncoder(f encoderFlags) (*encoder.Model, error) {
	o := encoder.Options{ORTLibrary: f.library}
	if f.name == "" || f.name == defaultEncoder {
		files, about, err := shipped()
		if err != nil {
			return nil, err
		}
		o.Name, o.Languages = about.Name, about.Languages
		m, err := encoder.OpenShipped(files, o)
		if err != nil && !errors.Is(err, encoder.ErrLibrary) {
			return nil, fmt.Errorf("the shipped encoder: %w", err)
		}
		return m, err
	}
	if info, err := os.Stat(f.name); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, usage(fmt.Errorf("--encoder %s: no such folder: want %s", f.name, encoderForms))
	}
	return encoder.Open(f.name, o)
}

// embedder adds the embeddings that a method needs to clusters.
type embedder struct {
	*app
	flags  encoderFlags
	method core.MethodInfo
	off    bool     // no embeddings: --encoder lexical
	weight *float64 // of --dense-weight
	// weights of the method; nil if it uses none.
	weights *namedWeights
	model   *encoder.Model
	err     error // from opening the model; nil before the first attempt
	warned  bool  // that the model cannot be used
	silent  bool  // no progress for each cluster
}

// explicit reports whether a summary requires embeddings: an encoder or a library
// was named, or the method needs one.
func (e *embedder) explicit() bool {
	return e.flags.named() || e.method.Embeddings == core.EmbeddingsRequired
}

// open opens the encoder, once.
func (e *embedder) open() error {
	if e.model == nil && e.err == nil {
		e.model, e.err = openEncoder(e.flags)
		if e.err == nil && e.weights != nil {
			e.err = e.weights.check(e.model)
		}
	}
	return e.err
}

// wants reports whether the method would use embeddings of the session.
func (e *embedder) wants(s *core.Session, query bool) bool {
	return !e.off && s.WantsEmbeddings(e.method.Name, query)
}

// embed adds embeddings to the session. If the user did not request them, a
// failing encoder is only a warning.
func (e *embedder) embed(ctx context.Context, s *core.Session, o *core.Options) error {
	if !e.wants(s, o.Query != "") {
		return nil
	}
	err := e.open()
	var values, query []float32
	if err == nil && o.Query != "" {
		query, err = e.model.EmbedQuestion(ctx, o.Query)
	}
	if err == nil {
		values, err = e.model.Embed(ctx, s.Texts(), func(done, total int) {
			if !e.silent {
				e.progress.show("embed", done, total)
			}
		})
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		o.QueryEmbedding = query
		if err := s.Embed(core.Embeddings{Data: values, Dimensions: e.model.Dimensions(), Languages: e.model.Languages()}); err != nil {
			return err
		}
		o.DenseWeight = e.weight
		if e.weights != nil {
			o.Weights = e.weights.Weights
		}
		return nil
	case e.explicit():
		return err
	case !e.warned:
		e.warned = true
		e.warn(fmt.Sprintf("encoder unavailable: only words are compared, and sentences that translate each other may both be quoted: %v", err))
	}
	return nil
}

// Close frees the encoder.
func (e *embedder) Close() error {
	if e.model == nil {
		return nil
	}
	return e.model.Close()
}
