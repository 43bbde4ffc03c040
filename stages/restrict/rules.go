package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// traps are the rules against endless webs. A number that looks like a date (/2045/10/, or section
// 8-1774.03 of a law) is no trap by its looks, and a site of such numbers links from one to the
// next as a calendar does. A calendar goes on: a hundred links from the seed. Until then, some
// 2,400 pages, it is a site like another. The trap of depth is wide, because an archive may be
// paged through a thousand steps.
const traps = `reject length   > 2048  as trap-length
reject repeats  > 3     as trap-repeats   # /a/b/a/b/a/b/a, links that are relative by mistake
reject segments > 20    as trap-segments
reject depth    > 1000  as trap-depth     # a web that grows at each step; most crawls want less
reject depth    > 100 and ahead > 2    as trap-calendar  # "next month", for ever
reject depth    > 100 and ago   > 200  as trap-calendar  # "last month"
`

// indent indents every line of text, for -h.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// scope is rules in the order in which they are asked. The last one matches every URL.
type scope []*rule

// rule is one rule.
type rule struct {
	place      string // file:line
	text       string // as it was written, blanks made one
	keep       bool
	conditions []condition
	name       string // the reason of what it rejects
}

// condition is one condition of a rule.
type condition struct {
	kind  *kind
	text  string
	not   bool
	match func(*subject) bool
}

func (c *condition) holds(s *subject) bool { return c.match(s) != c.not }

func (r *rule) matches(s *subject) bool {
	for i := range r.conditions {
		if !r.conditions[i].holds(s) {
			return false
		}
	}
	return true
}

func (r *rule) all() bool {
	return len(r.conditions) == 1 && r.conditions[0].kind.name == "all" && !r.conditions[0].not
}

// decide returns the rule that decides s.
func (sc scope) decide(s *subject) *rule {
	for _, r := range sc {
		if r.matches(s) {
			return r
		}
	}
	panic("restrict: a scope does not end in a rule for all") // parser.checkEnd holds it to that
}

// options are the flags.
type options struct {
	rules          string
	rule           *[]string
	traps          bool
	kept, rejected string
	now            time.Time
	maxHosts       int
	domains, fresh string // the state: list of segments, new segment
}

// scope reads the rules: traps, those of -rule, those of the file.
func (o *options) scope() (scope, error) {
	p := &parser{}
	if o.traps {
		p.parse("traps", traps)
	}
	for i, text := range *o.rule {
		p.parse(fmt.Sprintf("-rule %d", i+1), text)
	}
	if o.rules != "" {
		text, err := os.ReadFile(o.rules)
		if err != nil {
			return nil, fmt.Errorf("read the rules: %w", err)
		}
		n := len(p.rules)
		p.parse(o.rules, string(text))
		if n == len(p.rules) && p.errs == nil {
			return nil, fmt.Errorf(`%s: it holds no rule; the least is "keep all"`, o.rules)
		}
	}
	if o.rules == "" && len(*o.rule) == 0 {
		p.parse("no rules", "keep all")
	}
	p.checkEnd()
	return p.rules, errors.Join(p.errs...)
}

// texts returns words without their places.
func texts(words []word) (all []string) {
	for _, w := range words {
		all = append(all, w.text)
	}
	return all
}
