package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
)

var ferry = []string{
	"The ferry to Orvik left the quay two hours late on Monday. A chain had caught in its screw. Nobody was hurt.",
	"A chain in the screw held the ferry to Orvik for two hours on Monday, the harbour said. Divers cut it loose. The ferry then left with 40 passengers.",
	"Divers freed the Orvik ferry on Monday. It left two hours late. The harbour wants to know whose chain it was.",
}

func config() Config { return Config{Limits: DefaultLimits, Retry: 60} }

// ask sends a request with a JSON body, unless that is empty.
func ask(c Config, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	New(c).ServeHTTP(w, r)
	return w
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func get[T any](t *testing.T, w *httptest.ResponseRecorder) (v T) {
	t.Helper()
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s %s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSummarizeIsCoresSummary(t *testing.T) {
	var documents []core.Document
	for _, text := range ferry {
		documents = append(documents, core.Document{Text: text})
	}
	for _, m := range core.Methods() {
		if m.Embeddings == core.EmbeddingsRequired {
			continue
		}
		want, err := core.Summarize(t.Context(), documents, core.Options{Method: m.Name, Budget: core.Budget{Amount: 3, Unit: core.Sentences}, Order: core.OrderRank})
		if err != nil {
			t.Fatal(err)
		}
		got := get[batch.Summary](t, ask(config(), "POST", "/v1/summarize", encode(t, map[string]any{
			"id": 7, "documents": ferry, "method": m.Name, "budget": map[string]int{"sentences": 3}, "order": "rank", "texts": true,
		})))
		if got.Text != want.Text || got.Method != want.Method || string(got.ID) != "7" || *got.Documents[1].Text != ferry[1] {
			t.Errorf("%s: %+v, want %+v", m.Name, got, want)
		}
	}
	lean := get[batch.Summary](t, ask(config(), "POST", "/v1/summarize", encode(t, map[string]any{"documents": []any{map[string]string{"text": ferry[0], "title": "T", "source": "S", "language": "en-GB"}}})))
	if d := lean.Documents[0]; d.Text != nil || d.Attention != nil || d.Title != "T" || d.Source != "S" || d.Language != "en" || lean.ID != nil {
		t.Errorf("%+v", lean)
	}
}

// split is what POST /v1/sentences answers.
type split struct {
	Documents []struct {
		Language  string
		Sentences []struct {
			Text       string
			Start, End int
		}
	}
}

func TestEmbeddingsInBothForms(t *testing.T) {
	parts := get[split](t, ask(config(), "POST", "/v1/sentences", encode(t, map[string]any{"documents": ferry, "language": "en"})))
	var rows [][]float32
	var packed []byte
	for i, d := range parts.Documents {
		if d.Language != "en" {
			t.Errorf("%q", d.Language)
		}
		for j, s := range d.Sentences {
			if ferry[i][s.Start:s.End] != s.Text {
				t.Errorf("%+v", s)
			}
			row := []float32{float32(i) + 1, float32(j) - 0.5, float32(len(s.Text)) / 50}
			rows = append(rows, row)
			for _, v := range row {
				packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(v))
			}
		}
	}
	if len(rows) != 9 {
		t.Fatalf("%d sentences", len(rows))
	}
	for _, m := range core.Methods() {
		if m.Weights != core.WeightsNone {
			continue
		}
		request := map[string]any{"documents": ferry, "method": m.Name, "budget": map[string]int{"words": 30}, "embeddings": rows}
		if m.Query {
			request["query"], request["queryEmbedding"], request["queryWeight"] = "divers", rows[4], 0.5
		}
		plain := ask(config(), "POST", "/v1/summarize", encode(t, request))
		request["embeddings"], request["dimensions"] = base64.StdEncoding.EncodeToString(packed), 3
		if m.Query {
			request["queryEmbedding"] = base64.StdEncoding.EncodeToString(packed[4*12 : 5*12])
		}
		if binary := ask(config(), "POST", "/v1/summarize", encode(t, request)); plain.Code != 200 || !bytes.Equal(binary.Body.Bytes(), plain.Body.Bytes()) {
			t.Errorf("%s: %s and %s", m.Name, plain.Body, binary.Body)
		}
	}
}

func TestSelect(t *testing.T) {
	line := `"documents":[["a b c","d e"],["f g"]],"embeddings":[[[1,0],[0,1]],[[0.5,0.5]]]`
	type choice struct {
		Selected [][2]int
		Score    float64
	}
	if got := get[choice](t, ask(config(), "POST", "/v1/select", `{`+line+`,"centroid":[0,1],"params":{"budget_words":2}}`)); !slices.Equal(got.Selected, [][2]int{{0, 1}}) || got.Score != 1 {
		t.Errorf("%+v", got)
	}
	if got := get[choice](t, ask(config(), "POST", "/v1/select", `{"method":"lead","documents":[["a b c","d e"],["f g"]],"budget_words":5}`)); !slices.Equal(got.Selected, [][2]int{{0, 0}, {1, 0}}) {
		t.Errorf("%+v", got)
	}
}

func TestProblems(t *testing.T) {
	small := config()
	small.Limits.Body, small.Limits.Documents, small.Limits.Sentences = 400, 2, 4
	slow := config()
	slow.Limits.Time = time.Nanosecond
	steps := config()
	steps.Limits.Steps = 3
	limited := config()
	limited.Limited = func(*http.Request) bool { return true }
	body := func(more string) string { return `{"documents":["One ferry was late."]` + more + `}` }
	const sum, sel, cut = "/v1/summarize", "/v1/select", "/v1/sentences"
	for _, c := range []struct {
		config             Config
		path, body         string
		status             int
		kind, field, wants string
	}{
		{config(), sum, ``, 415, "unsupported-media-type", "", "Content-Type"},
		{config(), sum, ` `, 400, "malformed", "", "invalid JSON"},
		{config(), sum, `{"documents":["a"]`, 400, "malformed", "", "invalid JSON"},
		{config(), sum, `{"documents":["a"]} {}`, 400, "malformed", "", "trailing data"},
		{config(), sum, `[]`, 400, "malformed", "", "want an object, got an array"},
		{config(), sum, "{\"documents\":[\"\xff\"]}", 400, "malformed", "", "UTF-8"},
		{config(), sum, `{}`, 400, "malformed", "documents", "missing"},
		{config(), sum, `{"documents":"a"}`, 400, "malformed", "documents", "want an array, got a string"},
		{config(), sum, `{"documents":[1]}`, 400, "malformed", "documents[0]", "got a number"},
		{config(), sum, `{"documents":["a",{"text":null}]}`, 400, "malformed", "documents[1].text", "got null"},
		{config(), sum, `{"documents":["a",{"texts":""}]}`, 400, "malformed", "documents[1].texts", "unknown field"},
		{config(), sum, `{"documents":[{"text":"a","language":"?"}]}`, 422, "unusable", "documents[0].language", `want a language tag like en or pt-BR, got "?"`},
		{config(), sum, body(`,"language":7`), 400, "malformed", "language", "want a string"},
		{config(), sum, body(`,"language":"?"`), 422, "unusable", "language", `want a language tag like en or pt-BR, got "?"`},
		{config(), sum, body(`,"id":[]`), 400, "malformed", "id", "want a string or a number"},
		{config(), sum, body(`,"documents":[]`), 400, "malformed", "documents", "duplicate field"},
		{config(), sum, body(`,"budget":{"words":100,"words":50}`), 400, "malformed", "budget.words", "duplicate field"},
		{config(), sum, body(`,"x":1`), 400, "malformed", "x", "unknown field"},
		{config(), sum, body(`,"method":1`), 400, "malformed", "method", "want a string"},
		{config(), sum, body(`,"method":"oracle"`), 422, "unusable", "method", `mmr or lead, got "oracle"`},
		{config(), sum, body(`,"method":"cera"`), 422, "unusable", "method", "requires weights"},
		{config(), sum, body(`,"method":"hybrid"`), 422, "unusable", "method", "hybrid requires embeddings"},
		{config(), sum, body(`,"budget":5`), 400, "malformed", "budget", "want an object"},
		{config(), sum, body(`,"budget":{}`), 400, "malformed", "budget", "want exactly one of"},
		{config(), sum, body(`,"budget":{"words":1,"sentences":1}`), 400, "malformed", "budget", "want exactly one of"},
		{config(), sum, body(`,"budget":{"words":1.5}`), 400, "malformed", "budget.words", "whole number"},
		{config(), sum, body(`,"budget":{"words":0}`), 422, "unusable", "budget.words", "want a whole number from 1 to 1000000000, got 0"},
		{config(), sum, body(`,"order":"best"`), 422, "unusable", "order", `want story, document or rank, got "best"`},
		{config(), sum, body(`,"fill":1`), 400, "malformed", "fill", "want a boolean, got a number"},
		{config(), sum, body(`,"fill":null`), 400, "malformed", "fill", "want a value, got null"},
		{config(), sum, body(`,"beamWidth":-1`), 422, "unusable", "beamWidth", "want a whole number from 1 to 1000000000, got -1"},
		{config(), sum, body(`,"texts":"yes"`), 400, "malformed", "texts", "want true or false"},
		{config(), sum, body(`,"queryWeight":"1"`), 400, "malformed", "queryWeight", "want a number"},
		{config(), sum, body(`,"query":"a","queryWeight":2`), 422, "unusable", "queryWeight", "want a number from 0 to 1, got 2"},
		{config(), sum, body(`,"encoderLanguages":["en",1]`), 400, "malformed", "encoderLanguages[1]", "want a string"},
		{config(), sum, body(`,"embeddings":{}`), 400, "malformed", "embeddings", "array of arrays"},
		{config(), sum, body(`,"embeddings":[]`), 400, "malformed", "embeddings", "no rows"},
		{config(), sum, body(`,"embeddings":[[]]`), 400, "malformed", "embeddings[0]", "0 numbers"},
		{config(), sum, body(`,"embeddings":[[1,null]]`), 400, "malformed", "embeddings[0][1]", "want a number, got null"},
		{config(), sum, body(`,"embeddings":[[1],[1,2]]`), 400, "malformed", "embeddings[1]", "2 numbers: want 1"},
		{config(), sum, body(`,"embeddings":[[1e300]]`), 400, "malformed", "embeddings[0]", "float32"},
		{config(), sum, body(`,"embeddings":[[1],[2]]`), 422, "unusable", "embeddings", "want 1 numbers (1 × 1), got 2"},
		{config(), sum, body(`,"embeddings":"AAAA"`), 400, "malformed", "embeddings", "requires dimensions"},
		{config(), sum, body(`,"embeddings":"AAAA","dimensions":1`), 400, "malformed", "embeddings", "3 bytes"},
		{config(), sum, body(`,"embeddings":"?","dimensions":1`), 400, "malformed", "embeddings", "not base64"},
		{config(), sum, body(`,"embeddings":"AADAfw==","dimensions":1`), 422, "unusable", "embeddings", "want finite numbers, got NaN in row 0, column 0"},
		{config(), sum, body(`,"dimensions":1`), 400, "malformed", "dimensions", "requires embeddings"},
		{config(), sum, body(`,"dimensions":-1,"embeddings":[[1]]`), 422, "unusable", "dimensions", "want an integer of at least 1, got -1"},
		{config(), sum, body(`,"dimensions":0`), 422, "unusable", "dimensions", "want an integer of at least 1, got 0"},
		{config(), sum, body(`,"method":"mean","embeddings":[[1]],"query":"a","queryEmbedding":[1,2]`), 422, "unusable", "queryEmbedding", "want 1 numbers (1 × 1), got 2"},
		{config(), sum, `{"documents":[]}`, 422, "unusable", "documents", "nothing to summarize"},
		{config(), sum, `{"documents":["...",""]}`, 422, "unusable", "documents", "nothing to summarize"},
		// Options and the id are refused before any text is read.
		{config(), sum, `{"documents":["..."],"queryWeight":0.5}`, 422, "unusable", "queryWeight", "requires query"},
		{config(), sum, `{"documents":[{"text":"a","language":"?"}],"query":"a","queryWeight":2}`, 422, "unusable", "queryWeight", "from 0 to 1"},
		{config(), sum, `{"documents":[{"text":"a","language":"?"}],"method":"cerai"}`, 422, "unusable", "method", "requires weights"},
		{config(), sum, `{"documents":[{"text":"a","language":"?"}],"id":{}}`, 400, "malformed", "id", "want a string or a number"},
		{config(), sum, body(`,"patience":"9"`), 400, "malformed", "patience", "want a whole number, got a string"},
		{config(), sum, body(`,"n":null`), 400, "malformed", "n", "want a value, got null"},
		{config(), sum, body(`,"licence":"GPL"`), 422, "unusable", "licence", `want free or any, got "GPL"`},
		{config(), sum, body(`,"preselect":"some"`), 422, "unusable", "preselect", `want n_first, n_best or all, got "some"`},
		{config(), sum, body(`,"denseWeight":0.5`), 422, "unusable", "denseWeight", "requires embeddings"},
		{config(), sum, body(`,"budget":{"pages":1}`), 400, "malformed", "budget.pages", "unknown field"},
		{config(), sum, body(`,"budget":{"characters":9223372036854775807}`), 422, "unusable", "budget.characters", "want a whole number from 1 to 1000000000"},
		{config(), sum, body(`,"candidates":9`), 400, "malformed", "candidates", "unknown field"},
		{config(), sum, body(`,"encoderLanguages":["en"]`), 400, "malformed", "encoderLanguages", "requires embeddings"},
		{config(), sum, body(`,"beamWidth":2000000000`), 422, "unusable", "beamWidth", "want at most 1000, got 2000000000"},
		{config(), sum, body(`,"patience":1001`), 422, "unusable", "patience", "want at most 1000"},
		{config(), sum, body(`,"n":1001`), 422, "unusable", "n", "want at most 1000"},
		{config(), sum, body(`,"encoderLanguages":["en"` + strings.Repeat(`,"en"`, 1000) + `]`), 422, "unusable", "encoderLanguages", "1001 languages: want at most 1000"},
		{config(), sum, body(`,"language":"` + strings.Repeat("en-", 10000) + `"`), 422, "unusable", "language", "want a language tag like en or pt-BR, got 30000 bytes"},
		{config(), sum, body(`,"` + strings.Repeat("é", 10000) + `":1`), 400, "malformed", strings.Repeat("é", 250) + "…", "unknown field"},
		{config(), sum, body(`,"embeddings":[[1` + strings.Repeat(",1", 1<<16) + `]]`), 422, "unusable", "embeddings", "65537 numbers: want at most 65536"},
		{config(), sum, body(`,"embeddings":[[1]],"queryEmbedding":[1` + strings.Repeat(",1", 1<<16) + `]`), 422, "unusable", "queryEmbedding", "65537 numbers"},
		{small, sum, body(`,"embeddings":[[1],[1],[1],[1],[1]]`), 422, "too-many-sentences", "embeddings", "5 sentences: want at most 4"},
		{slow, sum, body(``), 422, "too-slow", "documents", "time"},
		{steps, sum, body(``), 422, "too-slow", "documents", "time"},
		{limited, sum, body(``), 429, "too-many-requests", "", "later"},
		{small, sum, body(`,"query":"` + strings.Repeat("x", 400) + `"`), 413, "body-too-large", "", "400 bytes"},
		{small, sum, `{"documents":["A.","B.","C."]}`, 422, "too-many-documents", "documents", "3 documents: want at most 2"},
		{small, sum, `{"documents":["One is. Two is. Three is.","Four is. Five is."]}`, 422, "too-many-sentences", "documents", "5 sentences: want at most 4"},
		{small, cut, `{"documents":["A.","B.","C."]}`, 422, "too-many-documents", "documents", "3 documents"},
		{config(), cut, body(`,"method":"auto"`), 400, "malformed", "method", "unknown field"},
		{config(), sel, `{"documents":[["a"]],"method":"best"}`, 422, "unusable", "method", "unknown method"},
		{config(), sel, `{"documents":[["a"]]}`, 400, "malformed", "embeddings", "missing"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]]}`, 400, "malformed", "centroid", "missing"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[["1"]]],"centroid":[1]}`, 400, "malformed", "embeddings[0][0][0]", "want a number"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1,2]}`, 400, "malformed", "embeddings[0][0]", "want 2 dimensions"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"beam_width":0}}`, 422, "unusable", "params.beam_width", "want at least 1"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"length_exponent":99}}`, 422, "unusable", "params.length_exponent", "want 0 to 10"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"preselect":"some"}}`, 422, "unusable", "params.preselect", "want n_first"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"n":0}}`, 422, "unusable", "params.n", "want at least 1"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"n":0,"budget_words":-1}}`, 422, "unusable", "params.budget_words", "want at least 1"},
		{config(), sel, `{"documents":[["a"],["b"]],"embeddings":[[[1e200]],[[1e200]]],"centroid":[1e200]}`, 422, "unusable", "embeddings", "not finite"},
		{small, sel, `{"method":"lead","documents":[["a"],["b"],["c"]]}`, 422, "too-many-documents", "documents", "3 documents"},
		{small, sel, `{"method":"lead","documents":[["a","b","c"],["d","e"]]}`, 422, "too-many-sentences", "documents", "5 sentences"},
		{small, sel, `{"method":"lead","documents":[[],[],[]]}`, 422, "too-many-documents", "documents", "3 documents"},
		{small, sel, `{"method":"lead","documents":[["","","","",""]]}`, 422, "too-many-sentences", "documents", "5 sentences"},
		{small, sel, `{"documents":[["a"]],"embeddings":[[[1],[1],[1],[1],[1]]],"centroid":[1]}`, 422, "too-many-sentences", "embeddings", "5 sentences"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1` + strings.Repeat(",1", 1<<16) + `]}`, 422, "unusable", "centroid", "65537 numbers"},
		{config(), sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1],"params":{"beam_width":2000000000}}`, 422, "unusable", "params.beam_width", "want at most 1000"},
		{slow, sel, `{"documents":[["a"]],"embeddings":[[[1]]],"centroid":[1]}`, 422, "too-slow", "documents", "time"},
		{config(), "/healthz", body(``), 405, "method-not-allowed", "", "GET"},
		{config(), "/v1/", body(``), 404, "not-found", "", "/v1/summarize"},
	} {
		w := ask(c.config, "POST", c.path, c.body)
		var p Problem
		d := json.NewDecoder(w.Body)
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			t.Errorf("%s %s: %v", c.path, c.body, err)
			continue
		}
		if w.Code != c.status || p.Status != c.status || p.Type != "urn:cerasum:problem:"+c.kind || p.Field != c.field || p.Title == "" || !strings.Contains(p.Detail, c.wants) ||
			w.Header().Get("Content-Type") != ContentType {
			t.Errorf("%s %.200s: %d %+v, want %d %s %q %q", c.path, c.body, w.Code, p, c.status, c.kind, c.field, c.wants)
		}
	}
}

// TestLanguageTags: the answer of the core, for a document and for all.
func TestLanguageTags(t *testing.T) {
	for _, tag := range []string{
		"", "pt", "PT", "pt-BR", "pt_BR", "por", "eng", "und", "zh-Hant-TW", "fil", "no", "nn", "iw",
		"p", "english", "p1", "-BR", "pt-", " pt", "português", strings.Repeat("en-", 33) + "xx",
	} {
		code, want := core.ParseLanguage(tag)
		if want == nil && code == "" {
			code = "en" // detected
		}
		for field, body := range map[string]any{
			"documents[0].language": map[string]any{"documents": []any{map[string]any{"text": ferry[0], "language": tag}}},
			"language":              map[string]any{"documents": ferry[:1], "language": tag},
		} {
			w := ask(config(), "POST", "/v1/sentences", encode(t, body))
			if want == nil {
				if got := get[split](t, w).Documents[0].Language; got != code {
					t.Errorf("%s %q: %q, want %q", field, tag, got, code)
				}
				continue
			}
			var p Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != 422 || p.Field != field || p.Detail != want.Error() {
				t.Errorf("%s %q: %+v, want %v", field, tag, p, want)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	body := `{"documents":["One ferry was late."]}`
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		want               map[string]string
	}{
		{"POST", "/v1/summarize", body, []string{"Content-Type", "application/json; charset=UTF-8"}, 200, map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}},
		{"POST", "/v1/summarize", body, []string{"Content-Type", "application/json; charset=latin1"}, 415, map[string]string{"Accept-Post": "application/json"}},
		{"POST", "/v1/summarize", body, []string{"Content-Type", "text/plain"}, 415, nil},
		{"POST", "/v1/summarize", body, []string{"Content-Encoding", "gzip"}, 415, nil},
		{"POST", "/v1/summarize", body, []string{"Content-Encoding", "Identity"}, 200, nil},
		{"PUT", "/v1/summarize", body, nil, 405, map[string]string{"Allow": "POST, OPTIONS"}},
		{"GET", "/v1/summarize", "", nil, 405, map[string]string{"Allow": "POST, OPTIONS"}},
		{"OPTIONS", "/v1/summarize", "", nil, 204, map[string]string{"Allow": "POST, OPTIONS", "Access-Control-Allow-Methods": ""}},
		{"HEAD", "/v1/methods", "", nil, 200, map[string]string{"Content-Type": "application/json"}},
		{"DELETE", "/healthz", "", nil, 405, map[string]string{"Allow": "GET, HEAD, OPTIONS"}},
	} {
		w := ask(config(), c.method, c.path, c.body, c.headers...)
		if w.Code != c.status || (c.method == "HEAD" || c.status == 204) != (w.Body.Len() == 0) {
			t.Errorf("%s %s %v: %d %s", c.method, c.path, c.headers, w.Code, w.Body)
		}
		for name, want := range c.want {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s %s: %s is %q, want %q", c.method, c.path, name, got, want)
			}
		}
	}
	w := ask(Config{Limits: DefaultLimits, Retry: 9, Limited: func(*http.Request) bool { return true }}, "POST", "/v1/select", body)
	if w.Code != 429 || w.Header().Get("Retry-After") != "9" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		origins []string
		origin  string
		allowed string
	}{
		{nil, "https://a.example", ""},
		{[]string{"*"}, "https://a.example", "*"},
		{[]string{"https://a.example", "https://b.example"}, "https://b.example", "https://b.example"},
		{[]string{"https://a.example"}, "https://b.example", ""},
		{[]string{"https://a.example"}, "", ""},
		// As people write them.
		{[]string{"HTTPS://A.Example/"}, "https://a.example", "https://a.example"},
		{[]string{"https://a.example:443", "http://B.example:80", "http://a.example:443"}, "https://a.example", "https://a.example"},
		{[]string{"https://a.example:443", "http://B.example:80", "http://a.example:443"}, "http://b.example", "http://b.example"},
		{[]string{"https://a.example:443", "http://B.example:80", "http://a.example:443"}, "http://a.example:443", "http://a.example:443"},
	} {
		cfg := config()
		cfg.Origins = c.origins
		for _, method := range []string{"OPTIONS", "POST"} {
			w := ask(cfg, method, "/v1/summarize", "", "Origin", c.origin)
			h := w.Header()
			if got := h.Get("Access-Control-Allow-Origin"); got != c.allowed {
				t.Errorf("%v, %s: %q", c.origins, c.origin, got)
			}
			if preflight := h.Get("Access-Control-Allow-Methods") != ""; preflight != (method == "OPTIONS" && c.allowed != "") {
				t.Errorf("%s %v, %s: %v", method, c.origins, c.origin, h)
			}
			if own := len(c.origins) == 0; (h.Get("Cross-Origin-Resource-Policy") == "same-origin") != own {
				t.Errorf("%v", h)
			}
		}
	}
}

// TestDescription: the description names every route, and no other.
func TestDescription(t *testing.T) {
	var d struct {
		Paths map[string]map[string]struct{}
	}
	if err := json.Unmarshal(ask(config(), "GET", "/openapi.json", "").Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	for path, r := range New(config()).(*server).routes {
		_, get := d.Paths[path]["get"]
		_, post := d.Paths[path]["post"]
		if get != (r.get != nil) || post != (r.post != nil) || len(d.Paths[path]) != 1 {
			t.Errorf("%s: described as %v", path, d.Paths[path])
		}
		delete(d.Paths, path)
	}
	if len(d.Paths) > 0 {
		t.Errorf("there is no %v", d.Paths)
	}
}

// TestBodies: what is wrong with a body before it is JSON.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		kind   string
		retry  string
	}{
		{&http.MaxBytesError{}, 413, "body-too-large", ""},
		{io.ErrUnexpectedEOF, 400, "bad-request", ""},
		{ErrBusy, 503, "busy", "1"},
		{ErrHeavy, 422, "too-heavy", ""},
	} {
		r := httptest.NewRequest("POST", "/v1/summarize", iotest.ErrReader(c.err))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		New(config()).ServeHTTP(w, r)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != c.status || p.Type != "urn:cerasum:problem:"+c.kind || w.Header().Get("Retry-After") != c.retry {
			t.Errorf("%v: %d %+v %v", c.err, w.Code, p, w.Header())
		}
	}
}

// TestPanicTellsNothing: the response does not contain the message of a panic.
// TestBodyIsNotReserved: a client that only declares a long body takes no memory.
func TestBodyIsNotReserved(t *testing.T) {
	for _, declared := range []int64{10, 1 << 20} {
		r := httptest.NewRequest("POST", "/v1/summarize", nil)
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = declared
		asked := 0
		r.Body = io.NopCloser(reader(func(p []byte) (int, error) {
			asked = max(asked, len(p))
			return 0, io.ErrUnexpectedEOF
		}))
		w := httptest.NewRecorder()
		New(config()).ServeHTTP(w, r)
		if w.Code != 400 || asked > 128<<10 {
			t.Errorf("%d declared: status %d, a buffer of %d bytes", declared, w.Code, asked)
		}
	}
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestPanicTellsNothing(t *testing.T) {
	s := New(config()).(*server)
	s.routes["/healthz"] = route{get: func() ([]byte, error) { panic("the text") }}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), "the text") || w.Header().Get("Content-Type") != ContentType {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// FuzzSummarize: any body gives an answer or a problem, and never a 500.
func FuzzSummarize(f *testing.F) {
	for _, body := range []string{`{"documents":["One ferry was late. Nobody knew why.",{"text":"x y.","language":"fr"}],"budget":{"words":5}}`, `{"documents":[],"embeddings":[[1]]}`, `{"documents":["A b. C d."],"embeddings":"AADAfwAAwH8=","dimensions":1,"method":"mean"}`, `{"documents":[["a","b"]],"embeddings":[[[1],[2]]],"centroid":[1]}`} {
		f.Add(body, uint8(0))
		f.Add(body, uint8(1))
	}
	paths := []string{"/v1/summarize", "/v1/select", "/v1/sentences"}
	f.Fuzz(func(t *testing.T, body string, which uint8) {
		r := httptest.NewRequest("POST", paths[int(which)%len(paths)], strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		New(config()).ServeHTTP(w, r)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code >= 500 || w.Code == http.StatusUnprocessableEntity && p.Field == "" {
			t.Fatal(fmt.Sprint(w.Code, w.Body))
		}
	})
}

// waiting is an encoder whose turn never comes.
type waiting struct{}

func (waiting) Supports(string) bool { return true }

func (waiting) Prepare(ctx context.Context, _ *core.Session, _ *core.Options) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(10 * time.Second):
		return errors.New("the time limit has passed")
	}
}

// TestTimeLimitEndsWaiting: the limit holds for an encoder that waits, too.
func TestTimeLimitEndsWaiting(t *testing.T) {
	c := config()
	c.Encoder, c.Limits.Time = waiting{}, 50*time.Millisecond
	if w := ask(c, "POST", "/v1/summarize", `{"documents": ["One ferry was late."]}`); w.Code != 422 || !strings.Contains(w.Body.String(), "too-slow") {
		t.Error(w.Code, w.Body)
	}
}
