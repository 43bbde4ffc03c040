package script

import (
	"cmp"
	"fmt"
)

// checkQueues reports queues that lack a writer or a reader, and settings of queues that contradict
// each other.
func (p *parser) checkQueues() {
	seeded := map[string]bool{}
	for _, s := range p.script.Seeds {
		seeded[s.Queue] = true
	}
	p.checkFilled(seeded)
	p.checkSeeded()
	for _, q := range p.script.Queues {
		if n := p.nodes[q]; n != nil {
			p.checkDeclared(q, n, seeded[q.Name])
		}
	}
}

// checkFilled reports each input queue that never gets a batch.
func (p *parser) checkFilled(seeded map[string]bool) {
	filled := p.queueNames(func(q *Queue) bool { return len(q.Writers) > 0 || seeded[q.Name] })
	for _, m := range p.mentions {
		if q := p.script.Queue(m.text); !m.in || len(q.Writers) > 0 || seeded[m.text] {
			continue
		}
		p.report(m.at, fmt.Sprintf("nothing fills queue %q", m.text),
			cmp.Or(DidYouMean(m.text, filled), `no stage has it in "out", and no seeds enter it`))
	}
}

// checkSeeded reports seeds that no stage would read.
func (p *parser) checkSeeded() {
	read := p.queueNames(func(q *Queue) bool { return len(q.Readers) > 0 })
	for _, m := range p.mentions {
		if m.by == nil && len(p.script.Queue(m.text).Readers) == 0 {
			p.report(m.at, fmt.Sprintf("seeds enter queue %q, which no stage reads", m.text), DidYouMean(m.text, read))
		}
	}
}

// checkDeclared checks a [queue.NAME] table.
func (p *parser) checkDeclared(q *Queue, n *node, seeded bool) {
	if len(q.Writers)+len(q.Readers) == 0 && !seeded {
		others := p.queueNames(func(o *Queue) bool { return len(o.Writers)+len(o.Readers) > 0 })
		p.report(n.at, fmt.Sprintf("no stage reads or writes queue %q", q.Name),
			cmp.Or(DidYouMean(q.Name, others), "take the table out, or give the queue to a stage"))
		return
	}
	if q.Export && len(q.Readers) > 0 {
		p.report(n.place("export"), fmt.Sprintf("queue %q is for other machines, and stage %q reads it", q.Name,
			q.Readers[0].Name),
			"a stage can write a second queue for them")
	}
	if q.Export && q.Keep {
		p.report(n.place("keep"), "\"keep\" beside \"export\": exported batches leave at commit", "")
	}
	if q.Full.Zero() {
		return
	}
	if q.Export {
		p.report(n.place("full"), fmt.Sprintf("\"full\" on queue %q: what is exported is not counted", q.Name), "")
	} else if len(q.Readers) == 0 {
		p.report(n.place("full"), fmt.Sprintf("\"full\" on queue %q, which no stage reads: it would never empty again",
			q.Name), "")
	}
}

// queueNames returns the names of the queues that match.
func (p *parser) queueNames(match func(*Queue) bool) []string {
	var names []string
	for _, q := range p.script.Queues {
		if match(q) {
			names = append(names, q.Name)
		}
	}
	return names
}
