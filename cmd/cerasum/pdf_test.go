package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func TestPDF(t *testing.T) {
	pdf := func(name string) string { return filepath.Join("internal", "ingest", "testdata", "pdf", name+".pdf") }
	data := mustRead(t, pdf("gazette"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(data)
	}))
	defer server.Close()
	misnamed := file(t, "gazette.txt", data)
	for name, a := range map[string]answer{
		"file":           cli(t, nil, "summarize", "--format", "json", pdf("gazette")),
		"another's name": cli(t, nil, "summarize", "--format", "json", misnamed),
		"standard input": cli(t, bytes.NewReader(data), "summarize", "--format", "json", "-"),
		"address":        cli(t, nil, "summarize", "--format", "json", server.URL),
	} {
		d := parse(t, a.want(t, exitOK).stdout).Documents[0]
		if d.Title != "The harbour of Nessel is closed" || !strings.Contains(d.Text, "the administration of Nessel said") {
			t.Errorf("%s: %q, %q", name, d.Title, d.Text)
		}
	}
	a := cli(t, nil, "summarize", pdf("locked"), pdf("scanned"), pdf("garbled"), pdf("damaged"), pdf("gazette")).want(t, exitFailed,
		"locked.pdf: password-protected PDF", "hint: save it without a password", "scanned.pdf: scanned PDF: no text; the pages are images", "(OCR)", "garbled.pdf: PDF text cannot be extracted", "damaged.pdf: damaged PDF")
	if !strings.Contains(a.stdout, "Nessel") {
		t.Errorf("the good file is left out: %s", a.stdout)
	}
}
