package stagetest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// Peak calls run in a process of its own, with the collector set as stages set it, and fails when the
// process had more than most bytes in RAM. On a busy machine the collector may come late, so it is
// given three tries. prepare makes what run reads, in a folder that both are given; it is called in
// this process. Peak ends a test that runs in the new process.
func Peak(t *testing.T, most int64, prepare, run func(dir string)) {
	t.Helper()
	peak(t, "VmHWM", most, prepare, run)
}

// PeakAnon is Peak of the memory that holds no mapped files, as looked at every millisecond.
func PeakAnon(t *testing.T, most int64, prepare, run func(dir string)) {
	t.Helper()
	peak(t, "AnonHWM", most, prepare, run)
}

func peak(t *testing.T, field string, most int64, prepare, run func(dir string)) {
	t.Helper()
	if underRace {
		t.Skip("the race detector takes several times the memory")
	}
	const folder = "FOLDER_OF_PEAK"
	if dir := os.Getenv(folder); dir != "" {
		anon := MostAnon(os.Getpid())
		run(dir)
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Printf("%s\nAnonHWM:\t%d kB\n", status, anon())
		t.SkipNow()
	}
	var peaks []int64
	for range 3 {
		dir := t.TempDir()
		prepare(dir)
		peak := peakOf(t, field, folder+"="+dir)
		if peaks = append(peaks, peak>>10); peak <= most {
			t.Logf("peak %d kB", peaks)
			return
		}
	}
	t.Errorf("peaks of %d kB, want at most %d", peaks, most>>10)
}

// peakOf runs the test in a new process with a variable, and returns the most memory that it had, as
// the field of its status says.
func peakOf(t *testing.T, field, variable string) int64 {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable, "GOGC=200")
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := regexp.MustCompile(field + `:\s*([0-9]+) kB`).FindSubmatch(out)
	if peak == nil {
		t.Skip("this system does not tell how much memory a process had")
	}
	kb, _ := strconv.ParseInt(string(peak[1]), 10, 64)
	return kb << 10
}
