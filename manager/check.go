package main

import (
	"flag"
	"fmt"
	"slices"
	"text/tabwriter"

	"multitext/manager/internal/crawl"
)

const checkHelp = `Reports every error of a script at once, each with its place, and prints which
program was found where for each stage and service. Programs are looked for beside
the manager, in the script's folder, and on PATH. Nothing is started.`

func checkVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		s, err := load(path)
		if err != nil {
			return crawl.ExitBad, err
		}
		var rows []programRow
		for _, sv := range s.Services {
			rows = append(rows, programRow{"service", sv.Name, sv.Program, sv.ProgramPath, true})
		}
		for _, st := range s.Stages {
			rows = append(rows, programRow{"stage", st.Name, st.Program, st.ProgramPath, slices.Contains(st.Placeholders(), "report")})
		}
		if *asJSON {
			return crawl.ExitDone, printJSON(m.out, rows)
		}
		t := tabwriter.NewWriter(m.out, 2, 0, 2, ' ', 0)
		for _, r := range rows {
			trust := ""
			if !r.Reports {
				trust = "trusted by its exit code alone: its command names no {report}"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Kind, r.Name, r.Path, trust)
		}
		t.Flush()
		fmt.Fprintf(m.out, "%d stages, %d queues, no errors\n", len(s.Stages), len(s.Queues))
		return crawl.ExitDone, nil
	}
}

// A programRow is a program that the script would start.
type programRow struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Program string `json:"program"`
	Path    string `json:"path"`
	Reports bool   `json:"reports"`
}
