package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/telemetry/telemetrytest"
)

func TestBatchTelemetry(t *testing.T) {
	c := telemetrytest.Collect(t)
	lines := `{"id": "zebra-1", "documents": ["The ferry left late on Monday. A chain was in its screw.", "Divers freed the ferry. Nobody was hurt. It rained."]}
{"id": "zebra-2", "documents": "zebra"}
{"id": "zebra-3", "documents": ["..."]}
{"zebra
` + "\xff zebra\n" + `{"id": "` + strings.Repeat("zebra", 1<<18) + `", "documents": ["Long."]}
`
	corpus := file(t, "zebra.jsonl", []byte(lines))
	out := filepath.Join(t.TempDir(), "o.jsonl")
	cli(t, nil, "batch", corpus, "-o", out, "--encoder", "lexical", "--budget", "2s", "--max-line", "1").want(t, exitFailed,
		"1 cluster summarized; 5 lines failed", "cerasum: sentences: 5, 2 quoted; left out: too_long 1, unreadable 1, malformed 2, no_text 1; seconds: read ", "analyse ", "select ", "write ")
	want := map[string]float64{"cerasum.clusters": 1, "cerasum.sentences": 5, "cerasum.quoted": 2,
		"cerasum.left_out too_long": 1, "cerasum.left_out unreadable": 1, "cerasum.left_out malformed": 2, "cerasum.left_out no_text": 1}
	for name, n := range want {
		if c.Counters[name] != n {
			t.Errorf("%s: %g, want %g", name, c.Counters[name], n)
		}
	}
	for _, stage := range []string{"read", "analyse", "select", "write"} {
		if c.Counters["cerasum.stage "+stage] <= 0 {
			t.Errorf("no time of stage %s: %v", stage, c.Counters)
		}
	}
	run, corpora := c.Named("batch"), c.Named("corpus")
	if len(run) != 1 || len(corpora) != 1 || !bytes.Equal(corpora[0].GetParentSpanId(), run[0].GetSpanId()) {
		t.Fatalf("spans: %v", c.Spans)
	}
	for _, s := range c.Spans {
		if telemetrytest.Attribute(s, "cerasum.clusters") != 1 || telemetrytest.Attribute(s, "cerasum.left_out.malformed") != 2 {
			t.Errorf("%v", s)
		}
	}
	if c.Resource["service.name"] != "cerasum" || c.Resource["service.version"] == "" {
		t.Errorf("resource: %v", c.Resource)
	}
	c.Without(t, "zebra", "ferry", corpus, filepath.Dir(corpus))
}

func TestServeTelemetry(t *testing.T) {
	c := telemetrytest.Collect(t)
	s := serveAPI(t, "--log", "json", "--encoder", "lexical")
	const parent = "0af7651916cd43dd8448eb211c80319c"
	resp, body := s.ask(t, "POST", "/v1/summarize", `{"id": "zebra", `+twoTexts+`}`, "traceparent", "00-"+parent+"-b7ad6b7169203331-01", "tracestate", "zebra=zebra")
	if resp.StatusCode != 200 {
		t.Fatal(body)
	}
	quoted := strings.Count(body, `"gain":`)
	s.ask(t, "POST", "/v1/summarize", `{"zebra": 1}`)
	s.ask(t, "POST", "/v1/summarize", `{"documents": ["..."]}`)
	s.ask(t, "POST", "/v1/zebra?zebra=1", "{}", "traceparent", "00-nonsense")
	s.ask(t, "GET", "/readyz", "")
	for name, n := range map[string]string{
		"cerasum_clusters_total": "1", "cerasum_sentences_total": "5", "cerasum_quoted_total": fmt.Sprint(quoted),
		`cerasum_left_out_total{reason="malformed"}`: "1", `cerasum_left_out_total{reason="no_text"}`: "1", `cerasum_left_out_total{reason="busy"}`: "0",
	} {
		if got := metric(t, s, name); got != name+" "+n {
			t.Errorf("%s, want %s", got, n)
		}
	}
	if got := metric(t, s, `cerasum_stage_seconds_total{stage="select"}`); got == "" || strings.HasSuffix(got, " 0") {
		t.Errorf("no time of selection: %q", got)
	}
	s.stop()
	for name, n := range map[string]float64{"cerasum.clusters": 1, "cerasum.quoted": float64(quoted), "cerasum.left_out malformed": 1, "cerasum.left_out no_text": 1, "http.server.request.duration": 3} {
		if c.Counters[name] != n {
			t.Errorf("%s: %g, want %g", name, c.Counters[name], n)
		}
	}
	requests := c.Named("POST /v1/summarize")
	if len(requests) != 3 || len(c.Named("GET /readyz")) > 0 {
		t.Fatalf("%v", c.Spans)
	}
	first := requests[0]
	if id := fmt.Sprintf("%x", first.GetTraceId()); id != parent || fmt.Sprintf("%x", first.GetParentSpanId()) != "b7ad6b7169203331" {
		t.Errorf("trace %s, parent %x", id, first.GetParentSpanId())
	}
	if telemetrytest.Attribute(first, "http.response.status_code") != 200 || telemetrytest.Attribute(first, "cerasum.quoted") != int64(quoted) || telemetrytest.Attribute(requests[1], "http.response.status_code") != 400 {
		t.Errorf("%v", requests)
	}
	for _, stage := range []string{"read", "analyse", "select", "write"} {
		found := false
		for _, span := range c.Named(stage) {
			found = found || bytes.Equal(span.GetParentSpanId(), first.GetSpanId()) && span.GetEndTimeUnixNano() >= span.GetStartTimeUnixNano()
		}
		if !found {
			t.Errorf("no span of stage %s", stage)
		}
	}
	if !strings.Contains(s.log(), `"trace":"`+parent+`"`) {
		t.Errorf("the log does not name the trace: %s", s.log())
	}
	c.Without(t, "zebra", "ferry", "Orvik", "127.0.0.1")
}

// TestNoTelemetry: without an endpoint nothing is opened and nothing runs.
func TestNoTelemetry(t *testing.T) {
	c := telemetrytest.Collect(t)
	endpoint := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	for name, env := range map[string]map[string]string{
		"no endpoint": {"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_SERVICE_NAME": "x"},
		"disabled":    {"OTEL_SDK_DISABLED": "true"},
		"none":        {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range env {
				t.Setenv(k, v)
			}
			s := serveAPI(t, "--log", "off", "--encoder", "lexical")
			if resp, body := s.ask(t, "POST", "/v1/summarize", `{`+twoTexts+`}`, "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"); resp.StatusCode != 200 {
				t.Fatal(body)
			}
			var stacks bytes.Buffer
			if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(stacks.String(), "go.opentelemetry.io") {
				t.Errorf("%s", stacks.String())
			}
			s.stop()
			cli(t, bytes.NewReader(batchLines(2)), "batch", "-", "--encoder", "lexical").want(t, exitOK)
		})
	}
	if c.Raw.Len() > 0 {
		t.Errorf("%d bytes were exported", c.Raw.Len())
	}
	for name, value := range map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_TRACES_EXPORTER": "console"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			cli(t, bytes.NewReader(batchLines(2)), "batch", "-", "--encoder", "lexical").want(t, exitUsage, name+": want ")
			cli(t, nil, "serve", "--api", "--port", "0").want(t, exitUsage, name+": want ")
		})
	}
	// An endpoint that does not answer is a warning.
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "200") // milliseconds
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:1/v1/traces")
	cli(t, bytes.NewReader(batchLines(2)), "batch", "-", "--encoder", "lexical").want(t, exitOK, "telemetry: ")
}
