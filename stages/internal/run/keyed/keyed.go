// Package keyed makes the 64-bit keys under which a crawl keeps what strangers write: URLs, the
// names of hosts, of origins, of batches.
//
// A URL counts as seen when its key is there, and a host waits when its key is held. With a hash
// that anyone can compute, anyone finds a URL that has the key of a victim's, in less than a
// second: XXH64 takes its input in by steps that can be undone. So the keys are SipHash-2-4
// (Aumasson and Bernstein, 2012) under a secret of 128 bits, which is a pseudorandom function: who
// does not know the secret does no better than by chance. XXH3 with a secret is faster, but nobody
// has shown that, and public constants with a seed of 64 bits are not made for it.
//
// Hashes of files stay XXH64, and so do those by which no stranger gains: what is compared as a
// whole in the end (xdup's digests), and what whoever copies a text can do as well (its
// super-shingles).
//
// # The secret
//
// A secret is a file of 32 hexadecimal digits and a newline. The manager makes one at the birth of
// a crawl, in the crawl's folder, and names it to each stage in MT_SECRET. By hand:
//
//	export MT_SECRET=crawl/secret
//
// Where MT_SECRET is not set there is no secret, and keys are XXH64. A segment says by a mark of 64
// bits with which secret its keys were made, if with any (package segment), so that a state is
// never read with another: what is said then wraps ErrSecret. A state that was begun without a
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

// ErrSecret is wrapped by every error that says that a secret is missing, another or none.
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

// Mark tells secrets apart, and nothing else about them. It is 0 where there is none.
func (h *Hash) Mark() uint64 {
	if h == nil {
		return 0
	}
	return h.mark
}

// Of returns the Hash of a file's keys, which bears the mark: h, or none where the mark is 0. It
// fails where the keys were made with a secret that h has not.
func (h *Hash) Of(mark uint64) (*Hash, error) {
	switch {
	case mark == 0:
		return nil, nil
	case h == nil:
		return nil, fmt.Errorf("%w: keys were made with one, and %s names none; set it to the file \"secret\" in the crawl's folder",
			ErrSecret, Variable)
	case h.mark != mark:
		return nil, fmt.Errorf("%w: keys were made with another one than that in %s; put the one of this crawl there", ErrSecret, h.from)
	}
	return h, nil
}
