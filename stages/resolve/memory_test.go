package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/robots"
)

// TestMemory holds what -h says of memory: each robots.txt is as long as it may be, every other one
// incompressible.
func TestMemory(t *testing.T) {
	const hosts, told = 600, 300 << 20
	stagetest.Peak(t, told, func(dir string) {
		noise, blank := make([]byte, robots.MaxBody), []byte(strings.Repeat(" ", robots.MaxBody))
		rand.NewChaCha8([32]byte{}).Read(noise)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := blank
			if strings.HasPrefix(r.Host, "noise-") {
				body = noise
			}
			w.Write(body)
		}))
		t.Cleanup(server.Close)
		var urls strings.Builder
		for i := range hosts {
			fmt.Fprintf(&urls, "http://%s%d.test/\n", []string{"noise-", "blank-"}[i%2], i)
		}
		for name, text := range map[string]string{"urls": urls.String(), "server": server.Listener.Addr().String()} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}, func(dir string) {
		path := func(name string) string { return filepath.Join(dir, name) }
		server, err := os.ReadFile(path("server"))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"-agent", "foobot/1.0", "-connect-to", "*.test=" + string(server),
			"-per-address-connections", "0",
			"-new", path("segment"), "-ready", path("ready"), "-again", path("again"), "-report", path("report"),
			path("urls")}
		if code := stage.Run(context.Background(), tool(), setup, args, nil, io.Discard,
			os.Stderr); code != stage.ExitDone {
			t.Fatalf("exit code %d", code)
		}
	})

}
