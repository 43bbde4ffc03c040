package visits

import (
	"flag"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
)

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

// now is when the samples are read.
var now = time.Unix(1795400000, 0)

func samples() []Visit {
	return []Visit{
		{Host: "healthy.test", Asked: 12, Answered: 11, Failed: 1, Bytes: 150_000, Took: 85 * time.Millisecond,
			Pause: time.Second, Address: netip.MustParseAddr("192.0.2.7")},
		{Host: "busy.test", Asked: 1, Answered: 1, Bytes: 120, Took: time.Millisecond, Pause: 2 * time.Second,
			NotBefore: now.Add(2 * time.Minute), Address: netip.MustParseAddr("2001:db8::7")},
		{Host: "dead.test", Asked: 1, Failed: 1, Pause: 30 * time.Second, NotBefore: now.Add(30 * time.Second),
			Address: netip.MustParseAddr("192.0.2.8"), Unreached: "connection-refused"},
		{Host: "[2001:db8::1]", Pause: time.Second, NotBefore: now.Add(Longest)},
		{Host: "idle.test"},
	}
}

// refusals are samples of resolve.
func refusals() []Visit {
	return []Visit{
		{Host: "unreached.test", NotBefore: now.Add(5 * time.Second), Unreached: "dns-failed", Unready: 4},
		{Host: "refused.test", Unready: 12},
	}
}

// TestFormat holds that today's program reads the batches of version 1 and writes the same.
func TestFormat(t *testing.T) {
	for name, samples := range map[string][]Visit{"asked.txt": samples(), "unready.txt": refusals()} {
		var text strings.Builder
		var rec urlbatch.Record
		for _, v := range samples {
			v.Encode(&rec)
			text.Write(rec.Line())
			text.WriteByte('\n')
		}
		path := "testdata/v1/" + name
		if *update {
			if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		reads(t, path, samples)
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text.String() {
			t.Errorf("%s: written as\n%s, was\n%s, %v", path, &text, kept, err)
		}
	}
	reads(t, "testdata/v1/visits.txt", samples()) // without asked where it is 0, as fetch once wrote
}

// reads holds what a batch is read as.
func reads(t *testing.T, path string, want []Visit) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if v, err := Of(parse(t, line), now); err != nil || v != want[i] {
			t.Errorf("%q is read as %+v, %v", line, v, err)
		}
	}
}

func parse(t *testing.T, line string) *urlbatch.Record {
	t.Helper()
	rec, err := urlbatch.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestRoundedUp holds that no time is written shorter than it is.
func TestRoundedUp(t *testing.T) {
	v := Visit{Host: "a.test", Asked: 1, Answered: 1, Took: 1, Pause: time.Second + 1, NotBefore: now.Add(1)}
	rec := &urlbatch.Record{}
	v.Encode(rec)
	const want = "http://a.test/\tasked=1\tanswered=1\ttook=1\tpause=1001\tnot_before=1795400001"
	if got := string(rec.Line()); got != want {
		t.Errorf("written as %q, want %q", got, want)
	}
}

// TestTimesAreCapped holds that no record puts a host off for longer than an hour.
func TestTimesAreCapped(t *testing.T) {
	const most = "9007199254740991"
	v, err := Of(parse(t, "http://a.test/\ttook="+most+"\tpause="+most+"\tnot_before="+most), now)
	if err != nil || v.Took != Longest || v.Pause != Longest || !v.NotBefore.Equal(now.Add(Longest)) {
		t.Errorf("read as %+v, %v", v, err)
	}
}

func TestBadRecords(t *testing.T) {
	for _, line := range []string{
		"https://a.test/", "http://a.test", "http://a.test/x", "http://a.test:80/", "http:///", "mini.test",
		"bad-line:x",
		"http://a.test/\tasked=-1\tanswered=-1",
		"http://a.test/\tasked=1", "http://a.test/\tanswered=1", "http://a.test/\tasked=1\tanswered=1\tfailed=1",
		"http://a.test/\tasked=1\tanswered=1\tunready=1", "http://a.test/\tunready=-1",
		"http://a.test/\tasked=x", "http://a.test/\tbytes=9007199254740992", "http://a.test/\tpause=",
		"http://a.test/\tnot_before=1e9", "http://a.test/\ttook=1.5",
		"http://a.test/\taddress=192.0.2.7:80", "http://a.test/\taddress=", "http://a.test/\taddress=fe80::1%25eth0",
		"http://a.test/\taddress=::ffff:192.0.2.7",
		"http://a.test/\tunreached=", "http://a.test/\tunreached=no%1B", "http://a.test/\tunreached=" +
			strings.Repeat("x", maxReason+1),
	} {
		if v, err := Of(parse(t, line), now); err == nil {
			t.Errorf("%q is read as %+v", line, v)
		}
	}
}

// FuzzOf holds that what is read is within its bounds, and is the same when it is written and read
// again.
func FuzzOf(f *testing.F) {
	for _, v := range samples() {
		var rec urlbatch.Record
		v.Encode(&rec)
		f.Add(rec.Line())
	}
	f.Add([]byte("http://a.test/\tpause=9007199254740991\tnot_before=9007199254740991\tunreached=%zz"))
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, err := urlbatch.Parse(line)
		if err != nil {
			return
		}
		v, err := Of(rec, now)
		if err != nil {
			return
		}
		if v.Pause > Longest || v.Took > Longest || v.NotBefore.After(now.Add(Longest)) || v.Pause < 0 || v.Took < 0 ||
			v.Asked < 0 || v.Bytes < 0 {
			t.Errorf("%q is read as %+v", line, v)
		}
		var written urlbatch.Record
		v.Encode(&written)
		if again, err := Of(&written, now); err != nil || again != v {
			t.Errorf("%+v is read again as %+v, %v", v, again, err)
		}
	})
}
