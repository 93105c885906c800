package core

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

// Document is one text as the user gave it; see [cluster.Document].
type Document = cluster.Document

// Sentence is one quotable span of a document; see [cluster.Sentence].
type Sentence = cluster.Sentence

// Ref names a sentence by its document and its index there; see [cluster.Ref].
type Ref = cluster.Ref

// Session is an opened set of documents, which are split and analysed once and
// can be summarized many times. It is not safe for concurrent use.
type Session struct {
	cluster  *cluster.Cluster
	titles   int // the first document that is a title
	refs     []cluster.Ref
	texts    []string
	words    []int // UAX #29 word segments of each sentence
	analysis *lexical.Analysis

	// embeddings are those of [Session.Embed], with rows of zeros for sentences
	// in languages that the encoder does not know; nil where there are none.
	embeddings *linalg.Dense[float32]
	embedded   bool
	dimensions int

	cache sessionCache
}

// sessionCache holds what several summaries share; it is computed on first use.
type sessionCache struct {
	tfidf     map[lexical.Weighting]*linalg.Sparse
	wording   *linalg.Sparse
	concepts  *lexical.Concepts
	features  *salience.Features
	judgement *reading.Judgement
	standing  [][]reading.Lean
	cost      map[Unit][]int
	// translations without and with embeddings.
	translations [2]*translations
	// disagreements of the documents, without titles; compared says that they are
	// computed.
	disagreements []Disagreement
	compared      bool
	outdated      map[Ref]bool
	deaths        map[Ref]bool
	contentTerms  *contentTerms
	// parts are the documents of each topic; divided says that they are computed.
	parts   []part
	divided bool
}

// OpenOptions are the options of [Open]. The zero value is the default.
type OpenOptions struct {
	// Languages, if not nil, are the languages to quote from: documents in
	// other languages are opened without sentences. A document whose language
	// is unknown is kept, and one whose detected language is not certain is taken
	// to be in one of these.
	Languages []string
	// Titles adds, after the documents, one document for each title that is not
	// empty, with the language of its document: method headline may quote it.
	Titles bool
	// Progress is called as Options.Progress is, with the stages "split" and
	// "encode".
	Progress func(stage string, done, total int)
}

// Open prepares documents for [Session.Summarize]: it detects the languages
// that are not given, splits documents without sentences, and analyses the
// sentences. It does not change the caller's documents. It returns an
// [ErrOption] for a malformed language tag, date or block, and ctx.Err() when the
// context ends first.
func Open(ctx context.Context, documents []Document, o OpenOptions) (*Session, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}
	codes, err := languageCodes("languages", o.Languages)
	if err != nil {
		return nil, err
	}
	progress("split", 0, len(documents))
	s := &Session{cluster: &cluster.Cluster{Documents: slices.Clone(documents)}, titles: len(documents)}
	documents = s.cluster.Documents
	if err := prepare(ctx, documents, codes, func(done int) { progress("split", done, len(documents)) }); err != nil {
		return nil, err
	}
	kept := s.keepLanguages(codes)
	if o.Titles {
		if err := s.addTitles(ctx, kept); err != nil {
			return nil, err
		}
	}
	progress("encode", 0, 1)
	if s.analysis, err = lexical.Analyze(ctx, s.cluster); err != nil {
		return nil, err
	}
	s.refs = s.cluster.Refs()
	s.texts = make([]string, len(s.refs))
	s.words = make([]int, len(s.refs))
	for k, r := range s.refs {
		s.texts[k] = s.cluster.At(r).Text
		s.words[k] = text.CountSegments(s.texts[k])
	}
	progress("encode", 1, 1)
	return s, nil
}

// languageCodes reduces language tags to codes; nil stays nil.
func languageCodes(name string, tags []string) ([]string, error) {
	if tags == nil {
		return nil, nil
	}
	codes := make([]string, len(tags))
	for i, tag := range tags {
		code, ok := text.Tag(tag)
		if !ok {
			return nil, tagError(indexed(name, i), tag)
		}
		codes[i] = norwegian(code)
	}
	return codes, nil
}

// keepLanguages removes the sentences of documents in other languages, and returns
// which documents keep theirs. Without codes all do.
func (s *Session) keepLanguages(codes []string) []bool {
	kept := make([]bool, len(s.cluster.Documents))
	for i := range kept {
		d := &s.cluster.Documents[i]
		kept[i] = codes == nil || d.Language == "" || slices.Contains(codes, norwegian(d.Language))
		if !kept[i] {
			d.Sentences = []cluster.Sentence{}
		}
	}
	return kept
}

// addTitles adds the documents' titles as documents of their own. The title of
// a document that is not kept has no sentences either.
func (s *Session) addTitles(ctx context.Context, kept []bool) error {
	var titles []Document
	for i, d := range s.cluster.Documents {
		if d.Title == "" {
			continue
		}
		title := Document{Text: d.Title, Language: d.Language}
		if !kept[i] {
			title.Sentences = []cluster.Sentence{}
		}
		titles = append(titles, title)
	}
	if err := Prepare(ctx, titles); err != nil {
		return err
	}
	s.cluster.Documents = append(s.cluster.Documents, titles...)
	return nil
}

// Close frees the session's memory. Methods called later return [ErrClosed], or a
// zero value if they return no error.
func (s *Session) Close() { *s = Session{} }

func (s *Session) closed() bool { return s.cluster == nil }

// Documents returns the documents as opened, with languages and sentences filled
// in, followed by the titles if OpenOptions.Titles was set. The caller must not
// change them.
func (s *Session) Documents() []Document {
	if s.closed() {
		return nil
	}
	return s.cluster.Documents
}

// Texts returns the N sentences to give to an encoder: row k of a matrix of
// embeddings belongs to the k-th. The caller must not change them.
func (s *Session) Texts() []string { return s.texts }

// WantsEmbeddings reports whether a method would use embeddings of these
// documents: for those with [MethodInfo].AcrossLanguages, such as "auto", where the
// documents are in several languages. With a query, every method that supports one does.
func (s *Session) WantsEmbeddings(method string, query bool) bool {
	m, err := lookUpMethod(method)
	switch {
	case err != nil || len(s.refs) == 0:
		return false
	case query && m.Query:
		return true
	case m.AcrossLanguages:
		return s.multilingual()
	}
	return m.Embeddings != EmbeddingsNone
}

// Embeddable lists the methods of [Methods] that would use embeddings; see WantsEmbeddings.
func (s *Session) Embeddable(query bool) []string {
	var names []string
	for _, m := range Methods() {
		if s.WantsEmbeddings(m.Name, query) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Embeddings are an encoder's vectors of the sentences.
type Embeddings struct {
	// Data is N × Dimensions, row-major: row k belongs to the k-th of
	// [Session.Texts]. A row of zeros is a sentence without embedding.
	Data       []float32
	Dimensions int
	// Languages are the languages of the encoder. If it is empty, or has an entry
	// that is not a language tag ("multilingual"), the encoder supports all. Rows
	// of sentences in other languages count as zeros.
	Languages []string
}

// Embed sets the embeddings of the session's sentences, and replaces earlier ones.
// The numbers are not copied. It returns an [ErrOption] if the matrix is not N × D
// or contains NaN or an infinity.
func (s *Session) Embed(e Embeddings) error {
	if s.closed() {
		return ErrClosed
	}
	if e.Dimensions < 1 || e.Dimensions > maxDimensions {
		return optionError("dimensions", "want 1 to %d, got %d", maxDimensions, e.Dimensions)
	}
	if err := checkRows("embeddings", e.Data, len(s.refs), e.Dimensions); err != nil {
		return err
	}
	known := knownLanguages(e.Languages)
	m := &linalg.Dense[float32]{Data: e.Data, Cols: e.Dimensions}
	copied := false
	for k, r := range s.refs {
		if knows(known, s.cluster.Documents[r.Document].Language) {
			continue
		}
		if !copied {
			m.Data, copied = slices.Clone(m.Data), true
		}
		clear(m.Row(k))
	}
	s.embeddings, s.embedded, s.dimensions = nil, true, e.Dimensions
	if slices.ContainsFunc(m.Data, func(v float32) bool { return v != 0 }) {
		s.embeddings = m
	}
	s.cache.translations[1] = nil
	return nil
}

// maxDimensions of an embedding: far more than any encoder has.
const maxDimensions = 1 << 16

// knownLanguages reduces an encoder's tags to codes; nil: all languages.
func knownLanguages(tags []string) []string {
	var known []string
	for _, tag := range tags {
		code, ok := text.Tag(tag)
		if !ok || code == "" {
			return nil
		}
		known = append(known, norwegian(code))
	}
	return known
}

// knows reports whether an encoder supports a language. An unknown language
// counts as supported: the text was too short to detect it.
func knows(known []string, language string) bool {
	return known == nil || language == "" || slices.Contains(known, norwegian(language))
}

// norwegian maps the written forms of Norwegian to one code.
func norwegian(code string) string {
	switch code {
	case "no", "nn":
		return "nb"
	}
	return code
}

// checkRows refuses a matrix that is not n × d, or has values that are not
// finite.
func checkRows(name string, data []float32, n, d int) error {
	if len(data) != n*d {
		return optionError(name, "want %d numbers (%d × %d), got %d", n*d, n, d, len(data))
	}
	for i, v := range data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return optionError(name, "want finite numbers, got %v in row %d, column %d", float64(v), i/d, i%d)
		}
	}
	return nil
}

// tfidf is analysis.TFIDF, computed once for each weighting.
func (s *Session) tfidf(w lexical.Weighting) *linalg.Sparse {
	if s.cache.tfidf == nil {
		s.cache.tfidf = map[lexical.Weighting]*linalg.Sparse{}
	}
	m := s.cache.tfidf[w]
	if m == nil {
		m = s.analysis.TFIDF(w)
		s.cache.tfidf[w] = m
	}
	return m
}

// wording is analysis.Wording, computed once.
func (s *Session) wording() *linalg.Sparse {
	if s.cache.wording == nil {
		s.cache.wording = s.analysis.Wording()
	}
	return s.cache.wording
}

// concepts is analysis.Concepts, computed once.
func (s *Session) concepts() *lexical.Concepts {
	if s.cache.concepts == nil {
		s.cache.concepts = s.analysis.Concepts()
	}
	return s.cache.concepts
}
