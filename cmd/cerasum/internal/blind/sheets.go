package blind

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Cluster is what readers see of a cluster.
type Cluster struct {
	ID string
	// Reference is the summary to check facts with, as lines of one sentence.
	Reference []string
	// Candidates in any order, with different names.
	Candidates []Candidate
}

// Candidate is one summary, as lines of one sentence.
type Candidate struct {
	Name  string
	Lines []string
}

// Sheet is what one reader rates at a time.
type Sheet struct {
	Name, Markdown string
}

// maxCandidates is the number of labels.
const maxCandidates = 26

// Make shuffles the candidates of each cluster and writes sheets of per clusters each.
// The key, which has Set, Seed and Names already, gets its sheets. Candidates with the
// same text become one, so that nobody rates it twice. The order depends on the seed
// and the set only.
func Make(k *Key, clusters []*Cluster, per int) ([]*Sheet, error) {
	if len(k.Names) > maxCandidates {
		return nil, fmt.Errorf("want at most %d candidates, got %d", maxCandidates, len(k.Names))
	}
	draw := rand.New(rand.NewPCG(k.Seed, 0x736865657473)) // the second half is an arbitrary constant
	var sheets []*Sheet
	for from := 0; from < len(clusters); from += per {
		part := clusters[from:min(from+per, len(clusters))]
		key := &KeySheet{Sheet: fmt.Sprintf("%s-%02d", k.Set, len(sheets)+1)}
		var b strings.Builder
		fmt.Fprintf(&b, "# Sheet %s\n\n%s\n", key.Sheet, instructions)
		for i, c := range part {
			kc, err := writeCluster(&b, c, from+i+1, draw)
			if err != nil {
				return nil, fmt.Errorf("cluster %s: %w", c.ID, err)
			}
			key.Clusters = append(key.Clusters, kc)
		}
		k.Sheets = append(k.Sheets, key)
		sheets = append(sheets, &Sheet{key.Sheet, b.String()})
	}
	return sheets, nil
}

// instructions stand at the head of each sheet.
const instructions = `Each cluster shows a summary by a person, to check facts with, then the candidates in
random order, one sentence per line. Some are quotes of a program, some are not; do not
guess which. Read a candidate as if it were all that you knew of the event. Rate each
from 1 to 5, halves allowed:

| column | 5 means |
| --- | --- |
| M | the main event and its most important facts are there |
| S | it can be read on its own, in this order: everybody and everything is introduced |
| R | nothing is said twice |
| J | no junk: no captions, datelines, fragments, split speech, calls to subscribe |
| O | overall: you would be glad to be given this summary |

Then count its sentences, each at most once per column (leave a column blank if you do
not count): leaning, those that hinge on something unsaid; filler, those without a fact
worth the room; repeats, those that say again what another one says; edges, those with
datelines, captions, fragments and other junk.`

func writeCluster(b *strings.Builder, c *Cluster, number int, draw *rand.Rand) (*KeyCluster, error) {
	key := &KeyCluster{Cluster: number, ID: c.ID}
	fmt.Fprintf(b, "\n## Cluster %d\n\n### Summary by a person, for the facts\n\n", number)
	writeLines(b, c.Reference)
	var texts [][]string
	for _, candidate := range c.Candidates {
		if len(candidate.Lines) == 0 {
			return nil, fmt.Errorf("%s: no text", candidate.Name)
		}
		same := slices.IndexFunc(texts, func(lines []string) bool { return slices.Equal(lines, candidate.Lines) })
		if same >= 0 {
			key.Candidates[same].Names = append(key.Candidates[same].Names, candidate.Name)
			continue
		}
		texts = append(texts, candidate.Lines)
		key.Candidates = append(key.Candidates, &KeyCandidate{Names: []string{candidate.Name}, Quotes: len(candidate.Lines)})
	}
	if len(texts) == 0 {
		return nil, errors.New("no candidates")
	}
	draw.Shuffle(len(texts), func(i, j int) {
		texts[i], texts[j] = texts[j], texts[i]
		key.Candidates[i], key.Candidates[j] = key.Candidates[j], key.Candidates[i]
	})
	for i, candidate := range key.Candidates {
		candidate.Candidate = string(rune('A' + i))
		fmt.Fprintf(b, "\n### %s\n\n", candidate.Candidate)
		writeLines(b, texts[i])
	}
	fmt.Fprintf(b, "\n### Ratings of cluster %d\n\n| | %s |\n| --- |%s\n", number, strings.Join(columns(), " | "), strings.Repeat(" --- |", len(columns())))
	for _, candidate := range key.Candidates {
		fmt.Fprintf(b, "| %s |%s\n", candidate.Candidate, strings.Repeat("  |", len(columns())))
	}
	return key, nil
}

// writeLines writes sentences as a numbered list, so that summaries of all kinds look
// the same.
func writeLines(b *strings.Builder, lines []string) {
	for i, line := range lines {
		fmt.Fprintf(b, "%d. %s\n", i+1, escape(line))
	}
}

// escape keeps Markdown from changing what a quote shows.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		if strings.ContainsRune("\\`*_<", r) || i == 0 && strings.ContainsRune("#+-=~>|", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	// A list within the list.
	if digits := strings.TrimLeft(s, "0123456789"); len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') {
		at := len(s) - len(digits)
		return b.String()[:at] + "\\" + b.String()[at:]
	}
	return b.String()
}

// WriteForm writes the form for the ratings of all sheets as CSV, without ratings.
func (k *Key) WriteForm(w io.Writer) error {
	out := csv.NewWriter(w)
	head := slices.Concat([]string{"sheet", "cluster", "candidate"}, columns(), []string{"note"})
	rows := [][]string{head}
	for _, s := range k.Sheets {
		for _, c := range s.Clusters {
			for _, candidate := range c.Candidates {
				row := make([]string, len(head))
				copy(row, []string{s.Sheet, strconv.Itoa(c.Cluster), candidate.Candidate})
				rows = append(rows, row)
			}
		}
	}
	return out.WriteAll(rows)
}
