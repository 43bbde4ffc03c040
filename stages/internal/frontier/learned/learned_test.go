package learned

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
)

func parse1(t testing.TB, line string) *urlbatch.Record {
	t.Helper()
	rec, err := urlbatch.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// ranked is how often, of pairs of a wanted record and another, the wanted one is expected to be
// worth more (the area under the ROC curve).
func ranked(t *testing.T, m *Model, lines []string, wanted map[string]bool) float64 {
	t.Helper()
	var good, bad []float64
	for _, line := range lines {
		if z := m.Predict(parse1(t, line)); wanted[line] {
			good = append(good, z)
		} else {
			bad = append(bad, z)
		}
	}
	n := 0.0
	for _, g := range good {
		for _, b := range bad {
			switch {
			case g > b:
				n++
			case g == b:
				n += 0.5
			}
		}
	}
	return n / float64(len(good)*len(bad))
}

// TestLearns: each kind of feature is learned from records of other URLs; where the worth is by
// lot, the odds stay about even.
func TestLearns(t *testing.T) {
	for feature, lines := range map[string][2]string{ // a wanted record, and one that is not, but for a number
		"word":   {"http://a%d.test/law/%d", "http://a%d.test/sport/%d"},
		"query":  {"http://a%d.test/?topic=law&id=%d", "http://a%d.test/?topic=sport&id=%d"},
		"host":   {"http://law.test/%d/%d", "http://sport.test/%d/%d"},
		"folder": {"http://a.test/x/y/%d.%d", "http://a.test/y/x/%d.%d"},
		"anchor": {"http://a%d.test/%d\tanchor=the%%20Law", "http://a%d.test/%d\tanchor=sport"},
		"via":    {"http://a%d.test/%d\tvia=http://b.test/law/1", "http://a%d.test/%d\tvia=http://b.test/sport/1"},
		"own":    {"http://a.test/%d\tvia=http://a.test/%d/1", "http://a.test/%d\tvia=http://b.test/%d/1"},
		"depth":  {"http://a%d.test/%d\tdepth=2", "http://a%d.test/%d\tdepth=3"},
		"parent": {"http://a%d.test/%d\tparent=0.9", "http://a%d.test/%d\tparent=0.2"},
	} {
		for _, byLot := range []bool{false, true} {
			random, m := rand.New(rand.NewPCG(1, 2)), New(nil)
			wanted := map[string]bool{}
			draw := func() string {
				of := random.IntN(2)
				line := fmt.Sprintf(lines[of], random.IntN(1e9), random.IntN(1e9))
				wanted[line] = of == 0
				return line
			}
			for range 400 {
				line, worth := draw(), 0.0
				if wanted[line] != (byLot && random.IntN(2) == 0) {
					worth = 1
				}
				m.Learn(parse1(t, line), worth)
			}
			var others []string
			for range 200 {
				others = append(others, draw())
			}
			if byLot {
				for _, line := range others {
					if z := m.Predict(parse1(t, line)); math.Abs(z) > 2.5 {
						t.Errorf("%s by lot: %q has log-odds of %.2f", feature, line, z)
					}
				}
			} else if area := ranked(t, m, others, wanted); area < 0.99 {
				t.Errorf("%s: %.3f of the pairs are in order", feature, area)
			}
		}
	}
}

// TestCalibrated: a worth between 0 and 1 is what is expected.
func TestCalibrated(t *testing.T) {
	m, random := New(nil), rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		worth := 0.0
		if random.IntN(5) == 0 {
			worth = 1
		}
		m.Learn(parse1(t, fmt.Sprintf("http://a.test/%d", random.IntN(1e9))), worth)
	}
	z := m.Predict(parse1(t, "http://a.test/1234567"))
	if p := 1 / (1 + math.Exp(-z)); p < 0.1 || p > 0.35 {
		t.Errorf("%.3f is expected where a fifth is wanted", p)
	}
}

// TestBounded: a hostile record has few features, and weights do not grow beyond their bound.
func TestBounded(t *testing.T) {
	m := New(nil)
	rec := urlbatch.New("http://a.test/" + strings.Repeat("w/", 20_000))
	rec.Set(urlbatch.Anchor, strings.Repeat("w ", 5000))
	for i := range 3000 {
		m.Learn(rec, float64(i/1500))
	}
	if n := len(m.found); n > 3*maxWords+8 {
		t.Errorf("%d features", n)
	}
	for _, at := range m.found {
		m.weights[at].w = -widest
	}
	m.weights[m.found[0]].w = widest
	m.Learn(rec, 1)
	for _, w := range m.weights {
		if !(w.w >= -widest && w.w <= widest) || !(w.g >= 0) {
			t.Fatalf("weight %v", w)
		}
	}
}

// TestKept: a model that reads the blocks of another expects the same.
func TestKept(t *testing.T) {
	m, again := New(nil), New(nil)
	for i := range 300 {
		m.Learn(parse1(t, fmt.Sprintf("http://a.test/%d/x%d", i%7, i)), float64(i%2))
	}
	m.Changed(func(n int, value []byte) {
		if err := again.Load(n, value); err != nil {
			t.Error(err)
		}
	})
	if m.weights != again.weights {
		t.Error("the weights are others")
	}
	again.Changed(func(n int, _ []byte) { t.Errorf("block %d has changed, though nothing was learned", n) })
}

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

// TestGolden reads the block of version 1, and writes the same.
func TestGolden(t *testing.T) {
	const path = "testdata/v1/block"
	m := New(nil)
	m.weights[2*blockSize+1] = weight{0.5, 2}
	m.weights[2*blockSize+63] = weight{-20, 1e30}
	if *update {
		if err := os.WriteFile(path, m.block(2), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := New(nil)
	if err := read.Load(2, kept); err != nil || read.weights != m.weights || string(read.block(2)) != string(kept) {
		t.Errorf("%x, want %x; %v", read.block(2), kept, err)
	}
}

// TestMalformed: what is no block is an error.
func TestMalformed(t *testing.T) {
	m := New(nil)
	m.weights[1], m.weights[3] = weight{1, 1}, weight{1, 1}
	whole := string(m.block(0))
	for name, value := range map[string]string{
		"empty": "", "version": "\x02" + whole[1:], "short": whole[:len(whole)-1],
		"number": whole[:1] + "\x40" + whole[2:], "order": whole[:1] + whole[10:] + whole[1:10],
		"weight": whole[:4] + "\xff\x7f" + whole[6:], "gradient": whole[:9] + "\xff" + whole[10:]} {
		if err := Verify([]byte(value)); err == nil {
			t.Errorf("%s: %x is taken for a block", name, value)
		}
	}
	if err := Verify([]byte(whole)); err != nil {
		t.Error(err)
	}
	if err := m.Load(Blocks, []byte(whole)); err == nil {
		t.Error("a block too many is read")
	}
}

// FuzzModel: no record and no block breaks a model.
func FuzzModel(f *testing.F) {
	f.Add("http://a.test/%zz\tvia=x\tanchor=%ff%20a\tparent=NaN\tdepth=-9",
		[]byte("\x01\x00\x00\x00\x80\x3f\x00\x00\x80\x3f\x00"))
	f.Fuzz(func(t *testing.T, line string, value []byte) {
		m := New(nil)
		if m.Load(0, value) == nil && Verify(m.block(0)) != nil {
			t.Errorf("%x is read, and written as %x", value, m.block(0))
		}
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			return
		}
		m.Learn(rec, 0.3)
		if z := m.Predict(rec); math.IsNaN(z) || math.IsInf(z, 0) || len(m.found) > 3*maxWords+8 {
			t.Errorf("%q: %v, %d features", line, z, len(m.found))
		}
	})
}

func BenchmarkPredict(b *testing.B) {
	m := New(nil)
	rec := parse1(b, "http://www.example.org/law/sections/16-2301.html\tdepth=3\tvia=http://www.example.org/law/\t"+
		"anchor=the%20law%20of%20the%20land")
	b.ReportAllocs()
	for b.Loop() {
		m.Predict(rec)
	}
}
