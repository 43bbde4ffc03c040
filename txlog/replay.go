package txlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Replay is a log read to its end.
type Replay struct {
	State *State
	Lines int    // whole lines, those of the checkpoint included
	Size  int64  // their bytes
	Torn  []byte // what a write that was cut off left behind them; nil if nothing
	sum   string // checksum of the last whole line
}

// Damage says that a log cannot be trusted: it was changed after it was made
// durable. Nothing has been touched when it is returned.
type Damage struct {
	Line   int   // counted from 1
	Offset int64 // where the line begins
	Err    error
}

func (d *Damage) Error() string {
	return fmt.Sprintf("log damaged in line %d, byte %d: %v", d.Line, d.Offset, d.Err)
}

func (d *Damage) Unwrap() error { return d.Err }

// Load replays the log in a file. The error is a *Damage, or wraps what
// opening or reading the file returned.
func Load(path string) (*Replay, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, nil)
}

// Read replays one generation: its checkpoint, then each record, which is also
// handed to each (may be nil) before it is folded in.
//
// A bad last line is one that was being written when the power went: it was
// never promised to anybody, and ends up in Torn. Because every line is synced
// before the next is begun, a bad line with anything behind it cannot come from
// a cut, and is Damage; so is a bad line within the checkpoint, which was put
// in place whole.
func Read(src io.Reader, each func(Record) error) (*Replay, error) {
	return read(src, 0, each)
}

// errGeneration is returned by read for a log of another generation than the
// one wanted, before any of its records is handed out.
type errGeneration uint64

func (g errGeneration) Error() string { return fmt.Sprintf("the log is of generation %d", uint64(g)) }

func read(src io.Reader, generation uint64, each func(Record) error) (*Replay, error) {
	rp := &Replay{State: NewState(""), sum: origin}
	in := bufio.NewReaderSize(src, 256<<10)
	whole := false // the checkpoint's end was seen
	for {
		raw, err := readLine(in)
		if errors.Is(err, io.EOF) && len(raw) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read log: %w", err)
		}
		body, sum, bad := rp.verify(raw)
		if bad != nil {
			if _, err := in.Peek(1); whole && errors.Is(err, io.EOF) && !swallows(raw) {
				rp.Torn = bytes.Clone(raw)
				break
			}
			return nil, &Damage{rp.Lines + 1, rp.Size, bad}
		}
		if whole, err = rp.fold(body, whole, generation, each); err != nil {
			return nil, err
		}
		rp.Lines++
		rp.Size += int64(len(raw))
		rp.sum = sum
	}
	if !whole {
		return nil, &Damage{rp.Lines + 1, rp.Size, errors.New("the checkpoint has no end")}
	}
	return rp, nil
}

// fold takes in one verified line and reports whether the checkpoint is over.
func (rp *Replay) fold(body []byte, whole bool, generation uint64, each func(Record) error) (_ bool, err error) {
	damaged := func(err error) error { return &Damage{rp.Lines + 1, rp.Size, err} }
	if !whole {
		if rp.Lines == 0 {
			err = rp.State.restoreHead(body)
			if g := rp.State.generation; err == nil && generation != 0 && g != generation {
				return false, errGeneration(g)
			}
		} else {
			whole, err = rp.State.restore(body, rp.Lines+1)
		}
		if err != nil {
			return false, damaged(err)
		}
		return whole, nil
	}
	r, err := decode(body)
	if err != nil {
		return true, damaged(err)
	}
	if each != nil {
		if err := each(r); err != nil {
			return true, err
		}
	}
	if err := rp.State.Apply(r); err != nil {
		return true, damaged(err)
	}
	return true, nil
}
