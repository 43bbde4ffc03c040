package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
)

var pages = flag.Int("pages", 3, "TestFullToThePage leaves every so many-th number of pages free; 1: every number")

// page is what a file on a small disk takes at the least.
const page = 4096

// tight is the slow story, that goes on to the last byte of the disk.
func tight() story {
	s := slow("")
	s.name = "tight"
	slowly := s.prepare
	s.prepare = func(r *rig, folder string) error {
		path := filepath.Join(folder, "crawl.toml")
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, append(text, "\n[limit]\ndisk = \"1B\"\n"...), 0o666); err != nil {
			return err
		}
		return slowly(r, folder)
	}
	return s
}

// fill mounts a small disk where the crawl will be and takes some of its room. release gives that
// back, once the crawl has ended or after a while. To close the file is not enough: a process that
// is just being started for another crawl holds it, too.
func fill(folder string, size, taken int) (release func(), err error) {
	dir := filepath.Join(folder, "crawl")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("mode=700,size=%d", size)); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err == nil {
		_, err = f.Write(make([]byte, taken))
	}
	// An open file without a name fills the disk as well, and a crawl begins in
	// an empty directory only.
	if err := errors.Join(err, os.Remove(filepath.Join(dir, "filler"))); err != nil {
		return nil, errors.Join(err, syscall.Unmount(dir, syscall.MNT_DETACH))
	}
	return sync.OnceFunc(func() { f.Truncate(0); f.Close() }), nil
}

// full runs a crawl on a disk with so many free pages. While there is no room it must end loudly,
// or wait and say so; once there is, it must complete.
func (r *rig) full(free int, n *tally) error {
	folder, err := r.makeFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	const size = 256 // pages
	release, err := fill(folder, size*page, (size-free)*page)
	if err != nil {
		return err
	}
	defer syscall.Unmount(filepath.Join(folder, "crawl"), syscall.MNT_DETACH)
	o, err := r.startWith(folder, func(*os.Process) func() {
		timer := time.AfterFunc(time.Second, release)
		return func() { timer.Stop(); release() }
	})
	if err != nil {
		return err
	}
	full := strings.Contains(o.said, syscall.ENOSPC.Error()) || strings.Contains(o.said, "disk is full") ||
		strings.Contains(o.said, "nothing starts")
	switch {
	case o.code == crawl.ExitBroken && full:
		n.loud.Add(1)
	case o.code == crawl.ExitDone && full:
		n.waited.Add(1)
	case o.code == crawl.ExitDone:
		n.absorbed.Add(1)
	default:
		return fmt.Errorf("exit code %d; it said\n%s", o.code, o.said)
	}
	if err := r.end(folder); err != nil {
		return fmt.Errorf("after exit code %d, with room: %w", o.code, err)
	}
	return nil
}

// A disk is full at every page in turn.
func TestFullToThePage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("small disks can only be mounted by root")
	}
	r := newStoryRig(t, tight())
	const most = 40 // an undisturbed run takes less
	var n tally
	var runs atomic.Int64
	err := atOnce(most / *pages + 1, 2*width, func(i int) error {
		free := i * *pages
		runs.Add(1)
		if err := r.full(free, &n); err != nil {
			return fmt.Errorf("%d pages free: %w", free, err)
		}
		return nil
	})
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d disks: %d crawls ended loudly, %d waited for room and went on, %d had enough",
		runs.Load(), n.loud.Load(), n.waited.Load(), n.absorbed.Load())
	if n.loud.Load()+n.waited.Load() == 0 || n.absorbed.Load() == 0 {
		t.Error("the disks were all too large or all too small")
	}
}
