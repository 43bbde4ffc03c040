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
	"multitext/txlog"
)

// AtOnce bounds the files that one start of a program is given.
const AtOnce = 200

// A Format is a kind of files and the program that knows it.
type Format struct {
	What  string                        // "queue pages", "state seen"
	Dir   string                        // the files' directory, as names begin
	Argv  func(files []string) []string // the command line for some files
	Env   []string                      // variables that the program is given
	Limit time.Duration                 // of one start of the program; it is ended then
	Names []txlog.Name                  // of the files to verify
}

// A Failure is what a program had against some files.
type Failure struct {
	What   string       `json:"what"`
	Files  []txlog.Name `json:"files"`  // that it was given
	Exit   string       `json:"exit"`   // as "exit status 1", or "not done after 1h0m0s"
	Stderr string       `json:"stderr"` // its end
}

// Formats starts each format's program in folder, over and over with some of its
// files, as many at a time as there are processors. A program that cannot be
// started is an error.
func Formats(root, folder string, formats []Format) ([]Failure, error) {
	type start struct {
		format Format
		names  []txlog.Name
	}
	var starts []start
	for _, f := range formats {
		for names := range slices.Chunk(f.Names, AtOnce) {
			starts = append(starts, start{f, names})
		}
	}
	failed, errs := make([]*Failure, len(starts)), make([]error, len(starts))
	each(len(starts), func(i int) {
		failed[i], errs[i] = verifyFormat(root, folder, starts[i].format, starts[i].names)
	})
	failures := []Failure{}
	for _, f := range failed {
		if f != nil {
			failures = append(failures, *f)
		}
	}
	return failures, errors.Join(errs...)
}

// verifyFormat starts a program on some files. It may fail because a manager at
// work removed or moved one of them meanwhile; then it is started again on what
// is left.
func verifyFormat(root, folder string, f Format, names []txlog.Name) (*Failure, error) {
	paths, err := where(root, names)
	if err != nil {
		return nil, err
	}
	for len(names) > 0 {
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
	return nil, nil
}

func where(root string, names []txlog.Name) (paths []string, err error) {
	paths = make([]string, len(names))
	for i, name := range names {
		path, err2 := workdir.Where(root, name)
		paths[i], err = path, errors.Join(err, err2)
	}
	return paths, err
}

// pipePatience is how long what a program has started may hold its stderr.
const pipePatience = time.Second

// Start runs the program on some files to its end, with the crawl's secret as a stage has it, and
// ends it when its time is over. exit tells in words how it failed, "" if it did not; err is that of
// its start.
func (f *Format) Start(root, folder string, files []string) (exit, stderr string, err error) {
	secret, err := (&workdir.Dir{Root: root}).SecretEnv()
	if err != nil {
		return "", "", err
	}
	var end tail
	ctx, cancel := context.WithTimeout(context.Background(), f.Limit)
	defer cancel()
	argv := f.Argv(files)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = folder, &end, pipePatience
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
	*t = append(*t, p[max(0, len(p)-stderrKept):]...)
	if over := len(*t) - stderrKept; over > 0 {
		*t = append((*t)[:0], (*t)[over:]...)
	}
	return len(p), nil
}

// Select fills in the names of each format's live files that have no fault, and
// leaves out the formats that have none.
func (r *Result) Select(state *txlog.State, formats []Format) []Format {
	bad := map[txlog.Name]bool{}
	for _, f := range r.Faults {
		bad[f.File] = true
	}
	for _, o := range state.Files() {
		for i := range formats {
			if formats[i].Dir == o.Name.Dir() && !bad[o.Name] {
				formats[i].Names = append(formats[i].Names, o.Name)
			}
		}
	}
	return slices.DeleteFunc(formats, func(f Format) bool { return len(f.Names) == 0 })
}
