package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Hashed returns the parts of an output for other machines. Their folder is made with the first
// part. A part has a name that begins with a dot while it is written. When it is closed it becomes
//
//	FOLDER/HASH-TTTTTTTTTTTT-NNNNN.EXT
//
// HASH is the XXH64 of its bytes in 16 hexadecimal digits. T is the number of the transaction in
// first, the path that the manager chose for the output. For a path that was chosen by hand it is
// 0. So two different contents never have the same name, even if a new crawl counts its
// transactions from 1. The name also shows whether a file is complete.
func (r *Run) Hashed(folder, first, ext string) *Parts {
	name := fmt.Sprintf(".part-%012d-00001.%s", Transaction(first), ext)
	return &Parts{run: r, first: filepath.Join(folder, name), hashed: true}
}

// createHashed creates a part under a temporary name that begins with a dot.
func (r *Run) createHashed(path string) (*File, error) {
	if err := r.mkdir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	f, err := r.Create(path)
	if err == nil {
		f.rename = r.nameByHash
	}
	return f, err
}

// mkdir creates the folder if it does not exist.
func (r *Run) mkdir(folder string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.discarded {
		return fmt.Errorf("create the folder of an output %s: the run has failed", folder)
	}
	err := os.Mkdir(folder, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create the folder of an output: %w", err)
	}
	r.created = append(r.created, folder)
	return nil
}

// nameByHash renames a closed part to its final name. It does not overwrite a file that has this
// name: such a file can only have the same bytes, from an earlier run by hand.
func (r *Run) nameByHash(from string, sum uint64) (to string, err error) {
	dir, base := filepath.Split(from)
	to = fmt.Sprintf("%s%016x%s", dir, sum, base[len(".part"):])
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.discarded {
		return "", fmt.Errorf("name output %s: the run has failed", from)
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("name output %s: it exists already; remove it or choose another folder", to)
	}
	//failpoint:output-named
	if err := os.Rename(from, to); err != nil {
		return "", fmt.Errorf("name output: %w", err)
	}
	r.created[slices.Index(r.created, from)] = to
	return to, nil
}
