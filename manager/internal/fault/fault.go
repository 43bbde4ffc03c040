// Package fault tells what the error of a call means: that nothing is at the path, that something
// wrong is there, or only that the machine has failed. To take the last for the first would lose
// what is there. To take it for the second would blame whoever put it there.
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

// Machine reports whether a call failed by no fault of what is at the path: no descriptors or
// memory are left, or a sector is bad. What is or is not at a path causes only the errors listed
// here.
func Machine(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && !slices.Contains([]syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.EISDIR, syscall.EACCES, syscall.EPERM,
		syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENXIO, syscall.ENODEV, syscall.EFBIG, syscall.EOVERFLOW,
	}, errno)
}
