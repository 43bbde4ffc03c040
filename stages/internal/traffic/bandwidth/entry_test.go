package bandwidth

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"multitext/stages/internal/state/segment"
)

var update = flag.Bool("update", false, "write the golden file anew")

// entries are those of the golden file.
func entries() []*entry {
	var all []*entry
	for i, text := range []string{"", "192.0.2.1", "2001:db8::1"} {
		e := &entry{day: 20775, trust: 0.5, usual: 1.25}
		if text != "" {
			e.server = netip.MustParseAddr(text)
		}
		for day := range e.rates {
			for hour := range e.rates[day] {
				e.rates[day][hour] = float32(1000*i + 100*day + hour)
			}
		}
		all = append(all, e)
	}
	return all
}

func TestGolden(t *testing.T) {
	var all []byte
	for _, e := range entries() {
		all = append(all, e.encode()...)
	}
	path := filepath.Join("testdata", "v1.golden")
	if *update {
		if err := os.WriteFile(path, all, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(all, golden) {
		t.Fatalf("the format has changed (%v): give it a new version, and keep this file", err)
	}
	for _, want := range entries() {
		value := golden[:len(want.encode())]
		golden = golden[len(value):]
		if got, err := decode(value); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v; want %+v", got, err, want)
		}
		if mine, text, err := Verify(value); !mine || text != textOf(want.server) || err != nil {
			t.Error(mine, text, err)
		}
	}
}

func TestVerify(t *testing.T) {
	good := entries()[1]
	tests := map[string]func(e *entry, b []byte) []byte{
		"cut short":       func(_ *entry, b []byte) []byte { return b[:100] },
		"another version": func(_ *entry, b []byte) []byte { b[1] = 2; return b },
		"an odd address":  func(_ *entry, b []byte) []byte { return b[:len(b)-1] },
		"a rate that is NaN": func(e *entry,
			_ []byte) []byte {
			e.rates[1][3] = float32(math.NaN())
			return e.encode()
		},
		"a rate below 0": func(e *entry, _ []byte) []byte { e.rates[0][0] = -1; return e.encode() },
		"no trust":       func(e *entry, _ []byte) []byte { e.trust = 0; return e.encode() },
		"no length":      func(e *entry, _ []byte) []byte { e.usual = 0; return e.encode() },
	}
	for name, spoil := range tests {
		e := *good
		if mine, _, err := Verify(spoil(&e, e.encode())); !mine || !errors.Is(err, errNoEntry) {
			t.Errorf("%s: %v, %v", name, mine, err)
		}
	}
	if mine, _, err := Verify([]byte("h\x01")); mine || err != nil {
		t.Errorf("an entry of another kind: %v, %v", mine, err)
	}
}

func learnt(t *Table) segment.Entries {
	var b segment.Entries
	t.Entries(&b)
	return b
}

func TestTableReadsWhatItHasWritten(t *testing.T) {
	first := newTable(t, Defaults())
	first.Learn(address(1), noon(), 4000, 2*time.Second)
	first.Learn(address(2), noon(), 9000, time.Second)
	state := map[uint64][]byte{}
	b := learnt(first)
	for i, key := range b.Keys {
		state[key] = b.Values[i]
	}
	second, err := NewTable(100e3, Defaults(), nil, func(key uint64) ([]byte, bool, error) {
		value, ok := state[key]
		return value, ok, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := second.Meet(address(i)); err != nil {
			t.Fatal(err)
		}
		wantRate(t, second, address(i), noon(), first.Rate(address(i), noon()))
	}
	if n := len(learnt(second).Keys); n != 0 {
		t.Errorf("a run that learnt nothing has %d entries", n)
	}
	second.Learn(address(1), noon(), 4000, time.Second)
	if n := len(learnt(second).Keys); n != 2 {
		t.Errorf("a run that has learnt of one server has %d entries, want its own and the mean", n)
	}
}

func TestTableRefusesADamagedState(t *testing.T) {
	damaged := func(uint64) ([]byte, bool, error) { return []byte("x"), true, nil }
	if _, err := NewTable(100e3, Defaults(), nil, damaged); !errors.Is(err, errNoEntry) {
		t.Errorf("the error is %v", err)
	}
}

func TestKeep(t *testing.T) {
	value := entries()[1].encode() // of day 20775
	day := time.Unix(20775*24*3600, 0)
	if !Keep(value, day.AddDate(0, 0, 90)) || Keep(value, day.AddDate(0, 0, 91)) {
		t.Error("an entry is to be kept for 90 days")
	}
	if !Keep([]byte("no entry"), day.AddDate(1, 0, 0)) {
		t.Error("what is no entry of ours was not kept")
	}
}

func FuzzDecode(f *testing.F) {
	for _, e := range entries() {
		f.Add(e.encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(e.encode(), b) {
			t.Errorf("%x is read as %+v", b, e)
		}
		if rate := e.rate(momentOf(noon())); !(rate >= 0) {
			t.Errorf("rate %v", rate)
		}
	})
}
