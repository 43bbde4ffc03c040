package peek

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"multitext/txlog"
)

// all searches without a limit.
func all() Search {
	return Search{Bytes: 1 << 40, Each: 1 << 40, Hits: 1 << 30, Per: 1 << 30, Until: time.Now().Add(time.Hour)}
}

func find(t *testing.T, root string, files []txlog.Name, text string, s Search) *Found {
	t.Helper()
	found, err := Find(context.Background(), root, files, text, s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFindIsThatOfAPlainSearch: in files with lines of all lengths, which are larger than the pieces
// that are read, the lines with the text are those that a plain search finds, each once.
func TestFindIsThatOfAPlainSearch(t *testing.T) {
	root, random := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		var b strings.Builder
		for b.Len() < 900<<10 {
			switch random.IntN(40) {
			case 0:
				b.WriteString(strings.Repeat("z", random.IntN(300<<10)))
			case 1, 2, 3, 4:
				b.WriteString("needle")
			}
			b.WriteString(strings.Repeat("n", random.IntN(900)))
			if random.IntN(3) == 0 {
				b.WriteString("\n")
			}
		}
		name := txlog.Name(fmt.Sprintf("q/m-%012d-00001.zst", i+1))
		write(t, filepath.Join(root, string(name)), string(zstded(b.String())))
		found := find(t, root, []txlog.Name{name}, "needle", all())
		var got, want []int
		for _, h := range found.Hits {
			got = append(got, h.Line)
			line := strings.Split(b.String(), "\n")[h.Line-1]
			if shown := h.Before + h.Text + h.After; !strings.Contains(line, shown) {
				t.Fatalf("file %d line %d: %q is not in %q", i, h.Line, shown, line)
			}
			at := strings.Index(line, "needle")
			if len(h.Before) != min(at, shownBefore) || len(h.After) != min(len(line)-at-len("needle"), shownAfter) {
				t.Fatalf("file %d line %d: %d and %d bytes are shown around byte %d of %d", i, h.Line, len(h.Before), len(h.After),
					at, len(line))
			}
		}
		for n, line := range strings.Split(b.String(), "\n") {
			if strings.Contains(line, "needle") {
				want = append(want, n+1)
			}
		}
		if !reflect.DeepEqual(got, want) || found.Bytes != int64(b.Len()) || found.Next != -1 {
			t.Errorf("file %d: %d hits in %d bytes, want %d in %d", i, len(got), found.Bytes, len(want), b.Len())
		}
	}
}

// TestFindIsBounded: each limit ends the search of a file or of all files, and the result says so.
func TestFindIsBounded(t *testing.T) {
	root := t.TempDir()
	var files []txlog.Name
	for i := range 5 {
		files = append(files, txlog.Name(fmt.Sprintf("q/m-%012d-00001.txt", i+1)))
		write(t, filepath.Join(root, string(files[i])), strings.Repeat("needle\n", 1000))
	}
	s := all()
	s.Per = 10
	if f := find(t, root, files, "needle", s); len(f.Hits) != 50 || len(f.Partial) != 5 || f.Next != -1 {
		t.Errorf("hits of a file: %d hits, %+v", len(f.Hits), f.Partial)
	}
	s.Hits = 25
	if f := find(t, root, files, "needle", s); len(f.Hits) != 30 || f.Next != 3 || f.Files != 3 {
		t.Errorf("hits: %d hits, next %d", len(f.Hits), f.Next)
	}
	s = all()
	s.Each = 700
	if f := find(t, root, files, "needle", s); len(f.Hits) != 500 || len(f.Partial) != 5 || f.Bytes != 3500 {
		t.Errorf("bytes of a file: %d hits, %d bytes", len(f.Hits), f.Bytes)
	}
	s.Bytes = 1000
	if f := find(t, root, files, "needle", s); len(f.Hits) != 200 || f.Next != 2 {
		t.Errorf("bytes: %d hits, next %d", len(f.Hits), f.Next)
	}
	s = all()
	s.Until = time.Now()
	if f := find(t, root, files, "needle", s); len(f.Hits) != 0 || f.Next != 1 || len(f.Partial) != 1 {
		t.Errorf("time: %+v", f)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ended, root, files, "needle", all()); err == nil {
		t.Error("nobody waits any more, and the search goes on")
	}
}

// TestFindOfBadFiles: what is gone is left out, what is damaged is named, the others are searched.
func TestFindOfBadFiles(t *testing.T) {
	root := newCrawl(t)
	if err := os.Symlink("../log", filepath.Join(root, "q/m-000000000003-00001.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "q/m-000000000004-00001.gz"), "\x1f\x8bnot gzip")
	files := []txlog.Name{"q/m-000000000004-00001.gz", "q/m-000000000003-00001.txt", "q/m-000000000002-00001.txt", "q/" + good}
	f := find(t, root, files, "content", all())
	if len(f.Hits) != 1 || f.Hits[0].Batch != "q/"+good || !reflect.DeepEqual(f.Damaged, files[:2]) || f.Files != 3 {
		t.Errorf("%+v", f)
	}
}
