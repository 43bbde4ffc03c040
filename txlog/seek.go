package txlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Seek gives a position behind which every record of a transaction stands, if the
// history holds any. A generation begins with the number that comes next, so none
// before it holds that number or one above.
//
// The log that is being written is looked at first: should it be sealed meanwhile,
// its generation is the one to read on from, wherever it then lies.
func Seek(dir string, tx uint64) (Position, error) {
	head, err := readHead(os.Open(filepath.Join(dir, LogFile)))
	if err != nil {
		return Position{}, err
	}
	generations, err := sealedGenerations(dir)
	if err != nil {
		return Position{}, err
	}
	pos := Position{Generation: head.generation}
	for _, g := range slices.Backward(generations) {
		if head.next <= tx {
			break
		}
		if g >= pos.Generation {
			continue
		}
		if head, err = readHead(openSealed(sealed(dir, g))); err != nil {
			return Position{}, fmt.Errorf("look for transaction %d in the history: %w", tx, err)
		}
		pos.Generation = g
	}
	return pos, nil
}

// readHead reads the first line of a log that was opened, and closes it.
func readHead[F io.ReadCloser](src F, err error) (*State, error) {
	if err != nil {
		return nil, err
	}
	defer src.Close()
	rp, err := open(src)
	if err != nil {
		return nil, err
	}
	return rp.State, nil
}

// Later tells of a sealed log that is later than the one that was read: then that is an
// older one, put in its place. "" if there is none. A log is sealed before the next takes
// its place, so its own copy may be there.
func Later(dir string, rp *Replay) (string, error) {
	generation, size := rp.State.generation, rp.Size+int64(len(rp.Torn))
	generations, err := sealedGenerations(dir)
	if err != nil || len(generations) == 0 {
		return "", err
	}
	last := generations[len(generations)-1]
	if last < generation {
		return "", nil
	}
	path := sealed(dir, last)
	if last > generation {
		return fmt.Sprintf("%s is there, and the log is of generation %d", path, generation), nil
	}
	src, err := openSealed(path)
	if err != nil {
		return "", err
	}
	defer src.Close()
	n, err := io.Copy(io.Discard, src)
	var lost *fs.PathError
	if errors.As(err, &lost) {
		return "", err
	}
	if n > size { // one that is no whole copy is made again
		return fmt.Sprintf("%s has %d bytes, and the log, of the same generation, %d", path, n, size), nil
	}
	return "", nil
}

// sealedGenerations are those in history/, oldest first.
func sealedGenerations(dir string) (generations []uint64, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, HistoryDir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries { // by name, which is by number
		var n uint64
		if _, err := fmt.Sscanf(e.Name(), "log-%06d.zst", &n); err == nil {
			generations = append(generations, n)
		}
	}
	return generations, nil
}
