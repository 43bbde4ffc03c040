package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/manager/internal/window/guard"
)

// scriptFile writes a script of a crawl that has not begun.
func scriptFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flow.toml")
	text := "flow = 1\ndir = \"crawl\"\nseeds = { a = \"seeds\" }\n[stage.one]\nin = \"a\"\nrun = \"true {in}\"\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWindow: the first line has the address, at which the crawl is shown until the program is told
// to end.
func TestWindow(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var complaints bytes.Buffer
	ended := make(chan int)
	go func() { ended <- run(ctx, []string{scriptFile(t)}, w, &complaints) }()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "window on ")
	if !ok || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("the first line is %q", line)
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.Request.URL.Path != "/c/flow/" || !bytes.Contains(text, []byte("The crawl has not begun.")) {
		t.Errorf("%s shows %s, %v", answer.Request.URL, text, err)
	}
	if answer.Header.Get("Content-Security-Policy") == "" {
		t.Error("the pages are not guarded")
	}
	stop()
	if code := <-ended; code != 0 || complaints.Len() > 0 {
		t.Errorf("it ends with %d: %s", code, &complaints)
	}
}

// TestOpenToOthers: on an address of the network, window says what that means.
func TestOpenToOthers(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for listen, open := range map[string]bool{"0.0.0.0:0": true, "127.0.0.1:0": false, "[::1]:0": false} {
		var complaints bytes.Buffer
		if code := run(ctx, []string{"-listen", listen, scriptFile(t)}, io.Discard, &complaints); code != 0 {
			t.Errorf("%s: code %d: %s", listen, code, &complaints)
		}
		if said := strings.Contains(complaints.String(), "no password"); said != open {
			t.Errorf("%s: it says %q", listen, &complaints)
		}
	}
}

// TestAddress: the address that is printed is one that the server answers to.
func TestAddress(t *testing.T) {
	at := func(ip net.IP) *net.TCPAddr { return &net.TCPAddr{IP: ip, Port: 80} }
	for _, c := range []struct {
		at    *net.TCPAddr
		names []string
		want  string
	}{
		{at(net.IPv4(127, 0, 0, 1)), []string{"box"}, "127.0.0.1:80"}, {at(net.IPv6loopback), nil, "[::1]:80"},
		{at(net.IPv4zero), nil, "localhost:80"}, {at(net.IPv6unspecified), nil, "localhost:80"},
		{at(net.IPv4zero), []string{"box"}, "box:80"}, {at(net.IPv4(192, 0, 2, 1)), nil, "192.0.2.1:80"},
	} {
		got := address(c.at, c.names)
		if hosts := guard.Hosts(c.at, c.names); got != c.want || !slices.Contains(hosts, got) {
			t.Errorf("%v with %q prints %s, want %s, and answers to %q", c.at, c.names, got, c.want, hosts)
		}
	}
}

// TestUsage: a wrong command line is told from a failure.
func TestUsage(t *testing.T) {
	path := scriptFile(t)
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{nil, exitUsage, "window [flags]"},
		{[]string{"-h"}, 0, "-listen"},
		{[]string{"-none", path}, exitUsage, "-none"},
		{[]string{"-var", "x", path}, exitUsage, "-var"},
		{[]string{path + "x"}, exitUsage, "no such file"},
		{[]string{"-report", path, path}, exitUsage, "one crawl"},
		{[]string{"-listen", "192.0.2.1:1", path}, exitFailed, "-listen"},
	} {
		var complaints bytes.Buffer
		if code := run(context.Background(), c.args, io.Discard, &complaints); code != c.code ||
			!strings.Contains(complaints.String(), c.said) {
			t.Errorf("%q: code %d, want %d: %s", c.args, code, c.code, &complaints)
		}
	}
}
