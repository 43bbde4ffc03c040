// Package keyed makes the 64-bit keys under which a crawl keeps what strangers write: URLs, the
// names of hosts, of origins, of batches.
//
// A URL counts as seen when its key is there, and a host waits when its key is held. With a hash
// that anyone can compute, anyone can find a URL with the key of another in less than a second: the
// steps of XXH64 can be undone. So the keys are SipHash-2-4 (Aumasson and Bernstein, 2012) under a
// secret of 128 bits, a pseudorandom function: without the secret nobody does better than chance.
// XXH3 with a secret is faster, but nobody has shown this of it, and hashes with public constants
// and a seed of 64 bits are not made for it.
//
// Hashes of files stay XXH64, and so do those from which no stranger gains: xdup's digests, which
// are compared as a whole in the end, and super-shingles, which anyone who copies a text has as
// well.
//
// # The secret
//
// A secret is a file of 32 hexadecimal digits and a newline. The manager makes one at the birth of
// a crawl, in the crawl's folder, and names it to each stage in MT_SECRET. By hand:
//
//	export MT_SECRET=crawl/secret
//
// Where MT_SECRET is not set there is no secret, and keys are XXH64. A segment has a mark of 64
// bits of the secret with which its keys were made, if any (package segment), so that a state is
// never read with another secret. The error then wraps ErrSecret. A state that was begun without a
// secret goes on without one.
package keyed

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/dchest/siphash"
)

// Variable is the name, in the environment, of the file of the secret.
const Variable = "MT_SECRET"

// ErrSecret is wrapped by every error about a secret that is missing, malformed or another one.
var ErrSecret = errors.New("the crawl's secret")

// A Hash makes keys. A nil one has no secret: its keys are XXH64. It may be used by several
// goroutines.
type Hash struct {
	k0, k1 uint64
	mark   uint64
	from   string // file of the secret, for messages
}

// size of a secret in bytes.
const size = 16

// New returns the Hash of a secret, 32 hexadecimal digits; from says where it stood.
func New(secret, from string) (*Hash, error) {
	key, err := hex.DecodeString(secret)
	if err != nil || len(key) != size {
		return nil, fmt.Errorf("%w: %s does not hold 32 hexadecimal digits", ErrSecret, from)
	}
	h := &Hash{k0: binary.LittleEndian.Uint64(key), k1: binary.LittleEndian.Uint64(key[8:]), from: from}
	h.mark = max(h.Sum([]byte("the mark of a secret\x00")), 1)
	return h, nil
}

// Read returns the Hash of the secret in a file.
func Read(file string) (*Hash, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSecret, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 2*size+2))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSecret, err)
	}
	return New(strings.TrimSuffix(string(text), "\n"), file)
}

// FromEnv returns the Hash of the secret that the environment names, nil if it names none.
func FromEnv() (*Hash, error) {
	file, ok := os.LookupEnv(Variable)
	if !ok {
		return nil, nil
	}
	return Read(file)
}

// Sum is the key of a text.
func (h *Hash) Sum(text []byte) uint64 {
	if h == nil {
		return xxhash.Sum64(text)
	}
	return siphash.Hash(h.k0, h.k1, text)
}

// Mark returns a number that differs between secrets and tells nothing else about them; 0 without a
// secret.
func (h *Hash) Mark() uint64 {
	if h == nil {
		return 0
	}
	return h.mark
}

// Of returns the Hash of the keys in a file that has the mark: h, or nil where the mark is 0. It
// fails when the keys were made with a secret other than that of h.
func (h *Hash) Of(mark uint64) (*Hash, error) {
	switch {
	case mark == 0:
		return nil, nil
	case h == nil:
		return nil, fmt.Errorf("%w: the keys were made with one, and %s names none; "+
			"set it to the file \"secret\" in the crawl's folder", ErrSecret, Variable)
	case h.mark != mark:
		return nil, fmt.Errorf("%w: the keys were made with another one than that in %s; name the file of this crawl",
			ErrSecret, h.from)
	}
	return h, nil
}
