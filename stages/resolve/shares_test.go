package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestShareOfADomain has a domain of many hosts, each with a robots.txt as long as it may be, in
// front of another domain: it takes no more than its share of bytes and, once all is known, of
// work.
func TestShareOfADomain(t *testing.T) {
	const size, hosts = 400 << 10, 60
	n := newTestNet(t, map[string]http.HandlerFunc{})
	long := text("User-agent: *\n" + strings.Repeat("Disallow: /x\n", size/13))
	var urls, domain []string
	for i := range hosts {
		host := fmt.Sprintf("h%d.big.test", i)
		n.robots[host] = long
		if i%2 == 0 { // a body that says nothing costs as much
			n.robots[host] = func(w http.ResponseWriter,
				r *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				long(w, r)
			}
		}
		domain = append(domain, "http://"+host+":"+n.port()+"/")
	}
	other := "http://other.test:" + n.port() + "/"
	urls = append(domain, other)
	first := n.resolve(t, strings.Join(urls, "\n"), "-allow-private", loopback, "-per-address-connections", "4")
	asked, again := 0, 0
	for i := range hosts {
		asked += n.count(fmt.Sprintf("h%d.big.test /robots.txt", i))
	}
	for _, url := range domain {
		if first.place[url] == "again" {
			again++
		}
	}
	const share = maxShare/size + 1
	if asked < share || asked > share+4 || again < hosts-share-4 {
		t.Errorf("%d hosts were asked, %d URLs wait; want %d to %d asked", asked, again, share, share+4)
	}
	first.check(t, other, "ready", "")
}

// TestShareOfWork has URLs by the thousand on a host whose robots.txt takes long for each.
func TestShareOfWork(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{
		"dear.test": text("User-agent: *\n" + strings.Repeat("Allow:*aaaaaaaaaaaaaaaaaaaab\n", 15_000)),
		"deed.test": text("User-agent: *\nDisallow: /*b\n"),
	})
	var urls []string
	for i := range 1000 {
		urls = append(urls, fmt.Sprintf("http://dear.test:%s/%s%d", n.port(), strings.Repeat("a", 500), i))
	}
	other := "http://deed.test:" + n.port() + "/"
	res := n.resolve(t, strings.Join(append(urls, other), "\n"), "-allow-private", loopback)
	again := 0
	for _, url := range urls {
		if res.place[url] == "again" {
			again++
		}
	}
	if again < 500 || again == len(urls) {
		t.Errorf("%d of %d URLs wait", again, len(urls))
	}
	res.check(t, other, "ready", "")
}

func TestBadPort(t *testing.T) {
	n := newTestNet(t, nil)
	res := n.resolve(t, "http://a.test:25/", "-allow-private", loopback)
	res.check(t, "http://a.test:25/", "refused", "bad-port")
	if n.count("dns a.test") > 0 {
		t.Error("its name was looked up")
	}
}
