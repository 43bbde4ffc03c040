package warc

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"multitext/stages/internal/formats/deflate"
)

// unzip inflates gzip members that lie in memory, one after the other, each as far as it is asked for. Package deflate
// does that; what it refuses klauspost's gzip begins anew, and its word is the last one.
type unzip struct {
	shared *deflate.Inflater // its tables
	raw    []byte            // the member as it stands in the file
	plain  []byte            // what is inflated so far
	done   bool              // plain is all of it, and has its checksum
	behind int               // bytes behind the member, when it is done

	fast deflate.Member
	slow bool         // klauspost's gzip has the word, not fast
	src  bytes.Reader // what z has not read of raw
	z    gzip.Reader
	buf  []byte // is plain, where slow
}

// begin takes the member in raw.
func (u *unzip) begin() error {
	u.plain, u.done, u.behind, u.slow = nil, false, 0, false
	if u.fast.Open(u.raw) != nil {
		return u.restart()
	}
	return nil
}

// blockRoom is how much more than was asked for one block may hold, before klauspost's gzip is asked, which stops where
// its caller does. Usual blocks of text hold less; one that was made for it inflates to a thousand times its bytes,
// though only the head in front is wanted.
const blockRoom = 1 << 20

// more appends to plain what comes next: after a flush of the writer, no more than up to there. The caller looks at no more than
// the first wanted bytes. At the end, where the checksum is tried, it gives io.EOF.
func (u *unzip) more(wanted int) error {
	switch {
	case u.done:
		return io.EOF
	case u.slow:
		return u.moreSlow()
	}
	err := u.shared.Next(&u.fast, wanted+blockRoom)
	switch {
	case err == nil:
		u.plain = u.fast.Plain()
	case err == io.EOF:
		u.done, u.behind = true, len(u.fast.Rest())
	default:
		return u.restart()
	}
	return err
}

// find inflates the member that b begins with, whose end is not known, and puts it into raw. If it gives an error
// the member is longer than b, or klauspost's gzip must be asked.
func (u *unzip) find(b []byte, limit int) error {
	if err := u.fast.Open(b); err != nil {
		return err
	}
	if err := u.shared.All(&u.fast, limit); err != nil {
		return err
	}
	u.raw = append(u.raw, b[:len(b)-len(u.fast.Rest())]...)
	u.plain, u.done, u.behind = u.fast.Plain(), true, 0
	return nil
}

// stream does as find does with what comes from r, by klauspost's gzip.
func (u *unzip) stream(r *recorder, limit int64) error {
	if err := u.reset(r); err != nil {
		return err
	}
	for {
		err := u.moreSlow()
		switch {
		case int64(len(u.plain)) > limit:
			return fmt.Errorf("member inflates to more than the bound of %d bytes", limit)
		case err == io.EOF:
			u.raw, u.behind = r.seen, 0
			return nil
		case err != nil:
			return fmt.Errorf("inflate: %w", cutShort(err))
		}
	}
}

// restart goes on with klauspost's gzip, behind what was inflated before.
func (u *unzip) restart() error {
	seen := len(u.plain)
	u.src.Reset(u.raw)
	if err := u.reset(&u.src); err != nil {
		return err
	}
	for seen > 0 && len(u.plain) <= seen {
		if err := u.moreSlow(); err != nil {
			return err
		}
	}
	return nil
}

// reset makes klauspost's gzip read from r.
func (u *unzip) reset(r io.Reader) error {
	u.slow, u.plain, u.done, u.behind = true, u.buf[:0], false, 0
	if err := u.z.Reset(r); err != nil {
		return fmt.Errorf("inflate: %w", cutShort(err))
	}
	u.z.Multistream(false)
	return nil
}

func (u *unzip) moreSlow() error {
	u.grow()
	n, err := u.z.Read(u.plain[len(u.plain):cap(u.plain)])
	u.plain = u.plain[:len(u.plain)+n]
	switch {
	case n > 0:
		return nil // an error comes again
	case err == io.EOF:
		u.done, u.behind = true, u.src.Len()
	}
	return err
}

// grow makes room behind plain, where klauspost's gzip has the word.
func (u *unzip) grow() {
	if cap(u.plain)-len(u.plain) < 4096 {
		u.buf = append(make([]byte, 0, 2*cap(u.plain)+16<<10), u.plain...)
		u.plain = u.buf
	}
}

// room gives the bytes that the buffers have room for.
func (u *unzip) room() int { return cap(u.raw) + cap(u.fast.Plain()) + cap(u.buf) }
