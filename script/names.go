package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// reservedQueues returns the names that the crawl's folder and the folder of a run use themselves,
// and the placeholders that every stage has.
func reservedQueues() []string {
	return append([]string{"work", "state", "log", "history", "inbox", "secret", "failed", "run", "stderr", "tmp"},
		builtins()...)
}

// builtins returns the placeholders that every stage has.
func builtins() []string { return []string{"in", "report", "bandwidth", "tx"} }

// isName reports whether a text is a valid name.
func isName(text string) bool {
	const first, rest = "abcdefghijklmnopqrstuvwxyz", "0123456789_"
	return text != "" && len(text) <= 32 && strings.IndexByte(first, text[0]) >= 0 &&
		strings.Trim(text, first+rest) == ""
}

// name checks the name of something, such as a "stage".
func (p *parser) name(of string, it item) {
	if !isName(it.text) {
		p.report(it.at, fmt.Sprintf("%q is not a valid name for a %s", it.text, of),
			"a name is a small letter, then up to 31 small letters, digits or _")
	}
}

// queueName checks a queue's name, which becomes a folder.
func (p *parser) queueName(it item) {
	if slices.Contains(reservedQueues(), it.text) {
		p.report(it.at, fmt.Sprintf("no queue can be named %q", it.text), "reserved are "+list(reservedQueues()))
		return
	}
	p.name("queue", it)
}

// checkNames reports names with two meanings. Queues, states, vars, names in read and built-in
// placeholders share one name space over the whole script. The only exception is a name in read
// that equals the state it refers to.
func (p *parser) checkNames() {
	taken := map[string]string{}
	for _, name := range builtins() {
		taken[name] = "a built-in placeholder"
	}
	for _, q := range p.script.Queues {
		taken[q.Name] = "a queue"
	}
	for _, s := range p.script.Stages {
		if what, clash := taken[s.State]; clash && what != "a state" {
			p.clash(p.nodes[s].child("state").begin, s.State, what)
		} else if s.State != "" {
			taken[s.State] = "a state"
		}
	}
	for _, v := range p.script.Vars {
		if what, clash := taken[v.Name]; clash {
			p.clash(p.root.child("vars").place(v.Name), v.Name, what)
			continue
		}
		taken[v.Name] = "a var"
	}
	for _, r := range p.reads {
		read := r.stage.Read[r.index]
		if what, clash := taken[read.Name]; clash && (read.State != read.Name || what != "a state") {
			p.clash(r.key, read.Name, what)
		}
	}
}

func (p *parser) clash(at int, name, what string) {
	p.report(at, fmt.Sprintf("%q is the name of %s already", name, what),
		"choose another; names in { } have one meaning")
}

// checkPlaceholders checks the command lines of stages and services.
func (p *parser) checkPlaceholders() {
	for _, s := range p.script.Stages {
		known := append(builtins(), s.Out...)
		for _, r := range s.Read {
			known = append(known, r.Name)
		}
		if s.State != "" {
			known = append(known, s.State, s.State+".new")
		}
		for _, part := range s.all() {
			if part.name == "in" && p.nodes[s].child("in") == nil {
				p.report(part.at, fmt.Sprintf("{in} in stage %q, which has no \"in\"", s.Name), "")
			}
		}
		p.checkCommand(&s.Command, known, func(name string) string { return p.elsewhere(s, name) })
	}
	for _, s := range p.script.Services {
		p.checkCommand(&s.Command, []string{"bandwidth"},
			func(string) string { return "a service has vars and {bandwidth} only" })
	}
}

// checkCommand reports placeholders that are neither known nor vars. otherwise returns a hint for a
// placeholder that resembles none of them.
func (p *parser) checkCommand(c *Command, known []string, otherwise func(name string) string) {
	for _, v := range p.script.Vars {
		known = append(known, v.Name)
	}
	for _, part := range c.all() {
		if !slices.Contains(known, part.name) {
			p.report(part.at, fmt.Sprintf("unknown placeholder {%s}", part.name),
				cmp.Or(DidYouMean(part.name, known), otherwise(part.name)))
		}
	}
}

// elsewhere returns what a name means in the rest of the script, if it is not a placeholder of
// stage s.
func (p *parser) elsewhere(s *Stage, name string) string {
	if slices.Contains(s.In, name) {
		return "the batches of every input queue are {in}"
	}
	if p.script.Queue(name) != nil {
		return fmt.Sprintf("queue %q is not in this stage's \"out\"", name)
	}
	if other := p.script.Owner(name); other != nil {
		return fmt.Sprintf("to see the state of stage %q, write read = { %s = %q }", other.Name, name, name)
	}
	return `a literal brace is written "{{"`
}
