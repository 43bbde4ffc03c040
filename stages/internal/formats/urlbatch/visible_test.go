package urlbatch

import "testing"

// TestVisible goes through every byte at every place of a word, before and behind others that are
// as bad.
func TestVisible(t *testing.T) {
	for c := range 256 {
		for size := range 20 {
			for at := range size {
				b := make([]byte, size)
				for i := range b {
					b[i] = "!~az"[i%4]
					if i > at {
						b[i] = byte(i * c)
					}
				}
				b[at] = byte(c)
				if got, want := visible(b), slowVisible(b); got != want {
					t.Fatalf("visible(%q) = %d, want %d", b, got, want)
				}
			}
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add([]byte("http://a.example/\tdepth=1\x7f\x80\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := visible(b), slowVisible(b); got != want {
			t.Fatalf("visible(%q) = %d, want %d", b, got, want)
		}
	})
}

// slowVisible is what visible is held to.
func slowVisible(b []byte) int {
	for i, c := range b {
		if c < 0x21 || c > 0x7e {
			return i
		}
	}
	return len(b)
}
