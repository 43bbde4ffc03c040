package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

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

// FuzzDecode: what is taken has its values within their bounds, and can be gone on with.
func FuzzDecode(f *testing.F) {
	f.Add(golden().encode())
	short := newCurve()
	short.add(0.5)
	f.Add(short.encode())
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decode(text)
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
