package main

import (
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"multitext/stages/internal/exchange"
	"multitext/stages/internal/output"
	"multitext/stages/internal/report"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// TestAnswersThatWaitTakeNoMemory holds that of the long answers which wait to be compressed none is read from its file yet: there
// may be as many of them as connections.
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
			made[i] = &exchange.Answer{Started: time.Now(), Request: []byte("GET / HTTP/1.1\r\n\r\n"), Status: http.StatusOK, Body: &exchange.Spool{}}
			defer made[i].Close()
			io.WriteString(made[i].Body, "HTTP/1.1 200 OK\r\n\r\n")
			io.Copy(made[i].Body, strings.NewReader(strings.Repeat("x", long)))
		}
		before := allocated()
		for i := range made {
			go func() {
				if err := a.write(newVisit(urlbatch.New("http://example.test/")), made[i]); err != nil {
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
