package urlbatch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestVerify(t *testing.T) {
	const lines = "http://a.example/\nhttp://b.example/\tdepth=2\n"
	for name, c := range map[string]struct{ text, want string }{
		"whole":          {lines, ""},
		"empty":          {"", ""},
		"a person's":     {"# seeds\n\n http://a.example/ \r\n", ""},
		"bad lines":      {lines + "no url\n\n\x1b[2J\n", "standard input:3: "},
		"their number":   {lines + "no url\n\n\x1b[2J\n", "(lines that are no record: 2)"},
		"no end of line": {"http://a.example/", ""},
	} {
		err := Verify(t.Context(), "-", strings.NewReader(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A compressed batch that was cut anywhere but between two frames is found, and so is every byte
// that changed in what it holds.
func TestVerifyFindsDamage(t *testing.T) {
	// The golden files hold one line that is no record; all else is whole.
	const flaw = ":3: a byte outside 0x21 to 0x7e (lines that are no record: 1)"
	unseen := func(err error) bool { return err == nil || strings.HasSuffix(err.Error(), flaw) }
	for _, name := range []string{"batch.zst", "batch.gz"} {
		golden := filepath.Join("testdata", "v1", name)
		whole, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), golden, nil); !unseen(err) || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), name)
		verify := func(b []byte) error {
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			return Verify(t.Context(), path, nil)
		}
		for n := 5; n < len(whole); n++ {
			if err := verify(whole[:n]); unseen(err) {
				t.Errorf("%s cut to %d bytes: %v", name, n, err)
			}
		}
		want := readAll(t, golden)
		for at := range whole {
			b := bytes.Clone(whole)
			b[at] ^= 0x10
			// Filling between blocks and hints of a header do not matter.
			if err := verify(b); unseen(err) && !slices.Equal(readAll(t, path), want) {
				t.Errorf("%s with another byte %d: %v", name, at, err)
			}
		}
	}
}

// A batch that unfolds to more than it may is broken off, also within a line that never ends.
func TestMaxSize(t *testing.T) {
	const size = 4 << 20
	for name, text := range map[string]string{"lines": strings.Repeat("http://a.example/\n", size/18),
		"one line": strings.Repeat("a", size)} {
		for _, ext := range []string{".zst", ".gz"} {
			packed := pack(t, ext, text)
			for max, want := range map[int64]string{0: "", size: "", 1 << 20: "more than the bound of 1048576 bytes"} {
				r, err := NewReader(name, bytes.NewReader(packed))
				if err != nil {
					t.Fatal(err)
				}
				r.MaxSize = max
				var line *LineError
				for err == nil || errors.As(err, &line) {
					_, err = r.Next()
				}
				if want == "" && err != io.EOF || !strings.Contains(err.Error(), want) {
					t.Errorf("%s%s with a bound of %d: %v", name, ext, max, err)
				}
				r.Close()
			}
		}
	}
}

func pack(t *testing.T, ext, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if ext == ".zst" {
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
