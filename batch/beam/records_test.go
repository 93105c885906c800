package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
)

// TestRecordsHaveNoNil walks the types of all collections of the pipeline. A nil
// field is written as a null that its schema does not allow: Go's runner accepts
// it, but those in Java end the job.
func TestRecordsHaveNoNil(t *testing.T) {
	p, scope := beam.NewPipelineWithRoot()
	Pipeline(scope, Files{Input: "in*", Output: "out", Bad: "bad", Shards: 2}, settings())
	_, nodes, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	var records []string
	var walk func(path string, of reflect.Type)
	walk = func(path string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s is a %s, which can be nil", path, of)
		case reflect.Array:
			walk(path+"[]", of.Elem())
		case reflect.Struct:
			if of == reflect.TypeFor[time.Time]() {
				return // Beam has a form of its own for it
			}
			for i := range of.NumField() {
				walk(path+"."+of.Field(i).Name, of.Field(i).Type)
			}
		}
	}
	var visit func(of typex.FullType)
	visit = func(of typex.FullType) {
		for _, part := range of.Components() {
			visit(part)
		}
		record := of.Type()
		// Bytes outside of a record have a coder of their own; so have Beam's own types.
		if of.Class() != typex.Concrete || record.Kind() != reflect.Struct || slices.Contains(records, record.String()) {
			return
		}
		records = append(records, record.String())
		walk(record.String(), record)
	}
	for _, n := range nodes {
		visit(n.Type())
	}
	slices.Sort(records)
	if want := []string{"fileio.FileMetadata", "main.Line"}; !slices.Equal(records, want) {
		t.Errorf("records are %q, want %q", records, want)
	}
}

// TestWriteRemovesWhatKilledWorkersLeft: of this file, and of no other.
func TestWriteRemovesWhatKilledWorkersLeft(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a[1].jsonl.00c0ffee.tmp", "a1.jsonl.00c0ffee.tmp", "a[1].jsonl.bad.jsonl.00c0ffee.tmp", "b.jsonl.00c0ffee.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half a li"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	w := &write{Output: filepath.Join(dir, "a[1].jsonl"), Shards: 1}
	given := 0
	next := func(line *string) bool {
		given++
		*line = fmt.Sprint(given)
		return given <= 3
	}
	// Beam ends an iteration that fails with a panic.
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = w.ProcessElement(context.Background(), 0, func(*string) bool { panic("lost the runner") })
	}()
	if got := names(); len(got) != 4 {
		t.Errorf("after a failure: %q", got)
	}
	if err := w.ProcessElement(context.Background(), 0, next); err != nil {
		t.Fatal(err)
	}
	if got, want := names(), []string{"a1.jsonl.00c0ffee.tmp", "a[1].jsonl", "a[1].jsonl.bad.jsonl.00c0ffee.tmp", "b.jsonl.00c0ffee.tmp"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := lines(t, w.Output); strings.Join(got, " ") != "1 2 3" {
		t.Errorf("%q", got)
	}
}
