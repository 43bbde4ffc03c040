package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dialed is the address that client is led to.
func dialed(t *testing.T, client *http.Client) string {
	t.Helper()
	c, err := client.Transport.(*http.Transport).DialContext(t.Context(), "tcp", "any:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.RemoteAddr().String()
}

func get(t *testing.T, client *http.Client, u string) (int, string) {
	t.Helper()
	resp, body := ask(t, client, u, "")
	return resp.StatusCode, body
}

func TestDeadHostClosesWithoutAnAnswer(t *testing.T) {
	f := newFaults()
	if err := f.addDead("H001.test"); err != nil {
		t.Fatal(err)
	}
	srv, client := start(t, newSynthetic(shape{hosts: 2, pages: 3, seed: 1}), f)
	if _, err := client.Get("http://h001.test/"); !errors.Is(err, io.EOF) {
		t.Errorf("the dead host gives %v, want the end of the connection", err)
	}
	if status, _ := get(t, client, "http://h000.test/"); status != 200 {
		t.Errorf("the other host answers %d", status)
	}
	if s := srv.ledger.stats(); s.Kinds[kindDead].Distinct != 1 || s.Kinds[kindPage].Distinct != 1 {
		t.Errorf("counted as %v", s.Kinds)
	}
}

func TestRobots503(t *testing.T) {
	f := newFaults()
	if err := f.addRobots503("h000.test=1h"); err != nil {
		t.Fatal(err)
	}
	srv, client := start(t, newSynthetic(shape{hosts: 2, pages: 3, seed: 1}), f)
	if status, _ := get(t, client, "http://h000.test/robots.txt"); status != 503 {
		t.Errorf("robots.txt answers %d, want 503", status)
	}
	if status, _ := get(t, client, "http://h001.test/robots.txt"); status != 200 {
		t.Errorf("robots.txt of the other host answers %d", status)
	}
	get(t, client, "http://h000.test/")
	if n := srv.ledger.stats().Violations; n != 1 {
		t.Errorf("a page fetched meanwhile counts %d violations, want 1", n)
	}
	srv.ledger.started = time.Now().Add(-2 * time.Hour)
	if status, _ := get(t, client, "http://h000.test/robots.txt"); status != 200 {
		t.Errorf("after its hour robots.txt answers %d", status)
	}
}

func TestStatsOverTheWire(t *testing.T) {
	_, client := start(t, newSynthetic(shape{hosts: 2, pages: 3, seed: 1}), newFaults())
	get(t, client, "http://h000.test/?x=1")
	get(t, client, "http://h000.test/")
	var s stats
	_, text := get(t, client, "http://h001.test/__stats?urls=1&reset=1")
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.URLs) != 2 || s.URLs["http://h000.test/?x=1"].Kind != kindStray ||
		s.URLs["http://h000.test/"].Kind != kindPage || s.Hosts != nil {
		t.Errorf("the counts are %s", text)
	}
	if _, text := get(t, client, "http://h000.test/__stats"); !strings.Contains(text, `"kinds": {}`) {
		t.Errorf("after the reset the counts are %s", text)
	}
}

func TestUnknownHostIsMisdirected(t *testing.T) {
	srv, client := start(t, newSynthetic(shape{hosts: 2, pages: 3, seed: 1}), newFaults())
	if status, _ := get(t, client, "http://h002.test/"); status != http.StatusMisdirectedRequest {
		t.Errorf("answers %d", status)
	}
	if n := len(srv.ledger.hosts); n != 0 {
		t.Errorf("%d hosts are counted; strangers' names must not fill the memory", n)
	}
}

// TestServe runs the whole program: first line, an answer, the file, the end.
func TestServe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats.json")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, w := io.Pipe()
	code := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		code <- run(ctx, []string{"-hosts", "1", "-pages", "2", "-stats", file}, w, &errs)
	}()
	line := make([]byte, 100)
	n, err := r.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimSpace(string(line[:n]))
	if host, _, err := net.SplitHostPort(addr); err != nil || host != "127.0.0.1" {
		t.Fatalf("first line is %q", addr)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn,
		error) {
		return new(net.Dialer).DialContext(ctx, "tcp", addr)
	}}}
	if status, _ := get(t, client, "http://h000.test/"); status != 200 {
		t.Errorf("the front page answers %d", status)
	}
	client.CloseIdleConnections()
	stop()
	if c := <-code; c != 0 {
		t.Fatalf("exit %d: %s", c, errs.String())
	}
	var s stats
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil || s.URLs["http://h000.test/"].Count != 1 {
		t.Errorf("the file holds %s (%v)", text, err)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-listen 0.0.0.0:80", "-listen: want a loopback address"},
		{"-listen localhost", "missing port"},
		{"-listen 127.0.0.1:0 -listen 10.0.0.1:80", "-listen: want a loopback address"},
		{"-speeds 0-5", "-speeds: want MIN-MAX"},
		{"-speeds 9-5", "-speeds: want MIN-MAX"},
		{"-speeds 9", "-speeds: want MIN-MAX"},
		{"-hosts 5 -hostile 6", "-hostile: want 0 to the number of -hosts"},
		{"-fault nothing", "-fault: no such fault; there are silent closes"},
		{"-hostile 1 -root .", "-hostile is for the synthetic web"},
		{"-hosts 0", "-hosts: want 1 to 100000"},
		{"-pages 100000", "-pages: want 1 to 99999"},
		{"-robots-503 h000.test", "want HOST=DURATION"},
		{"-robots-503 h000.test=5", "missing unit"},
		{"-delay -1s", "not negative"},
		{"-reach", "-reach wants the URLs"},
		{"-reach -root .", "reach.py"},
		{"http://h000.test/", "unexpected argument"},
		{"-page 3", "not defined: -page"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), &out, &errs); code != 2 ||
			!strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit %d, %q; want 2 and %q", c.args, code, errs.String(), c.want)
		}
	}
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"-reach", "http://h099.test/"}, io.Discard, &errs); code != 1 ||
		!strings.Contains(errs.String(), "is no URL of this web") {
		t.Errorf("an unknown seed: exit %d, %q", code, errs.String())
	}
}
