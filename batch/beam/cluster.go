package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/clustering"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/records"
)

// Clustering has the settings of "cerasum cluster"; they are serialized to the workers.
type Clustering struct {
	On     bool
	Fields records.Fields
	clustering.Options
	// Block is the number of texts with which a worker compares others at once.
	Block int
}

// defaultBlock takes about 1.5 GB.
const defaultBlock = 500_000

// check validates the settings.
func (c *Clustering) check() error {
	if !c.On {
		return nil
	}
	if c.Block < 1 {
		return fmt.Errorf("--block %d: want a positive number", c.Block)
	}
	if err := c.Options.Check(); err != nil {
		return err
	}
	return c.Fields.Check()
}

func init() {
	for _, f := range []any{
		&split{}, &bands{}, &joinBands{}, &centred{}, &copies{}, &terms{}, &sizes{}, &slots{}, &weigh{}, &used{}, &choose{},
		&spread{}, &compare{}, &nearest{}, &levelled{}, &linkTexts{}, &mergeTexts{}, &members{}, &withRaw{}, &assemble{},
	} {
		beam.RegisterDoFn(f)
	}
	// RegisterDoFn leaves out the schemas, by which workers in other processes find the types.
	for _, t := range []reflect.Type{
		reflect.TypeFor[Line](), reflect.TypeFor[features](), reflect.TypeFor[raw](), reflect.TypeFor[counted](), reflect.TypeFor[near](), reflect.TypeFor[link](), reflect.TypeFor[pair](),
		reflect.TypeFor[clustering.Sketched](), reflect.TypeFor[clustering.Text](), reflect.TypeFor[clustering.Vector](), reflect.TypeFor[clustering.Neighbours](), reflect.TypeFor[clustering.Linked](),
	} {
		beam.RegisterType(t)
	}
}

// features are what is known of a document. First and Last are its date as in clustering.Text.
type features struct {
	Doc, First, Last int64
	Sketch           []int64
	Bands            []int64
	Hashes           []int64
	Counts           []byte
}

// raw is a document as JSON.
type raw struct {
	Doc  int64
	JSON string
}

// cluster finds the clusters among the documents in lines, as "cerasum cluster" does, and
// returns them as lines, and the lines that have no documents. Keys are numbers of documents,
// or of the texts that begin with them.
func cluster(scope beam.Scope, files, lines beam.PCollection, c Clustering, maxLine int) (clusters, refused beam.PCollection) {
	scope = scope.Scope("cluster")
	documents, known, refused := beam.ParDo3(scope, &split{Clustering: c}, lines, beam.SideInput{Input: files})

	// Near-duplicates become one text.
	alike := beam.ParDo(scope, &joinBands{}, beam.GroupByKey(scope, beam.ParDo(scope, &bands{}, known)))
	sketched := beam.ParDo(scope, &centred{}, beam.CoGroupByKey(scope, known, components(scope.Scope("copies"), alike, rounds)))
	texts, copied := beam.ParDo2(scope, &copies{Clustering: c}, beam.GroupByKey(scope, sketched))

	// Texts become vectors.
	counted := beam.ParDo(scope, &terms{}, beam.CoGroupByKey(scope, known, texts))
	totals := beam.SideInput{Input: stats.SumPerKey(scope, beam.ParDo(scope, &sizes{}, counted))}
	frequencies := beam.SideInput{Input: stats.SumPerKey(scope, beam.ParDo(scope, &slots{}, counted, totals))}
	vectors := beam.ParDo(scope, &weigh{}, counted, totals, frequencies)
	postings := beam.SideInput{Input: stats.SumPerKey(scope, beam.ParDo(scope, &used{}, vectors))}
	vectors = beam.ParDo(scope, &choose{}, vectors, postings)

	// Every vector is compared with every block of them.
	kept, sent := beam.ParDo2(scope, &spread{Block: c.Block}, vectors, totals)
	found := beam.ParDo(scope, &compare{Clustering: c}, beam.CoGroupByKey(scope, kept, sent))
	levels, near := beam.ParDo2(scope, &nearest{Clustering: c}, beam.GroupByKey(scope, found))
	links, strong := beam.ParDo2(scope, &levelled{Clustering: c}, beam.CoGroupByKey(scope, levels, near))

	// Texts that strong links connect are merged by one worker.
	linked := beam.ParDo(scope, &linkTexts{}, beam.CoGroupByKey(scope, texts, links, components(scope.Scope("events"), strong, rounds)))
	merged := beam.ParDo(scope, &mergeTexts{Clustering: c}, beam.GroupByKey(scope, linked))
	labels := beam.ParDo(scope, &members{}, beam.CoGroupByKey(scope, copied, merged))
	together := beam.ParDo(scope, &withRaw{}, beam.CoGroupByKey(scope, labels, documents))
	return beam.ParDo(scope, &assemble{Clustering: c, MaxLine: maxLine}, beam.GroupByKey(scope, together)), refused
}

// A document's number has its file, line and place in the line, so that numbers are in the
// order of the corpus.
const (
	placeBits = 13
	lineBits  = 32
	fileBits  = 63 - placeBits - lineBits
)

// split takes the documents out of lines.
type split struct {
	Clustering Clustering
	analyzer   *clustering.Analyzer
	numbers    map[string]int64 // of files, by their names
	counters   counters
}

func (s *split) ProcessElement(ctx context.Context, line Line, files func(*string) bool, documents func(int64, raw), known func(int64, features), refused func(int, string)) error {
	if s.numbers == nil {
		var names []string
		for name := ""; files(&name); {
			names = append(names, name)
		}
		slices.Sort(names)
		if len(names) > 1<<fileBits {
			return fmt.Errorf("%d files: want at most %d", len(names), 1<<fileBits)
		}
		s.analyzer, s.numbers = clustering.NewAnalyzer(), map[string]int64{}
		for i, name := range names {
			s.numbers[name] = int64(i)
		}
	}
	var all []records.Document
	var text []byte
	err, kind := errors.New(line.Reason), line.Kind
	if line.Reason == "" {
		text, kind = []byte(line.Raw), batch.Malformed
		if all, err = s.Clustering.Fields.Split(text); len(all) > 1<<placeBits {
			err = fmt.Errorf("%d documents: want at most %d per record", len(all), 1<<placeBits)
		}
	}
	if err != nil {
		var counts batch.Counts
		counts.LeaveOut(kind)
		s.counters.add(ctx, &counts)
		made, err := refuse(&line, err, text)
		if err == nil {
			refused(0, made)
		}
		return err
	}
	for i, d := range all {
		number := s.numbers[line.File]<<(lineBits+placeBits) | int64(line.Number)<<placeBits | int64(i)
		f := s.analyzer.Features(d.Title, d.Text, d.Language)
		one := features{Doc: number, First: clustering.UnknownFirst, Last: clustering.UnknownLast, Sketch: f.Sketch(), Bands: append([]int64{}, f.Bands()...)}
		if !d.Date.IsZero() {
			one.First, one.Last = d.Date.Unix(), d.Date.Unix()
		}
		one.Hashes, one.Counts = f.Terms()
		for _, dropped := range d.Dropped {
			beam.NewCounter(namespace, countDropped+dropped.Field).Inc(ctx, 1)
		}
		documents(number, raw{number, string(d.Raw)})
		known(number, one)
	}
	return nil
}

type bands struct{}

func (*bands) ProcessElement(doc int64, f features, emit func(int64, int64)) {
	for _, b := range f.Bands {
		emit(b, doc)
	}
}

// joinBands connects the documents that share a band.
type joinBands struct{}

func (*joinBands) ProcessElement(_ int64, docs func(*int64) bool, emit func(int64, int64)) {
	var first, doc int64
	if docs(&first) {
		for docs(&doc) {
			emit(first, doc)
		}
	}
}

// centred groups documents by the centre of their component.
type centred struct{}

func (*centred) ProcessElement(doc int64, known func(*features) bool, centres func(*int64) bool, emit func(int64, clustering.Sketched)) {
	centre := doc
	centres(&centre)
	for f := (features{}); known(&f); {
		emit(centre, clustering.Sketched{Doc: doc, First: f.First, Last: f.Last, Sketch: f.Sketch})
	}
}

// copies finds the near-duplicates in a component. It holds its sketches: some 400 bytes for
// each document.
type copies struct{ Clustering Clustering }

func (c *copies) ProcessElement(_ int64, documents func(*clustering.Sketched) bool, texts func(int64, clustering.Text), copied func(int64, int64)) {
	var all []clustering.Sketched
	for d := (clustering.Sketched{}); documents(&d); d = (clustering.Sketched{}) {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b clustering.Sketched) int { return cmp.Compare(a.Doc, b.Doc) })
	for _, t := range clustering.Texts(c.Clustering.Options, all) {
		for _, m := range t.Members {
			if t.Notice {
				copied(m, m) // in no cluster
			} else {
				copied(t.Doc, m)
			}
		}
		t.Members = []int64{}
		texts(t.Doc, t)
	}
}

// counted is a text with its terms.
type counted struct {
	Text   clustering.Text
	Hashes []int64
	Counts []byte
}

type terms struct{}

func (*terms) ProcessElement(_ int64, known func(*features) bool, texts func(*clustering.Text) bool, emit func(counted)) {
	var f features
	t := clustering.Text{}
	if known(&f) && texts(&t) {
		t.Members = []int64{}
		emit(counted{t, f.Hashes, f.Counts})
	}
}

// Keys of the totals.
const (
	allTexts int64 = iota
	allTerms
)

type sizes struct{}

func (*sizes) ProcessElement(c counted, emit func(int64, int64)) {
	emit(allTexts, 1)
	emit(allTerms, int64(len(c.Hashes)))
}

// table reads numbers by key, once.
func table(into *map[int64]int64, rows func(*int64, *int64) bool) map[int64]int64 {
	if *into == nil {
		*into = map[int64]int64{}
		var key, n int64
		for rows(&key, &n) {
			if n != 1 { // as most terms have
				(*into)[key] = n
			}
		}
	}
	return *into
}

// number returns that of a key.
func number(of map[int64]int64, key int64) int64 { return cmp.Or(of[key], 1) }

type slots struct{ totals map[int64]int64 }

func (s *slots) ProcessElement(c counted, totals func(*int64, *int64) bool, emit func(int64, int64)) {
	bits := clustering.Slots(number(table(&s.totals, totals), allTerms))
	for _, h := range c.Hashes {
		emit(int64(clustering.Slot(h, bits)), 1)
	}
}

// weigh makes vectors. It holds the frequencies of all slots that two texts have.
type weigh struct{ totals, frequencies map[int64]int64 }

func (w *weigh) ProcessElement(c counted, totals, frequencies func(*int64, *int64) bool, emit func(clustering.Vector)) {
	all, df := table(&w.totals, totals), table(&w.frequencies, frequencies)
	v := clustering.Vector{Doc: c.Text.Doc, First: c.Text.First, Last: c.Text.Last, Notice: c.Text.Notice}
	v.SetTerms(c.Hashes, c.Counts, clustering.Slots(number(all, allTerms)), number(all, allTexts), func(slot uint32) uint32 { return uint32(number(df, int64(slot))) })
	emit(v)
}

type used struct{}

func (*used) ProcessElement(v clustering.Vector, emit func(int64, int64)) {
	for _, t := range v.Terms {
		emit(int64(t), 1)
	}
}

type choose struct{ postings map[int64]int64 }

func (c *choose) ProcessElement(v clustering.Vector, postings func(*int64, *int64) bool, emit func(clustering.Vector)) {
	lengths := table(&c.postings, postings)
	v.Choose(func(slot int32) int64 { return number(lengths, int64(slot)) })
	emit(v)
}

// spread sends a vector to its block, and to all blocks to be compared.
type spread struct {
	Block  int
	totals map[int64]int64
}

func (s *spread) ProcessElement(v clustering.Vector, totals func(*int64, *int64) bool, kept, sent func(int64, clustering.Vector)) {
	blocks := (number(table(&s.totals, totals), allTexts) + int64(s.Block) - 1) / int64(s.Block)
	kept(int64(uint64(v.Doc)*0x9e3779b97f4a7c15>>32)%blocks, v)
	if !v.Notice {
		for b := range blocks {
			sent(b, v)
		}
	}
}

// compare searches a block, which it holds.
type compare struct{ Clustering Clustering }

func (c *compare) ProcessElement(_ int64, kept, sent func(*clustering.Vector) bool, emit func(int64, clustering.Neighbours)) {
	var vectors []clustering.Vector
	for v := (clustering.Vector{}); kept(&v); v = (clustering.Vector{}) {
		vectors = append(vectors, v)
	}
	block := clustering.NewBlock(c.Clustering.Options, vectors)
	for v := (clustering.Vector{}); sent(&v); v = (clustering.Vector{}) {
		emit(v.Doc, block.Search(&v))
	}
}

// near is a text with a neighbour. It is sent to the neighbour, for its level.
type near struct {
	From          int64
	Cosine, Level float32
}

type nearest struct{ Clustering Clustering }

func (n *nearest) ProcessElement(doc int64, found func(*clustering.Neighbours) bool, levels func(int64, float32), emit func(int64, near)) {
	var all []clustering.Neighbours
	for f := (clustering.Neighbours{}); found(&f); f = (clustering.Neighbours{}) {
		all = append(all, f)
	}
	docs, cosines, level := clustering.Nearest(n.Clustering.Options, all)
	levels(doc, level)
	for k, to := range docs {
		emit(to, near{doc, cosines[k], level})
	}
}

// link is a neighbour of a text, which is the key.
type link struct {
	To         int64
	Similarity float32
}

type levelled struct{ Clustering Clustering }

func (l *levelled) ProcessElement(doc int64, levels func(*float32) bool, from func(*near) bool, links func(int64, link), strong func(int64, int64)) {
	var level float32
	levels(&level)
	for n := (near{}); from(&n); {
		if s := clustering.Above(n.Cosine, n.Level, level); s > 0 {
			links(n.From, link{doc, s})
			if s >= float32(l.Clustering.Threshold) {
				strong(n.From, doc)
			}
		}
	}
}

// linkTexts groups the texts that others may be merged with by the centre of their component.
type linkTexts struct{}

func (*linkTexts) ProcessElement(doc int64, texts func(*clustering.Text) bool, links func(*link) bool, centres func(*int64) bool, emit func(int64, clustering.Linked)) {
	var t clustering.Text
	var centre int64
	if !texts(&t) || !centres(&centre) {
		return
	}
	linked := clustering.Linked{Doc: doc, First: t.First, Last: t.Last, Copies: t.Copies, To: []int64{}, Similarities: []float32{}}
	for l := (link{}); links(&l); {
		linked.To, linked.Similarities = append(linked.To, l.To), append(linked.Similarities, l.Similarity)
	}
	emit(centre, linked)
}

// mergeTexts merges a component, which it holds: some 2 kB for each text.
type mergeTexts struct{ Clustering Clustering }

func (m *mergeTexts) ProcessElement(ctx context.Context, _ int64, texts func(*clustering.Linked) bool, emit func(int64, int64)) error {
	var all []clustering.Linked
	for l := (clustering.Linked{}); texts(&l); l = (clustering.Linked{}) {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b clustering.Linked) int { return cmp.Compare(a.Doc, b.Doc) })
	roots, err := clustering.Merge(ctx, m.Clustering.Options, all)
	for i, r := range roots {
		emit(all[i].Doc, r)
	}
	return err
}

// members returns the cluster of each document.
type members struct{}

func (*members) ProcessElement(text int64, copied, merged func(*int64) bool, emit func(int64, int64)) {
	root := text
	merged(&root)
	for doc := int64(0); copied(&doc); {
		emit(doc, root)
	}
}

type withRaw struct{}

func (*withRaw) ProcessElement(_ int64, labels func(*int64) bool, documents func(*raw) bool, emit func(int64, raw)) {
	var root int64
	var d raw
	if labels(&root) && documents(&d) {
		emit(root, d)
	}
}

// assemble makes the line of a cluster. One above the limit is reported with its size, and not
// held.
type assemble struct {
	Clustering Clustering
	MaxLine    int
}

func (a *assemble) ProcessElement(_ int64, documents func(*raw) bool, emit func(Line)) {
	var all []raw
	first, n, size := int64(-1), 0, 0
	for d := (raw{}); documents(&d); {
		if n == 0 || d.Doc < first {
			first = d.Doc
		}
		n++
		if size += len(d.JSON) + 1; size <= a.MaxLine {
			all = append(all, d)
		} else {
			all = nil
		}
	}
	if n < a.Clustering.Min {
		return
	}
	file, line, place := first>>(lineBits+placeBits), first>>placeBits&(1<<lineBits-1), first&(1<<placeBits-1)
	l := Line{File: fmt.Sprintf("cluster-%d-%d-%d", file, line, place), Number: int(line)}
	if size > a.MaxLine {
		l.Reason, l.Kind = jsonl.Long("%s: %d documents with %d bytes, want at most %d bytes", l.File, n, size, a.MaxLine).Error(), batch.TooLong
	} else {
		slices.SortFunc(all, func(a, b raw) int { return cmp.Compare(a.Doc, b.Doc) })
		texts := make([]string, len(all))
		for i, d := range all {
			texts[i] = d.JSON
		}
		l.Raw = fmt.Sprintf(`{"id":%q,"documents":[%s]}`, l.File, strings.Join(texts, ","))
	}
	emit(l)
}
