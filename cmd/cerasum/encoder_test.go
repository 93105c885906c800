package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/archivetest"
	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/models"
)

// exportOf writes the export folder of a static encoder: each word has the
// embedding beside it.
func exportOf(t *testing.T, words map[string][3]int8, languages string) string {
	t.Helper()
	vocabulary := map[string]int{"[UNK]": 0}
	table := []float32{0, 0, 0}
	for w, row := range words {
		vocabulary[w] = len(vocabulary)
		table = append(table, float32(row[0]), float32(row[1]), float32(row[2]))
	}
	g := &onnx.Graph{}
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
	g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
	g.Initializer("table", table, len(vocabulary), 3)
	g.Initializer("axis_2", []int64{2}, 1)
	g.Node("Gather", []string{"table", onnx.InputIDs}, []string{"rows"}, onnx.Int("axis", 0))
	g.Node("Cast", []string{onnx.AttentionMask}, []string{"mask"}, onnx.Int("to", int64(onnx.Float32)))
	g.Node("Unsqueeze", []string{"mask", "axis_2"}, []string{"mask_column"})
	g.Node("Mul", []string{"rows", "mask_column"}, []string{onnx.LastHiddenState})
	g.Output(onnx.LastHiddenState, onnx.Float32, batch, tokens, onnx.Fixed(3))
	var model bytes.Buffer
	if _, err := g.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	tokenizer, err := json.Marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "post_processor": nil, "decoder": nil,
		"added_tokens":  []any{map[string]any{"id": 0, "content": "[UNK]", "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"model.onnx": model.Bytes(), "tokenizer.json": tokenizer, "README.md": []byte("---\nlanguage: " + languages + "\n---\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stormWords say the same in two languages.
var stormWords = map[string][3]int8{
	"storm": {1, 0, 0}, "tempestade": {1, 0, 0}, "roof": {0, 3, 0}, "telhado": {0, 3, 0}, "sun": {0, 0, 2}, "sol": {0, 0, 2},
}

func TestEmbed(t *testing.T) {
	dir := exportOf(t, stormWords, "en")
	one := file(t, "one.txt", []byte("\xef\xbb\xbfStorm\r\n\nthe Roof, the storm\n"))
	two := file(t, "two.txt.gz", archivetest.Gzip(t, []byte("sun")))
	a := cli(t, strings.NewReader(""), "embed", "--encoder", dir, one, two).want(t, exitOK)
	if want := "[1,0,0]\n[0,0,0]\n[0.31622776,0.9486833,0]\n[0,0,1]\n"; a.stdout != want || a.stderr != "" {
		t.Errorf("%q, want %q; %s", a.stdout, want, a.stderr)
	}
	objects := `{"text": "storm", "id": 7}` + "\n\n" + `{"text": "a\nsun"}` + "\n"
	if a := cli(t, strings.NewReader(objects), "embed", "-e", dir, "--jsonl", "--format", "json").want(t, exitOK); a.stdout != "[[1,0,0],\n[0,0,1]]\n" {
		t.Errorf("%q", a.stdout)
	}
	if a := cli(t, strings.NewReader(""), "embed", "-e", dir, "--format", "json", "-").want(t, exitOK); a.stdout != "[]\n" {
		t.Errorf("nothing: %q", a.stdout)
	}
	raw := cli(t, strings.NewReader("roof\nsun\n"), "embed", "-e", dir, "--format", "f32").want(t, exitOK).stdout
	if want := "\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f"; raw != want {
		t.Errorf("f32: %q", raw)
	}
	out := filepath.Join(t.TempDir(), "e.npy")
	cli(t, strings.NewReader("roof\nsun\n"), "embed", "-e", dir, "--format", "npy", "--output", out, "--progress", "always").want(t, exitOK, "embed ")
	npy, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	head := int(binary.LittleEndian.Uint16(npy[8:])) + 10
	if string(npy[:8]) != "\x93NUMPY\x01\x00" || head%64 != 0 || !strings.Contains(string(npy[:head]), "'shape': (2, 3)") || string(npy[head:]) != raw {
		t.Errorf("npy: %q", npy)
	}
}

// TestEmbedLong puts out more than one chunk, in order.
func TestEmbedLong(t *testing.T) {
	dir := exportOf(t, stormWords, "en")
	var in, want strings.Builder
	for i := range embedChunk + 100 {
		word := []string{"storm", "roof", "sun", "else"}[i%4]
		in.WriteString(strings.Repeat(word+" ", 1+i%13) + "\n")
		want.WriteString([]string{"[1,0,0]\n", "[0,1,0]\n", "[0,0,1]\n", "[0,0,0]\n"}[i%4])
	}
	if a := cli(t, strings.NewReader(in.String()), "embed", "-e", dir).want(t, exitOK); a.stdout != want.String() {
		t.Error("other rows")
	}
}

func TestEmbedErrors(t *testing.T) {
	dir := exportOf(t, stormWords, "en")
	good := file(t, "good.txt", []byte("sun\n"))
	for _, c := range []struct {
		name  string
		stdin string
		args  []string
		code  int
		want  []string
	}{
		{"not UTF-8", "storm\nro\xffof\n", nil, exitFailed, []string{"standard input:2", "UTF-8"}},
		{"no JSON", "{\"text\": \"a\"}\nsun\n", []string{"--jsonl"}, exitFailed, []string{"standard input:2", "invalid character"}},
		{"no text", "{\"texts\": \"a\"}\n", []string{"--jsonl"}, exitFailed, []string{":1: ", "text: missing"}},
		{"a number", "{\"text\": 5}\n", []string{"--jsonl"}, exitFailed, []string{":1: ", "text"}},
		{"no file", "", []string{good, "missing.txt"}, exitFailed, []string{"missing.txt", "no such file"}},
		{"format", "", []string{"--format", "csv"}, exitUsage, []string{"unknown value for --format"}},
		{"progress", "", []string{"--progress", "no"}, exitUsage, []string{"unknown value for --progress"}},
		{"model", "", []string{"--encoder", "bert"}, exitUsage, []string{"--encoder bert: no such folder", "\"default\"", "sentence-transformers"}},
		{"file", "", []string{"--encoder", good}, exitUsage, []string{"no such folder"}},
		{"folder", "", []string{"--encoder", filepath.Dir(good)}, exitFailed, []string{"tokenizer.json"}},
		{"library", "", []string{"--ort-library", "no/such/library.so"}, exitFailed, []string{"no/such/library.so", "no usable onnxruntime library"}},
	} {
		args := append([]string{"embed", "--encoder", dir}, c.args...)
		if a := cli(t, strings.NewReader(c.stdin), args...).want(t, c.code, c.want...); strings.Contains(a.stdout, "[") {
			t.Errorf("%s: output %q", c.name, a.stdout)
		}
	}
	// What was there before stays.
	old := file(t, "old.jsonl", []byte("before"))
	cli(t, strings.NewReader("ro\xffof\n"), "embed", "-e", dir, "--output", old).want(t, exitFailed)
	if data, err := os.ReadFile(old); err != nil || string(data) != "before" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestEmbedInterrupted(t *testing.T) {
	dir := exportOf(t, stormWords, "en")
	never, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	codes := make(chan int)
	go func() { codes <- run(ctx, []string{"embed", "-e", dir}, never, io.Discard, io.Discard) }()
	cancel()
	if code := <-codes; code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// TestSummarizeEncoder: the same said in two languages is quoted once, where
// the encoder knows both.
func TestSummarizeEncoder(t *testing.T) {
	en := file(t, "en.txt", []byte("The storm tore the roof off the house of the mayor. The sun came back in the afternoon and dried the streets."))
	pt := file(t, "pt.txt", []byte("A tempestade arrancou o telhado da casa do prefeito. O sol voltou de tarde e secou as ruas da cidade inteira."))
	quoted := func(args ...string) string {
		a := cli(t, strings.NewReader(""), append([]string{"summarize", "--format", "json", "--budget", "4s"}, append(args, en, pt)...)...).want(t, exitOK)
		return a.stdout
	}
	both := func(s string) bool {
		s, _, _ = strings.Cut(s, `"method":`) // the documents are behind
		return strings.Contains(s, "The storm tore") && strings.Contains(s, "A tempestade arrancou")
	}
	knowing, english := exportOf(t, stormWords, "[en, pt]"), exportOf(t, stormWords, "en")
	if s := quoted("--encoder", knowing); both(s) || !strings.Contains(s, `"editor"`) {
		t.Errorf("with an encoder of both languages: %s", s)
	}
	if s := quoted("--encoder", english); !both(s) {
		t.Errorf("the encoder knows no Portuguese: %s", s)
	}
	if s := quoted("--method", "hybrid", "--encoder", knowing, "--dense-weight", "1"); !strings.Contains(s, `"hybrid"`) {
		t.Error(s)
	}
}

func TestSummarizeEncoderErrors(t *testing.T) {
	text := file(t, "en.txt", []byte("The storm tore the roof off. The sun came back."))
	dir := exportOf(t, stormWords, "en")
	broken := exportOf(t, stormWords, "en")
	if err := os.Truncate(filepath.Join(broken, "model.onnx"), 100); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"--method lead --encoder " + dir, exitUsage, []string{"method lead does not support --encoder"}},
		{"--method instant --dense-weight 0.5", exitUsage, []string{"method instant does not support --dense-weight"}},
		{"--method hybrid --dense-weight 1.5 --encoder " + dir, exitUsage, []string{"want a number from 0 to 1"}},
		{"--method hybrid --dense-weight NaN --encoder " + dir, exitUsage, []string{"want a number from 0 to 1"}},
		{"--method mean --encoder " + broken, exitFailed, []string{filepath.Join(broken, "model.onnx")}},
		{"--encoder " + broken, exitFailed, []string{filepath.Join(broken, "model.onnx")}},
		{"--encoder no-such-folder", exitUsage, []string{"no such folder"}},
		{"--ort-library no/such.so", exitFailed, []string{"no/such.so", "omit --ort-library"}},
	} {
		a := cli(t, strings.NewReader(""), append(append([]string{"summarize"}, strings.Fields(c.args)...), text)...).want(t, c.code, c.want...)
		if a.stdout != "" {
			t.Errorf("%s: %s", c.args, a.stdout)
		}
	}
}

// TestSummarizeFallsBack: unless an encoder was requested, its failure is a
// single warning.
func TestSummarizeFallsBack(t *testing.T) {
	m, err := encoder.Open(exportOf(t, stormWords, "[en, pt]"), encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	session, err := core.Open(t.Context(), []core.Document{
		{Language: "en", Text: "The storm tore the roof off the house."}, {Language: "pt", Text: "A tempestade arrancou o telhado da casa."},
	}, core.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	a := &app{stderr: &stderr, progress: &progress{w: io.Discard}}
	e := &embedder{app: a, method: methodInfo("auto"), model: m}
	for range 2 {
		var o core.Options
		if err := e.embed(t.Context(), session, &o); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(stderr.String(), "warning: encoder unavailable"); n != 1 || !strings.Contains(stderr.String(), "encoder is closed") {
		t.Errorf("%d warnings: %s", n, stderr.String())
	}
	for name, e := range map[string]*embedder{
		"method":  {app: a, method: methodInfo("hybrid"), model: m},
		"encoder": {app: a, method: methodInfo("auto"), model: m, flags: encoderFlags{name: "x"}},
	} {
		var o core.Options
		if err := e.embed(t.Context(), session, &o); err == nil {
			t.Errorf("%s was asked for: no error", name)
		}
	}
}

// TestShippedEncoder runs what the program has within, where it was built with
// an encoder.
func TestShippedEncoder(t *testing.T) {
	_, about, err := shipped()
	if errors.Is(err, errNoEncoder) {
		cli(t, strings.NewReader("a\n"), "embed").want(t, exitFailed, errNoEncoder.Error())
		en, pt := file(t, "en.txt", []byte("The storm tore the roof off the house of the mayor.")), file(t, "pt.txt", []byte("A tempestade arrancou o telhado da casa do prefeito."))
		cli(t, nil, "summarize", en, pt).want(t, exitOK, "warning: encoder unavailable")
		cli(t, nil, "summarize", "--method", "hybrid", en, pt).want(t, exitFailed, errNoEncoder.Error())
		t.Skip("models/encoder is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := models.Encoder()
	if err != nil {
		t.Fatal(err)
	}
	m, err := encoder.OpenShipped(files, encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Dimensions() != about.Dimensions {
		t.Errorf("%d dimensions, manifest.json says %d", m.Dimensions(), about.Dimensions)
	}
	info, err := fs.Stat(files, "encoder.onnx")
	if err != nil || info.Size() > 25<<20 {
		t.Errorf("encoder.onnx: %v, %v", info, err)
	}
	v, err := m.Embed(t.Context(), []string{"The storm tore the roof off the house.", "A tempestade arrancou o telhado da casa.", "Parliament will vote on the new law in June."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cosine := func(i, j int) float64 {
		sum, d := 0.0, m.Dimensions()
		for k := range d {
			sum += float64(v[i*d+k]) * float64(v[j*d+k])
		}
		return sum
	}
	if math.Abs(cosine(0, 0)-1) > 1e-3 || cosine(0, 1) < cosine(0, 2)+0.2 {
		t.Errorf("cosines: itself %.3f, translation %.3f, another sentence %.3f", cosine(0, 0), cosine(0, 1), cosine(0, 2))
	}
	cli(t, strings.NewReader("a\n"), "embed").want(t, exitOK)
}
