package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/verify"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/script"
)

const verifyHelp = `Re-reads every live batch and segment: it must be there, in its place or in the work
directory of a committed transaction, with the size and the hash that the log says.
What differs is named. Files in queues that the log does not know are named as well
and are no error. Then the programs that the script names with verify look into the
files that are as the log says, some 200 at a time; one that has not ended after an
hour (or the stage's timeout, where that is longer) is ended and has failed. Exit code 0: all is well; 5: something is damaged.

It takes no lock and changes nothing, so it may run beside a manager at work. With -every
it is done over and over, until something is damaged or a signal comes: a start looks at
sizes alone. As a service of a script, [service.scrub] run = "manager verify -every 24h
SCRIPT", it stops the crawl when it finds damage.`

func verifyVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	every := fs.Duration("every", 0, "verify again after so `long`, until something is damaged")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		if *every <= 0 {
			return m.verifyOnce(path, *asJSON)
		}
		if !*asJSON {
			terminal.Line(m.out, "verifies every %s", *every) // so that a service is ready
		}
		stop, release := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		defer release()
		for {
			if code, err := m.verifyOnce(path, *asJSON); code != crawl.ExitDone || err != nil {
				return code, err
			}
			select {
			case <-stop.Done():
				return crawl.ExitDone, nil
			case <-time.After(*every):
			}
		}
	}
}

func (m *invocation) verifyOnce(path string, asJSON bool) (int, error) {
	c, code, err := m.look(path)
	if err != nil {
		return code, err
	}
	v, err := verified(c, path)
	if err != nil {
		return codeOf(err), err
	}
	if asJSON {
		err = printJSON(m.out, v)
	} else {
		m.printVerification(v)
	}
	if err != nil {
		return crawl.ExitBad, err
	}
	return v.code(), nil
}

// A verification is what verify prints.
type verification struct {
	Begun bool `json:"begun"`
	*verify.Result
	Formats  []string         `json:"formats"`  // what a program looked into
	Failures []verify.Failure `json:"failures"` // what programs had against files
	Foreign  []string         `json:"foreign"`  // files in queues that the log does not know
}

func verified(c *view.Crawl, path string) (*verification, error) {
	v := &verification{Begun: c.Begun, Result: &verify.Result{Faults: []verify.Fault{}},
		Formats: []string{}, Failures: []verify.Failure{}, Foreign: []string{}}
	if !c.Begun {
		_, err := workdir.Examine(c.Root) // refuses what a start would refuse
		return v, err
	}
	formats, err := formatsOf(c.Script, path)
	if err != nil {
		return nil, err
	}
	if v.Result, err = verify.Files(c.Root, c.State); err != nil {
		return nil, err
	}
	formats = v.Select(c.State, formats)
	for _, f := range formats {
		v.Formats = append(v.Formats, f.What)
	}
	if v.Failures, err = verify.Formats(c.Root, c.Script.Folder, formats); err != nil {
		return nil, err
	}
	v.Foreign, err = c.Foreign()
	return v, err
}

// verifyLimit bounds one start of a program that verifies.
const verifyLimit = time.Hour

// formatsOf lists what the script names programs for, and finds these.
func formatsOf(s *script.Script, path string) ([]verify.Format, error) {
	find, err := finder(path)
	if err != nil {
		return nil, err
	}
	var formats []verify.Format
	var errs []error
	add := func(what, dir string, program *script.Verifier, env []string, limit time.Duration) {
		if program == nil {
			return
		}
		if program.ProgramPath, _ = find(program.Program); program.ProgramPath == "" {
			errs = append(errs, fmt.Errorf("there is no program %q, which verifies %s", program.Program, what))
		}
		formats = append(formats, verify.Format{What: what, Dir: dir, Env: env, Limit: limit, Argv: func(files []string) []string {
			return program.Argv(verifierFill(s, files))
		}})
	}
	for _, q := range s.Queues {
		add("queue "+q.Name, q.Name, q.Verify, nil, verifyLimit)
	}
	for _, st := range s.Stages {
		add("state "+st.State, workdir.SegmentDir(st.State), st.Verify, st.Env, max(verifyLimit, st.Timeout))
	}
	return formats, errors.Join(errs...)
}

// verifierFill gives what stands for a verifier's placeholders.
func verifierFill(s *script.Script, files []string) func(string) []string {
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

func (v *verification) code() int {
	if len(v.Faults)+len(v.Failures) > 0 {
		return crawl.ExitDamaged
	}
	return crawl.ExitDone
}

func (m *invocation) printVerification(v *verification) {
	if !v.Begun {
		terminal.Line(m.out, "nothing to verify: the crawl has not begun")
		return
	}
	for _, f := range v.Faults {
		terminal.Line(m.out, "%s is damaged: %s", f.File, f.What)
	}
	for _, f := range v.Failures {
		terminal.Line(m.out, "%s: the program that verifies it: %s, given", f.What, f.Exit)
		for _, name := range f.Files[:min(len(f.Files), foreignShown)] {
			terminal.Line(m.out, "  %s", name)
		}
		if more := len(f.Files) - foreignShown; more > 0 {
			terminal.Line(m.out, "  and %d more", more)
		}
		for text := range strings.Lines(f.Stderr) {
			terminal.Line(m.out, "  | %s", strings.TrimSuffix(text, "\n"))
		}
	}
	if len(v.Formats) > 0 {
		terminal.Line(m.out, "programs looked into %s: %s", strings.Join(v.Formats, ", "), figure.Count(len(v.Failures), "complaint"))
	}
	terminal.Line(m.out, "as the log says: %s with %s; damaged: %d", figure.Count(v.Files, "file"), figure.Bytes(v.Bytes), len(v.Faults))
	writeForeign(m.out, v.Foreign)
}
