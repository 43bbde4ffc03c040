package verify

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"multitext/manager/internal/proc"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// AtOnce is the maximum number of files for one run of a program.
const AtOnce = 200

// A Format is a group of files, and the program that verifies them according to the script.
type Format struct {
	*script.Command
	What  string                        // "queue pages", "state seen"
	Dir   string                        // the files' directory, relative to the crawl's directory
	Env   []string                      // the variables that the program gets
	Limit time.Duration                 // the time limit of one run of the program, which is then killed
	Line  func(files []string) []string // returns the command line for some files
	names []txlog.Name                  // the files to verify
}

// A Failure is a complaint of a program about some files.
type Failure struct {
	What   string       `json:"what"`
	Files  []txlog.Name `json:"files"`  // the files that the program got
	Exit   string       `json:"exit"`   // as "exit status 1", or "not done after 1h0m0s"
	Stderr string       `json:"stderr"` // the last part of it
}

// choose assigns to each format the names of its live files that have no fault. It leaves out
// formats without such files.
func (v *Verification) choose(state *txlog.State, formats []Format) (chosen []Format) {
	bad := map[txlog.Name]bool{}
	for _, f := range v.Faults {
		bad[f.File] = true
	}
	for _, f := range formats {
		for _, o := range state.Files() {
			if f.Dir == o.Name.Dir() && !bad[o.Name] {
				f.names = append(f.names, o.Name)
			}
		}
		if f.names != nil {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

// formats starts each format's program in folder, repeatedly, each time with some of its files. If
// a program cannot be started, formats returns an error.
func (v *Verification) formats(root, folder string, formats []Format) error {
	var starts []Format
	for _, f := range formats {
		v.Formats = append(v.Formats, f.What)
		for f.names = range slices.Chunk(f.names, AtOnce) {
			starts = append(starts, f)
		}
	}
	failed, errs := make([]*Failure, len(starts)), make([]error, len(starts))
	each(len(starts), func(i int) { failed[i], errs[i] = starts[i].verify(root, folder) })
	for _, f := range failed {
		if f != nil {
			v.Failures = append(v.Failures, *f)
		}
	}
	return errors.Join(errs...)
}

// verify starts the program on the files. The program may fail because a running manager removed or
// moved a file in the meantime. Then verify starts it again on the remaining files.
func (f *Format) verify(root, folder string) (*Failure, error) {
	names := f.names
	paths, err := where(root, names)
	for err == nil && len(names) > 0 {
		exit, stderr, err := f.Start(root, folder, paths)
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", f.What, err)
		}
		if exit == "" {
			return nil, nil
		}
		live, err := liveNow(root)
		if err != nil {
			return nil, err
		}
		names = slices.DeleteFunc(slices.Clone(names), func(n txlog.Name) bool { return !live[n] })
		now, err := where(root, names)
		if err != nil {
			return nil, err
		}
		if slices.Equal(paths, now) {
			return &Failure{f.What, names, exit, stderr}, nil
		}
		paths = now
	}
	return nil, err
}

func where(root string, names []txlog.Name) (paths []string, err error) {
	paths = make([]string, len(names))
	for i, name := range names {
		path, err2 := workdir.Where(root, name)
		paths[i], err = path, errors.Join(err, err2)
	}
	return paths, err
}

// pipeWait is how long processes that the program has started may keep its stderr open.
const pipeWait = time.Second

// Start runs the program on some files until it ends. The program gets the crawl's secret as a
// stage does. Start kills the program after the time limit. exit describes how the program failed,
// or is "" if it succeeded. err is set if the program could not be started.
func (f *Format) Start(root, folder string, files []string) (exit, stderr string, err error) {
	secret, err := (&workdir.Dir{Root: root}).SecretEnv()
	if err != nil {
		return "", "", err
	}
	var end tail
	ctx, cancel := context.WithTimeout(context.Background(), f.Limit)
	defer cancel()
	argv := f.Line(files)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = folder, &end, pipeWait
	cmd.Env = append(proc.Given(f.Env), secret...)
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return "", "", nil
	case ctx.Err() != nil:
		return fmt.Sprintf("not done after %s", f.Limit), string(end), nil
	case errors.As(err, &failed):
		return failed.String(), string(end), nil
	}
	return "", "", err
}

// stderrKept is the number of bytes kept from the end of a program's stderr.
const stderrKept = 4 << 10

// A tail keeps the last bytes that were written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-stderrKept):]
	return len(p), nil
}
