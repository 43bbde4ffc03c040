package main

import (
	"encoding/pem"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

// list writes the list of a state's segments.
func list(t *testing.T, segments ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte(strings.Join(segments, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStateSparesTheServers(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{"a.test": text("User-agent: *\nDisallow: /no\n"),
		"down.test": status(500)})
	url := func(host, path string) string { return "http://" + host + ":" + n.port() + path }
	lines := strings.Join([]string{url("a.test", "/"), url("a.test", "/no"), url("down.test", "/"),
		url("nowhere.test", "/")}, "\n")
	asked := func() (dns, web int) {
		for _, host := range []string{"a.test", "down.test", "nowhere.test"} {
			dns += n.count("dns " + host)
			web += n.count(host + " /robots.txt")
		}
		return dns, web
	}
	first := n.resolve(t, lines, "-allow-private", loopback)
	if dns, web := asked(); dns != 3 || web != 2 {
		t.Errorf("first run: %d look-ups, %d robots.txt; want 3 and 2", dns, web)
	}
	state := list(t, first.segment)
	second := n.resolve(t, lines, "-allow-private", loopback, "-hosts", state)
	if dns, web := asked(); dns != 0 || web != 0 {
		t.Errorf("second run: %d look-ups, %d robots.txt; want none", dns, web)
	}
	for u, place := range first.place {
		reason, _ := first.record[u].Get(urlbatch.Reason)
		second.check(t, u, place, reason)
	}
	if _, err := os.Stat(second.segment); err == nil {
		t.Error("a run that renewed nothing wrote a segment")
	}
	// Addresses of the state are judged by each run's own flags.
	third := n.resolve(t, url("a.test", "/"), "-hosts", state)
	third.check(t, url("a.test", "/"), "refused", "private-address")
	asked()
	// An address named by -connect-to is another one, even if it is the same.
	n.resolve(t, url("a.test", "/"), "-hosts", state, "-connect-to", "*="+n.web)
	if _, web := asked(); web != 1 {
		t.Error("an entry from DNS served a run with -connect-to")
	}
}

// TestExpiredEntriesAreDropped holds that the state does not grow with every origin ever met.
func TestExpiredEntriesAreDropped(t *testing.T) {
	var state []string
	old := time.Now().Add(-48 * time.Hour)
	for _, origin := range []string{"http://a.test", "http://b.test", "http://c.test"} {
		c := &cache{set: &segment.Set{}, entries: map[string]*entry{
			origin: {kind: noHost, expiry: old, origin: origin, reason: "no-such-host", renewed: true},
		}}
		path := filepath.Join(t.TempDir(), "segment")
		if err := c.save(output.NewRun(nil), path, 24*time.Hour, report.New()); err != nil {
			t.Fatal(err)
		}
		state = append(state, path)
	}
	n := newTestNet(t, nil)
	res := n.resolve(t, "http://plain.test:"+n.port()+"/", "-allow-private", loopback, "-hosts", list(t, state...))
	merged, err := segment.Open(res.segment)
	if err != nil {
		t.Fatal(err)
	}
	defer merged.Close()
	if merged.Len() != 1 {
		t.Errorf("the merged segment has %d entries, want the new one alone", merged.Len())
	}
}

func TestNamedAddressServesOnlyItsOwnRuns(t *testing.T) {
	n := newTestNet(t, nil)
	url := "http://plain.test:" + n.port() + "/"
	named := []string{"-connect-to", "*=" + n.web}
	state := list(t, n.resolve(t, url, named...).segment)
	n.count("plain.test /robots.txt")
	res := n.resolve(t, url, append(named, "-hosts", state)...)
	res.check(t, url, "ready", "")
	if n.count("plain.test /robots.txt") != 0 {
		t.Error("the entry did not serve a run with the same -connect-to")
	}
	res = n.resolve(t, url, "-hosts", state)
	res.check(t, url, "refused", "private-address")
}

// stateOf writes an entry as a committed segment and returns the list that names it.
func stateOf(t *testing.T, key uint64, e *entry) string {
	t.Helper()
	var b segment.Entries
	b.Add(key, pack(e))
	path := filepath.Join(t.TempDir(), "seg")
	if err := new(segment.Set).Append(output.NewRun(nil), path, b, report.New()); err != nil {
		t.Fatal(err)
	}
	return list(t, path)
}

func TestRenewal(t *testing.T) {
	now := time.Unix(time.Now().Unix(), 0)
	tests := []struct {
		name  string
		entry entry
		asked int
		waits time.Duration // until the due time of again; 0: ready
	}{
		{"good", entry{kind: known, expiry: now.Add(2 * time.Hour)}, 0, 0},
		{"older than a day", entry{kind: known, expiry: now.Add(-time.Second)}, 1, 5 * time.Second},
		{"too old to be pinned", entry{kind: known, expiry: now.Add(time.Minute)}, 1, 5 * time.Second},
		{"held", entry{kind: notNow, expiry: now.Add(35 * time.Second), since: now.Add(-time.Minute)}, 0,
			40 * time.Second},
		{"hold over", entry{kind: notNow, expiry: now, since: now.Add(-100 * time.Second)}, 1, 160 * time.Second},
		{"an hour counts of the time in which nobody looked", entry{kind: notNow, expiry: now.Add(-20 * time.Hour),
			since: now.Add(-20*time.Hour - time.Minute)}, 1, time.Hour},
		{"in trouble more than a day ago", entry{kind: notNow, expiry: now.Add(-25 * time.Hour),
			since: now.Add(-30 * time.Hour)}, 1, 5 * time.Second},
		{"held by a clock that was wrong", entry{kind: notNow, expiry: now.Add(2000 * time.Hour),
			since: now.Add(1999 * time.Hour)}, 1, 5 * time.Second},
		{"under a longer -ttl", entry{kind: known, expiry: now.Add(25 * time.Hour)}, 1, 5 * time.Second},
		{"held for an hour at most", entry{kind: notNow, expiry: now, since: now.Add(-9 * time.Hour)}, 1, time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newTestNet(t, map[string]http.HandlerFunc{"a.test": status(503)})
			tt.entry.origin = "http://a.test:" + n.port()
			tt.entry.reason = "robots-503"
			tt.entry.addrs = []netip.AddrPort{netip.MustParseAddrPort(n.web)}
			u := tt.entry.origin + "/"
			res := n.resolve(t, u, "-allow-private", loopback, "-hosts", stateOf(t, keyOf(nil, tt.entry.origin),
				&tt.entry))
			if got := n.count("a.test /robots.txt"); got != tt.asked {
				t.Errorf("robots.txt was asked for %d times, want %d", got, tt.asked)
			}
			if tt.waits == 0 {
				res.check(t, u, "ready", "")
				return
			}
			res.check(t, u, "again", "")
			if due := laterTime(t, res.report).Sub(now); due < tt.waits-2*time.Second || due > tt.waits+15*time.Second {
				t.Errorf("due in %v, want about %v", due, tt.waits)
			}
		})
	}
}

// TestRetryAfter has servers that say when they want to be asked again.
func TestRetryAfter(t *testing.T) {
	for value, wait := range map[string]time.Duration{"": 5 * time.Second, "1": 5 * time.Second,
		"600": 640 * time.Second, "86400": time.Hour} {
		n := newTestNet(t, map[string]http.HandlerFunc{"a.test": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", value)
			w.WriteHeader(http.StatusServiceUnavailable)
		}})
		start := time.Now()
		u := "http://a.test:" + n.port() + "/"
		res := n.resolve(t, u, "-allow-private", loopback)
		if due := laterTime(t, res.report).Sub(start); due < wait || due > wait+15*time.Second {
			t.Errorf("Retry-After: %s makes it wait for %v, want about %v", value, due, wait)
		}
		if wait < time.Minute {
			continue
		}
		res = n.resolve(t, u, "-allow-private", loopback, "-hosts", list(t, res.segment))
		if got := n.count("a.test /robots.txt"); got != 1 {
			t.Errorf("Retry-After: %s: it was asked %d times", value, got)
		}
	}
}

// laterTime is the due time of the only batch that waits.
func laterTime(t *testing.T, report string) time.Time {
	t.Helper()
	_, line, _ := strings.Cut(report, "\nlater ")
	line, rest, _ := strings.Cut(line, "\n")
	_, stamp, _ := strings.Cut(line, " ")
	due, err := time.Parse(time.RFC3339, stamp)
	if err != nil || strings.Contains(rest, "later ") {
		t.Fatalf("report does not have one due time: %v\n%s", err, report)
	}
	return due
}

// TestTwoOriginsOfOneKey has the state answer with another origin's entry.
func TestTwoOriginsOfOneKey(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{"a.test": text("User-agent: *\nDisallow: /\n")})
	origin := "http://a.test:" + n.port()
	other := &entry{kind: known, origin: "http://other.test", expiry: time.Now().Add(20 * time.Hour),
		addrs: []netip.AddrPort{netip.MustParseAddrPort(n.web)}}
	res := n.resolve(t, origin+"/", "-allow-private", loopback, "-hosts", stateOf(t, keyOf(nil, origin), other))
	res.check(t, origin+"/", "refused", "robots")
}

// TestPatience has a host that has been in trouble for longer than a day, whose URLs end with the
// reason of the trouble, and URLs that have waited for longer. These end only where nothing is
// remembered of their hosts: the day may have been one in which the crawl was stopped.
func TestPatience(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{"down.test": status(503)})
	down, dead := "http://down.test:"+n.port()+"/", "http://dead.test:2/"
	long := time.Now().Add(-25 * time.Hour)
	since := "\tsince=" + strconv.FormatInt(long.Unix(), 10) + "\n"
	lines := down + "old" + since + down + "new\n" + dead + "old" + since + dead + "new\ttries=4\n"
	res := n.resolve(t, lines, "-allow-private", loopback)
	for _, u := range []string{down + "old", down + "new", dead + "old", dead + "new"} {
		res.check(t, u, "again", "")
	}
	res = n.resolve(t, lines, "-allow-private", loopback, "-new", "")
	res.check(t, down+"old", "refused", "robots-unreachable")
	res.check(t, down+"new", "again", "")
	res.check(t, dead+"old", "refused", "connection-refused")
	res.check(t, dead+"new", "again", "")
	if got := res.record[dead+"new"].Int(urlbatch.Tries); got != 4 {
		t.Errorf("a URL that waits has %d tries, want the 4 that it had", got)
	}
	for _, tt := range []struct{ patience, place, reason string }{
		{"26h", "again", ""},
		{"24h", "refused", "connection-refused"},
	} {
		state := stateOf(t, keyOf(nil, "http://dead.test:2"), &entry{kind: notNow, origin: "http://dead.test:2",
			reason: "connection-refused", since: long, expiry: time.Now().Add(time.Hour)})
		res = n.resolve(t, dead+"found", "-allow-private", loopback, "-hosts", state, "-patience", tt.patience)
		res.check(t, dead+"found", tt.place, tt.reason)
	}
}

// TestFailuresOnTheWay holds that every failure to reach a server lets its URLs wait and costs no
// try.
func TestFailuresOnTheWay(t *testing.T) {
	n := newTestNet(t, nil)
	for _, tt := range []struct{ reason, timeout, url string }{
		{"dns-failed", "1m", "http://broken.test:" + n.port() + "/"},
		{"connection-refused", "1m", "http://dead.test:2/"},
		{"no-answer", "1m", "http://server.test:" + rawServer(t, func(c net.Conn) { c.Close() }) + "/"},
		{"reset", "1m", "http://server.test:" + rawServer(t, reset) + "/"},
		{"head-timeout", "1s", "http://server.test:" + rawServer(t, func(net.Conn) {}) + "/"},
		{"not-http", "1m", "http://server.test:" + rawServer(t, func(c net.Conn) {
			io.WriteString(c,
				"SSH-2.0-x\r\n")
		}) + "/"},
		{"tls-failed", "1m", "https://server.test:" + n.port() + "/"},
		{"tls-certificate", "1m", "https://server.test:" + portOf(tlsServer(t)) + "/"},
	} {
		res := n.resolve(t, tt.url+"\ttries=3\n", "-allow-private", loopback, "-robots-timeout", tt.timeout)
		res.check(t, tt.url, "again", "")
		if tries := res.record[tt.url].Int(urlbatch.Tries); tries != 3 || !strings.Contains(res.report,
			"\ncount "+tt.reason+" 1\n") {
			t.Errorf("%s: %d tries of 3, report:\n%s", tt.reason, tries, res.report)
		}
	}
}

// TestTrust asks a server whose certificate nobody knows but who is told of it.
func TestTrust(t *testing.T) {
	n := newTestNet(t, nil)
	server := tlsServer(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o666); err != nil {
		t.Fatal(err)
	}
	url, named := "https://example.com:"+portOf(server)+"/", "*="+server.Listener.Addr().String()
	res := n.resolve(t, url, "-connect-to", named, "-ca", ca)
	res.check(t, url, "ready", "")
	res = n.resolve(t, url, "-connect-to", named)
	res.check(t, url, "again", "")
}

func TestRobotsTxtsOfOneRunAreBounded(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{"a.test": text("User-agent: *\n"),
		"b.test": text("User-agent: *\n")})
	c, err := openCache("", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &options{agent: "foobot/1.0", ttl: time.Hour, timeout: 10 * time.Second, span: time.Minute, jobs: 1, room: 1}
	if err := o.dialer.ConnectTo.Set("*=" + n.web); err != nil {
		t.Fatal(err)
	}
	p, err := o.newProber(&stage.Env{Log: slog.New(slog.DiscardHandler)}, c.codec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.client.Close()
	origins := []string{"http://a.test:" + n.port(), "http://b.test:" + n.port()}
	if err := o.renew(t.Context(), c, p, origins); err != nil {
		t.Fatal(err)
	}
	if c.entries[origins[0]] == nil || c.entries[origins[1]] != nil {
		t.Errorf("entries %v, want the first alone: it fills the room", c.entries)
	}
}

func TestVerify(t *testing.T) {
	whole := &entry{kind: noHost, origin: "http://a.test", reason: "no-such-host", expiry: time.Now()}
	for _, c := range []struct {
		origin string // under whose key the entry is kept
		entry  *entry
		want   string // on stderr
	}{
		{"http://a.test", whole, ""},
		{"http://b.test", whole, `entry of "http://a.test"`},
		{"http://a.test", &entry{kind: private, origin: "http://a.test", expiry: time.Now()}, "an unknown kind"},
	} {
		list := stateOf(t, keyOf(nil, c.origin), c.entry)
		path, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		r := stagetest.Run(t, tool(), setup, "", "-verify", strings.TrimSpace(string(path)))
		if (r.Code == stage.ExitDone) != (c.want == "") || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("entry of %s under %s: %+v", c.entry.origin, c.origin, r)
		}
	}
}
