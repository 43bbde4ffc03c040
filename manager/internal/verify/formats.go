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

// AtOnce bounds the files that one start of a program is given.
const AtOnce = 200

// A Format is a kind of files, and the program that the script names to verify them.
type Format struct {
	*script.Command
	What  string                        // "queue pages", "state seen"
	Dir   string                        // the files' directory, as names begin
	Env   []string                      // variables that the program is given
	Limit time.Duration                 // of one start of the program; it is ended then
	Line  func(files []string) []string // the command line for some files
	names []txlog.Name                  // of the files to verify
}

// A Failure is what a program complained of in some files.
type Failure struct {
	What   string       `json:"what"`
	Files  []txlog.Name `json:"files"`  // that it was given
	Exit   string       `json:"exit"`   // as "exit status 1", or "not done after 1h0m0s"
	Stderr string       `json:"stderr"` // its end
}

// choose gives each format the names of its live files that have no fault. It leaves out the
// formats that have none.
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

// formats starts each format's program in folder, again and again with some of its files. A program
// that cannot be started is an error.
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

// verify starts the program on the files. It may fail because a running manager removed or moved
// one of them meanwhile. Then it is started again on those that are left.
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

// pipeWait is how long what a program has started may keep its stderr open.
const pipeWait = time.Second

// Start runs the program on some files to its end, with the crawl's secret as a stage has it. It
// ends the program when its time is over. exit is how it failed, "" if it did not; err is that of
// its start.
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

// stderrKept is what is shown of a program's stderr.
const stderrKept = 4 << 10

// A tail keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-stderrKept):]
	return len(p), nil
}
