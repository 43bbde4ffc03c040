package blockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"multitext/stages/internal/run/keyed"
)

// Paths returns the files of a state, oldest first, that the file list names, one path a line. An
// empty name, a missing file and an empty one are the empty state.
func Paths(list string) (paths []string, err error) {
	if list == "" {
		return nil, nil
	}
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of segments: %w", err)
	}
	for path := range strings.Lines(string(text)) {
		if path = strings.TrimSpace(path); path != "" {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// A Reader reads a file, as a kind does it.
type Reader interface {
	Base() *File
	Close() error
}

// Base is what all kinds have of a file.
func (r *File) Base() *File { return r }

// OpenAll has open open the files that the file list names, one path a line, oldest first. An empty
// name, a missing file and an empty one are the empty state. made is what makes the keys: hash,
// unless the files were made without a secret. Those that were made with another secret are an error
// that wraps keyed.ErrSecret.
func OpenAll[R Reader](list string, hash *keyed.Hash, open func(path string) (R, error)) (
	all []R, made *keyed.Hash, err error) {
	names, err := Paths(list)
	if err != nil {
		return nil, nil, err
	}
	made = hash
	for i, path := range names {
		r, err := open(path)
		if err == nil {
			all = append(all, r)
			if i == 0 {
				made, err = r.Base().Hash(hash)
			} else {
				err = r.Base().follows(all[0].Base())
			}
		}
		if err != nil {
			CloseAll(all)
			return nil, nil, fmt.Errorf("state %s: %w", list, err)
		}
	}
	return all, made, nil
}

// CloseAll closes the files of a state.
func CloseAll[R Reader](all []R) error {
	var errs []error
	for _, r := range all {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// Sizes returns the bytes of the files of a state, oldest first.
func Sizes[R Reader](all []R) []int64 {
	sizes := make([]int64, len(all))
	for i, r := range all {
		sizes[i] = r.Base().Size()
	}
	return sizes
}
