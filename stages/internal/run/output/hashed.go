package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Hashed returns the parts of an output for other machines, in a folder that is made with the first of
// them. While it is written a part has a dot name; it is closed as
//
//	FOLDER/HASH-TTTTTTTTTTTT-NNNNN.EXT
//
// with the XXH64 of its bytes in 16 hexadecimal digits, and T, the number of the transaction, that of
// first, which is the path that the manager gives for the output (by hand: any path; T is 0). So
// no name stands for two contents, whoever counts anew, and who has a file can tell by its name
// whether it is whole.
func (r *Run) Hashed(folder, first, ext string) *Parts {
	tx := transaction(first)
	return &Parts{run: r, first: filepath.Join(folder, ".part-"+tx+"-00001."+ext), hashed: true}
}

// transaction returns the twelve digits of the transaction in the name of a first part.
func transaction(first string) string {
	stem, _ := splitExt(filepath.Base(first))
	if stem, ok := series(stem); ok {
		return stem[len(stem)-len("TTTTTTTTTTTT"):]
	}
	return "000000000000"
}

// createHashed creates a part under its dot name.
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

// mkdir makes the folder unless it is there.
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

// nameByHash gives a closed part its name. A file that has it already is not overwritten: it can only be
// one of the same bytes, which somebody wrote by hand before.
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
	if err := os.Rename(from, to); err != nil {
		return "", fmt.Errorf("name output: %w", err)
	}
	r.created[slices.Index(r.created, from)] = to
	return to, nil
}
