package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOverlaps: words that most sentences have, such as the name of the place, make no
// repetition in long documents; in short ones all words count the same.
func TestOverlaps(t *testing.T) {
	sentences := []string{
		"The sea wall at Harrow Bay collapsed on Tuesday.",
		"Repairs to the sea wall at Harrow Bay were postponed three times.",
		"The council postponed the repairs three times, papers show.",
	}
	texts := slices.Clone(sentences)
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("The sea wall at Harrow Bay has witness%d and lamp%d.", i, i))
	}
	for _, long := range []bool{true, false} {
		if !long {
			texts = sentences
		}
		session := mustOpenDocuments(t, []Document{{Language: "en", Text: strings.Join(texts, " ")}, {Language: "en", Text: "Nobody was hurt."}})
		j := &job{Session: session, options: &Options{}, texts: session.texts}
		rows := []int{0, 1, 2}
		overlaps := j.overlaps(rows, editorDefaults)
		if got := slices.Contains(overlaps(0), 1); got == long {
			t.Errorf("long documents %v: the same place is a repetition: %v", long, got)
		}
		if !slices.Contains(overlaps(1), 2) {
			t.Errorf("long documents %v: the same in other words is no repetition", long)
		}
	}
}

// In several languages, names are the only words in common: they count in full.
func TestOverlapsAcrossLanguages(t *testing.T) {
	en, es := "The ship Skarv Orvik lies on the reef.", "El barco Skarv Orvik sigue en el arrecife."
	for i := range 20 {
		en += fmt.Sprintf(" The Skarv Orvik has witness%d.", i)
		es += fmt.Sprintf(" El Skarv Orvik tiene testigo%d.", i)
	}
	session := mustOpenDocuments(t, []Document{{Language: "en", Text: en}, {Language: "es", Text: es}})
	j := &job{Session: session, options: &Options{}, texts: session.texts}
	if overlaps := j.overlaps([]int{0, 21}, editorDefaults); !slices.Contains(overlaps(0), 1) {
		t.Error("the same ship on the same reef is no repetition")
	}
}
