package script

import (
	"fmt"
	"slices"
)

// A Verifier is a program that looks into files of one kind: the batches of a
// queue, or the segments of a state. It exits with 0 when they are whole.
type Verifier struct {
	Program     string
	ProgramPath string // as of a Stage

	command command
}

// Argv returns the command line that verifies some files, as [Stage.Argv] does
// for a run. Its placeholders are "in" and the script's vars.
func (v *Verifier) Argv(value func(placeholder string) []string) []string {
	return v.command.argv(v.ProgramPath, value)
}

// verify reads the command line of a verifier.
func (p *parser) verify(n *node) *Verifier {
	v := &Verifier{command: p.run(n)}
	v.Program, v.ProgramPath = p.lookup(v.command)
	return v
}

// checkVerifiers reports verifiers that have nothing to verify, or are not told
// what.
func (p *parser) checkVerifiers() {
	for _, q := range p.script.Queues {
		if q.Verify == nil {
			continue
		}
		n := p.nodes[q].child("verify")
		if q.Export {
			p.report(n.spot.key, fmt.Sprintf("\"verify\" on queue %q: exported batches leave at commit", q.Name), "")
		}
		p.checkVerifier(q.Verify, n)
	}
	for _, s := range p.script.Stages {
		if s.Verify == nil {
			continue
		}
		n := p.nodes[s].child("verify")
		if s.State == "" {
			p.report(n.spot.key, fmt.Sprintf("\"verify\" in stage %q, which has no state", s.Name),
				"what verifies batches stands in [queue.NAME]")
		}
		p.checkVerifier(s.Verify, n)
	}
}

func (p *parser) checkVerifier(v *Verifier, n *node) {
	known := []string{"in"}
	for _, one := range p.script.Vars {
		known = append(known, one.Name)
	}
	parts := v.command.all()
	for _, part := range parts {
		if !slices.Contains(known, part.name) {
			p.unknownPlaceholder(part, known, "a verifier has {in} and vars only")
		}
	}
	named := slices.ContainsFunc(parts, func(one part) bool { return one.name == "in" })
	if !named && len(v.command.words) > 0 {
		p.invalid(n, "it names no {in}, the files to verify")
	}
}
