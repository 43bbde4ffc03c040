package report

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"multitext/manager/internal/figure"
)

// machine describes the machine on which the report is written: name and value in turn.
func machine(root string) [][2]string {
	var name unix.Utsname
	rows := [][2]string{{"processors", fmt.Sprint(runtime.NumCPU())}}
	if err := unix.Uname(&name); err == nil {
		rows = append(rows, [2]string{"kernel", unix.ByteSliceToString(name.Sysname[:]) + " " +
			unix.ByteSliceToString(name.Release[:]) + ", " + unix.ByteSliceToString(name.Machine[:])})
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		rows = append(rows, [2]string{"memory", figure.Bytes(int64(info.Totalram) * int64(info.Unit))})
	}
	if model := model(); model != "" {
		rows = append(rows, [2]string{"processor", model})
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(root, &fs); err == nil {
		rows = append(rows, [2]string{"file system of the crawl", fmt.Sprintf("%s, %s free of %s", fileSystem(int64(fs.Type)),
			figure.Bytes(int64(fs.Bavail)*fs.Bsize), figure.Bytes(int64(fs.Blocks)*fs.Bsize))})
	}
	return rows
}

// model is the name of the processor, or "".
func model() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return ""
}

func fileSystem(kind int64) string {
	switch kind {
	case unix.EXT4_SUPER_MAGIC:
		return "ext4 (or ext2, ext3)"
	case unix.XFS_SUPER_MAGIC:
		return "xfs"
	case unix.BTRFS_SUPER_MAGIC:
		return "btrfs"
	case unix.TMPFS_MAGIC:
		return "tmpfs"
	case unix.OVERLAYFS_SUPER_MAGIC:
		return "overlay"
	}
	return fmt.Sprintf("type %#x", kind)
}
