package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/robots"
)

// A kind says what is known about an origin.
type kind byte

const (
	private kind = 0 // its addresses or its port are forbidden; depends on the flags, so never stored
	known   kind = 1 // addresses and robots.txt
	notNow  kind = 2 // robots.txt cannot be fetched: a bad status, or the server cannot be reached
	noHost  kind = 4 // the name does not exist
)

// An entry is what the state knows about one origin. The package comment describes its format.
type entry struct {
	kind   kind
	expiry time.Time // whole seconds
	since  time.Time // for kind notNow: when the trouble began
	named  bool      // the address comes from -connect-to
	origin string
	reason string // for all kinds except known
	addrs  []netip.AddrPort
	robots []byte // robots.txt, compressed (codec.zip); empty if there is none

	// These are not stored.
	renewed bool          // this run made the entry
	size    int64         // number of bytes that its server has sent
	asked   time.Duration // how long not to ask the server: from Retry-After, or because it is slow
}

const entryVersion = 1

// Limits for an entry that is read: number of addresses, and unix seconds.
const (
	maxAddrs = 64
	maxTime  = 1<<40 - 1
)

// keyOf returns the key of an origin in the state.
func keyOf(hash *keyed.Hash, origin string) uint64 { return hash.Sum([]byte(origin)) }

// A codec packs and unpacks entries. It is safe for concurrent use.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func newCodec() (*codec, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("pack entries: %w", err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(robots.MaxBody))
	if err != nil {
		return nil, fmt.Errorf("unpack entries: %w", err)
	}
	return &codec{encoder, decoder}, nil
}

// zip compresses a robots.txt. An empty one stays empty. The result has no spare capacity: the
// encoder allocates the size of the text, and thousands of results are in memory.
func (c *codec) zip(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return bytes.Clone(c.encoder.EncodeAll(text, nil))
}

// unzip undoes zip. b may be any bytes. A text longer than robots.MaxBody is an error.
func (c *codec) unzip(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, nil
	}
	text, err := c.decoder.DecodeAll(b, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack robots.txt: %w", err)
	}
	return text, nil
}

// pack encodes an entry.
func pack(e *entry) []byte {
	b := []byte{entryVersion, byte(e.kind)}
	b = binary.AppendUvarint(b, uint64(e.expiry.Unix()))
	b = binary.AppendUvarint(b, seconds(e.since))
	b = append(b, 0)
	if e.named {
		b[len(b)-1] = 1
	}
	b = segment.AppendText(b, e.origin)
	b = segment.AppendText(b, e.reason)
	b = binary.AppendUvarint(b, uint64(len(e.addrs)))
	for _, addr := range e.addrs {
		b = segment.AppendText(b, addr.String())
	}
	return append(b, e.robots...)
}

func seconds(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.Unix())
}

// unpack decodes an entry. b may be any bytes; it returns an error if they are not an entry of this
// version. The entry keeps a reference to b.
func (c *codec) unpack(b []byte) (*entry, error) {
	f := segment.FieldsOf(b)
	f.Version(entryVersion)
	e := &entry{kind: kind(f.Byte())}
	e.expiry = time.Unix(int64(f.Number(maxTime)), 0)
	if since := f.Number(maxTime); since > 0 {
		e.since = time.Unix(int64(since), 0)
	}
	e.named = f.Byte() == 1
	e.origin, e.reason = f.Text(), f.Text()
	for range f.Number(maxAddrs) {
		addr, err := netip.ParseAddrPort(f.Text())
		f.Fail(err)
		e.addrs = append(e.addrs, addr)
	}
	if rest := f.Rest(); len(rest) > 0 {
		e.robots = rest
		_, err := c.unzip(e.robots)
		f.Fail(err)
	}
	switch {
	case e.kind == known && len(e.addrs) > 0, e.kind == noHost && report.ValidName(e.reason):
	case e.kind == notNow && report.ValidName(e.reason):
		if e.since.IsZero() {
			f.Fail(errors.New("the entry has kind 2, but no time at which the trouble began"))
		}
	default:
		f.Fail(errors.New("the entry has an unknown kind"))
	}
	return e, f.End()
}

// useful reports whether the entry encoded in b is still needed. After it has expired, only an
// entry of kind notNow is needed, by troubleSince.
func useful(b []byte, now time.Time, ttl time.Duration) bool {
	f := segment.FieldsOf(b)
	f.Version(entryVersion)
	kind, expiry := kind(f.Byte()), time.Unix(int64(f.Number(maxTime)), 0)
	if kind == notNow {
		expiry = expiry.Add(troubleKept(ttl))
	}
	f.Rest()
	return f.End() == nil && !now.After(expiry)
}
