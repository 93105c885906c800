package clustering

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// bcubedNaive is the definition: a loop over all pairs.
func bcubedNaive(labels, gold []int) (precision, recall float64) {
	for i := range labels {
		var both, own, golden float64
		for j := range labels {
			if labels[i] == labels[j] {
				own++
			}
			if gold[i] == gold[j] {
				golden++
			}
			if labels[i] == labels[j] && gold[i] == gold[j] {
				both++
			}
		}
		precision += both / own
		recall += both / golden
	}
	return precision / float64(len(labels)), recall / float64(len(labels))
}

func TestBCubed(t *testing.T) {
	// Amigó et al., 2009: one wrong document in a cluster of three.
	p, r, _ := BCubed([]int{0, 0, 0, 1}, []int{0, 0, 1, 1})
	if math.Abs(p-(2./3+2./3+1./3+1)/4) > 1e-12 || math.Abs(r-(1+1+.5+.5)/4) > 1e-12 {
		t.Errorf("precision %v, recall %v", p, r)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 1 + random.IntN(40)
		labels, gold := make([]int, n), make([]int, n)
		for i := range labels {
			labels[i], gold[i] = random.IntN(10), random.IntN(10)
		}
		p, r, f := BCubed(labels, gold)
		np, nr := bcubedNaive(labels, gold)
		if math.Abs(p-np) > 1e-12 || math.Abs(r-nr) > 1e-12 || math.Abs(f-2*p*r/(p+r)) > 1e-12 {
			t.Fatalf("labels %v, gold %v: %v, %v, want %v, %v", labels, gold, p, r, np, nr)
		}
	}
	if p, r, f := BCubed(nil, nil); p != 0 || r != 0 || f != 0 {
		t.Error("no documents have a score")
	}
}

// event is a text about an event: sentences with its names, in an order of their own,
// among sentences that all texts have.
func event(language string, number, version int) string {
	random := rand.New(rand.NewPCG(uint64(number), uint64(version)))
	names := rand.New(rand.NewPCG(uint64(number), 99))
	var own, common []string
	switch language {
	case "zh":
		pick := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteRune(rune(0x4e00 + names.IntN(3000)))
			}
			return b.String()
		}
		for range 8 {
			own = append(own, pick(3)+"在"+pick(3)+"发现"+pick(4)+"。")
		}
		common = []string{"警方表示正在调查。", "记者昨天报道了此事。", "政府没有发表评论。", "天气预报说明天下雨。"}
	default:
		common = map[string][]string{
			"en": {"Police said they were investigating.", "Officials did not comment on Monday.", "The weather is expected to be fine.", "Residents said that they were surprised."},
			"fr": {"La police a ouvert une enquête.", "Le gouvernement n’a pas souhaité commenter.", "Les habitants se sont dits surpris.", "La météo annonce du beau temps."},
			"ru": {"Полиция начала расследование.", "Власти не дали комментариев.", "Жители были очень удивлены.", "Завтра ожидается хорошая погода."},
			"vi": {"Cảnh sát đang điều tra vụ việc này.", "Chính quyền chưa đưa ra bình luận.", "Người dân cho biết họ rất bất ngờ.", "Thời tiết ngày mai sẽ tốt hơn."},
		}[language]
		alphabet := map[string]string{"ru": "бвгдклмнпрстаеиоу"}[language]
		if alphabet == "" {
			alphabet = "bcdghklmnprstaeiou"
		}
		letters := []rune(alphabet)
		word := func() string {
			w := make([]rune, 7)
			for i := range w {
				w[i] = letters[names.IntN(len(letters))]
			}
			return string(w)
		}
		for range 8 {
			own = append(own, fmt.Sprintf("%s %s %s %s %d.", word(), word(), common[names.IntN(4)][:len(strings.Fields(common[0])[0])], word(), names.IntN(9000)))
		}
	}
	random.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	text := append(own[:5], common...)
	random.Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
	return strings.Join(text, " ")
}

// find clusters texts; dates may be nil.
func find(t *testing.T, o Options, language string, texts []string, dates []time.Time) []int {
	t.Helper()
	o.Folder = t.TempDir()
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := NewAnalyzer()
	for i, text := range texts {
		var date time.Time
		if dates != nil {
			date = dates[i]
		}
		if err := f.Add(a.Features("", text, language), date); err != nil {
			t.Fatal(err)
		}
	}
	labels, err := f.Clusters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

// TestLanguages: events are found in every kind of script, and all workers find the
// same.
func TestLanguages(t *testing.T) {
	for _, language := range []string{"en", "fr", "ru", "vi", "zh"} {
		var texts []string
		var gold []int
		for i := range 60 {
			for v := range 1 + i%4 {
				texts, gold = append(texts, event(language, i, v)), append(gold, i)
			}
		}
		rand.New(rand.NewPCG(3, 4)).Shuffle(len(texts), func(i, j int) {
			texts[i], texts[j] = texts[j], texts[i]
			gold[i], gold[j] = gold[j], gold[i]
		})
		labels := find(t, Options{}, language, texts, nil)
		if p, r, f := BCubed(labels, gold); f < 0.99 {
			t.Errorf("%s: precision %.3f, recall %.3f", language, p, r)
		}
		for _, workers := range []int{2, 7} {
			if other := find(t, Options{Workers: workers}, language, texts, nil); !slices.Equal(labels, other) {
				t.Errorf("%s: %d workers find other clusters", language, workers)
			}
		}
	}
}

// TestWithin: documents far apart in time are in no cluster, nor are those that only
// a third one connects.
func TestWithin(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 4, n, 0, 0, 0, 0, time.UTC) }
	var texts []string
	var dates []time.Time
	for v, date := range []time.Time{day(1), day(2), day(20), {}} {
		texts, dates = append(texts, event("en", 0, v)), append(dates, date)
	}
	copied := event("en", 1, 0) // near-duplicates obey the same limit
	texts, dates = append(texts, copied, copied), append(dates, day(1), day(9))
	for i := range 20 {
		texts, dates = append(texts, event("en", 2+i, 0)), append(dates, day(3))
	}
	if labels := find(t, Options{}, "en", texts, dates); !slices.Equal(labels[:6], []int{0, 0, 0, 0, 4, 4}) {
		t.Errorf("any time: %v", labels[:6])
	}
	labels := find(t, Options{Within: 72 * time.Hour}, "en", texts, dates)
	if labels[0] != labels[1] || labels[0] == labels[2] || labels[4] == labels[5] {
		t.Errorf("within 72 hours: %v", labels[:6])
	}
	if labels[3] != labels[0] && labels[3] != labels[2] {
		t.Errorf("the document without a date is alone: %v", labels[:6])
	}
}

// TestMax: clusters have at most that many documents, near-duplicates too.
func TestMax(t *testing.T) {
	var texts []string
	for v := range 9 {
		texts = append(texts, event("en", 0, v), event("en", 1, 0))
	}
	for i := range 20 {
		texts = append(texts, event("en", 2+i, 0))
	}
	sizes := map[int]int{}
	for _, l := range find(t, Options{Max: 3}, "en", texts, nil) {
		if sizes[l]++; sizes[l] > 3 {
			t.Fatalf("cluster %d has more than 3 documents", l)
		}
	}
}

// TestMaxCopies: copies that the other limits separate are counted together.
func TestMaxCopies(t *testing.T) {
	var texts []string
	var dates []time.Time
	for i := range 12 {
		texts, dates = append(texts, event("en", 0, 0)), append(dates, time.Date(2026, 4, 1+i, 0, 0, 0, 0, time.UTC))
	}
	for i := range 20 {
		for v := range 2 {
			texts, dates = append(texts, event("en", 1+i, v)), append(dates, dates[0])
		}
	}
	for _, o := range []Options{{MaxCopies: 3}, {MaxCopies: 3, Max: 3}, {MaxCopies: 3, Max: 2}, {MaxCopies: 3, Within: 48 * time.Hour}} {
		labels := find(t, o, "en", texts, dates)
		for i, l := range labels {
			if i < 12 && l != i || i >= 12 && l != i-i%2 {
				t.Errorf("%+v: %v", o, labels)
				break
			}
		}
	}
	if labels := find(t, Options{MaxCopies: 12, Max: 3}, "en", texts, dates); labels[1] != 0 {
		t.Errorf("as many copies as allowed: %v", labels)
	}
}

// TestMergeCancelled: one large component can be interrupted.
func TestMergeCancelled(t *testing.T) {
	const n = 5000
	f := &Finder{options: Options{Threshold: .1, Max: n, EventSize: 2}, docs: make([]document, n)}
	members, near := make([]int32, n), make([][]neighbour, n)
	for i := range n {
		members[i] = int32(i)
		if i > 0 {
			near[i] = []neighbour{{int32(i &^ 1), 1}}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.mergeComponent(ctx, members, near, make([]int32, n), make([]int32, n)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestCheckPostings(t *testing.T) {
	if err := checkPostings(1<<32 - 1); err != nil {
		t.Error(err)
	}
	if err := checkPostings(1 << 32); err == nil || !strings.Contains(err.Error(), "too many documents") {
		t.Errorf("error %v", err)
	}
}

// TestDuplicates: changes of a few words make no new document; another text does.
func TestDuplicates(t *testing.T) {
	var words []string
	for i := range 120 {
		words = append(words, fmt.Sprintf("word%d", i*i%977))
	}
	base := strings.Join(words, " ")
	words[60] = "changed"
	near := strings.Join(words, " ")
	slices.Reverse(words)
	other := strings.Join(words, " ")
	f, err := New(Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := NewAnalyzer()
	for i, text := range []string{base, near, base, other, "", "", "few", "few"} {
		if err := f.Add(a.Features("", text, "en"), time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got, want := f.Duplicate(i), i == 1 || i == 2; got != want {
			t.Errorf("text %d is a near-duplicate: %v", i, got)
		}
	}
	if _, err := f.Clusters(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestSketch: the share of equal values estimates the Jaccard index.
func TestSketch(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var sum, want float64
	const rounds = 200
	for range rounds {
		var x, y sketch
		for i := range x {
			x[i], y[i] = math.MaxUint32, math.MaxUint32
		}
		both := random.IntN(100)
		for k := range 100 {
			h := random.Uint64()
			x.add(h)
			if k >= both {
				h = random.Uint64()
			}
			y.add(h)
		}
		sum += float64(x.equal(&y)) / sketchSize
		want += float64(both) / float64(200-both)
	}
	if math.Abs(sum-want)/rounds > 0.01 {
		t.Errorf("mean estimate %.3f, Jaccard index %.3f", sum/rounds, want/rounds)
	}
}

// cosine returns that of two vectors of unit length.
func cosine(ta []uint32, wa []float32, tb []uint32, wb []float32) (sum float32) {
	for i, t := range ta {
		if k, ok := slices.BinarySearch(tb, t); ok {
			sum += wa[i] * wb[k]
		}
	}
	return sum
}

// TestNeighbours compares the search with the cosines of all pairs.
func TestNeighbours(t *testing.T) {
	f, err := New(Options{Folder: t.TempDir(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := NewAnalyzer()
	for i := range 40 {
		for v := range 3 {
			if err := f.Add(a.Features("", event("fr", i, v), "fr"), time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.out.Flush(); err != nil {
		t.Fatal(err)
	}
	x, err := f.index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.docs {
		var want []neighbour
		terms, weights := x.vector(int32(i))
		for j := range f.docs {
			own, others := x.vector(int32(j))
			if c := cosine(terms, weights, own, others); i != j && c > 0 {
				want = append(want, neighbour{int32(j), c})
			}
		}
		want = best(want, kept)
		s := newSearcher(f, x)
		got, _ := s.search(int32(i))
		// The search reads bounded lists, so that only near documents must be found.
		near := 0
		for near < len(want) && want[near].similarity > 0.1 {
			near++
		}
		if len(got) < near || !slices.Equal(got[:near], want[:near]) {
			t.Fatalf("document %d: neighbours %v, want %v", i, got[:min(near, len(got))], want[:near])
		}
	}
}

func TestEmptyAndCancelled(t *testing.T) {
	if labels := find(t, Options{}, "en", nil, nil); len(labels) != 0 {
		t.Errorf("no documents have clusters %v", labels)
	}
	if labels := find(t, Options{}, "en", []string{"One text."}, nil); !slices.Equal(labels, []int{0}) {
		t.Errorf("one document has clusters %v", labels)
	}
	f, err := New(Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Add(NewAnalyzer().Features("", "One text.", "en"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Clusters(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// FuzzFeatures: any bytes are a text.
func FuzzFeatures(f *testing.F) {
	for _, s := range []string{"", "a b c d e", "\xff\xfe", "汉字", strings.Repeat("x ", 9000)} {
		f.Add(s)
	}
	a := NewAnalyzer()
	f.Fuzz(func(t *testing.T, s string) {
		x, y := a.Features(s, s, ""), a.Features(s, s, "")
		if !slices.Equal(x.terms, y.terms) || x.sketch != y.sketch {
			t.Error("the same text has other features")
		}
	})
}
