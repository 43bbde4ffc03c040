package txlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// File names within a crawl's directory.
const (
	LogFile    = "log"
	HistoryDir = "history"
	InboxDir   = "inbox"
)

// minCheckpoint is the length below which a log is not worth a new generation.
const minCheckpoint = 4 << 20

// A Log is open for appending. Whoever holds it holds the crawl's lock. It is
// not safe for concurrent use.
type Log struct {
	State *State // what the log says up to its last line; change it by Append only

	disk    Disk
	dir     string
	file    File
	sum     string
	size    int64           // bytes of this generation
	base    int64           // of which the checkpoint took so many
	touched map[string]bool // directories changed since the checkpoint
	broken  error
}

// ErrBroken is wrapped by every error after the first failure to write. What
// reached the disk is then unknown, and only a new start may find out: a failed
// sync that is tried again can succeed with the data lost.
var ErrBroken = errors.New("the log cannot be written")

// Begin opens a new generation of the log in dir: the old one, if any, is
// sealed into history/, and a checkpoint of state is put in its place, durably.
// It never appends to a log that another process wrote.
func Begin(disk Disk, dir string, state *State) (*Log, error) {
	l := &Log{State: state, disk: disk, dir: dir, touched: map[string]bool{}}
	if err := l.newGeneration(); err != nil {
		return nil, l.fail(err)
	}
	return l, nil
}

// Append makes a record durable and folds it into the state. When it returns
// nil the record has happened; after any error the log refuses all further use.
func (l *Log) Append(r Record) error {
	if l.broken != nil {
		return l.broken
	}
	body := r.body()
	if err := readable(body); err != nil {
		return l.fail(fmt.Errorf("a record that could not be read again: %w", err))
	}
	if err := l.State.Apply(r); err != nil {
		return l.fail(fmt.Errorf("a record that does not fit: %w", err))
	}
	sum := chain(l.sum, body)
	raw := make([]byte, 0, len(body)+18)
	raw = append(append(append(append(raw, sum...), ' '), body...), '\n')
	if _, err := l.file.Write(raw); err != nil {
		return l.fail(err)
	}
	if err := l.file.Sync(); err != nil {
		return l.fail(err)
	}
	l.sum = sum
	l.size += int64(len(raw))
	l.touch(r)
	return nil
}

// readable refuses a body that a replay would refuse: one line of that kind and
// no start would ever succeed again.
func readable(body []byte) error {
	if len(body) > maxLine {
		return fmt.Errorf("it has %d bytes, more than %d", len(body), maxLine)
	}
	_, err := decodeRecord(string(body))
	return err
}

func (l *Log) fail(err error) error {
	if l.broken == nil {
		l.broken = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return l.broken
}

// touch notes the directories that a commit's outputs are renamed into.
func (l *Log) touch(r Record) {
	c, ok := r.(*Commit)
	if !ok {
		return
	}
	for _, o := range c.Outputs {
		l.touched[o.Name.Dir()] = true
	}
	for _, o := range c.Segments {
		l.touched[o.Name.Dir()] = true
	}
}

// Done says that the redo action for a file was carried out: it was removed
// (State.Remove) or renamed into its place (State.Place). The next checkpoint
// makes that durable and forgets the action.
func (l *Log) Done(name Name) {
	if _, ok := l.State.Remove[name]; ok {
		l.State.Remove[name] = true
	}
	if _, ok := l.State.Place[name]; ok {
		l.State.Place[name] = true
	}
	l.touched[name.Dir()] = true
}

// DoneRequest says that an answered request was removed from inbox/.
func (l *Log) DoneRequest(id string) {
	l.State.Requests[id] = true
	l.touched[InboxDir] = true
}

// Full reports whether the log has grown so far beyond its checkpoint that a
// new one is due. Because the bound grows with the checkpoint, checkpoints cost
// a constant share of all writing, however long the crawl.
func (l *Log) Full() bool { return l.size-l.base > max(minCheckpoint, l.base) }

// Checkpoint begins a new generation. Redo actions that are marked as done are
// made durable first and then forgotten.
func (l *Log) Checkpoint() error {
	if l.broken != nil {
		return l.broken
	}
	if err := l.settle(); err != nil {
		return l.fail(err)
	}
	if err := l.file.Close(); err != nil {
		return l.fail(err)
	}
	if err := l.newGeneration(); err != nil {
		return l.fail(err)
	}
	return nil
}

// settle syncs the directories in which redo actions took place and forgets
// those that were done.
func (l *Log) settle() error {
	for dir := range l.touched {
		if err := l.disk.Sync(filepath.Join(l.dir, dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	clear(l.touched)
	for _, pending := range []map[Name]bool{l.State.Remove, l.State.Place} {
		for name, done := range pending {
			if done {
				delete(pending, name)
			}
		}
	}
	for id, done := range l.State.Requests {
		if done {
			delete(l.State.Requests, id)
		}
	}
	return nil
}

func (l *Log) newGeneration() error {
	if err := l.seal(); err != nil {
		return fmt.Errorf("seal the old log: %w", err)
	}
	l.State.Generation++
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
	for _, body := range l.State.bodies() {
		l.sum = chain(l.sum, body)
		n, err := fmt.Fprintf(out, "%s %s\n", l.sum, body)
		if err != nil {
			return err
		}
		l.size += int64(n)
	}
	l.base = l.size
	return out.Flush()
}

// seal copies the log as it stands, a torn end included, into history/.
func (l *Log) seal() error {
	old, err := os.Open(filepath.Join(l.dir, LogFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer old.Close()
	if err := l.disk.Mkdir(filepath.Join(l.dir, HistoryDir)); err != nil {
		return err
	}
	return l.disk.Replace(sealed(l.dir, l.State.Generation), func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		if _, err := io.Copy(z, old); err != nil {
			return errors.Join(err, z.Close())
		}
		return z.Close()
	})
}

// Close closes the log; nothing more is written.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
