package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"multitext/manager/internal/crawl"
)

const batchText = "http://a.example/\tdepth=1\nhttp://b.example/\n"

// compressed writes a batch in each of the forms that cat tells apart.
func compressed(t *testing.T, dir string) map[string]string {
	t.Helper()
	var zst, gz bytes.Buffer
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(batchText))
	z.Close()
	// Two members, as in WARC files.
	for _, part := range strings.SplitAfter(strings.TrimSuffix(batchText, "\n"), "\n") {
		g := gzip.NewWriter(&gz)
		g.Write([]byte(part))
		g.Close()
	}
	paths := map[string]string{}
	for name, content := range map[string][]byte{"zstd": zst.Bytes(), "gzip": gz.Bytes(), "plain": []byte(batchText),
		"empty": nil, "cut": zst.Bytes()[:zst.Len()-4]} {
		paths[name] = filepath.Join(dir, name+".txt") // the name tells nothing
		if err := os.WriteFile(paths[name], content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func TestCat(t *testing.T) {
	paths := compressed(t, t.TempDir())
	for _, c := range []struct {
		name string
		want string
		code int
	}{
		{"zstd", batchText, crawl.ExitDone},
		{"gzip", strings.TrimSuffix(batchText, "\n"), crawl.ExitDone},
		{"plain", batchText, crawl.ExitDone},
		{"empty", "", crawl.ExitDone},
		{"cut", "", crawl.ExitDamaged},
		{"nowhere", "", crawl.ExitBad},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, err bytes.Buffer
			m := &invocation{out: &out, err: &err}
			path := paths[c.name]
			if path == "" {
				path = "nowhere"
			}
			if got := m.run([]string{"cat", path}); got != c.code {
				t.Errorf("exit code %d, want %d: %s", got, c.code, err.String())
			}
			if c.code == crawl.ExitDone && out.String() != c.want {
				t.Errorf("printed %q, want %q", out.String(), c.want)
			}
			if c.code != crawl.ExitDone && !strings.Contains(err.String(), path) {
				t.Errorf("%q does not name the file", err.String())
			}
		})
	}
}
