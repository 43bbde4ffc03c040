package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// queue reads a [queue.NAME] table.
func (p *parser) queue(n *node) {
	q := &Queue{Name: n.key, Ext: "zst"}
	p.nodes[q] = n
	p.script.Queues = append(p.script.Queues, q)
	p.table(n, fmt.Sprintf("in [queue.%s]", n.key), p.queueFields(q))
}

func (p *parser) queueFields(q *Queue) []field {
	return []field{
		{"ext", func(n *node) { q.Ext = p.ext(n) }},
		{"keep", func(n *node) { q.Keep = p.boolean(n) }},
		{"export", func(n *node) { q.Export = p.boolean(n) }},
		{"full", func(n *node) { q.Full = p.amount(n) }},
		{"verify", func(n *node) { q.Verify = new(p.run(n)) }},
	}
}

// ext reads an extension, which becomes part of file names.
func (p *parser) ext(n *node) string {
	text, ok := p.str(n)
	if !ok {
		return ""
	}
	for label := range strings.SplitSeq(text, ".") {
		if label == "" || len(text) > 16 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			p.invalid(n, `%q is no extension; it is like "zst" or "warc.gz", of small letters and digits, `+
				`16 bytes at most, without a dot in front`, text)
			break
		}
	}
	return text
}

// stage reads a [stage.NAME] table.
func (p *parser) stage(n *node) {
	s := &Stage{Name: n.key, Take: 1, Jobs: 1, Retry: 3, Wait: 10 * time.Second}
	p.nodes[s] = n
	p.script.Stages = append(p.script.Stages, s)
	p.table(n, fmt.Sprintf("in [stage.%s]", n.key), p.stageFields(s))
	p.checkProgram(n)
}

func (p *parser) stageFields(s *Stage) []field {
	return []field{
		{"was", func(n *node) { s.Was = p.named(n, "stage") }},
		{"in", func(n *node) { s.In = p.queues(n, s, true) }},
		{"out", func(n *node) { s.Out = p.queues(n, s, false) }},
		{"state", func(n *node) { s.State = p.named(n, "state") }},
		{"read", func(n *node) { p.readTable(n, s) }},
		{"take", func(n *node) { s.Take = p.number(n, 1, 1000) }},
		{"min", func(n *node) { s.Min = p.amount(n) }},
		{"jobs", func(n *node) { s.Jobs = p.number(n, 1, 1000) }},
		{"every", func(n *node) { s.Every = p.every(n) }},
		{"timeout", func(n *node) { s.Timeout = p.duration(n) }},
		{"retry", func(n *node) { s.Retry = p.number(n, 0, 1000) }},
		{"wait", func(n *node) { s.Wait = p.duration(n) }},
		{"env", func(n *node) { s.Env = p.environ(n) }},
		{"run", func(n *node) { s.Command = p.run(n) }},
		{"shell", func(n *node) { s.Command = p.shell(n) }},
		{"verify", func(n *node) { s.Verify = new(p.run(n)) }},
	}
}

// service reads a [service.NAME] table.
func (p *parser) service(n *node) {
	s := &Service{Name: n.key}
	p.nodes[s] = n
	p.script.Services = append(p.script.Services, s)
	p.table(n, fmt.Sprintf("in [service.%s]", n.key), p.serviceFields(s))
	p.checkProgram(n)
}

func (p *parser) serviceFields(s *Service) []field {
	return []field{
		{"ready", func(n *node) { s.Ready = p.address(n) }},
		{"env", func(n *node) { s.Env = p.environ(n) }},
		{"run", func(n *node) { s.Command = p.run(n) }},
		{"shell", func(n *node) { s.Command = p.shell(n) }},
	}
}

// queues reads the queues of in or out.
func (p *parser) queues(n *node, s *Stage, in bool) []string {
	items := p.strs(n)
	if n.typ == aList && len(n.below) == 0 {
		p.invalid(n, "an empty list; leave the key out, or name a queue")
	}
	var names []string
	for _, it := range items {
		if slices.Contains(names, it.text) {
			p.report(it.at, fmt.Sprintf("%q names queue %q twice", n.key, it.text), "")
			continue
		}
		p.mentions = append(p.mentions, mention{it, s, in})
		names = append(names, it.text)
	}
	return names
}

// named reads the name of something, such as a "stage".
func (p *parser) named(n *node, of string) string {
	name, ok := p.str(n)
	if ok {
		p.name(of, n.text())
	}
	return name
}

// readTable reads the table read. Whether a value is a file or a state is known only after all
// stages are read.
func (p *parser) readTable(n *node, s *Stage) {
	if n.typ != aTable {
		p.wrongType(n, `a table of names and files or states, as in { rules = "./scope.txt" }`)
		return
	}
	for _, c := range n.below {
		p.name("read", c.name())
		if _, ok := p.str(c); !ok {
			continue
		}
		if it, ok := p.fill(c.text(), true); ok {
			p.reads = append(p.reads, reading{it, c.at, s, len(s.Read)})
		}
		s.Read = append(s.Read, Read{Name: c.key})
	}
}

// every reads a period.
func (p *parser) every(n *node) time.Duration {
	before := len(p.errs)
	d := p.duration(n)
	if d == 0 && len(p.errs) == before {
		p.invalid(n, "a period of nothing would start the stage all the time")
	}
	return d
}

// environ reads names of environment variables.
func (p *parser) environ(n *node) (names []string) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	for _, it := range p.strs(n) {
		switch {
		case strings.Trim(it.text, letters+"0123456789") != "" || !strings.Contains(letters, it.text[:1]):
			p.report(it.at, fmt.Sprintf("%q is not a name of an environment variable", it.text),
				`name each alone, as in env = ["LANG", "HTTPS_PROXY"]`)
		case it.text == "TMPDIR" || strings.HasPrefix(it.text, "MT_"):
			p.report(it.at, fmt.Sprintf("%s is set by the manager", it.text), "leave it out")
		}
		names = append(names, it.text)
	}
	return names
}

// address reads HOST:PORT.
func (p *parser) address(n *node) string {
	text, ok := p.str(n)
	if !ok {
		return ""
	}
	colon := strings.LastIndexByte(text, ':')
	if port, err := strconv.ParseUint(text[colon+1:], 10, 16); colon < 1 || err != nil || port == 0 {
		p.invalid(n, `%q is no address; write HOST:PORT, as in "127.0.0.1:8080"`, text)
	}
	return text
}
