package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// peakHeap returns the largest heap while f runs, in bytes, sampled.
func peakHeap(f func()) uint64 {
	runtime.GC()
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	return <-peak
}

// TestBatchLarge: a group of 100,000 documents and a document of 10 MB are summarized
// within a bounded memory, or above --max-line reported with their size; what follows
// them is summarized. Similar files, of 12 and 13 MB, took 0.9 and
// 0.6 GB of resident memory.
func TestBatchLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: minutes on a busy machine")
	}
	const most = 2 << 30
	var group bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&group, `{"event": "skewed", "text": "The ferry of line %d left late on day %d. The harbour closed gate %d."}`+"\n", i%97, i%30+1, i)
	}
	group.WriteString(`{"event": "small", "text": "Divers freed the ferry. Nobody was hurt."}` + "\n")
	skewed := file(t, "skewed.jsonl", group.Bytes())
	out := filepath.Join(t.TempDir(), "o.jsonl")
	args := []string{"batch", skewed, "--group-by", "event", "--encoder", "lexical", "-o", out, "--restart"}
	if peak := peakHeap(func() {
		cli(t, nil, args...).want(t, exitOK, "2 clusters summarized", "sentences: 200002, ")
	}); peak > most {
		t.Errorf("100,000 documents: %d MB", peak>>20)
	}
	if got := string(mustRead(t, out)); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `{"id":"skewed"`) {
		t.Errorf("%.200s", got)
	}
	if peak := peakHeap(func() {
		cli(t, nil, append(args, "--max-line", "1")...).want(t, exitFailed, `group "skewed": 100000 documents with`, "want at most 1048576 bytes", "1 cluster summarized; 1 line failed", "left out: too_long 1;")
	}); peak > 512<<20 {
		t.Errorf("100,000 documents above the limit: %d MB", peak>>20)
	}

	var long strings.Builder
	for long.Len() < 10<<20 {
		fmt.Fprintf(&long, "The ferry of line %d left late on day %d. The harbour closed gate %d. ", long.Len()%97, long.Len()%30+1, long.Len())
	}
	corpus := filepath.Join(t.TempDir(), "long.jsonl")
	lines := fmt.Sprintf(`{"id": "long", "documents": [%q, "Divers freed the ferry."], "references": ["The ferry left late."]}`+"\n"+`{"id": "small", "documents": ["Divers freed the ferry. Nobody was hurt."], "references": ["Divers freed the ferry."]}`+"\n", long.String())
	if err := os.WriteFile(corpus, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	args = []string{"batch", corpus, "--encoder", "lexical", "-o", out, "--restart"}
	if peak := peakHeap(func() { cli(t, nil, args...).want(t, exitOK, "2 clusters summarized") }); peak > most {
		t.Errorf("10 MB: %d MB", peak>>20)
	}
	cli(t, nil, append(args, "--max-line", "8")...).want(t, exitFailed, "long.jsonl:1: unreadable line: want at most 8 MiB", "1 cluster summarized; 1 line failed", "left out: too_long 1;")
	evaluate := func() {
		got := cli(t, nil, "evaluate", "--dataset", corpus, "--methods", "lead,editor", "--encoder", "lexical", "--budget", "10", "--state", "", "--format", "json").want(t, exitOK)
		if !strings.Contains(strings.ReplaceAll(got.stdout, " ", ""), `"clusters":2`) {
			t.Errorf("%s%s", got.stdout, got.stderr)
		}
	}
	if peak := peakHeap(evaluate); peak > most {
		t.Errorf("evaluate, 10 MB: %d MB", peak>>20)
	}
}
