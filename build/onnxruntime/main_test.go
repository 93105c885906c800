package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	f, err := z.Create("onnxruntime/capi/libonnxruntime.so." + version)
	if err == nil {
		_, err = f.Write([]byte("library"))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	fetched := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched++
		w.Write(file.Bytes())
	}))
	defer server.Close()
	sum := sha256.Sum256(file.Bytes())
	w := wheel{server.URL, hex.EncodeToString(sum[:]), "libonnxruntime.so." + version, "libonnxruntime.so"}
	dir := t.TempDir()
	out, cache := filepath.Join(dir, "bin"), filepath.Join(dir, "cache")
	for range 2 {
		if err := place(w, out, cache); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(filepath.Join(out, "libonnxruntime.so")); err != nil || string(data) != "library" {
			t.Errorf("%q, %v", data, err)
		}
	}
	if fetched != 1 {
		t.Errorf("fetched %d times", fetched)
	}
	other := w
	other.sha256 = strings.Repeat("0", 64)
	if err := place(other, out, filepath.Join(dir, "other")); err == nil || errors.Is(err, errFetch) {
		t.Errorf("another file: %v", err)
	}
	server.Close()
	if err := place(w, out, filepath.Join(dir, "other")); !errors.Is(err, errFetch) {
		t.Errorf("no network: %v", err)
	}
}

// TestVersion: the page and the program run the same version.
func TestVersion(t *testing.T) {
	raw, err := os.ReadFile("../../js/package.json")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"onnxruntime-web": "`+version+`"`) {
		t.Errorf("js/package.json has another version than %s", version)
	}
	for platform, w := range wheels {
		if !strings.Contains(w.url, "/onnxruntime-"+version+"-") {
			t.Errorf("%s: %s", platform, w.url)
		}
	}
}
