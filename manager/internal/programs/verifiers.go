package programs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"multitext/manager/internal/verify"
	"multitext/manager/internal/workdir"
	"multitext/script"
)

// verifyLimit is the time limit of one run of a program that verifies.
const verifyLimit = time.Hour

// verifiers returns the programs that verify the files of a script's queues and states.
func verifiers(s *script.Script) (all []verify.Format) {
	add := func(c *script.Command, what, dir string, env []string, limit time.Duration) {
		if c != nil {
			line := func(files []string) []string { return c.Argv(filled(s, files)) }
			all = append(all, verify.Format{Command: c, What: what, Dir: dir, Env: env, Limit: limit, Line: line})
		}
	}
	for _, q := range s.Queues {
		add(q.Verify, "queue "+q.Name, q.Name, nil, verifyLimit)
	}
	for _, st := range s.Stages {
		add(st.Verify, "state "+st.State, workdir.SegmentDir(st.State), st.Env, max(verifyLimit, st.Timeout))
	}
	return all
}

// filled returns the function that maps a verifier's placeholders to their values.
func filled(s *script.Script, files []string) func(string) []string {
	return func(placeholder string) []string {
		if placeholder == "in" {
			return files
		}
		i := slices.IndexFunc(s.Vars, func(v script.Var) bool { return v.Name == placeholder })
		if i < 0 {
			return []string{""}
		}
		return []string{s.Vars[i].Value}
	}
}

// Verifiers finds the programs that verify the files of a script's queues and states.
func Verifiers(s *script.Script) ([]verify.Format, error) {
	find, err := Finder(s.Path)
	if err != nil {
		return nil, err
	}
	all := verifiers(s)
	var errs []error
	for _, f := range all {
		if f.ProgramPath, _ = find(f.Program); f.ProgramPath == "" {
			errs = append(errs, fmt.Errorf("there is no program %q, which verifies %s", f.Program, f.What))
		}
	}
	return all, errors.Join(errs...)
}
