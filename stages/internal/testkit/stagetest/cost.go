package stagetest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"time"
)

// Processor is the time that this process took of a processor.
func Processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// MostAnon looks at the anonymous memory of a process every millisecond, from now on until the
// function is called that it returns: that gives the most, in kB.
func MostAnon(pid int) func() int64 {
	end, most := make(chan struct{}), make(chan int64)
	go func() {
		anon := regexp.MustCompile(`RssAnon:\s*([0-9]+) kB`)
		high := int64(0)
		for {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if found := anon.FindSubmatch(status); found != nil {
				now, _ := strconv.ParseInt(string(found[1]), 10, 64)
				high = max(high, now)
			}
			select {
			case <-end:
				most <- high
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(end)
		return <-most
	}
}
