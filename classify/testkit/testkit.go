// Package testkit gives tests the sets of texts and pages that lie beside the repository, where
// there are any: ../shared/data/SET.tar.zst. No product links it.
package testkit

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

// Sites is the set of real sites: a folder a host.
const Sites = "web"

// Files calls do with the path and the content of each file of a set, until do says that it
// has enough. Without the set it skips the test.
func Files(tb testing.TB, set string, do func(name string, content []byte) (more bool)) {
	tb.Helper()
	z := open(tb, set)
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(files)
		if err != nil {
			tb.Fatal(err)
		}
		if !do(strings.TrimPrefix(h.Name, "./"), content) {
			return
		}
	}
}

// Pages calls do with the host and path, and the HTML, of every page of the real sites whose
// number each divides, until do says that it has enough. The test fails where the sites have fewer
// than a thousand.
func Pages(tb testing.TB, each int, do func(name string, page []byte) (more bool)) {
	tb.Helper()
	n, enough := 0, false
	Files(tb, Sites, func(name string, page []byte) bool {
		if !strings.HasPrefix(path.Ext(name), ".htm") {
			return true
		}
		n++
		enough = n%each == 0 && !do(name, page)
		return !enough
	})
	if n < 1000 && !enough {
		tb.Errorf("the real sites have only %d pages", n)
	}
}

// Unpack writes the files of a set whose names contain part into dir, which no name can leave.
func Unpack(tb testing.TB, set, part, dir string) {
	tb.Helper()
	err := os.MkdirAll(dir, 0o777)
	if err != nil {
		tb.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer root.Close()
	Files(tb, set, func(name string, content []byte) bool {
		if !strings.Contains(name, part) {
			return true
		}
		err := root.MkdirAll(path.Dir(name), 0o777)
		if err == nil || errors.Is(err, fs.ErrExist) {
			err = root.WriteFile(name, content, 0o666)
		}
		if err != nil {
			tb.Fatal(err)
		}
		return true
	})
}

// open opens the archive of a set, which is closed when the test ends.
func open(tb testing.TB, set string) io.Reader {
	tb.Helper()
	archive := filepath.Join(repository(tb), "../shared/data", set+".tar.zst")
	f, err := os.Open(archive)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skip("there is no set " + archive)
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

// repository is the folder of go.mod.
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
