package follow

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

var (
	large = flag.Int("large", 100_000, "how many transactions the crawl of TestLarge has; a tenth as many batches wait")
	keep  = flag.String("keep", "", "where TestLarge leaves its crawl")
)

// A disk does not sync: nobody cuts the power here.
type disk struct{ txlog.OS }

func (disk) Sync(string) error { return nil }

func (d disk) Append(path string) (txlog.File, error) { return unsynced(d.OS.Append(path)) }

func (d disk) Create(path string) (txlog.File, error) { return unsynced(d.OS.Create(path)) }

type unsyncedFile struct{ txlog.File }

func (unsyncedFile) Sync() error { return nil }

func unsynced(f txlog.File, err error) (txlog.File, error) { return unsyncedFile{f}, err }

// TestLarge: the first look at a large crawl and each further one read only the current log. Its
// history is summed once, in memory that its buckets and its index bound.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes two seconds")
	}
	w := newWorld(t)
	if *keep != "" {
		w.script.Dir = *keep
		for _, name := range []string{"", "a", "b", "work", "history"} {
			w.must(os.MkdirAll(filepath.Join(*keep, name), 0o777))
		}
		w.must(os.WriteFile(filepath.Join(*keep, "history", "script.toml"), []byte(flow), 0o666))
	}
	var err error
	w.log, err = txlog.Begin(disk{}, w.script.Dir, txlog.NewState("e"), nil)
	w.must(err)
	defer w.log.Close()
	w.forget = true
	for n := 0; n < *large/10; n += 1000 { // these wait for ever
		c := &txlog.Commit{Tx: w.log.Number(), Seed: fmt.Sprint("seed", n), Read: -1, Run: txlog.Run{Start: w.now, End: w.now}}
		for part := range 1000 {
			c.Outputs = append(c.Outputs, txlog.Output{Name: txlog.Name("a/" + txlog.FileName("m", c.Tx, part, "")), Size: 1e5,
				Hash: "0123456789abcdef", Records: 1000})
		}
		w.append(c)
	}
	for range *large {
		w.run()
		if w.log.Full() {
			w.must(w.log.Checkpoint())
		}
	}
	before := heap()
	c := New(w.script)
	defer c.Close()
	look := func() time.Duration {
		before := time.Now()
		w.must(c.With(func(v *view.Crawl, p *past.Past) error { _, err := p.Status(v); return err }))
		return time.Since(before)
	}
	begin := time.Now()
	first := look()
	complete(t, c)
	summed := time.Since(begin)
	w.run()
	again := look()
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		if n := p.Count(past.Filter{}); n != *large+*large/10/1000+1 {
			t.Errorf("%d transactions in the index", n)
		}
		return nil
	}))
	const transaction, batch, buckets = 18, 300, 4 << 20
	used, most := heap()-before, transaction**large+batch**large/10+buckets
	t.Logf("%d transactions, %d batches: the first look %v, all summed after %v, another look %v, %d kB in memory", *large,
		*large/10, first, summed, again, used>>10)
	if used > most {
		t.Errorf("%d bytes are in memory, want at most %d", used, most)
	}
	runtime.KeepAlive(c)
}

// heap is how much memory is in use, in bytes.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
