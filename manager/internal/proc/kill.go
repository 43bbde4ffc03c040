package proc

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kill ends a process that was met, if it still is the one that is meant: it may have
// ended since, and its number be another's. So that is asked once there is a
// descriptor, which stays the same process's. On a kernel that has none (before
// Linux 5.3), or allows none, the number must do.
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
