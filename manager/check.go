package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/programs"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/verify"
	"multitext/script"
	"multitext/script/draw"
)

const checkHelp = `Reports all errors of a script, each with its place, and prints where it found the
program of each service, of each stage, and of each verify of a queue or state.
Programs are looked for beside the manager, in the script's folder, and on PATH.
The stages that come with the manager are started to check their arguments, and the
rules and lists of nodes that these name, and do nothing else. No other program is
started, and no shell. The last lines say how many commands were checked in this way.

What is no error but worth a look stands behind a stage: its command names no {report},
so only its exit code tells whether it did its work; or its command does not name an
output of the stage, its inputs, or the new segment of its state (it may take them from
its environment).`

func checkVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	asJSON := jsonFlag(fs)
	return func(args []string) error {
		s, err := m.load(args[0])
		if err != nil {
			return err
		}
		tried, err := programs.Try(s)
		if err != nil {
			return err
		}
		if err := show(m.out, *asJSON, programs.List(s)); err != nil || *asJSON {
			return err
		}
		terminal.Line(m.out, "%s tried on their programs", figure.Count(tried, "command"))
		terminal.Line(m.out, "%s, %s, no errors", figure.Count(len(s.Stages), "stage"),
			figure.Count(len(s.Queues), "queue"))
		return nil
	}
}

const graphHelp = `Draws the flow of a script to stdout: as text, in the language of Graphviz (dot) or
Mermaid, or as an SVG picture. It reads only the script; programs need not be there.`

func graphVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	drawings := map[string]func(io.Writer, *script.Script) error{
		"text": draw.Text, "dot": draw.Dot, "mermaid": draw.Mermaid, "svg": draw.SVG,
	}
	form := fs.String("o", "text", "`form` of the drawing: text, dot, mermaid or svg")
	return func(args []string) error {
		write := drawings[*form]
		if write == nil {
			forms := strings.Join(slices.Sorted(maps.Keys(drawings)), ", ")
			return fmt.Errorf("%w: there is no form %q; there are: %s", errUsage, *form, forms)
		}
		s, err := m.read(args[0])
		if err != nil {
			return err
		}
		if err := write(m.out, s); err != nil {
			return fmt.Errorf("draw %s: %w", args[0], err)
		}
		return nil
	}
}

const verifyHelp = `Reads every live batch and segment again. Each must be in its place, or in the work
directory of a committed transaction, with the size and the hash that the log says.
Files that differ are named. Files in queues that the log does not know are named too,
and are no error. Then the programs that the script names with verify look into the
files that are as the log says, 200 at a time. A program that has not ended after an
hour, or after the stage's timeout if that is longer, is ended and has failed.
The exit code is 0 if all is well and 5 if something is damaged.

It takes no lock and changes nothing, so it may run beside a running manager. A start
looks only at sizes; with -every the files are verified again and again, until something
is damaged or a signal comes. As a service of a script, [service.scrub]
run = "manager verify -every 24h SCRIPT", it stops the crawl when it finds damage.`

func verifyVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	asJSON := jsonFlag(fs)
	every := fs.Duration("every", 0, "verify again after so `long`, until something is damaged")
	return func(args []string) error {
		once := func() error { return m.verify(args[0], *asJSON) }
		if *every <= 0 {
			return once()
		}
		if !*asJSON {
			terminal.Line(m.out, "verifies every %s", *every) // so that a service is ready
		}
		return again(*every, once)
	}
}

func (m *invocation) verify(path string, asJSON bool) error {
	c, err := m.look(path)
	if err != nil {
		return err
	}
	var formats []verify.Format
	if c.Begun {
		if formats, err = programs.Verifiers(c.Script); err != nil {
			return err
		}
	}
	v, err := verify.Crawl(c, formats)
	if err != nil {
		return err
	}
	if err := show(m.out, asJSON, v); err != nil || !v.Damaged() {
		return err
	}
	return exit(crawl.ExitDamaged, nil)
}
