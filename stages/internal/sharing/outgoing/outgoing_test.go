package outgoing

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/testkit/stagetest"
)

func writers(t *testing.T, first string, rep *report.Report) *Writers[*urlbatch.Writer] {
	t.Helper()
	return New(output.NewRun(io.Discard), first, URLs, func(parts *output.Parts) *urlbatch.Writer {
		return urlbatch.NewPartsWriter(parts, rep.Out)
	})
}

func write(t *testing.T, ws *Writers[*urlbatch.Writer], node, url string) {
	t.Helper()
	w, err := ws.To(&nodes.Node{Name: node})
	if err == nil {
		err = w.Write(urlbatch.New(url))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// list returns the files below dir, and checks the hash in the name of each.
func list(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := ParseName(filepath.Base(path)); !ok || n.Sum != xxhash.Sum64(data) || n.Tx != 7 || n.Ext != URLs {
			t.Errorf("%s: %+v, %v; its hash is %x", path, n, ok, xxhash.Sum64(data))
		}
	}
	return paths
}

func TestWriters(t *testing.T) {
	dir, rep := t.TempDir(), report.New()
	ws := writers(t, filepath.Join(dir, "m-000000000007-00001.zst"), rep)
	for i := range 10 {
		write(t, ws, []string{"arts", "world"}[i%2], fmt.Sprintf("http://a/%d", i))
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	paths := list(t, dir)
	if len(paths) != 2 {
		t.Fatalf("files: %q", paths)
	}
	if got := stagetest.Lines(t, paths[1]); !slices.Equal(got,
		[]string{"http://a/1", "http://a/3", "http://a/5", "http://a/7", "http://a/9"}) {
		t.Errorf("%s holds %q", paths[1], got)
	}
	rep.In(10)
	if _, err := rep.Summary(); err != nil {
		t.Error(err)
	}
}

// TestManyNodes holds that at most 64 parts of URLs are open, and that no record is lost by that.
func TestManyNodes(t *testing.T) {
	dir, rep := t.TempDir(), report.New()
	ws := writers(t, filepath.Join(dir, "m-000000000007-00001.zst"), rep)
	const count = 70
	for round := range 2 {
		for i := range count {
			write(t, ws, fmt.Sprintf("n%02d", i), fmt.Sprintf("http://a/%d/%d", round, i))
			open, err := filepath.Glob(filepath.Join(dir, "*", ".*"))
			if err != nil || len(open) > maxOpenURLs {
				t.Fatalf("%d parts are open, %v", len(open), err)
			}
		}
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, path := range list(t, dir) {
		lines = append(lines, stagetest.Lines(t, path)...)
	}
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) != 2*count {
		t.Errorf("%d lines", len(lines))
	}
	rep.In(2 * count)
	if _, err := rep.Summary(); err != nil {
		t.Error(err)
	}
}

// TestManyNodesPages holds that each of up to 512 nodes has one part of pages, which come in any
// order.
func TestManyNodesPages(t *testing.T) {
	ws := New(output.NewRun(io.Discard), filepath.Join(t.TempDir(), "m"), Pages,
		func(*output.Parts) *counter { return new(counter) })
	write := func(count int) (cuts int) {
		for i := range 2 * count {
			if _, err := ws.To(&nodes.Node{Name: fmt.Sprint("n", i%count)}); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range ws.byName {
			cuts += w.w.cuts
		}
		return cuts
	}
	if cuts := write(maxOpenPages); cuts != 0 {
		t.Errorf("%d parts were closed early", cuts)
	}
	if cuts := write(maxOpenPages + 1); cuts < maxOpenPages || len(ws.open) > maxOpenPages {
		t.Errorf("%d parts were closed, %d are open", cuts, len(ws.open))
	}
}

// counter counts its cuts.
type counter struct{ cuts int }

func (c *counter) Cut() error { c.cuts++; return nil }

func TestParseName(t *testing.T) {
	n, ok := ParseName("00000000deadbeef-000000000012-00003.warc.gz")
	if want := (Name{0xdeadbeef, 12, 3, Pages}); !ok || n != want {
		t.Errorf("%+v, %v", n, ok)
	}
	for _, name := range []string{"", ".", "..", ".00000000deadbeef-000000000012-00003.zst",
		"00000000deadbeef-000000000012-00003.zst\n",
		"00000000DEADBEEF-000000000012-00003.zst", "00000000deadbeef-000000000012-00003.seg",
		"x/00000000deadbeef-000000000012-00003.zst",
		"00000000deadbeef-000000000012-00003.zst.tmp", "m-000000000012-00003.zst", "00000000deadbeef-12-3.zst"} {
		if n, ok := ParseName(name); ok {
			t.Errorf("ParseName(%q) = %+v", name, n)
		}
	}
}

// FuzzParseName holds that a name that passes is written in one way only, and is no path.
func FuzzParseName(f *testing.F) {
	f.Add("00000000deadbeef-000000000012-00003.warc.gz")
	f.Add("../00000000deadbeef-000000000012-00003.zst")
	f.Fuzz(func(t *testing.T, name string) {
		n, ok := ParseName(name)
		if ok && (name != fmt.Sprintf("%016x-%012d-%05d.%s", n.Sum, n.Tx, n.Part, n.Ext) ||
			strings.ContainsAny(name, "/\x00")) {
			t.Errorf("%q is %+v", name, n)
		}
	})
}
