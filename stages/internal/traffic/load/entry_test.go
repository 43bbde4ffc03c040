package load

import (
	"bytes"
	"flag"
	"os"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

func sampleHost() *host {
	return &host{held: 1795263000, counts: counts{slot: 5984200, n: [slots]uint32{7, 0, 300, 0, 0, 0, 1}}}
}

func sampleTotal() *total {
	return &total{
		counts: counts{slot: 5984200, n: [slots]uint32{70_000, 2, 3}},
		last:   counts{slot: 5984200, n: [slots]uint32{400, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9}},
	}
}

// TestFormat holds that today's program reads the entries of version 1 and writes the same.
func TestFormat(t *testing.T) {
	var h host
	if err := h.unpack(golden(t, "testdata/v1/host", sampleHost().pack())); err != nil || h != *sampleHost() {
		t.Errorf("read as %+v, %v", h, err)
	}
	var all total
	if err := all.unpack(golden(t, "testdata/v1/total", sampleTotal().pack())); err != nil || all != *sampleTotal() {
		t.Errorf("read as %+v, %v", all, err)
	}
	if keyOf(nil, "example.org") != 0x84e0fca6169c1b9b || totalKey(nil) != 0x757dfc0052b6ac66 {
		t.Errorf("keys are %#x and %#x", keyOf(nil, "example.org"), totalKey(nil))
	}
}

// golden returns what is kept at path, which must be what is written today.
func golden(t *testing.T, path string, packed []byte) []byte {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, packed) {
		t.Errorf("%s: written as %q, was %q", path, packed, kept)
	}
	return kept
}

func TestBadEntries(t *testing.T) {
	good := sampleHost().pack()
	for name, b := range map[string][]byte{
		"cut":     good[:len(good)-1],
		"longer":  append(bytes.Clone(good), 0),
		"version": append([]byte{hostKind, 2}, good[2:]...),
		"kind":    {totalKind, 1},
		"slot":    {hostKind, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	} {
		if mine, err := Verify(b); !mine || err == nil {
			t.Errorf("%s: Verify = %v, %v", name, mine, err)
		}
	}
	for _, other := range [][]byte{nil, {}, {'s', 1, 2}} {
		if mine, err := Verify(other); mine || err != nil {
			t.Errorf("%q: Verify = %v, %v", other, mine, err)
		}
	}
	// Where its own entry is damaged a run does not go on.
	if _, err := New(noon(), 0.002, 1, nil, store{totalKey(nil): {totalKind, 1}}.get); err == nil {
		t.Error("a damaged total was read")
	}
	l, err := New(noon(), 0.002, 1, nil, store{keyOf(nil, "a"): {hostKind, 1}}.get)
	if err != nil || l.Meet("a") == nil {
		t.Errorf("a damaged host was read; %v", err)
	}
}

func TestKeep(t *testing.T) {
	at := func(minutes int) time.Time { return noon().Add(time.Duration(minutes) * time.Minute) }
	asked := &host{counts: counts{slot: slotOf(noon()), n: [slots]uint32{1}}}
	held := &host{held: at(70).Unix()}
	for _, c := range []struct {
		what  string
		value []byte
		now   time.Time
		keep  bool
	}{
		{"asked", asked.pack(), at(0), true},
		{"asked", asked.pack(), at(59), true},
		{"asked", asked.pack(), at(60), false},
		{"held", held.pack(), at(69), true},
		{"held", held.pack(), at(70), false},
		{"total", sampleTotal().pack(), at(10_000), true},
		{"other", []byte{'s'}, at(10_000), true},
	} {
		if got := Keep(c.value, c.now); got != c.keep {
			t.Errorf("%s at %v is kept: %v", c.what, c.now, got)
		}
	}
}

// FuzzVerify holds that any bytes are read without harm, and those that are an entry are
// written as they were, but for numbers that were written longer than they need be.
func FuzzVerify(f *testing.F) {
	f.Add(sampleHost().pack())
	f.Add(sampleTotal().pack())
	f.Add([]byte{hostKind, 1, 0x80, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var h, h2 host
		if h.unpack(b) == nil && (h2.unpack(h.pack()) != nil || h2 != h) {
			t.Errorf("%q is a host that does not survive: %+v, %+v", b, h, h2)
		}
		var all, all2 total
		if all.unpack(b) == nil && (all2.unpack(all.pack()) != nil || all2 != all) {
			t.Errorf("%q is a total that does not survive: %+v, %+v", b, all, all2)
		}
		Verify(b)
		Keep(b, noon())
	})
}
