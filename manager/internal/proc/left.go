package proc

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
)

// obscure is the maximum time that EndAll waits for a process that shows no environment, as one
// does while it starts another program.
const obscure = time.Second

// EndAll kills every other process of the machine whose environment has an entry that meant
// accepts, and waits until there is none. A start calls it, because an earlier manager may have
// been killed. The programs of that manager have started processes that are now children of another
// process, and may have closed the descriptors that they inherited. As in strays, EndAll stops when
// it has found none twice.
func EndAll(meant func(pid int, entry string) bool, atMost time.Duration) error {
	for start, clean := time.Now(), 0; clean < 2; {
		found, unsure, err := carriers(meant)
		since := time.Since(start)
		switch {
		case err != nil:
			return fmt.Errorf("look for what a manager that died has left running: %w", err)
		case len(found) == 0 && (!unsure || since > obscure):
			clean++
			continue
		case since > atMost:
			return fmt.Errorf("processes %v of a manager that died do not end; kill them", found)
		}
		for _, pid := range found {
			Kill(pid, func() bool { return carries(pid, meant) == yes })
		}
		clean = 0
		time.Sleep(time.Millisecond)
	}
	return nil
}

// carriers returns the other processes that have a mark that meant accepts. unsure reports whether
// there may be more.
func carriers(meant func(pid int, entry string) bool) (pids []int, unsure bool, err error) {
	entries, err := os.ReadDir("/proc")
	if err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "self" }) {
		err = errors.New("/proc shows no processes; mount it")
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		switch carries(pid, meant) {
		case yes:
			pids = append(pids, pid)
		case unknown:
			unsure = true
		}
	}
	return pids, unsure, err
}
