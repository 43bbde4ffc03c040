package classify

import "math"

// block is how many terms are looked up before their weights are added: the processor can wait
// for many places in memory at once, but only where none depends on another.
const block = 64

// A hit is a term of a document that the model knows, and its x.
type hit struct {
	term uint32
	x    float32
}

// score adds up sums, one for each label, and gives ‖x‖ and how many terms of d the model knows.
func (m *Model) score(d *Document, sums []float32) (length float64, known int) {
	copy(sums, m.bias)
	var hits [block]hit
	squares := float32(0)
	for from := 0; from < d.Len(); from += block {
		n := 0
		for i := from; i < min(from+block, d.Len()); i++ {
			hash, count := d.Hashed(i)
			if t, ok := m.index.Find(hash); ok {
				x := m.x(t, count)
				hits[n] = hit{t, x}
				squares += x * x
				n++
			}
		}
		m.add(sums, hits[:n])
		known += n
	}
	if squares == 0 {
		return 1, known
	}
	return math.Sqrt(float64(squares)), known
}

// add adds the weights of hits to sums: eight labels at a time, whose sums then stay in registers.
func (m *Model) add(sums []float32, hits []hit) {
	k, c := len(sums), 0
	for ; c+8 <= k; c += 8 {
		s := (*[8]float32)(sums[c:])
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for _, h := range hits {
			w := (*[8]float32)(m.weight[int(h.term)*k+c:])
			s0 += h.x * w[0]
			s1 += h.x * w[1]
			s2 += h.x * w[2]
			s3 += h.x * w[3]
			s4 += h.x * w[4]
			s5 += h.x * w[5]
			s6 += h.x * w[6]
			s7 += h.x * w[7]
		}
		*s = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	}
	for ; c < k; c++ {
		for _, h := range hits {
			sums[c] += h.x * m.weight[int(h.term)*k+c]
		}
	}
}
