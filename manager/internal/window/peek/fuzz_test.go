package peek

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"multitext/txlog"
)

// FuzzPeek: whatever is in a file, the excerpt keeps its bounds and a search ends.
func FuzzPeek(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\x00three"), "two", uint8(1))
	f.Add(gzipped("some words\nmore words\n"), `"some words" more`, uint8(2))
	f.Add(zstded("some words\nmore words\n"), "words", uint8(1))
	f.Add([]byte("\x28\xb5\x2f\xfd\xff\xff"), "x", uint8(9))
	root := f.TempDir()
	name := txlog.Name("q/" + good)
	if err := os.Mkdir(filepath.Join(root, "q"), 0o777); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, file []byte, query string, from uint8) {
		l := Limits{Bytes: 1 << 20, Until: time.Now().Add(time.Minute)}
		if x, err := Lines(bytes.NewReader(file), int(from), 5, l); err == nil {
			for _, line := range x.Lines {
				if len(line.Text) > width || line.N < int(from) || bytes.ContainsRune([]byte(line.Text), '\n') {
					t.Errorf("%d: %q", line.N, line.Text)
				}
			}
			if len(x.Lines) > 5 || x.Next != 0 && x.Next != max(int(from), 1)+5 || !utf8.ValidString(x.Stop+x.Dump) {
				t.Errorf("%+v", x)
			}
		}
		q := Parse(query)
		if len(q) == 0 {
			return
		}
		write(t, filepath.Join(root, string(name)), string(file))
		s := all()
		s.Each, s.Per = 1<<20, 3
		found, err := Find(t.Context(), root, []txlog.Name{name}, q, s)
		if err != nil || found.Files != 1 || found.Next != -1 || len(found.Hits) > 3 || len(found.Hits) > found.Lines {
			t.Errorf("%+v, %v", found, err)
		}
		for _, h := range found.Hits {
			if len(h.Before) > shownBefore || len(h.After) > shownAfter || h.Text != "" && h.Text != q[0] {
				t.Errorf("%+v", h)
			}
		}
	})
}
