// Package testkit provides tests with sets of texts and pages. They are stored beside the
// repository, if at all: ../shared/data/SET.tar.zst. No released program links it.
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

// Sites is the set of real sites. It contains a folder for each host.
const Sites = "web"

// Files calls do with the path and the content of each file of a set, until do returns false. It
// skips the test if the set does not exist.
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

// Pages calls do with the host, the path and the HTML of pages of the real sites: every page whose
// number is a multiple of each. It stops when do returns false. The test fails if the sites have
// fewer than a thousand pages.
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

// Unpack writes the files of a set whose names contain part into dir. A name cannot lead out of
// dir.
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

// open opens the archive of a set. It closes the archive when the test ends.
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

// repository returns the folder of go.mod.
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
