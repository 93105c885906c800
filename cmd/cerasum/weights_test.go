package main

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/weights"
	"github.com/cerasum/cerasum/models"
)

// randomWeights are for the shipped encoder, unless from says otherwise.
func randomWeights(t *testing.T, interpolation bool, from weights.Origin) string {
	t.Helper()
	_, about, err := shipped()
	if errors.Is(err, errNoEncoder) {
		t.Skip("there is no shipped encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	if from.Encoder == "" {
		from.Encoder = about.Name
	}
	w := centroid.NewWeights[float32](about.Dimensions, 4, interpolation)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range w.Data {
		w.Data[i] = float32(r.NormFloat64() / math.Sqrt(float64(about.Dimensions)))
	}
	folder := t.TempDir()
	err = weights.Write(w, from, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(folder, name))
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestSummarizeWithWeights(t *testing.T) {
	for method, interpolation := range map[string]bool{"cera": false, "cerai": true} {
		if testing.Short() && method == "cera" {
			continue // each summary loads the encoder
		}
		free := weights.Origin{Licence: "CC0", Free: true, Corpora: []string{"noise, CC0"}}
		folder := randomWeights(t, interpolation, free)
		got := cli(t, strings.NewReader(twoPorts), "summarize", "--input-format", "jsonl", "--format", "json", "--method", method, "--weights", folder, "--licence", "free", "--budget", "2s").want(t, exitOK)
		p := parse(t, got.stdout)
		total := 0.0
		for _, d := range p.Documents {
			for _, a := range d.Attention {
				total += a
			}
		}
		if p.Method != method || math.Abs(total-1) > 1e-9 || len(p.Sentences) != 2 {
			t.Errorf("%s: attention %v in all: %s", method, total, got.stdout)
		}
		drawn := cli(t, strings.NewReader(twoPorts), "explain", "--input-format", "jsonl", "--method", method, "--weights", folder, "--budget", "2s").want(t, exitOK)
		if !strings.Contains(drawn.stdout, "Method "+method) || !strings.Contains(drawn.stdout, "▲") {
			t.Errorf("%s: %s", method, drawn.stdout)
		}
		blend := cli(t, strings.NewReader(twoPorts), "summarize", "--input-format", "jsonl", "--format", "json", "--method", method, "--weights", folder, "--dense-weight", "0.3", "--budget", "2s").want(t, exitOK)
		if other := parse(t, blend.stdout); other.Documents[0].Attention[0] != p.Documents[0].Attention[0] || other.Sentences[0].Score == p.Sentences[0].Score {
			t.Errorf("%s: the dense weight changes the attention, or nothing: %s", method, blend.stdout)
		}
	}
}

func TestWeightsThatAreRefused(t *testing.T) {
	cerai := randomWeights(t, true, weights.Origin{})
	foreign := randomWeights(t, true, weights.Origin{Encoder: "another/encoder"})
	stale := randomWeights(t, true, weights.Origin{EncoderSHA256: strings.Repeat("0", 64)})
	notFolder := filepath.Join(cerai, weights.ConfigFile)
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"--method cera --weights " + cerai, exitUsage, []string{"weights for method cerai"}},
		{"--method mean --weights " + cerai, exitUsage, []string{"weights for method cerai", "--method"}},
		{"--weights " + cerai, exitUsage, []string{"weights for method cerai"}},
		{"--method cerai --weights " + cerai + "," + cerai, exitUsage, []string{"method cerai already has weights", "already"}},
		{"--method cerai --licence free --weights " + cerai, exitUsage, []string{"--licence free", "not marked as trained on freely licensed corpora"}},
		{"--method cerai --licence GPL --weights " + cerai, exitUsage, []string{`--licence: unknown value "GPL"`, "free"}},
		{"--method cerai --weights " + foreign, exitUsage, []string{"weights for another encoder", "another/encoder", "--encoder"}},
		{"--method cerai --weights " + stale, exitUsage, []string{"weights for another encoder", "SHA-256"}},
		{"--method cerai --weights nosuch", exitFailed, []string{"nosuch: no such folder", "built without", "cerasum version"}},
		{"--method cerai --weights ./nosuch", exitFailed, []string{"nosuch"}},
		{"--method cerai --weights " + notFolder, exitFailed, []string{"is not a folder", weights.TensorsFile}},
		{"--method cerai --weights " + filepath.Dir(cerai), exitFailed, []string{weights.ConfigFile}},
	} {
		cli(t, strings.NewReader(oneText), append([]string{"summarize"}, strings.Fields(test.args)...)...).want(t, test.code, test.want...)
	}
}

// TestDefaultWeights: methods use the shipped weights, or report that there are
// none.
func TestDefaultWeights(t *testing.T) {
	for _, method := range []string{"cera", "cerai"} {
		for _, licence := range []string{"", core.LicenceFree} {
			if testing.Short() && (method == "cera") != (licence == "") {
				continue // each summary loads the encoder
			}
			args := []string{"summarize", "--method", method}
			if licence != "" {
				args = append(args, "--licence", licence)
			}
			got := cli(t, strings.NewReader(twoPorts), append(args, "--input-format", "jsonl", "--format", "json")...)
			if _, err := models.DefaultWeights(method, licence); err != nil {
				got.want(t, exitFailed, "this program was built without weights for method "+method, "--weights")
				continue
			}
			if p := parse(t, got.want(t, exitOK).stdout); p.Method != method || len(p.Documents[0].Attention) != 3 {
				t.Errorf("%s: %s", method, got.stdout)
			}
		}
	}
}

// TestShippedWeights: each is for the shipped encoder, by its fingerprint.
func TestShippedWeights(t *testing.T) {
	list, err := models.AllWeights()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range list {
		if testing.Short() && i > 0 {
			break // each summary loads the encoder
		}
		cli(t, strings.NewReader(oneText), "summarize", "--method", w.Method, "--weights", w.Name).want(t, exitOK)
	}
}

func TestEvaluateWithWeights(t *testing.T) {
	data := file(t, "set.jsonl", []byte(strings.Replace(twoPorts, `"documents"`, `"references":["Forty boats broke loose at Marle."],"documents"`, 1)))
	cera, cerai := randomWeights(t, false, weights.Origin{}), randomWeights(t, true, weights.Origin{})
	args := []string{"evaluate", "--dataset", data, "--no-cache", "--state", "", "--resamples", "10", "--budget", "12", "--format", "json"}
	with := func(more ...string) answer { return cli(t, nil, append(args, more...)...) }
	got := with("--methods", "mean,cera,cerai", "--weights", cera+","+cerai).want(t, exitOK)
	for _, want := range []string{`"method": "cera"`, `"method": "cerai"`, `"cera ` + cera + " (sha256 ", `"cerai ` + cerai + " (sha256 "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("lacks %q: %s", want, got.stdout)
		}
	}
	all := with("--methods", "all", "--weights", cerai).want(t, exitOK)
	_, err := models.DefaultWeights("cera", "")
	if !strings.Contains(all.stdout, `"method": "cerai"`) || strings.Contains(all.stdout, `"method": "cera"`) != (err == nil) {
		t.Errorf("all methods: %s", all.stdout)
	}
	with("--methods", "mean", "--weights", cera).want(t, exitUsage, "weights for method cera")
	with("--methods", "cerai", "--encoder", "lexical", "--weights", cerai).want(t, exitUsage, "cerai requires an encoder, and --encoder is lexical")
	with("--methods", "cerai", "--weights", randomWeights(t, true, weights.Origin{Encoder: "x"})).want(t, exitUsage, "weights for another encoder")
	if testing.Short() {
		return // the grid loads the encoder once more
	}
	with("--methods", "cerai", "--grid", "W=0,0.5,1", "--weights", cerai).want(t, exitOK)
}
