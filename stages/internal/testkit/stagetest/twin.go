package stagetest

import (
	"encoding/binary"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
)

// Secret makes a secret, names it in the environment, and returns its hash.
func Secret(t testing.TB) *keyed.Hash {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("000102030405060708090a0b0c0d0e0f\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(keyed.Variable, file)
	hash, err := keyed.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// Twin is what a stranger makes: a text that begins with prefix, is of letters, digits and dots
// behind that, and has the XXH64 of victim. XXH64 takes the last eight bytes in by steps that can
// be undone, so they are computed, for one beginning after the other, until they are such as a
// host's name may have: some 6 million times.
func Twin(t testing.TB, prefix, victim string) string {
	t.Helper()
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789."
	prefix += strings.Repeat("a", (40-len(prefix)%32)%32) // 8 bytes of a stripe of 32: then 8 come, and 8 more
	want := undoTail(xxhash.Sum64String(victim))
	text := append([]byte(prefix), make([]byte, 16)...)
	counter, tail := text[len(prefix):len(prefix)+8], text[len(prefix)+8:]
	for i := range 90_000_000 {
		strconv.AppendInt(counter[:0], int64(10_000_000+i), 10)
		clear(tail)
		word := undoTail(xxhash.Sum64(text)) ^ want
		binary.LittleEndian.PutUint64(tail, bits.RotateLeft64(word*undo1, -31)*undo2)
		if strings.Trim(string(tail), allowed) == "" && !strings.Contains(string(text), "..") && tail[7] != '.' &&
			tail[0] != '.' {
			return string(text)
		}
	}
	t.Fatal("no twin of " + victim)
	return ""
}

// Constants of XXH64: numbers modulo 2^64, by which the first three's are undone, and prime 4.
const (
	undo1  = 0x0887493432badb37
	undo2  = 0x0ba79078168d4baf
	undo3  = 0xe9e9f4c41d6df849
	prime4 = 0x85ebca77c2b2ae63
)

// undoTail returns what of XXH64's state was mixed with the last eight bytes, where they came
// alone.
func undoTail(h uint64) uint64 {
	h ^= h >> 32
	h *= undo3
	h ^= h>>29 ^ h>>58
	h *= undo2
	h ^= h >> 33
	return bits.RotateLeft64((h-prime4)*undo1, -27)
}
