package examples

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkWaiting is what batches that wait cost: of a crawl in which there are always so many in
// a queue, the CPU time of manager status and manager ls, the manager's own up to its first
// transaction, and for each transaction then. The last should not grow with the queue.
//
//	TMPDIR=/dev/shm go test ./examples -run '^$' -bench Waiting -benchtime 3x
//
// Without TMPDIR the 100,000 batches are synced to the disk one by one, which takes minutes.
func BenchmarkWaiting(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchWaiting(b, n) })
	}
}

func benchWaiting(b *testing.B, n int) {
	const transactions = 500
	c := &bench{t: b, bin: programs(b), dir: b.TempDir(), script: "crawl.toml"}
	c.write("crawl.toml", "flow = 1\ndir = \"crawl\"\nseeds = { a = \"seed\" }\n[queue.a]\next = \"txt\"\n"+
		"[limit]\njobs = 1\n[stage.copy]\nin = \"a\"\nout = \"a\"\nrun = \"cp {in} {a}\"\n")
	c.write("seed", "a batch\n")
	addWaiting(c, n)
	sums := map[string]float64{}
	for b.Loop() {
		for _, verb := range []string{"status", "ls"} {
			cmd, said := c.manager(verb)
			if err := cmd.Run(); err != nil {
				b.Fatalf("manager %s: %v\n%s", verb, err, said)
			}
			sums[verb+"-cpu-s"] += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		}
		start, each := ownCost(c, transactions)
		sums["start-cpu-s"] += start.Seconds()
		sums["cpu-ms/tx"] += each.Seconds() * 1000
	}
	for name, sum := range sums {
		b.ReportMetric(sum/float64(b.N), name)
	}
}

// addWaiting adds n batches to the queue a.
func addWaiting(c *bench, n int) {
	c.t.Helper()
	files := []string{"add", c.path("crawl.toml"), "a"}
	for i := range n {
		name := fmt.Sprintf("b%d.txt", i)
		c.write(name, "a batch\n")
		files = append(files, c.path(name))
		if len(files) == 10_000 || i == n-1 {
			c.output(c.bin+"/manager", files...)
			files = files[:3]
		}
	}
}

// ownCost runs the manager for so many transactions behind some first ones, and returns the CPU
// time that it has taken itself: up to the first, and for each of those counted.
func ownCost(c *bench, transactions int) (start, each time.Duration) {
	const first = 50
	c.t.Helper()
	cmd := exec.Command(filepath.Join(c.bin, "manager"), "run", c.path("crawl.toml"))
	said, err := cmd.StderrPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	var warm time.Duration
	seen, lines := 0, bufio.NewScanner(said)
	for seen < first+transactions && lines.Scan() {
		if !strings.Contains(lines.Text(), " copy ") {
			continue
		}
		switch seen++; seen {
		case 1:
			start = ownTime(c.t, cmd.Process.Pid)
		case first:
			warm = ownTime(c.t, cmd.Process.Pid)
		case first + transactions:
			each = (ownTime(c.t, cmd.Process.Pid) - warm) / time.Duration(transactions)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		c.t.Fatal(err)
	}
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 4 || each <= 0 {
		c.t.Fatalf("%d transactions, then %v; it said at last\n%s%s", seen, err, lines.Text(), rest)
	}
	return start, each
}

// ownTime is the user and system time of a process without its children.
func ownTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * (time.Second / 100) // USER_HZ
}
