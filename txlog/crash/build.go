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

// within is the time limit of each program that a test starts. A test fails if one hangs.
const within = 3 * time.Minute

// Bounded returns a command with a time limit. If the program hangs, Bounded sends it SIGQUIT, so
// that a Go program prints its stack traces. Bounded does not wait for processes that the program
// leaves running and that hold its output open.
func Bounded(t testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Build builds packages of this module (such as "./manager") into dir.
func Build(t testing.TB, dir string, packages ...string) {
	t.Helper()
	build(t, dir, packages)
}

// BuildFaulty does the same as Build, but with all failpoints, and with a manager that uses the
// Disk which the environment selects (FromEnv). Both have no effect unless the environment enables
// them, so one build is enough for all faults.
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

// Root returns the folder of go.mod.
func Root(t testing.TB) string {
	t.Helper()
	out, err := Bounded(t, "go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}
