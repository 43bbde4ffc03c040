package proc

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kill ends a process if it still is the one that is meant. It may have ended since it was found,
// and its number may belong to another. So meant is called once there is a descriptor, which stays
// that of one process. A kernel before Linux 5.3 has no such descriptors, and some allow none:
// there the number must do.
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
