// Package encoder computes embeddings of texts with any sentence-transformers
// export: a folder with a tokenizer.json, a model.onnx (possibly in onnx/) and an
// optional modules.json that specifies how token vectors are pooled into a text
// vector.
//
// Start with [Open]. The model runs in hugot's pure Go backend, or with the
// onnxruntime library of [Options].ORTLibrary. Everything outside the ONNX file
// is done here: tokenization (internal/tokenizer), pooling, dense layers,
// normalization.
//
// Files of a folder:
//
//	modules.json        the steps in order: Transformer, Pooling, then Dense and Normalize; without the file, mean pooling only
//	<Pooling>/config.json   pooling_mode_cls_token, _max_tokens, _mean_tokens; if several
//	                    are set, their vectors are concatenated in this order
//	<Dense>/config.json     in_features, out_features, bias, activation_function
//	                    (identity, tanh, relu, sigmoid); weights in <Dense>/model.safetensors
//	sentence_bert_config.json   max_seq_length, do_lower_case
//	tokenizer_config.json       model_max_length, unless max_seq_length is given
//	config.json         max_position_embeddings, a limit for both; vocab_size
//	config_sentence_transformers.json   prompts and default_prompt_name: the prefix of every text
//	README.md           language or languages in its front matter: tags of the supported languages
//	tokenizer.json      in the folder or in the Transformer's folder
//	model.onnx          input_ids, attention_mask and optionally token_type_ids, int64 batch×tokens;
//	                    output sentence_embedding, batch×dimensions, used as is, or
//	                    last_hidden_state (token_embeddings), batch×tokens×dimensions
//
// Texts are truncated at the smallest of these limits, or at 512 tokens if there
// are none.
package encoder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Options of [Open]. The zero value is the default.
type Options struct {
	// Name for messages and reports; empty means the folder's name.
	Name string
	// ORTLibrary is the path of an onnxruntime library to run the model with;
	// empty means hugot's pure Go backend.
	ORTLibrary string
	// MaxMemory in bytes: models that need more are refused. 0 means the free
	// memory, if it can be determined; a negative number means no limit.
	MaxMemory int64
	// Prefix is prepended to every text, as some models require ("query: "). Nil
	// means the prefix in the folder's config_sentence_transformers.json.
	Prefix *string
}

var (
	// ErrFolder is wrapped by errors about a folder that is not a valid encoder.
	ErrFolder = errors.New("no usable encoder")
	// ErrLibrary is wrapped by errors about Options.ORTLibrary.
	ErrLibrary = errors.New("no usable onnxruntime library")
)

// Model is a loaded encoder. It is safe for concurrent use until Close.
type Model struct {
	name        string
	fingerprint string
	prefix      string
	lower       bool
	maxTokens   int
	languages   []string
	tokens      tokenizer
	onnx        string // the file's name, for errors
	ports       *ports
	session     session
	pooling     *pooling // nil: the model outputs sentence embeddings
	steps       []step
	dimensions  int
}

// tokenizer is the part of internal/tokenizer.Tokenizer that a Model uses.
type tokenizer interface {
	// EncodeMax returns the ids of at most n tokens, including special ones.
	EncodeMax(text string, n int) []int32
}

// Open loads the export in a folder on disk. Errors wrap ErrFolder or
// fs.ErrNotExist and name the file. path must be a folder.
func Open(dir string, o Options) (*Model, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: want the folder that holds tokenizer.json and model.onnx", dir, ErrFolder)
	}
	if o.Name == "" {
		if abs, err := filepath.Abs(dir); err == nil {
			o.Name = filepath.Base(abs)
		}
	}
	return OpenFS(os.DirFS(dir), dir, o)
}

// OpenFS loads the export in a file system. root is prepended to file names in
// errors.
func OpenFS(files fs.FS, root string, o Options) (*Model, error) {
	f, err := readFolder(files, root, o.Prefix)
	if err != nil {
		return nil, err
	}
	if err := f.checkMemory(o); err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(files, f.onnx)
	if err != nil {
		return nil, f.wrap(f.onnx, err)
	}
	f.hash.Write(raw)
	m := &Model{
		name: o.Name, prefix: f.prefix, lower: f.lower, maxTokens: f.maxTokens, languages: f.languages,
		tokens: f.tokenizer, onnx: f.path(f.onnx), fingerprint: hex.EncodeToString(f.hash.Sum(nil)),
	}
	if m.name == "" {
		m.name = root
	}
	if m.ports, err = f.inspect(raw); err != nil {
		return nil, err
	}
	if o.ORTLibrary != "" {
		m.session, err = openORT(raw, m.ports, o.ORTLibrary)
	} else {
		m.session, err = openHugot(raw, m.ports)
	}
	if errors.Is(err, ErrLibrary) {
		return nil, err
	}
	if err != nil {
		return nil, f.wrap(f.onnx, err)
	}
	if err := m.assemble(f); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// assemble adds the steps after the session and runs one token through all of
// them, to detect mismatches before the first text.
func (m *Model) assemble(f *folder) error {
	m.pooling, m.steps = f.pooling, f.steps
	if m.ports.sentence() {
		// The export includes the other modules.
		m.pooling, m.steps = nil, nil
	}
	ids := m.tokens.EncodeMax(m.prefix+"a", m.maxTokens)
	if len(ids) == 0 {
		ids = []int32{0}
	}
	width, err := m.probe(ids)
	if err != nil {
		return fmt.Errorf("%s: %w", m.onnx, err)
	}
	if m.pooling == nil {
		if want := f.dimensions(); want > 0 && want != width {
			return fmt.Errorf("%s: %w: sentence_embedding has %d dimensions, but %s requires %d", m.onnx, ErrFolder, width, f.path("modules.json"), want)
		}
		m.dimensions = width
		return nil
	}
	if want := f.pooling.width; want > 0 && want != width {
		return fmt.Errorf("%s: %w: word_embedding_dimension is %d, but %s has vectors of %d", f.path(f.pooling.file), ErrFolder, want, m.onnx, width)
	}
	width *= len(m.pooling.modes)
	for _, s := range m.steps {
		if width, err = s.check(width); err != nil {
			return err
		}
	}
	m.dimensions = width
	return nil
}

// Name returns the name for messages and reports.
func (m *Model) Name() string { return m.name }

// Dimensions returns D, the length of an embedding.
func (m *Model) Dimensions() int { return m.dimensions }

// Languages returns the ISO 639-1 tags of the supported languages according to
// the model card (README.md); nil if it lists none or says "multilingual".
func (m *Model) Languages() []string { return m.languages }

// Fingerprint returns a hexadecimal SHA-256 of everything that the embeddings
// depend on: the files and the prefix.
func (m *Model) Fingerprint() string { return m.fingerprint }

// Runtime returns the name of the runtime: "hugot" or "onnxruntime".
func (m *Model) Runtime() string { return m.session.runtime() }

// Close frees the model. A second call is a no-op.
func (m *Model) Close() error {
	if m.session == nil {
		return nil
	}
	s := m.session
	m.session = nil
	return s.close()
}

// Embed returns len(texts) × Dimensions numbers, row-major, one row per text.
// Texts of similar length run through the model together; progress, which may be
// nil, counts texts. Embed returns ctx.Err() soon after the context ends, and an
// error that names the file and the text if an embedding is not finite.
func (m *Model) Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if m.session == nil {
		return nil, fmt.Errorf("%s: %w: encoder is closed", m.onnx, ErrFolder)
	}
	ids, err := m.encode(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(texts)*m.dimensions)
	if err := m.runAll(ctx, ids, out, progress); err != nil {
		return nil, err
	}
	return out, nil
}

// newHash starts the fingerprint.
var newHash = sha256.New
