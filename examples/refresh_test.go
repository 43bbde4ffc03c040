package examples

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"multitext/examples/internal/warcs"
)

// A newsWeb is a site of three pages: a front page and one more that never change, and one that is
// another each time.
type newsWeb struct {
	sync.Mutex
	asked, notModified map[string]int
}

func (w *newsWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.Lock()
	defer w.Unlock()
	w.asked[r.URL.Path]++
	body := map[string]string{
		"/":           "<a href=/often.html>often</a> <a href=/never.html>never</a>",
		"/never.html": "as ever",
		"/often.html": fmt.Sprintf("for the %d. time", w.asked["/often.html"]),
	}[r.URL.Path]
	if body == "" {
		http.NotFound(rw, r)
		return
	}
	etag := fmt.Sprintf("%q", body[:5]+strconv.Itoa(len(body))+body[max(0, len(body)-12):])
	if r.URL.Path == "/" {
		etag = `"front"`
	}
	rw.Header().Set("ETag", etag)
	rw.Header().Set("Content-Type", "text/html")
	if r.Header.Get("If-None-Match") == etag {
		w.notModified[r.URL.Path]++
		rw.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprint(rw, body)
}

// refreshBench is the example with the web of the test, and time that runs faster still.
func refreshBench(t *testing.T) (*bench, *newsWeb) {
	b := newBench(t, programs(t), "refresh", "crawl.toml",
		`"127.0.0.1:8485"`, `"WEB"`,
		`run = "bash editor.sh"`, `shell = "echo ready; exec sleep 1000"`,
		`run = "testweb -listen {web} -root web"`, `shell = "echo ready; exec sleep 1000"`,
		`time  = "1m"`, `time  = "5m"`,
		"-first 4s -least 2s", "-first 500ms -least 250ms",
		`every  = "1s"`, `every  = "250ms"`,
		`every = "20s"`, `every = "500ms"`,
	)
	l, err := net.Listen("tcp", b.web)
	if err != nil {
		t.Fatal(err)
	}
	web := &newsWeb{asked: map[string]int{}, notModified: map[string]int{}}
	server := &http.Server{Handler: web}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return b, web
}

// schedule is what refresh -show tells of a page.
type schedule struct {
	interval        time.Duration
	visits, changes int
}

// schedules asks what is known. While the crawl runs a segment may be gone as soon as it was
// listed: then nothing is.
func (b *bench) schedules() map[string]schedule {
	b.t.Helper()
	segments, _ := filepath.Glob(b.path("crawl/state/known/*"))
	b.write("known.list", strings.Join(segments, "\n"))
	cmd := exec.CommandContext(b.t.Context(), b.bin+"/refresh", "-show", "-known", b.path("known.list"))
	cmd.Env = append(os.Environ(), "MT_SECRET="+b.path("crawl/secret"))
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	known := map[string]schedule{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			b.t.Fatalf("refresh -show prints %q", line)
		}
		var s schedule
		s.interval, _ = time.ParseDuration(f[3])
		s.visits, _ = strconv.Atoi(f[4])
		s.changes, _ = strconv.Atoi(f[5])
		known[strings.TrimPrefix(f[0], "http://news.test")] = s
	}
	return known
}

// runUntil runs the crawl until what is known fulfils a condition, and ends it by the signal,
// SIGKILL of the whole tree or SIGTERM.
func (b *bench) runUntil(signal syscall.Signal, enough func(map[string]schedule) bool) {
	b.t.Helper()
	cmd, said := b.manager("run")
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	over := make(chan struct{})
	go func() { cmd.Wait(); close(over) }()
	deadline := time.After(2 * time.Minute)
	for !enough(b.schedules()) {
		select {
		case <-over:
			b.t.Fatalf("the crawl ended by itself:\n%s", said)
		case <-deadline:
			b.kill(cmd, true)
			<-over
			b.t.Fatalf("after two minutes known is %v; the crawl said\n%s", b.schedules(), said)
		case <-time.After(50 * time.Millisecond):
		}
	}
	if signal == syscall.SIGKILL {
		b.kill(cmd, true)
	} else {
		cmd.Process.Signal(signal)
	}
	<-over
}

func visits(known map[string]schedule) (n int) {
	for _, s := range known {
		n += s.visits
	}
	return n
}

// Pages that change often are asked for more often; those that do not are not sent again; and after
// kills, what was learned is what is in the archive, visit for visit, each version once.
func TestRefresh(t *testing.T) {
	t.Parallel()
	b, web := refreshBench(t)
	b.runUntil(syscall.SIGKILL, func(known map[string]schedule) bool { return visits(known) > 3 })
	met := visits(b.schedules())
	b.runUntil(syscall.SIGKILL, func(known map[string]schedule) bool { return visits(known) > met+3 })
	b.runUntil(syscall.SIGTERM, func(known map[string]schedule) bool {
		never, often := known["/never.html"], known["/often.html"]
		return often.changes > 0 && never.interval >= 4*often.interval
	})

	// From here on nothing is due, and the crawl comes to its end.
	text := b.read("crawl.toml")
	text = strings.Replace(text, "refresh -due {due} ", "refresh -due {due} -now 2000-01-01T00:00:00Z ", 1)
	b.write("crawl.toml", strings.Replace(text, "never = true", "", 1))
	b.run(0)

	known := b.schedules()
	a := readArchive(t, b.path("crawl/archive"))
	t.Logf("known %v, the archive has %v, 304 were sent %v", known, a.answers, web.notModified)
	for path, s := range known {
		if n := a.answers["http://news.test"+path]; n != s.visits {
			t.Errorf("%s: %d visits are known, %d are in the archive", path, s.visits, n)
		}
	}
	if len(known) != 3 || len(a.answers) != 3 {
		t.Errorf("known are %v, in the archive %v", known, a.answers)
	}
	for body, n := range a.bodies {
		if n != 1 {
			t.Errorf("the version %s is in the archive %d times", body, n)
		}
	}
	if want := known["/"].visits + known["/never.html"].visits - 2; a.revisit != want {
		t.Errorf("%d revisit records, want %d: all visits but the first to pages that never change", a.revisit, want)
	}
	if s := known["/often.html"]; s.changes != s.visits-1 || len(a.bodies) != s.visits+2 {
		t.Errorf("often.html: %d changes in %d visits, %d versions of all pages in the archive", s.changes, s.visits,
			len(a.bodies))
	}
	web.Lock()
	if web.notModified["/never.html"] < known["/never.html"].visits-1 || web.notModified["/often.html"] > 0 {
		t.Errorf("304 were sent %v", web.notModified)
	}
	web.Unlock()
	if _, err := b.law(); err != nil {
		t.Error(err)
	}
	b.indexed(a)
	traced := b.output(b.bin+"/trace", "-crawl", b.path("crawl"), "http://news.test/often.html",
		"http://news.test/nowhere.html")
	for _, want := range []string{fmt.Sprintf("  fetched %d times, bodies: %[1]d\n", known["/often.html"].visits),
		"<- http://news.test/ (depth 0, tx ", "): a seed\n", "nowhere.html\n  never met"} {
		if !strings.Contains(traced, want) {
			t.Errorf("trace does not say %q:\n%s", want, traced)
		}
	}
}

// indexed holds the index against the archive: each line leads to its record, and there are as many
// lines as answers that are no 304. Every archive file begins with a warcinfo record, though it is
// several batches joined.
func (b *bench) indexed(a *archive) {
	b.t.Helper()
	indexes, _ := filepath.Glob(b.path("crawl/index/*"))
	b.output(b.bin+"/cdx", append([]string{"-verify", "-archive", b.path("crawl/archive")}, indexes...)...)
	merged := b.output(b.bin+"/cdx", append([]string{"-merge"}, indexes...)...)
	answers := 0
	for _, n := range a.answers {
		answers += n
	}
	if lines := strings.Count(merged, "\n"); lines != answers-a.revisit {
		b.t.Errorf("%d lines in the index for %d answers, of which %d are 304", lines, answers, a.revisit)
	}
	if cmd, said := b.manager("verify"); cmd.Run() != nil {
		b.t.Errorf("manager verify: %s", said)
	}
	files, _ := filepath.Glob(b.path("crawl/archive/*"))
	for _, name := range files {
		kinds := ""
		err := warcs.ReadFile(name,
			func(r *warcs.Record) error { kinds += r.Header.Get("WARC-Type") + " "; return nil })
		if err != nil || !strings.HasPrefix(kinds, "warcinfo ") {
			b.t.Errorf("%s begins with %.50q (%v), not with a warcinfo record", name, kinds, err)
		}
	}
}
