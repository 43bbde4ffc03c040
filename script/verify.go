package script

import "fmt"

// checkVerifiers reports verifiers that have nothing to verify, or that do not name their files.
func (p *parser) checkVerifiers() {
	for _, q := range p.script.Queues {
		if q.Verify == nil {
			continue
		}
		n := p.nodes[q].child("verify")
		if q.Export {
			p.report(n.at, fmt.Sprintf("\"verify\" on queue %q: exported batches leave at commit", q.Name), "")
		}
		p.checkVerifier(q.Verify, n)
	}
	for _, s := range p.script.Stages {
		if s.Verify == nil {
			continue
		}
		n := p.nodes[s].child("verify")
		if s.State == "" {
			p.report(n.at, fmt.Sprintf("\"verify\" in stage %q, which has no state", s.Name),
				"what verifies batches stands in [queue.NAME]")
		}
		p.checkVerifier(s.Verify, n)
	}
}

func (p *parser) checkVerifier(c *Command, n *node) {
	p.checkCommand(c, []string{"in"}, func(string) string { return "a verifier has {in} and vars only" })
	if len(c.words) > 0 && !c.Names("in") {
		p.invalid(n, "it names no {in}, the files to verify")
	}
}
