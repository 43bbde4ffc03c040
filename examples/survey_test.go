package examples

import (
	"bufio"
	"bytes"
	"fmt"
	"math/bits"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"multitext/examples/internal/warcs"
)

// surveyed holds the newest tables of survey against the archive, read by the standard library
// alone.
func (b *bench) surveyed() {
	b.t.Helper()
	files, err := filepath.Glob(b.path("crawl/tables/*.tsv"))
	if err != nil || len(files) == 0 {
		b.t.Fatalf("survey has left no tables: %v", err)
	}
	slices.Sort(files)
	got := map[string]string{}
	for line := range strings.Lines(b.read(strings.TrimPrefix(files[len(files)-1], b.path("")+"/"))) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch f[0] {
		case "status", "size", "outcome", "depth":
			got[f[0]+" "+f[1]] = f[2]
		case "hosts":
			got["host "+f[1]] = f[6] + " answers, " + f[7] + " bytes, " + f[2] + " waiting"
		case "waiting":
			b.t.Errorf("at the end something waits: %s", line)
		}
	}
	for name, want := range b.archived() {
		if got[name] != fmt.Sprint(want) {
			b.t.Errorf("survey says %s: %q, the archive has %v", name, got[name], want)
		}
	}
	pages, err := filepath.Glob(b.path("crawl/survey/*.html"))
	if err != nil || len(pages) != len(files) {
		b.t.Errorf("%d pages and %d tables: %v", len(pages), len(files), err)
	}
}

// archived counts the answers of the archive as survey does.
func (b *bench) archived() map[string]any {
	counts, hosts := map[string]int{}, map[string][2]int{}
	files, err := filepath.Glob(b.path("crawl/archive/*"))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, file := range files {
		err := warcs.ReadFile(file, func(r *warcs.Record) error {
			kind := r.Header.Get("Warc-Type")
			if kind != "response" && kind != "revisit" {
				return nil
			}
			at, err := url.Parse(r.Header.Get("Warc-Target-Uri"))
			if err != nil {
				return err
			}
			answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(r.Block)), nil)
			if err != nil {
				return err
			}
			counts[fmt.Sprint("status ", answer.StatusCode)]++
			counts["outcome "+map[string]string{"response": "new", "revisit": "duplicate"}[kind]]++
			counts["size "+sizeBelow(len(r.Block))]++
			for field := range strings.FieldsSeq(r.Header.Get("Multitext-Attributes")) {
				if depth, ok := strings.CutPrefix(field, "depth="); ok {
					counts["depth "+depth]++
				}
			}
			h := hosts[at.Host]
			hosts[at.Host] = [2]int{h[0] + 1, h[1] + len(r.Block)}
			return nil
		})
		if err != nil {
			b.t.Fatalf("%s: %v", file, err)
		}
	}
	out := map[string]any{}
	for name, n := range counts {
		out[name] = n
	}
	for name, h := range hosts {
		out["host "+name] = fmt.Sprintf("%d answers, %d bytes, 0 waiting", h[0], h[1])
	}
	if len(out) < 25 {
		b.t.Errorf("the archive has only %d figures to compare: %v", len(out), out)
	}
	return out
}

// sizeBelow is the name that survey gives to answers of so many bytes.
func sizeBelow(size int) string {
	bit := bits.Len(uint(size))
	for _, u := range []struct {
		bits int
		name string
	}{{20, "MiB"}, {10, "KiB"}} {
		if bit >= u.bits {
			return fmt.Sprintf("below %d %s", 1<<(bit-u.bits), u.name)
		}
	}
	return fmt.Sprintf("below %d B", 1<<bit)
}
