package rouge

import (
	"context"
	"math/bits"
)

// lcs finds a longest common subsequence of two sentences, M tokens of a reference
// and P of the summary, 64 cells of the table at a time. Below, c[i][j] is the
// length for the first i tokens of the former and the first j of the latter. Along
// a row it grows by 0 or 1 per step, so that a row is P bits (Hyyrö, Bit-Parallel
// LCS-length Computation Revisited, 2004).
type lcs struct {
	peer  int // P
	words int // 64-bit words per row
	// at maps a token to 1 + its row of matches if it is in the summary's
	// sentence, else to 0.
	at      []int32
	matches []uint64 // bit rows: positions of the token in the summary's sentence
	rows    []uint64 // bit j-1 of row i: c[i][j] > c[i][j-1]
}

// grow makes room for the tokens 0 to n-1.
func (l *lcs) grow(n int) { l.at = resized(l.at, n) }

// markLCS marks the tokens of each reference sentence that are in a longest common
// subsequence with some sentence of the summary.
func (s *Scorer) markLCS(ctx context.Context) error {
	for start, end := range s.summary.sentences {
		if err := ctx.Err(); err != nil {
			return err
		}
		if start == end {
			continue
		}
		peer := s.summary.ids[start:end]
		s.lcs.prepare(peer)
		for i := range s.references {
			ref, union := &s.references[i], s.inLCS[i]
			for start, end := range ref.sentences {
				s.lcs.mark(ref.ids[start:end], union[start:end])
			}
		}
		s.lcs.release(peer)
	}
	s.lcs.trim()
	return nil
}

// prepare records the positions of the tokens in a sentence of the summary.
func (l *lcs) prepare(peer []int32) {
	l.peer = len(peer)
	l.words = (len(peer) + 63) / 64
	l.matches = l.matches[:0]
	for j, id := range peer {
		if l.at[id] == 0 {
			start := len(l.matches)
			l.matches = resized(l.matches, start+l.words)
			clear(l.matches[start:])
			l.at[id] = int32(start/l.words) + 1
		}
		l.matches[int(l.at[id]-1)*l.words+j/64] |= 1 << (j % 64)
	}
}

// release clears the sentence.
func (l *lcs) release(peer []int32) {
	for _, id := range peer {
		l.at[id] = 0
	}
}

// trim releases the memory used for unusually long sentences.
func (l *lcs) trim() {
	const most = 1 << 16
	if cap(l.rows) > most {
		l.rows = nil
	}
	if cap(l.matches) > most {
		l.matches = nil
	}
}

// mark sets union[i] for the tokens of the reference sentence in the subsequence
// that ROUGE-1.5.5 chooses among the longest ones.
func (l *lcs) mark(ref []int32, union []bool) {
	if l.words == 1 {
		l.markShort(ref, union)
		return
	}
	l.fill(ref)
	i, j := len(ref), l.peer
	length := l.count(i, j)
	for length > 0 {
		bit := j - 1
		if at := l.at[ref[i-1]]; at > 0 && l.matches[int(at-1)*l.words+bit/64]>>(bit%64)&1 != 0 {
			union[i-1] = true
			i, j, length = i-1, j-1, length-1
			continue
		}
		if l.count(i-1, j) == length {
			i--
		} else {
			j--
		}
	}
}

// fill computes rows 0 to M.
func (l *lcs) fill(ref []int32) {
	w := l.words
	l.rows = resized(l.rows, (len(ref)+1)*w)
	clear(l.rows[:w])
	for i, id := range ref {
		before, row := l.rows[i*w:(i+1)*w], l.rows[(i+1)*w:(i+2)*w]
		at := l.at[id]
		if at == 0 {
			copy(row, before)
			continue
		}
		match := l.matches[int(at-1)*w : int(at)*w]
		carry := uint64(0)
		for k, m := range match {
			v := ^before[k]
			u := v & m
			var sum uint64
			sum, carry = bits.Add64(v, u, carry)
			row[k] = ^(sum | (v - u))
		}
	}
}

// count returns c[i][j].
func (l *lcs) count(i, j int) int {
	row := l.rows[i*l.words : (i+1)*l.words]
	n := 0
	for _, w := range row[:j/64] {
		n += bits.OnesCount64(w)
	}
	if j%64 > 0 {
		n += bits.OnesCount64(row[j/64] & (1<<(j%64) - 1))
	}
	return n
}

// markShort is mark for up to 64 tokens of the summary.
func (l *lcs) markShort(ref []int32, union []bool) {
	l.rows = resized(l.rows, len(ref)+1)
	rows := l.rows[:len(ref)+1]
	v := ^uint64(0)
	rows[0] = 0
	for i, id := range ref {
		if at := l.at[id]; at > 0 {
			u := v & l.matches[at-1]
			v = (v + u) | (v - u)
		}
		rows[i+1] = ^v
	}
	length := bits.OnesCount64(^v)
	// last is the bit of column j, through the bits up to and including it.
	last := uint64(1) << (l.peer - 1)
	mask := last | (last - 1)
	for i := len(ref); length > 0; {
		if at := l.at[ref[i-1]]; at > 0 && l.matches[at-1]&last != 0 {
			union[i-1] = true
			length--
			i--
			mask, last = mask>>1, last>>1
			continue
		}
		if bits.OnesCount64(rows[i-1]&mask) == length {
			i--
		} else {
			mask, last = mask>>1, last>>1
		}
	}
}
