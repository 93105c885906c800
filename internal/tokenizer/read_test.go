package tokenizer

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// with returns a small file with one field replaced.
func with(field, value string) string {
	fields := []struct{ name, value string }{
		{"added_tokens", `[]`}, {"normalizer", `null`}, {"pre_tokenizer", `null`}, {"post_processor", `null`}, {"decoder", `null`},
		{"model", `{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1]]}`},
	}
	var b strings.Builder
	for _, f := range fields {
		if f.name == field {
			f.value = value
		}
		if f.value == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + f.name + `":` + f.value)
	}
	return "{" + b.String() + "}"
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ field, value, want string }{
		{"normalizer", ``, `normalizer: missing`},
		{"added_tokens", `null`, `added_tokens: want an array, have null`},
		{"added_tokens", `[{"id":1}]`, `added_tokens[0].content: missing`},
		{"added_tokens", `[{"content":"x"}]`, `added_tokens[0].id: missing`},
		{"added_tokens", `[{"content":"x","id":-1}]`, `added_tokens[0].id: want an id from 0 to 4194303, got -1`},
		{"added_tokens", `[{"content":"x","id":1.5}]`, `added_tokens[0].id: want an id from 0 to 4194303, got 1.5`},
		{"added_tokens", `[{"content":"x","id":1e12}]`, `added_tokens[0].id: want an id from 0 to 4194303, got 1e+12`},
		{"added_tokens", `[{"content":7,"id":1}]`, `added_tokens[0].content: want a string, have number`},
		{"added_tokens", `[{"content":"a","id":7}]`, `"a" has the id 7, beyond the end of model.vocab`},
		{"normalizer", `[]`, `normalizer: want an object, have an array`},
		{"normalizer", `{}`, `normalizer.type: missing`},
		{"normalizer", `{"type":"Foo"}`, `normalizer.type: unknown "Foo"`},
		{"normalizer", `{"type":"Sequence","normalizers":[{"type":"NFC"},null,{"type":"Foo"}]}`, `normalizer.normalizers[2].type: unknown "Foo"`},
		{"normalizer", `{"type":"Sequence","normalizers":7}`, `normalizer.normalizers: want an array, have a number`},
		{"normalizer", `{"type":"Prepend"}`, `normalizer.prepend: missing`},
		{"normalizer", `{"type":"Strip","strip_left":1}`, `normalizer.strip_left: want true or false, have number`},
		{"normalizer", `{"type":"Replace"}`, `normalizer.pattern: missing`},
		{"normalizer", `{"type":"Replace","pattern":{}}`, `normalizer.pattern: want a String or a Regex`},
		{"normalizer", `{"type":"Replace","pattern":{"String":"a"},"content":"$'"}`, `normalizer.content: "$'"`},
		{"normalizer", `{"type":"Replace","pattern":{"Regex":"(a)"},"content":"$1"}`, `normalizer.content: "$1"`},
		{"normalizer", `{"type":"Replace","pattern":{"Regex":"(a)\\1"}}`, `normalizer.pattern.Regex: cannot run "(a)\\1": the escape \1`},
		{"pre_tokenizer", `{"type":"Foo"}`, `pre_tokenizer.type: unknown "Foo"`},
		{"pre_tokenizer", `{"type":"Sequence","pretokenizers":[{"type":"Foo"}]}`, `pre_tokenizer.pretokenizers[0].type: unknown "Foo"`},
		{"pre_tokenizer", `{"type":"FixedLength"}`, `pre_tokenizer.length: want an integer of at least 1, got 0`},
		{"pre_tokenizer", `{"type":"Split","pattern":{"Regex":"a("}}`, `pre_tokenizer.pattern.Regex: cannot run "a(": missing )`},
		{"pre_tokenizer", `{"type":"Split","pattern":{"Regex":"(a)"},"behavior":"Removed"}`, `pre_tokenizer.pattern.Regex: a group that captures`},
		{"decoder", `{"type":"Foo"}`, `decoder.type: unknown "Foo"`},
		{"decoder", `{"type":"Sequence","decoders":[{"type":"Foo"}]}`, `decoder.decoders[0].type: unknown "Foo"`},
		{"post_processor", `{"type":"Foo"}`, `post_processor.type: unknown "Foo"`},
		{"post_processor", `{"type":"Sequence","processors":[null]}`, `post_processor.processors[0]: want an object, have null`},
		{"post_processor", `{"type":"BertProcessing","cls":["a",1]}`, `post_processor.sep: missing`},
		{"post_processor", `{"type":"BertProcessing","cls":["b",1],"sep":["a",1]}`, `post_processor.cls[0]: want a token, got "b"`},
		{"post_processor", `{"type":"BertProcessing","cls":"a","sep":["a",1]}`, `post_processor.cls: want an array`},
		{"post_processor", `{"type":"TemplateProcessing"}`, `post_processor.single: missing`},
		{"post_processor", `{"type":"TemplateProcessing","single":[]}`, `post_processor.single: the Sequence A is missing`},
		{"post_processor", `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"b"}}]}`, `post_processor.single[0].SpecialToken.id: want a token, got "b"`},
		{"post_processor", `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"B"}}]}`, `post_processor.single[0]: want`},
		{"model", `null`, `model: want an object, have null`},
		{"model", `{"type":"WordLevel","vocab":{}}`, `model.type: unknown "WordLevel"`},
		{"model", `{"type":"Unigram"}`, `model.vocab: missing`},
		{"model", `{"type":"Unigram","vocab":{}}`, `model.vocab: want an array, have an object`},
		{"model", `{"type":"Unigram","vocab":[["a",1]]}`, `model.unk_id: missing`},
		{"model", `{"type":"Unigram","unk_id":1,"vocab":[["a",1]]}`, `model.unk_id: want less than 1, the number of pieces, got 1`},
		{"model", `{"type":"Unigram","unk_id":0,"vocab":[["a",1],["b"]]}`, `model.vocab[1]: want a piece and its score`},
		{"model", `{"type":"Unigram","unk_id":0,"vocab":[["a",1],7]}`, `model.vocab[1]: want a piece and its score`},
		{"model", `{"type":"Unigram","unk_id":0,"vocab":[["a",1,2]]}`, `model.vocab[0]: want a piece and its score`},
		{"model", `{"type":"WordPiece","vocab":{"a":0}}`, `model.unk_token: missing`},
		{"model", `{"type":"WordPiece","vocab":{"a":0},"unk_token":"a"}`, `model.continuing_subword_prefix: missing`},
		{"model", `{"type":"WordPiece","vocab":{"a":0},"unk_token":"b","continuing_subword_prefix":""}`, `model.unk_token: want a token, got "b"`},
		{"model", `{"type":"WordPiece","vocab":{"a":"b"},"unk_token":"a","continuing_subword_prefix":""}`, `model.vocab["a"]: want an id`},
		{"model", `{"type":"WordPiece","vocab":{"a":-2},"unk_token":"a","continuing_subword_prefix":""}`, `model.vocab["a"]: want an id from 0 to 4194303, got -2`},
		{"model", `{"type":"BPE","vocab":{"a":0}}`, `model.merges: missing`},
		{"model", `{"type":"BPE","vocab":{"a":0},"merges":["a a","b"]}`, `model.merges[1]: want two tokens`},
		{"model", `{"type":"BPE","vocab":{"a":0},"merges":[["a"]]}`, `model.merges[0]: want two tokens`},
		{"model", `{"vocab":{"a":0}}`, `model.type: missing`},
	} {
		_, err := Read(strings.NewReader(with(c.field, c.value)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want %q", c.field, c.value, err, c.want)
		}
	}
	for _, file := range []string{"", "{", "[]", "null", `{"model":`, "\xff", with("model", `{"type":"Unigram","unk_id":0,"vocab":[["a",1e999]]}`)} {
		if _, err := Read(strings.NewReader(file)); err == nil {
			t.Errorf("%q is not refused", file)
		}
	}
	broken := errors.New("broken")
	if _, err := Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
}

func TestLongToken(t *testing.T) {
	file := with("model", `{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["`+strings.Repeat("a", 1<<17)+`",-1]]}`)
	if _, err := Read(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), "model.vocab: want tokens of at most 65536 bytes, got 131072") {
		t.Errorf("error %v", err)
	}
}

// TestUnknownsJoin: like the reference, unknown text is joined across words and then
// looked up again.
func TestUnknownsJoin(t *testing.T) {
	tok := parse(t, `{"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"WhitespaceSplit"},"post_processor":null,"decoder":null,
		"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1],["xy",-2]]}}`)
	for text, want := range map[string]string{
		"a x a": "a ? a", "a xz b a": "a ? a", "x y": "xy", "x ? y": "?", "? x y": "?", "x y z": "?", "xy": "xy",
	} {
		if got := strings.Join(names(tok, tok.Encode(text)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	sentences := lines[string](t, "testdata/sentences.jsonl")
	for _, name := range fixtures(t) {
		tok := fixture(t, name)
		want := lines[[]int32](t, "testdata/"+name+"/ids.jsonl")
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				for i := range sentences {
					i = (i + g*7) % len(sentences)
					if got := tok.Encode(sentences[i]); len(got) != len(want[i]) {
						t.Errorf("%s: %q: %d ids, want %d", name, sentences[i], len(got), len(want[i]))
					}
				}
			})
		}
		wait.Wait()
	}
}

// FuzzRead checks that neither Read nor the tokenizer that it returns panics,
// whatever the file is.
func FuzzRead(f *testing.F) {
	f.Add(with("normalizer", `{"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"Regex":"(?<=a)[^b&&[c-e]]{2,3}?|\\b"},"content":"$&"},{"type":"NFKC"}]}`), "a b")
	f.Add(with("pre_tokenizer", `{"type":"Split","pattern":{"Regex":"(?i:'s)|[^\\r\\n\\p{L}]?\\p{L}+|\\s+(?!\\S)"},"behavior":"Isolated"}`), "it's a")
	f.Add(with("pre_tokenizer", `{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"FixedLength","length":3}]}`), "aé😀")
	f.Add(with("added_tokens", `[{"id":1,"content":"a","lstrip":true,"rstrip":true}]`), " a ")
	f.Add(with("model", `{"type":"BPE","unk_token":"<unk>","byte_fallback":true,"vocab":{"<unk>":0,"a":1,"aa":2},"merges":["a a"]}`), "aaab")
	f.Add(small, "sunflower\x00\xff")
	f.Fuzz(func(t *testing.T, file, text string) {
		tok, err := Read(strings.NewReader(file))
		if err != nil {
			return
		}
		for _, id := range tok.Encode(text) {
			if id < 0 || int(id) >= tok.Size() {
				t.Fatalf("id %d, Size %d", id, tok.Size())
			}
		}
	})
}
