package txlog

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// passing is a run that reads one batch and leaves one.
func passing(tx uint64) *Commit {
	batch := func(tx uint64) Name { return Name("frontier/" + FileName("m", tx, 1, "zst")) }
	return &Commit{Tx: tx, Stage: "fetch", Read: 1000,
		Inputs:  []Input{{Name: batch(tx - 1), Records: 1000, Gone: true}},
		Outputs: []Output{{Name: batch(tx), Size: 4000, Hash: "00000000deadbeef", Records: 990}},
		Reasons: []Count{{"gone", 10}}, Counts: []Count{{"connections", 7}},
		Run: Run{Command: []string{"fetch", "-report", "r", "{in}"}, Start: noon, End: noon.Add(time.Second),
			CPU: time.Second, Memory: 1 << 24, Exit: "0"}}
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

// BenchmarkLine reads one transaction's line.
func BenchmarkLine(b *testing.B) {
	body := encode(passing(7))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay is a start: of a log as long as checkpoints let it grow with a few batches
// waiting, and of one with 100,000 batches waiting and as many transactions.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []struct{ batches, transactions uint64 }{{1_000, 12_000}, {100_000, 100_000}} {
		b.Run(fmt.Sprintf("transactions=%d", n.transactions), func(b *testing.B) {
			l := &Log{State: waiting(b, int(n.batches))}
			var text bytes.Buffer
			if err := l.writeCheckpoint(&text); err != nil {
				b.Fatal(err)
			}
			sum := l.sum
			for tx := n.batches + 1; tx <= n.batches+n.transactions; tx++ {
				body := encode(passing(tx))
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
		})
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
