package main

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// quickServer answers every request, over connections that it keeps, with the same page, and does
// no more than it must.
func quickServer(b *testing.B, page string) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	answer := fmt.Appendf(nil,
		"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
	talk := func(c net.Conn) {
		defer c.Close()
		request := make([]byte, 4096)
		for {
			if _, err := c.Read(request); err != nil { // which comes in one piece
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go talk(c)
		}
	}()
	return l.Addr().String()
}

// batchOf are lines of so many hosts and pages of each, that of each host in turn.
func batchOf(address string, hosts, pages int) string {
	var lines strings.Builder
	for page := range pages {
		for host := range hosts {
			fmt.Fprintf(&lines, "http://h%06d.test/%d\taddr=%s\n", host, page, address)
		}
	}
	return lines.String()
}

// BenchmarkStage runs the whole stage on batches of 2000 pages of 13.7 KB, with and without delay,
// with more hosts than connections, and with one page of each host: then every request has a
// connection of its own. The CPU is that of the server, too.
func BenchmarkStage(b *testing.B) {
	words := strings.Fields("the crawl of a page is a walk over links that nobody has made for it")
	var page strings.Builder
	for i := 0; page.Len() < 13_700; i++ {
		fmt.Fprintf(&page, "%s %d <a href=/%d>%s</a>\n", words[i*7%len(words)], i*i, i, words[i*i%len(words)])
	}
	address := quickServer(b, page.String()[:13_700])
	for _, bb := range []struct {
		name         string
		hosts, pages int
		args         []string
	}{
		{"hosts=100", 100, 20, []string{"-connections", "128"}},
		{"hosts=100,delay=10ms", 100, 20, []string{"-connections", "128", "-delay", "10ms", "-slowness", "0"}},
		{"hosts=1000", 1000, 4, []string{"-connections", "128"}},
		{"hosts=2000", 2000, 1, []string{"-connections", "128"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			lines := batchOf(address, bb.hosts, bb.pages)
			b.ReportAllocs()
			began := stagetest.Processor()
			for b.Loop() {
				if code, stderr := fetchInto(b.Context(), b.TempDir(), lines, bb.args...); code != 0 {
					b.Fatal(stderr)
				}
			}
			b.ReportMetric(float64((stagetest.Processor()-began).Microseconds())/float64(b.N*bb.hosts*bb.pages), "cpu-us/page")
		})
	}
}
