package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/exchange"
)

// TestAnswersThatWaitTakeNoMemory holds that of the long answers which wait to be compressed none
// is read from its file yet: there may be as many of them as connections.
func TestAnswersThatWaitTakeNoMemory(t *testing.T) {
	const answers, long = 8, 4 << 20
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		env := &stage.Env{Files: output.NewRun(io.Discard), Report: report.New()}
		a, err := newArchive(env, filepath.Join(dir, "pages.warc.gz"), nil)
		if err != nil {
			t.Fatal(err)
		}
		var busy []func()
		for range cap(a.encoders) {
			encoder := <-a.encoders
			busy = append(busy, func() { a.encoders <- encoder })
		}
		made := make([]*exchange.Answer, answers)
		for i := range made {
			made[i] = &exchange.Answer{Started: time.Now(), Request: []byte("GET / HTTP/1.1\r\n\r\n"),
				Status: http.StatusOK, Body: &exchange.Spool{}}
			defer made[i].Close()
			io.WriteString(made[i].Body, "HTTP/1.1 200 OK\r\n\r\n")
			io.Copy(made[i].Body, strings.NewReader(strings.Repeat("x", long)))
		}
		before := allocated()
		for i := range made {
			go func() {
				if err := a.write(newTarget(urlbatch.New("http://example.test/")), made[i]); err != nil {
					t.Error(err)
				}
			}()
		}
		synctest.Wait() // all wait
		if took := allocated() - before; took > long {
			t.Errorf("%d answers that wait took %d bytes", answers, took)
		}
		for _, free := range busy {
			free()
		}
		synctest.Wait()
		if n := a.writer.Records(); n != answers {
			t.Errorf("%d answers are in the archive, want %d", n, answers)
		}
		if err := a.writer.Close(); err != nil {
			t.Error(err)
		}
	})
}

// allocated is how many bytes this process has asked for.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestEachPageHasItsOwnBytes holds that no answer has bytes of another's, though many are under
// way, over connections that are kept, in memory that is used again.
func TestEachPageHasItsOwnBytes(t *testing.T) {
	t.Parallel()
	const hosts, pages = 16, 12
	page := func(host, path string) string { // of 4 to 300 KB
		return strings.Repeat(host+path+"\n", 300+len(path)*7%5*2000+len(host)*100)
	}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		body := page(r.Host, r.URL.Path)
		if len(r.URL.Path)%2 == 0 { // else it comes in chunks
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		io.WriteString(w, body)
	})
	var lines strings.Builder
	for p := range pages {
		for h := range hosts {
			lines.WriteString(s.line(fmt.Sprintf("h%d.test", h), "/"+strings.Repeat("p", p+1)))
		}
	}
	res := fetch(t, lines.String(), "-connections", strconv.Itoa(hosts))
	res.conserved(t, hosts*pages)
	for p := range pages {
		for h := range hosts {
			host, path := fmt.Sprintf("h%d.test", h), "/"+strings.Repeat("p", p+1)
			_, body, _ := strings.Cut(res.block["http://"+host+path], "\r\n\r\n")
			if len(path)%2 != 0 {
				plain, _ := coding.Dechunk([]byte(body))
				body = string(plain)
			}
			if want := page(host, path); body != want {
				t.Errorf("%s%s has %d bytes, %.60q, want %d", host, path, len(body), body, len(want))
			}
		}
	}
}
