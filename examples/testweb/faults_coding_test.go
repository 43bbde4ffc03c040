package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// TestBombs blows each bomb up until more than two of the blocks that it is made of are there,
// all zeros; the rest is the same again.
func TestBombs(t *testing.T) {
	gunzip := func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	for _, c := range []struct {
		name, text string
		most       int // bytes of the bomb itself
		megabytes  int
		open       func(io.Reader) (io.Reader, error)
	}{
		{"gzip", gzipBomb(), 11e6, 3, gunzip},
		{"gzip twice", gzipped(gzipBomb()), 1e6, 3, func(r io.Reader) (io.Reader, error) {
			outer, err := gunzip(r)
			if err != nil {
				return nil, err
			}
			return gunzip(outer)
		}},
		{"deflate", deflateBomb(), 11e6, 3, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
		{"br", brotliBomb(), 2e6, 40, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
		{"zstd", zstdFrame(11, bombSize/zstdBlock), 1e6, 3,
			func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }},
	} {
		if len(c.text) > c.most {
			t.Errorf("%s: the bomb has %d bytes, want at most %d", c.name, len(c.text), c.most)
		}
		r, err := c.open(strings.NewReader(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		zeros := make([]byte, 1<<20)
		for i := range c.megabytes {
			if n, err := io.ReadFull(r, zeros); err != nil || bytes.Count(zeros, []byte{0}) != n {
				t.Fatalf("%s: megabyte %d is not of zeros, %v", c.name, i, err)
			}
		}
	}
	whole, err := zstd.NewReader(strings.NewReader(zstdFrame(11, 9)))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, whole); n != 9*zstdBlock || err != nil {
		t.Errorf("a zstd frame of 9 blocks has %d bytes, %v", n, err)
	}
}
