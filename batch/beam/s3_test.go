package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// bucket is a store with the part of S3's protocol that Beam's file system uses for
// small files, one bucket named "corpora".
type bucket struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key, ok := strings.CutPrefix(r.URL.Path, "/corpora")
	key = strings.TrimPrefix(key, "/")
	data, exists := b.objects[key]
	switch {
	case !ok || !strings.Contains(r.Header.Get("Authorization"), "Credential=key-id/"):
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2":
		type object struct {
			Key  string
			Size int
		}
		list := struct {
			XMLName     xml.Name `xml:"ListBucketResult"`
			IsTruncated bool
			Contents    []object
		}{}
		for key, data := range b.objects {
			if strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
				list.Contents = append(list.Contents, object{key, len(data)})
			}
		}
		w.Header().Set("Content-Type", "application/xml")
		_ = xml.NewEncoder(w).Encode(list)
	case r.Method == http.MethodPut:
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.objects[key] = body
		w.Header().Set("ETag", `"1"`)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !exists:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		_, _ = w.Write(data)
	}
}

// TestPipelineS3: the corpora of a folder in a bucket, summaries and bad lines to it.
func TestPipelineS3(t *testing.T) {
	store := &bucket{objects: map[string][]byte{"in/c-0.jsonl": corpus(0, 60), "in/c-1.jsonl.gz": archivetest.Gzip(t, corpus(60, 100)), "in/other.txt": []byte("no corpus"), "in/old/c-9.jsonl": corpus(100, 160)}}
	server := httptest.NewServer(store)
	defer server.Close()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "key-id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "",
		"AWS_REQUEST_CHECKSUM_CALCULATION": "when_required", "AWS_EC2_METADATA_DISABLED": "true", "AWS_PROFILE": "",
		"AWS_CONFIG_FILE": filepath.Join(t.TempDir(), "none"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(t.TempDir(), "none"),
	} {
		t.Setenv(name, value)
	}
	var out bytes.Buffer
	f := Files{Input: "s3://corpora/in/", Output: "s3://corpora/out/s.jsonl", Shards: 2}
	if err := run(t.Context(), f, settings(), &out); err != nil {
		t.Fatal(err)
	}
	if want := "98 clusters summarized; 2 lines failed: see s3://corpora/out/s.jsonl.bad.jsonl"; !strings.Contains(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	var names []string
	for name := range store.objects {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"in/c-0.jsonl", "in/c-1.jsonl.gz", "in/old/c-9.jsonl", "in/other.txt", "out/s-00000-of-00002.jsonl", "out/s-00001-of-00002.jsonl", "out/s.jsonl.bad.jsonl"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	if n := bytes.Count(store.objects[names[4]], []byte("\n")) + bytes.Count(store.objects[names[5]], []byte("\n")); n != 98 {
		t.Errorf("%d summaries", n)
	}
	if bad := store.objects[names[6]]; bytes.Count(bad, []byte("\n")) != 2 || !bytes.Contains(bad, []byte(`"file":"s3://corpora/in/c-`)) {
		t.Errorf("%s", bad)
	}
}
