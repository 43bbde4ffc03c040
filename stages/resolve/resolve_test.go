package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/robots"
)

// A result is what a run left: each record's place and the record, by URL.
type result struct {
	place   map[string]string
	record  map[string]*urlbatch.Record
	report  string
	segment string
}

// resolve runs the stage on lines. args come behind the usual flags.
func (n *testNet) resolve(t *testing.T, lines string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	args = append([]string{"-agent", "foobot/1.0", "-dns", n.dns, "-report", path("report"), "-new", path("seg"),
		"-ready", path("ready"), "-again", path("again"), "-refused", path("refused")}, args...)
	var stderr bytes.Buffer
	if code := stage.Run(context.Background(), tool(), setup, args, strings.NewReader(lines), &stderr,
		&stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	res := result{place: map[string]string{}, record: map[string]*urlbatch.Record{}, segment: path("seg")}
	rep, err := os.ReadFile(path("report"))
	if err != nil {
		t.Fatal(err)
	}
	res.report = string(rep)
	files, _ := filepath.Glob(path("[ar]*"))
	for _, file := range files {
		if place, _, _ := strings.Cut(filepath.Base(file), "-"); place != "report" {
			res.add(t, place, file)
		}
	}
	return res
}

func (res *result) add(t *testing.T, place, file string) {
	t.Helper()
	rep := report.New()
	err := urlbatch.Each(context.Background(), []string{file}, nil, rep, nil, func(r *urlbatch.Record) error {
		if at, twice := res.place[r.URL()]; twice {
			t.Errorf("%s is in %s and in %s", r.URL(), at, place)
		}
		res.place[r.URL()], res.record[r.URL()] = place, r.Clone()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// check asserts where url is, and why if it was refused.
func (res *result) check(t *testing.T, url, place, reason string) {
	t.Helper()
	rec := res.record[url]
	if rec == nil {
		t.Fatalf("%s is nowhere", url)
	}
	if got, _ := rec.Get(urlbatch.Reason); res.place[url] != place || got != reason {
		t.Errorf("%s is in %s for %q, want in %s for %q", url, res.place[url], got, place, reason)
	}
}

const loopback = "127.0.0.0/8"

// hops redirects n times in all, to hop6.test, hop5.test … and last.
func hops(net **testNet, n int, last string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		left := n
		if at, err := strconv.Atoi(r.URL.Query().Get("left")); err == nil {
			left = at
		}
		to := fmt.Sprintf("http://hop%d.test:%s/robots.txt?left=%d", left, (*net).port(), left-1)
		if left == 1 {
			to = "http://" + last + ":" + (*net).port() + "/robots.txt"
		}
		http.Redirect(w, r, to, http.StatusFound)
	}
}

func TestEveryURLHasItsPlace(t *testing.T) {
	var n *testNet
	n = newTestNet(t, map[string]http.HandlerFunc{
		"hop2.test":   hops(&n, 0, "rules.test"),
		"hop3.test":   hops(&n, 0, "rules.test"),
		"hop4.test":   hops(&n, 0, "rules.test"),
		"hop5.test":   hops(&n, 0, "rules.test"),
		"hop6.test":   hops(&n, 0, "rules.test"),
		"rules.test":  text("User-agent: foobot\nDisallow: /no\nCrawl-delay: 2.5\n\nUser-agent: *\nDisallow: /\n"),
		"down.test":   status(503),
		"busy.test":   status(429),
		"closed.test": status(403),
		"moved.test": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://rules.test:"+n.port()+"/robots.txt", http.StatusMovedPermanently)
		},
		"loop.test": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt",
				http.StatusFound)
		},
		"far.test":   hops(&n, 5, "rules.test"),
		"lost6.test": hops(&n, 6, "rules.test"),
		"inward.test": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://private.test/robots.txt", http.StatusFound)
		},
		"inward6.test": func(w http.ResponseWriter, r *http.Request) {
			hop, _ := strconv.Atoi(r.URL.RawQuery)
			to := "/robots.txt?" + strconv.Itoa(hop+1)
			if hop == robots.MaxRedirects {
				to = "http://private.test/robots.txt"
			}
			http.Redirect(w, r, to, http.StatusFound)
		},
		"lost.test": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusFound) },
		"long.test": text("User-agent: *\nDisallow: /no\n#" + strings.Repeat("x", robots.MaxBody-42) +
			"\nDisallow: /yes\nDisallow: /never\n"),
		"binary.test": text("\x00\xff\x1b[2J" + strings.Repeat("\x01\x80", 999)),
		"packed.test": packed("User-agent: *\nDisallow: /no\n"),
		"bomb.test":   packed("User-agent: *\nDisallow: /no\n" + strings.Repeat("#", 20<<20)),
		"cut.test": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "User-agent: *\n")
			panic(http.ErrAbortHandler)
		},
	})
	tests := []struct{ host, path, place, reason string }{
		{"rules.test", "/yes", "ready", ""},
		{"rules.test", "/no/1", "refused", "robots"},
		{"rules.test", "/robots.txt", "ready", ""},
		{"plain.test", "/", "ready", ""}, // 404
		{"closed.test", "/", "ready", ""},
		{"half.test", "/", "ready", ""},
		{"long.test", "/no", "refused", "robots"},
		{"long.test", "/y", "ready", ""}, // the limit cuts the rule for /yes
		{"long.test", "/yes", "ready", ""},
		{"long.test", "/never", "ready", ""},
		{"binary.test", "/", "ready", ""},
		{"packed.test", "/no", "refused", "robots"}, // though it was not asked for
		{"bomb.test", "/no", "refused", "robots"},
		{"bomb.test", "/yes", "ready", ""},
		{"moved.test", "/no", "refused", "robots"},
		{"moved.test", "/yes", "ready", ""},
		{"loop.test", "/", "ready", ""},          // more than five redirects
		{"far.test", "/no", "refused", "robots"}, // five redirects, over five hosts
		{"far.test", "/yes", "ready", ""},
		{"lost6.test", "/no", "ready", ""},
		{"inward6.test", "/", "ready", ""}, // nobody asks where the sixth redirect leads
		{"inward.test", "/", "again", ""},
		{"lost.test", "/", "again", ""},
		{"cut.test", "/", "again", ""},
		{"down.test", "/", "again", ""},
		{"busy.test", "/", "again", ""},
		{"broken.test", "/", "again", ""},
		{"nowhere.test", "/", "refused", "no-such-host"},
		{"private.test", "/", "refused", "private-address"},
		{"10.0.0.1", "/", "refused", "private-address"},
	}
	var lines strings.Builder
	url := func(host, path string) string { return "http://" + host + ":" + n.port() + path }
	for _, tt := range tests {
		fmt.Fprintf(&lines, "%s\tdepth=3\tmine=x\n", url(tt.host, tt.path))
	}
	fmt.Fprint(&lines, "http://dead.test:2/\tdepth=3\tmine=x\nftp://rules.test/\tdepth=3\tmine=x\nbad line\n")
	res := n.resolve(t, lines.String(), "-allow-private", loopback)
	for _, tt := range tests {
		res.check(t, url(tt.host, tt.path), tt.place, tt.reason)
	}
	res.check(t, "http://dead.test:2/", "again", "")
	res.check(t, "ftp://rules.test/", "refused", "bad-scheme")
	res.check(t, "bad-line:bad%20line", "refused", urlbatch.BadLine)
	if want := fmt.Sprintf("in %d\n", len(tests)+3); !strings.HasPrefix(res.report, want) ||
		len(res.place) != len(tests)+3 {
		t.Errorf("%d records are left, report begins %.20q, want %q", len(res.place), res.report, want)
	}
	for u, rec := range res.record {
		if mine, _ := rec.Get("mine"); mine != "x" && res.place[u] != "refused" || rec.Int(urlbatch.Depth) != 3 &&
			mine != "" {
			t.Errorf("%s lost attributes: %s", u, rec.Line())
		}
	}
	checkAttributes(t, n, &res)
}

// TestCutBetweenChunks has a robots.txt whose framing takes so much of what is read of it that the
// text breaks off early, within a line that would forbid all.
func TestCutBetweenChunks(t *testing.T) {
	const read, line = (robots.MaxBody + 64<<10) / len("1\r\nx\r\n"), "Disallow: /no\n"
	head := "User-agent: *\n"
	for (read-len(head))%len(line) != len("Disallow: /") {
		head += "#"
	}
	var body strings.Builder
	body.WriteString("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
	for _, c := range []byte(head[:len(head)-1] + "\n" + strings.Repeat(line, 2*read/len(line))) {
		fmt.Fprintf(&body, "1\r\n%c\r\n", c)
	}
	n := newTestNet(t, nil)
	u := "http://server.test:" + rawServer(t, func(c net.Conn) { io.WriteString(c, body.String()) }) + "/"
	res := n.resolve(t, u+"no\n"+u+"yes\n", "-allow-private", loopback)
	res.check(t, u+"no", "refused", "robots")
	res.check(t, u+"yes", "ready", "")
}

func checkAttributes(t *testing.T, n *testNet, res *result) {
	t.Helper()
	ready := res.record["http://rules.test:"+n.port()+"/yes"]
	addr, _ := ready.Get(urlbatch.Addr)
	left := time.Until(time.Unix(ready.Int(urlbatch.Until), 0))
	if addr != n.web || ready.Int(urlbatch.Delay) != 2500 || left < 23*time.Hour || left > 25*time.Hour {
		t.Errorf("ready record is %s, want addr=%s, delay=2500 and a day until it expires", ready.Line(), n.web)
	}
	if half, _ := res.record["http://half.test:"+n.port()+"/"].Get(urlbatch.Addr); half != n.web {
		t.Errorf("half.test is pinned to %s, want %s alone", half, n.web)
	}
	for u, place := range res.place {
		rec := res.record[u]
		if _, tried := rec.Get(urlbatch.Tries); tried {
			t.Errorf("%s has cost a try: %s", u, rec.Line())
		}
		if _, since := rec.Get(urlbatch.Since); since != (place == "again") {
			t.Errorf("%s in %s: %s; since= belongs to those that wait", u, place, rec.Line())
		}
	}
	if !strings.Contains(res.report, "\nlater ") {
		t.Errorf("no batch is due later:\n%s", res.report)
	}
}

func TestLoopbackIsRefusedUnlessNamed(t *testing.T) {
	n := newTestNet(t, nil)
	url := "http://plain.test:" + n.port() + "/"
	res := n.resolve(t, url)
	res.check(t, url, "refused", "private-address")
	if n.count("plain.test /robots.txt") != 0 {
		t.Error("the loopback was asked for robots.txt")
	}
	res = n.resolve(t, "http://any.example/", "-connect-to", "any.example="+n.web)
	res.check(t, "http://any.example/", "ready", "")
	if addr, _ := res.record["http://any.example/"].Get(urlbatch.Addr); addr != n.web {
		t.Errorf("pinned to %s, want the named %s", addr, n.web)
	}
}

func TestNoTimeLeft(t *testing.T) {
	n := newTestNet(t, nil)
	u := "http://plain.test:" + n.port() + "/"
	res := n.resolve(t, u, "-allow-private", loopback, "-for", "1ns")
	res.check(t, u, "again", "")
	if got := res.record[u].Int(urlbatch.Tries); got != 0 || n.count("plain.test /robots.txt") != 0 {
		t.Errorf("the URL has cost %d tries, or its host was asked", got)
	}
}

func TestRefusedIsOptional(t *testing.T) {
	n := newTestNet(t, nil)
	res := n.resolve(t, "http://nowhere.test/\nbad line\n", "-refused", "")
	for _, want := range []string{"in 2\n", "reason bad-line 1\n", "reason no-such-host 1\n"} {
		if !strings.Contains(res.report, want) {
			t.Errorf("report lacks %q:\n%s", want, res.report)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-agent", "(x)"}, {"-agent", "bot"}, {"-agent", "bot\r\nX: y", "-ready", "r", "-again", "a"},
		{"-agent", "bot", "-ready", "r", "-again", "a", "-jobs", "0"},
		{"-agent", "bot", "-ready", "r", "-again", "a", "-per-address-connections", "-1"},
		{"-agent", "bot", "-ready", "r", "-again", "a", "-patience", "-1s"},
		{"-agent", "bot", "-robots", "robots.txt"},
		{"-agent", "bot", "-explain"},
		{"-agent", "bot", "-ready", "r", "-again", "a", "-live"},
		{"-agent", "bot", "-explain", "-ttl", "0s", "http://h/"},
		{"-agent", "bot", "-connect-to", "x"}, {"-agent", "bot", "-dns", "x"},
		{"-agent", "bot", "-ready", "r", "-again", "a", "-ca", "nowhere"},
	} {
		for _, args := range [][]string{args, append([]string{stage.CheckArguments}, args...)} {
			var stderr bytes.Buffer
			if code := stage.Run(context.Background(), tool(), setup, args, strings.NewReader(""), &stderr,
				&stderr); code != stage.ExitUsage {
				t.Errorf("%q: exit code %d, want %d: %s", args, code, stage.ExitUsage, stderr.String())
			}
		}
	}
	ftp, out := []string{"-agent", "bot", "-explain", "ftp://h/"}, new(bytes.Buffer)
	if code := stage.Run(context.Background(), tool(), setup, ftp, nil, out, out); code != stage.ExitUsage {
		t.Errorf("%q: exit code %d, want %d: %s", ftp, code, stage.ExitUsage, out)
	}
}
