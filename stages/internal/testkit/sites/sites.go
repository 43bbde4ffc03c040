// Package sites gives tests the pages of real sites that lie beside the repository, where there are any:
// ../shared/data/web.tar.zst, a folder a host.
package sites

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Pages calls do with the URL, not canonical, and the HTML of every page whose number each divides, until do says
// that it has enough. Without the pages the test is skipped.
func Pages(tb testing.TB, each int, do func(url string, page []byte) (more bool)) {
	tb.Helper()
	z := open(tb)
	n := 0
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		if !strings.HasPrefix(path.Ext(h.Name), ".htm") || h.Typeflag != tar.TypeReg {
			continue
		}
		if n++; n%each != 0 {
			continue
		}
		page, err := io.ReadAll(files)
		if err != nil {
			tb.Fatal(err)
		}
		if !do("http://"+strings.TrimPrefix(h.Name, "./"), page) {
			return
		}
	}
}

// open opens the archive of sites, which is closed when the test ends.
func open(tb testing.TB) io.Reader {
	tb.Helper()
	archive := filepath.Join(repository(tb), "../shared/data/web.tar.zst")
	f, err := os.Open(archive)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skip("no pages of real sites at " + archive)
	}
	if err != nil {
		tb.Fatal(err)
	}
	z, err := zstd.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { z.Close(); f.Close() })
	return z
}

// repository gives the folder of go.mod.
func repository(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	tb.Fatal("no go.mod above this test")
	return ""
}
