package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"multitext/manager/internal/crawl"
	"multitext/txlog/crash"
)

var realCuts = flag.Int("realcuts", 6, "power cuts on each of ext4 and xfs that TestPowerCutOnDisk makes")

// A loopDisk is a file system in a file, mounted on a folder.
type loopDisk struct {
	t                   testing.TB
	kind, image, folder string
	journal             bool
	device              string // that has the image, while it is mounted
}

// newLoopDisk makes and mounts a file system, or skips the test where that cannot
// be done.
func newLoopDisk(t *testing.T, kind string, options ...string) *loopDisk {
	t.Helper()
	mkfs, err := exec.LookPath("mkfs." + kind)
	if err != nil {
		t.Skipf("%v (Debian: e2fsprogs, xfsprogs)", err)
	}
	if os.Getuid() != 0 {
		t.Skip("file systems can only be mounted by root")
	}
	d := &loopDisk{t: t, kind: kind, image: filepath.Join(t.TempDir(), "image"), folder: t.TempDir(),
		journal: len(options) == 0}
	if err := os.WriteFile(d.image, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(d.image, 320<<20); err != nil { // no smaller xfs is made
		t.Fatal(err)
	}
	if said, err := crash.Bounded(t, mkfs, append(options, "-q", d.image)...).CombinedOutput(); err != nil {
		t.Skipf("%s: %v\n%s", mkfs, err, said)
	}
	if err := d.mount(); err != nil {
		t.Skipf("a loop device cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { d.unmount() })
	return d
}

// mount mounts the image on a device of its own.
func (d *loopDisk) mount() error {
	said, err := crash.Bounded(d.t, "losetup", "--find", "--show", d.image).Output()
	if err != nil {
		return fmt.Errorf("set up a loop device: %w", err)
	}
	d.device = strings.TrimSpace(string(said))
	options := "defaults"
	if d.kind == "ext4" && d.journal {
		options = "commit=1000" // nothing gets to the disk by the clock
	}
	said, err = crash.Bounded(d.t, "mount", "-o", options, d.device, d.folder).CombinedOutput()
	if err != nil {
		return errors.Join(fmt.Errorf("mount: %w: %s", err, said), d.detach())
	}
	return nil
}

// unmount waits for processes that were killed and still have files open there.
func (d *loopDisk) unmount() (err error) {
	for range 500 {
		if err = syscall.Unmount(d.folder, 0); !errors.Is(err, syscall.EBUSY) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.Join(err, d.detach())
}

// detach detaches the device, and waits until it is: the kernel may let go of a file system some time
// after it was unmounted, and until then what is mounted is the one that was shut down.
func (d *loopDisk) detach() error {
	if said, err := crash.Bounded(d.t, "losetup", "--detach", d.device).CombinedOutput(); err != nil {
		return fmt.Errorf("detach the loop device %s: %w: %s", d.device, err, said)
	}
	for range 500 {
		said, err := crash.Bounded(d.t, "losetup", "--associated", d.image).Output()
		if err != nil {
			return fmt.Errorf("look for loop devices of %s: %w", d.image, err)
		}
		if len(said) == 0 {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("%s is still in use five seconds after it was unmounted", d.device)
}

// shutdownDisk is EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN; noFlush asks it to
// leave the journal as it is.
const (
	shutdownDisk = 0x8004587d
	noFlush      = 2
)

// cut takes the power away: from now on nothing reaches the disk, what has not is
// forgotten, and the disk comes back as it was at this instant.
func (d *loopDisk) cut(manager *exec.Cmd) error {
	root, err := os.Open(d.folder)
	if err != nil {
		return err
	}
	err = unix.IoctlSetPointerInt(int(root.Fd()), shutdownDisk, noFlush)
	below := crash.Descendants(manager.Process.Pid)
	manager.Process.Kill()
	for _, pid := range below {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	manager.Wait()
	if err := errors.Join(err, root.Close(), d.unmount()); err != nil {
		return err
	}
	return d.mount()
}

// A start warns of a file system on which a power cut may lose more than is promised.
func TestStartLooksWhatItStandsOn(t *testing.T) {
	long(t)
	for name, disk := range map[string]struct {
		options []string // of mkfs, the kind first
		warns   string
	}{
		"ext4":                   {[]string{"ext4"}, ""},
		"ext4 without a journal": {[]string{"ext4", "-O", "^has_journal"}, "lies on ext4 without a journal"},
		"ext2":                   {[]string{"ext2"}, "lies on ext4 without a journal, or on ext2"},
		"ext3":                   {[]string{"ext3"}, ""},
		"xfs":                    {[]string{"xfs"}, ""},
		"btrfs":                  {[]string{"btrfs"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newLoopDisk(t, disk.options[0], disk.options[1:]...)
			c := newNumbers(t, "run = \"cp {in} {b}\"")
			if err := os.Symlink(d.folder, c.path("disk")); err != nil {
				t.Fatal(err)
			}
			c.write("crawl.toml", "flow = 1\ndir = \"disk/crawl\"\n"+oneStage+"run = \"cp {in} {b}\"\n")
			said := c.run(crawl.ExitDone)
			if warns := strings.Contains(said, "after a power cut"); warns != (disk.warns != "") ||
				!strings.Contains(said, disk.warns) {
				t.Errorf("want a warning with %q, it said\n%s", disk.warns, said)
			}
		})
	}
}

// cutShort cuts a fresh crawl short twice, at random instants, then lets it end
// and checks what it left. Its folder is durable before it begins. It returns how
// many cuts met a manager at work.
func (r *rig) cutShort(d *loopDisk, seed uint64) (cuts int, err error) {
	folder := filepath.Join(d.folder, fmt.Sprint(seed))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return 0, err
	}
	if err := r.fillFolder(folder); err != nil {
		return 0, err
	}
	unix.Sync()
	rnd := rand.New(rand.NewPCG(seed, 3))
	for range 2 {
		cmd, stderr, err := r.command(context.Background(), folder, "run")
		if err != nil {
			return cuts, err
		}
		err = errors.Join(cmd.Start(), stderr.Close())
		if err != nil {
			return cuts, err
		}
		time.Sleep(time.Duration(rnd.IntN(200)) * time.Millisecond)
		if crash.Alive(cmd.Process.Pid) {
			cuts++
		}
		if err := d.cut(cmd); err != nil {
			return cuts, err
		}
	}
	if err := r.end(folder); err != nil {
		return cuts, err
	}
	return cuts, os.RemoveAll(folder)
}

// The power goes at a random instant of a crawl on a real file system.
func TestPowerCutOnDisk(t *testing.T) {
	r := newRig(t)
	for _, kind := range []string{"ext4", "xfs"} {
		t.Run(kind, func(t *testing.T) {
			d := newLoopDisk(t, kind)
			cuts := 0
			for seed := uint64(0); cuts < *realCuts && seed < uint64(4**realCuts); seed++ {
				n, err := r.cutShort(d, seed)
				if err != nil {
					t.Fatalf("crawl %d: %v", seed, err)
				}
				cuts += n
			}
			t.Logf("%d cuts", cuts)
			if cuts < *realCuts {
				t.Errorf("only %d cuts met a crawl", cuts)
			}
		})
	}
}

// Power cuts on a real file system detect what was not synced. They do not detect that a directory
// was not synced: these two file systems write its entries along.
func TestPowerCutOnDiskSeesDefects(t *testing.T) {
	for _, defect := range []string{"line-not-synced", "outputs-not-synced"} {
		t.Run(defect, func(t *testing.T) {
			d := newLoopDisk(t, "ext4")
			r := newRig(t, defect)
			for seed := range uint64(60) {
				if _, err := r.cutShort(d, seed); err != nil {
					t.Logf("red at crawl %d: %s", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			t.Error("120 cuts did not see it")
		})
	}
}
