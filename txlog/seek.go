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

// Seek returns a position before every record of a transaction, if the history contains any. A
// generation begins with the next number, so no earlier generation contains that number or a higher
// one. A generation that cannot be read is passed over: whoever reads on from an older one finds
// out where the error matters.
//
// Seek reads the current log first. If the log is sealed in the meantime, reading continues with
// its generation, wherever it is then.
func Seek(dir string, tx uint64) (Position, error) {
	head, err := readHead(os.Open(filepath.Join(dir, LogFile)))
	if err != nil {
		return Position{}, err
	}
	generations, err := Sealed(dir)
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
		pos.Generation = g
		if older, err := readHead(openSealed(sealed(dir, g))); err == nil {
			head = older
		}
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

// Later describes a sealed log that is newer than the log that was read, or returns "". If there is
// one, the log is an older copy that somebody put in its place. A log is sealed before the next one
// replaces it, so a copy of the current log may exist.
func Later(dir string, rp *Replay) (string, error) {
	generation, size := rp.State.generation, rp.Size+int64(len(rp.Torn))
	generations, err := Sealed(dir)
	if err != nil || len(generations) == 0 {
		return "", err
	}
	last := generations[len(generations)-1]
	if last < generation {
		return "", nil
	}
	path := sealed(dir, last)
	if last > generation {
		return fmt.Sprintf("%s exists, but the log has generation %d", path, generation), nil
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
	if n > size { // an incomplete copy is made again
		return fmt.Sprintf("%s has %d bytes, but the log of the same generation has %d", path, n, size), nil
	}
	return "", nil
}

// Sealed returns the generations in history/, oldest first.
func Sealed(dir string) (generations []uint64, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, HistoryDir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries { // sorted by name, and so by number
		var n uint64
		if _, err := fmt.Sscanf(e.Name(), "log-%06d.zst", &n); err == nil {
			generations = append(generations, n)
		}
	}
	return generations, nil
}
