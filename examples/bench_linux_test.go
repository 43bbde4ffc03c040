package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// When bench is killed, what runs in its namespaces ends, too, and takes the folder away.
func TestBenchKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(programs(t), "bench"), "-hosts", "4", "-pages", "80000", "-dir", dir,
		"-watch=false")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if running, _ := filepath.Glob(filepath.Join(dir, "*", "floor", "archive.warc.gz")); running != nil {
			break
		}
	}
	cmd.Process.Kill()
	cmd.Wait() // until nobody is left who could say something
	switch left, err := os.ReadDir(dir); {
	case strings.Contains(said.String(), "no namespaces of its own"):
		t.Skip(&said)
	case !strings.Contains(said.String(), "bench: interrupted") || len(left) != 0 || err != nil:
		t.Errorf("it left %v, and said\n%s", left, &said)
	}
}

// Nor is its folder left when nobody reads what it says.
func TestBenchUnread(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(programs(t), "bench"), "-hosts", "4", "-pages", "4", "-dir", dir, "-watch=false")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	cmd.Stdout, cmd.Stderr = writer, writer
	err = cmd.Run()
	if left, _ := os.ReadDir(dir); err == nil || len(left) != 0 {
		t.Errorf("%v; it left %v", err, left)
	}
}

// -inside does nothing where the network is the machine's. Were it not so, the machine's /etc/hosts
// would be hidden.
func TestBenchInsideOfNothing(t *testing.T) {
	cmd := exec.Command(filepath.Join(programs(t), "bench"), "-inside")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, // for its mounts, should it make any
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skip("no namespaces:", err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(said), "-inside is for bench alone") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// Where namespaces can be had and can not be made fit, bench goes on without, and without the
// others.
func TestBenchWithoutNamespaces(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none")) // no room for the names of the hosts
	out, said, err := runBench(t, "-pages", "4", "-watch=false", "-vs", "wget")
	if err != nil || !strings.Contains(said, "other crawlers are left out") || !strings.Contains(out, "floor") ||
		strings.Contains(out, "wget") {
		t.Errorf("%v\n%s%s", err, out, said)
	}
}
