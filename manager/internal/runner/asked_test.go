package runner

import (
	"os"
	"slices"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/testkit"
	"multitext/txlog"
)

// waits wants the one request left to be still there, and nothing of it elsewhere.
func waits(w *world, c *runner) {
	w.T.Helper()
	some, err := c.takeRequests()
	w.Must(err)
	work, err := os.ReadDir(w.Path("work"))
	w.Must(err)
	if some || len(work) > 0 || len(w.Inbox()) != 1 {
		w.T.Fatalf("some %v, work/ holds %v and the inbox %v; want the request to wait", some, work, w.Inbox())
	}
}

// An add for which there is no room is put off and taken when there is: it was promised
// to somebody who is gone. Meanwhile other requests are answered, and the crawl does not
// end.
func TestRequestIsPutOff(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	disk := testkit.FullDisk()
	c.Dir.Disk = disk
	_, err := crawl.Leave(c.Dir, crawl.Request{Verb: "add", Name: "a", Files: []string{w.Script.Seeds[0].File}})
	w.Must(err)
	waits(w, c)
	w.SaidAll("no space left on device; it is retried in 1s")
	if over, err := c.over(c.environment()); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	disk.Times, c.left.notBefore = 0, time.Now().Add(time.Hour)
	waits(w, c) // though there is room
	_, err = crawl.Leave(c.Dir, crawl.Request{Verb: "retry"})
	w.Must(err)
	some, err := c.takeRequests()
	if w.Must(err); !some || len(w.Inbox()) != 1 {
		t.Errorf("some %v; the inbox holds %v, want the add alone", some, w.Inbox())
	}
	c.left.notBefore = time.Time{}
	some, err = c.takeRequests()
	if w.Must(err); !some || len(w.Inbox()) != 0 || len(c.state.Files()) != 1 || len(c.left.why) > 0 {
		t.Errorf("some %v; the inbox holds %v, the crawl %v, put off %v", some, w.Inbox(), c.state.Files(), c.left.why)
	}
}

// A batch that a run is reading is not dropped, whatever the log says of it: the
// run's commit would not fit.
func TestDropWhileReading(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	name := txlog.Name("a/m-000000000001-00001")
	w.Must(c.Log.Append(&txlog.Commit{Tx: 1, Read: -1, Outputs: []txlog.Output{{Name: name, Size: 2, Records: -1}}}))
	w.Must(os.WriteFile(w.Path(string(name)), []byte("1\n"), 0o666))
	drop := func() {
		t.Helper()
		_, err := crawl.Leave(c.Dir, crawl.Request{Verb: "drop", Batches: []txlog.Name{name}, Why: "two\nlines"})
		w.Must(err)
		_, _, err = c.TakeInbox(func(string) {}, nil)
		w.Must(err)
	}
	c.runs[7] = &run{inputs: []txlog.Input{{Name: name}}}
	if drop(); c.state.Batch(name) == nil {
		t.Fatal("it was dropped while transaction 7 was reading it")
	}
	delete(c.runs, 7)
	drop()
	if _, err := os.Stat(w.Path(string(name))); err == nil || c.state.Batch(name) != nil {
		t.Errorf("it was not dropped: %v, %v", err, c.state.Batch(name))
	}
	notes := w.Notes()
	want := []string{"refused: transaction 7 is reading " + string(name) + "; wait for its end", "two lines"}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
}
