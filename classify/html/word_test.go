package html

import "testing"

// TestWord holds words to what their bytes say one by one, with each byte at each place.
func TestWord(t *testing.T) {
	for c := range 256 {
		for place := range wordSize {
			b := []byte("aZz@A[`{x")
			b[place] = byte(c)
			w := wordAt(b, 0)
			if got, want := w.letters(), firstThat(b, func(b byte) bool { return b < 0x40 || b > 0x7f }); got != want {
				t.Errorf("%q: letters() = %d, want %d", b, got, want)
			}
			if got, want := w.equal(byte(c)).first(), firstThat(b, func(b byte) bool { return b == byte(c) }); got != want {
				t.Errorf("%q: equal(%#x) = %d, want %d", b, c, got, want)
			}
			low := w.lower()
			for i := range firstThat(b, func(b byte) bool { return b > 0x7f }) {
				if got, want := byte(low>>(8*i)), lowerCase(b[i]); got != want {
					t.Errorf("%q: byte %d in lower case is %q, want %q", b, i, got, want)
				}
			}
		}
	}
}

// firstThat gives the place of the first of the eight bytes that is so, or wordSize.
func firstThat(b []byte, is func(byte) bool) int {
	for i, c := range b[:wordSize] {
		if is(c) {
			return i
		}
	}
	return wordSize
}
