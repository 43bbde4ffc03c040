package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/exchange"
)

func TestEveryURLHasItsPlace(t *testing.T) {
	s := newSite(t, faults)
	tests := []struct {
		path   string // on its own host, so that no fault disturbs another
		before int64  // tries
		place  string
		tries  int64
		reason string
	}{
		{"/ok", 0, "pages", 0, ""},
		{"/ok?again", 3, "pages", 3, ""},
		{"/chunked", 0, "pages", 0, ""},
		{"/gzip", 0, "pages", 0, ""},
		{"/moved", 0, "pages", 0, ""},
		{"/missing", 0, "pages", 0, ""},
		{"/down", 0, "again", 1, ""},
		{"/down?last", 4, "pages", 4, ""}, // the last try is kept
		{"/endless", 0, "pages", 0, ""},
		{"/huge-header", 0, "again", 1, ""},
		{"/garbage", 1, "again", 2, ""},
		{"/wrong-length", 0, "again", 1, ""},
		{"/wrong-length-always", 2, "pages", 2, ""}, // the last try is kept
		{"/silent", 0, "again", 1, ""},
		{"/busy", 0, "again", 1, ""},
		{"/busy?last", 4, "pages", 4, ""},
	}
	url := func(i int) string { return fmt.Sprintf("http://h%d.test%s", i, tests[i].path) }
	var lines strings.Builder
	for i, tt := range tests {
		lines.WriteString(s.line(fmt.Sprintf("h%d.test", i), tt.path, fmt.Sprint("tries=", tt.before), "depth=2",
			"via=http://x.test/"))
	}
	others := map[string]struct{ line, reason string }{
		"http://private.test/":  {"\taddr=10.0.0.1:80", "private-address"},
		"http://metadata.test/": {"\taddr=169.254.169.254:80", "private-address"},
		"http://badpin.test/":   {"\taddr=example.org:80", "bad-addr"},
		"http://patient.test/":  {"\taddr=127.0.0.1:1\tdelay=3600000", "crawl-delay"},
		"http://never.test/":    {"\taddr=127.0.0.1:1\tdelay=9223372036854775807", "crawl-delay"},
		"ftp://x.test/":         {"", "bad-scheme"},
	}
	for u, o := range others {
		fmt.Fprintf(&lines, "%s%s\n", u, o.line)
	}
	past := strconv.FormatInt(time.Now().Unix()-1, 10)
	lines.WriteString(s.line("stale.test", "/", "tries=2", "until="+past) + "bad line\n")
	res := fetch(t, lines.String(), "-timeout", "400ms", "-max-body", "100KB", "-max-header", "10KB")
	res.conserved(t, len(tests)+len(others)+2)
	for i, tt := range tests {
		res.check(t, url(i), tt.place, tt.tries, tt.reason)
		if rec := res.record[url(i)]; rec != nil {
			checkCarried(t, rec, tt.place)
		}
	}
	for u, o := range others {
		res.check(t, u, "failed", 0, o.reason)
	}
	res.check(t, "http://stale.test/", "again", 2, "")
	res.check(t, "bad-line:bad%20line", "failed", 0, urlbatch.BadLine)
	checkPages(t, &res)
}

// TestOutagesAreCountedApart holds that a URL which has lived through an outage still has all the
// tries that it gets for other failures, and the other way round.
func TestOutagesAreCountedApart(t *testing.T) {
	t.Parallel()
	s := newSite(t, faults)
	tests := []struct {
		host, path, before string
		place, reason      string
		tries, outages     int64
	}{
		{"a.test", "/reset", "", "again", "", 0, 1},
		{"b.test", "/reset", "outages=6", "failed", "reset", 0, 7},
		{"c.test", "/reset", "tries=6", "again", "", 6, 1},
		{"d.test", "/garbage", "outages=6", "again", "", 1, 6},
		{"e.test", "/down", "outages=6", "again", "", 1, 6}, // not yet kept as an answer
		{"f.test", "/wrong-length", "outages=6", "again", "", 1, 6},
	}
	lines := ""
	for _, tt := range tests {
		lines += s.line(tt.host, tt.path, strings.Fields(tt.before)...)
	}
	res := fetch(t, lines)
	res.conserved(t, len(tests))
	for _, tt := range tests {
		u := "http://" + tt.host + tt.path
		res.check(t, u, tt.place, tt.tries, tt.reason)
		if got := res.record[u].Int(urlbatch.Outages); got != tt.outages {
			t.Errorf("%s has %d outages, want %d", u, got, tt.outages)
		}
	}
}

// checkCarried asserts that a record keeps what it is and loses what resolve pinned.
func checkCarried(t *testing.T, rec *urlbatch.Record, place string) {
	t.Helper()
	via, _ := rec.Get(urlbatch.Via)
	_, pinned := rec.Get(urlbatch.Addr)
	if rec.Int(urlbatch.Depth) != 2 || via != "http://x.test/" || pinned {
		t.Errorf("in %s: %s", place, rec.Line())
	}
}

// checkPages looks into the archive: bytes as on the wire, cuts marked.
func checkPages(t *testing.T, res *leavings) {
	t.Helper()
	for part, want := range map[string]string{
		"/ok": "\r\n\r\nfine", "/chunked": "\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n", "/gzip": "\x1f\x8b",
		"/moved":   "Location: /ok\r\n",
		"/missing": "HTTP/1.1 404 Not Found\r\n", "/wrong-length-always": "\r\n\r\nshort",
	} {
		for u, block := range res.block {
			if strings.HasSuffix(u, part) && !strings.Contains(block, want) {
				t.Errorf("%s is %.200q, want %q in it", u, block, want)
			}
		}
	}
	for u, cut := range res.cut {
		want := ""
		switch {
		case strings.HasSuffix(u, "/endless"):
			want = exchange.CutLength
		case strings.HasSuffix(u, "/wrong-length-always"):
			want = exchange.CutDisconnect
		}
		if cut != want {
			t.Errorf("%s is truncated %q, want %q", u, cut, want)
		}
	}
}

func TestDeadServerIsAskedOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var connections atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close() // no handshake: TLS fails
		}
	}()
	s := newSite(t, faults)
	var lines strings.Builder
	for i := range 20 {
		fmt.Fprintf(&lines, "https://h.test/%d\taddr=%s\n", i, l.Addr())
	}
	lines.WriteString(s.line("h.test", "/ok")) // the same host by HTTP lives
	res := fetch(t, lines.String())
	res.conserved(t, 21)
	for i := range 20 {
		res.check(t, fmt.Sprintf("https://h.test/%d", i), "again", 1, "")
	}
	res.check(t, "http://h.test/ok", "pages", 0, "")
	if got := connections.Load(); got != 1 {
		t.Errorf("%d connections to a server that cannot be reached, want 1", got)
	}
}

// TestNextAddress holds that a server whose first address is dead is asked at the next one, and
// that the dead one is not asked again by the same run.
func TestNextAddress(t *testing.T) {
	s := newSite(t, faults)
	var lines strings.Builder
	dead := closedPort(t)
	for i := range 3 {
		fmt.Fprintf(&lines, "http://h.test/ok?%d\taddr=%s,%s\n", i, dead, s.Listener.Addr())
	}
	fmt.Fprintf(&lines, "http://private.test/ok\taddr=10.0.0.1:80,%s\n", s.Listener.Addr())
	fmt.Fprintf(&lines, "http://dead.test/ok\taddr=%s,%s\n", dead, dead)
	res := fetch(t, lines.String())
	res.conserved(t, 5)
	for i := range 3 {
		res.check(t, fmt.Sprint("http://h.test/ok?", i), "pages", 0, "")
	}
	res.check(t, "http://private.test/ok", "pages", 0, "")
	res.check(t, "http://dead.test/ok", "again", 0, "")
	for _, want := range []string{"count next-address 3\n", "count connection-refused 1\n"} {
		if !strings.Contains(res.report, want) {
			t.Errorf("want %q in\n%s", want, res.report)
		}
	}
}

// closedPort is an address where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestExpiredPins holds that an expired pin is found before its host's delay is waited
// for, and again when its turn comes.
func TestExpiredPins(t *testing.T) {
	start := time.Now()
	s := newSite(t, faults)
	past := "until=" + strconv.FormatInt(start.Unix()-1, 10)
	res := fetch(t, s.line("h.test", "/1", past)+s.line("h.test", "/2", past), "-delay", "20s", "-for", "30s")
	res.conserved(t, 2)
	res.check(t, "http://h.test/1", "again", 0, "")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("the run took %v for pins that had expired before it", took)
	}
	rec, err := urlbatch.Parse([]byte("http://h.test/\taddr=127.0.0.1:1\t" + past))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := new(round).newLane().addresses(t.Context(), newTarget(rec)); !errors.Is(err, errExpired) {
		t.Errorf("addresses of an expired pin: %v, want %v", err, errExpired)
	}
}

func TestTLS(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(faults))
	address, ca := startTLS(t, srv)
	line := "https://example.com/ok\taddr=" + address + "\n"
	res := fetch(t, line, "-ca", ca)
	res.check(t, "https://example.com/ok", "pages", 0, "")
	res = fetch(t, strings.Replace(line, "\n", "\ttries=2\n", 1))
	res.check(t, "https://example.com/ok", "failed", 3, "tls-certificate")
}

func TestLinesWithoutPin(t *testing.T) {
	s := newSite(t, faults)
	addr := s.Listener.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	res := fetch(t, "http://any.test/ok\nhttp://127.0.0.1:"+port+"/ok\nhttp://10.0.0.1/\n", "-connect-to",
		"any.test="+addr)
	res.conserved(t, 3)
	res.check(t, "http://any.test/ok", "pages", 0, "")
	res.check(t, "http://127.0.0.1:"+port+"/ok", "pages", 0, "")
	res.check(t, "http://10.0.0.1/", "failed", 0, "private-address")
}

func TestFailedIsOptional(t *testing.T) {
	res := fetch(t, "ftp://x.test/\nbad line\n", "-failed", "")
	for _, want := range []string{"in 2\n", "reason bad-line 1\n", "reason bad-scheme 1\n"} {
		if !strings.Contains(res.report, want) {
			t.Errorf("report lacks %q:\n%s", want, res.report)
		}
	}
}

func TestSignalEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ok" {
			faults(w, r)
			return
		}
		cancel()
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	dir := t.TempDir()
	code, _ := fetchInto(ctx, dir, s.line("a.test", "/ok")+s.line("a.test", "/hangs")+s.line("a.test", "/next"))
	if code != stage.ExitFailed {
		t.Errorf("exit code %d, want %d", code, stage.ExitFailed)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files left: %v", left)
	}
}
