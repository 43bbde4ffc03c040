package programs

import (
	"errors"
	"fmt"
	"time"

	"multitext/manager/internal/verify"
	"multitext/manager/internal/workdir"
	"multitext/script"
)

// verifyLimit bounds one start of a program that verifies.
const verifyLimit = time.Hour

// A verifier is a program that verifies the files of a queue or of a state.
type verifier struct {
	*script.Command
	what  string // "queue pages", "state seen"
	dir   string // of the files
	env   []string
	limit time.Duration // of one start
}

func verifiersOf(s *script.Script) (all []verifier) {
	for _, q := range s.Queues {
		if q.Verify != nil {
			all = append(all, verifier{q.Verify, "queue " + q.Name, q.Name, nil, verifyLimit})
		}
	}
	for _, st := range s.Stages {
		if st.Verify != nil {
			limit := max(verifyLimit, st.Timeout)
			all = append(all, verifier{st.Verify, "state " + st.State, workdir.SegmentDir(st.State), st.Env, limit})
		}
	}
	return all
}

// Verifiers finds the programs that the script at path names to verify its queues and states.
func Verifiers(s *script.Script, path string) ([]verify.Format, error) {
	find, err := Finder(path)
	if err != nil {
		return nil, err
	}
	var formats []verify.Format
	var errs []error
	for _, v := range verifiersOf(s) {
		if v.ProgramPath, _ = find(v.Program); v.ProgramPath == "" {
			errs = append(errs, fmt.Errorf("there is no program %q, which verifies %s", v.Program, v.what))
		}
		argv := func(files []string) []string { return v.Argv(filled(s, files)) }
		formats = append(formats, verify.Format{What: v.what, Dir: v.dir, Argv: argv, Env: v.env, Limit: v.limit})
	}
	return formats, errors.Join(errs...)
}

// filled gives what stands for a verifier's placeholders.
func filled(s *script.Script, files []string) func(string) []string {
	return func(placeholder string) []string {
		if placeholder == "in" {
			return files
		}
		for _, v := range s.Vars {
			if v.Name == placeholder {
				return []string{v.Value}
			}
		}
		return []string{""}
	}
}
