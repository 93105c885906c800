package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func gz(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLearnTellsLanguages(t *testing.T) {
	train := corpus{}
	for range 40 {
		train["en"] = append(train["en"], "The house is old.", "Where is the boat?", "They have the key.")
		train["nl"] = append(train["nl"], "Het huis is oud.", "Waar is de boot?", "Zij hebben de sleutel.")
	}
	g := group{"latin", []string{"en", "nl"}, 30}
	p := learn(g, train)
	if len(p.grams) != g.grams || len(p.letters()) != g.grams*2 {
		t.Fatalf("%d n-grams and %d weights, want %d and %d", len(p.grams), len(p.letters()), g.grams, 2*g.grams)
	}
	if got := p.accuracy(corpus{"en": {"The old boat."}, "nl": {"De oude boot."}}); !strings.HasSuffix(got, "all 1.0000") {
		t.Errorf("accuracy %s, want all right", got)
	}
	if a, b := source([]profile{p}), source([]profile{learn(g, train)}); a != b {
		t.Error("the same texts gave two profiles")
	}
}

func TestReadPairs(t *testing.T) {
	train, held := corpus{}, corpus{}
	if err := readPairs(gz(t, "a", strings.Repeat("en\tde\tYes.\tJa.\nen\tde\tYes.\tJawohl.\n", 15)), 11, train, held); err != nil {
		t.Fatal(err)
	}
	// A sentence repeated in the next pair counts once.
	if len(train["en"]) != 1 || len(train["de"]) != 10 || len(held["de"]) != 1 {
		t.Errorf("en %d, de %d, held out de %d; want 1, 10, 1", len(train["en"]), len(train["de"]), len(held["de"]))
	}
	err := readPairs(gz(t, "b", "en\tde\tYes.\tJa.\nen\n"), 10, train, held)
	if err == nil || !strings.Contains(err.Error(), "b:2: ") {
		t.Errorf("error %v, want one that names line 2", err)
	}
}

func TestReadParallel(t *testing.T) {
	train, held := corpus{}, corpus{}
	if err := readParallel(gz(t, "a", `{"document":"d","en":"Yes.","de":"Ja."}`+"\n"), 10, train, held); err != nil {
		t.Fatal(err)
	}
	if len(train) != 2 || train["de"][0] != "Ja." {
		t.Errorf("read %v", train)
	}
	if err := readParallel(gz(t, "b", "{\n"), 10, train, held); err == nil || !strings.Contains(err.Error(), "b:1: ") {
		t.Errorf("error %v, want one that names line 1", err)
	}
}
