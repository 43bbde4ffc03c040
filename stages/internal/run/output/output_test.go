package output

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

func TestPartName(t *testing.T) {
	for _, c := range []struct {
		first string
		n     int
		want  string
	}{
		{"/w/7/q/m-000000000007-00001.zst", 1, "/w/7/q/m-000000000007-00001.zst"},
		{"/w/7/q/m-000000000007-00001.zst", 2, "/w/7/q/m-000000000007-00002.zst"},
		{"q/a-m-000000000007-00001.warc.gz", 12, "q/a-m-000000000007-00012.warc.gz"},
		{"-000000000007-00001.zst", 2, "-000000000007-00001-00002.zst"}, // no name in front
		{"m-00000000000a-00001.zst", 2, "m-00000000000a-00001-00002.zst"},
		{"m-000000000007-000-1.zst", 2, "m-000000000007-000-1-00002.zst"},
		{"m-000000000007_00001.zst", 2, "m-000000000007_00001-00002.zst"},
		{"x.zst", 2, "x-00002.zst"},
		{"dir.d/x", 3, "dir.d/x-00003"},
		{"x.warc.gz", 2, "x-00002.warc.gz"},
		{"www.example.zst", 2, "www.example-00002.zst"},
		{"m-000000000007-00001.cdxj.gz", 2, "m-000000000007-00002.cdxj.gz"}, // any ext of a queue
		{"-", 2, "-"},
	} {
		if got := PartName(c.first, c.n); got != c.want {
			t.Errorf("PartName(%q, %d) = %q, want %q", c.first, c.n, got, c.want)
		}
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.zst")
	parts := NewRun(io.Discard).Parts(path)
	for n, text := range []string{"first", "the second"} {
		f, err := parts.Create()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, text)
		var told string
		err = f.Close(3, func(path string, records, size int64, sum uint64) {
			told = path
			if records != 3 || size != int64(len(text)) || sum != xxhash.Sum64String(text) {
				t.Errorf("told of %d records, %d bytes, %x", records, size, sum)
			}
		})
		if want := PartName(path, n+1); err != nil || told != want {
			t.Errorf("told of %q, %v; want %q", told, err, want)
		}
		if data, _ := os.ReadFile(told); string(data) != text {
			t.Errorf("%s holds %q", told, data)
		}
	}
}

func TestPartsHaveFiveDigits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m-000000000007-00001.zst")
	parts := NewRun(io.Discard).Parts(path)
	parts.n = maxParts - 1
	f, err := parts.Create()
	if err != nil || filepath.Base(f.Path()) != "m-000000000007-99999.zst" || parts.Left() != 0 {
		t.Errorf("the last part is %v, %v, and %d are left", f, err, parts.Left())
	}
	if _, err := parts.Create(); err == nil {
		t.Error("one more was created")
	}
	if NewRun(io.Discard).Parts(Stdout).Left() <= maxParts {
		t.Error("standard output ends")
	}
}

func TestNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	os.WriteFile(path, []byte("precious"), 0o666)
	run := NewRun(io.Discard)
	if _, err := run.Create(path); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("Create = %v", err)
	}
	if err := run.Discard(); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "precious" {
		t.Errorf("a file of another run became %q", data)
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	run := NewRun(io.Discard)
	for _, name := range []string{"a", "b"} {
		if _, err := run.Create(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(filepath.Join(dir, "a")) // gone already: no error
	if err := run.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := run.Create(filepath.Join(dir, "late")); err == nil {
		t.Error("a run that failed created a file")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestStdout(t *testing.T) {
	var out bytes.Buffer
	parts := NewRun(&out).Parts(Stdout)
	for _, text := range []string{"a", "b"} {
		f, err := parts.Create()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, text)
		if err := f.Close(1, nil); err != nil {
			t.Error(err)
		}
	}
	if out.String() != "ab" {
		t.Errorf("standard output: %q", out.String())
	}
}
