package script

import (
	"fmt"
	"slices"
)

// maxStages is the maximum number of stages, because check examines the whole graph.
const maxStages = 500

// check makes the checks that need the whole script.
func (p *parser) check() {
	p.link()
	if len(p.script.Stages) > maxStages {
		p.report(p.nodes[p.script.Stages[maxStages]].at, fmt.Sprintf("more than %d stages", maxStages), "")
		return
	}
	p.checkQueues()
	p.checkStop()
	for _, s := range p.script.Stages {
		p.checkStage(s, p.nodes[s])
	}
	p.checkStates()
	p.resolveReads()
	p.checkNames()
	p.checkPlaceholders()
	p.checkVerifiers()
	p.checkCycles()
}

// link adds the queues that have no table, sorts all queues by their first appearance, and connects
// stages to them.
func (p *parser) link() {
	first := map[*Queue]int{}
	for _, q := range p.script.Queues {
		first[q] = p.nodes[q].at
	}
	queues := map[string]*Queue{}
	for _, q := range p.script.Queues {
		queues[q.Name] = q
	}
	for _, m := range p.mentions {
		q := queues[m.text]
		if q == nil {
			q = &Queue{Name: m.text, Ext: "zst"}
			queues[m.text], first[q] = q, m.at
			p.script.Queues = append(p.script.Queues, q)
		}
		first[q] = min(first[q], m.at)
		if m.by != nil && m.in {
			q.Readers = append(q.Readers, m.by)
		} else if m.by != nil {
			q.Writers = append(q.Writers, m.by)
		}
	}
	slices.SortFunc(p.script.Queues, func(a, b *Queue) int { return first[a] - first[b] })
	for _, q := range p.script.Queues {
		p.queueName(item{q.Name, first[q]})
	}
}

// checkStop reports limits on queues that do not exist.
func (p *parser) checkStop() {
	stop := p.root.child("stop")
	if stop == nil {
		return
	}
	known := p.script.QueueNames()
	for _, key := range []string{"records", "bytes"} {
		limits := stop.child(key)
		if limits == nil {
			continue
		}
		for _, c := range limits.below {
			if p.script.Queue(c.key) == nil {
				p.report(c.at, fmt.Sprintf("no queue %q", c.key), DidYouMean(c.key, known))
			}
		}
	}
}

// checkStage reports settings of one stage that contradict each other.
func (p *parser) checkStage(s *Stage, n *node) {
	refuse := func(key, format string, args ...any) {
		if n.child(key) != nil {
			p.report(n.place(key), fmt.Sprintf(format, args...), "")
		}
	}
	if n.child("in") == nil {
		if n.child("every") == nil {
			p.report(n.at, fmt.Sprintf("nothing would ever start stage %q", s.Name), `give it "in", or "every"`)
		}
		refuse("min", "\"min\" counts waiting input, and stage %q has no \"in\"", s.Name)
		refuse("take", "\"take\" counts waiting input, and stage %q has no \"in\"", s.Name)
	}
	if s.Min.Batches > s.Take {
		refuse("min", "min = %d is never met: a run takes %d at most (\"take\")", s.Min.Batches, s.Take)
	}
	if other := p.script.Heir(s.Was); s.Was != "" && (other != s || other.Name == s.Was) {
		refuse("was", "stage %q is %q, or was it before; two stages cannot have been the same one", other.Name, s.Was)
	}
	if s.Jobs > 1 && s.State != "" {
		refuse("jobs", "jobs = %d beside a state: two runs at once would both replace it", s.Jobs)
	}
}

// checkStates reports a state that two stages write.
func (p *parser) checkStates() {
	for _, s := range p.script.Stages {
		if first := p.script.Owner(s.State); first != nil && first != s {
			p.report(p.nodes[s].child("state").begin,
				fmt.Sprintf("stage %q has the state %q already", first.Name, s.State),
				fmt.Sprintf("one stage writes a state; others see it by read = { NAME = %q }", s.State))
		}
	}
}

// checkCycles reports cycles in which every queue can be full, because then each stage waits
// forever for the next to make room. A cycle that several stages lead to is reported once.
func (p *parser) checkCycles() {
	var full []Edge
	for _, e := range p.script.edges() {
		if !e.Queue.Full.Zero() {
			full = append(full, e)
		}
	}
	next := byFrom(full)
	for _, s := range p.script.Stages {
		way := wayBack(s, next)
		if way == nil {
			continue
		}
		text, at := way[0].From.Name, -1
		for _, e := range way {
			text += " → " + e.Queue.Name + " → " + e.To.Name
			if key := p.nodes[e.Queue].place("full"); at < 0 || key < at {
				at = key
			}
		}
		p.report(at, `every queue of a cycle has "full": `+text,
			"when all are full nothing moves again; leave one of them without")
	}
}
