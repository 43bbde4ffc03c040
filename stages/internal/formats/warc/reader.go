package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/deflate"
)

// Reader reads the answers of one batch, one after another. Its memory is a few records, and the
// windows of the codings of their bodies.
type Reader struct {
	// MaxRecord is the maximum size of a record's block in bytes. It may be changed before the
	// first call of Next.
	MaxRecord int64

	name   string
	src    *splitter
	close  func() error
	info   []byte
	answer Answer
	ahead  *member   // read, but no part of the answer
	err    error     // the first; it stays
	free   []*member // whose buffers may be used again
	tables deflate.Inflater
	undoer coding.Undoer
}

// DamageError says that a file is damaged, or is not a WARC file with one gzip member for each
// record.
type DamageError struct {
	Name   string // of the file
	Offset int64  // of the member
	Err    error
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s: damaged at byte %d: %v", e.Name, e.Offset, e.Err)
}
func (e *DamageError) Unwrap() error { return e.Err }

// Damage returns err if the file is damaged, and nil if the server sent bad content. It is for
// errors of [Answer.HTTP].
func Damage(err error) error {
	var d *DamageError
	if errors.As(err, &d) {
		return err
	}
	return nil
}

// Open opens the batch at path; "-" is stdin.
func Open(path string, stdin io.Reader) (*Reader, error) {
	if path == "-" {
		return NewReader("standard input", stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open page batch: %w", err)
	}
	r := NewReader(path, f)
	r.close = f.Close
	return r, nil
}

// NewReader returns a Reader for the batch in src. name is used in errors.
func NewReader(name string, src io.Reader) *Reader {
	return &Reader{MaxRecord: MaxRecord, name: name, src: newSplitter(src), close: func() error { return nil }}
}

// Close releases the reader.
func (r *Reader) Close() error { return r.close() }

// Info returns the member of the last warcinfo record that was passed, or nil if there was none.
func (r *Reader) Info() []byte { return r.info }

// maxReused is how many bytes the buffers of a member may have that are used again.
const maxReused = 1 << 20

// Next returns the next answer, which is valid until the next call. At the end it returns io.EOF.
// Records of other types are skipped. After an error there are no more answers.
func (r *Reader) Next() (*Answer, error) {
	r.recycle(r.answer.response, r.answer.request)
	r.answer = Answer{reader: r, head: HTTP{Header: r.answer.head.Header}}
	for {
		m, err := r.member()
		if err != nil {
			return nil, err
		}
		switch {
		case m.isAnswer():
			r.answer.response = m
			r.findRequest()
			return &r.answer, nil
		case m.recordType() == "request":
			// Some writers put it first.
			r.recycle(r.answer.request)
			r.answer.request = m
		case m.recordType() == "warcinfo":
			r.info = bytes.Clone(m.raw)
			r.recycle(m)
		default:
			r.recycle(m)
		}
	}
}

// findRequest decides which of the records around the response is its request. An error of the
// record behind it is kept for the next call, since the response is whole.
func (r *Reader) findRequest() {
	a := &r.answer
	if a.request != nil && a.request.belongsTo(a.response) {
		return
	}
	r.recycle(a.request)
	a.request = nil
	m, err := r.member()
	switch {
	case err != nil: // kept in r.err
	case m.belongsTo(a.response):
		a.request = m
	default:
		r.ahead = m
	}
}

// member returns the next member of the file with its header read. Its first error is its last
// word.
func (r *Reader) member() (*member, error) {
	if m := r.ahead; m != nil {
		r.ahead = nil
		return m, nil
	}
	if r.err != nil {
		return nil, r.err
	}
	m := r.fresh()
	m.offset = r.src.offset
	err := r.src.next(m, r.MaxRecord+maxHeader)
	if err == io.EOF {
		r.err = io.EOF
		return nil, io.EOF
	}
	if err == nil {
		err = m.open(r.MaxRecord)
	}
	if err != nil {
		r.err = r.damage(m, err)
		return nil, r.err
	}
	return m, nil
}

func (r *Reader) damage(m *member, err error) error {
	var file *os.PathError
	if errors.As(err, &file) {
		return fmt.Errorf("read page batch: %w", err)
	}
	return &DamageError{Name: r.name, Offset: m.offset, Err: err}
}

// fresh returns a member to read into, with the buffers of one that is done with.
func (r *Reader) fresh() *member {
	if n := len(r.free); n > 0 {
		m := r.free[n-1]
		r.free = r.free[:n-1]
		return m
	}
	return &member{tables: &r.tables}
}

// recycle takes back members that are done with, but for large ones: what these took of memory is
// not kept for the rest of the batch.
func (r *Reader) recycle(done ...*member) {
	for _, m := range done {
		if m != nil && m.room() <= maxReused {
			r.free = append(r.free, m)
		}
	}
}
