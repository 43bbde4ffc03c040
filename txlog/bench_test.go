package txlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// passing is a run that reads one batch and leaves one.
func passing(tx uint64) *Commit {
	batch := func(tx uint64) Name { return Name("frontier/" + FileName("m", tx, 1, "zst")) }
	return &Commit{Tx: tx, Stage: "fetch", Read: 1000, Inputs: []Input{{Name: batch(tx - 1), Records: 1000, Gone: true}},
		Outputs: []Output{{Name: batch(tx), Size: 4000, Hash: "00000000deadbeef", Records: 990}},
		Reasons: []Count{{"gone", 10}}, Counts: []Count{{"connections", 7}},
		Run: Run{Command: []string{"fetch", "-report", "r", "{in}"}, Start: noon, End: noon.Add(time.Second), CPU: time.Second, Memory: 1 << 24, Exit: "0"}}
}

// waiting is a crawl in which n batches wait.
func waiting(b *testing.B, n int) *State {
	s := NewState("e")
	for tx := uint64(1); s.next <= uint64(n); tx++ {
		c := passing(tx)
		c.Inputs = nil
		if err := s.Apply(c); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// BenchmarkAppend is a commit on the disk that the temporary directory lies on,
// its sync included: with few and with many batches in the state.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 100_000} {
		b.Run(fmt.Sprintf("waiting=%d", n), func(b *testing.B) {
			l, err := Begin(OS{}, b.TempDir(), waiting(b, n), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			b.ReportAllocs()
			for tx := uint64(n + 1); b.Loop(); tx++ {
				if err := l.Append(passing(tx)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLine reads one transaction's line: as a start does, and whole, as a history does.
func BenchmarkLine(b *testing.B) {
	body := passing(7).body()
	for name, d := range map[string]*decoder{"brief": {brief: true}, "whole": {}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.record(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplay is a start: 100,000 batches in the checkpoint, and as many
// transactions behind it.
func BenchmarkReplay(b *testing.B) {
	l := &Log{State: waiting(b, 100_000)}
	var text bytes.Buffer
	if err := l.writeCheckpoint(&text); err != nil {
		b.Fatal(err)
	}
	sum := l.sum
	for tx := uint64(100_001); tx <= 200_000; tx++ {
		body := passing(tx).body()
		sum = chain(sum, body)
		fmt.Fprintf(&text, "%s %s\n", sum, body)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text.Bytes()), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckpoint writes a state with 100,000 batches out.
func BenchmarkCheckpoint(b *testing.B) {
	l, err := Begin(OS{}, b.TempDir(), waiting(b, 100_000), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Checkpoint(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplayMillion is a start over a million transactions that no checkpoint
// has folded. cpu-s is what it takes of both cores, the collector's work included.
func BenchmarkReplayMillion(b *testing.B) {
	const transactions = 1_000_000
	path := filepath.Join(b.TempDir(), "log")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriterSize(f, 1<<20)
	l := &Log{State: waiting(b, 1)}
	if err := l.writeCheckpoint(out); err != nil {
		b.Fatal(err)
	}
	sum := l.sum
	for tx := uint64(2); tx < 2+transactions; tx++ {
		body := passing(tx).body()
		sum = chain(sum, body)
		fmt.Fprintf(out, "%s %s\n", sum, body)
	}
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	before, n := cpu(b), 0
	for b.Loop() {
		rp, err := Load(path)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(rp.Size)
		if n++; rp.State.next != 2+transactions || len(rp.State.batches) != 1 {
			b.Fatalf("next %d, %d batches", rp.State.next, len(rp.State.batches))
		}
	}
	b.ReportMetric((cpu(b)-before)/float64(n), "cpu-s")
}

// cpu is the seconds of both cores that this process has taken.
func cpu(b *testing.B) float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()).Seconds()
}
