package language

import "iter"

// sampleSize is the number of terms that a sample holds at most; it holds at least half of it where the page has as many.
const sampleSize = 384

// sample is terms of a page at even distances, so that a page's language is that of its body and not that of its menu.
type sample struct {
	text    []byte // the terms, one behind the other
	ends    []int  // where they end in text
	written [scripts]int
}

// take fills the sample. Whenever it is full every second term goes, and from there on half as many are taken.
func (s *sample) take(terms iter.Seq[[]byte]) {
	s.text, s.ends, s.written = s.text[:0], s.ends[:0], [scripts]int{}
	every, next := 1, 0
	i := 0
	for term := range terms {
		s.written[scriptOf(term)]++
		if i == next {
			if len(s.ends) == sampleSize {
				s.thin()
				every *= 2
			}
			s.text = append(s.text, term...)
			s.ends = append(s.ends, len(s.text))
			next += every
		}
		i++
	}
}

// thin keeps every second term, from the first on.
func (s *sample) thin() {
	n, end, begin := 0, 0, 0
	for i, e := range s.ends {
		if i%2 == 0 {
			end += copy(s.text[end:], s.text[begin:e])
			s.ends[n] = end
			n++
		}
		begin = e
	}
	s.text, s.ends = s.text[:end], s.ends[:n]
}

func (s *sample) terms() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin := 0
		for _, end := range s.ends {
			if !yield(s.text[begin:end]) {
				return
			}
			begin = end
		}
	}
}

// script is the script that most of the page's terms are written in; those that are not Latin count twice.
func (s *sample) script() script {
	best := latin
	for i := latin + 1; i < scripts; i++ {
		if 2*s.written[i] > s.weight(best) {
			best = i
		}
	}
	return best
}

func (s *sample) weight(of script) int {
	if of == latin {
		return s.written[of]
	}
	return 2 * s.written[of]
}
