package protocol

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/errorf"
)

// maxSafeInteger is JavaScript's Number.MAX_SAFE_INTEGER.
const maxSafeInteger = 1<<53 - 1

// DecodeRequest reads a request from its tree. The error is an *[Error] with
// the path of the first invalid field.
func DecodeRequest(tree any) (Request, error) {
	d := &decoder{}
	r := d.request(tree)
	if d.err != nil {
		return nil, d.err
	}
	return r, nil
}

// decoder reads a tree and keeps the first error; afterwards every read returns
// a zero value, so that callers check once.
type decoder struct {
	id  int
	err *Error
}

func (d *decoder) fail(code Code, field, format string, args ...any) {
	if d.err != nil {
		return
	}
	message := errorf.Errorf(format, args...).Error()
	if field != "" {
		message = field + ": " + message
	}
	d.err = &Error{Code: code, ID: d.id, Field: field, Message: message}
}

func (d *decoder) request(tree any) Request {
	o, ok := tree.(map[string]any)
	if !ok {
		d.fail(CodeProtocol, "", "want an object as a request, got %s", core.TypeName(tree))
		return nil
	}
	// Read the id first, so that every later error can be matched to its call.
	if id, ok := o["id"].(float64); ok && id >= 1 && id <= maxSafeInteger && id == math.Trunc(id) {
		d.id = int(id)
	}
	kind, ok := o["kind"].(string)
	if !ok {
		d.fail(CodeProtocol, "kind", "want a string, got %s", core.TypeName(o["kind"]))
		return nil
	}
	known := func(fields ...string) { d.only(o, "", CodeProtocol, append([]string{"kind", "id"}, fields...)...) }
	switch kind {
	case "hello":
		d.only(o, "", CodeProtocol, "kind", "protocol")
		return Hello{Protocol: d.integer(o["protocol"], "protocol", CodeProtocol, 0)}
	case "info":
		known()
		return InfoRequest{ID: d.identity(o)}
	case "open":
		known("documents", "languages", "titles", "options")
		return OpenRequest{
			ID: d.identity(o), Documents: d.documents(o["documents"]),
			Languages: d.texts(o["languages"], "languages"), Titles: d.boolean(o["titles"], "titles"), Options: d.options(o["options"]),
		}
	case "embed":
		known("session", "embeddings", "dimensions", "languages")
		return EmbedRequest{ID: d.identity(o), Session: d.session(o), Embeddings: core.Embeddings{
			Data: d.floats(o["embeddings"], "embeddings"), Dimensions: d.integer(o["dimensions"], "dimensions", CodeOption, 1),
			Languages: d.texts(o["languages"], "languages"),
		}}
	case "toEmbed":
		known("session", "tokens")
		return ToEmbedRequest{ID: d.identity(o), Session: d.session(o), Tokens: d.integer(o["tokens"], "tokens", CodeOption, 1)}
	case "tokenize":
		known("texts", "asks", "vocabulary")
		return TokenizeRequest{ID: d.identity(o), Texts: d.texts(o["texts"], "texts"), Asks: d.boolean(o["asks"], "asks"), Vocabulary: d.bytes(o["vocabulary"], "vocabulary")}
	case "summarize":
		known("session", "options")
		return SummarizeRequest{ID: d.identity(o), Session: d.session(o), Options: d.options(o["options"])}
	case "close":
		known("session")
		return CloseRequest{ID: d.identity(o), Session: d.session(o)}
	}
	d.fail(CodeProtocol, "kind", "want hello, info, open, toEmbed, tokenize, embed, summarize or close, got %q", kind)
	return nil
}

func (d *decoder) identity(o map[string]any) int {
	return d.integer(o["id"], "id", CodeProtocol, 1)
}

func (d *decoder) session(o map[string]any) int {
	return d.integer(o["session"], "session", CodeProtocol, 1)
}

func (d *decoder) documents(v any) []core.Document {
	list, ok := v.([]any)
	if !ok {
		d.fail(CodeOption, "documents", "want an array of documents, got %s", core.TypeName(v))
		return nil
	}
	docs := make([]core.Document, len(list))
	for i, item := range list {
		path := "documents[" + strconv.Itoa(i) + "]"
		o := d.object(item, path)
		d.only(o, path+".", CodeOption, "text", "title", "source", "language", "date", "blocks")
		if d.err != nil {
			return nil
		}
		if _, ok := o["text"].(string); !ok {
			d.fail(CodeOption, path+".text", "want a string, got %s", core.TypeName(o["text"]))
		}
		docs[i] = core.Document{
			Text:     d.text(o["text"], path+".text"),
			Title:    d.text(o["title"], path+".title"),
			Source:   d.text(o["source"], path+".source"),
			Language: d.text(o["language"], path+".language"),
			Date:     d.text(o["date"], path+".date"),
		}
		if v := o["blocks"]; v != nil && d.err == nil {
			blocks, err := core.DecodeBlocks(docs[i].Text, v)
			if err != nil {
				d.option(err, path+".blocks")
			}
			docs[i].Blocks = blocks
		}
	}
	return docs
}

// options reads the options of a summary, which package core declares.
func (d *decoder) options(v any) core.Options {
	if v == nil || d.err != nil {
		return core.Options{}
	}
	options, err := core.DecodeOptions(d.object(v, "options"))
	if err != nil {
		d.option(err, "options.")
	}
	return options
}

// option reports an option error of the core, with the path of its field.
func (d *decoder) option(err error, prefix string) {
	if option, ok := errors.AsType[*core.OptionError](err); ok {
		d.fail(CodeOption, prefix+option.Name, "%s", option.Message)
	} else {
		d.fail(CodeOption, "", "%s", err.Error())
	}
}

// texts reads an optional array of strings.
func (d *decoder) texts(v any, path string) []string {
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		d.fail(CodeOption, path, "want an array of strings, got %s", core.TypeName(v))
		return nil
	}
	texts := make([]string, len(list))
	for i, item := range list {
		if texts[i], ok = item.(string); !ok {
			d.fail(CodeOption, path+"["+strconv.Itoa(i)+"]", "want a string, got %s", core.TypeName(item))
		}
	}
	return texts
}

// floats reads a Float32Array.
func (d *decoder) floats(v any, path string) []float32 {
	m, ok := v.([]float32)
	if !ok {
		d.fail(CodeOption, path, "want a Float32Array, got %s", core.TypeName(v))
	}
	return m
}

// bytes reads an optional Uint8Array.
func (d *decoder) bytes(v any, path string) []byte {
	if v == nil {
		return nil
	}
	b, ok := v.([]byte)
	if !ok {
		d.fail(CodeOption, path, "want a Uint8Array, got %s", core.TypeName(v))
	}
	return b
}

// object reads an object.
func (d *decoder) object(v any, path string) map[string]any {
	if d.err != nil {
		return nil
	}
	o, ok := v.(map[string]any)
	if !ok {
		d.fail(CodeOption, path, "want an object, got %s", core.TypeName(v))
	}
	return o
}

// only refuses unknown fields of o; the error names the alphabetically first
// one. The prefix is the path of o with a dot.
func (d *decoder) only(o map[string]any, prefix string, code Code, known ...string) {
	unknown := ""
	for name := range o {
		if !slices.Contains(known, name) && (unknown == "" || name < unknown) {
			unknown = name
		}
	}
	if unknown != "" {
		d.fail(code, prefix+unknown, "unknown field: want %s", core.OneOf(known))
	}
}

// text reads an optional string.
func (d *decoder) text(v any, path string) string {
	if v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		d.fail(CodeOption, path, "want a string, got %s", core.TypeName(v))
	}
	return s
}

// boolean reads an optional boolean.
func (d *decoder) boolean(v any, path string) bool {
	if v == nil {
		return false
	}
	b, ok := v.(bool)
	if !ok {
		d.fail(CodeOption, path, "want a boolean, got %s", core.TypeName(v))
	}
	return b
}

func (d *decoder) integer(v any, path string, code Code, least int) int {
	f, ok := v.(float64)
	if !ok {
		d.fail(code, path, "want a whole number, got %s", core.TypeName(v))
		return 0
	}
	if f != math.Trunc(f) || f < float64(least) || f > maxSafeInteger {
		d.fail(code, path, "want a whole number of at least %d, got %v", least, f)
		return 0
	}
	return int(f)
}
