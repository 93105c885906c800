package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// translatedCorpus is a text of two paragraphs in two languages.
const translatedCorpus = `{"en": "A heavy storm has torn the roof from the old house of our school. Now the sun is shining over all of the town again.", "pt": "Uma forte tempestade arrancou o telhado da velha casa da nossa escola. Agora o sol brilha de novo sobre toda a cidade."}
{"en": "On Monday the children will be taught in the house of the fire brigade.", "pt": "Na segunda-feira as crianças terão as suas aulas na casa dos bombeiros."}
`

func TestEvaluateTranslations(t *testing.T) {
	data := file(t, "corpus.jsonl.gz", archivetest.Gzip(t, []byte(translatedCorpus)))
	dir := exportOf(t, stormWords, "[en, pt]")
	run := func(args ...string) string {
		args = append([]string{"evaluate", "translations", "--data", data, "--clusters", "4", "--paragraphs", "2", "--languages", "2"}, args...)
		return cli(t, strings.NewReader(""), args...).want(t, exitOK).stdout
	}
	row := func(table, method string) []string {
		m := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(method) + ` \| (.*) \|$`).FindStringSubmatch(table)
		if m == nil {
			t.Fatalf("no row %q in\n%s", method, table)
		}
		return strings.Split(m[1], " | ")
	}
	// Room for all: lead quotes every sentence, so that all are said twice.
	all := run("--encoder", dir, "--budget", "200")
	if got := strings.Join(row(all, "lead"), " "); got != "24 24 100.00 100 2.00" {
		t.Errorf("lead: %s", got)
	}
	if !strings.Contains(all, "2 of 2 languages, seed 1, budget 200, encoder ") || !strings.Contains(all, "Of 8 documents, 0 were") {
		t.Error(all)
	}
	// The first paragraph has the same embeddings in both languages, so that at
	// most the one sentence of the second is said twice, in each of 4 clusters.
	auto := row(all, "auto")
	if n, err := strconv.Atoi(auto[1]); err != nil || n > 2*4 || !slices.Equal(auto, row(all, "editor")) {
		t.Errorf("auto: %q, %v", auto, err)
	}
	if run("--encoder", dir, "--budget", "200") != all {
		t.Error("the same seed gave another table")
	}
	one := run("--encoder", dir, "--budget", "1s")
	if got := strings.Join(row(one, "lead"), " "); got != "4 0 0.00 0 1.00" {
		t.Errorf("one sentence: %s", got)
	}
	words := run("--encoder", "lexical", "--show")
	if strings.Contains(words, "| multilingual |") || !strings.Contains(words, "no encoder") || strings.Join(row(words, "auto"), "") != strings.Join(row(words, "editor"), "") {
		t.Error(words)
	}
	out := filepath.Join(t.TempDir(), "table.md")
	if run("--encoder", dir, "--budget", "200", "--output", out) != "" || string(mustRead(t, out)) != all {
		t.Error("--output is not what is put out")
	}
}

func TestEvaluateTranslationsRefuses(t *testing.T) {
	data := file(t, "corpus.jsonl", []byte(translatedCorpus))
	bad := file(t, "bad.jsonl", []byte("{\"en\": 1}\n"))
	for _, test := range []struct {
		code       int
		args, want string
	}{
		{exitUsage, "", "no data"},
		{exitUsage, "--data " + data, "languages: want 2 to 2, got 3"},
		{exitUsage, "--data " + data + " --languages 2", "no document has 5 paragraphs"},
		{exitUsage, "--data " + data + " --clusters 0", "--clusters 0"},
		{exitUsage, "--data " + data + " --budget x", "--budget: want a number of words"},
		{exitUsage, "--data " + data + " more", "unexpected argument \"more\""},
		{exitFailed, "--data " + bad, "bad.jsonl:1: en: want a string"},
		{exitFailed, "--data " + data + "x", "corpus.jsonlx"},
	} {
		args := append([]string{"evaluate", "translations"}, strings.Fields(test.args)...)
		if a := cli(t, strings.NewReader(""), args...).want(t, test.code); !strings.Contains(a.stderr, test.want) {
			t.Errorf("%s: %s", test.args, a.stderr)
		}
	}
}
