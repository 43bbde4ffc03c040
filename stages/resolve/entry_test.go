package main

import (
	"bytes"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/web/robots"
)

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

const sampleRobots = "User-agent: *\nDisallow: /private\n"

// samples are entries of every kind, by the name of their golden file.
func samples(c *codec) map[string]*entry {
	return map[string]*entry{
		"known": {
			kind: known, expiry: time.Unix(1795262400, 0), origin: "http://example.org:8080",
			addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:8080"),
				netip.MustParseAddrPort("[2001:db8::1]:8080")},
			robots: c.zip([]byte(sampleRobots)),
		},
		"named": {kind: known, expiry: time.Unix(1795262400, 0), origin: "https://a.test", named: true,
			addrs: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8443")}},
		"notnow": {kind: notNow, expiry: time.Unix(1795262400, 0), since: time.Unix(1795260000, 0),
			origin: "http://b.test", reason: "robots-503",
			addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.9:80")}},
		"unreached": {kind: notNow, expiry: time.Unix(1795262400, 0), since: time.Unix(1795260000, 0),
			origin: "http://c.test", reason: "dns-failed"},
		"nohost": {kind: noHost, expiry: time.Unix(1795262400, 0), origin: "http://d.test", reason: "no-such-host"},
	}
}

// TestFormat holds that today's program reads the entries of version 1 and writes the same
// fields.
func TestFormat(t *testing.T) {
	codec, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range samples(codec) {
		path := filepath.Join("testdata", "v1", name)
		if *update {
			if err := os.WriteFile(path, pack(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.unpack(kept)
		if text, err := codec.unzip(got.robots); len(text) > 0 && string(text) != sampleRobots {
			t.Errorf("%s holds robots.txt %q, %v", path, text, err)
		}
		got.robots = want.robots // whose bytes may change with the compressor
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v, %v; want %+v", path, got, err, want)
		}
		if packed := pack(want); len(want.robots) == 0 && !bytes.Equal(packed, kept) {
			t.Errorf("%s is written as %q, was %q", name, packed, kept)
		}
	}
}

func TestLargestRobotsIsKept(t *testing.T) {
	codec, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	e := samples(codec)["known"]
	for _, text := range []string{strings.Repeat("x", robots.MaxBody), incompressible(robots.MaxBody)} {
		e.robots = codec.zip([]byte(text))
		got, err := codec.unpack(pack(e))
		if err != nil {
			t.Fatal(err)
		}
		if back, err := codec.unzip(got.robots); err != nil || string(back) != text {
			t.Errorf("a robots.txt of %d bytes does not come back: %v", len(text), err)
		}
	}
	e.robots = codec.zip(make([]byte, 2*robots.MaxBody))
	if _, err := codec.unpack(pack(e)); err == nil {
		t.Error("an entry that unpacks to twice the bound was read")
	}
}

// incompressible returns n bytes without pattern.
func incompressible(n int) string {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return string(b)
}

func FuzzUnpack(f *testing.F) {
	codec, err := newCodec()
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range samples(codec) {
		packed := pack(e)
		f.Add(packed)
		f.Add(packed[:len(packed)-1])
	}
	none := pack(samples(codec)["unreached"])
	none[1] = 3 // a kind that there is not
	f.Add(none)
	f.Add([]byte{entryVersion + 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := codec.unpack(b)
		if err != nil {
			return
		}
		text, err := codec.unzip(e.robots)
		if err != nil || e.kind < known || e.kind > noHost || e.kind == 3 || len(text) > robots.MaxBody ||
			len(e.addrs) > maxAddrs {
			t.Errorf("read a bad entry: %+v", e)
		}
		if back, err := codec.unpack(pack(e)); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%+v comes back as %+v, %v", e, back, err)
		}
	})
}

// TestUseful holds that an entry is dropped only when nobody looks at it any more.
func TestUseful(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Unix(1795262400, 0)
	packed := func(k kind, expiry time.Duration) []byte {
		return pack(&entry{kind: k, expiry: now.Add(expiry), since: now, origin: "http://a.test", reason: "dns-failed"})
	}
	later := packed(notNow, time.Hour)
	later[0] = entryVersion + 1
	for _, c := range []struct {
		what  string
		value []byte
		want  bool
	}{
		{"good", packed(known, time.Hour), true},
		{"expired", packed(known, -time.Second), false},
		{"no host", packed(noHost, time.Second), true},
		{"no host, expired", packed(noHost, -time.Second), false},
		{"trouble that may come round", packed(notNow, -day), true},
		{"trouble of long ago", packed(notNow, -day-time.Second), false},
		{"of another version", later, false},
		{"cut", packed(notNow, time.Hour)[:3], false},
		{"empty", nil, false},
	} {
		if got := useful(c.value, now, day); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestTroubleThatComesRoundSeldom has a host that is dead and whose URLs are looked at once in some
// hours: it is given up all the same. Hours in which nobody looked are one.
func TestTroubleThatComesRoundSeldom(t *testing.T) {
	p, begin := &prober{ttl: 24 * time.Hour}, time.Unix(1795262400, 0)
	old, now := &entry{since: begin, expiry: begin.Add(5 * time.Second)}, begin
	looks := 0
	for now.Sub(p.troubleSince(old, now)) <= 24*time.Hour {
		now = now.Add(20 * time.Hour)
		since := p.troubleSince(old, now)
		old = &entry{since: since, expiry: now.Add(hold(since, now))}
		if looks++; looks > 100 {
			t.Fatal("it is never given up")
		}
	}
	if looks != 13 { // the hold, of an hour, counts too
		t.Errorf("it is given up at look %d", looks)
	}
	if got := p.troubleSince(&entry{since: begin.Add(time.Hour), expiry: begin.Add(2 * time.Hour)},
		begin); !got.Equal(begin) {
		t.Errorf("trouble that begins later began %v before", begin.Sub(got))
	}
}
