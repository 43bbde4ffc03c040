package txlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Replay is the result of reading a log to its end.
type Replay struct {
	State *State
	Lines int    // complete lines, including those of the checkpoint
	Size  int64  // the number of bytes in these lines
	Torn  []byte // the rest after these lines, from an interrupted write; nil if there is none

	in    *bufio.Reader
	sum   string // checksum of the last complete line
	whole bool   // the end line of the checkpoint was read

	// If scan is true, State has only the first line, and no record is applied to it: each record
	// is verified, and passed on. batch, which may be nil, is called with the batches of the
	// checkpoint.
	scan  bool
	batch func(*Batch) error

	grows bool // lines may be added meanwhile: one without its end is not yet written, whatever follows
}

// Damage is the error that a log cannot be trusted, because it was changed after it was made
// durable. When it is returned, nothing has been changed.
type Damage struct {
	Line   int   // counted from 1
	Offset int64 // offset of the beginning of the line
	Err    error
}

func (d *Damage) Error() string {
	return fmt.Sprintf("log damaged in line %d, byte %d: %v", d.Line, d.Offset, d.Err)
}

func (d *Damage) Unwrap() error { return d.Err }

// Load replays the log in a file. The error is a *Damage, or wraps an error of opening or reading
// the file.
func Load(path string) (*Replay, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, nil)
}

// Read replays one generation: its checkpoint, then each record. If each is not nil, Read passes
// each record to it before applying the record.
//
// A bad last line was being written when the power failed. Nobody was told that it is durable, and
// Read returns it in Torn. Every line is synced before the next one is begun. So a bad line with
// anything after it cannot come from a power failure, and is Damage. A bad line in the checkpoint
// is Damage, too, because the checkpoint was put in place as a whole.
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

// open reads the first line of a log, which contains its generation.
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

// checkpoint reads the rest of the checkpoint, after the first line.
func (rp *Replay) checkpoint() error {
	for !rp.whole {
		raw, err := rp.line()
		if errors.Is(err, io.EOF) {
			return rp.damaged(errors.New("the checkpoint has no end"))
		}
		if err != nil {
			return err
		}
		body, sum, bad := rp.verify(raw)
		if bad != nil {
			return rp.damaged(bad)
		}
		if err := rp.fold(body, sum, nil); err != nil {
			return err
		}
	}
	return nil
}

// read reads the lines after the first.
func (rp *Replay) read(each func(Record) error) error {
	if err := rp.checkpoint(); err != nil {
		return err
	}
	for {
		raw, err := rp.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		body, sum, bad := rp.verify(raw)
		if bad != nil && (rp.grows && errors.Is(bad, errNoEnd) || rp.atEnd() && !swallows(raw)) {
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
	return nil
}

// line returns the next line with its newline, which may be missing in the last line. After the
// last line it returns io.EOF. The line is valid until the next read.
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

// fold applies one verified line.
func (rp *Replay) fold(body []byte, sum string, each func(Record) error) (err error) {
	switch {
	case rp.Lines == 0:
		err = rp.State.restoreHead(body)
	case !rp.whole:
		rp.whole, err = rp.restore(body)
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
		if !rp.scan {
			err = rp.State.Apply(r)
		}
	}
	if err != nil {
		return rp.damaged(err)
	}
	rp.Lines++
	rp.Size += int64(len(sum) + len(" \n") + len(body))
	rp.sum = sum
	return nil
}

// restore takes in a line of the checkpoint. It reports whether that is the last one.
func (rp *Replay) restore(body []byte) (done bool, err error) {
	switch kind := kindOf(body); {
	case !rp.scan || kind == "end":
		return rp.State.restore(body, rp.Lines+1)
	case kind == "batch" && rp.batch != nil:
		b := &Batch{}
		if err := parse(body, b.fields); err != nil {
			return false, err
		}
		return false, rp.batch(b)
	}
	return false, nil
}
