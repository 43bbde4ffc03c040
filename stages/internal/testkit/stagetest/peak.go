package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// Peak calls run in a process of its own, with the collector set as stages set it, and returns the
// most memory in bytes that the process had in RAM. prepare makes what run reads, in a folder that
// both are given; it is called in this process. Peak ends a test that runs in the new process.
func Peak(t *testing.T, prepare, run func(dir string)) int64 {
	t.Helper()
	if underRace {
		t.Skip("the race detector takes several times the memory")
	}
	const folder = "FOLDER_OF_PEAK"
	if dir := os.Getenv(folder); dir != "" {
		run(dir)
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Printf("%s", status)
		t.SkipNow()
	}
	dir := t.TempDir()
	prepare(dir)
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), folder+"="+dir, "GOGC=200")
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := regexp.MustCompile(`VmHWM:\s*([0-9]+) kB`).FindSubmatch(out)
	if peak == nil {
		t.Skip("this system does not tell how much memory a process had")
	}
	kb, _ := strconv.ParseInt(string(peak[1]), 10, 64)
	t.Logf("peak %d kB", kb)
	return kb << 10
}
