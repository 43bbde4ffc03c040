package output

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

func TestHashed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "arts")
	run := NewRun(io.Discard)
	parts := run.Hashed(folder, "/w/7/outgoing/m-000000000007-00001.zst", "warc.gz")
	if _, err := os.Stat(folder); err == nil {
		t.Error("there is a folder before there is a part")
	}
	for n, text := range []string{"first", "the second"} {
		f, err := parts.Create()
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(f.Path()); !strings.HasPrefix(base, ".") || !strings.HasSuffix(base, ".warc.gz") {
			t.Errorf("while it is written the part is %s", base)
		}
		io.WriteString(f, text)
		want := filepath.Join(folder, fmt.Sprintf("%016x-000000000007-%05d.warc.gz", xxhash.Sum64String(text), n+1))
		told := ""
		if err := f.Close(1, func(path string, _, _ int64, _ uint64) { told = path }); err != nil || told != want ||
			f.Path() != want {
			t.Errorf("told of %s, %v; want %s", told, err, want)
		}
		if data, _ := os.ReadFile(want); string(data) != text {
			t.Errorf("%s holds %q", want, data)
		}
	}
	if err := run.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a run that failed left its folder")
	}
}

func TestHashedNeverOverwrites(t *testing.T) {
	folder := t.TempDir()
	there := filepath.Join(folder, fmt.Sprintf("%016x-000000000000-00001.zst", xxhash.Sum64String("x")))
	os.WriteFile(there, []byte("precious"), 0o666)
	run := NewRun(io.Discard)
	f, err := run.Hashed(folder, "x", "zst").Create()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "x")
	if err := f.Close(1, nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("Close = %v", err)
	}
	if err := run.Discard(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if data, _ := os.ReadFile(there); string(data) != "precious" {
		t.Errorf("a file of another run became %q", data)
	}
}

// A run that has failed names and makes nothing more: its files are gone.
func TestHashedAfterDiscard(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "arts")
	run := NewRun(io.Discard)
	parts := run.Hashed(folder, "x", "zst")
	f, err := parts.Create()
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "of-somebody-else")
	os.WriteFile(other, nil, 0o666)
	if err := run.Discard(); err != nil {
		t.Error(err)
	}
	if err := f.Close(1, nil); err == nil {
		t.Error("a part of a failed run got a name")
	}
	if _, err := parts.Create(); err == nil {
		t.Error("a run that failed created a part")
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
