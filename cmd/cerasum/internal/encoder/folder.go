package encoder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/pipelines"
)

// exported is a folder with a sentence-transformers export, which hugot runs: its
// tokenizer, the graph, the mean of the token vectors.
type exported struct {
	pipeline *pipelines.FeatureExtractionPipeline
	settings settings
}

// settings are what the configuration files of a folder say.
type settings struct {
	maxTokens        int
	prefix, question string // put before texts and before questions
	meanOnly         error  // why the mean of the token vectors is not the embedding; nil if it is
}

// Open loads the export in a folder: tokenizer.json, an ONNX file (model.onnx, if there
// are several) and, where they are there, config.json, modules.json and others. Errors
// wrap ErrFolder or fs.ErrNotExist and name the file.
func Open(dir string, o Options) (*Model, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: want the folder that holds tokenizer.json and model.onnx", dir, ErrFolder)
	}
	if o.ORTLibrary != "" {
		return nil, fmt.Errorf("%s: %w: onnxruntime runs only the shipped encoder", o.ORTLibrary, ErrLibrary)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	m := &Model{name: o.Name}
	if m.name == "" {
		m.name = filepath.Base(dir)
	}
	if m.fingerprint, err = fingerprint(dir); err != nil {
		return nil, err
	}
	if m.languages, err = cardLanguages(filepath.Join(dir, "README.md")); err != nil {
		return nil, err
	}
	e, err := openExported(dir)
	if err != nil {
		return nil, err
	}
	m.network = e
	rows, err := e.embed([]string{"a"})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %w", dir, ErrFolder, err), m.Close())
	}
	m.dimensions = len(rows[0])
	return m, nil
}

func openExported(dir string) (_ *exported, err error) {
	s, err := readSettings(dir)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	o := options.Defaults()
	o.Backend = "GO"
	model := &backends.Model{Path: dir, OnnxFilename: "model.onnx"}
	bad := func(name string, err error) error {
		return fmt.Errorf("%s: %w: %s", filepath.Join(dir, name), ErrFolder, firstLine(err.Error()))
	}
	if name := filepath.Join(dir, "tokenizer.json"); !exists(name) {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrFolder, fs.ErrNotExist)
	}
	if err := safely(func() error { return backends.CreateModelBackend(ctx, model, o) }); err != nil {
		return nil, bad(model.OnnxPath, err)
	}
	if err := useGemm(model.GoMLXModel); err != nil {
		return nil, bad(model.OnnxPath, err)
	}
	// After this, the model has to be freed.
	fail := func(name string, err error) (*exported, error) {
		model.GoMLXModel.Destroy()
		return nil, bad(name, err)
	}
	if !slices.ContainsFunc(model.InputsMeta, func(i backends.InputOutputInfo) bool { return i.Name == "attention_mask" }) {
		return fail(model.OnnxPath, errors.New("no input attention_mask"))
	}
	output := ""
	for _, to := range model.OutputsMeta {
		if n := len(to.Dimensions); to.Name == "sentence_embedding" || output == "" && n == 3 {
			output = to.Name
			if to.Dimensions[n-1] < 1 {
				return fail(model.OnnxPath, fmt.Errorf("output %s: the number of dimensions is not stated", output))
			}
		}
	}
	if output == "" {
		return fail(model.OnnxPath, errors.New("want an output sentence_embedding or one of token vectors"))
	}
	if output != "sentence_embedding" && s.meanOnly != nil {
		model.GoMLXModel.Destroy()
		return nil, s.meanOnly
	}
	if err := safely(func() error { return backends.LoadTokenizer(ctx, model, o) }); err != nil {
		return fail("tokenizer.json", err)
	}
	model.Tokenizer.GoTokenizer.Tokenizer = cutting{model.Tokenizer.GoTokenizer.Tokenizer, s.maxTokens}
	config := backends.PipelineConfig[*pipelines.FeatureExtractionPipeline]{
		Options: []backends.PipelineOption[*pipelines.FeatureExtractionPipeline]{pipelines.WithOutputName(output)},
	}
	p, err := pipelines.NewFeatureExtractionPipeline(ctx, config, o, model)
	if err != nil {
		return fail(model.OnnxPath, err)
	}
	return &exported{p, *s}, nil
}

// cutting cuts the ids of a text, which hugot's tokenizer does not.
type cutting struct {
	api.Tokenizer
	most int
}

func (t cutting) EncodeWithAnnotations(text string) api.AnnotatedEncoding {
	e := t.Tokenizer.EncodeWithAnnotations(text)
	if n := len(e.IDs); n > t.most {
		e.IDs = append(e.IDs[:t.most-1], e.IDs[n-1]) // the last is [SEP] or </s>
	}
	return e
}

// safely turns a panic of f into an error.
func safely(f func() error) (err error) {
	defer recovered(&err)
	return f()
}

// useGemm replaces hugot's executor, which has not run yet.
func useGemm(m *backends.GoMLXModel) error {
	backend, exec, err := newExec(m.Ctx, m.Call)
	if err != nil {
		return err
	}
	destroy := m.Destroy
	m.Backend, m.Exec, m.Destroy = backend, exec, func() {
		exec.Finalize()
		destroy()
		backend.Finalize()
	}
	return nil
}

func (e *exported) begin(_ context.Context, texts []string, question bool) ([]int, runBatch, error) {
	prefix := e.settings.prefix
	if question {
		prefix = e.settings.question
	}
	tokens := make([]int, len(texts))
	for k, s := range texts {
		if strings.TrimSpace(s) != "" {
			tokens[k] = min(1+len(prefix+s)/4, e.settings.maxTokens) // an estimate, to form batches
		}
	}
	return tokens, func(_ context.Context, b batch) ([][]float32, error) {
		some := make([]string, len(b.texts))
		for i, k := range b.texts {
			some[i] = prefix + texts[k]
		}
		return e.embed(some)
	}, nil
}

func (e *exported) embed(texts []string) (rows [][]float32, err error) {
	err = safely(func() error {
		// Without the caller's context: hugot would return while the model still runs.
		out, err := e.pipeline.RunPipeline(context.Background(), texts)
		if err != nil {
			return errors.New(firstLine(err.Error()))
		}
		rows = out.Embeddings
		return nil
	})
	return rows, err
}

func (*exported) runtime() string { return goRuntime }
func (*exported) parallel() int   { return runtime.GOMAXPROCS(0) }

func (e *exported) close() error {
	return safely(func() error {
		e.pipeline.Model.GoMLXModel.Destroy()
		return nil
	})
}

// readJSON decodes a configuration file, if it exists.
func readJSON(name string, to any) error {
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), to); err != nil {
		return fmt.Errorf("%s: %w: %w", name, ErrFolder, err)
	}
	return nil
}

// readSettings reads the configuration files of a folder.
func readSettings(dir string) (*settings, error) {
	var config struct {
		Positions int `json:"max_position_embeddings"`
	}
	var bert struct {
		Most *int `json:"max_seq_length"`
	}
	var prompts struct {
		Prompts map[string]string `json:"prompts"`
		Default string            `json:"default_prompt_name"`
	}
	var modules []struct{ Path, Type string }
	for name, to := range map[string]any{
		"config.json": &config, "sentence_bert_config.json": &bert,
		"config_sentence_transformers.json": &prompts, "modules.json": &modules,
	} {
		if err := readJSON(filepath.Join(dir, name), to); err != nil {
			return nil, err
		}
	}
	s := &settings{maxTokens: 512, prefix: prompts.Prompts[prompts.Default]}
	if config.Positions > 2 {
		s.maxTokens = min(s.maxTokens, config.Positions-2) // models like RoBERTa count from 2
	}
	if bert.Most != nil && *bert.Most > 0 {
		s.maxTokens = min(s.maxTokens, *bert.Most)
	}
	s.question = s.prefix
	if q, ok := prompts.Prompts["query"]; ok {
		s.question = q
	}
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Normalize":
		case "Pooling":
			name := filepath.Join(dir, filepath.FromSlash(m.Path), "config.json")
			var pooling map[string]any
			if err := readJSON(name, &pooling); err != nil {
				return nil, err
			}
			for key, v := range pooling {
				mode, ok := strings.CutPrefix(key, "pooling_mode_")
				if key == "pooling_mode" { // of newer versions
					mode = strings.Trim(fmt.Sprint(v), "[]")
				} else if !ok || v != true {
					continue
				}
				if mode != "mean_tokens" && mode != "mean" {
					s.meanOnly = fmt.Errorf("%s: %w: pooling mode %s: hugot supports only the mean of the tokens", name, ErrFolder, mode)
				}
			}
		default:
			s.meanOnly = fmt.Errorf("%s: %w: hugot does not run the module %s: export it within the ONNX file, as sentence_embedding", filepath.Join(dir, "modules.json"), ErrFolder, kind)
		}
	}
	return s, nil
}

// fingerprint hashes the files that the embeddings depend on.
func fingerprint(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".json" && ext != ".onnx" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(raw))
		sum.Write(raw)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

var (
	cardHead = regexp.MustCompile(`^---\r?\n([\s\S]*?)\r?\n---`)
	cardList = regexp.MustCompile(`(?m)^languages?:[ \t]*(.*(?:\r?\n[ \t]*-[ \t].*)*)`)
	cardTag  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9-]*`)
)

// cardLanguages reads the languages in the front matter of a model card: one, [some]
// or a list of lines. "zh-tw" becomes zh; a word that is not a tag, such as
// multilingual, means that the languages are unknown.
func cardLanguages(name string) (languages []string, err error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head := cardHead.FindSubmatch(raw)
	if head == nil {
		return nil, nil
	}
	list := cardList.FindSubmatch(head[1])
	if list == nil {
		return nil, nil
	}
	for _, tag := range cardTag.FindAllString(string(list[1]), -1) {
		language, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if len(language) < 2 || len(language) > 3 || strings.ContainsAny(language, "0123456789") {
			return nil, nil
		}
		if !slices.Contains(languages, language) {
			languages = append(languages, language)
		}
	}
	return languages, nil
}
