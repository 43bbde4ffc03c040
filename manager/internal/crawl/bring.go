package crawl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/txlog"
)

// bring copies files into a queue and commits them: the way in for batches from
// outside. They keep their extension, because stages tell formats by content.
func (st *Store) bring(rec *txlog.Commit, queue string, files []string) error {
	st.number(rec)
	if err := st.carry(rec, queue, files, os.Open); err != nil {
		return err
	}
	return st.settle(rec)
}

// An opener opens a file that is to be brought in.
type opener func(path string) (*os.File, error)

// carry copies the files into the work directory of a transaction, durably.
func (st *Store) carry(rec *txlog.Commit, queue string, files []string, open opener) error {
	tx, err := st.Dir.Begin(rec.Tx, []string{queue}, "")
	if err != nil {
		return err
	}
	var names []txlog.Name
	for i, file := range files {
		name := txlog.Name(queue + "/" + txlog.FileName("m", rec.Tx, i+1, Extension(file)))
		o, err := st.copyIn(open, file, filepath.Join(tx.Path, string(name)))
		if err != nil {
			return fmt.Errorf("bring %s into %s: %w", filepath.Base(file), queue, err)
		}
		if o.Size == 0 {
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is empty", filepath.Base(file)))
			continue
		}
		o.Name = name
		rec.Outputs = append(rec.Outputs, o)
		names = append(names, name)
	}
	return errors.Join(tx.Seal(names), tx.Anchor())
}

// number gives a record that no stage made its number and its time.
func (st *Store) number(rec *txlog.Commit) {
	rec.Tx = st.Log.Number()
	now := time.Now()
	rec.Run.Start, rec.Run.End, rec.Read = now, now, -1
}

// settle commits a record that no stage made.
func (st *Store) settle(rec *txlog.Commit) error {
	if err := st.apply(rec); err != nil {
		return err
	}
	return st.Dir.Clear(rec.Tx)
}

func (st *Store) copyIn(open opener, from, to string) (o txlog.Output, err error) {
	in, err := open(from)
	if err != nil {
		return o, err
	}
	defer in.Close()
	out, err := st.Dir.Disk.Create(to)
	if err != nil {
		return o, err
	}
	defer func() {
		if err2 := out.Close(); err == nil {
			err = err2
		}
	}()
	sum := xxhash.New()
	o.Records = -1
	if o.Size, err = io.Copy(io.MultiWriter(out, sum), cuttable{in, st.halted}); err != nil {
		return o, err
	}
	o.Hash = fmt.Sprintf("%016x", sum.Sum64())
	return o, nil
}

// A cuttable reader fails once its channel is closed.
type cuttable struct {
	io.Reader
	halted <-chan struct{}
}

var errCutShort = errors.New("cut short")

func (c cuttable) Read(p []byte) (int, error) {
	select {
	case <-c.halted:
		return 0, errCutShort
	default:
		return c.Reader.Read(p)
	}
}

// SeedKey is what the log remembers of seeds that were brought into a queue.
func SeedKey(queue string, text []byte) string {
	return fmt.Sprintf("%s %016x", queue, xxhash.Sum64(text))
}

// takeSeeds brings in the script's seeds, each once per queue and content.
func (c *Crawl) takeSeeds() error {
	for _, seed := range c.Script.Seeds {
		text, err := os.ReadFile(seed.File)
		if err != nil {
			return &Refusal{[]string{fmt.Sprintf("seeds of %s: %v", seed.Queue, err)}}
		}
		key := SeedKey(seed.Queue, text)
		if c.state.Seeded(key) {
			continue
		}
		if err := c.bring(&txlog.Commit{Seed: key}, seed.Queue, []string{seed.File}); err != nil {
			return err
		}
		c.out.Line(fmt.Sprintf("seeds %s → %s", filepath.Base(seed.File), seed.Queue))
	}
	return nil
}
