package core

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

// TestAblation prints a table of what each part of method salience contributes: R2-R
// on the sets on which its settings were chosen, and no network was trained. It needs
// CERASUM_ABLATION, the folder of the corpora, takes some minutes, and asserts that the
// complete method is better than instant on the first set.
func TestAblation(t *testing.T) {
	data := os.Getenv("CERASUM_ABLATION")
	if data == "" {
		t.Skip("CERASUM_ABLATION names no folder with the corpora")
	}
	with := func(change func(*salienceParams)) runner {
		params := salienceDefaults
		change(&params)
		return func(ctx context.Context, j *job) (choice, error) { return j.runSalienceWith(ctx, params) }
	}
	weight := func(v float64) func(*salienceParams) {
		return func(params *salienceParams) { params.coverageWeight, params.longCoverageWeight = [2]float64{v, v}, v }
	}
	variants := []struct {
		name string
		run  runner
	}{
		{"salience", with(func(*salienceParams) {})}, // without the rule for half of the text
		{"greedy searches, no local search", with(func(params *salienceParams) { params.replacements = 0 })},
		{"one greedy search, by gain", with(func(params *salienceParams) { params.replacements, params.densityExponents = 0, []float64{0} })},
		{"one greedy search, by gain for length", with(func(params *salienceParams) { params.replacements, params.densityExponents = 0, []float64{1} })},
		{"documents' agreement does not count", with(func(params *salienceParams) { params.support = false })},
		{"no β in the centroid", with(func(params *salienceParams) { params.sharpness = 0 })},
		{"centroid alone", with(weight(0))},
		{"centroid alone, β = softmax(z)", runBeta},
		{"word pairs alone", with(weight(1))},
		{"the same weight of coverage for all, 0.4", with(weight(0.4))},
		{"with --licence any", anyLicence(runSalience)},
		{"with --licence any, long-budget expert alone", anyLicence(with(func(params *salienceParams) { params.longShare = func(int, float64) float64 { return 1 } }))},
		{"instant", runInstant},
		{"instant with this search", runInstantExchange},
		{"concepts", runConcepts},
		{"mean centroid (bs+gs)", runBeamGreedy},
	}
	table := make([]string, len(variants))
	head := "| |"
	for i, set := range []struct {
		name, path, language string
		budget               int
		unicode              bool
	}{
		{"DUC 2002", "newswire/duc2002.jsonl.gz", "en", 200, false},
		{"DUC 2006", "newswire/duc2006.jsonl.gz", "en", 250, false},
		{"Multi-News validation", "multi_news/validation.jsonl.gz", "en", 230, false},
		{"OrangeSum validation", "orangesum_fr/valid.jsonl.gz", "fr", 40, true},
		{"NeuS train", "neus_allsides/train.jsonl.gz", "en", 67, false},
		{"AbMuSu train", "abmusu_vi/train.jsonl.gz", "vi", 200, true},
		{"ScisummNet dev", "genres/scisumm-dev.jsonl.gz", "en", 150, false},
		{"Russian papers", "genres/russian-science-dev.jsonl.gz", "ru", 100, true},
	} {
		jobs, references := ablationJobs(t, filepath.Join(data, set.path), set.language, set.budget)
		head += " " + set.name + " |"
		var whole, instant float64
		for v, variant := range variants {
			recall := meanRecall(t, jobs, references, rouge.Options{Stem: !set.unicode, Unicode: set.unicode, LimitWords: set.budget}, variant.run)
			table[v] += fmt.Sprintf(" %.2f |", 100*recall)
			switch variant.name {
			case "salience":
				whole = recall
			case "instant":
				instant = recall
			}
		}
		if i == 0 && whole < instant+0.005 {
			t.Errorf("%s: salience %.4f, instant %.4f", set.name, whole, instant)
		}
	}
	t.Log(head)
	for v, variant := range variants {
		t.Logf("| %s |%s", variant.name, table[v])
	}
}

// anyLicence runs a method with --licence any.
func anyLicence(run runner) runner {
	return func(ctx context.Context, j *job) (choice, error) {
		o := *j.options
		o.Licence = LicenceAny
		j.options = &o
		return run(ctx, j)
	}
}

// runBeta uses the centroid alone; the sentences are weighted as in CeRA, by the
// softmax of the network's predictions.
func runBeta(ctx context.Context, j *job) (choice, error) {
	rows := j.analysis.TFIDF(instantParams.weighting)
	predicted := salience.Predict(j.features(rows), salience.General(), nil, 0)
	for k, z := range predicted.Sentence {
		predicted.Sentence[k] = math.Exp(z)
	}
	p := j.plain()
	p.Rows = rows
	p.Centroid = centroid.Weighted(rows, predicted.Sentence)
	r, err := j.distinctSearch(ctx, p)
	return choice{Result: r}, err
}

// runInstantExchange is instant with the search of salience.
func runInstantExchange(ctx context.Context, j *job) (choice, error) {
	rows := j.analysis.TFIDF(instantParams.weighting)
	c := centroid.Weighted(rows, j.sharpWeights(rows, instantParams))
	con := j.analysis.Concepts()
	r, err := j.searchCandidates(j.candidates(rows, c, instantParams), rows, c, con.Sentence, con.Weight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.LocalSearch(ctx, p, con, selection.LocalSearchParams{
			Budget: j.measure.budget, CoverageWeight: instantParams.coverageWeight, ConceptCapacity: j.conceptCapacity(instantParams), MaxCosine: nearDuplicate,
			DensityExponents: salienceDefaults.densityExponents, SwapExponent: salienceDefaults.swapExponent, Replacements: salienceDefaults.replacements,
		})
	})
	return choice{Result: r}, err
}

// ablationJobs reads and prepares a corpus.
func ablationJobs(t *testing.T, path, language string, budget int) (jobs []*job, references [][][]string) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	reader := dataset.NewJSONLines(lines, path)
	for {
		c, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return jobs, references
		}
		if err != nil {
			t.Fatal(err)
		}
		all := &cluster.Cluster{Documents: c.Documents}
		for i := range all.Documents {
			all.Documents[i].Language = language
		}
		j := jobOf(t, all, Options{Budget: Budget{budget, PaperWords}})
		j.measure = j.measureOf(j.options.Budget)
		var of [][]string
		for _, r := range c.References {
			of = append(of, []string{r})
		}
		jobs, references = append(jobs, j), append(references, of)
	}
}

func meanRecall(t *testing.T, jobs []*job, references [][][]string, o rouge.Options, run runner) float64 {
	recall := make([]float64, len(jobs))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			scorer := rouge.NewScorer(o)
			for i := range next {
				j := *jobs[i]
				c, err := run(t.Context(), &j)
				if err != nil {
					t.Error(err)
				}
				var lines []string
				for _, k := range c.Rows {
					lines = append(lines, text.OneLine(j.texts[k]))
				}
				scores, err := scorer.Score(lines, references[i])
				if err != nil {
					t.Error(err)
				}
				recall[i] = scores[rouge.ROUGE2].Recall
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	group.Wait()
	sum := 0.0
	for _, r := range recall {
		sum += r
	}
	return sum / float64(len(recall))
}
