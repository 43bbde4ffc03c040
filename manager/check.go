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

const checkHelp = `Reports all errors of a script, each with its position. It also prints where it found the
program of each service, of each stage, and of each verify of a queue or state. It looks
for programs in the manager's own folder, in the script's folder, and on PATH.
check starts the stages that come with the manager to check their arguments, and the files
of rules and lists of nodes that the arguments name. These stages do nothing else. It
starts no other program, and no shell. A stage that needs records of some kind, as one that
goes by links, is an error where no stage upstream writes them. (A program that does not
come with the manager may write anything.) The last lines tell how many commands were
checked.

Warnings are printed after the name of a stage. A warning means one of these: the command
of the stage names no {report}, so the manager trusts its exit code alone; or the command
does not name an output of the stage, its inputs, or the new segment of its state. (It may
take their paths from its environment.)`

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
		terminal.Line(m.out, "%s checked by their programs", figure.Count(tried, "command"))
		terminal.Line(m.out, "%s, %s, no errors", figure.Count(len(s.Stages), "stage"),
			figure.Count(len(s.Queues), "queue"))
		return nil
	}
}

const graphHelp = `Draws the graph of a script to stdout: as text, in the language of Graphviz (dot) or
Mermaid, or as an SVG picture. It reads only the script; the programs need not exist.`

// drawings are the forms of graph.
func drawings() map[string]func(io.Writer, *script.Script) error {
	return map[string]func(io.Writer, *script.Script) error{
		"text": draw.Text, "dot": draw.Dot, "mermaid": draw.Mermaid, "svg": draw.SVG,
	}
}

func forms() []string { return slices.Sorted(maps.Keys(drawings())) }

func graphVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	form := fs.String("o", "text", "`form` of the drawing: text, dot, mermaid or svg")
	return func(args []string) error {
		write := drawings()[*form]
		if write == nil {
			return fmt.Errorf("%w: there is no form %q; there are: %s", errUsage, *form, strings.Join(forms(), ", "))
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

const verifyHelp = `Reads every live batch and segment, and compares it with the log. Each file must be in its
queue or state, or in the work directory of a committed transaction. Its size and hash
must be those in the log. verify prints the files that differ. It also prints files in
queues that are not in the log; these are no error. Then it runs the programs that the
script names with verify, on the files that match the log, 200 at a time. It kills a
program that has not ended after an hour, or after the stage's timeout if that is longer;
the program has then failed.
The exit code is 0 if nothing is damaged and 5 if something is damaged.

verify takes no lock and changes nothing, so you can run it while a manager runs. (When a
manager starts, it compares only the sizes.) With -every it verifies the files repeatedly,
until something is damaged or a signal arrives. As a service of a script it stops the
crawl when it finds damage: [service.scrub] run = "manager verify -every 24h SCRIPT".`

func verifyVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	asJSON := jsonFlag(fs)
	every := fs.Duration("every", 0, "verify again after this `duration`, until something is damaged")
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
