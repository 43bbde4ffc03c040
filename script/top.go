package script

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// A parser turns a document into a script. It collects what must be checked when the whole document
// is known.
type parser struct {
	reporter
	script *Script
	find   Finder

	root     *node
	nodes    map[any]*node // the node of each *Stage, *Queue and *Service
	mentions []mention     // of queues
	reads    []reading     // of files and states
}

// A mention is an occurrence of a queue's name in the script.
type mention struct {
	item
	by *Stage // nil for seeds
	in bool   // true if by reads the queue
}

// A reading is a value of a stage's read table.
type reading struct {
	item
	key   int // offset of its name
	stage *Stage
	index int // in stage.Read
}

// topFields returns the keys of the whole script.
func (p *parser) topFields() []field {
	s := p.script
	return []field{
		{"flow", func(*node) {}},
		{"dir", func(n *node) { s.Dir = p.folder(n) }},
		{"seeds", p.seeds},
		{"vars", func(*node) {}}, // top reads them first
		{"limit", func(n *node) { p.table(n, "in [limit]", p.limitFields()) }},
		{"stop", func(n *node) { p.table(n, "in [stop]", p.stopFields()) }},
		{"queue", func(n *node) { each(p, n, p.queue) }},
		{"stage", func(n *node) { each(p, n, p.stage) }},
		{"service", func(n *node) { each(p, n, p.service) }},
	}
}

// top reads the whole document.
func (p *parser) top() {
	root := p.root
	p.script.Limit.Jobs = runtime.NumCPU()
	if vars := root.child("vars"); vars != nil {
		p.varTable(vars) // before the values that use them
	}
	p.table(root, "at the top of the script", p.topFields())
	if root.child("dir") == nil {
		p.report(0, `"dir" is missing`, `say where the crawl may write, as in dir = "crawl"`)
	}
	if len(p.script.Stages) == 0 && root.child("stage") == nil {
		p.report(0, "there is no stage", "a stage is a table [stage.NAME]")
	}
	if wholeWeek(p.script.Limit.Idle) {
		p.report(root.child("limit").place("idle"), "the idle windows leave no minute of the week",
			"nothing would ever start")
	}
}

// each reads the tables below [stage], [queue] or [service].
func each(p *parser, n *node, read func(*node)) {
	if n.typ != aTable {
		p.report(n.at, fmt.Sprintf("%q must be a table, not %s", n.key, n.typ), fmt.Sprintf("write [%s.NAME]", n.key))
		return
	}
	for _, c := range n.below {
		if c.typ != aTable {
			p.report(c.at, fmt.Sprintf("%q is no table", c.key),
				fmt.Sprintf("a %s has a name: [%s.NAME]", n.key, n.key))
			continue
		}
		if n.key != "queue" { // link checks a queue's name at its first appearance
			p.name(n.key, c.name())
		}
		read(c)
	}
}

// abs makes a path of the script absolute.
func (p *parser) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.script.Folder, path)
}

// folder reads dir. The crawl owns everything in it, so the script must not be in it.
func (p *parser) folder(n *node) string {
	_, ok := p.str(n)
	if !ok {
		return ""
	}
	it, ok := p.fill(n.text(), true)
	if !ok {
		return ""
	}
	dir := p.abs(it.text)
	if up, err := filepath.Rel(dir, p.script.Path); err == nil && up != ".." && !strings.HasPrefix(up, "../") {
		p.invalid(n, "the script lies in %q; the crawl needs a folder of its own", it.text)
	}
	return dir
}

// seeds reads the files that enter each queue when the crawl begins.
func (p *parser) seeds(n *node) {
	if n.typ != aTable {
		p.wrongType(n, `a table of queues and files, as in { links = "seeds.txt" }`)
		return
	}
	for _, c := range n.below {
		p.mentions = append(p.mentions, mention{item: c.name()})
		for _, it := range p.strs(c) {
			it, ok := p.fill(it, true)
			file := p.abs(it.text)
			if ok {
				if info := p.file(it, file); info != nil && info.IsDir() {
					p.report(it.at, fmt.Sprintf("%q: %s is a folder", n.key, it.text), "")
				}
			}
			p.script.Seeds = append(p.script.Seeds, Seed{Queue: c.key, File: file})
		}
	}
}

// varTable reads the constants.
func (p *parser) varTable(n *node) {
	if n.typ != aTable {
		p.wrongType(n, "a table of strings")
		return
	}
	for _, c := range n.below {
		p.name("var", c.name())
		value, ok := c.value.(string)
		if !ok {
			p.report(c.begin, fmt.Sprintf("var %q must be a string, not %s", c.key, c.typ), "put it in quotes")
		} else if strings.Contains(value, "\x00") {
			p.report(c.begin, fmt.Sprintf("var %q holds a NUL byte, which no command line can", c.key), "")
		}
		p.script.Vars = append(p.script.Vars, Var{Name: c.key, Value: value})
	}
}

func (p *parser) limitFields() []field {
	l := &p.script.Limit
	return []field{
		{"jobs", func(n *node) { l.Jobs = p.number(n, 1, 1000) }},
		{"bandwidth", func(n *node) {
			l.Bandwidth = unit(p, n, "rate", "600KB/s", func(s string) (string, error) { return s, checkRate(s) })
		}},
		{"idle", p.idle},
		{"disk", func(n *node) { l.Disk = p.size(n) }},
		{"history", func(n *node) { l.History = p.size(n) }},
	}
}

func (p *parser) idle(n *node) {
	for _, it := range p.strs(n) {
		w, err := parseWindow(it.text)
		if err != nil {
			p.report(it.at, fmt.Sprintf("%q: %v", n.key, err), "")
			continue
		}
		p.script.Limit.Idle = append(p.script.Limit.Idle, w)
	}
}

func (p *parser) stopFields() []field {
	s := &p.script.Stop
	records := func(n *node) int64 { return int64(p.number(n, 1, 1<<53)) }
	return []field{
		{"never", func(n *node) { s.Never = p.boolean(n) }},
		{"time", func(n *node) { s.Time = p.duration(n) }},
		{"records", func(n *node) { s.Records = p.queueLimits(n, "{ pages = 100000 }", records) }},
		{"bytes", func(n *node) { s.Bytes = p.queueLimits(n, `{ pages = "10GB" }`, p.size) }},
	}
}

// queueLimits reads a table of queues and limits.
func (p *parser) queueLimits(n *node, example string, total func(*node) int64) []QueueLimit {
	if n.typ != aTable {
		p.wrongType(n, "a table of queues and totals, as in "+example)
		return nil
	}
	var limits []QueueLimit
	for _, c := range n.below {
		limits = append(limits, QueueLimit{Queue: c.key, Limit: total(c)})
	}
	return limits
}
