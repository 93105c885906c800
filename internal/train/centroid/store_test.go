package centroid

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func stored(t testing.TB, l list) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewStoreWriter(&b, 8)
	for _, x := range l {
		if err := w.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestStore(t *testing.T) {
	l := corpus(5, 1)
	raw := stored(t, l)
	s, err := OpenStore(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 5 || s.Dimensions() != 8 {
		t.Fatalf("%d examples of %d dimensions", s.Len(), s.Dimensions())
	}
	both := Joined{list(l[:2]), s}
	if both.Len() != 7 {
		t.Errorf("joined there are %d", both.Len())
	}
	for i := range 7 {
		got, err := both.Read(i)
		if err != nil {
			t.Fatal(err)
		}
		want := l[i%2]
		if i >= 2 {
			want = l[i-2]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("example %d: %+v, want %+v", i, got, want)
		}
	}
	if _, err := both.Read(7); !errors.Is(err, ErrExample) {
		t.Error(err)
	}
	raw = stored(t, nil)
	if s, err := OpenStore(bytes.NewReader(raw), int64(len(raw))); err != nil || s.Len() != 0 {
		t.Errorf("none: %v", err)
	}
}

func TestStoreRefuses(t *testing.T) {
	w := NewStoreWriter(&bytes.Buffer{}, 7)
	if err := w.Add(corpus(1, 1)[0]); !errors.Is(err, ErrExample) {
		t.Errorf("other dimensions: %v", err)
	}
	w = NewStoreWriter(&bytes.Buffer{}, 8)
	if err := w.Add(Example{Gold: make([]float32, 8)}); !errors.Is(err, ErrExample) {
		t.Errorf("nothing to learn: %v", err)
	}
	raw := stored(t, corpus(2, 1))
	for n := range len(raw) {
		if _, err := OpenStore(bytes.NewReader(raw[:n]), int64(n)); !errors.Is(err, ErrStore) {
			t.Fatalf("cut off at %d: %v", n, err)
		}
	}
	damaged := bytes.Clone(raw)
	damaged[len(storeMagic)+4] = 200 // the documents of the first example
	s, err := OpenStore(bytes.NewReader(damaged), int64(len(damaged)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(0); !errors.Is(err, ErrStore) {
		t.Errorf("damaged: %v", err)
	}
}

// FuzzStore: whatever the file holds, errors or examples, and no panic.
func FuzzStore(f *testing.F) {
	f.Add(stored(f, corpus(2, 1)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := OpenStore(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return
		}
		for i := range s.Len() {
			x, err := s.Read(i)
			if err == nil && len(x.Gold) != s.Dimensions() {
				t.Errorf("example %d has %d dimensions of %d", i, len(x.Gold), s.Dimensions())
			}
		}
	})
}
