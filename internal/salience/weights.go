package salience

import (
	_ "embed"
	"errors"
	"math"
	"sync"

	"github.com/cerasum/cerasum/internal/errorf"
)

// The shipped experts; README.md is their card.
var (
	//go:embed general.bin
	general string
	//go:embed multinews.bin
	multinews string
)

// General is the expert for all clusters. It was trained on OrangeSum, ScisummNet
// and QMSum, which are freely licensed.
var General = sync.OnceValue(func() *Expert { return shipped(general) })

// LongBudget is the expert for several documents of which the budget is more than a
// third: see [LongShare].
// It was trained on Multi-News, licensed for non-commercial research and education.
var LongBudget = sync.OnceValue(func() *Expert { return shipped(multinews) })

// shipped decodes an embedded expert; it panics if that is damaged.
func shipped(data string) *Expert {
	e, err := Decode(data)
	if err != nil {
		panic(err)
	}
	return e
}

// ErrExpert is wrapped by the errors of [Decode].
var ErrExpert = errors.New("no usable salience expert")

// magic starts an encoded expert: a name and the format version.
const magic = "salience1\n"

// Encode encodes an expert: the magic, then for the sentence network and the pair
// network the number H of hidden units (a byte) and mean, scale, weight, bias,
// output and output bias, float32, little-endian.
func Encode(e *Expert) []byte {
	out := []byte(magic)
	for _, n := range []*Network{e.Sentence, e.Pair} {
		out = append(out, byte(len(n.Output)))
		for _, list := range [][]float32{n.Mean, n.Scale, n.Weight, n.Bias, n.Output, {n.OutputBias}} {
			for _, v := range list {
				b := math.Float32bits(v)
				out = append(out, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
			}
		}
	}
	return out
}

// Decode decodes the result of [Encode]. Errors wrap ErrExpert.
func Decode(data string) (*Expert, error) {
	if len(data) < len(magic) || data[:len(magic)] != magic {
		return nil, errorf.Errorf("%w: wrong header", ErrExpert)
	}
	rest := data[len(magic):]
	e := &Expert{}
	for _, part := range []struct {
		network **Network
		inputs  int
	}{{&e.Sentence, SentenceInputs}, {&e.Pair, PairInputs}} {
		if rest == "" {
			return nil, errorf.Errorf("%w: truncated", ErrExpert)
		}
		n := NewNetwork(part.inputs, int(rest[0]))
		rest = rest[1:]
		last := make([]float32, 1)
		for _, list := range [][]float32{n.Mean, n.Scale, n.Weight, n.Bias, n.Output, last} {
			if len(rest) < 4*len(list) {
				return nil, errorf.Errorf("%w: truncated", ErrExpert)
			}
			for i := range list {
				bits := uint32(rest[4*i]) | uint32(rest[4*i+1])<<8 | uint32(rest[4*i+2])<<16 | uint32(rest[4*i+3])<<24
				list[i] = math.Float32frombits(bits)
			}
			rest = rest[4*len(list):]
		}
		n.OutputBias = last[0]
		*part.network = n
	}
	if rest != "" {
		return nil, errorf.Errorf("%w: trailing data", ErrExpert)
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	return e, nil
}

// maxLogOdds limits the output of a network: far beyond any useful value, and far
// below the overflow of e^z.
const maxLogOdds = 200

// Check validates an expert; errors wrap ErrExpert.
func (e *Expert) Check() error {
	for _, part := range []struct {
		network *Network
		inputs  int
	}{{e.Sentence, SentenceInputs}, {e.Pair, PairInputs}} {
		if part.network == nil {
			return errorf.Errorf("%w: missing network", ErrExpert)
		}
		if err := part.network.check(part.inputs); err != nil {
			return err
		}
	}
	return nil
}

func (n *Network) check(inputs int) error {
	hidden := len(n.Output)
	if hidden == 0 {
		return errorf.Errorf("%w: network without hidden units", ErrExpert)
	}
	if len(n.Mean) != inputs || len(n.Scale) != inputs || len(n.Weight) != hidden*inputs || len(n.Bias) != hidden {
		return errorf.Errorf("%w: want a network of %d inputs and %d hidden units", ErrExpert, inputs, hidden)
	}
	for _, list := range [][]float32{n.Mean, n.Scale, n.Weight, n.Bias, n.Output, {n.OutputBias}} {
		for _, v := range list {
			if v := float64(v); math.IsNaN(v) || math.IsInf(v, 0) {
				return errorf.Errorf("%w: weights not finite", ErrExpert)
			}
		}
	}
	highest := math.Abs(float64(n.OutputBias))
	for _, o := range n.Output {
		highest += math.Abs(float64(o))
	}
	if highest > maxLogOdds {
		return errorf.Errorf("%w: weights out of range: log-odds up to %v", ErrExpert, highest)
	}
	return nil
}
