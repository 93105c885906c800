package dataset

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// CrossSumWords is the maximum length of an interleaved reference.
const CrossSumWords = 100

// Pair is a line of CrossSum (Bhattacharjee et al. 2023): the text of one document
// with the summary of another one about the same event, usually in another
// language.
type Pair struct {
	SourceURL, TargetURL           string
	SourceLanguage, TargetLanguage string // ISO 639 codes
	Text                           string // of the source
	Summary                        string // of the target
}

// CrossSum builds multilingual clusters from pairs, like the paper's evaluation:
// documents connected by pairs, directly or through others, form a cluster;
// clusters of one are dropped. The reference interleaves the sentences of the
// documents' summaries: the first of each, then the second of each, and so on. A
// sentence that would exceed 100 words (runs of letters, digits and underscores)
// is skipped, while later, shorter ones may still be added.
//
// Documents and clusters are in order of first appearance in the pairs.
type CrossSum struct {
	languages []string
	articles  []article
	byURL     map[string]int
	parent    []int // of the union-find forest, by article
}

type article struct {
	url, language, text, summary string
}

// NewCrossSum accepts only pairs whose documents are both in one of the languages,
// ISO 639 codes; none means all.
func NewCrossSum(languages ...string) *CrossSum {
	return &CrossSum{languages: languages, byURL: map[string]int{}}
}

// Add adds a pair. If a document occurs several times, its first text and first
// summary are kept.
func (x *CrossSum) Add(p Pair) {
	if len(x.languages) > 0 && (!slices.Contains(x.languages, p.SourceLanguage) || !slices.Contains(x.languages, p.TargetLanguage)) {
		return
	}
	source, target := x.article(p.SourceURL, p.SourceLanguage), x.article(p.TargetURL, p.TargetLanguage)
	if a := &x.articles[source]; a.text == "" {
		a.text = p.Text
	}
	if a := &x.articles[target]; a.summary == "" {
		a.summary = p.Summary
	}
	// The earlier document is the root: it determines the order of clusters.
	if s, t := x.find(source), x.find(target); s < t {
		x.parent[t] = s
	} else {
		x.parent[s] = t
	}
}

func (x *CrossSum) article(url, language string) int {
	i, ok := x.byURL[url]
	if !ok {
		i = len(x.articles)
		x.byURL[url] = i
		x.articles = append(x.articles, article{url: url, language: language})
		x.parent = append(x.parent, i)
	}
	return i
}

func (x *CrossSum) find(i int) int {
	for x.parent[i] != i {
		x.parent[i] = x.parent[x.parent[i]]
		i = x.parent[i]
	}
	return i
}

// Clusters returns a reader of the clusters that the pairs form. A cluster with a
// document whose text or summary is in no pair is an error: CrossSum has it in the
// pair of the other direction.
func (x *CrossSum) Clusters() *CrossSumClusters {
	members := make([][]int, len(x.articles))
	for i := range x.articles {
		root := x.find(i)
		members[root] = append(members[root], i)
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return len(m) < 2 })
	return &CrossSumClusters{x: x, members: members}
}

// CrossSumClusters is a reader of clusters; see [CrossSum.Clusters].
type CrossSumClusters struct {
	x       *CrossSum
	members [][]int
	next    int
}

// Len returns the number of clusters, good and bad.
func (r *CrossSumClusters) Len() int { return len(r.members) }

// Next returns the next cluster; see [Reader].
func (r *CrossSumClusters) Next() (*Cluster, error) {
	if r.next == len(r.members) {
		return nil, io.EOF
	}
	m := r.members[r.next]
	r.next++
	c := &Cluster{ID: strconv.Itoa(r.next)}
	var summaries [][]string
	for _, i := range m {
		a := &r.x.articles[i]
		if strings.TrimSpace(a.text) == "" {
			return nil, &Error{Field: "cluster " + c.ID + ": " + a.url, Err: fmt.Errorf("%w: no pair has this document as its source", ErrNoDocuments)}
		}
		if strings.TrimSpace(a.summary) == "" {
			return nil, &Error{Field: "cluster " + c.ID + ": " + a.url, Err: fmt.Errorf("%w: no pair has this document as its target", ErrNoReferences)}
		}
		c.Documents = append(c.Documents, cluster.Document{Source: a.url, Language: a.language, Text: a.text})
		var sentences []string
		for _, s := range text.Split(a.summary, a.language) {
			sentences = append(sentences, strings.Join(strings.Fields(s.Text), " "))
		}
		summaries = append(summaries, sentences)
	}
	c.References = []string{strings.Join(interleave(summaries, CrossSumWords), "\n")}
	if err := c.complete("cluster "+c.ID, "cluster "+c.ID); err != nil {
		return nil, located("", 0, err)
	}
	return c, nil
}

// interleave takes the first sentence of each summary, then the second of each,
// and so on; sentences that would exceed the limit of words are skipped.
func interleave(summaries [][]string, limit int) []string {
	var out []string
	words := 0
	for k, more := 0, true; more; k++ {
		more = false
		for _, s := range summaries {
			if k >= len(s) {
				continue
			}
			more = true
			if n := text.CountWords(s[k]); words+n <= limit {
				words += n
				out = append(out, s[k])
			}
		}
	}
	return out
}

// crossSumFile matches the name of a file of the release: english-spanish_train.jsonl.
var crossSumFile = regexp.MustCompile(`^([a-z_]+)-([a-z_]+)_(train|val|test)\.jsonl$`)

// CrossSumSplits are the splits of CrossSum.
var CrossSumSplits = []string{"train", "val", "test"}

// CrossSumFile returns the languages, as ISO 639 codes, and the split in the name
// of a file of the release.
func CrossSumFile(name string) (source, target, split string, err error) {
	m := crossSumFile.FindStringSubmatch(path.Base(name))
	if m == nil {
		return "", "", "", fmt.Errorf("%w: %s: want a name like english-spanish_test.jsonl", ErrLayout, name)
	}
	codes := [2]string{}
	for i, n := range m[1:3] {
		code, ok := crossSumLanguages[n]
		if !ok {
			return "", "", "", fmt.Errorf("%w: %s: %q is not a CrossSum language", ErrLayout, name, n)
		}
		codes[i] = code
	}
	return codes[0], codes[1], m[3], nil
}

// PairReader reads a file of pairs, one JSON object per line:
//
//	{"source_url", "target_url", "text", "summary"}
type PairReader struct {
	file           string
	lines          *lineReader
	source, target string
}

// NewPairReader reads pairs of the two languages; file names r in errors.
func NewPairReader(r io.Reader, file, sourceLanguage, targetLanguage string) *PairReader {
	return &PairReader{file, newLineReader(r), sourceLanguage, targetLanguage}
}

// Next returns the next pair, with the same errors as [Reader].
func (p *PairReader) Next() (Pair, error) {
	for {
		raw, err := p.lines.next()
		if err != nil && !lineError(err) {
			return Pair{}, streamError(p.file, err)
		}
		if err == nil && len(strings.TrimSpace(string(raw))) == 0 {
			continue
		}
		pair := Pair{SourceLanguage: p.source, TargetLanguage: p.target}
		if err == nil {
			err = parsePair(raw, &pair)
		}
		if err != nil {
			return Pair{}, located(p.file, p.lines.line, err)
		}
		return pair, nil
	}
}

func parsePair(raw []byte, p *Pair) error {
	var members struct {
		SourceURL json.RawMessage `json:"source_url"`
		TargetURL json.RawMessage `json:"target_url"`
		Text      json.RawMessage `json:"text"`
		Summary   json.RawMessage `json:"summary"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		raw  json.RawMessage
		to   *string
	}{
		{"source_url", members.SourceURL, &p.SourceURL}, {"target_url", members.TargetURL, &p.TargetURL},
		{"text", members.Text, &p.Text}, {"summary", members.Summary, &p.Summary},
	} {
		var err error
		if *m.to, err = str(m.raw); err == nil && strings.TrimSpace(*m.to) == "" {
			err = fmt.Errorf("%w: empty", ErrPair)
		}
		if err != nil {
			return at(m.name, err)
		}
	}
	return nil
}

// ErrPair is wrapped by errors about incomplete pairs.
var ErrPair = fmt.Errorf("incomplete pair")

// openCrossSum reads the files of pairs of a split, in a folder or a single file,
// in the given languages, and then returns the clusters. Bad pairs are returned as
// errors first.
func openCrossSum(fsys fs.FS, root, split string, languages []string) (Reader, error) {
	var files []string
	err := fs.WalkDir(fsys, root, func(p string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		source, target, s, e := CrossSumFile(p)
		switch {
		case p == root && e != nil:
			return e
		case e != nil || p != root && s != split:
			return nil
		case len(languages) > 0 && !(slices.Contains(languages, source) && slices.Contains(languages, target)):
			return nil
		}
		files = append(files, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: %s: no file of the CrossSum split %s in these languages", ErrLayout, root, split)
	}
	return &crossSumReader{fsys: fsys, files: files, x: NewCrossSum(languages...)}, nil
}

type crossSumReader struct {
	fsys     fs.FS
	files    []string
	x        *CrossSum
	pairs    *PairReader
	open     io.Closer
	clusters *CrossSumClusters
}

func (r *crossSumReader) Next() (*Cluster, error) {
	for r.clusters == nil {
		if r.pairs == nil {
			if len(r.files) == 0 {
				r.clusters = r.x.Clusters()
				break
			}
			name := r.files[0]
			r.files = r.files[1:]
			f, err := r.fsys.Open(name)
			if err != nil {
				return nil, err
			}
			// openCrossSum has checked the name.
			source, target, _, _ := CrossSumFile(name)
			r.open, r.pairs = f, NewPairReader(f, name, source, target)
		}
		pair, err := r.pairs.Next()
		if err == io.EOF {
			r.pairs = nil
			if err := r.open.Close(); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		r.x.Add(pair)
	}
	return r.clusters.Next()
}

func (r *crossSumReader) Close() error {
	if r.pairs == nil {
		return nil
	}
	return r.open.Close()
}

// crossSumLanguages are the language names of XL-Sum and CrossSum.
var crossSumLanguages = map[string]string{
	"amharic": "am", "arabic": "ar", "azerbaijani": "az", "bengali": "bn", "burmese": "my",
	"chinese_simplified": "zh", "chinese_traditional": "zh", "english": "en", "french": "fr",
	"gujarati": "gu", "hausa": "ha", "hindi": "hi", "igbo": "ig", "indonesian": "id",
	"japanese": "ja", "kirundi": "rn", "korean": "ko", "kyrgyz": "ky", "marathi": "mr",
	"nepali": "ne", "oromo": "om", "pashto": "ps", "persian": "fa", "pidgin": "pcm",
	"portuguese": "pt", "punjabi": "pa", "russian": "ru", "scottish_gaelic": "gd",
	"serbian_cyrillic": "sr", "serbian_latin": "sr", "sinhala": "si", "somali": "so",
	"spanish": "es", "swahili": "sw", "tamil": "ta", "telugu": "te", "thai": "th",
	"tigrinya": "ti", "turkish": "tr", "ukrainian": "uk", "urdu": "ur", "uzbek": "uz",
	"vietnamese": "vi", "welsh": "cy", "yoruba": "yo",
}
