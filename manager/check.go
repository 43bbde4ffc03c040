package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/script"
)

const checkHelp = `Reports every error of a script at once, each with its place, and prints which
program was found where for each service, stage, and verify of a queue or state.
Programs are looked for beside the manager, in the script's folder, and on PATH.
The stages that come with the manager are asked whether their arguments are good,
and the rules and lists of nodes that these name; they do nothing else. No other
program is started, and no shell: how many were asked is said at the end.

Behind a stage stands what is no error and worth a look: that its command names no
{report}, so that nothing but its exit code tells whether it did its work; or that
it does not name an output of the stage, its inputs, or the new segment of its state
(it may take them from its environment).`

func checkVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		s, err := m.load(path)
		if err != nil {
			return crawl.ExitBad, err
		}
		tried, err := tryArguments(s)
		if err != nil {
			return crawl.ExitBad, err
		}
		var rows []programRow
		for _, sv := range s.Services {
			rows = append(rows, programRow{"service", sv.Name, sv.Program, sv.ProgramPath, true, []string{}})
		}
		for _, st := range s.Stages {
			rows = append(rows, programRow{"stage", st.Name, st.Program, st.ProgramPath, slices.Contains(st.Placeholders(), "report"), unnamed(st)})
		}
		rows = append(rows, verifiers(s)...)
		if *asJSON {
			return crawl.ExitDone, printJSON(m.out, rows)
		}
		t := terminal.NewTable(m.out)
		for _, r := range rows {
			t.Row(r.Kind, r.Name, r.Path, r.remarks())
		}
		t.Flush()
		terminal.Line(m.out, "%s tried on their programs", figure.Count(tried, "command"))
		terminal.Line(m.out, "%s, %s, no errors", figure.Count(len(s.Stages), "stage"), figure.Count(len(s.Queues), "queue"))
		return crawl.ExitDone, nil
	}
}

// A programRow is a program that the script would start.
type programRow struct {
	Kind    string `json:"kind"` // service, stage or verify
	Name    string `json:"name"` // of a verify: "queue pages" or "state seen"
	Program string `json:"program"`
	Path    string `json:"path"`
	Reports bool   `json:"reports"`

	// What the stage has and its command does not name: often a slip, but a
	// program may take it from its environment.
	Unnamed []string `json:"unnamed"`
}

// verifiers are the programs that manager verify would start.
func verifiers(s *script.Script) (rows []programRow) {
	add := func(what string, v *script.Verifier) {
		if v != nil {
			rows = append(rows, programRow{"verify", what, v.Program, v.ProgramPath, true, []string{}})
		}
	}
	for _, q := range s.Queues {
		add("queue "+q.Name, q.Verify)
	}
	for _, st := range s.Stages {
		add("state "+st.State, st.Verify)
	}
	return rows
}

// remarks are what is no error and worth a look.
func (r programRow) remarks() string {
	var all []string
	if !r.Reports {
		all = append(all, "trusted by its exit code alone: its command names no {report}")
	}
	if len(r.Unnamed) > 0 {
		all = append(all, fmt.Sprintf("its command names no {%s}", strings.Join(r.Unnamed, "}, no {")))
	}
	return strings.Join(all, "; ")
}

// unnamed are the inputs, outputs and the new segment that a stage's command
// does not name.
func unnamed(st *script.Stage) []string {
	want := slices.Clone(st.Out)
	if len(st.In) > 0 {
		want = append(want, "in")
	}
	if st.State != "" {
		want = append(want, st.State+".new")
	}
	named := st.Placeholders()
	return slices.DeleteFunc(some(want), func(name string) bool { return slices.Contains(named, name) })
}
