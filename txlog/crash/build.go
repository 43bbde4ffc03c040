package crash

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within bounds each program that a test starts, so that a test fails when one hangs.
const within = 3 * time.Minute

// Bounded prepares a program that is ended by SIGQUIT when it hangs: a Go program then tells
// where. Processes that it leaves running and that hold its output are not waited for.
func Bounded(t testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Build builds packages of this module (as "./manager") into dir.
func Build(t testing.TB, dir string, packages ...string) {
	t.Helper()
	build(t, dir, packages)
}

// BuildFaulty is Build with all failpoints, and with a manager that uses the Disk which the
// environment asks for (FromEnv). Neither does anything until the environment says so, so one
// build serves all faults.
func BuildFaulty(t testing.TB, dir string, packages ...string) {
	t.Helper()
	build(t, dir, append([]string{"-tags", "crash", "-overlay", overlay(t, Root(t))}, packages...))
}

func build(t testing.TB, dir string, args []string) {
	t.Helper()
	cmd := Bounded(t, "go", append([]string{"build", "-o", dir + "/"}, args...)...)
	cmd.Dir = Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// Root is the folder of go.mod.
func Root(t testing.TB) string {
	t.Helper()
	out, err := Bounded(t, "go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}
