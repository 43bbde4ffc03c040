package txlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Follower reads the log of a crawl as it grows, each line once. It takes no lock and writes
// nothing, so a manager may append meanwhile: an incomplete last line counts as not yet written.
type Follower struct {
	dir  string
	file *os.File // the generation that is read; nil if there is none
	rp   *Replay
}

// Follow returns a Follower that has read nothing. There need not be a log yet.
func Follow(dir string) *Follower { return &Follower{dir: dir} }

// State is the state after the lines that were read, or nil if there is no log. The next call of
// More changes it, or returns another one.
func (f *Follower) State() *State {
	if f.rp == nil {
		return nil
	}
	return f.rp.State
}

// More reads the lines that were added since the last call. It calls begin with the state of each
// checkpoint that it reads, and each with each record and the state before it; both may be nil. If
// the log was replaced by its next generation, More first reads the rest of the old one.
// Generations that were begun and sealed between two calls are only in the history.
//
// After an error the next call begins with the checkpoint again.
func (f *Follower) More(begin func(*State) error, each func(*State, Record) error) error {
	err := f.more(begin, each)
	if err != nil {
		f.Close()
	}
	return err
}

func (f *Follower) more(begin func(*State) error, each func(*State, Record) error) error {
	for {
		if f.file == nil {
			err := f.open(begin)
			if errors.Is(err, fs.ErrNotExist) {
				return nil // the crawl has not begun
			}
			if err != nil {
				return err
			}
		}
		// The log is looked at before its rest is read. So if it is still the file that is read,
		// nothing that was written before is missing; and if it is another file, no more is written
		// to this one.
		now, err := os.Stat(filepath.Join(f.dir, LogFile))
		if err != nil {
			return err
		}
		if err := f.rest(each); err != nil {
			return fmt.Errorf("%s: %w", f.file.Name(), err)
		}
		read, err := f.file.Stat()
		if err != nil {
			return err
		}
		if read.Size() < f.rp.Size {
			return fmt.Errorf("%s: %w", f.file.Name(), f.rp.damaged(errors.New("it is shorter than it was")))
		}
		if os.SameFile(now, read) {
			return nil
		}
		f.Close()
	}
}

// Close ends the reading. The next call of More begins with the checkpoint again.
func (f *Follower) Close() {
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.rp = nil, nil
}

// open reads the checkpoint of the current log.
func (f *Follower) open(begin func(*State) error) error {
	file, err := os.Open(filepath.Join(f.dir, LogFile))
	if err != nil {
		return err
	}
	f.file = file
	if f.rp, err = open(file); err == nil {
		f.rp.grows = true
		err = f.rp.checkpoint()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	if begin == nil {
		return nil
	}
	return begin(f.rp.State)
}

// rest reads the lines after those that were read.
func (f *Follower) rest(each func(*State, Record) error) error {
	if _, err := f.file.Seek(f.rp.Size, io.SeekStart); err != nil {
		return err
	}
	f.rp.in.Reset(f.file)
	if each == nil {
		return f.rp.read(nil)
	}
	return f.rp.read(func(r Record) error { return each(f.rp.State, r) })
}
