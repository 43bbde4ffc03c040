package ordered

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
)

// Is reports whether the file at path begins as a segment of this format does.
func Is(path string) bool { return kind.Is(path) }

// Check is a stage's -verify of segments: of says which, and entry judges their entries, as in
// VerifyFile.
func Check(of string, entry func(key Key, value []byte) error) stage.Check {
	return stage.Check{Of: of, File: func(_ context.Context, env *stage.Env, path string) error {
		return VerifyFile(path, env.Hash, entry)
	}}
}

// VerifyFile checks the whole segment at path, and has entry judge each entry. Damage wraps
// blockfile.ErrDamaged.
func VerifyFile(path string, hash *keyed.Hash, entry func(key Key, value []byte) error) error {
	if path == "-" {
		return errors.New("a segment cannot be read from standard input; name its file")
	}
	r, err := openReader(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := r.Hash(hash); err != nil {
		return err
	}
	return r.verify(entry)
}

// Verify is VerifyFile of the segments of the set. Its error is of all that are not whole.
func (s *Set) Verify(entry func(key Key, value []byte) error) error {
	var errs []error
	for _, r := range s.segments {
		errs = append(errs, r.verify(entry))
	}
	return errors.Join(errs...)
}

// verify reads the whole segment, and so checks every block and the order of the keys. It compares
// their number, and has entry judge each entry.
func (r *reader) verify(entry func(key Key, value []byte) error) error {
	var total uint64
	for c := newCursor([]*reader{r}, true); ; total++ {
		key, value, ok, err := c.Next()
		switch {
		case err != nil:
			return err
		case !ok && total != r.Total:
			return r.Damaged("%d entries where the footer says %d", total, r.Total)
		case !ok:
			return nil
		}
		if err := entry(key, value); err != nil {
			return fmt.Errorf("%s %s: entry %v: %w", kind.Name, r.Path, key, err)
		}
	}
}
