package cdxj

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func sample() []Line {
	date := time.Date(2026, 11, 21, 19, 7, 47, 0, time.UTC)
	return []Line{
		{Key: "org,example)/", Date: date, URL: "http://example.org/", Mime: "text/html", Status: "200",
			Digest: "Z545MWLQB777WZCHXOPYN6TJRUH6AFZL", Length: 5967, Offset: 344,
			Filename: "m-000000000049-00001.warc.gz"},
		{Key: "org,example)/", Date: date.Add(time.Hour), URL: "http://example.org/", Mime: "warc/revisit",
			Status: "304",
			Length: 512, Offset: 0, Filename: `odd "name" \ é 😀.warc.gz`},
		{Key: "org,example)/raw", Date: date, URL: "http://example.org/raw", Length: 1, Offset: -1},
		{Key: "org,example)/z", Date: date, Length: -1, Offset: -1},
	}
}

// TestGolden holds the format: the file is kept for ever.
func TestGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/v1.cdxj")
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for _, l := range sample() {
		got = l.Append(got)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("written:\n%s\nkept:\n%s", got, want)
	}
	r := NewReader("golden", bytes.NewReader(want))
	for _, l := range sample() {
		text, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Parse(text); err != nil || back != l {
			t.Errorf("%+v, %v; want %+v", back, err, l)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestBadLines(t *testing.T) {
	for _, text := range []string{
		"", "key", "key 20261121190747", "key 2026 {}", " 20261121190747 {}", "key 20261121190747 []",
		"key 20261121190747 {\"url\":\"\xff\"}", "key 20261121190747 {\"url\":1}", "key 20261121190747 {",
		"key 20261121190799 {}", `key 20261121190747 {"offset":"-1"}`, `key 20261121190747 {"length":"9e9"}`,
		"key 20261121190747 {" + strings.Repeat(" ", MaxLine) + "}",
	} {
		if l, err := Parse([]byte(text)); err == nil {
			t.Errorf("Parse(%.80q) = %+v", text, l)
		}
	}
}

func TestReaderHoldsOrder(t *testing.T) {
	const a, b = "a)/ 20261121190747 {}\n", "b)/ 20261121190747 {}\n"
	for text, want := range map[string]string{
		a + b:              "EOF",
		a + a + b:          "EOF",
		a + "b)/ 2":        "x:2: no line of an index",
		b + a:              "x:2: it should stand in front",
		a + "\n":           "x:2: no line",
		a + a + b[:21]:     "EOF",
		a + "\x1b[2J\n":    "x:2: no line",
		"k " + long + "\n": "x:1: a line of more than 64 KiB",
	} {
		r := NewReader("x", strings.NewReader(text))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

var long = strings.Repeat("x", 2*MaxLine)

// index makes an index of n keys, key i having i%3 lines.
func index(n int) []byte {
	var lines []string
	for i := range n {
		for j := range i % 3 {
			l := Line{Key: fmt.Sprintf("test,h%04d)/", i), Date: time.Unix(int64(j), 0),
				URL: strings.Repeat("u", i%700), Length: int64(i)}
			lines = append(lines, string(l.Append(nil)))
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// TestFind looks up every key of an index that is many times longer than a line, and some that are
// not there.
func TestFind(t *testing.T) {
	const n = 3000
	text := index(n)
	for i := range n {
		key, seen := fmt.Sprintf("test,h%04d)/", i), 0
		err := Find(bytes.NewReader(text), int64(len(text)), key, func(l Line) error {
			if l.Key != key || l.Length != int64(i) || l.Date.Unix() != int64(seen) {
				t.Errorf("key %s: %+v", key, l)
			}
			seen++
			return nil
		})
		if err != nil || seen != i%3 {
			t.Fatalf("key %s: %d lines, %v; want %d", key, seen, err, i%3)
		}
	}
	for _, key := range []string{"", "a", "test,h0001)", "test,h0001)/x", "z"} {
		err := Find(bytes.NewReader(text), int64(len(text)), key,
			func(l Line) error { return fmt.Errorf("found %+v", l) })
		if err != nil {
			t.Errorf("key %q: %v", key, err)
		}
	}
	if err := Find(bytes.NewReader(nil), 0, "a", nil); err != nil {
		t.Errorf("an empty index: %v", err)
	}
	if err := Find(strings.NewReader(long), int64(len(long)), "a", nil); !errors.Is(err, errLong) {
		t.Errorf("an index of one endless line: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, l := range sample() {
		f.Add(l.Append(nil))
	}
	f.Add([]byte(`a 20261121190747 {"url":"\ud800","url":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Parse(text)
		if err != nil {
			return
		}
		back := l.Append(nil)
		if again, err := Parse(back[:len(back)-1]); err != nil && len(back) <= MaxLine || err == nil && again != l {
			t.Errorf("%q is %+v, written %q, which is %+v, %v", text, l, back, again, err)
		}
	})
}

// countingReader counts the reads of an index.
type countingReader struct {
	io.ReaderAt
	reads int
}

func (r *countingReader) ReadAt(b []byte, at int64) (int, error) {
	r.reads++
	return r.ReaderAt.ReadAt(b, at)
}

// TestFindReadsLittle: of a long index some pieces are read, wherever the key is.
func TestFindReadsLittle(t *testing.T) {
	text := bytes.Repeat([]byte("n"+strings.Repeat("x", 99)+"\n"), 200_000) // 20 MB, and no line is looked into
	text = append(append([]byte("a 20261121190747 {}\n"), text...), "z 20261121190747 {}\n"...)
	for _, key := range []string{"a", "b", "y", "z"} {
		r := &countingReader{ReaderAt: bytes.NewReader(text)}
		if err := Find(r, int64(len(text)), key, func(Line) error { return nil }); err != nil || r.reads > 60 {
			t.Errorf("key %s: %d reads, %v", key, r.reads, err)
		}
	}
}

// FuzzFind searches what is no index; it must come to an end, and give no line of another key.
func FuzzFind(f *testing.F) {
	f.Add(index(40), "test,h0008)/")
	f.Add(index(40), "test,h0008)/ 19700101000000")
	f.Add([]byte(long+"\na 20261121190747 {}\n"+long), "a")
	f.Fuzz(func(t *testing.T, text []byte, key string) {
		Find(bytes.NewReader(text), int64(len(text)), key, func(l Line) error {
			if l.Key != key {
				t.Errorf("key %q: %+v", key, l)
			}
			return nil
		})
	})
}

func BenchmarkFind(b *testing.B) {
	text := index(9000)
	b.Logf("an index of %d bytes", len(text))
	for b.Loop() {
		key := fmt.Sprintf("test,h%04d)/", rand.IntN(9000))
		if err := Find(bytes.NewReader(text), int64(len(text)), key, func(Line) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	l, buf := sample()[0], []byte(nil)
	for b.Loop() {
		buf = l.Append(buf[:0])
	}
}
