// Package fault tells what a failed call says: that nothing is there, that something wrong
// is there, or nothing but that the machine has failed. Who takes the last for the first
// loses what is there, and who takes it for the second blames whoever put it there.
package fault

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// Absent reports whether an error says that nothing is at a path.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// Machine reports whether an error is of a call that failed by no fault of what is at the
// path: no descriptors or memory left, a bad sector. What is at a path, or is not, can by
// itself make only the errors listed here.
func Machine(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && !slices.Contains([]syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.EISDIR, syscall.EACCES, syscall.EPERM,
		syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENXIO, syscall.ENODEV, syscall.EFBIG, syscall.EOVERFLOW,
	}, errno)
}
