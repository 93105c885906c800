package api

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// embeddings holds the embeddings of a request, not yet decoded.
type embeddings struct {
	raw, query json.RawMessage
	dimensions int
	languages  []string
}

// read adds the embeddings to the session, and that of the query to the
// options.
func (e *embeddings) read(s *core.Session, o *core.Options) (err error) {
	if e.query != nil {
		if o.QueryEmbedding, err = row(e.query); err != nil {
			return jsonl.At("queryEmbedding", err)
		}
	}
	if e.raw == nil {
		switch {
		case e.dimensions != 0:
			return jsonl.At("dimensions", errors.New("requires embeddings"))
		case e.languages != nil:
			return jsonl.At("encoderLanguages", errors.New("requires embeddings"))
		}
		return nil
	}
	data, dimensions, err := rows(e.raw, e.dimensions)
	if err != nil {
		return jsonl.At("embeddings", err)
	}
	return s.Embed(core.Embeddings{Data: data, Dimensions: dimensions, Languages: e.languages})
}

// rows reads N arrays of D numbers, or the base64 of N·D little-endian float32,
// which requires D.
func rows(raw json.RawMessage, dimensions int) ([]float32, int, error) {
	if s, err := jsonl.String(raw); err == nil {
		if dimensions < 1 {
			return nil, 0, errors.New("base64 requires dimensions, at least 1")
		}
		data, err := decode(s)
		return data, dimensions, err
	}
	elements, err := jsonl.Array(raw)
	if err != nil {
		return nil, 0, errors.New("want an array of arrays of numbers, or a string of base64")
	}
	var data []float32
	for i, element := range elements {
		before := len(data)
		if err := bounded(element); err != nil {
			return nil, 0, err
		}
		if data, err = appendNumbers(data, element); err != nil {
			return nil, 0, jsonl.At(jsonl.Index(i), err)
		}
		if dimensions == 0 {
			dimensions = len(data)
		}
		if n := len(data) - before; n != dimensions || n == 0 {
			return nil, 0, jsonl.At(jsonl.Index(i), fmt.Errorf("%d numbers: want %d, and at least 1", n, dimensions))
		}
	}
	if data == nil {
		return nil, 0, errors.New("no rows")
	}
	return data, dimensions, nil
}

// row reads one embedding, in either form.
func row(raw json.RawMessage) ([]float32, error) {
	if s, err := jsonl.String(raw); err == nil {
		return decode(s)
	}
	if err := bounded(raw); err != nil {
		return nil, err
	}
	return appendNumbers(nil, raw)
}

func appendNumbers(data []float32, raw json.RawMessage) ([]float32, error) {
	var v []float32
	// null would silently become zero; numbers contain none of its letters.
	if bytes.Contains(raw, []byte("null")) || json.Unmarshal(raw, &v) != nil {
		// Decode number by number, so that the error can name the position.
		if _, err := jsonl.Vector(raw); err != nil {
			return nil, err
		}
		return nil, errors.New("want numbers that a float32 can hold")
	}
	return append(data, v...), nil
}

func decode(s string) ([]float32, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, errors.New("not base64")
	}
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("%d bytes: want 4 for each number", len(b))
	}
	data := make([]float32, len(b)/4)
	for i := range data {
		data[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return data, nil
}
