package programs

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"multitext/manager/internal/proc"
	"multitext/script"
)

// checkArguments is the first argument that makes a stage check its other arguments and do nothing
// else. A program that does not know it refuses it; a stage built from older source may not know
// it.
const checkArguments = "-check-arguments"

// trialTime is the time limit for checking the arguments. Loading a large model of topics takes a
// second.
const trialTime = time.Minute

// A trial is a command of the script whose program can check its arguments.
type trial struct {
	stage  *script.Stage // nil: of a program that verifies
	argv   []string
	env    []string // the variables that the program gets
	refuse func(msg string) *script.Error
}

// Try lets the stages of this project check the arguments that the script passes to them, all at
// the same time. If all are valid, it compares what the stages tell about their records (kinds.go).
// It returns the number of commands checked. The error is a [script.Errors] with all refusals.
func Try(s *script.Script) (int, error) {
	trials := trialsOf(s)
	said, outs := make([]string, len(trials)), make([]*told, len(trials))
	var all sync.WaitGroup
	for i, t := range trials {
		all.Go(func() { outs[i], said[i] = try(t.argv, proc.Given(t.env), s.Folder) })
	}
	all.Wait()
	tells := map[*script.Stage]told{}
	var errs script.Errors
	for i, t := range trials {
		if said[i] != "" {
			errs = append(errs, t.refuse(said[i]))
		}
		if t.stage != nil && outs[i] != nil {
			tells[t.stage] = *outs[i]
		}
	}
	if errs == nil {
		errs = missing(s, tells)
	}
	if errs != nil {
		return len(trials), errs
	}
	return len(trials), nil
}

func trialsOf(s *script.Script) (all []trial) {
	value := unborn(s)
	for _, st := range s.Stages {
		if judgesArguments(st.ProgramPath) {
			all = append(all, trial{st, st.Argv(unbornOf(st, value)), st.Env, func(msg string) *script.Error {
				return s.Refused(&st.Command, fmt.Sprintf("stage %q: %s", st.Name, msg))
			}})
		}
	}
	for _, v := range verifiers(s) {
		if judgesArguments(v.ProgramPath) {
			refuse := func(msg string) *script.Error { return s.Refused(v.Command, msg) }
			all = append(all, trial{nil, v.Argv(value), v.Env, refuse})
		}
	}
	return all
}

// judgesArguments reports whether a program is a stage of this project: a package below stages in
// this manager's module, according to the build information in the file. A check starts no other
// program.
func judgesArguments(program string) bool {
	self, ok := debug.ReadBuildInfo()
	info, err := buildinfo.ReadFile(program)
	return ok && err == nil && self.Main.Path != "" && strings.HasPrefix(info.Path, self.Main.Path+"/stages/")
}

// try returns what the program tells if its arguments are valid, else its error about them. It
// returns neither if something killed the program.
func try(argv, env []string, folder string) (t *told, refusal string) {
	ctx, cancel := context.WithTimeout(context.Background(), trialTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], append([]string{checkArguments}, argv[1:]...)...)
	cmd.Dir, cmd.Env = folder, env
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return toldIn(string(out)), ""
	case ctx.Err() != nil:
		return t, "its program did not check its arguments within " + trialTime.String()
	case !errors.As(err, &exit):
		return t, "its program cannot check its arguments: " + err.Error()
	case exit.ExitCode() < 0: // the program was killed, which says nothing about its arguments
		return t, ""
	}
	lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
	said := strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" }), "; ")
	return t, cmp.Or(said, filepath.Base(argv[0])+" refuses its arguments without a message")
}

// unborn returns the values of placeholders for a run that never takes place. Its files do not
// exist, because transaction 0 has no folder.
func unborn(s *script.Script) func(string) []string {
	folder := filepath.Join(s.Dir, "work", "000000000000")
	values := map[string]string{"bandwidth": cmp.Or(s.Limit.Bandwidth, "0"), "tx": "0"}
	for _, v := range s.Vars {
		values[v.Name] = v.Value
	}
	for _, q := range s.Queues {
		values[q.Name] = filepath.Join(folder, q.Name, "m-000000000000-00001."+q.Ext)
	}
	return func(name string) []string {
		return []string{cmp.Or(values[name], filepath.Join(folder, name))}
	}
}

// unbornOf adds the files that a stage reads in addition to its inputs. These files exist.
func unbornOf(st *script.Stage, value func(string) []string) func(string) []string {
	return func(name string) []string {
		for _, r := range st.Read {
			if r.Name == name && r.File != "" {
				return []string{r.File}
			}
		}
		return value(name)
	}
}
