// Package keyed makes the 64-bit keys under which a crawl stores untrusted texts: URLs, and names
// of hosts, origins and batches.
//
// A URL counts as seen if its key is stored, and a host waits if its key is held. If the hash were
// public, anyone could find a URL with the same key as another in less than a second, because XXH64
// can be inverted. So the keys are SipHash-2-4 (Aumasson and Bernstein, 2012) with a secret of 128
// bits. SipHash is a pseudorandom function: without the secret, finding equal keys is a matter of
// chance. XXH3 with a secret is faster, but nobody has shown this property for it. Hashes with
// public constants and a seed of 64 bits are not designed for it.
//
// Hashes of files are still XXH64. So are hashes that no attacker can exploit: those of xdup's
// digests, because xdup compares the whole digests, and super-shingles, because a copied text has
// the same ones anyway.
//
// # The secret
//
// A secret is a file of 32 hexadecimal digits and a newline. The manager creates it in the crawl's
// folder when the crawl begins. Each stage gets the path of the file in MT_SECRET. By hand:
//
//	export MT_SECRET=crawl/secret
//
// If MT_SECRET is not set, there is no secret, and keys are XXH64. A segment contains a 64-bit mark
// of the secret with which its keys were made (package segment). So a state is never read with
// another secret: the error then wraps ErrSecret. A state that was created without a secret
// continues without one.
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

// Variable is the environment variable with the path of the secret's file.
const Variable = "MT_SECRET"

// ErrSecret is wrapped by every error about a missing, malformed or wrong secret.
var ErrSecret = errors.New("the crawl's secret")

// A Hash makes keys. A nil Hash has no secret, and its keys are XXH64. It is safe for concurrent
// use.
type Hash struct {
	k0, k1 uint64
	mark   uint64
	from   string // the secret's file, for messages
}

// size is the size of a secret in bytes.
const size = 16

// New returns the Hash for a secret of 32 hexadecimal digits. from says where it was read, for
// messages.
func New(secret, from string) (*Hash, error) {
	key, err := hex.DecodeString(secret)
	if err != nil || len(key) != size {
		return nil, fmt.Errorf("%w: %s does not hold 32 hexadecimal digits", ErrSecret, from)
	}
	h := &Hash{k0: binary.LittleEndian.Uint64(key), k1: binary.LittleEndian.Uint64(key[8:]), from: from}
	h.mark = max(h.Sum([]byte("the mark of a secret\x00")), 1)
	return h, nil
}

// Read returns the Hash for the secret in a file.
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

// FromEnv returns the Hash for the secret in the file that MT_SECRET names, or nil if MT_SECRET is
// not set.
func FromEnv() (*Hash, error) {
	file, ok := os.LookupEnv(Variable)
	if !ok {
		return nil, nil
	}
	return Read(file)
}

// Sum returns the key of a text.
func (h *Hash) Sum(text []byte) uint64 {
	if h == nil {
		return xxhash.Sum64(text)
	}
	return siphash.Hash(h.k0, h.k1, text)
}

// Mark returns a number that identifies the secret and reveals nothing else about it. Without a
// secret it is 0.
func (h *Hash) Mark() uint64 {
	if h == nil {
		return 0
	}
	return h.mark
}

// Of returns the Hash for the keys in a file with this mark: h, or nil if the mark is 0. It returns
// an error if the keys were made with a secret other than that of h.
func (h *Hash) Of(mark uint64) (*Hash, error) {
	switch {
	case mark == 0:
		return nil, nil
	case h == nil:
		return nil, fmt.Errorf("%w: the keys were made with a secret, but %s is not set; "+
			"set it to the file \"secret\" in the crawl's folder", ErrSecret, Variable)
	case h.mark != mark:
		return nil, fmt.Errorf("%w: the keys were made with another secret than that in %s; name this crawl's file",
			ErrSecret, h.from)
	}
	return h, nil
}
