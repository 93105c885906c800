package clustering

// copies finds texts that are nearly the same by bands of their sketches: texts
// whose word sequences have a Jaccard index J share one of 8 bands of 4 values with
// a probability of 1 − (1 − J⁴)⁸, which is 0.99 for J = 0.8.
type copies struct {
	sketches []sketch
	bands    [sketchSize / rows]map[uint32]int32 // hash of a band: last document with it
}

const (
	rows = 4
	// nearCopy is the number of equal values of the sketches of near-duplicates: a
	// Jaccard index of about 0.75.
	nearCopy = sketchSize * 3 / 4
)

// find returns an earlier document whose text is nearly the same and that is
// accepted, or -1 after it has added the document with the next index; and the
// nearest one whether accepted or not, or -1.
func (c *copies) find(s *sketch, index int32, accept func(int32) bool) (best, nearest int32) {
	best, nearest = -1, -1
	most, equal := nearCopy-1, nearCopy-1
	if !s.empty() {
		for b := range c.bands {
			if i, ok := c.bands[b][s.band(b)]; ok {
				n := s.equal(&c.sketches[i])
				if n > equal || n == equal && i < nearest {
					nearest, equal = i, n
				}
				if (n > most || n == most && i < best) && accept(i) {
					best, most = i, n
				}
			}
		}
	}
	if best >= 0 {
		return best, nearest
	}
	c.sketches = append(c.sketches, *s)
	if !s.empty() {
		for b := range c.bands {
			if c.bands[b] == nil {
				c.bands[b] = map[uint32]int32{}
			}
			c.bands[b][s.band(b)] = index
		}
	}
	return -1, nearest
}

// copyOf reports whether a text is nearly the same as that of a document.
func (c *copies) copyOf(s *sketch, i int32) bool { return s.equal(&c.sketches[i]) >= nearCopy }

// band returns the hash of a band.
func (s *sketch) band(b int) uint32 {
	h := uint64(0)
	for _, v := range s[b*rows : (b+1)*rows] {
		h = mix(h ^ uint64(v))
	}
	return uint32(h)
}
