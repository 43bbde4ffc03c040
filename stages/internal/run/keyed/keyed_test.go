package keyed

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const digits = "000102030405060708090a0b0c0d0e0f"

// The keys are those of the paper, and for ever: its appendix A has the input 00 to 0e under this
// key.
func TestVector(t *testing.T) {
	h, err := New(digits, "the paper")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	if got := h.Sum(text); got != 0xa129ca6149be45e5 {
		t.Errorf("%x", got)
	}
	if got := h.Mark(); got != 0x4f4a772fea88dc82 {
		t.Errorf("mark %x", got)
	}
}

// Without a secret keys are those that earlier programs made.
func TestNoSecret(t *testing.T) {
	var h *Hash
	if got := h.Sum([]byte("load")); got != 0x757dfc0052b6ac66 || h.Mark() != 0 {
		t.Errorf("%x, mark %x", got, h.Mark())
	}
}

func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	for text, good := range map[string]bool{
		digits + "\n": true, digits: true, "": false, "\n": false, digits[1:] + "\n": false, digits + "00\n": false,
		digits + "\n\n": false, strings.Replace(digits, "0", "g", 1): false, strings.Repeat(digits, 1000): false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(Variable, file)
		if h, err := FromEnv(); (err == nil) != good || (h != nil) != good || err != nil && !errors.Is(err, ErrSecret) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	t.Setenv(Variable, file+".gone")
	if _, err := FromEnv(); !errors.Is(err, ErrSecret) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	os.Unsetenv(Variable)
	if h, err := FromEnv(); h != nil || err != nil {
		t.Errorf("no file: %v, %v", h, err)
	}
}

func TestOf(t *testing.T) {
	one, _ := New(digits, "one")
	two, _ := New(strings.Repeat("a", 32), "two")
	for _, c := range []struct {
		h    *Hash
		mark uint64
		want *Hash
		bad  bool
	}{
		{one, one.Mark(), one, false}, {one, two.Mark(), nil, true}, {nil, one.Mark(), nil, true},
		{one, 0, nil, false}, {nil, 0, nil, false},
	} {
		if got, err := c.h.Of(c.mark); got != c.want || (err != nil) != c.bad ||
			err != nil && !errors.Is(err, ErrSecret) {
			t.Errorf("%v of %x: %v, %v", c.h, c.mark, got, err)
		}
	}
}
