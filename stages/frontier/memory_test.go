package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/testkit/stagetest"
)

// TestMemory holds what -h says of memory, for more than fits into it: batches, 64 of which a
// script's take allows, of URLs with long attributes, on many hosts.
func TestMemory(t *testing.T) { testMemory(t, "breadth", 64, 128<<20) }

// TestLinksMemory is the same where each link is of another page, and cash is passed on.
func TestLinksMemory(t *testing.T) { testMemory(t, "opic", 64, 128<<20) }

func testMemory(t *testing.T, order string, batches int, bound int64) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const urls = 5000
	stagetest.PeakAnon(t, bound, func(dir string) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for b := range batches {
			w := urlbatch.NewWriter(output.NewRun(io.Discard), filepath.Join(dir, fmt.Sprint("in-", b, ".zst")), nil)
			for range urls {
				host := fmt.Sprintf("http://www.host%d.test/", rnd.IntN(200_000))
				rec := urlbatch.New(fmt.Sprint(host, rnd.Uint64()))
				rec.SetInt(urlbatch.Depth, int64(rnd.IntN(10)))
				rec.Set(urlbatch.Via, host+strings.Repeat(fmt.Sprintf("%x/", rnd.Uint64()), 10))
				if err := w.Write(rec); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}, func(dir string) {
		file := func(name string) string { return filepath.Join(dir, name) }
		inputs, _ := filepath.Glob(file("in-*"))
		args := append([]string{"-new", file("new"), "-wake", file("wake.zst"), "-out", file("out.zst"),
			"-order", order}, inputs...)
		r := stagetest.MustRun(t, tool(), setup, "", args...)
		r.Wants(t, fmt.Sprint("in ", batches*urls), fmt.Sprint("reason waits ", batches*urls))
	})
}
