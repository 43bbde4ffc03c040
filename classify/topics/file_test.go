package topics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"multitext/classify"
	"multitext/classify/internal/modelfile"
)

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

func encode(t testing.TB, m *Model) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sealed gives data a right checksum.
func sealed(data []byte) []byte {
	return modelfile.Seal(bytes.Clone(data[:len(data)-modelfile.FooterSize]), 0)
}

// sharpened returns a copy of a model of package classify with another sharpness.
func sharpened(t testing.TB, m *classify.Model, sharpness float64) *classify.Model {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(b[24:], math.Float64bits(sharpness))
	if m, err = classify.Parse(sealed(b)); err != nil {
		t.Fatal(err)
	}
	return m
}

// The golden file of version 1 is read for ever, and says the same of the same document.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "v1", "world.topics")
	fresh := train(t, 6, classify.NaiveBayes{Smoothing: 1})
	if *update {
		if err := os.WriteFile(path, encode(t, fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(encode(t, golden), whole) {
		t.Errorf("it is written otherwise than it was read: %v", err)
	}
	_, texts := sample(golden.Tree, 2, 7)
	var was, is Judgement
	for _, text := range texts {
		golden.Judge(bag(text), &was)
		fresh.Judge(bag(text), &is)
		for at := range was.Log {
			if math.Abs(was.Probability(at)-is.Probability(at)) > 1e-4 {
				t.Errorf("%q: %s had %v, and now %v", text, golden.Tree.Name(at), was.Probability(at),
					is.Probability(at))
			}
		}
	}
	if models, terms := golden.Models(); models != 3 || terms < 100 || golden.at[1].Method() != "bayes" {
		t.Errorf("%d models of %d terms by %s", models, terms, golden.at[1].Method())
	}
}

func TestDamageIsFound(t *testing.T) {
	tree := tree(t, "a\tall\nb\tall")
	m, err := Train(training(t, []string{"a", "b"}, []string{"x y", "y z"}), tree, classify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := encode(t, m)
	for n := range whole {
		if _, err := Parse(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
		flipped := bytes.Clone(whole)
		flipped[n] ^= 0x10
		if _, err := Parse(flipped); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d of %d changed: %v", n, len(whole), err)
		}
	}
	_, err = Load(filepath.Join(t.TempDir(), "none"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// Files that are wrong though their checksums are right are refused.
func TestForgedFilesAreRefused(t *testing.T) {
	tree := tree(t, "ta\tall\ntb\tall\ntb1\ttb\ntb2\ttb")
	m, err := Train(training(t, []string{"ta", "tb1", "tb2"}, []string{"x y", "y z", "z z"}), tree, classify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := encode(t, m) // all, ta, tb, tb1, tb2
	if _, err := Parse(sealed(whole)); err != nil {
		t.Fatal(err)
	}
	models := bytes.Index(whole, []byte("mtclassm")) - 4
	for name, forge := range map[string]func([]byte) []byte{
		"version 2":           func(b []byte) []byte { b[8] = 2; return b },
		"no topic":            func(b []byte) []byte { b[12] = 0; return b },
		"a topic less":        func(b []byte) []byte { b[12]--; return b },
		"a topic more":        func(b []byte) []byte { b[12]++; return b },
		"2^32 topics":         func(b []byte) []byte { copy(b[12:], "\xff\xff\xff\xff"); return b },
		"a parent to come":    func(b []byte) []byte { b[16] = 3; return b },
		"a parent left":       func(b []byte) []byte { b[models-6] = 2; return b },
		"a long name":         func(b []byte) []byte { b[18] = 255; return b },
		"no name":             func(b []byte) []byte { b[18] = 0; return b },
		"another name":        func(b []byte) []byte { copy(b[bytes.Index(b, []byte("tb1")):], "tb0"); return b },
		"names out of order":  func(b []byte) []byte { copy(b[bytes.Index(b, []byte("ta")):], "tc"); return b },
		"a name twice":        func(b []byte) []byte { copy(b[bytes.Index(b, []byte("tb2")):], "tb1"); return b },
		"a control character": func(b []byte) []byte { b[bytes.Index(b, []byte("all"))+2] = 7; return b },
		"a long model":        func(b []byte) []byte { b[models]++; return b },
		"2^32 bytes of model": func(b []byte) []byte { copy(b[models:], "\xff\xff\xff\xff"); return b },
		"a model of nothing":  func(b []byte) []byte { b[models+4] = 'x'; return b },
		"a byte more":         func(b []byte) []byte { return append(b, 0) },
	} {
		if _, err := Parse(sealed(forge(bytes.Clone(whole)))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestParseTree: trees whose numbers, names or order are wrong are refused.
func TestParseTree(t *testing.T) {
	type topic struct {
		parent byte
		name   string
	}
	for name, c := range map[string]struct {
		n   uint32
		all []topic
		ok  bool
	}{
		"sound":               {5, []topic{{0, "a"}, {1, "d"}, {1, "e"}, {0, "b"}, {4, "c"}}, true},
		"empty":               {0, nil, false},
		"of itself":           {1, []topic{{1, "a"}}, false},
		"twice":               {3, []topic{{0, "b"}, {1, "c"}, {0, "c"}}, false},
		"not in order":        {2, []topic{{0, "b"}, {0, "a"}}, false},
		"not in order, above": {3, []topic{{0, "b"}, {1, "c"}, {0, "a"}}, false},
		"of a topic left":     {4, []topic{{0, "a"}, {1, "d"}, {0, "b"}, {1, "e"}}, false},
		"of two as one":       {1, []topic{{0, "a"}, {0, "b"}}, true}, // what follows are models
	} {
		var b []byte
		for _, x := range c.all {
			b = append(append(b, x.parent, 0, byte(len(x.name))), x.name...)
		}
		if _, _, err := parseTree(b, c.n); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file says how many topics it has; memory is taken for those that are there.
func TestParseTakesMemoryByLength(t *testing.T) {
	forged := encode(t, train(t, 2, classify.NaiveBayes{Smoothing: 1}))
	binary.LittleEndian.PutUint32(forged[12:], maxTopics)
	forged = sealed(forged)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Parse(forged); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were taken for a file of %d", n, len(forged))
	}
}

// Whatever bytes come, Parse gives an error or a model that works, and that is written as it was
// read.
func FuzzParse(f *testing.F) {
	for _, m := range classify.Methods() {
		f.Add(encode(f, train(f, 2, m)))
	}
	d := bag("wall1 wchalk2 wsport3 wsport3")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > modelfile.FooterSize {
			data = sealed(data)
		}
		m, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
			return
		}
		if !bytes.Equal(encode(t, m), data) {
			t.Error("it is written otherwise than it was read")
		}
		var j Judgement
		m.Judge(d, &j)
		total := 0.0
		m.Tree.cut(maxDepth, func(at int) { total += j.Probability(at) })
		if math.Abs(total-1) > 1e-6 || j.Best() == Root {
			t.Errorf("all leaves have %v together", total)
		}
	})
}

// Whatever text comes, Read gives an error or a tree whose numbers are in order.
func FuzzRead(f *testing.F) {
	f.Add(world)
	f.Add("a\ta\nb\tc\n")
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := Read(bytes.NewReader([]byte(text)))
		if err != nil {
			return
		}
		for at := 1; at < tree.Len(); at++ {
			if p := tree.Parent(at); p >= at || tree.Depth(at) != tree.Depth(p)+1 || !tree.In(at, p) {
				t.Fatalf("topic %d of %d is below %d", at, tree.Len(), p)
			}
		}
	})
}
