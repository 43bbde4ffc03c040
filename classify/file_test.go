package classify

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

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

// Golden files of version 1 are read for ever, and say the same of the same document.
func TestGolden(t *testing.T) {
	for _, method := range Methods() {
		path := filepath.Join("testdata", "v1", method.Name()+".model")
		fresh := train(t, topicalTraining(t, 30), method)
		if *update {
			if err := os.WriteFile(path, encode(t, fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if golden.Method() != method.Name() || golden.Terms() != fresh.Terms() {
			t.Errorf("%s: method %q with %d terms", path, golden.Method(), golden.Terms())
		}
		var was, is Ranking
		for _, text := range []string{"w1 w2 w2 w3", "w30 w31 w1", "w50 w58 w59"} {
			golden.Classify(bag(text), &was)
			fresh.Classify(bag(text), &is)
			for i := range was.Topics {
				a, b := was.Topics[i], is.Topics[i]
				if a.Label != b.Label || math.Abs(a.Confidence-b.Confidence) > 1e-4 {
					t.Errorf("%s: %q has rank %d %s %v, and now %s %v", path, text, i, a.Label, a.Confidence, b.Label,
						b.Confidence)
				}
			}
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(t, golden), whole) {
			t.Errorf("%s is written otherwise than it was read", path)
		}
	}
}

func TestLoadSaysWhichFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.model")
	if err := os.WriteFile(path, []byte("no model"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path)
	if !errors.Is(err, ErrDamaged) || !bytes.Contains([]byte(err.Error()), []byte(path)) {
		t.Errorf("got %v", err)
	}
	if _, err := Load(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestDamageIsFound(t *testing.T) {
	whole := encode(t, train(t, topicalTraining(t, 9), Lewis{}))
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
	if _, err := Parse(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrDamaged) {
		t.Error("a byte too many is not found")
	}
}

// sealed gives data a right checksum.
func sealed(data []byte) []byte {
	return modelfile.Seal(bytes.Clone(data[:len(data)-modelfile.FooterSize]), 0)
}

// Files that are wrong though their checksums are right are refused.
func TestForgedFilesAreRefused(t *testing.T) {
	var tr Training
	add(t, &tr, "la", "ta tb")
	add(t, &tr, "lb", "tb tc")
	whole := encode(t, train(t, &tr, NaiveBayes{1}))
	if _, err := Parse(sealed(whole)); err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func([]byte){
		"version 2":          func(b []byte) { b[8] = 2 },
		"f(n) 3":             func(b []byte) { b[12] = 3 },
		"no label":           func(b []byte) { b[16] = 0 },
		"a label more":       func(b []byte) { b[16]++ },
		"2^32 labels":        func(b []byte) { copy(b[16:], "\xff\xff\xff\xff") },
		"a term less":        func(b []byte) { b[20]-- },
		"2^32 terms":         func(b []byte) { copy(b[20:], "\xff\xff\xff\xff") },
		"sharpness 0":        func(b []byte) { copy(b[24:32], make([]byte, 8)) },
		"sharpness NaN":      func(b []byte) { copy(b[24:32], "\xff\xff\xff\xff\xff\xff\xff\xff") },
		"equal labels":       func(b []byte) { copy(b[bytes.Index(b, []byte("lb")):], "la") },
		"terms out of order": func(b []byte) { copy(b[bytes.Index(b, []byte("ta")):], "tz") },
		"a long string":      func(b []byte) { b[32] = 255 },
		"no method":          func(b []byte) { b[32] = 0 },
		"NaN":                func(b []byte) { copy(b[len(b)-12:], "\xff\xff\xff\xff") },
		"too large":          func(b []byte) { copy(b[len(b)-12:], "\x00\x00\x00\x60") },
		"infinite":           func(b []byte) { copy(b[len(b)-12:], "\x00\x00\x80\x7f") },
	} {
		forged := bytes.Clone(whole)
		forge(forged)
		if _, err := Parse(sealed(forged)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Models that no training makes are no more sound for being written as the format wants it.
func TestSenselessModelsAreRefused(t *testing.T) {
	many := &Model{method: "m", sharpness: 1}
	for i := range maxLabels + 1 {
		many.labels = append(many.labels, fmt.Sprintf("%05d", i))
	}
	many.bias = make([]float32, len(many.labels))
	one := func() *Model {
		return &Model{method: "method", sharpness: 1, labels: []string{"label"}, bias: make([]float32, 1)}
	}
	nameless, blank := one(), one()
	nameless.method, blank.labels[0] = "", ""
	for name, m := range map[string]*Model{
		"too many labels": many, "no label": {method: "m", sharpness: 1}, "no method": nameless,
		"an empty label": blank,
	} {
		if _, err := Parse(encode(t, m)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse(encode(t, one())); err != nil {
		t.Error(err)
	}
}

// A file says how many strings and numbers it has; memory is taken for those that are there.
func TestParseTakesMemoryByLength(t *testing.T) {
	forged := encode(t, train(t, topicalTraining(t, 6), NaiveBayes{1}))
	binary.LittleEndian.PutUint32(forged[16:], maxLabels)
	binary.LittleEndian.PutUint32(forged[20:], 1<<20)
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

// Whatever bytes come, Parse gives an error or a model that works, and that is written as it
// was read.
func FuzzParse(f *testing.F) {
	for _, m := range Methods() {
		f.Add(encode(f, train(f, topicalTraining(f, 6), m)))
	}
	d := bag("w1 w2 w3 w3")
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
		total := 0.0
		for _, topic := range m.Explain(d, 3).Ranking.Topics {
			total += topic.Confidence
		}
		if math.Abs(total-1) > 1e-6 {
			t.Errorf("all labels have a confidence of %v together", total)
		}
	})
}
