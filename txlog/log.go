package txlog

import (
	"errors"
	"fmt"
	"slices"
)

// File names in a crawl's directory.
const (
	LogFile    = "log"
	HistoryDir = "history"
	InboxDir   = "inbox"
)

// A Log is open for appending. Its owner must hold the crawl's lock. It is not safe for concurrent
// use.
type Log struct {
	State *State // the state after the last line

	disk    Disk
	dir     string
	file    File
	sum     string
	size    int64           // bytes of this generation
	base    int64           // size of its checkpoint
	touched map[string]bool // directories changed since the checkpoint
	broken  error
}

// Every error after the first failure to write wraps ErrBroken. It is then unknown what reached the
// disk, and only a new start may read it: if a failed sync is retried, it can succeed although the
// data is lost.
var ErrBroken = errors.New("the log cannot be written")

// Begin opens a new generation of the log in dir. It seals the old log, if any, into history/, and
// replaces it durably by a checkpoint of state. It never appends to a log that another process
// wrote. readers lists which stages read which queues; nil keeps the readers of the last run.
func Begin(disk Disk, dir string, state *State, readers []Reading) (*Log, error) {
	if readers != nil {
		clear(state.readers)
	}
	for _, r := range readers {
		state.readers[r] = true
	}
	l := &Log{State: state, disk: disk, dir: dir, touched: map[string]bool{}}
	if err := l.newGeneration(); err != nil {
		return nil, l.fail(err)
	}
	return l, nil
}

// Number returns a new transaction number.
func (l *Log) Number() uint64 {
	tx := l.State.next
	l.State.next++
	return tx
}

// Append makes a record durable and applies it to the state. If it returns nil, the record has
// happened. After any error the log refuses all further use.
func (l *Log) Append(r Record) error {
	if l.broken != nil {
		return l.broken
	}
	body := encode(r)
	if err := l.readable(body); err != nil {
		return l.fail(fmt.Errorf("a record that could not be read again: %w", err))
	}
	if err := l.State.Apply(r); err != nil {
		return l.fail(fmt.Errorf("a record that does not fit: %w", err))
	}
	sum := chain(l.sum, body)
	raw := make([]byte, 0, len(body)+18)
	raw = append(append(append(append(raw, sum...), ' '), body...), '\n')
	_, err := l.file.Write(raw)
	//failpoint:write-error-ignored err = nil
	if err == nil {
		err = l.sync()
	}
	if err != nil {
		return l.fail(err)
	}
	l.sum = sum
	l.size += int64(len(raw))
	l.touch(r)
	return nil
}

func (l *Log) sync() error {
	//failpoint:line-not-synced return nil
	err := l.file.Sync()
	//failpoint:sync-error-ignored return nil
	return err
}

// maxLine is the maximum length of a line. A transaction of 1,000 inputs and as many outputs is far
// below it.
const maxLine = 64 << 20

// readable returns an error if a replay would refuse a body. With one such line in the log no start
// would ever succeed again.
func (l *Log) readable(body []byte) error {
	if len(body) > maxLine {
		return fmt.Errorf("it has %d bytes, more than %d", len(body), maxLine)
	}
	_, err := decode(body)
	return err
}

func (l *Log) fail(err error) error {
	if l.broken == nil {
		l.broken = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return l.broken
}

// touch records the directories into which a commit's outputs are renamed.
func (l *Log) touch(r Record) {
	c, ok := r.(*Commit)
	if !ok {
		return
	}
	for _, o := range slices.Concat(c.Outputs, c.Segments) {
		l.touched[o.Name.Dir()] = true
	}
}

// Done records that the redo action for a file was carried out: the file was removed
// (State.ToRemove) or renamed into its place (State.ToPlace). The next checkpoint makes that
// durable and drops the action.
func (l *Log) Done(name Name) {
	if _, ok := l.State.toRemove[name]; ok {
		l.State.toRemove[name] = true
	}
	if _, ok := l.State.toPlace[name]; ok {
		l.State.toPlace[name] = true
	}
	l.touched[name.Dir()] = true
}

// DoneRequest records that an answered request was removed from inbox/.
func (l *Log) DoneRequest(id string) {
	l.State.toClear[id] = true
	l.touched[InboxDir] = true
}

// Close closes the log. Nothing can be written after that.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
