package proc

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
)

// obscure bounds how long EndAll waits for a process that shows no environment, as one does while
// it becomes another program.
const obscure = time.Second

// EndAll ends every other process of the machine whose environment has an entry that is meant,
// and waits until there is none. A start calls it, for a manager may have been killed. What the
// programs of that one have started are children of another process by now, and may have closed
// the descriptors that they inherited. As in strays, it looks until it finds none twice.
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
			return fmt.Errorf("processes %v of a manager that died do not end; end them", found)
		}
		for _, pid := range found {
			Kill(pid, func() bool { return carries(pid, meant) == yes })
		}
		clean = 0
		time.Sleep(time.Millisecond)
	}
	return nil
}

// carriers are the other processes that carry what is meant; unsure says that there may be more.
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
