package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx/schema"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/cerasum/cerasum/internal/clustering"
)

// TestRecordsAreReadInJava: Go's runner accepts all that Go writes, but those in Java end the job
// at a nil field, which is written as a null that its schema does not allow, and at a negative
// int32, which Go writes as 64 bits. Most kinds of fields cannot be either; slices and numbers are
// checked in all collections of a run, over documents with no terms, no neighbours and no dates.
func TestRecordsAreReadInJava(t *testing.T) {
	dir := t.TempDir()
	var corpus strings.Builder
	for _, text := range []string{story(1, 0), story(1, 1), story(1, 1), story(2, 0), story(2, 0), "Unheard-of.", "One other word.", "7", "…"} {
		fmt.Fprintf(&corpus, "{\"text\":%q}\n", text)
	}
	if err := os.WriteFile(filepath.Join(dir, "in"), []byte(corpus.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p, scope := beam.NewPipelineWithRoot()
	settings := settings()
	settings.Clustering = Clustering{On: true, Block: 3, Options: clustering.Options{Min: 1, EventSize: 1, Threshold: 0.1}}
	Pipeline(scope, Files{Input: filepath.Join(dir, "in*"), Output: filepath.Join(dir, "out"), Bad: filepath.Join(dir, "bad"), Shards: 2}, settings)
	_, nodes, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	var records []string
	for _, n := range nodes {
		checked := false
		walkRecords(n.Type(), func(record reflect.Type) {
			records = append(records, record.String())
			if !schema.Registered(record) {
				t.Errorf("%s has no registered schema", record)
			}
			checked = walkFields(t, record.String(), record) || checked
		})
		switch {
		case !checked || typex.IsCoGBK(n.Type()):
		case typex.IsKV(n.Type()):
			beam.ParDo0(scope, &readable{}, beam.DropKey(scope, collection(n)))
		default:
			beam.ParDo0(scope, &readable{}, collection(n))
		}
	}
	slices.Sort(records)
	want := []string{
		"clustering.Linked", "clustering.Neighbours", "clustering.Sketched", "clustering.Text", "clustering.Vector",
		"main.Line", "main.counted", "main.features", "main.link", "main.near", "main.pair", "main.raw",
	}
	if records = slices.Compact(records); !slices.Equal(records, want) {
		t.Errorf("records are %q, want %q", records, want)
	}
	if err := ptest.Run(p); err != nil {
		t.Error(err)
	}
}

// walkRecords calls do for the structs of a type. Bytes outside of them have a coder of their
// own; so have Beam's own types.
func walkRecords(of typex.FullType, do func(reflect.Type)) {
	for _, part := range of.Components() {
		walkRecords(part, do)
	}
	if of.Class() == typex.Concrete && of.Type().Kind() == reflect.Struct {
		do(of.Type())
	}
}

// walkFields reports whether the values of a type have to be checked. Kinds that can be nil are
// errors, but for slices.
func walkFields(t *testing.T, path string, of reflect.Type) (check bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
		t.Errorf("%s is a %s, which can be nil", path, of)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return true
	case reflect.Slice:
		walkFields(t, path+"[]", of.Elem())
		return true
	case reflect.Array:
		return walkFields(t, path+"[]", of.Elem())
	case reflect.Struct:
		if of == reflect.TypeFor[time.Time]() {
			return false // Beam has a form of its own for it
		}
		for i := range of.NumField() {
			check = walkFields(t, path+"."+of.Field(i).Name, of.Field(i).Type) || check
		}
	}
	return check
}

// collection returns the collection of a node of the graph.
func collection(n *graph.Node) (c beam.PCollection) {
	*(**graph.Node)(unsafe.Pointer(&c)) = n // its only field
	return c
}

// readable fails at a record that Java cannot read.
type readable struct{}

func init() { beam.RegisterDoFn(&readable{}) }

func (*readable) ProcessElement(record beam.X) error { return unreadable(reflect.ValueOf(record)) }

func unreadable(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32:
		if v.Int() < 0 {
			return fmt.Errorf("%s is negative", v.Type())
		}
	case reflect.Slice:
		if v.IsNil() {
			return errors.New("nil")
		}
		for i := range v.Len() {
			if err := unreadable(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := unreadable(v.Field(i)); err != nil {
				return fmt.Errorf("%s.%s: %w", v.Type(), v.Type().Field(i).Name, err)
			}
		}
	}
	return nil
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
