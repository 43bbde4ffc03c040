package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/script"
	"multitext/txlog"
)

// BenchmarkTransaction is an empty transaction from end to end: a stage that
// reads a batch and leaves a copy of it, one at a time. tx-ms is the time from the
// end of one run to that of the next, the run's own included; bare-ms is what the
// parts cost without us: a process, and the syncs of a file, of a directory and of a
// log line. Both are medians over blocks of ten in a row, for the log has milliseconds,
// of all crawls together; half of the bare ones are made before each crawl and half after
// it, so that what else the machine does, and what is left to the file system of earlier
// crawls, weighs on both. (Without a journal ext4 steps over every inode that was freed in
// the last minute or more, for each that it gives out.) after/before is by how much the
// halves differ: above 1 and again and again, not by chance, the crawl itself has made
// bare-ms dearer, and the ratio flatters. cpu-ms is what the manager itself takes for one,
// its share of the seeds included.
func BenchmarkTransaction(b *testing.B) {
	const batches = 200
	var txs, before, after []time.Duration
	var used time.Duration
	for b.Loop() {
		dir := b.TempDir()
		flow := "flow = 1\ndir = \"crawl\"\n[queue.a]\next = \"txt\"\n[queue.b]\next = \"txt\"\n" +
			"[limit]\njobs = 1\n[stage.copy]\nin = \"a\"\nout = \"b\"\nrun = \"cp {in} {b}\"\n"
		seeds := ""
		for i := range batches {
			name := fmt.Sprintf("s%d", i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
				b.Fatal(err)
			}
			seeds += fmt.Sprintf("%q, ", name)
		}
		path := filepath.Join(dir, "crawl.toml")
		if err := os.WriteFile(path, []byte("seeds = { a = ["+seeds+"] }\n"+flow), 0o666); err != nil {
			b.Fatal(err)
		}
		before = append(before, inTens(bareCost(b, dir, "before", batches/2))...)
		m := &invocation{out: io.Discard, err: io.Discard, disk: txlog.OS{}}
		start := ownCPU(b)
		if code := m.run([]string{"run", path}); code != crawl.ExitDone {
			b.Fatalf("exit code %d", code)
		}
		used += ownCPU(b) - start
		var ends []time.Time
		_, err := txlog.History(filepath.Join(dir, "crawl"), txlog.Position{}, func(r txlog.Record) error {
			if c := r.(*txlog.Commit); c.Stage != "" {
				ends = append(ends, c.Run.End)
			}
			return nil
		}, nil)
		if err != nil || len(ends) != batches {
			b.Fatalf("%d transactions, %v", len(ends), err)
		}
		after = append(after, inTens(bareCost(b, dir, "after", batches/2))...)
		txs = append(txs, inTens(ends)...)
	}
	tx, bare := median(txs), median(slices.Concat(before, after))
	b.ReportMetric(tx, "tx-ms")
	b.ReportMetric(bare, "bare-ms")
	b.ReportMetric(tx/bare, "ratio")
	b.ReportMetric(median(after)/median(before), "after/before")
	b.ReportMetric(used.Seconds()*1000/float64(batches*b.N), "cpu-ms")
}

// bareCost times what a transaction cannot do without.
func bareCost(b *testing.B, dir, when string, n int) (ends []time.Time) {
	log, err := os.Create(filepath.Join(dir, "log-"+when))
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	d := txlog.OS{}
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("bare-%s%d", when, i))
		if err := exec.Command("cp", filepath.Join(dir, "s0"), name).Run(); err != nil {
			b.Fatal(err)
		}
		if err := d.Sync(name); err != nil {
			b.Fatal(err)
		}
		if err := d.Sync(dir); err != nil {
			b.Fatal(err)
		}
		fmt.Fprintln(log, "a line of about the length that a commit has, which is some four hundred bytes or so", i)
		if err := log.Sync(); err != nil {
			b.Fatal(err)
		}
		ends = append(ends, time.Now())
	}
	return ends
}

// ownCPU is what this process has taken, without its children.
func ownCPU(b *testing.B) time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// inTens are the times of steps, each the mean of ten in a row.
func inTens(ends []time.Time) (tens []time.Duration) {
	for i := 10; i < len(ends); i += 10 {
		tens = append(tens, ends[i].Sub(ends[i-10])/10)
	}
	return tens
}

// median is in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds() * 1000
}

// BenchmarkRecovery is a start over a crawl with 100,000 transactions in its log
// and 100,000 waiting batches, all of them looked for, up to the new checkpoint.
func BenchmarkRecovery(b *testing.B) {
	const waiting = 100_000
	dir := b.TempDir()
	s := benchScript(b, dir)
	makeWaiting(b, s.Dir, waiting)
	for b.Loop() {
		start := time.Now()
		store, err := crawl.Open(s, txlog.OS{}, crawl.Opening{Say: func(string) {}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s/start")
		if n := len(store.Log.State.Files()); n != waiting {
			b.Fatalf("%d batches, want %d", n, waiting)
		}
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchScript(b *testing.B, dir string) *script.Script {
	text := "flow = 1\ndir = \"crawl\"\nseeds = { a = \"seed\" }\n" +
		"[stage.copy]\nin = \"a\"\nout = \"b\"\nrun = \"cp {in} {b}\"\n"
	s, err := script.Parse(filepath.Join(dir, "crawl.toml"), []byte(text), nil)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// makeWaiting makes a crawl whose log, beyond its checkpoint, is n commits long,
// each of which left a batch that waits.
func makeWaiting(b *testing.B, root string, n int) {
	for _, d := range []string{"", "a", "b", "work", "state", "inbox", "failed", "history"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o777); err != nil {
			b.Fatal(err)
		}
	}
	log, err := txlog.Begin(noSync{}, root, txlog.NewState("0123456789abcdef0123456789abcdef"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	now := time.Now()
	for tx := uint64(1); tx <= uint64(n); tx++ {
		name := txlog.Name("a/" + txlog.FileName("m", tx, 1, "zst"))
		if err := os.WriteFile(filepath.Join(root, string(name)), []byte("x\n"), 0o444); err != nil {
			b.Fatal(err)
		}
		err := log.Append(&txlog.Commit{Tx: tx, Stage: "bring", Run: txlog.Run{Start: now, End: now, Exit: "0",
			Command: []string{"bring"}},
			Outputs: []txlog.Output{{Name: name, Size: 2, Hash: "0123456789abcdef", Records: 1}}})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// noSync is a disk for making test data fast.
type noSync struct{ txlog.OS }

func (noSync) Append(path string) (txlog.File, error) {
	f, err := (txlog.OS{}).Append(path)
	return unsynced{f}, err
}

type unsynced struct{ txlog.File }

func (unsynced) Sync() error { return nil }
