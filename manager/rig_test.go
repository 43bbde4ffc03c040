package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"multitext/txlog/crash"
)

// A rig runs a small cyclic crawl of numbers: an odd n leads to n/2. It has a
// state with merges, fan-out, two readers of one queue, a kept queue, a full one
// and an exported one.
type rig struct {
	bin   string
	story story
	env   string // of the manager, beside what it is given for one run
}

// faulty are the programs of all rigs.
var faulty = crash.Programs{Build: crash.BuildFaulty,
	Packages: []string{"./manager", "./manager/testdata/toy", "./stages/frontier"}}

// newRig is a rig of the plain story, with the given defects.
func newRig(t *testing.T, defects ...string) *rig {
	t.Helper()
	return newStoryRig(t, story{}, defects...)
}

// newStoryRig is newRig for a story other than the plain one.
func newStoryRig(t *testing.T, s story, defects ...string) *rig {
	t.Helper()
	return &rig{bin: faulty.Dir(t), story: s, env: crash.Failpoints(t, slices.Concat(s.failpoints, defects)...)}
}

// long skips a test that takes longer than a second if -short is set.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
}

var seeds = map[string][]int{"a.txt": {1, 3, 5, 7, 9, 11, 33, 77}, "b.txt": {20, 23, 26, 29, 33},
	"c.txt": {500, 501, 5}}

// folder makes a fresh folder with the script and its seeds, in memory if the
// machine can: a kill leaves the page cache alone, so nothing is lost by it.
func (r *rig) folder(t *testing.T) string {
	t.Helper()
	dir, err := r.makeFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (r *rig) makeFolder() (string, error) {
	dir, err := os.MkdirTemp("/dev/shm", "multitext-kill-")
	if err != nil {
		if dir, err = os.MkdirTemp("", "multitext-kill-"); err != nil {
			return "", err
		}
	}
	return dir, r.fillFolder(dir)
}

func (r *rig) fillFolder(dir string) error {
	script := "testdata/kill/crawl.toml"
	if r.story.script != "" {
		script = "testdata/stories/" + r.story.script + ".toml"
	}
	text, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "crawl.toml"), text, 0o666)
	}
	for file, numbers := range seeds {
		text := ""
		for _, n := range numbers {
			text += fmt.Sprintln(n)
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
	}
	if err == nil && r.story.prepare != nil {
		err = r.story.prepare(r, dir)
	}
	return err
}

// An ending is how one run of the manager ended.
type ending struct {
	fired  bool   // the fault that was asked for happened
	where  string // before which change
	killed bool
	code   int
	said   string
}

// runLimit bounds every run of the manager.
const runLimit = 30 * time.Second

// command prepares a call of the manager. Its output goes to a file: orphans would keep a pipe
// open, and its reader would wait for their end.
func (r *rig) command(ctx context.Context, folder, verb string, env ...string) (*exec.Cmd, *os.File, error) {
	stderr, err := os.Create(filepath.Join(folder, "stderr"))
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(r.bin, "manager"), verb, filepath.Join(folder, "crawl.toml"))
	cmd.Env = append(os.Environ(), "PATH="+r.bin+":"+os.Getenv("PATH"),
		crash.KillMark+"="+filepath.Join(folder, "killed"))
	cmd.Env = append(append(cmd.Env, r.env), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // it tells where it hangs
	cmd.WaitDelay = 5 * time.Second
	cmd.Stdout, cmd.Stderr = stderr, stderr
	return cmd, stderr, nil
}

// start runs the manager to its end with what env asks for.
func (r *rig) start(folder string, env ...string) (ending, error) {
	return r.startWith(folder, nil, env...)
}

// startWith is start; meanwhile, if not nil, is called when the manager runs, and
// what it returns when the manager has ended.
func (r *rig) startWith(folder string, meanwhile func(*os.Process) func(), env ...string) (o ending, err error) {
	mark := filepath.Join(folder, "killed")
	os.Remove(mark)
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	cmd, stderr, err := r.command(ctx, folder, "run", env...)
	if err != nil {
		return o, err
	}
	defer stderr.Close()
	if err := cmd.Start(); err != nil {
		return o, err
	}
	if meanwhile != nil {
		defer meanwhile(cmd.Process)()
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		said, _ := os.ReadFile(stderr.Name())
		return o, fmt.Errorf("it did not end within %s; it said\n%s", runLimit, said)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return o, err
	}
	if text, err := os.ReadFile(mark); err == nil {
		o.fired, o.where = true, strings.TrimSpace(strings.Replace(string(text), folder, "", 1))
	}
	said, err := os.ReadFile(stderr.Name())
	o.said, o.code = string(said), cmd.ProcessState.ExitCode()
	o.killed = cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
	return o, err
}

// run runs the manager, killed before the at-th change (0: never). fired tells
// whether the kill happened; a run that was not killed must end as the story says.
func (r *rig) run(folder string, at int) (fired bool, where string, err error) {
	o, err := r.start(folder, crash.KillAt+"="+strconv.Itoa(at))
	switch {
	case err != nil:
		return false, "", err
	case o.killed && o.fired:
		return true, o.where, nil
	case o.killed || o.code != r.story.code:
		return false, "", fmt.Errorf("exit code %d, want %d; it said\n%s", o.code, r.story.code, o.said)
	}
	return false, "", nil
}

// end runs the crawl in a folder to its end and checks all it left.
func (r *rig) end(folder string) error {
	if _, _, err := r.run(folder, 0); err != nil {
		return err
	}
	return r.inspect(folder)
}

// inspect compares a finished crawl with the oracle and its story.
func (r *rig) inspect(folder string) error {
	dir := filepath.Join(folder, "crawl")
	err := r.check(dir)
	if r.story.also != nil {
		err = errors.Join(err, r.story.also(dir))
	}
	return err
}

// chain kills a crawl at each of the given changes in turn, lets it end, and
// checks all it left.
func (r *rig) chain(t *testing.T, kills []int) (fired int, err error) {
	folder, err := r.makeFolder()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	var story []string
	for _, at := range kills {
		hit, where, err := r.run(folder, at)
		if err != nil {
			return fired, fmt.Errorf("after %v: %w", story, err)
		}
		if !hit {
			break
		}
		fired++
		story = append(story, where)
	}
	if err := r.end(folder); err != nil {
		return fired, fmt.Errorf("after %v: %w", story, err)
	}
	return fired, nil
}

// atOnce calls do for 0 to n-1, some of them at the same time, and returns the
// errors of those that had one.
func atOnce(n, width int, do func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var workers sync.WaitGroup
	for range width {
		workers.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
	return errors.Join(errs...)
}
