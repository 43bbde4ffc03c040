package txlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// minCheckpoint is the minimum growth in bytes before a new generation begins.
const minCheckpoint = 4 << 20

// Full reports whether the log has grown so far beyond its checkpoint that a new generation is due.
// The bound grows with the checkpoint. So checkpoints are a constant share of all writing, however
// long the crawl is.
func (l *Log) Full() bool {
	//failpoint:often-checkpoints return l.size-l.base > 600
	return l.size-l.base > max(minCheckpoint, l.base)
}

// Checkpoint begins a new generation. It first makes the redo actions durable that are marked as
// done, and drops them.
func (l *Log) Checkpoint() error {
	if l.broken != nil {
		return l.broken
	}
	err := l.settle()
	if err == nil {
		err = l.file.Close()
	}
	if err == nil {
		err = l.newGeneration()
	}
	if err != nil {
		return l.fail(err)
	}
	return nil
}

// settle syncs the directories of the redo actions that are done, and drops these actions.
func (l *Log) settle() error {
	for dir := range l.touched {
		//failpoint:removals-not-synced break
		if err := l.disk.Sync(filepath.Join(l.dir, dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	clear(l.touched)
	for _, pending := range []map[Name]bool{l.State.toRemove, l.State.toPlace} {
		for name, done := range pending {
			if done {
				delete(pending, name)
			}
		}
	}
	for id, done := range l.State.toClear {
		if done {
			delete(l.State.toClear, id)
		}
	}
	return nil
}

func (l *Log) newGeneration() error {
	bare, err := l.seal()
	if err != nil {
		return fmt.Errorf("seal the old log: %w", err)
	}
	if !bare {
		l.State.generation++
	}
	return l.replace()
}

// replace replaces the log by a checkpoint of the state.
func (l *Log) replace() error {
	path := filepath.Join(l.dir, LogFile)
	if err := l.disk.Replace(path, l.writeCheckpoint); err != nil {
		return fmt.Errorf("write a checkpoint: %w", err)
	}
	f, err := l.disk.Append(path)
	if err != nil {
		return err
	}
	l.file = f
	return nil
}

func (l *Log) writeCheckpoint(w io.Writer) error {
	out := bufio.NewWriterSize(w, 256<<10)
	l.sum, l.size = origin, 0
	c := checkpoint{State: l.State, put: func(body []byte) {
		l.sum = chain(l.sum, body)
		n, _ := fmt.Fprintf(out, "%s %s\n", l.sum, body) // Flush returns the same error
		l.size += int64(n)
	}}
	c.write()
	l.base = l.size
	return out.Flush()
}

// seal copies the log into history/, including a torn end. If nothing follows its checkpoint, the
// log is bare and seal does not copy it: the new log contains the same state and has the same
// generation.
func (l *Log) seal() (bare bool, err error) {
	old, err := os.Open(filepath.Join(l.dir, LogFile))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer old.Close()
	if bare, err = endsWithCheckpoint(old); bare || err != nil {
		return bare, err
	}
	return false, l.copyToHistory(old)
}

// endsWithCheckpoint reports whether the last line of a log is the end of its checkpoint.
func endsWithCheckpoint(log *os.File) (bool, error) {
	info, err := log.Stat()
	if err != nil {
		return false, err
	}
	end := make([]byte, min(info.Size(), 64)) // longer than the end line of a checkpoint
	if _, err := log.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return false, err
	}
	start := bytes.LastIndexByte(end[:max(len(end)-1, 0)], '\n') + 1
	last := end[start:]
	return start > 0 && len(last) > 17 && bytes.HasPrefix(last[17:], []byte("end\t")) && last[len(last)-1] == '\n', nil
}

// sealedWindow is how far back the compression of a generation looks, in bytes: the memory that its
// writer and its readers need. Lines resemble their neighbors, so more does not make it smaller.
const sealedWindow = 1 << 20

func (l *Log) copyToHistory(old io.Reader) error {
	if err := l.disk.Mkdir(filepath.Join(l.dir, HistoryDir)); err != nil {
		return err
	}
	return l.disk.Replace(sealed(l.dir, l.State.generation), func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(sealedWindow))
		if err != nil {
			return err
		}
		if _, err := io.Copy(z, old); err != nil {
			return errors.Join(err, z.Close())
		}
		return z.Close()
	})
}
