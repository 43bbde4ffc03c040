package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/deflate"
	"multitext/stages/internal/web/httphead"
)

// maxHeader bounds the header of a WARC record. A line of a URL batch (64 KiB) fits in with the URL
// of another, as in a revisit record.
const maxHeader = 256 << 10

// A member is one gzip member that holds one record, inflated as far as it was asked for.
type member struct {
	deflate.Member
	tables *deflate.Inflater // shared by all members of a file
	raw    []byte            // the member as it stands in the file
	offset int64             // in the file
	fields httphead.Fields
	block  int // where the record's block begins in Plain
	end    int // and ends
}

// open reads the header of the record; the block may have maxRecord bytes.
func (m *member) open(maxRecord int64) error {
	head, err := m.header(0, maxHeader)
	if err != nil {
		return fmt.Errorf("record header: %w", err)
	}
	version, lines, _ := bytes.Cut(m.Plain[:head], []byte("\r\n"))
	if !bytes.HasPrefix(version, []byte("WARC/1.")) {
		return fmt.Errorf("record begins with %.20q, want WARC/1.0 or WARC/1.1", version)
	}
	m.fields = m.fields[:0].Parse(string(lines))
	length, err := strconv.ParseInt(m.fields.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return fmt.Errorf("Content-Length %.40q is no number of bytes", m.fields.Get("Content-Length"))
	}
	if length > maxRecord {
		return fmt.Errorf("record of %d bytes, more than the bound of %d", length, maxRecord)
	}
	m.block, m.end = head, head+int(length)
	return nil
}

// header inflates until a header that begins at from has ended, and returns the place of its end.
// It looks at no more than limit bytes; a header without an end there is an error.
func (m *member) header(from, limit int) (int, error) {
	for at := from; ; {
		seen := min(len(m.Plain), from+limit)
		if n := httphead.End(m.Plain[at:seen]); n >= 0 {
			return at + n, nil
		}
		at = max(from, seen-len("\n\r\n")+1) // it may end across two pieces
		if seen == from+limit {
			return 0, fmt.Errorf("does not end within %d bytes", limit)
		}
		if err := m.more(from + limit); err != nil {
			return 0, cutShort(err)
		}
	}
}

// head returns the head of the answer in the block, inflated no further than that.
func (m *member) head() ([]byte, error) {
	end, err := m.header(m.block, min(m.end-m.block, MaxHead))
	if err != nil {
		// The head may fill the block without an empty line, or the file may be damaged: the whole
		// block tells.
		return m.whole()
	}
	return m.Plain[m.block:end], nil
}

// blockRoom is how much more than was asked for one block may give. Usual blocks of text hold less.
// A block may be made to inflate to a thousand times its bytes, when only the head before it is
// wanted.
const blockRoom = 1 << 20

// more inflates what comes next: after a flush of the writer, no more than up to there. The caller
// looks at no more than the first wanted bytes, which Plain has not reached. At the end of the
// member, where the checksum is tried, it returns io.EOF.
func (m *member) more(wanted int) error {
	err := m.tables.Next(&m.Member, wanted+blockRoom)
	if err == deflate.ErrLimit {
		return nil
	}
	return err
}

// whole inflates the record to its end, where the checksum is tried, and returns the block.
func (m *member) whole() ([]byte, error) {
	want := m.end + len(recordEnd)
	for len(m.Plain) <= want {
		err := m.more(want)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("inflate record: %w", cutShort(err))
		}
	}
	switch {
	case len(m.Plain) < m.end:
		return nil, fmt.Errorf("block has %d bytes where Content-Length says %d", len(m.Plain)-m.block, m.end-m.block)
	case len(m.Plain) != want || string(m.Plain[m.end:]) != recordEnd:
		return nil, errors.New("block is not followed by two line ends and the end of its member " +
			"(a file compressed as a whole? compress each record by itself)")
	case m.Size() < len(m.raw):
		return nil, errors.New("skip lengths span more than one member")
	}
	return m.Plain[m.block:m.end], nil
}

// cutShort makes an error of an end of file that comes too soon.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// recordType returns the type of the record.
func (m *member) recordType() string { return strings.ToLower(m.fields.Get("WARC-Type")) }

// isAnswer reports whether the record is one that a batch counts: an answer over HTTP, new or
// revisited.
func (m *member) isAnswer() bool {
	k := m.recordType()
	return k == "revisit" || k == "response" && strings.HasPrefix(m.fields.Get("Content-Type"), "application/http")
}

// belongsTo reports whether m is the request to the answer.
func (m *member) belongsTo(answer *member) bool {
	return m.recordType() == "request" && (m.pointsTo(answer) || answer.pointsTo(m))
}

func (m *member) pointsTo(other *member) bool {
	id := m.fields.Get("WARC-Concurrent-To")
	return id != "" && id == other.fields.Get("WARC-Record-ID")
}

// room returns the bytes that the buffers of the member take.
func (m *member) room() int { return cap(m.raw) + cap(m.Plain) }
