package ascii

import (
	"bytes"
	"testing"
)

// TestWord compares words with their bytes one by one, with each byte at each place.
func TestWord(t *testing.T) {
	for c := range 256 {
		for place := range Size {
			b := []byte("aZbYcXzA")
			b[place] = byte(c)
			w, letters := At(b, 0), Size
			if !bytes.ContainsAny([]byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), string(rune(c))) ||
				c > 0x7f {
				letters = place
			}
			if IsLetter(byte(c)) != (letters == Size) {
				t.Errorf("IsLetter(%#x) = %v", c, letters != Size)
			}
			if got := w.Letters(); got != letters {
				t.Errorf("%q: Letters() = %d, want %d", b, got, letters)
			}
			if got, want := w.Equal(byte(c)).First(), bytes.IndexByte(b, byte(c)); got != want {
				t.Errorf("%q: Equal(%#x).First() = %d, want %d", b, c, got, want)
			}
			if got := w.Equal('!').First(); c != '!' && got != Size {
				t.Errorf("%q: Equal('!').First() = %d", b, got)
			}
			low := w.Lower()
			for i := range letters {
				if got, want := byte(low>>(8*i)), bytes.ToLower(b)[i]; got != want || got != Lower(b[i]) {
					t.Errorf("%q: byte %d in lower case is %q, want %q", b, i, got, want)
				}
			}
		}
	}
}
