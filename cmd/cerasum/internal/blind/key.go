// Package blind makes sheets of summaries to be rated by readers who do not know where
// they come from, and tabulates the ratings.
//
// Start with [Make], which shuffles the candidates of each cluster into [Sheet]s and
// keeps the [Key] apart, and [NewReadings], which reads and tabulates ratings with it.
package blind

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Key says which candidate of a set of sheets is which.
type Key struct {
	// Set names the sheets: newswire-01, newswire-02.
	Set     string `json:"set"`
	Version string `json:"cerasum"` // of the program
	Dataset string `json:"dataset"`
	Encoder string `json:"encoder"`
	Budget  int    `json:"budget"`                // of the methods
	Unit    string `json:"budget_unit,omitempty"` // a core.Unit; empty: the paper's words
	Seed    uint64 `json:"seed"`
	// Methods are the command line flags of those candidates that are methods.
	Methods map[string]string `json:"methods,omitempty"`
	// Names of all candidates, in the order of tables.
	Names  []string    `json:"names"`
	Sheets []*KeySheet `json:"sheets"`
}

// KeySheet is the key of one sheet.
type KeySheet struct {
	Sheet    string        `json:"sheet"`
	Clusters []*KeyCluster `json:"clusters"`
}

// KeyCluster is the key of one cluster.
type KeyCluster struct {
	// Cluster is its number in the set, from 1; ID is its name in the dataset.
	Cluster    int             `json:"cluster"`
	ID         string          `json:"id"`
	Candidates []*KeyCandidate `json:"candidates"`
}

// KeyCandidate is the key of one candidate.
type KeyCandidate struct {
	Candidate string `json:"candidate"` // A, B, C …
	// Names has several entries if several summaries are the same.
	Names []string `json:"names"`
	// Quotes is the number of its sentences.
	Quotes int `json:"quotes"`
}

// ReadKey reads a key and checks that it is complete.
func ReadKey(r io.Reader) (*Key, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	k := &Key{}
	if err := d.Decode(k); err != nil {
		return nil, fmt.Errorf("want a key of \"cerasum evaluate sheets\": %w", err)
	}
	if k.Set == "" || len(k.Sheets) == 0 {
		return nil, errors.New("want a key of \"cerasum evaluate sheets\" with a set and sheets")
	}
	for i, s := range k.Sheets {
		for j, c := range s.Clusters {
			for n, candidate := range c.Candidates {
				where := fmt.Sprintf("sheets[%d].clusters[%d].candidates[%d]", i, j, n)
				if len(candidate.Names) == 0 || candidate.Quotes < 1 {
					return nil, fmt.Errorf("%s: want names and at least one quote", where)
				}
				for _, name := range candidate.Names {
					if !slices.Contains(k.Names, name) {
						return nil, fmt.Errorf("%s: unknown candidate %q", where, name)
					}
				}
			}
		}
	}
	return k, nil
}

// Write writes the key as JSON.
func (k *Key) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(k)
}

// sheet returns the sheet of a name, nil if there is none.
func (k *Key) sheet(name string) *KeySheet {
	for _, s := range k.Sheets {
		if s.Sheet == name {
			return s
		}
	}
	return nil
}

func (s *KeySheet) cluster(number int) *KeyCluster {
	for _, c := range s.Clusters {
		if c.Cluster == number {
			return c
		}
	}
	return nil
}

func (c *KeyCluster) candidate(label string) *KeyCandidate {
	for _, n := range c.Candidates {
		if n.Candidate == label {
			return n
		}
	}
	return nil
}
