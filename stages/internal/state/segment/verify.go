package segment

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
)

// Is reports whether the file at path begins as a segment does.
func Is(path string) bool { return kind.Is(path) }

// Check is a stage's -verify of segments: of says which, and entry judges their values, as in
// VerifyFile.
func Check(of string, entry func(value []byte) (text string, err error)) stage.Check {
	return stage.Check{Of: of, File: func(_ context.Context, env *stage.Env, path string) error {
		return VerifyFile(path, env.Hash, entry)
	}}
}

// VerifyFile checks the whole segment at path, and has entry judge each value. It gives the text
// that the value's key should be made of, or "" where that cannot be told, and the key is compared.
// With a nil entry the state is a set of keys alone. Damage wraps blockfile.ErrDamaged.
func VerifyFile(path string, hash *keyed.Hash, entry func(value []byte) (text string, err error)) error {
	if path == "-" {
		return errors.New("a segment cannot be read from standard input; name its file")
	}
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if hash, err = r.Hash(hash); err != nil {
		return err
	}
	switch {
	case r.values && entry == nil:
		return fmt.Errorf("segment %s has values, and a set of keys was expected: it is of another state", path)
	case !r.values && entry != nil:
		return fmt.Errorf("segment %s is a set of keys, and values were expected: it is of another state", path)
	}
	return r.verify(func(key uint64, value []byte) error {
		if entry == nil {
			return nil
		}
		text, err := entry(value)
		if made := hash.Sum([]byte(text)); err == nil && text != "" && made != key {
			err = fmt.Errorf("entry of %.200q, whose key is %016x", text, made)
		}
		if err != nil {
			return fmt.Errorf("segment %s: entry %016x: %w", path, key, err)
		}
		return nil
	})
}

// verify reads the whole segment, checks every block, the order of the keys and their number, and
// has entry judge each entry.
func (r *Reader) verify(entry func(key uint64, value []byte) error) error {
	var total, last uint64
	err := each(&blocks{reader: r}, func(key uint64, value []byte) error {
		if total > 0 && key <= last {
			return r.file.Damaged("key %016x behind %016x", key, last)
		}
		last = key
		total++
		return entry(key, value)
	})
	if err == nil && total != r.file.Total {
		err = r.file.Damaged("%d entries where the footer says %d", total, r.file.Total)
	}
	return err
}
