package protocol

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/errorf"
)

// maxSafeInteger is the largest whole number that a JavaScript number holds
// together with its neighbours.
const maxSafeInteger = 1<<53 - 1

// DecodeRequest reads a request from its tree. The error is an *[Error] that
// names the first field at fault by its path.
func DecodeRequest(tree any) (Request, error) {
	d := &decoder{}
	r := d.request(tree)
	if d.err != nil {
		return nil, d.err
	}
	return r, nil
}

// decoder reads a tree and keeps the first error; after it every read gives a
// zero value, so that callers check once.
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
		d.fail(CodeProtocol, "", "a request is an object, not %s", typeName(tree))
		return nil
	}
	// The identity first, so that every later error can be matched to its call.
	if id, ok := o["id"].(float64); ok && id >= 1 && id <= maxSafeInteger && id == math.Trunc(id) {
		d.id = int(id)
	}
	kind, ok := o["kind"].(string)
	if !ok {
		d.fail(CodeProtocol, "kind", "want a string, not %s", typeName(o["kind"]))
		return nil
	}
	switch kind {
	case "hello":
		d.only(o, "", CodeProtocol, "kind", "protocol")
		return Hello{Protocol: d.integer(o["protocol"], "protocol", CodeProtocol, 0)}
	case "methods":
		d.only(o, "", CodeProtocol, "kind", "id")
		return MethodsRequest{ID: d.identity(o)}
	case "split":
		d.only(o, "", CodeProtocol, "kind", "id", "documents")
		return SplitRequest{ID: d.identity(o), Documents: d.documents(o["documents"])}
	case "summarize":
		d.only(o, "", CodeProtocol, "kind", "id", "documents", "options")
		return SummarizeRequest{
			ID:        d.identity(o),
			Documents: d.documents(o["documents"]),
			Options:   d.options(o["options"]),
		}
	}
	d.fail(CodeProtocol, "kind", "unknown kind %q: want hello, methods, split or summarize", kind)
	return nil
}

func (d *decoder) identity(o map[string]any) int {
	return d.integer(o["id"], "id", CodeProtocol, 1)
}

func (d *decoder) documents(v any) []cluster.Document {
	list, ok := v.([]any)
	if !ok {
		d.fail(CodeOption, "documents", "want an array of documents, not %s", typeName(v))
		return nil
	}
	docs := make([]cluster.Document, len(list))
	for i, item := range list {
		path := "documents[" + strconv.Itoa(i) + "]"
		o := d.object(item, path, "text", "title", "source", "language")
		if d.err != nil {
			return nil
		}
		if _, ok := o["text"].(string); !ok {
			d.fail(CodeOption, path+".text", "want a string, not %s", typeName(o["text"]))
		}
		docs[i] = cluster.Document{
			Text:     d.text(o["text"], path+".text"),
			Title:    d.text(o["title"], path+".title"),
			Source:   d.text(o["source"], path+".source"),
			Language: d.language(o["language"], path+".language"),
		}
	}
	return docs
}

// language reads a language tag and keeps its first part in lower case: the
// core tells no regions or scripts of a language apart.
func (d *decoder) language(v any, path string) string {
	tag := d.text(v, path)
	primary, rest, tagged := strings.Cut(strings.ToLower(tag), "-")
	if tag == "" {
		return ""
	}
	if len(primary) < 2 || len(primary) > 3 || strings.Trim(primary, "abcdefghijklmnopqrstuvwxyz") != "" || tagged && rest == "" {
		d.fail(CodeOption, path, "%q is no language tag: want one like \"en\" or \"pt-BR\"", tag)
		return ""
	}
	return primary
}

func (d *decoder) options(v any) core.Options {
	var options core.Options
	if v == nil {
		return options
	}
	o := d.object(v, "options", "method", "budget", "order", "embeddings", "dimensions", "denseWeight", "encoderLanguages", "query", "queryWeight", "queryEmbedding", "weights", "licence")
	options.Method = d.method(o["method"])
	options.Budget = d.budget(o["budget"])
	order := d.choice(o["order"], "options.order", string(core.OrderDocument), string(core.OrderRank))
	options.Order = core.Order(order)
	d.embeddings(o, &options)
	d.query(o, &options)
	options.Weights = d.weights(o["weights"])
	options.Licence = d.choice(o["licence"], "options.licence", core.LicenceFree)
	return options
}

// embeddings reads the options about embeddings. How many numbers there must be
// only the core can tell, when it has counted the sentences.
func (d *decoder) embeddings(o map[string]any, options *core.Options) {
	if v := o["embeddings"]; v != nil {
		m, ok := v.([]float32)
		if !ok {
			d.fail(CodeOption, "options.embeddings", "want a Float32Array, not %s", typeName(v))
		}
		options.Embeddings = m
		options.Dimensions = d.integer(o["dimensions"], "options.dimensions", CodeOption, 1)
	}
	for _, name := range []string{"dimensions", "denseWeight", "encoderLanguages"} {
		if o[name] != nil && o["embeddings"] == nil {
			d.fail(CodeOption, "options."+name, "there are no options.embeddings")
		}
	}
	options.DenseWeight = d.share(o["denseWeight"], "options.denseWeight")
	if v := o["encoderLanguages"]; v != nil {
		options.EncoderLanguages = d.languages(v, "options.encoderLanguages")
	}
}

// query reads the options about a query.
func (d *decoder) query(o map[string]any, options *core.Options) {
	options.Query = d.text(o["query"], "options.query")
	options.QueryWeight = d.share(o["queryWeight"], "options.queryWeight")
	if v := o["queryEmbedding"]; v != nil {
		m, ok := v.([]float32)
		if !ok {
			d.fail(CodeOption, "options.queryEmbedding", "want a Float32Array, not %s", typeName(v))
		}
		options.QueryEmbedding = m
		if o["embeddings"] == nil {
			d.fail(CodeOption, "options.queryEmbedding", "there are no options.embeddings")
		}
	}
	for _, name := range []string{"queryWeight", "queryEmbedding"} {
		if o[name] != nil && options.Query == "" {
			d.fail(CodeOption, "options."+name, "there is no options.query")
		}
	}
}

// share reads a number from 0 to 1 that may be absent.
func (d *decoder) share(v any, path string) *float64 {
	if v == nil {
		return nil
	}
	w, ok := v.(float64)
	if !ok {
		d.fail(CodeOption, path, "want a number, not %s", typeName(v))
	} else if !(w >= 0 && w <= 1) {
		d.fail(CodeOption, path, "want a number from 0 to 1, not %v", w)
	}
	return &w
}

// weights reads the weights of a centroid's estimation. Whether they suit the
// method and the embeddings only the core can tell.
func (d *decoder) weights(v any) *centroid.Weights[float32] {
	if v == nil {
		return nil
	}
	const path = "options.weights"
	o := d.object(v, path, "dimensions", "positions", "interpolation", "data")
	if d.err != nil {
		return nil
	}
	interpolation, ok := o["interpolation"].(bool)
	if !ok {
		d.fail(CodeOption, path+".interpolation", "want a boolean, not %s", typeName(o["interpolation"]))
	}
	data, ok := o["data"].([]float32)
	if !ok {
		d.fail(CodeOption, path+".data", "want a Float32Array, not %s", typeName(o["data"]))
	}
	dimensions := d.integer(o["dimensions"], path+".dimensions", CodeOption, 1)
	positions := d.integer(o["positions"], path+".positions", CodeOption, 1)
	if d.err != nil {
		return nil
	}
	w, err := centroid.ViewWeights(dimensions, positions, interpolation, data)
	if err != nil {
		d.fail(CodeOption, path, "%s", err.Error())
	}
	return w
}

// languages reads an array of language tags. An empty one is not nil.
func (d *decoder) languages(v any, path string) []string {
	list, ok := v.([]any)
	if !ok {
		d.fail(CodeOption, path, "want an array of language tags, not %s", typeName(v))
		return nil
	}
	tags := make([]string, len(list))
	for i, item := range list {
		at := path + "[" + strconv.Itoa(i) + "]"
		if tags[i] = d.language(item, at); tags[i] == "" {
			d.fail(CodeOption, at, "want a language tag, not nothing")
		}
	}
	return tags
}

func (d *decoder) method(v any) string {
	if v == nil {
		return ""
	}
	var names []string
	for _, m := range core.Methods() {
		names = append(names, m.Name)
	}
	// A line above a summary and no summary, so not in the list for people.
	names = append(names, "headline")
	return d.choice(v, "options.method", names...)
}

func (d *decoder) budget(v any) core.Budget {
	if v == nil {
		return core.Budget{}
	}
	const path = "options.budget"
	o := d.object(v, path, "amount", "unit")
	if d.err != nil {
		return core.Budget{}
	}
	if o["unit"] == nil {
		d.fail(CodeOption, path+".unit", "is missing: want words, sentences or characters")
	}
	return core.Budget{
		Amount: d.integer(o["amount"], path+".amount", CodeOption, 1),
		Unit: core.Unit(d.choice(o["unit"], path+".unit",
			string(core.Words), string(core.Sentences), string(core.Characters))),
	}
}

// object reads an object that has no fields but the known ones.
func (d *decoder) object(v any, path string, known ...string) map[string]any {
	if d.err != nil {
		return nil
	}
	o, ok := v.(map[string]any)
	if !ok {
		d.fail(CodeOption, path, "want an object, not %s", typeName(v))
		return nil
	}
	d.only(o, path+".", CodeOption, known...)
	return o
}

// only refuses the fields of o that are not known, the alphabetically first
// one by name. The prefix is the path of o, with its dot.
func (d *decoder) only(o map[string]any, prefix string, code Code, known ...string) {
	var unknown []string
next:
	for name := range o {
		for _, k := range known {
			if name == k {
				continue next
			}
		}
		unknown = append(unknown, name)
	}
	if len(unknown) == 0 {
		return
	}
	slices.Sort(unknown)
	d.fail(code, prefix+unknown[0], "unknown field: want %s", oneOf(known))
}

// text reads a string that may be absent.
func (d *decoder) text(v any, path string) string {
	if v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		d.fail(CodeOption, path, "want a string, not %s", typeName(v))
	}
	return s
}

// choice reads a string, one of values, that may be absent.
func (d *decoder) choice(v any, path string, values ...string) string {
	if v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		d.fail(CodeOption, path, "want a string, not %s", typeName(v))
		return ""
	}
	for _, value := range values {
		if s == value {
			return s
		}
	}
	d.fail(CodeOption, path, "unknown value %q: want %s", s, oneOf(values))
	return ""
}

func (d *decoder) integer(v any, path string, code Code, least int) int {
	f, ok := v.(float64)
	if !ok {
		d.fail(code, path, "want a whole number, not %s", typeName(v))
		return 0
	}
	if f != math.Trunc(f) || f < float64(least) || f > maxSafeInteger {
		d.fail(code, path, "want a whole number of at least %d, not %v", least, f)
		return 0
	}
	return int(f)
}

// typeName is what a JavaScript programmer calls the type of v.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	case []float32:
		return "a Float32Array"
	case map[string]any:
		return "an object"
	}
	return "a value of an unknown type"
}

// oneOf lists names as people do: "a, b or c".
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
