package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/traffic/visits"
)

// TestVisits: each host of a run is told of if none of its URLs is ready, and no other.
func TestVisits(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{
		"rules.test": text("User-agent: *\nDisallow: /no\n"),
		"shut.test":  text("User-agent: *\nDisallow: /\n"),
		"down.test":  status(503),
	})
	at := func(host, path string) string { return "http://" + host + ":" + n.port() + path + "\n" }
	path := filepath.Join(t.TempDir(), "visits.txt")
	start := time.Now()
	n.resolve(t, at("rules.test", "/no/1")+at("rules.test", "/yes")+at("plain.test", "/")+
		at("shut.test", "/1")+at("shut.test", "/2")+"ftp://shut.test/\n"+at("down.test", "/")+
		"http://dead.test:2/\nhttp://nowhere.test/\nhttp://nowhere.test:81/\nftp://other.test/\nbad line\n",
		"-allow-private", loopback, "-visits", path)
	var got []string
	for _, line := range stagetest.Lines(t, path) {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		v, err := visits.Of(rec, start)
		if err != nil {
			t.Fatal(err)
		}
		if held := v.NotBefore.Sub(start); !v.NotBefore.IsZero() && (held < 4*time.Second || held > 20*time.Second) {
			t.Errorf("%s is held for %v, want what resolve waits at first", v.Host, held)
		}
		got = append(got, fmt.Sprint(v.Host, " ", v.Unready, " ", !v.NotBefore.IsZero(), " ", v.Unreached))
	}
	want := []string{"shut.test 3 false ", "other.test 1 false ", "down.test 1 true ",
		"dead.test 1 true connection-refused", "nowhere.test 2 false "}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// TestVisitsNoTime: a host for which there was no time may be asked when its URLs are due again; nothing
// tells that it does not answer. Where all hosts have a URL that is ready, no file is written.
func TestVisitsNoTime(t *testing.T) {
	n := newTestNet(t, nil)
	url, path := "http://plain.test:"+n.port()+"/", filepath.Join(t.TempDir(), "visits.txt")
	n.resolve(t, url, "-allow-private", loopback, "-visits", path, "-for", "1ns")
	got := strings.Join(stagetest.Lines(t, path), "\n")
	if !strings.HasPrefix(got, "http://plain.test/\tasked=0\tnot_before=") || !strings.HasSuffix(got, "\tunready=1") {
		t.Errorf("told %q", got)
	}
	path += "-2"
	n.resolve(t, url, "-allow-private", loopback, "-visits", path)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of nothing: %v", err)
	}
}
