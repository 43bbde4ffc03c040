package workdir

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Amiss returns how a live file differs from the log, for instance "is gone". It does not read the
// file. It returns "" if it finds no difference.
func Amiss(path string, o txlog.Output) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case fault.Absent(err):
		return "is gone", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "is no regular file", nil
	case info.Size() != o.Size:
		return fmt.Sprintf("has %d bytes, the log says %d", info.Size(), o.Size), nil
	}
	return "", nil
}

// Hash returns the XXH64 of a file, in the form of the log.
func Hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := xxhash.New()
	// As a plain Writer and Reader, the two cannot choose a larger buffer.
	buffer := make([]byte, 256<<10)
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{f}, buffer); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return fmt.Sprintf("%016x", sum.Sum64()), nil
}
