package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// enclose runs bench again, with the same arguments, in a user, mount and network namespace of its
// own, and returns its exit code. An error means that it could not be started there. It ends with
// us.
func enclose(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"-inside"}, args...)...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGTERM,
	}
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// endWithUs has the process that cmd starts ended when bench ends, however that comes to pass. The
// kernel goes by the thread that has started it: it must be the first, which is there to the end.
func endWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }

// furnish makes the namespaces that enclose has made fit for the crawls: a loopback device that is
// up, and in the place of /etc/hosts a file with the names of so many hosts.
func furnish(hosts int) error {
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("bring up the loopback device: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keep mounts to ourselves: %w", err)
	}
	names, err := hostsFile(hosts)
	if err != nil {
		return fmt.Errorf("name the hosts: %w", err)
	}
	defer os.Remove(names) // its name: the mount holds the file
	if err := unix.Mount(names, "/etc/hosts", "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("put the names of the hosts into the place of /etc/hosts: %w", err)
	}
	return nil
}

// loopbackUp brings up the loopback device. Where it is up already, this is no namespace that
// enclose has made, and what furnish does next would be done to the whole machine.
func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	if lo.Uint16()&unix.IFF_UP != 0 {
		return errors.New("it is up: -inside is for bench alone, which starts itself so in namespaces of its own")
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, lo)
}

// filesystem is the kind of the one that dir lies on.
func filesystem(dir string) string {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return "unknown"
	}
	switch s.Type {
	case unix.EXT4_SUPER_MAGIC:
		return "ext4"
	case unix.TMPFS_MAGIC:
		return "tmpfs, where a sync costs nothing"
	case unix.BTRFS_SUPER_MAGIC:
		return "btrfs"
	case unix.XFS_SUPER_MAGIC:
		return "xfs"
	case unix.OVERLAYFS_SUPER_MAGIC:
		return "overlay"
	}
	return fmt.Sprintf("type %#x", s.Type)
}

// settle has everything written that was written before.
func settle() { unix.Sync() }
