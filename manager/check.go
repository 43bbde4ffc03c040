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
	"multitext/manager/internal/view"
	"multitext/script"
	"multitext/script/draw"
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
		terminal.Line(m.out, "%s, %s, no errors", figure.Count(len(s.Stages), "stage"), figure.Count(len(s.Queues), "queue"))
		return nil
	}
}

const graphHelp = `Draws the flow of a script to stdout: as text, in the languages of Graphviz (dot)
and Mermaid, or as an SVG picture. It goes by the file; programs need not be there.`

func graphVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	drawings := map[string]func(io.Writer, *script.Script) error{
		"text": draw.Text, "dot": draw.Dot, "mermaid": draw.Mermaid, "svg": draw.SVG,
	}
	form := fs.String("o", "text", "`form` of the drawing: text, dot, mermaid or svg")
	return func(args []string) error {
		write := drawings[*form]
		if write == nil {
			return fmt.Errorf("%w: there is no form %q; there are: %s", errUsage, *form, strings.Join(slices.Sorted(maps.Keys(drawings)), ", "))
		}
		s, err := view.Script(args[0], m.vars.list)
		if err != nil {
			return err
		}
		if err := write(m.out, s); err != nil {
			return fmt.Errorf("draw %s: %w", args[0], err)
		}
		return nil
	}
}

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
		if formats, err = programs.Verifiers(c.Script, path); err != nil {
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
