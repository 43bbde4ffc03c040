package txlog

import (
	"bufio"
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

	in    *bufio.Reader
	sum   string // checksum of the last whole line
	whole bool   // the end of the checkpoint was read
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
	rp, err := open(src)
	if err == nil {
		err = rp.read(each)
	}
	if err != nil {
		return nil, err
	}
	return rp, nil
}

func newReplay(src io.Reader) *Replay {
	return &Replay{State: NewState(""), in: bufio.NewReaderSize(src, 256<<10), sum: origin}
}

// open reads the first line of a log, which says of what generation it is.
func open(src io.Reader) (*Replay, error) {
	rp := newReplay(src)
	raw, err := rp.line()
	if errors.Is(err, io.EOF) {
		return nil, rp.damaged(errors.New("the checkpoint has no end"))
	}
	if err != nil {
		return nil, err
	}
	body, sum, bad := rp.verify(raw)
	if bad != nil {
		return nil, rp.damaged(bad)
	}
	return rp, rp.fold(body, sum, nil)
}

// read reads the lines after the first.
func (rp *Replay) read(each func(Record) error) error {
	for {
		raw, err := rp.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		body, sum, bad := rp.verify(raw)
		if bad != nil && rp.whole && rp.atEnd() && !swallows(raw) {
			rp.Torn = raw
			break
		}
		if bad != nil {
			return rp.damaged(bad)
		}
		if err := rp.fold(body, sum, each); err != nil {
			return err
		}
	}
	if !rp.whole {
		return rp.damaged(errors.New("the checkpoint has no end"))
	}
	return nil
}

// line returns the next line with its newline, which the last one may lack, and behind that
// io.EOF. It is valid until more is read.
func (rp *Replay) line() ([]byte, error) {
	raw, err := rp.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		raw, err = rp.longLine(raw)
	}
	if errors.Is(err, io.EOF) && len(raw) > 0 {
		return raw, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("read log: %w", err)
	}
	return raw, err
}

// longLine returns the line that begins with raw and does not fit into the buffer.
func (rp *Replay) longLine(raw []byte) (line []byte, err error) {
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		if line = append(line, raw...); len(line) > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
		raw, err = rp.in.ReadSlice('\n')
	}
	return append(line, raw...), err
}

func (rp *Replay) atEnd() bool {
	_, err := rp.in.Peek(1)
	return errors.Is(err, io.EOF)
}

func (rp *Replay) damaged(err error) error { return &Damage{rp.Lines + 1, rp.Size, err} }

// fold takes in one verified line.
func (rp *Replay) fold(body []byte, sum string, each func(Record) error) (err error) {
	switch {
	case rp.Lines == 0:
		err = rp.State.restoreHead(body)
	case !rp.whole:
		rp.whole, err = rp.State.restore(body, rp.Lines+1)
	default:
		var r Record
		if r, err = decode(body); err != nil {
			break
		}
		if each != nil {
			if err := each(r); err != nil {
				return err
			}
		}
		err = rp.State.Apply(r)
	}
	if err != nil {
		return rp.damaged(err)
	}
	rp.Lines++
	rp.Size += int64(len(sum) + len(" \n") + len(body))
	rp.sum = sum
	return nil
}
