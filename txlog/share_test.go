package txlog

import (
	"io"
	"path/filepath"
	"testing"
)

// countingDisk counts what checkpoints and history write, and syncs nothing.
type countingDisk struct {
	OS
	replaced int64
}

func (d *countingDisk) Replace(path string, content func(io.Writer) error) error {
	return d.OS.Replace(path, func(w io.Writer) error {
		n := &countingWriter{w: w}
		err := content(n)
		d.replaced += n.n
		return err
	})
}

func (d *countingDisk) Append(path string) (File, error) {
	f, err := d.OS.Append(path)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ File }

func (unsyncedFile) Sync() error { return nil }

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}

// However long a crawl lives, checkpoints and history cost a constant share of
// what it logs: the second half of a long life costs as much as the first. The
// live set is steady, as in a crawl whose queues neither grow nor drain.
func TestCheckpointsCostAConstantShare(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	disk := &countingDisk{}
	dir := t.TempDir()
	l, err := Begin(disk, dir, NewState("0123456789abcdef0123456789abcdef"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	name := func(tx uint64) Name { return Name("a/" + FileName("m", tx, 1, "zst")) }
	const live, life = 500, 120_000
	var logged, halves [2]int64
	checkpoints := 0
	for tx := uint64(1); tx <= life; tx++ {
		half := int(tx-1) / (life / 2)
		c := &Commit{Tx: tx, Stage: "copy", Read: 1,
			Outputs: []Output{{Name: name(tx), Size: 5, Hash: "0123456789abcdef", Records: 1}}}
		if tx > live {
			c.Inputs = []Input{{Name: name(tx - live), Records: 1, Gone: true}}
		}
		logged[half] += int64(len(encode(c))) + 18
		if err := l.Append(c); err != nil {
			t.Fatal(err)
		}
		for _, in := range c.Inputs {
			l.Done(in.Name)
		}
		if !l.Full() {
			continue
		}
		checkpoints++
		before := disk.replaced
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		halves[half] += disk.replaced - before
	}
	first := float64(halves[0]) / float64(logged[0])
	second := float64(halves[1]) / float64(logged[1])
	t.Logf("%d checkpoints; checkpoints and history cost %.3f and %.3f of what is logged", checkpoints, first, second)
	if checkpoints < 4 || second > 1.25*first || second > 0.5 {
		t.Errorf("%d checkpoints cost %.3f of the first half and %.3f of the second; "+
			"want at least 4, and a constant share", checkpoints, first, second)
	}
	if _, err := Load(filepath.Join(dir, LogFile)); err != nil {
		t.Error(err)
	}
}
