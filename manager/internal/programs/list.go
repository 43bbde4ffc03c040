package programs

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"multitext/manager/internal/terminal"
	"multitext/script"
)

// A Row is a program that the script would start.
type Row struct {
	Kind    string `json:"kind"` // service, stage or verify
	Name    string `json:"name"` // for a verify: "queue pages" or "state seen"
	Program string `json:"program"`
	Path    string `json:"path"`
	Reports bool   `json:"reports"`

	// Unnamed lists the placeholders that the stage has but its command does not name. This may be
	// a mistake, or the program takes the values from its environment.
	Unnamed []string `json:"unnamed"`
}

// Rows are the rows of a script.
type Rows []Row

// List lists the programs of a script, including those that manager verify would start.
func List(s *script.Script) (rows Rows) {
	for _, sv := range s.Services {
		rows = append(rows, Row{"service", sv.Name, sv.Program, sv.ProgramPath, true, []string{}})
	}
	for _, st := range s.Stages {
		rows = append(rows, Row{"stage", st.Name, st.Program, st.ProgramPath, st.Names("report"), unnamed(st)})
	}
	for _, v := range verifiers(s) {
		rows = append(rows, Row{"verify", v.What, v.Program, v.ProgramPath, true, []string{}})
	}
	return rows
}

// Print writes the rows as a table.
func (rows Rows) Print(w io.Writer) {
	t := terminal.NewTable(w)
	for _, r := range rows {
		t.Row(r.Kind, r.Name, r.Path, r.remarks())
	}
	t.Flush()
}

// remarks returns warnings, which are no errors.
func (r Row) remarks() string {
	var all []string
	if !r.Reports {
		all = append(all, "trusted by its exit code alone: its command names no {report}")
	}
	if len(r.Unnamed) > 0 {
		all = append(all, fmt.Sprintf("its command names no {%s}", strings.Join(r.Unnamed, "}, no {")))
	}
	return strings.Join(all, "; ")
}

// unnamed returns the inputs, the outputs and the new segment that a stage's command does not name.
func unnamed(st *script.Stage) []string {
	want := append([]string{}, st.Out...)
	if len(st.In) > 0 {
		want = append(want, "in")
	}
	if st.State != "" {
		want = append(want, st.State+".new")
	}
	return slices.DeleteFunc(want, st.Names)
}
