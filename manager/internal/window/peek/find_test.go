package peek

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"multitext/txlog"
)

// all searches without a limit.
func all() Search {
	return Search{Bytes: 1 << 40, Each: 1 << 40, Hits: 1 << 30, Per: 1 << 30, Until: time.Now().Add(time.Hour)}
}

func find(t *testing.T, root string, files []txlog.Name, text string, s Search) *Found {
	t.Helper()
	found, err := Find(context.Background(), root, files, Parse(text), s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFindIsThatOfAPlainSearch: in files with lines of all lengths, which are larger than the
// pieces that are read, the lines with all texts are those that a plain search finds, each once.
func TestFindIsThatOfAPlainSearch(t *testing.T) {
	root, random := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		var b strings.Builder
		for b.Len() < 900<<10 {
			switch random.IntN(60) {
			case 0:
				b.WriteString(strings.Repeat("z", random.IntN(300<<10)))
			case 1, 2, 3, 4:
				b.WriteString("needle")
			case 5, 6:
				b.WriteString("ééz thread")
			}
			b.WriteString(strings.Repeat([]string{"n", "é"}[random.IntN(2)], random.IntN(900)))
			if random.IntN(3) == 0 {
				b.WriteString("\n")
			}
		}
		// Texts lie across the ends of the first pieces, in a line that is longer than they are.
		text := strings.Repeat("n", pieceSize-random.IntN(9)) + "needle" + strings.Repeat("n", pieceSize-random.IntN(14)) +
			"thread" + b.String()
		name := txlog.Name(fmt.Sprintf("q/m-%012d-00001.zst", i+1))
		write(t, filepath.Join(root, string(name)), string(zstded(text)))
		for _, query := range []string{"needle", "thread needle", `needle "z thread"`} {
			compare(t, find(t, root, []txlog.Name{name}, query, all()), text, Parse(query))
		}
	}
}

// TestTheEndOfALongLineIsForgotten: a text that would begin in it does not end in the next line.
func TestTheEndOfALongLineIsForgotten(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "q", good), strings.Repeat("x", pieceSize-3)+"nee"+"x\ndle\n")
	if f := find(t, root, []txlog.Name{"q/" + good}, "needle", all()); len(f.Hits) != 0 {
		t.Errorf("%+v", f.Hits)
	}
}

// compare holds what was found in a text against a plain search.
func compare(t *testing.T, found *Found, text string, q Query) {
	t.Helper()
	lines := strings.Split(text, "\n")
	var got, want []int
	for _, h := range found.Hits {
		got = append(got, h.Line)
		line, shown := lines[h.Line-1], h.Before+h.Text+h.After
		if !strings.Contains(line, shown) || len(shown) > shownBefore+shownAfter+len(q[0]) || len(line) < pieceSize && !utf8.ValidString(shown) ||
			h.CutBefore == strings.HasPrefix(line, shown) || h.CutAfter == strings.HasSuffix(line, shown) ||
			len(line) < pieceSize && h.Text != q[0] {
			t.Fatalf("line %d: %+v is not right for %.1000q", h.Line, h, line)
		}
		// All that may be shown is shown, but for a part of a character.
		at := strings.Index(line, q[0])
		if len(line) < pieceSize && (len(h.Before) < min(at, shownBefore)-3 || len(h.After) < min(len(line)-at-len(q[0]), shownAfter)-3) {
			t.Fatalf("line %d: %d and %d bytes are shown around byte %d of %d", h.Line, len(h.Before), len(h.After), at, len(line))
		}
	}
	for n, line := range lines {
		if !slices.ContainsFunc(q, func(text string) bool { return !strings.Contains(line, text) }) {
			want = append(want, n+1)
		}
	}
	if !slices.Equal(got, want) || found.Bytes != int64(len(text)) || found.Next != -1 ||
		len(want) > 0 && !slices.Equal(found.Tallies, []Tally{{"q", 1, len(want)}}) {
		t.Errorf("%q: %d hits in %d bytes, want %d in %d; %v", q, len(got), found.Bytes, len(want), len(text), found.Tallies)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Query{
		"":                     nil,
		" \t ":                 nil,
		"http://a.test/?x=1":   {"http://a.test/?x=1"},
		`  robots   a.test `:   {"robots", "a.test"},
		`"two words" "x"y one`: {"two words", "x", "y", "one"},
		`a"b "`:                {`a"b`, `"`},
		`""`:                   {`""`},
		`"open end`:            {`"open`, "end"},
	} {
		if got := Parse(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
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
	if f := find(t, root, files, "needle", s); len(f.Hits) != 50 || f.Partial != nil || f.Next != -1 || f.Tallies[0].Lines != 5000 ||
		f.Tallies[0].Files != 5 {
		t.Errorf("hits of a file: %d hits, %+v, %+v", len(f.Hits), f.Partial, f.Tallies)
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
	if _, err := Find(ended, root, files, Query{"needle"}, all()); err == nil {
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

// TestTimeEndsCompressedNothing: a compressed file can be long and contain nothing at all. The time
// ends it, too.
func TestTimeEndsCompressedNothing(t *testing.T) {
	empty := &endless{text: "\x50\x2a\x4d\x18\x04\x00\x00\x00\x00\x00\x00\x00"} // a frame of zstd that is skipped
	first := io.MultiReader(strings.NewReader(string(zstded(""))), io.LimitReader(empty, 1<<27))
	l := limits()
	l.Until = time.Now().Add(50 * time.Millisecond)
	b, err := newBounded(first, l)
	if err != nil {
		t.Fatal(err)
	}
	defer b.done()
	if n, err := io.Copy(io.Discard, b); n != 0 || !errors.Is(err, errLate) || empty.read > 100<<20 {
		t.Errorf("%d bytes of %d, %v", n, empty.read, err)
	}
}

// TestFindGoesOnWithAFileThatTookTooLong: what was found in a part of it does not count, so that no
// line is shown twice. Only the first file of a search is left with a part.
func TestFindGoesOnWithAFileThatTookTooLong(t *testing.T) {
	root := t.TempDir()
	files := []txlog.Name{"q/m-000000000001-00001.txt", "q/m-000000000002-00001.zst"}
	write(t, filepath.Join(root, string(files[0])), "needle\n")
	write(t, filepath.Join(root, string(files[1])), string(zstded("needle\n"))+strings.Repeat(string(zstded(strings.Repeat("x", 64<<20))), 512))
	s := all()
	s.Until = time.Now().Add(300 * time.Millisecond)
	if f := find(t, root, files, "needle", s); f.Next != 1 || len(f.Hits) != 1 || f.Files != 1 || f.Partial != nil || f.Tallies[0].Lines != 1 {
		t.Errorf("%d hits, next %d, %d files, %v, %v", len(f.Hits), f.Next, f.Files, f.Partial, f.Tallies)
	}
	s.Until = time.Now().Add(300 * time.Millisecond)
	if f := find(t, root, files[1:], "needle", s); f.Next != -1 || len(f.Hits) != 1 || f.Files != 1 || len(f.Partial) != 1 {
		t.Errorf("%d hits, next %d, %d files, %v", len(f.Hits), f.Next, f.Files, f.Partial)
	}
}
