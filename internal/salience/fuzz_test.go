package salience

import (
	"errors"
	"math"
	"testing"
)

// FuzzDecode: what is read is read and written again to the same bytes, and can
// be run; all else is ErrExpert.
func FuzzDecode(f *testing.F) {
	f.Add(multinews)
	f.Add(general[:len(general)-3])
	f.Add(magic)
	f.Add(magic + "\x00\x00")
	f.Add(string(Encode(anExpert(3, 1))))
	f.Fuzz(func(t *testing.T, data string) {
		e, err := Decode(data)
		if err != nil {
			if !errors.Is(err, ErrExpert) || e != nil {
				t.Fatalf("%v, %v", e, err)
			}
			return
		}
		if string(Encode(e)) != data {
			t.Error("written again it is another")
		}
		p := Predict(Read(small()), e, e, 0.5)
		for _, v := range append(p.Sentence, p.Pair...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("says %v", v)
			}
		}
	})
}
