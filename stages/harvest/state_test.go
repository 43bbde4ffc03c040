package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// golden is the curve of testdata/v1: 1,203 pages.
func golden() *curve {
	c := newCurve()
	for i := range 1203 {
		c.add(float64(i*i%7) / 8)
	}
	c.drawn, c.stagnant = 1201, true
	return c
}

// TestGolden: a segment of version 1 is read and written as ever.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "v1")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := golden().encode(); !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written today:\n%s", path, got)
	}
	c, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.pages != 1203 || c.drawn != 1201 || !c.stagnant || c.step != 4 || len(c.points) != 300 ||
		fmt.Sprintf("%.4f", c.mean(100)) != "0.2525" {
		t.Errorf("pages %d, drawn %d, stagnant %t, step %d, %d points, mean %v", c.pages, c.drawn, c.stagnant, c.step,
			len(c.points), c.mean(100))
	}
	if r := stagetest.Run(t, tool(), setup, "", "-verify", path); r.Code != stage.ExitDone {
		t.Errorf("-verify: exit code %d, %s", r.Code, r.Stderr)
	}
}

// TestDamage: a segment of which a byte is another, or that is cut, is refused.
func TestDamage(t *testing.T) {
	text := golden().encode()
	const every = 11 // a prime, to take less time
	for i := 0; i < len(text); i += every {
		bad := slices.Clone(text)
		bad[i] ^= 1 << (i % 7)
		if _, err := decode(bad); !errors.Is(err, errDamaged) {
			t.Fatalf("with another byte %d: %v", i, err)
		}
	}
	for i := 0; i < len(text); i += every {
		if _, err := decode(text[:i]); !errors.Is(err, errDamaged) {
			t.Fatalf("the first %d bytes: %v", i, err)
		}
	}
	path := filepath.Join(t.TempDir(), "cut")
	if err := os.WriteFile(path, text[:len(text)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-verify", path); r.Code != stage.ExitFailed {
		t.Errorf("-verify of a cut segment: exit code %d, %s", r.Code, r.Stderr)
	}
}

// signed appends the checksum of the lines of a segment.
func signed(text []byte) []byte {
	return fmt.Appendf(slices.Clip(text), "# xxh64 %016x\n", xxhash.Sum64(text))
}

// TestOutOfBounds: numbers that no curve has are refused, though the checksum is right.
func TestOutOfBounds(t *testing.T) {
	c := newCurve()
	for _, worth := range []float64{1, 0.5, 0.25} {
		c.add(worth)
	}
	text, _, _ := bytes.Cut(c.encode(), []byte("# xxh64"))
	if _, err := decode(signed(text)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{"pages 3", "pages 0"}, {"pages 3", "pages -3"}, {"pages 3", "pages 4"}, {"pages 3", "pages 2"},
		{"sum 1.75", "sum NaN"}, {"sum 1.75", "sum 3.5"}, {"sum 1.75", "sum -1"},
		{"step 1", "step 0"}, {"step 1", "step 3"}, {"step 1", "step 2"}, {"drawn 0", "drawn 4"}, {"drawn 0", "drawn -1"},
		{"last 1 ", "last 2 "}, {"last 1 ", "last NaN "}, {"last 1 ", "last -1 "}, {"last 1 ", "last "},
		{"\n3\t", "\n4\t"}, {"0.5833\n", "NaN\n"}, {"0.5833\n", "1.5000\n"}, {"0.5833\n", "0.5833\t1\n"},
	} {
		bad := bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(bad, text) {
			t.Fatalf("%q does not occur in\n%s", change[0], text)
		}
		if _, err := decode(signed(bad)); !errors.Is(err, errDamaged) {
			t.Errorf("%q for %q: %v", change[1], change[0], err)
		}
	}
	lines := bytes.SplitAfter(bytes.Replace(text, []byte("step 1"), []byte("step 3"), 1), []byte("\n"))
	if _, err := decode(signed(bytes.Join(slices.Delete(lines, 4, 6), nil))); !errors.Is(err, errDamaged) {
		t.Errorf("a step of 3, and the row of page 3 alone: %v", err)
	}
}

// FuzzDecode: what is taken, with a checksum that is right, has its values within their bounds and
// can be gone on with.
func FuzzDecode(f *testing.F) {
	short := newCurve()
	for i := range 12 {
		short.add(float64(i%3) / 2)
		text, _, _ := bytes.Cut(short.encode(), []byte("# xxh64"))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decode(signed(text))
		if err != nil {
			return
		}
		c.add(1)
		if now := c.now(); !(now.all >= 0 && now.all <= 1 && now.mean1000 >= 0 && now.mean1000 <= 1) {
			t.Errorf("the means are %+v", now)
		}
		if len(c.points) > most || !bytes.HasPrefix(c.encode(), []byte(format)) {
			t.Errorf("%d points", len(c.points))
		}
	})
}
