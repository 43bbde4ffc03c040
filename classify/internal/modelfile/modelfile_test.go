package modelfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kind is a kind of file whose header ends with a word of its own.
var kind = Kind{"mtmodelx", 2, 16}

// file returns a file with this body, after bytes that are not of it.
func file(before, body string) []byte {
	b := append([]byte(before+kind.Magic), 2, 0, 0, 0, 'o', 'w', 'n', '.')
	return Seal(append(b, body...), len(before))[len(before):]
}

// TestBody: a sound file has its body, and any other is refused with the reason.
func TestBody(t *testing.T) {
	for _, before := range []string{"", "another file"} {
		if body, err := kind.Body(file(before, "weights")); err != nil || string(body) != "weights" {
			t.Errorf("after %q: %q, %v", before, body, err)
		}
	}
	old, other, whole := file("", "weights"), file("", "weights"), file("", "weights")
	old[8], other[0] = 1, 'x'
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "does not begin"}, {whole[:23], "does not begin"}, {other, "does not begin"},
		{old, "of version 1; this program reads 2"}, {whole[:len(whole)-1], "checksum is wrong"},
		{append(file("", ""), make([]byte, MaxSize)...), "more than 268435456"},
	} {
		if _, err := kind.Body(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes: got %v, want %s", len(c.data), err, c.want)
		}
	}
}

// TestLoad: a whole file is parsed, and errors say which file.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, file("", "weights"), 0o666); err != nil {
		t.Fatal(err)
	}
	same := func(data []byte) ([]byte, error) { return data, nil }
	if data, err := Load(path, "model", same); err != nil || !bytes.Equal(data, file("", "weights")) {
		t.Errorf("%q, %v", data, err)
	}
	broken := errors.New("broken")
	if _, err := Load(path, "model", func([]byte) (int, error) { return 0, broken }); !errors.Is(err, broken) ||
		!strings.Contains(err.Error(), "load model "+path) {
		t.Errorf("got %v", err)
	}
	if _, err := Load(path+"x", "model", same); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
