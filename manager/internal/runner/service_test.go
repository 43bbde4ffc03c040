package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/txlog"
)

// Signals are heeded while a service gets ready.
func TestSignalWhileServiceStarts(t *testing.T) {
	w := newWorld(t, copyStage+"[service.slow]\nrun = \"sleep 100\"\n")
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	begun := time.Now()
	code, err := w.run(txlog.OS{}, signals)
	if code != crawl.ExitStopped || err != nil || time.Since(begun) > 30*time.Second {
		t.Errorf("code %d, %v after %s\n%s", code, err, time.Since(begun), w.Said.String())
	}
}

// What a service has started goes with it, though it left the service's group.
func TestServiceLeavesNothing(t *testing.T) {
	w := newWorld(t, copyStage+"[service.daemon]\nshell = \"setsid sh -c 'echo $$ > pid; exec sleep 1000' & "+
		"until test -s pid; do sleep 0.01; done; echo ready; exec sleep 1000\"\n")
	w.done()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(w.Script.Path), "pid"))
	w.Must(err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	w.Must(err)
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("process %d lives on", pid)
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A service holds the crawl's lock, as a stage does: should it outlive its manager, and have
// thrown its mark away, the next start finds it by that.
func TestServiceHoldsTheLock(t *testing.T) {
	w := newWorld(t, copyStage+
		"[service.s]\nshell = \"readlink /proc/self/fd/3 > held; echo ready; exec sleep 1000\"\n")
	w.done()
	got, err := os.ReadFile(filepath.Join(w.Script.Folder, "held"))
	if w.Must(err); string(got) != w.Script.Dir+"\n" {
		t.Errorf("its descriptor 3 is %q, want the crawl's directory", got)
	}
}

// A service is given the script's constants.
func TestServiceConstants(t *testing.T) {
	for limit, want := range map[string]string{
		"": "0 agent\n", "[limit]\nbandwidth = \"600KB/s\"\n": "600KB/s agent\n",
	} {
		w := newWorld(t, copyStage+
			"[service.s]\nshell = \"echo {bandwidth} {who} > given; echo ready; exec sleep 1000\"\n"+
			"[vars]\nwho = 'agent'\n"+limit)
		w.done()
		got, err := os.ReadFile(filepath.Join(filepath.Dir(w.Script.Path), "given"))
		if w.Must(err); string(got) != want {
			t.Errorf("%q: it is given %q, want %q", limit, got, want)
		}
	}
}

// A service whose first line is long is ready after it.
func TestLongFirstLine(t *testing.T) {
	w := newWorld(t, copyStage+
		"[service.loud]\nshell = \"head -c 100000 /dev/zero | tr '\\\\\\\\0' x; echo; exec sleep 100\"\n")
	done := make(chan struct{})
	signals := make(chan os.Signal, 1)
	go func() {
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			signals <- os.Interrupt
		}
	}()
	if code, err := w.run(txlog.OS{}, signals); code != crawl.ExitDone || err != nil {
		t.Errorf("code %d, %v\n%s", code, err, w.Said.String())
	}
	if n := strings.Count(w.Said.String(), `\x00`); n != mostSaid {
		t.Errorf("%d bytes of the line are printed, want %d", n, mostSaid)
	}
	close(done)
}
