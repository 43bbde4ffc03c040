package examples

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// A victim is what is killed.
type victim int

const (
	wholeTree victim = iota
	byTurns          // the whole tree and the manager alone, one after the other
)

// killed runs a crawl that is killed n times after gaps between the two given,
// and then to its end. Before each start, recover -n must foretell what the start
// then does. It returns how many kills hit a crawl under way.
func (b *bench) killed(n int, v victim, shortest, longest time.Duration) (fired int) {
	b.t.Helper()
	rnd := rand.New(rand.NewPCG(uint64(n), 1))
	for range n {
		told := b.foretold()
		cmd, said := b.manager("run")
		if err := cmd.Start(); err != nil {
			b.t.Fatal(err)
		}
		over := make(chan struct{})
		go func() { cmd.Wait(); close(over) }()
		select {
		case <-over:
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				b.t.Fatalf("after %d kills: exit code %d\n%s", fired, code, said)
			}
			b.toldTruly(told, said, true)
			return fired
		case <-time.After(shortest + time.Duration(rnd.Int64N(int64(longest-shortest)))):
		}
		b.kill(cmd, v == wholeTree || fired%2 == 0)
		<-over
		fired++
		b.toldTruly(told, said, false)
	}
	told := b.foretold()
	said := b.run(0)
	b.toldTruly(told, bytes.NewBufferString(said), true)
	return fired
}

// kill ends the manager, and with tree all its descendants too, none of which is
// given the time to do anything.
func (b *bench) kill(cmd *exec.Cmd, tree bool) {
	b.t.Helper()
	var all []int
	if tree {
		all = crash.Descendants(cmd.Process.Pid)
	}
	cmd.Process.Kill()
	for _, pid := range all {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// foretold is what recover -n says the next start will do. Every run that was cut
// off must be among it: a directory under work/ whose number the log does not end.
func (b *bench) foretold() []string {
	b.t.Helper()
	if _, err := os.Stat(b.crawlPath("log")); err != nil {
		return nil
	}
	cmd, said := b.manager("recover", "-n")
	if err := cmd.Run(); err != nil {
		b.t.Fatalf("recover -n: %v\n%s", err, said)
	}
	ended := map[uint64]bool{}
	b.records(func(r txlog.Record) { ended[r.Number()] = true })
	runs, _ := filepath.Glob(b.crawlPath("work/*/run"))
	for _, run := range runs {
		tx, _ := strconv.ParseUint(filepath.Base(filepath.Dir(run)), 10, 64)
		if want := fmt.Sprintf("roll back transaction %d of ", tx); !ended[tx] &&
			!strings.Contains(said.String(), want) {
			b.t.Errorf("recover -n does not say %q but\n%s", want, said)
		}
	}
	var lines []string
	for line := range strings.Lines(said.String()) {
		if plan, ok := strings.CutPrefix(line, "  "); ok {
			lines = append(lines, strings.TrimSpace(plan))
		}
	}
	return lines
}

// toldTruly holds what a start said it did against what was foretold: the same,
// or a beginning of it where the start itself was killed.
func (b *bench) toldTruly(told []string, said *bytes.Buffer, whole bool) {
	b.t.Helper()
	done := 0
	for line := range strings.Lines(said.String()) {
		_, text, _ := strings.Cut(line, "  ")    // behind the time of day
		if strings.Contains(line, "warning: ") { // of the file system, and of root
			continue
		}
		if done == len(told) || strings.TrimSpace(text) != told[done] {
			break
		}
		done++
	}
	if done < len(told) && whole {
		b.t.Errorf("recover -n foretold %q, the start did not do it:\n%s", told[done], said)
	}
}

// settled checks what holds at the end however often a crawl was killed.
func (b *bench) settled() {
	b.t.Helper()
	for name, batch := range b.state().Batches() {
		for stage, m := range batch.Marks {
			if m.Aside {
				b.t.Errorf("%s was set aside by %s", name, stage)
			}
		}
	}
	if left, _ := filepath.Glob(b.crawlPath("work/*")); len(left) > 0 {
		b.t.Errorf("work/ still holds %v", left)
	}
	if reported, err := b.law(); err != nil || reported == 0 {
		b.t.Errorf("the law over %d transactions: %v", reported, err)
	}
}

// ownWeb takes the web out of the script and starts it beside the crawl, so that
// it lives through the kills and counts what is asked for again.
func (b *bench) ownWeb(args ...string) {
	b.t.Helper()
	text := b.read(b.script)
	from, to := strings.Index(text, "[service.web]"), strings.Index(text, "[limit]")
	if from < 0 || to < from {
		b.t.Fatalf("%s has no service before its limits", b.script)
	}
	b.write(b.script, text[:from]+text[to:])
	b.serve(args...)
}

// serve starts the web and ends it with the test.
func (b *bench) serve(args ...string) {
	b.t.Helper()
	cmd := exec.Command(filepath.Join(b.bin, "testweb"), append([]string{"-listen", b.web}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.t.Fatalf("testweb %v: %v", args, err)
	}
}

// askStats asks the web what it counted, and for more by the query. into is what the JSON goes to.
func (b *bench) askStats(query string, into any) {
	b.t.Helper()
	resp, err := http.Get("http://" + b.web + "/__stats" + query)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		b.t.Fatal(err)
	}
}

// The tour, killed twenty times, has the same result as undisturbed: every page once
// in the archive, every body once, nothing set aside.
func TestTourKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.ownWeb("-hosts", "20", "-pages", "100")
	fired := b.killed(20, byTurns, 200*time.Millisecond, 900*time.Millisecond)
	if fired < 10 {
		t.Errorf("only %d kills hit the crawl", fired)
	}
	b.wholeThoughKilled(fired)
}

// wholeThoughKilled holds what a tour with its own web has left against what can be reached: the
// same as undisturbed.
func (b *bench) wholeThoughKilled(fired int) {
	b.t.Helper()
	a := readArchive(b.t, b.path("crawl/archive"))
	if err := sameURLs(a.answers, toFetch(b.reachable())); err != nil {
		b.t.Error(err)
	}
	if err := a.once(); err != nil {
		b.t.Error(err)
	}
	b.settled()
	var s webStats
	b.askStats("", &s)
	again := 0
	for _, k := range s.Kinds {
		again += k.Repeated
	}
	if s.Violations > 0 {
		b.t.Errorf("%d forbidden pages were fetched", s.Violations)
	}
	b.t.Logf("%d kills; %d answers in the archive, of which %d were asked for again on the wire", fired,
		len(a.answers), again)
}
