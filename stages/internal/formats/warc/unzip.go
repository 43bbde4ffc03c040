package warc

import (
	"io"

	"multitext/stages/internal/formats/deflate"
)

// unzip inflates a gzip member that lies in memory, as far as it is asked for.
type unzip struct {
	shared *deflate.Inflater // its tables
	raw    []byte            // the member as it stands in the file
	plain  []byte            // what is inflated so far
	done   bool              // plain is all of it, and has its checksum
	behind int               // bytes behind the member, when it is done
	cut    bool              // plain ends within a block
	member deflate.Member
}

// begin takes the member in raw.
func (u *unzip) begin() error {
	u.plain, u.done, u.behind, u.cut = nil, false, 0, false
	return u.member.Open(u.raw)
}

// blockRoom is how much more than was asked for one block may give. Usual blocks of text hold less;
// one that was made for it inflates to a thousand times its bytes, though only the head in front is
// wanted.
const blockRoom = 1 << 20

// more appends to plain what comes next: after a flush of the writer, no more than up to there. The
// caller looks at no more than the first wanted bytes, which plain has not reached. At the end,
// where the checksum is tried, it gives io.EOF.
func (u *unzip) more(wanted int) error {
	if u.done {
		return io.EOF
	}
	limit, seen := wanted+blockRoom, len(u.plain)
	if u.cut { // inflating cannot go on within a block, so the member is begun anew
		if err := u.begin(); err != nil {
			return err
		}
	}
	for {
		err := u.shared.Next(&u.member, limit)
		u.plain = u.member.Plain()
		switch {
		case err == deflate.ErrLimit:
			u.cut = true
			return nil
		case err == io.EOF:
			u.done, u.behind = true, len(u.member.Rest())
			return err
		case err != nil || len(u.plain) >= seen:
			return err
		}
	}
}

// find inflates the member that b begins with, whose end is not known, and puts it into raw. The
// error is deflate.ErrShort where the member is longer than b.
func (u *unzip) find(b []byte, limit int) error {
	if err := u.member.Open(b); err != nil {
		return err
	}
	if err := u.shared.All(&u.member, limit); err != nil {
		return err
	}
	u.raw = append(u.raw, b[:len(b)-len(u.member.Rest())]...)
	u.plain, u.done, u.behind = u.member.Plain(), true, 0
	return nil
}

// room gives the bytes that the buffers have room for.
func (u *unzip) room() int { return cap(u.raw) + cap(u.member.Plain()) }
