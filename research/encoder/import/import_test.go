package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// file packs a model of width 32 whose table has one row a piece.
func file(pieces ...string) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	put([]byte("E5Q4"), uint32(1), [7]int32{32, 1, 1, 64, int32(len(pieces)), 2, 1}, float32(1e-12), int32(32))
	text := strings.Join(pieces, "")
	put([5]int32{int32(len(pieces)), 0, 2, 1, 3}, uint64(len(text)), uint32(0))
	at := uint32(0)
	for _, p := range pieces {
		at += uint32(len(p))
		put(at)
	}
	for i := range pieces {
		put(-float32(i))
	}
	put([]byte(text))
	put(int32(2), uint32(0), uint32(9), uint8(1), uint32(' '), uint32('½'), uint8(3), [3]uint32{'1', '⁄', '2'})
	table := make([]byte, 0, 18*len(pieces))
	for i := range pieces {
		table = append(table, 0, 0x3c) // 1 as a half
		for n := range 16 {
			table = append(table, byte(n%16)|byte((i+8)%16)<<4)
		}
	}
	// The directory is as long whatever the offsets are.
	const directory = 4 + 2*(2+1+4+8+8) + len("emb.word") + len("emb.ln.b")
	first := uint64(b.Len() + directory)
	put(int32(2))
	put(uint16(8), []byte("emb.word"), uint8(1), uint32(32*len(pieces)), first, uint64(len(table)))
	put(uint16(8), []byte("emb.ln.b"), uint8(0), uint32(1), first+uint64(len(table)), uint64(4))
	put(table, float32(2.5))
	return b.Bytes()
}

func TestRead(t *testing.T) {
	m, err := read(file("<s>", "<pad>", "</s>", "<unk>", "b", "▁a", "b", "<mask>"))
	if err != nil {
		t.Fatal(err)
	}
	if m.characters['\t'] != " " || m.characters['½'] != "1⁄2" || m.scores[4] != -4 {
		t.Errorf("map %q, scores %v", m.characters, m.scores)
	}
	keep, err := kept("", m)
	if err != nil {
		t.Fatal(err)
	}
	// Of two equal pieces the first stays.
	if !slices.Equal(keep, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("kept %v", keep)
	}
	tensors, err := m.tensors(keep)
	if err != nil {
		t.Fatal(err)
	}
	if tensors[0].Name != "emb.ln.b" || tensors[0].Data[0] != 2.5 {
		t.Errorf("%+v", tensors[0])
	}
	table := tensors[1]
	if !slices.Equal(table.Shape, []int{6, 32}) {
		t.Fatalf("shape %v", table.Shape)
	}
	// Low nibbles are numbers 0 to 15, high ones 16 to 31, less 8.
	if row := table.Data[5*32:]; row[0] != -8 || row[15] != 7 || row[16] != 5 || row[31] != 5 {
		t.Errorf("row %v", row)
	}
}

func TestPieces(t *testing.T) {
	m, err := read(file("<s>", "<pad>", "</s>", "<unk>", "b", "▁a", "a"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "pieces.txt")
	for text, want := range map[string]string{"▁a\na\n": "", "a\nx\n": `pieces.txt:2: the model has no piece "x"`, "<s>\n": `pieces.txt:1: the model has no piece "<s>"`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		keep, err := kept(name, m)
		if want == "" && (err != nil || !slices.Equal(keep, []int{0, 1, 2, 3, 6, 5})) {
			t.Errorf("%q: kept %v, %v", text, keep, err)
		}
		if want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestOtherFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "model.bin")
	if err := os.WriteFile(name, file("<s>", "<pad>", "</s>", "<unk>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(name, "", t.TempDir()); err == nil || !strings.Contains(err.Error(), "SHA-256: want "+pinned) {
		t.Errorf("got %v", err)
	}
	if _, err := read(file("<s>", "<pad>", "</s>", "<unk>")[:60]); err == nil {
		t.Error("a part of a file was read")
	}
}

func TestCompositions(t *testing.T) {
	c := compositions()
	for p, want := range map[[2]rune]rune{{'e', '\u0301'}: 'é', {'ê', '\u0301'}: 'ế', {'и', '\u0306'}: 'й', {'か', '\u3099'}: 'が'} {
		if c[p] != want {
			t.Errorf("%q: %q, want %q", p, c[p], want)
		}
	}
	if c[[2]rune{'\u1100', '\u1161'}] != 0 {
		t.Error("Hangul syllables are composed")
	}
}
