package encoder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	coretokenizer "github.com/cerasum/cerasum/internal/tokenizer"
)

// defaultMaxTokens is the length limit if the folder has none.
const defaultMaxTokens = 512

// folder is an export as described by its configuration files.
type folder struct {
	files     fs.FS
	root      string // prepended to names in errors
	hash      hash.Hash
	base      string // folder of the Transformer, "" or for example "0_Transformer"
	onnx      string
	bytes     int64 // of the ONNX file
	tokenizer *coretokenizer.Tokenizer
	tokenFile string
	prefix    string
	lower     bool
	maxTokens int
	languages []string
	vocab     int // rows of the token table according to config.json; 0: unknown
	pooling   *pooling
	steps     []step
	described bool // modules.json exists
}

// path returns the name of a file for errors.
func (f *folder) path(name string) string { return path.Join(f.root, name) }

// wrap adds the file name to an error.
func (f *folder) wrap(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err // p holds only the name within the folder
	}
	return fmt.Errorf("%s: %w", f.path(name), err)
}

// bad returns an error about a file's content.
func (f *folder) bad(name, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", f.path(name), ErrFolder, fmt.Sprintf(format, args...))
}

// maxSmallFile limits the size of configuration files.
const maxSmallFile = 1 << 20

// read decodes a configuration file. ok is false if it does not exist.
func (f *folder) read(name string, to any) (ok bool, err error) {
	raw, err := f.content(name, maxSmallFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), to); err != nil {
		return false, f.bad(name, "%v", err)
	}
	return true, nil
}

// content returns the bytes of a file of at most so many bytes, and adds it to the
// fingerprint.
func (f *folder) content(name string, most int64) ([]byte, error) {
	info, err := fs.Stat(f.files, name)
	if err != nil {
		return nil, f.wrap(name, err)
	}
	if info.Size() > most {
		return nil, f.bad(name, "want at most %d bytes, got %d", most, info.Size())
	}
	raw, err := fs.ReadFile(f.files, name)
	if err != nil {
		return nil, f.wrap(name, err)
	}
	f.mark(name, raw)
	return raw, nil
}

// mark adds a file to the fingerprint.
func (f *folder) mark(name string, raw []byte) {
	fmt.Fprintf(f.hash, "%s %d\n", name, len(raw))
	f.hash.Write(raw)
}

// exists reports whether a file exists.
func (f *folder) exists(name string) bool {
	info, err := fs.Stat(f.files, name)
	return err == nil && !info.IsDir()
}

// first returns the first of the names that exists, or "".
func (f *folder) first(names ...string) string {
	for _, n := range names {
		if f.exists(n) {
			return n
		}
	}
	return ""
}

// readFolder reads everything but the model's weights.
func readFolder(files fs.FS, root string, prefix *string) (*folder, error) {
	f := &folder{files: files, root: root, hash: newHash()}
	if err := f.readModules(); err != nil {
		return nil, err
	}
	if f.onnx = f.first(f.places("onnx/model.onnx", "model.onnx")...); f.onnx == "" {
		if other := f.first(f.places("model.safetensors", "pytorch_model.bin")...); other != "" {
			return nil, fmt.Errorf("%s: %w: model.onnx: %w; %s is not supported, export the model to ONNX", f.root, ErrFolder, fs.ErrNotExist, other)
		}
		return nil, fmt.Errorf("%s: %w: model.onnx: %w", f.root, ErrFolder, fs.ErrNotExist)
	}
	info, err := fs.Stat(files, f.onnx)
	if err != nil {
		return nil, f.wrap(f.onnx, err)
	}
	f.bytes = info.Size()
	if err := f.readPrefix(prefix); err != nil {
		return nil, err
	}
	if err := f.readLimits(); err != nil {
		return nil, err
	}
	if err := f.readCard(); err != nil {
		return nil, err
	}
	if f.tokenFile = f.first(f.places("tokenizer.json")...); f.tokenFile == "" {
		return nil, fmt.Errorf("%s: %w: tokenizer.json: %w", f.root, ErrFolder, fs.ErrNotExist)
	}
	raw, err := fs.ReadFile(files, f.tokenFile)
	if err != nil {
		return nil, f.wrap(f.tokenFile, err)
	}
	f.mark(f.tokenFile, raw)
	if f.tokenizer, err = coretokenizer.Read(bytes.NewReader(raw)); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", f.path(f.tokenFile), ErrFolder, err)
	}
	if f.vocab > 0 && f.tokenizer.Size() > f.vocab {
		return nil, f.bad(f.tokenFile, "%d tokens, but config.json has a vocab_size of %d", f.tokenizer.Size(), f.vocab)
	}
	return f, nil
}

// module is an entry of modules.json.
type module struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// readModules reads modules.json and the files that it names.
func (f *folder) readModules() error {
	const name = "modules.json"
	var modules []module
	ok, err := f.read(name, &modules)
	if err != nil {
		return err
	}
	if !ok {
		f.pooling = &pooling{modes: []poolMode{poolMean}}
		return nil
	}
	f.described = true
	for i, m := range modules {
		if m.Path != "" && (!fs.ValidPath(m.Path) || strings.ContainsAny(m.Path, "\\:")) {
			return f.bad(name, "[%d].path: want a path within the folder, got %q", i, m.Path)
		}
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case kind == "Transformer" && i == 0:
			f.base = m.Path
			err = nil
		case kind == "Pooling" && f.pooling == nil && len(f.steps) == 0:
			f.pooling, err = f.readPooling(path.Join(m.Path, "config.json"))
		case kind == "Dense":
			var d *dense
			if d, err = f.readDense(m.Path); err == nil {
				f.steps = append(f.steps, d)
			}
		case kind == "Normalize":
			f.steps = append(f.steps, normalize{})
		case kind == "Transformer" || kind == "Pooling":
			err = f.bad(name, "[%d]: unexpected %s: want Transformer, Pooling, then Dense and Normalize", i, kind)
		default:
			err = f.bad(name, "[%d].type: want Transformer, Pooling, Dense or Normalize, got %q", i, m.Type)
		}
		if err != nil {
			return err
		}
	}
	if len(modules) == 0 {
		return f.bad(name, "want at least one module")
	}
	if f.pooling == nil {
		f.pooling = &pooling{modes: []poolMode{poolMean}}
	}
	return nil
}

// dimensions returns the dimensions of the result by modules.json; 0: unknown.
func (f *folder) dimensions() int {
	if !f.described {
		return 0
	}
	width := f.pooling.width * len(f.pooling.modes)
	for _, s := range f.steps {
		if d, ok := s.(*dense); ok {
			width = d.out
		}
	}
	return width
}

// readPrefix reads the prompts in config_sentence_transformers.json.
func (f *folder) readPrefix(given *string) error {
	const name = "config_sentence_transformers.json"
	var c struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	if _, err := f.read(name, &c); err != nil {
		return err
	}
	switch {
	case given != nil:
		f.prefix = *given
	case c.Default != nil && *c.Default != "":
		p, ok := c.Prompts[*c.Default]
		if !ok {
			return f.bad(name, "default_prompt_name: no prompt %q", *c.Default)
		}
		f.prefix = p
	}
	f.mark("prefix", []byte(f.prefix))
	if f.prefix != "" && f.pooling.excludesPrompt {
		return f.bad(f.pooling.file, "include_prompt: excluding the prefix %q from the pooling is not supported", f.prefix)
	}
	return nil
}

// readLimits reads the maximum length of a text.
func (f *folder) readLimits() error {
	in := func(name string) string {
		if n := f.first(f.places(name)...); n != "" {
			return n
		}
		return name
	}
	var bert struct {
		Max   *float64 `json:"max_seq_length"`
		Lower bool     `json:"do_lower_case"`
	}
	bertFile := in("sentence_bert_config.json")
	if _, err := f.read(bertFile, &bert); err != nil {
		return err
	}
	var tokens struct {
		// Some exports write 1e30 for "no limit", which does not fit an int.
		Max *float64 `json:"model_max_length"`
	}
	tokenFile := in("tokenizer_config.json")
	if _, err := f.read(tokenFile, &tokens); err != nil {
		return err
	}
	var config struct {
		Positions int    `json:"max_position_embeddings"`
		Vocab     int    `json:"vocab_size"`
		Padding   *int   `json:"pad_token_id"`
		Type      string `json:"model_type"`
	}
	if _, err := f.read(in("config.json"), &config); err != nil {
		return err
	}
	f.lower, f.vocab = bert.Lower, config.Vocab
	const unlimited = 1e6
	switch {
	case bert.Max != nil:
		if *bert.Max < 1 || *bert.Max > unlimited {
			return f.bad(bertFile, "max_seq_length: want 1 to %d, got %v", int(unlimited), *bert.Max)
		}
		f.maxTokens = int(*bert.Max)
	case tokens.Max != nil && *tokens.Max >= 1 && *tokens.Max < unlimited:
		f.maxTokens = int(*tokens.Max)
	default:
		f.maxTokens = defaultMaxTokens
	}
	if p := config.Positions; p > 0 {
		switch config.Type {
		case "roberta", "xlm-roberta", "camembert", "mpnet":
			// Positions of these models count from the one after the padding's.
			padding := 1
			if config.Padding != nil {
				padding = *config.Padding
			}
			p -= padding + 1
		}
		if p < 1 {
			return f.bad("config.json", "max_position_embeddings: want a larger number, got %d", config.Positions)
		}
		f.maxTokens = min(f.maxTokens, p)
	}
	return nil
}

// places returns where files of the Transformer may be, most likely first, as in
// package hub.
func (f *folder) places(names ...string) []string {
	var list []string
	for _, n := range names {
		list = append(list, path.Join(f.base, n))
	}
	if f.base != "" {
		list = append(list, names...)
	}
	return list
}

var (
	cardHead      = regexp.MustCompile(`^---\r?\n([\s\S]*?)\r?\n---`)
	cardLanguages = regexp.MustCompile(`(?m)^languages?:[ \t]*(.*(?:\r?\n[ \t]*-[ \t].*)*)`)
	cardTag       = regexp.MustCompile(`[A-Za-z][A-Za-z0-9-]*`)
)

// readCard reads the languages in the front matter of the model card: one, [some]
// or a list of lines. "zh-tw" becomes zh; a word that is not a tag, such as
// multilingual, means that the languages are unknown.
func (f *folder) readCard() error {
	const name = "README.md"
	if !f.exists(name) {
		return nil
	}
	raw, err := fs.ReadFile(f.files, name)
	if err != nil {
		return f.wrap(name, err)
	}
	head := cardHead.FindSubmatch(raw)
	if head == nil {
		return nil
	}
	list := cardLanguages.FindSubmatch(head[1])
	if list == nil {
		return nil
	}
	for _, tag := range cardTag.FindAllString(string(list[1]), -1) {
		language, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if len(language) < 2 || len(language) > 3 || strings.ContainsAny(language, "0123456789") {
			f.languages = nil
			return nil
		}
		if !slices.Contains(f.languages, language) {
			f.languages = append(f.languages, language)
		}
	}
	return nil
}
