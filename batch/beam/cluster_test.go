package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/clustering"
	"github.com/cerasum/cerasum/internal/records"
)

// story makes one of an event.
func story(event, version int) string {
	place, who, what := names[event%len(names)], names[(event*7+3)%len(names)], names[(event*11+5)%len(names)]
	return fmt.Sprintf("%[1]sburg: the %[2]sov bridge of %[1]sburg fell at %[4]d o'clock. Mayor %[3]sson of %[1]sburg closed the %[2]sov road on day %[5]d. Version %[5]d says that %[4]d people left %[1]sburg by boat with %[3]sson. ", place, who, what, event+10, version) +
		strings.Join(names[(event+version*5)%20:(event+version*5)%20+8], " ") + "."
}

var names = strings.Fields("alder birch cedar dorn elm fir gale hazel iris juniper kelp larch maple nettle oak pine quince rowan sage thorn umber vetch willow yew zinnia aster briar clover daisy ember fern gorse heath ivy jade")

// clusterCorpus returns files of single documents: a few versions of events, copies of them,
// and lines that are none.
func clusterCorpus() map[string]string {
	files := map[string]string{}
	for i := range 140 {
		event, version := i%35, i/35
		name := fmt.Sprintf("corpus-%d.jsonl", i%3)
		text := story(event, version)
		if version == 3 && event < 12 {
			text = story(event%3, 0) + " Again."
		}
		date := fmt.Sprintf(`,"date":"2026-04-%02d"`, 1+event%9+2*version)
		switch event % 10 {
		case 0:
			date = ""
		case 5:
			date = `,"date":"21 April"` // left out
		}
		files[name] += fmt.Sprintf(`{"id":%d,"text":%q%s}`+"\n", i, text, date)
		if i%50 == 9 {
			files[name] += "{\"id\": 1}\n\n[]\n"
		}
	}
	return files
}

// TestClusterMakesWhatClusterMakes compares the pipeline with the package that "cerasum
// cluster" uses, and "cerasum batch" on its clusters.
func TestClusterMakesWhatClusterMakes(t *testing.T) {
	for name, c := range map[string]Clustering{
		"defaults":       {Block: 500, Options: clustering.Options{Min: 2, EventSize: clustering.DefaultEventSize, Threshold: clustering.DefaultThreshold}},
		"blocks, limits": {Block: 30, Options: clustering.Options{Min: 1, Within: 100 * time.Hour, MaxCopies: 4, Max: 3, EventSize: 2, Threshold: 0.07}},
	} {
		t.Run(name, func(t *testing.T) {
			c.On = true
			dir := t.TempDir()
			f := Files{Input: filepath.Join(dir, "corpus-*"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
			s := settings()
			s.Clustering, s.KeepFields = c, true
			o, err := s.options()
			if err != nil {
				t.Fatal(err)
			}
			want, bad := clustered(t, dir, o, c)
			var out bytes.Buffer
			if err := run(context.Background(), f, s, &out); err != nil {
				t.Fatal(err)
			}
			if got := lines(t, f.Output); !slices.Equal(got, want) {
				t.Errorf("%d summaries, want %d:\n%.900s, want\n%.900s", len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if got := lines(t, f.Output+".bad.jsonl"); len(got) != bad {
				t.Errorf("bad lines: %q, want %d", got, bad)
			}
			if want := "cerasum-beam: left out fields that are not valid: date 12\n"; !strings.Contains(out.String(), want) {
				t.Errorf("got %s, want %s", out.String(), want)
			}
			t.Logf("%d clusters: %s", len(want), out.String())
			if len(want) < 20 {
				t.Errorf("%d clusters", len(want))
			}
		})
	}
}

// defaultClustering has the defaults of the flags.
func defaultClustering() Clustering {
	s := settings()
	declare(flag.NewFlagSet("", flag.ContinueOnError), &Files{}, &s)
	s.Clustering.On = true
	return s.Clustering
}

// clustered writes the corpus, and returns the summaries of its clusters and the number of
// bad lines.
func clustered(t *testing.T, dir string, o *batch.Options, c Clustering) (summaries []string, bad int) {
	t.Helper()
	c.Folder = t.TempDir()
	finder, err := clustering.New(c.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	analyzer := clustering.NewAnalyzer()
	var ids, documents []string
	files := clusterCorpus()
	for file, name := range []string{"corpus-0.jsonl", "corpus-1.jsonl", "corpus-2.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(files[name]) {
			number++
			if strings.TrimSpace(line) == "" {
				continue
			}
			all, err := (&records.Fields{}).Split([]byte(line))
			if err != nil {
				bad++
				continue
			}
			for place, d := range all {
				if err := finder.Add(analyzer.Features(d.Title, d.Text, d.Language), d.Date); err != nil {
					t.Fatal(err)
				}
				ids = append(ids, fmt.Sprintf("cluster-%d-%d-%d", file, number, place))
				documents = append(documents, string(d.Raw))
			}
		}
	}
	labels, err := finder.Clusters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := map[int][]string{}
	for i, l := range labels {
		of[l] = append(of[l], documents[i])
	}
	for l, documents := range of {
		if len(documents) < c.Min {
			continue
		}
		made, err := o.Line(t.Context(), fmt.Appendf(nil, `{"id":%q,"documents":[%s]}`, ids[l], strings.Join(documents, ",")))
		if err != nil {
			t.Fatal(err)
		}
		summaries = append(summaries, strings.TrimSuffix(string(made), "\n"))
	}
	slices.Sort(summaries)
	return summaries, bad
}

// TestClusterSkewed: an event whose documents exceed the limit is reported with their number,
// and so is a document; the others are summarized.
func TestClusterSkewed(t *testing.T) {
	dir := t.TempDir()
	var corpus strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&corpus, "{\"text\":%q}\n", story(1, 1))
		if i%2000 == 0 {
			fmt.Fprintf(&corpus, "{\"text\":%q}\n", story(2, i/2000))
		}
	}
	for event := range 30 {
		fmt.Fprintf(&corpus, "{\"text\":%q}\n", story(event+3, 0))
	}
	fmt.Fprintf(&corpus, "{\"text\":%q}\n", strings.Repeat("A long text of one document. ", 10<<20/29))
	f := Files{Input: filepath.Join(dir, "corpus"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
	if err := os.WriteFile(f.Input, []byte(corpus.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := settings()
	s.Clustering = defaultClustering()
	var out bytes.Buffer
	if err := run(context.Background(), f, s, &out); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, f.Output); !strings.Contains(strings.Join(got, "\n"), "cedarburg") {
		t.Errorf("summaries: %.900q", got)
	}
	got := lines(t, f.Output+".bad.jsonl")
	if all := strings.Join(got, "\n"); len(got) != 2 || !strings.Contains(all, "6000 documents with ") {
		t.Errorf("bad lines: %.900s", all)
	}
	if !strings.Contains(out.String(), "left out: too_long 2;") {
		t.Errorf("got %s", out.String())
	}
	for _, line := range got {
		if !json.Valid([]byte(line)) {
			t.Errorf("%.200s", line)
		}
	}
}

// TestFlags: those that only --cluster uses are errors without it, and the help names them.
func TestFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--input a", ""},
		{"--cluster --within 72h --min 3", ""},
		{"--within 72h", "--within requires --cluster"},
		{"--threshold 7", "--threshold requires --cluster"},
		{"--title-field headline", "--title-field requires --cluster"},
		{"--block 3", "--block requires --cluster"},
		{"--cluster --threshold 7", "--threshold 7: want a number above 0 and below 1"},
		{"--cluster --date-field a..b", `field "a..b"`},
		{"--cluster --block 0", "--block 0: want a positive number"},
	} {
		f, s := Files{}, settings()
		set := flag.NewFlagSet("", flag.ContinueOnError)
		conflict := declare(set, &f, &s)
		if err := set.Parse(strings.Fields(c.args)); err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		err := conflict()
		if err == nil {
			_, err = s.options()
		}
		if got := fmt.Sprint(err); (err != nil) != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q", c.args, got, c.want)
		}
	}
	var help bytes.Buffer
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(&help)
	declare(set, &Files{}, &Settings{})
	set.PrintDefaults()
	for _, want := range []string{"(--cluster) similarity from which", "(default 0.1)", "(--cluster) minimum number of documents", "(default: documents, or text if records are documents)", "with a text or otherwise a list of documents", "field that the documents of a cluster share"} {
		if !strings.Contains(help.String(), want) {
			t.Errorf("no %q in\n%s", want, &help)
		}
	}
}

func pairOf(p pair) (int64, int64) { return p.A, p.B }

// collected is what the workers, which are in this process, saw; Beam's passert takes ten
// seconds to compile.
var collected struct {
	sync.Mutex
	texts []string
}

func collect(of, centre int64) {
	collected.Lock()
	defer collected.Unlock()
	collected.texts = append(collected.texts, fmt.Sprintf("%d in %d", of, centre))
}

func init() {
	beam.RegisterFunction(pairOf)
	beam.RegisterFunction(collect)
}

// TestComponents: stars, chains in order and in none, and random graphs, with few rounds and none.
func TestComponents(t *testing.T) {
	chain := func(first, n int64) (pairs []pair) {
		for i := first; i < first+n-1; i++ {
			pairs = append(pairs, pair{i, i + 1})
		}
		return pairs
	}
	var mixed, random []pair
	for i := range int64(60) {
		// 7 and 61 are coprime, so that every number from 100 to 160 is in the chain once.
		mixed = append(mixed, pair{100 + i*7%61, 100 + (i+1)*7%61}, pair{200, 201 + i}, pair{301 + 2*i, 300 + 2*i})
	}
	numbers := rand.New(rand.NewPCG(3, 3))
	for range 1000 {
		random = append(random, pair{numbers.Int64N(1200), numbers.Int64N(1200)})
	}
	for _, c := range []struct {
		rounds int
		pairs  []pair
	}{
		{rounds, slices.Concat(mixed, chain(1000, 300), chain(2000, 5000))},
		{0, slices.Concat(random, chain(2000, 300))},
		{1, slices.Concat(random, chain(2000, 300))},
	} {
		p, scope, col := ptest.CreateList(c.pairs)
		beam.ParDo0(scope, collect, components(scope, beam.ParDo(scope, pairOf, col), c.rounds))
		collected.texts = nil
		if err := ptest.Run(p); err != nil {
			t.Errorf("%d rounds: %v", c.rounds, err)
		}
		slices.Sort(collected.texts)
		if want := componentsOf(c.pairs); !slices.Equal(collected.texts, want) {
			t.Errorf("%d rounds: %d numbers in components, want %d; or other ones", c.rounds, len(collected.texts), len(want))
		}
	}
}

// componentsOf returns the sorted texts of the components, found by giving each number the least one
// of its neighbours until nothing changes.
func componentsOf(pairs []pair) (texts []string) {
	least := map[int64]int64{}
	for _, p := range pairs {
		if p.A != p.B {
			least[p.A], least[p.B] = p.A, p.B
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range pairs {
			if least[p.A] != least[p.B] {
				m := min(least[p.A], least[p.B])
				least[p.A], least[p.B], changed = m, m, true
			}
		}
	}
	for n, m := range least {
		texts = append(texts, fmt.Sprintf("%d in %d", n, m))
	}
	slices.Sort(texts)
	return texts
}
