package txlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Salvage is what a damaged, lost or older log and the sealed logs still prove.
type Salvage struct {
	State *State
	Found []string // descriptions of what was corrected and what is lost

	newest uint64 // the newest generation that may have existed
}

// Rebuild reads the log in a directory as far as its checksums are valid. It also reads the sealed
// logs if they are newer, or if the log has no complete checkpoint. It changes nothing. If a single
// bit of a line has changed, Rebuild corrects it: the checksum shows which bit it is. It ignores
// all lines after a lost line, because they may depend on it.
func Rebuild(dir string) (*Salvage, error) {
	s := &Salvage{}
	path := filepath.Join(dir, LogFile)
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		s.State, err = s.prefix(path, f)
	} else if errors.Is(err, os.ErrNotExist) {
		s.say("%s is missing", path)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	generations, err := Sealed(dir)
	if err != nil {
		return nil, err
	}
	if s.State != nil {
		s.newest = s.State.generation
	}
	for i := len(generations) - 1; i >= 0 && (s.State == nil || generations[i] >= s.State.generation); i-- {
		s.newest = max(s.newest, generations[i]+1) // the log had at most this generation
		if err := s.takeSealed(sealed(dir, generations[i])); err != nil {
			return nil, err
		}
	}
	if s.State == nil {
		return nil, &Damage{1, 0,
			fmt.Errorf("neither %s nor a log in %s has a whole checkpoint, so nothing can be rebuilt; put a copy back",
				path, HistoryDir)}
	}
	return s, nil
}

// takeSealed uses the state of a sealed log if it is newer than what was found.
func (s *Salvage) takeSealed(path string) error {
	src, err := openSealed(path)
	if err != nil {
		return err
	}
	defer src.Close()
	found := len(s.Found)
	state, err := s.prefix(path, src)
	if err != nil {
		return err
	}
	if state == nil || s.State != nil && state.seq <= s.State.seq {
		s.Found = s.Found[:found]
		return nil
	}
	s.State = state
	s.say("%s is the newest readable log, and is used", path)
	return nil
}

func (s *Salvage) say(format string, args ...any) {
	s.Found = append(s.Found, fmt.Sprintf(format, args...))
}

// prefix reads a log up to the first line that is lost. It returns nil if that line is in its
// checkpoint.
func (s *Salvage) prefix(name string, src io.Reader) (*State, error) {
	rp := newReplay(src)
	for {
		raw, err := rp.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if lost := (*os.PathError)(nil); errors.As(err, &lost) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		body, sum, bad := rp.verify(raw)
		if err != nil { // the rest cannot be decompressed, or has no lines
			bad = err
		} else if bad != nil {
			if line := rp.mend(raw); line != nil {
				s.say("%s: line %d: one bit had changed, and was corrected by the checksum", name, rp.Lines+1)
				body, sum, bad = rp.verify(line)
			}
		}
		if bad == nil {
			bad = rp.fold(body, sum, nil)
		}
		if bad != nil {
			s.say("%s: line %d and all lines after it are lost, from byte %d on: %v", name, rp.Lines+1, rp.Size, bad)
			break
		}
	}
	if !rp.whole {
		return nil, nil
	}
	return rp.State, nil
}

// maxMend is the maximum length of a line to correct, because the time grows with the square of the
// length.
const maxMend = 128 << 10

// mend finds the changed bit that made a line bad, by trying all bits, and returns the original
// line. If the bit may have split the line in two, mend also uses the next line. The bytes after
// the corrected line are then read again.
func (rp *Replay) mend(raw []byte) (line []byte) {
	if len(raw) > maxMend {
		return nil
	}
	raw = bytes.Clone(raw)
	line, rest := rp.tryBits(raw, 0)
	if line == nil {
		next, _ := rp.in.Peek(maxMend)
		next = next[:bytes.IndexByte(next, '\n')+1]
		if line, rest = rp.tryBits(append(raw, next...), len(raw)-1); line != nil {
			rp.in.Discard(len(next))
		}
	}
	rp.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(rest), rp.in), 256<<10)
	return line
}

func (rp *Replay) tryBits(raw []byte, from int) (line, rest []byte) {
	for i := from; i < len(raw); i++ {
		for bit := range 8 {
			raw[i] ^= 1 << bit
			end := bytes.IndexByte(raw, '\n') + 1
			if _, _, bad := rp.verify(raw[:end]); bad == nil {
				return raw[:end], raw[end:]
			}
			raw[i] ^= 1 << bit
		}
	}
	return nil, nil
}

// MaxLost is more than the count of numbers that the lost end of a log can have given out. A name
// with a higher number was not written by this crawl. There are 10^12 numbers in total.
const MaxLost = 100_000_000

// Begin replaces the log by a log of the rebuilt state. It keeps the bytes of the old log in
// history/, under a name that nothing reads. The numbers of the new log begin above all numbers
// that may have been given out, because other machines may know them.
func (s *Salvage) Begin(disk Disk, dir string) (*Log, error) {
	l := &Log{State: s.State, disk: disk, dir: dir, touched: map[string]bool{}}
	l.State.generation = s.newest + 1
	l.State.next += MaxLost
	old, err := os.Open(filepath.Join(dir, LogFile))
	if err == nil {
		defer old.Close()
		err = errors.Join(disk.Mkdir(filepath.Join(dir, HistoryDir)), disk.Replace(
			filepath.Join(dir, HistoryDir, fmt.Sprintf("damaged-%06d.log", l.State.generation)),
			func(w io.Writer) error { _, err := io.Copy(w, old); return err }))
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = l.replace()
	}
	if err != nil {
		return nil, l.fail(fmt.Errorf("put the rebuilt log in place: %w", err))
	}
	return l, nil
}
