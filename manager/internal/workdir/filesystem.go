package workdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// checkFileSystem refuses NFS. It warns about all file systems but ext4 with its journal, xfs and
// btrfs, because crawls were not shown to survive power failures on others. On ext4 without a
// journal, a start refuses the crawl with exit code 5 after most power failures, and some power
// failures lose exported batches. Crawls survive kills on all of them.
func checkFileSystem(root string, warn func(string)) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(root, &fs); err != nil {
		return fmt.Errorf("statfs %s: %w", root, err)
	}
	switch int64(fs.Type) {
	case unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC:
	case unix.NFS_SUPER_MAGIC:
		return fmt.Errorf("%s is on NFS, whose locks and renames are too weak for a crawl; "+
			"put dir on a local disk", root)
	case unix.EXT4_SUPER_MAGIC: // also of ext2 and ext3
		if !journalled(root) {
			warn("warning: " + root + " lies on ext4 without a journal, or on ext2. The crawl survives kills there, " +
				"but after a power cut it may not start again, and batches made for other machines may be lost; " +
				"put dir on ext4 with a journal, xfs or btrfs")
		}
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC:
		warn("warning: " + root + " lies in memory: a power cut or restart of the machine loses the crawl")
	case unix.OVERLAYFS_SUPER_MAGIC:
		warn("warning: " + root + " lies on an overlay file system; a local disk is safer")
	default:
		warn(fmt.Sprintf("warning: %s lies on a file system (type %#x) on which power cuts were not tried; "+
			"put dir on ext4, xfs or btrfs", root, fs.Type))
	}
	return nil
}

// journalled reports whether the ext file system of a directory is known to have a journal.
func journalled(root string) bool {
	var dir unix.Stat_t
	if err := unix.Stat(root, &dir); err != nil {
		return false
	}
	device, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(dir.Dev), unix.Minor(dir.Dev)))
	if err != nil {
		return false
	}
	task, err := os.ReadFile(filepath.Join("/sys/fs/ext4", filepath.Base(device), "journal_task"))
	return err == nil && strings.TrimSpace(string(task)) != "<none>"
}
