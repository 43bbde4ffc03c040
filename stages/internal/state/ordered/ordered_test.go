package ordered

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// encode returns the bytes of a segment. It does not come to a disk, whose syncs take longer than
// all the rest.
func encode(t testing.TB, e *Entries, hash *keyed.Hash) []byte {
	t.Helper()
	var data bytes.Buffer
	w, err := create(output.NewRun(&data), output.Stdout, hash)
	if err != nil {
		t.Fatal(err)
	}
	e.sort()
	for _, x := range e.all {
		if err := w.add(x.key, e.values[x.at]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(nil); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// file writes data to a file in a temporary directory and returns its path.
func file(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "segment")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *reader {
	t.Helper()
	r, err := openReader(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// wholly checks all of the segment at path.
func wholly(path string, hash *keyed.Hash) error {
	return VerifyFile(path, hash, func(Key, []byte) error { return nil })
}

// secret is that of the golden files of version 2.
func secret(t testing.TB) *keyed.Hash {
	t.Helper()
	h, err := keyed.New("000102030405060708090a0b0c0d0e0f", "the test")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// golden is the content of the golden files: blocks of every width of ends, with one entry and with
// as many as there can be, and keys that differ in all bytes and in few.
func golden() *Entries {
	e := &Entries{}
	e.Add(Key{}, []byte("meta"))
	for i := range uint64(40) {
		host := (i + 1) * 0x20c49ba5e353f7
		e.Add(Key{host, 0}, bytes.Repeat([]byte("row "), int(i%9)))
		e.Add(Key{host, 1<<56 | i%3<<48 | i*0x9e3779b97f4a}, bytes.Repeat([]byte("chunk "), 20*int(i%17)))
	}
	e.Add(Key{1 << 62, 5}, bytes.Repeat([]byte("x"), 70_000))
	e.Add(Key{1 << 62, 6}, bytes.Repeat([]byte("y"), blockBytes))
	for i := range uint64(blockKeys + 100) {
		e.Add(Key{1<<63 | 1_700_000_000_000, i}, nil)
	}
	e.Add(Key{math.MaxUint64, math.MaxUint64}, []byte("last"))
	return e
}

// goldenFiles are those of testdata, each with the hash of its keys. They are packed by zstd: some
// blocks must have 64 KiB.
func goldenFiles(t testing.TB) map[string]*keyed.Hash {
	return map[string]*keyed.Hash{"v1.seg": nil, "v2.seg": secret(t)}
}

// unpacked is the content of a golden file.
func unpacked(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".zst"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if data, err = z.DecodeAll(data, nil); err != nil {
		t.Fatal(err)
	}
	return data
}

// repack writes data as a golden file.
func repack(t testing.TB, name string, data []byte) {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", name+".zst"), z.EncodeAll(data, nil), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestGolden: what a version has written is written again, and is read for ever.
func TestGolden(t *testing.T) {
	for name, hash := range goldenFiles(t) {
		e := golden()
		got := encode(t, e, hash)
		if *update {
			repack(t, name, got)
		}
		want := unpacked(t, name)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the writer's bytes are not those of the golden file", name)
		}
		path := file(t, want)
		if err := wholly(path, hash); err != nil {
			t.Error(err)
		}
		r := open(t, path)
		checkEntries(t, r, e)
		checkShapes(t, r)
	}
}

// checkShapes holds that the golden files have blocks of all shapes.
func checkShapes(t *testing.T, r *reader) {
	t.Helper()
	met := map[string]bool{}
	for i := range r.blocks() {
		var x opened
		if err := r.block(i, &x); err != nil {
			t.Fatal(err)
		}
		met[fmt.Sprint("ends of ", x.endWidth)] = true
		met[fmt.Sprint(x.n, " entries")] = true
		met["keys of many bytes"] = met["keys of many bytes"] || x.columns.hi >= 7 && x.columns.n-x.columns.hi >= 7
		met["keys of few bytes"] = met["keys of few bytes"] || x.columns.hi == 0 && x.columns.n == 2
	}
	for _, shape := range []string{"ends of 0", "ends of 2", "ends of 4", "1 entries",
		fmt.Sprint(blockKeys, " entries"),
		"keys of many bytes", "keys of few bytes"} {
		if !met[shape] {
			t.Errorf("no block has %s: %v", shape, met)
		}
	}
}

// checkEntries looks up every entry, and the keys beside it that are none, and walks over all.
func checkEntries(t *testing.T, r *reader, e *Entries) {
	t.Helper()
	c := newCursor([]*reader{r}, false)
	for i, x := range e.all {
		key, value, ok, err := c.Next()
		if key != x.key || !bytes.Equal(value, e.values[x.at]) || !ok || err != nil {
			t.Fatalf("entry %d is %v %.20q, %v, %v; want %v", i, key, value, ok, err, x.key)
		}
		value, ok, err = r.get(x.key)
		if !bytes.Equal(value, e.values[x.at]) || !ok || err != nil {
			t.Fatalf("get %v: %.20q, %v, %v", x.key, value, ok, err)
		}
		for _, beside := range []Key{{x.key.Hi, x.key.Lo + 1}, {x.key.Hi + 1, x.key.Lo}, {x.key.Hi - 1, x.key.Lo}} {
			if _, ok, err := r.get(beside); ok != has(t, r, beside) || err != nil {
				t.Fatalf("get %v, which is beside %v: %v, %v", beside, x.key, ok, err)
			}
		}
	}
	if key, _, ok, err := c.Next(); ok || err != nil {
		t.Errorf("behind the end there is %v, %v", key, err)
	}
}

// has tells by a walk of one step whether r has the key.
func has(t *testing.T, r *reader, key Key) bool {
	t.Helper()
	c := newCursor([]*reader{r}, false)
	if err := c.Seek(key); err != nil {
		t.Fatal(err)
	}
	found, _, ok, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	return ok && found == key
}

// TestBytesPerEntry: what all keys of a block share is not written for each.
func TestBytesPerEntry(t *testing.T) {
	const n = 20_000
	list, chunks := &Entries{}, &Entries{}
	for i := range uint64(n) {
		list.Add(Key{1<<63 | 1_700_000_000_000 + i, i * 0x9e3779b97f4a7c15}, nil)
		chunks.Add(Key{i * 0x9e3779b97f4a7c15 >> 1, 1<<56 | i%3<<48 | 100 + i%1000}, make([]byte, 60))
	}
	for name, c := range map[string]struct {
		e    *Entries
		most int
	}{"list": {list, 11}, "chunks": {chunks, 74}} {
		if size := len(encode(t, c.e, nil)); size > c.most*n {
			t.Errorf("%s: %d bytes for %d entries, more than %d each", name, size, n, c.most)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	w, err := create(output.NewRun(io.Discard), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.add(Key{5, 5}, nil); err != nil {
		t.Fatal(err)
	}
	for _, key := range []Key{{5, 5}, {5, 4}, {4, 6}} {
		if err := w.add(key, nil); err == nil || !strings.Contains(err.Error(), "behind") {
			t.Errorf("key %v behind 5:5: %v", key, err)
		}
	}
	if err := w.add(Key{6, 0}, make([]byte, maxValue+1)); err == nil {
		t.Error("a value over the bound was taken")
	}
	if _, err := create(output.NewRun(io.Discard), path, nil); err == nil {
		t.Error("a file was overwritten")
	}
}

// TestDamage flips every byte of small segments, with a secret and without, and cuts them at every
// length. VerifyFile notices all, and nobody panics.
func TestDamage(t *testing.T) {
	for _, hash := range []*keyed.Hash{nil, secret(t)} {
		e := &Entries{}
		e.Add(Key{1, 2}, []byte("one"))
		e.Add(Key{1, 3}, nil)
		e.Add(Key{2, 3}, []byte("two"))
		whole := encode(t, e, hash)
		path := file(t, whole)
		if err := wholly(path, hash); err != nil {
			t.Fatal(err)
		}
		verify := func(data []byte) error {
			os.WriteFile(path, data, 0o666)
			walk(path)
			return wholly(path, hash)
		}
		for i := range whole {
			for _, flip := range []byte{0x81, 1 << (i % 8)} {
				data := bytes.Clone(whole)
				data[i] ^= flip
				if err := verify(data); err == nil {
					t.Errorf("byte %d with %02x flipped: not noticed", i, flip)
				}
			}
			if err := verify(whole[:i]); !errors.Is(err, blockfile.ErrDamaged) {
				t.Errorf("cut to %d bytes: %v", i, err)
			}
		}
		if err := verify(append(bytes.Clone(whole), 0)); !errors.Is(err, blockfile.ErrDamaged) {
			t.Errorf("one byte more: %v", err)
		}
	}
}

// walk opens the segment at path if it can be, looks up, seeks and walks, whatever is there.
func walk(path string, keys ...Key) {
	r, err := openReader(path)
	if err != nil {
		return
	}
	defer r.Close()
	c := newCursor([]*reader{r, r}, false)
	for _, key := range append(keys, Key{}, Key{1, 3}, Key{math.MaxUint64, 0}, Key{1, 2}) {
		r.get(key)
		c.Seek(key)
		for {
			if _, _, ok, err := c.Next(); !ok || err != nil {
				break
			}
		}
	}
}

func TestVerifyFile(t *testing.T) {
	v1, v2 := file(t, unpacked(t, "v1.seg")), file(t, unpacked(t, "v2.seg"))
	refuse := func(key Key, _ []byte) error {
		if key.Hi == 1<<62 {
			return errors.New("no entry of mine")
		}
		return nil
	}
	for name, c := range map[string]struct {
		path string
		hash *keyed.Hash
		want string
	}{
		"a wrong entry":  {v1, nil, "entry 4000000000000000:0000000000000005: no entry of mine"},
		"without secret": {v2, nil, "the crawl's secret"},
		"stdin":          {"-", nil, "name its file"},
		"missing":        {"nowhere", nil, "no such file"},
	} {
		if err := VerifyFile(c.path, c.hash, refuse); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	judged := 0
	if err := VerifyFile(v2, secret(t), func(Key, []byte) error { judged++; return nil }); err != nil {
		t.Error(err)
	}
	if e := golden(); judged != e.Len() {
		t.Errorf("%d entries were judged, want %d", judged, e.Len())
	}
}
