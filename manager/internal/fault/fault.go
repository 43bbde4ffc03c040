// Package fault classifies the error of a call: nothing exists at the path, something wrong exists
// there, or the machine has failed. If a failure of the machine counted as the first, existing
// files would be lost. If it counted as the second, somebody without fault would be blamed.
package fault

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// Absent reports whether an error means that nothing exists at a path.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// Machine reports whether a call failed for reasons that have nothing to do with the path, for
// instance no free descriptors, no memory, or a bad sector. Only the errors listed here can be
// caused by what is at a path.
func Machine(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && !slices.Contains([]syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.EISDIR, syscall.EACCES, syscall.EPERM,
		syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENXIO, syscall.ENODEV, syscall.EFBIG, syscall.EOVERFLOW,
	}, errno)
}
