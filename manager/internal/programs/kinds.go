package programs

import (
	"fmt"
	"slices"
	"strings"

	"multitext/script"
)

// A told is what the program of a stage tells about the records that it reads and writes, when it
// checks its arguments: each line of its standard output is one of
//
//	gives KIND "PATH"  it writes records of KIND to PATH
//	needs KIND "WHY"   it needs records of KIND among its inputs
//
// To the manager a KIND is a word without a meaning.
type told struct {
	gives []given
	needs []given
}

// A given is a kind of records, with the path or the reason.
type given struct{ kind, text string }

func toldIn(stdout string) *told {
	t := &told{}
	for line := range strings.Lines(stdout) {
		var verb string
		var g given
		if n, _ := fmt.Sscanf(line, "%s %s %q", &verb, &g.kind, &g.text); n != 3 {
			continue
		}
		switch verb {
		case "gives":
			t.gives = append(t.gives, g)
		case "needs":
			t.needs = append(t.needs, g)
		}
	}
	return t
}

// missing returns why the script does not give each stage what it needs.
func missing(s *script.Script, all map[*script.Stage]told) (errs script.Errors) {
	path := unborn(s)
	for _, st := range s.Stages {
		for _, need := range all[st].needs {
			if !reaches(s, st, need.kind, all, path) {
				errs = append(errs, s.Refused(&st.Command, fmt.Sprintf("stage %q: %s", st.Name, need.text)))
			}
		}
	}
	return errs
}

// reaches reports whether records of a kind may come to a stage: whether a stage writes them to a
// queue that is, over any number of stages, upstream of it. A program that tells nothing because it
// is not of this project, or was killed, may write anything.
func reaches(s *script.Script, st *script.Stage, kind string, all map[*script.Stage]told,
	path func(string) []string) bool {
	todo := slices.Clone(st.In)
	for i := 0; i < len(todo); i++ {
		for _, writer := range s.Queue(todo[i]).Writers {
			t, ours := all[writer]
			if !ours || slices.Contains(t.gives, given{kind, path(todo[i])[0]}) {
				return true
			}
			for _, in := range writer.In {
				if !slices.Contains(todo, in) {
					todo = append(todo, in)
				}
			}
		}
	}
	return false
}
