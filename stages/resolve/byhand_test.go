package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/robots"
)

func TestJudgeByFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "robots.txt")
	body := "User-agent: *\r\n" +
		"Disallow: /a # \x1b[31m\u202e\r\nAllow: /a/b\r\nCrawl-delay: 1.5\r\nSitemap: HTTP://h:80/s.xml\r\n"
	if err := os.WriteFile(path, []byte(body), 0o666); err != nil {
		t.Fatal(err)
	}
	const group = " in the group of line 1: \"User-agent: *\"\n"
	for _, tt := range []struct {
		agent string
		urls  []string
		want  string
	}{
		{"foobot", []string{"http://h/a/x", "http://h/a/b", "http://h/", "http://h/robots.txt"},
			"deny\thttp://h/a/x\tline 2: \"Disallow: /a # \\x1b[31m\\u202e\"" + group +
				"allow\thttp://h/a/b\tline 3: \"Allow: /a/b\"" + group +
				"allow\thttp://h/\tno rule matches" + group +
				"allow\thttp://h/robots.txt\trobots.txt itself is always allowed\n" +
				"crawl-delay\t1.5s\nsitemap\thttp://h/s.xml\n"},
	} {
		r := stagetest.Run(t, tool(), setup, "", append([]string{"-robots", path, "-agent", tt.agent}, tt.urls...)...)
		if r.Code != stage.ExitDone || r.Stdout != tt.want || r.Report != "" {
			t.Errorf("exit %d, printed %q, want %q", r.Code, r.Stdout, tt.want)
		}
	}
	if err := os.WriteFile(path, []byte("User-agent: other\nDisallow: /\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := stagetest.Run(t, tool(), setup, "", "-robots", path, "-agent", "foobot", "http://h/")
	if r.Stdout != "allow\thttp://h/\tno group for this crawler\n" {
		t.Errorf("printed %q", r.Stdout)
	}
	hostile := "User-agent: *\n" + strings.Repeat("Allow: *ab\n", robots.MaxWork/1000)
	if err := os.WriteFile(path, []byte(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	url := "http://h/" + strings.Repeat("a", 1000)
	r = stagetest.Run(t, tool(), setup, "", "-robots", path, "-agent", "foobot", url)
	if !strings.HasPrefix(r.Stdout, "deny\t"+url+"\ttoo many rules with a * to try all of them: the last one tried "+
		"is line 2097: ") {
		t.Errorf("printed %q", r.Stdout)
	}
}

// TestExplain lets a run learn of some servers, and has it told what is known of them: without
// the network, and without what the clock adds.
func TestExplain(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{
		"rules.test": text("User-agent: foobot\nDisallow: /no # \x1b[2J\nCrawl-delay: 2\n"),
		"down.test":  status(503),
	})
	url := func(host, path string) string { return "http://" + host + ":" + n.port() + path }
	hosts := []string{"rules.test", "plain.test", "down.test", "nowhere.test"}
	var lines strings.Builder
	for _, host := range hosts {
		lines.WriteString(url(host, "/") + "\n")
	}
	state := list(t, n.resolve(t, lines.String(), "-allow-private", loopback).segment)
	for _, host := range hosts {
		n.count(host + " /robots.txt")
	}
	explain := func(url string, args ...string) string {
		t.Helper()
		args = append([]string{"-explain", "-agent", "foobot/1.0", "-dns", n.dns, "-hosts", state}, append(args,
			url)...)
		r := stagetest.Run(t, tool(), setup, "", args...)
		if r.Code != stage.ExitDone || r.Report != "" {
			t.Fatalf("exit %d: %s%s", r.Code, r.Stderr, r.Report)
		}
		text := regexp.MustCompile(`\d\d\d\d-\d\d-\d\dT[0-9:]+Z \([0-9a-z]+ ago\)`).ReplaceAllString(r.Stdout, "TIME")
		text = regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+s(,|\n| \()`).ReplaceAllString(text, "SPAN$3")
		return strings.ReplaceAll(text, n.port(), "PORT")
	}
	open := []string{"-allow-private", loopback}
	const known = "  cache:   server and robots.txt are known since TIME, for SPAN\n  address: 127.0.0.1:PORT\n"
	for _, tt := range []struct {
		url  string
		args []string
		want string
	}{
		{url("rules.test", "/no/x"), open, "http://rules.test:PORT/no/x\n" + known +
			"  robots:  line 2: \"Disallow: /no # \\x1b[2J\" in the group of line 1: \"User-agent: foobot\"\n" +
			"  delay:   SPAN\n  now:     refused (reason robots)\n"},
		{url("rules.test", "/"), open, "http://rules.test:PORT/\n" + known +
			"  robots:  no rule matches in the group of line 1: \"User-agent: foobot\"\n" +
			"  delay:   SPAN\n  now:     ready\n"},
		{url("plain.test", "/"), open, "http://plain.test:PORT/\n" + known + "  robots:  there is none, all is " +
			"allowed\n  now:     ready\n"},
		{url("plain.test", "/"), nil,
			"http://plain.test:PORT/\n  cache:   server and robots.txt are known since TIME, for SPAN\n" +
				"  address: 127.0.0.1:PORT (not used: address 127.0.0.1 (loopback) is not on the public internet " +
				"(-allow-private CIDR opens it))\n" +
				"  robots:  there is none, all is allowed\n  now:     refused (reason private-address)\n"},
		{url("down.test", "/"), open,
			"http://down.test:PORT/\n  cache:   no robots.txt since TIME (robots-503), asked again in SPAN\n" +
				"  address: 127.0.0.1:PORT\n  now:     waits for SPAN (robots-503)\n"},
		{url("nowhere.test", "/"), open,
			"http://nowhere.test:PORT/\n" +
				"  cache:   no-such-host, believed for SPAN\n  now:     refused (reason no-such-host)\n"},
		{"http://unheard.test/", open, "http://unheard.test/\n  cache:   knows nothing of http://unheard.test\n" +
			"  now:     its server would be asked (-live does it)\n"},
		{url("plain.test", "/"), append(open, "-connect-to", "*="+n.web), "http://plain.test:PORT/\n" + known +
			"  robots:  there is none, all is allowed\n  now:     its server would be asked anew (-live does it)\n"},
	} {
		if got := explain(tt.url, tt.args...); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
	for _, host := range hosts {
		if n.count(host+" /robots.txt") != 0 {
			t.Errorf("%s was asked", host)
		}
	}
	got := explain(url("rules.test", "/no"), append(open, "-live")...)
	if n.count("rules.test /robots.txt") != 1 || !strings.Contains(got,
		"  answer:  server and robots.txt are known since TIME") ||
		!strings.Contains(got, "now:     refused (reason robots)") {
		t.Errorf("-live: %s", got)
	}
	got = explain("http://10.0.0.1/", "-live")
	if !strings.Contains(got,
		"answer:  the name has no address on the public internet\n  now:     refused (reason private-address)") {
		t.Errorf("-live of a private address: %s", got)
	}
}

func TestSitemaps(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{
		"maps.test": text("Sitemap: https://Other.test/s.xml.gz\n" +
			"User-agent: *\nDisallow: /\nSitemap: http://maps.test/b.xml\nSitemap: /relative.xml\n"),
		"plain.test": text("User-agent: *\nDisallow:\n"),
	})
	maps := "http://maps.test:" + n.port()
	lines := maps + "/a\tdepth=4\nhttp://plain.test:" + n.port() + "/\n"
	dir := t.TempDir()
	out := filepath.Join(dir, "sitemaps.txt")
	res := n.resolve(t, lines, "-allow-private", loopback, "-sitemaps", out)
	want := "https://other.test/s.xml.gz\tvia=" + maps + "/robots.txt\trel=sitemap\n" +
		"http://maps.test/b.xml\tvia=" + maps + "/robots.txt\trel=sitemap\n"
	if got, _ := os.ReadFile(out); string(got) != want {
		t.Errorf("sitemaps:\n%swant\n%s", got, want)
	}
	if !strings.Contains(res.report, "\nmade "+out+" 2 ") || !strings.Contains(res.report, "\ncount sitemaps 2\n") {
		t.Errorf("report:\n%s", res.report)
	}
	// What the cache knows has been given away already.
	out = filepath.Join(dir, "again.txt")
	n.resolve(t, lines, "-allow-private", loopback, "-sitemaps", out, "-hosts", list(t, res.segment))
	if _, err := os.Stat(out); err == nil {
		t.Error("the sitemaps of a cached robots.txt are written again")
	}
}

// TestRedirectsInward has a server whose robots.txt is said to be at a closed address, in the
// spellings that hide it. Nothing is sent there.
func TestRedirectsInward(t *testing.T) {
	n := newTestNet(t, nil)
	n.leads("open.test", "127.0.0.2")
	var to atomic.Value // the host that the robots.txt is said to be on
	port := n.listenAlso(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://user@"+to.Load().(string)+":"+n.port()+"/inside/robots.txt")
		w.WriteHeader(http.StatusFound)
	})
	for _, host := range []string{"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "%31%32%37.0.0.1",
		"\uff11\uff12\uff17.0.0.1",
		"[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0",
		"169.254.169.254", "plain.test"} {
		to.Store(host)
		u := "http://open.test:" + port + "/"
		res := n.resolve(t, u, "-allow-private", "127.0.0.2")
		res.check(t, u, "again", "")
		if !strings.Contains(res.report, "\ncount robots-redirect 1\n") {
			t.Errorf("%s: report:\n%s", host, res.report)
		}
	}
	if asked := n.everything(); strings.Contains(asked, "/inside/") {
		t.Errorf("a closed address was asked: %s", asked)
	}
}

// TestRebinding has a name that leads to an open address when it is looked up first, and to a
// closed one from then on: nothing is ever sent there, neither by the robots.txt of the name nor by
// a redirect that leads back to it.
func TestRebinding(t *testing.T) {
	n := newTestNet(t, nil)
	n.leads("rebind.test", "127.0.0.2", "127.0.0.1")
	port := n.listenAlso(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+"/moved/robots.txt", http.StatusFound)
	})
	u := "http://rebind.test:" + port + "/"
	res := n.resolve(t, u, "-allow-private", "127.0.0.2")
	res.check(t, u, "again", "")
	if !strings.Contains(res.report, "\ncount robots-redirect 1\n") {
		t.Errorf("report:\n%s", res.report)
	}
	if asked := n.everything(); asked != "map[dns rebind.test:2]" {
		t.Errorf("asked were %s, want two look-ups and not the closed address", asked)
	}
}
