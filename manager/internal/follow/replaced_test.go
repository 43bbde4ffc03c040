package follow

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

// count is how many transactions the sums of a crawl have.
func count(t *testing.T, c *Crawl) (n int) {
	t.Helper()
	complete(t, c)
	if err := c.With(func(_ *view.Crawl, p *past.Past) error { n = p.Count(past.Filter{}); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCopies: a copy of a log that is replaced by another one, a longer or a shorter, is summed
// anew, and nothing is counted twice.
func TestCopies(t *testing.T) {
	w := newWorld(t)
	w.begin()
	script := *w.script
	script.Dir = t.TempDir()
	path := filepath.Join(script.Dir, txlog.LogFile)
	put := func(text []byte) {
		t.Helper()
		w.must(os.WriteFile(path+".new", text, 0o666))
		w.must(os.Rename(path+".new", path))
	}
	c := New(&script)
	defer c.Close()
	var texts [][]byte
	for n := range 4 {
		for range 10 {
			w.run()
		}
		text, err := os.ReadFile(filepath.Join(w.script.Dir, txlog.LogFile))
		w.must(err)
		texts = append(texts, text)
		put(text)
		if got := count(t, c); got != 10*(n+1) {
			t.Errorf("of copy %d the sums have %d transactions, want %d", n, got, 10*(n+1))
		}
	}
	put(texts[0])
	if got := count(t, c); got != 10 {
		t.Errorf("of the oldest copy the sums have %d transactions, want 10", got)
	}
}

// TestDeletedHistory: a generation that was deleted is in the sums, and in the list its
// transactions are left out; no others take their place.
func TestDeletedHistory(t *testing.T) {
	w := newWorld(t)
	w.begin()
	for range 3 {
		for range 20 {
			w.run()
		}
		w.must(w.log.Checkpoint())
	}
	c := New(w.script)
	defer c.Close()
	if got := count(t, c); got != 60 {
		t.Fatalf("the sums have %d transactions, want 60", got)
	}
	w.must(w.log.Trim(1))
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		left := map[uint64]bool{}
		for before, n := (*txlog.Position)(nil), 0; n < 10; n++ {
			list, next, err := p.List(past.Filter{}, before, 25)
			w.must(err)
			for _, tx := range list {
				if left[tx.Tx] || tx.Tx <= 40 {
					t.Errorf("transaction %d is listed", tx.Tx)
				}
				left[tx.Tx] = true
			}
			if before = next; next == nil {
				break
			}
		}
		if len(left) != 20 {
			t.Errorf("%d transactions are listed, want 20", len(left))
		}
		if way := p.Origin(5, 9, time.Now().Add(time.Minute)); len(way) != 1 || !way[0].Lost {
			t.Errorf("the way from a deleted transaction is %v", way)
		}
		return nil
	}))
}

// TestGone: a crawl that has vanished is told each time, until another one begins in its place.
func TestGone(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.run()
	c := New(w.script)
	defer c.Close()
	if got := count(t, c); got != 1 {
		t.Fatalf("%d transactions", got)
	}
	w.must(os.Rename(w.script.Dir, w.script.Dir+".away"))
	nothing := func(*view.Crawl, *past.Past) error { return nil }
	for range 3 {
		if c.With(nothing) == nil {
			t.Error("a crawl that has vanished is shown")
		}
	}
	if err := c.With(nothing); !strings.Contains(err.Error(), "is gone") {
		t.Errorf("the error is %v", err)
	}
	w.must(os.Rename(w.script.Dir+".away", w.script.Dir))
	if got := count(t, c); got != 1 {
		t.Errorf("after its return %d transactions", got)
	}
}

// TestDamagedHistory: what is damaged in the history is told, once found, and all else is summed.
func TestDamagedHistory(t *testing.T) {
	w := newWorld(t)
	w.begin()
	for range 3 {
		for range 20 {
			w.run()
		}
		w.must(w.log.Checkpoint())
	}
	path := filepath.Join(w.script.Dir, txlog.HistoryDir, "log-000002.zst")
	text, err := os.ReadFile(path)
	w.must(err)
	text[len(text)/2] ^= 1
	w.must(os.WriteFile(path, text, 0o666))
	c := New(w.script)
	defer c.Close()
	if got := count(t, c); got < 40 || got >= 60 {
		t.Errorf("the sums have %d transactions, want those of the other generations, 40, and a part", got)
	}
	for range 10 {
		w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
			if err := p.Damage(); err == nil || !strings.Contains(err.Error(), "generation 2 of the log") {
				t.Errorf("the damage is %v", err)
			}
			return nil
		}))
	}
}

// TestClock: a run that a wrong clock has dated far ahead hides no run after it.
func TestClock(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.now = time.Now().Add(87600 * time.Hour)
	w.run()
	begin := time.Now().Add(-time.Hour)
	w.now = begin
	for range 100 {
		w.run()
	}
	c := New(w.script)
	defer c.Close()
	complete(t, c)
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		var n float64
		for _, stage := range []string{"one", "two"} {
			s := p.Stage(stage, begin.Add(-time.Minute), w.now.Add(time.Minute), 1)[0]
			n += s.Wall
		}
		if want := w.now.Sub(begin).Seconds(); math.Abs(n-want) > 0.01*want {
			t.Errorf("after the clock was mended the runs took %v s, want %v", n, want)
		}
		if _, end := p.Bounds(); end.After(time.Now()) {
			t.Errorf("the newest run has ended at %v", end)
		}
		return nil
	}))
}

// TestClockOf1970: a machine that boots without the time runs a stage. The life of the crawl is
// then more than fifty years, and its equal pieces still have each run once.
func TestClockOf1970(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.now = time.Unix(60, 0)
	w.run()
	w.now = time.Now().Add(-time.Hour)
	for range 100 {
		w.run()
	}
	c := New(w.script)
	defer c.Close()
	complete(t, c)
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		from, to := p.Bounds()
		n, last := 0.0, from
		for _, b := range p.Stage("one", from, to.Add(time.Second), 300) {
			n += b.Runs
			if b.Begin.Before(last) || b.Begin.After(to) {
				t.Errorf("a piece begins at %v", b.Begin)
			}
			last = b.Begin
		}
		if want := p.Stage("one", from, to.Add(time.Second), 1)[0].Runs; math.Abs(n-want) > 1e-6 || n < 20 {
			t.Errorf("the pieces of %v have %v runs, want %v", to.Sub(from), n, want)
		}
		return nil
	}))
}

// TestClockSetBack: a run that ends before it begins took no time.
func TestClockSetBack(t *testing.T) {
	w := newWorld(t)
	w.begin()
	now := time.Now()
	w.append(&txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: 7, Run: txlog.Run{Start: now, End: now.Add(-time.Hour)}})
	c := New(w.script)
	defer c.Close()
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		if s := p.Stage("one", now.Add(-2*time.Hour), now, 1)[0]; s.Wall != 0 || s.Records != 7 {
			t.Errorf("it took %v s and read %v records", s.Wall, s.Records)
		}
		return nil
	}))
}

// TestDayOfALongCrawl: the last day of a crawl of a year is told by the hour, though the buckets of
// its life are longer.
func TestDayOfALongCrawl(t *testing.T) {
	w := newWorld(t)
	w.begin()
	noon := time.Now().Truncate(time.Hour).Add(-time.Hour)
	for _, ago := range []time.Duration{365 * 24 * time.Hour, 20 * time.Hour, 3 * time.Hour, 0} {
		at := noon.Add(-ago)
		w.append(&txlog.Commit{Tx: w.log.Number(), Stage: "one", Run: txlog.Run{Start: at, End: at}})
	}
	c := New(w.script)
	defer c.Close()
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		for i, b := range p.Stage("one", noon.Add(-23*time.Hour), noon.Add(time.Hour), 24) {
			want := 0.0
			if i == 3 || i == 20 || i == 23 {
				want = 1
			}
			if math.Abs(b.Runs-want) > 1e-6 {
				t.Errorf("hour %d has %v runs, want %v", i, b.Runs, want)
			}
		}
		return nil
	}))
}

// TestManyNames: a stage that has ever new reasons has a bounded number of them in the sums, and
// nothing is lost.
func TestManyNames(t *testing.T) {
	w := newWorld(t)
	w.begin()
	for n := range 50 {
		w.now = w.now.Add(time.Second)
		c := &txlog.Commit{Tx: w.log.Number(), Stage: "one", Run: txlog.Run{Start: w.now, End: w.now}}
		for i := range 10 {
			c.Reasons = append(c.Reasons, txlog.Count{Name: fmt.Sprint("reason-", n*7+i), N: 1})
		}
		w.append(c)
	}
	c := New(w.script)
	defer c.Close()
	complete(t, c)
	w.must(c.With(func(_ *view.Crawl, p *past.Past) error {
		sums := p.Stage("one", noon, w.now.Add(time.Second), 1)[0]
		all := 0.0
		for _, n := range sums.Reasons {
			all += n
		}
		if len(sums.Reasons) > 61 || sums.Reasons[past.Others] < 100 || math.Abs(all-500) > 1e-6 {
			t.Errorf("%d names, %v of others, %v in all", len(sums.Reasons), sums.Reasons[past.Others], all)
		}
		return nil
	}))
}
