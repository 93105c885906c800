package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/cerasum/cerasum/internal/telemetry/telemetrytest"
)

// TestPipelineTelemetry: the counters of the report are exported, once, and one span; nothing of
// the documents is.
func TestPipelineTelemetry(t *testing.T) {
	c := telemetrytest.Collect(t)
	dir := t.TempDir()
	f := Files{Input: filepath.Join(dir, "zebra.jsonl"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
	lines := `{"id": "zebra-1", "documents": ["The ferry left late on Monday. A chain was in its screw.", "Divers freed the ferry. Nobody was hurt. It rained."]}
{"id": "zebra-2", "documents": "zebra"}
{"id": "zebra-3", "documents": ["..."]}
` + "\xff zebra\n"
	if err := os.WriteFile(f.Input, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), f, settings(), &out); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]float64{"cerasum.clusters": 1, "cerasum.sentences": 5, "cerasum.quoted": 2,
		"cerasum.left_out unreadable": 1, "cerasum.left_out malformed": 1, "cerasum.left_out no_text": 1} {
		if c.Counters[name] != n {
			t.Errorf("%s: %g, want %g; %s", name, c.Counters[name], n, out.String())
		}
	}
	for _, stage := range []string{"read", "analyse", "select", "write"} {
		if c.Counters["cerasum.stage "+stage] <= 0 {
			t.Errorf("no time of stage %s: %v", stage, c.Counters)
		}
	}
	if len(c.Spans) != 1 || len(c.Named("pipeline")) != 1 || telemetrytest.Attribute(c.Spans[0], "cerasum.clusters") != 1 || telemetrytest.Attribute(c.Spans[0], "cerasum.left_out.malformed") != 1 {
		t.Errorf("spans: %v", c.Spans)
	}
	c.Without(t, "zebra", "ferry", dir)

	// A file that is missing: the span says so, and not which.
	f.Input = filepath.Join(dir, "zebra-*.csv")
	if err := run(t.Context(), f, settings(), &out); err == nil {
		t.Error("no error")
	}
	if len(c.Spans) != 2 || c.Spans[1].GetStatus().GetCode().String() != "STATUS_CODE_ERROR" {
		t.Errorf("spans: %v", c.Spans)
	}
	c.Without(t, "zebra", dir)
}
