package crash

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Change replaces text in a source file of the repository, for one build. Old
// must occur exactly once: a change that no longer finds its place fails the
// test instead of testing nothing.
type Change struct {
	File     string // relative to the module's root
	Old, New string
}

// within bounds each program that a test starts, so that one that hangs is a test
// that fails.
const within = 3 * time.Minute

// Bounded prepares a program that is ended when it hangs: a Go program tells where,
// by SIGQUIT. Nor is what it leaves running waited for, which may hold its output.
func Bounded(t testing.TB, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Build builds packages (as "./manager") of this module into dir, with the
// changes put into their source by way of the go command's overlay; the files on
// disk stay as they are.
func Build(t testing.TB, dir string, packages []string, changes ...Change) {
	t.Helper()
	build(t, dir, "", packages, changes)
}

// BuildFaulty is Build with a manager that uses the Disk which the environment asks for,
// by the tag crash.
func BuildFaulty(t testing.TB, dir string, packages []string, changes ...Change) {
	t.Helper()
	build(t, dir, "crash", packages, changes)
}

func build(t testing.TB, dir, tags string, packages []string, changes []Change) {
	t.Helper()
	root := Root(t)
	args := []string{"build", "-tags", tags, "-o", dir + "/"}
	if len(changes) > 0 {
		args = append(args, "-overlay", overlay(t, root, changes))
	}
	cmd := Bounded(t, "go", append(args, packages...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %v with %v: %v\n%s", packages, changes, err, out)
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

func overlay(t testing.TB, root string, changes []Change) string {
	t.Helper()
	dir := t.TempDir()
	texts := map[string]string{}
	for _, c := range changes {
		path := filepath.Join(root, c.File)
		text, ok := texts[path]
		if !ok {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(raw)
		}
		if n := strings.Count(text, c.Old); n != 1 {
			t.Fatalf("%s holds %q %d times, want once: this change has lost its place", c.File, c.Old, n)
		}
		texts[path] = strings.Replace(text, c.Old, c.New, 1)
	}
	replace := map[string]string{}
	for path, text := range texts {
		changed := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(path, root+"/"), "/", "_"))
		if err := os.WriteFile(changed, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[path] = changed
	}
	file := filepath.Join(dir, "overlay.json")
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
