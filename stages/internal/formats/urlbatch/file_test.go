package urlbatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// readAll returns the lines of the records of the batch at path, and "!" for each bad line.
func readAll(t testing.TB, path string) []string {
	t.Helper()
	r, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var lines []string
	for {
		rec, err := r.Next()
		var bad *LineError
		switch {
		case err == io.EOF:
			return lines
		case errors.As(err, &bad):
			lines = append(lines, "!")
		case err != nil:
			t.Fatal(err)
		default:
			lines = append(lines, string(rec.Line()))
		}
	}
}

func TestGolden(t *testing.T) {
	want := []string{"http://a.example/", "http://b.example/?q=%C3%BC\tdepth=2\tvia=http://a.example/\tx9=1", "!",
		"http://c.example/"}
	for _, name := range []string{"batch.zst", "batch.gz", "batch.txt", "two-frames.zst"} {
		got := readAll(t, filepath.Join("testdata", "v1", name))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, ext := range []string{".zst", ".gz", ".txt"} {
		first := filepath.Join(t.TempDir(), "out"+ext)
		rep := report.New()
		w := NewWriter(output.NewRun(io.Discard), first, rep.Out)
		var want [2][]string
		for i := range 2000 {
			if i == 1500 {
				if err := w.Cut(); err != nil {
					t.Fatal(err)
				}
			}
			r := New(fmt.Sprint("http://host/", i))
			r.SetInt(Depth, int64(i%7))
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
			want[i/1500] = append(want[i/1500], string(r.Line()))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for n := range want {
			if got := readAll(t, output.PartName(first, n+1)); !slices.Equal(got, want[n]) {
				t.Errorf("%s: part %d differs", ext, n+1)
			}
		}
		rep.In(2000)
		if _, err := rep.Summary(); err != nil {
			t.Error(err)
		}
	}
}

// TestWindow holds that who reads a batch need not keep more of it than the writer says; a Reader
// takes eight MiB.
func TestWindow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.zst")
	w := NewWriter(output.NewRun(io.Discard), path, nil)
	for i := range 10_000 { // more than one block
		if err := w.Write(New(fmt.Sprint("http://host.example/", i*i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var head zstd.Header
	if err := head.Decode(data); err != nil || head.WindowSize == 0 || head.WindowSize > 1<<20 {
		t.Errorf("a window of %d bytes, %v", head.WindowSize, err)
	}
}

func TestNoRecordNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.zst")
	w := NewWriter(output.NewRun(io.Discard), path, func(string, int64, int64, uint64) { t.Error("reported") })
	if err := errors.Join(w.Cut(), w.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an output without a record was created")
	}
}

// TestGrownRecord: a record read at the bound must not stop the stage that adds to it.
func TestGrownRecord(t *testing.T) {
	long := "u\tanchor=" + strings.Repeat("a", 100) + "\tvia=" + strings.Repeat("v", MaxLine-113) + "\tx=1"
	r, err := Parse([]byte(long[:MaxLine]))
	if err != nil {
		t.Fatal(err)
	}
	r.Set(Reason, "much")
	path := filepath.Join(t.TempDir(), "out")
	w := NewWriter(output.NewRun(io.Discard), path, nil)
	if err := errors.Join(w.Write(r), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, path); len(got) != 1 || !strings.HasPrefix(got[0], "u\tanchor=aa") ||
		!strings.HasSuffix(got[0], "a\treason=much") {
		t.Errorf("written: %.200q", got)
	}
	if err := w.Write(New(strings.Repeat("u", MaxLine+1))); err == nil {
		t.Error("a URL longer than a line was written")
	}
}

func TestPlainText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.txt")
	os.WriteFile(path, []byte("\xef\xbb\xbf# seeds\r\n\r\n  http://a/ü \r\n\thttp://tab/\nhttp://b/\tdepth=1\n#end"),
		0o666)
	want := []string{"http://a/%C3%BC", "!", "http://b/\tdepth=1"}
	if got := readAll(t, path); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	long := strings.Repeat("u", MaxLine)
	os.WriteFile(path, []byte(long+"\n"+long+"u\na\n"+strings.Repeat(long, 5)+"\nb\n"+long+"u"), 0o666)
	if got := readAll(t, path); !slices.Equal(got, []string{long, "!", "a", "!", "b", "!"}) {
		t.Errorf("%d lines: %.3q", len(got), got)
	}
}

func TestDamagedFiles(t *testing.T) {
	for _, name := range []string{"batch.zst", "batch.gz"} {
		data, err := os.ReadFile(filepath.Join("testdata", "v1", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		os.WriteFile(path, data[:len(data)-6], 0o666)
		nothing := func(*Record) error { return nil }
		err = Each(t.Context(), []string{path}, nil, report.New(), nothing, nothing)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s cut short: %v", name, err)
		}
	}
}

// TestCloneOutlivesNext: the reader uses the bytes of a record again.
func TestCloneOutlivesNext(t *testing.T) {
	r, err := NewReader("test", strings.NewReader(strings.Repeat("http://a/\n", MaxLine)+strings.Repeat("http://b/\n",
		MaxLine)))
	if err != nil {
		t.Fatal(err)
	}
	rec, _ := r.Next()
	clone := rec.Clone()
	for err == nil {
		_, err = r.Next()
	}
	if clone.URL() != "http://a/" {
		t.Errorf("the clone became %q", clone.URL())
	}
}

func TestEach(t *testing.T) {
	dir := t.TempDir()
	one, empty := filepath.Join(dir, "one"), filepath.Join(dir, "empty")
	os.WriteFile(one, []byte("u1\nbad line\nu2\n"), 0o666)
	os.WriteFile(empty, nil, 0o666)
	var got []string
	do := func(r *Record) error { got = append(got, string(r.Line())); return nil }
	rep := report.New()
	if err := Each(t.Context(), []string{one, empty, "-"}, strings.NewReader("u3\n"), rep, do, do); err != nil {
		t.Fatal(err)
	}
	if want := []string{"u1", "bad-line:bad%20line\treason=bad-line", "u2", "u3"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	rep.Reason("all", 4)
	if _, err := rep.Summary(); err != nil {
		t.Error(err)
	}

	rep = report.New()
	Each(t.Context(), []string{one}, nil, rep, nil, func(*Record) error { return nil })
	rep.Reason("good", 2)
	if _, err := rep.Summary(); err != nil {
		t.Errorf("without a bad output: %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	err := Each(ctx, []string{one}, nil, report.New(), nil, func(*Record) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("told to stop, Each returned %v", err)
	}
}

func TestRejectIsARecord(t *testing.T) {
	for _, line := range []string{"", "#x", "\x1b]0;title\a", strings.Repeat("\x00", MaxLine+2)} {
		r, err := NewReader("test", io.MultiReader(bytes.NewReader([]byte("u\n"+line+"\n"))))
		if err != nil {
			t.Fatal(err)
		}
		r.plain = false // as in a compressed batch: every line counts
		r.Next()
		_, err = r.Next()
		var bad *LineError
		if !errors.As(err, &bad) || bad.Line != 2 {
			t.Fatalf("%.20q: %v", line, err)
		}
		if rec, err := Parse(rejected(bad).Line()); err != nil || !strings.HasPrefix(rec.URL(), "bad-line:") {
			t.Errorf("%.20q: rejected as %.40q, %v", line, rejected(bad).Line(), err)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"batch.zst", "batch.gz", "batch.txt", "two-frames.zst"} {
		data, err := os.ReadFile(filepath.Join("testdata", "v1", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader("fuzz", bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		for range 10_000 {
			rec, err := r.Next()
			var bad *LineError
			if err == nil {
				if _, err := Parse(rec.Line()); err != nil {
					t.Fatalf("the reader gave %q: %v", rec.Line(), err)
				}
			} else if !errors.As(err, &bad) {
				return
			}
		}
	})
}
