package proc

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kill kills a process, if meant accepts it. The process may have ended since it was found, and its
// number may belong to another process. So Kill opens a descriptor, which always refers to one
// process, before it calls meant. Kernels before Linux 5.3 have no such descriptors, and some
// systems forbid them. Then Kill uses the number.
func Kill(pid int, meant func() bool) (sent bool) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err == nil {
		defer unix.Close(fd)
	}
	switch {
	case errors.Is(err, unix.ESRCH), !meant():
		return false
	case err != nil:
		return syscall.Kill(pid, syscall.SIGKILL) == nil
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}
