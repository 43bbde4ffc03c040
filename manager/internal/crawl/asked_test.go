package crawl

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// slowAdd leaves a request to add a file that comes as slowly as it is written to
// the pipe that stands for it.
func slowAdd(w *world, c *Crawl) (id, pipe string) {
	w.t.Helper()
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}})
	w.must(err)
	pipe = w.path("inbox/" + id + "/00001")
	w.must(os.Remove(pipe))
	w.must(syscall.Mkfifo(pipe, 0o666))
	return id, pipe
}

// handleNext waits for an event, for a while, and handles it.
func handleNext(w *world, c *Crawl) {
	w.t.Helper()
	select {
	case ev := <-c.events:
		w.must(ev.handle(c))
	case <-time.After(20 * time.Second):
		w.t.Fatal("no event comes")
	}
}

func inboxOf(w *world) (ids []string) {
	w.t.Helper()
	entries, err := os.ReadDir(w.path("inbox"))
	w.must(err)
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// While the files of an add are copied other requests are answered, and another
// add waits; the crawl does not end meanwhile.
func TestAddIsCopiedBesideTheLoop(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	_, pipe := slowAdd(w, c)
	taken := make(chan error, 1)
	take := func() {
		go func() { _, err := c.takeRequests(); taken <- err }()
		select {
		case err := <-taken:
			w.must(err)
		case <-time.After(20 * time.Second):
			t.Fatal("the loop waits for the copy")
		}
	}
	take()
	_, err := Leave(c.Dir, Request{Verb: "retry"})
	w.must(err)
	_, err = Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}})
	w.must(err)
	take()
	if ids := inboxOf(w); len(ids) != 2 || len(c.state.Batches) != 0 {
		t.Fatalf("inbox holds %v and the crawl %v; want both adds to wait", ids, c.state.Batches)
	}
	if over, err := c.over(c.environment()); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	w.must(os.WriteFile(pipe, []byte("slow\n"), 0o666))
	handleNext(w, c)
	take()
	handleNext(w, c)
	if ids := inboxOf(w); len(ids) != 0 || len(c.state.Batches) != 2 || c.bringing {
		t.Errorf("inbox holds %v and the crawl %v", ids, c.state.Batches)
	}
}

// A manager that is told to stop at once does not wait for a copy; the request
// stays for the next start.
func TestAddIsCutShort(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	id, pipe := slowAdd(w, c)
	_, err := c.takeRequests()
	w.must(err)
	out, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	w.must(err)
	ended := make(chan struct{})
	go func() { // writes as long as somebody reads
		defer close(ended)
		for err := error(nil); err == nil; time.Sleep(time.Millisecond) {
			_, err = out.Write([]byte("more\n"))
		}
	}()
	c.kill()
	handleNext(w, c)
	if ids := inboxOf(w); len(ids) != 1 || ids[0] != id || len(c.state.Batches) != 0 || c.bringing {
		t.Errorf("inbox holds %v and the crawl %v", ids, c.state.Batches)
	}
	<-ended
	w.must(out.Close())
}
