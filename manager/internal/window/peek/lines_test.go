package peek

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// limits that a test does not reach.
func limits() Limits { return Limits{Bytes: 1 << 40, Until: time.Now().Add(time.Hour)} }

func gzipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func zstded(text string) []byte {
	z, _ := zstd.NewWriter(nil)
	return z.EncodeAll([]byte(text), nil)
}

func TestLines(t *testing.T) {
	text := ""
	for n := range 10 {
		text += fmt.Sprintf("line %d\n", n+1)
	}
	for name, file := range map[string][]byte{"plain": []byte(text), "gzip": gzipped(text), "zstd": zstded(text),
		"two members": append(gzipped(text[:10]), gzipped(text[10:])...), "no end": []byte(text[:len(text)-1]),
		"line ends of Windows": []byte(strings.ReplaceAll(text, "\n", "\r\n"))} {
		for _, c := range []struct{ from, n, first, lines, next int }{{1, 3, 1, 3, 4}, {4, 3, 4, 3, 7}, {9, 3, 9, 2, 0},
			{1, 10, 1, 10, 0}, {11, 3, 0, 0, 0}, {8, 3, 8, 3, 0}} {
			x, err := Lines(bytes.NewReader(file), c.from, c.n, limits())
			if err != nil {
				t.Fatal(err)
			}
			if len(x.Lines) != c.lines || x.Next != c.next || x.Stop != "" {
				t.Errorf("%s: %+v yields %+v", name, c, x)
			}
			for i, l := range x.Lines {
				if l.N != c.first+i || l.Text != fmt.Sprint("line ", l.N) || l.Cut {
					t.Errorf("%s: %+v yields %+v", name, c, l)
				}
			}
		}
	}
}

// An endless reader repeats a text. read counts what was taken from it.
type endless struct {
	text string
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+int64(i))%int64(len(e.text))]
	}
	e.read += int64(len(p))
	return len(p), nil
}

// TestLinesAreBounded: lines and files without an end, and a file that unpacks to a gigabyte.
func TestLinesAreBounded(t *testing.T) {
	long := &endless{text: "x"}
	l := limits()
	l.Bytes = 10 << 20
	x, err := Lines(long, 1, 5, l)
	if err != nil || len(x.Lines) != 1 || len(x.Lines[0].Text) != width || !x.Lines[0].Cut || x.Stop == "" || long.read > 11<<20 {
		t.Errorf("a line without an end: %d lines, stop %q, read %d, %v", len(x.Lines), x.Stop, long.read, err)
	}
	many := &endless{text: "x\n"}
	if x, err = Lines(many, 1e9, 5, l); err != nil || len(x.Lines) != 0 || x.Stop == "" || many.read > 11<<20 {
		t.Errorf("lines without an end: %+v, read %d, %v", x, many.read, err)
	}
	var bomb bytes.Buffer
	z, _ := zstd.NewWriter(&bomb)
	for range 1 << 10 {
		z.Write(bytes.Repeat([]byte("y"), 1<<20))
	}
	z.Close()
	if x, err = Lines(&bomb, 2, 5, l); err != nil || len(x.Lines) != 0 || x.Stop != "Reading stopped after 10.5 MB." {
		t.Errorf("a file that unpacks to a gigabyte: %+v, %v", x, err)
	}
	l.Until = time.Now()
	if x, err = Lines(&endless{text: "x\n"}, 1, 5, l); err != nil || len(x.Lines) != 0 || x.Stop == "" {
		t.Errorf("no time: %+v, %v", x, err)
	}
}

func TestLinesOfBadFiles(t *testing.T) {
	x, err := Lines(strings.NewReader("\x00\x01binary"), 1, 5, limits())
	if err != nil || !strings.Contains(x.Dump, "00 01 62") || len(x.Lines) != 0 {
		t.Errorf("binary: %+v, %v", x, err)
	}
	if x, err = Lines(strings.NewReader("caf\xe9 and more words in Latin-1\n"), 1, 5, limits()); err != nil || len(x.Lines) != 1 || x.Dump != "" {
		t.Errorf("some bytes that are no UTF-8: %+v, %v", x, err)
	}
	if x, err = Lines(strings.NewReader(""), 1, 5, limits()); err != nil || len(x.Lines) != 0 || x.Stop != "" {
		t.Errorf("empty: %+v, %v", x, err)
	}
	torn := gzipped(strings.Repeat("some lines\n", 1000) + "end")
	if x, err = Lines(bytes.NewReader(torn[:len(torn)-9]), 990, 50, limits()); err != nil || !strings.Contains(x.Stop, "cannot be read") {
		t.Errorf("torn: %+v, %v", x, err)
	}
	if x, err = Lines(bytes.NewReader([]byte("\x1f\x8bnot gzip")), 1, 5, limits()); err == nil {
		t.Errorf("no gzip: %+v", x)
	}
	cut := strings.Repeat("é", width)
	if x, _ = Lines(strings.NewReader("x"+cut), 1, 1, limits()); strings.ContainsRune(x.Lines[0].Text, '\ufffd') || !x.Lines[0].Cut ||
		!strings.HasPrefix("x"+cut, x.Lines[0].Text) {
		t.Errorf("a character was cut: %q", x.Lines[0].Text[width-10:])
	}
}

// TestFilesThatRequireMuchMemoryAreRefused: a frame of zstd says how much of what it wrote it
// needs.
func TestFilesThatRequireMuchMemoryAreRefused(t *testing.T) {
	for size, want := range map[int]bool{8 << 20: true, maxWindow: true, 2 * maxWindow: false} {
		var file bytes.Buffer
		z, err := zstd.NewWriter(&file, zstd.WithWindowSize(size))
		if err != nil {
			t.Fatal(err)
		}
		for range 1 << 10 {
			io.WriteString(z, strings.Repeat("some words\n", 1000))
		}
		z.Close()
		in, done, err := Reader(&file, limits())
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.Copy(io.Discard, in); (err == nil) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
		done()
	}
}
